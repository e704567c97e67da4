"""PP-OCRv6 small through RapidOCR on onnxruntime: the OCR of the default install.

RapidOCR finds and reads the lines; which way up a page lies is decided here, by evidence: an
upright reading that is good is never turned.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from rapidocr import RapidOCR

from deid.config import Weights
from deid.errors import BackendFailedError
from deid.geometry import hull, turn_back, turn_quad_back
from deid.schema import Box, Frame, OcrLine, Quad
from deid.weights import weight

REQUIRES = "Install medveil's default dependencies (rapidocr carries its weights)."

_LOWEST = 0.35
"""Lines below this score are noise; doubtful ones above it are still searched for identifiers."""
_GOOD = 0.85
"""Mean score from which an upright reading needs no second look from another side."""
_BETTER = 1.25
"""How much more evidence a turned reading must bring than the upright one."""
_GAP, _LATIN_GAP = 0.42, 0.24
"""A gap between characters wider than this share of the line's height is a space; Latin letters
stand closer together than Hanzi, and so do their words."""
_TALL = 1.8


def is_available(weights: Weights) -> bool:
    """Say whether the engine and its weights are installed."""
    del weights
    try:
        weight("pp-ocrv6-det-small")
        weight("pp-ocrv6-rec-small")
    except Exception:  # noqa: BLE001 - whatever is wrong with a weight, the engine is not available
        return False
    return True


class RapidOcrEngine:
    """An `deid.ports.OcrEngine`."""

    name = "rapidocr"

    def __init__(self, *, threads: int, weights: Weights) -> None:
        """Load detection and recognition; nothing is ever downloaded."""
        del weights
        self._engine = RapidOCR(
            params={
                "Global.log_level": "critical",
                "Global.use_cls": False,
                "Global.return_word_box": True,
                "Global.return_single_char_box": True,
                "Global.text_score": _LOWEST,
                "Global.max_side_len": 2400,
                "Det.model_path": str(weight("pp-ocrv6-det-small")),
                "Rec.model_path": str(weight("pp-ocrv6-rec-small")),
                "EngineConfig.onnxruntime.intra_op_num_threads": threads or -1,
            }
        )

    def read(self, pixels: Frame) -> list[OcrLine]:
        """Return the lines of a frame, whichever way up it lies.

        Raises:
            BackendFailedError: the engine failed.
        """
        upright = self._read(pixels)
        if not upright or not _doubtful(upright):
            return upright
        height, width = pixels.shape[:2]
        best, most = upright, _BETTER * _evidence(upright)
        for quarters in (1, 3, 2):
            turned = self._read(np.ascontiguousarray(np.rot90(pixels, quarters)))
            if _evidence(turned) > most:
                most = _evidence(turned)
                best = [_turned_back(line, quarters, width, height) for line in turned]
        return best

    def _read(self, pixels: Frame) -> list[OcrLine]:
        bgr = np.ascontiguousarray(pixels[:, :, ::-1])
        try:
            result: Any = self._engine(bgr)
        except Exception as error:  # noqa: BLE001 - the library raises anything
            raise BackendFailedError(
                f"The OCR engine failed ({type(error).__name__}).",
                remedy="Look at this picture by itself; report it if it is a common kind.",
            ) from None
        if result.txts is None or result.word_results is None:
            return []
        lines = (
            _line(words, quad, float(score))
            for words, quad, score in zip(
                result.word_results, result.boxes, result.scores, strict=True
            )
        )
        return [line for line in lines if line.text.strip()]


def _doubtful(lines: list[OcrLine]) -> bool:
    """Say whether a reading may be of a page that lies on its side or on its head."""
    weights = [len(line.text) for line in lines]
    mean = sum(line.score * n for line, n in zip(lines, weights, strict=True)) / sum(weights)
    tall = sum(n for line, n in zip(lines, weights, strict=True) if _is_tall(line))
    return mean < _GOOD or tall > sum(weights) / 2


def _is_tall(line: OcrLine) -> bool:
    box = hull(line.quad)
    return len(line.text) > 1 and (box.y1 - box.y0) > _TALL * (box.x1 - box.x0)


def _evidence(lines: list[OcrLine]) -> float:
    """Return how much was read well: characters weighted by a steep function of their score.

    Lines that stand upright in a page count little, so that a page on its side, whose lines the
    engine turns one by one, does not beat the page the right way up.
    """
    return sum(len(line.text) * line.score**4 * (0.5 if _is_tall(line) else 1.0) for line in lines)


def _turned_back(line: OcrLine, quarters: int, width: int, height: int) -> OcrLine:
    return OcrLine(
        line.text,
        line.score,
        turn_quad_back(line.quad, quarters, width, height),
        tuple(turn_back(box, quarters, width, height) for box in line.chars),
    )


def _line(words: Any, quad: Any, score: float) -> OcrLine:  # noqa: ANN401 - RapidOCR's untyped rows
    corners = _quad(quad)
    text: list[str] = []
    boxes: list[Box] = []
    outlines: list[tuple[str, Quad]] = []
    for word, _, outline in words:
        outlines += _split(str(word), _quad(outline))
    thickness = _thickness(corners)
    previous: Quad | None = None
    for character, outline in outlines:
        latin = bool(text) and text[-1].isascii() and character.isascii()
        limit = (_LATIN_GAP if latin else _GAP) * thickness
        if previous is not None and _gap(previous, outline) > limit:
            text.append(" ")
            boxes.append(hull((previous[1], outline[0], outline[3], previous[2])))
        text.append(character)
        boxes.append(hull(outline))
        previous = outline
    return OcrLine("".join(text), min(max(score, 0.0), 1.0), corners, tuple(boxes))


def _quad(points: Any) -> Quad:  # noqa: ANN401 - a list or an array of four points
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)


def _split(word: str, outline: Quad) -> list[tuple[str, Quad]]:
    """Cut the outline of several characters evenly, so that each has one."""
    if len(word) <= 1:
        return [(word, outline)] if word else []
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = outline
    cuts = [n / len(word) for n in range(len(word) + 1)]
    tops = [(ax + (bx - ax) * t, ay + (by - ay) * t) for t in cuts]
    feet = [(dx + (cx - dx) * t, dy + (cy - dy) * t) for t in cuts]
    edges = zip(pairwise(tops), pairwise(feet), strict=True)
    return [
        (character, (left, right, foot_right, foot_left))
        for character, ((left, right), (foot_left, foot_right)) in zip(word, edges, strict=True)
    ]


def _thickness(quad: Quad) -> float:
    sides = [
        float(np.hypot(b[0] - a[0], b[1] - a[1]))
        for a, b in ((quad[0], quad[1]), (quad[1], quad[2]))
    ]
    return min(sides)


def _gap(left: Quad, right: Quad) -> float:
    """Return the distance between the facing edges of two characters, 0 where they overlap."""
    boxes = hull(left), hull(right)
    across = max(boxes[1].x0 - boxes[0].x1, boxes[0].x0 - boxes[1].x1)
    down = max(boxes[1].y0 - boxes[0].y1, boxes[0].y0 - boxes[1].y1)
    return float(max(across, down, 0))
