"""What lines say: PP-OCR's recogniser over straightened cut-outs, in batches of like width."""

from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from deid.backends.ocr_rapidocr.ctc import Glyph, glyphs_of
from deid.geometry import hull
from deid.schema import Frame, OcrLine, Quad

_HEIGHT, _STEP = 48, 8
"""Pixels of the recogniser's input height, and of one of its time steps."""
_LEAST, _MOST = 64, 3200
_BATCH_PIXELS, _BATCH_LINES = 5000, 16
"""Widths of a batch added up, and its lines: together they bound the memory of the answer."""
_COARSE = 2
"""Shrinking by more than this needs averaging, or thin strokes break."""


class Recogniser:
    """Reads cut-outs with an onnxruntime session that carries its own alphabet."""

    def __init__(self, session: Any) -> None:  # noqa: ANN401 - onnxruntime ships no types
        """Read with ``session``."""
        self._session = session
        self._input = session.get_inputs()[0].name
        words = session.get_modelmeta().custom_metadata_map["character"].splitlines()
        self._alphabet = ["", *words, " "]

    def read(self, pixels: Frame, quads: Sequence[Quad]) -> list[OcrLine]:
        """Return a line for each outline, whose first side is the text's upper edge."""
        lines: dict[int, OcrLine] = {}
        for batch in _batches(quads):
            strips = [_strip(pixels, quads[number]) for number in batch]
            answer = self._answer(strips)
            for number, strip, steps in zip(batch, strips, answer, strict=True):
                length = strip.shape[1] / _STEP
                glyphs = glyphs_of(steps, self._alphabet, length)
                lines[number] = _line(quads[number], glyphs, length)
        return [lines[number] for number in range(len(quads))]

    def _answer(self, strips: Sequence[Frame]) -> NDArray[np.float32]:
        widest = max(_LEAST, *(strip.shape[1] for strip in strips))
        widest += -widest % _STEP
        blob = np.zeros((len(strips), 3, _HEIGHT, widest), np.float32)
        for place, strip in zip(blob, strips, strict=True):
            place[:, :, : strip.shape[1]] = strip[:, :, ::-1].transpose(2, 0, 1) / 127.5 - 1
        answer: NDArray[np.float32] = self._session.run(None, {self._input: blob})[0]
        return answer


def _batches(quads: Sequence[Quad]) -> Iterator[list[int]]:
    """Yield batches of indexes, narrow lines first, so that little padding is computed."""
    batch: list[int] = []
    for number in sorted(range(len(quads)), key=lambda n: _strip_width(quads[n])):
        widest = _strip_width(quads[number])
        if batch and (len(batch) == _BATCH_LINES or (len(batch) + 1) * widest > _BATCH_PIXELS):
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _sides(quad: Quad) -> tuple[float, float]:
    """Return width and height of the upright rectangle that a quadrilateral becomes."""
    a, b, c, d = np.asarray(quad)
    across = max(float(np.linalg.norm(b - a)), float(np.linalg.norm(c - d)), 1.0)
    down = max(float(np.linalg.norm(d - a)), float(np.linalg.norm(c - b)), 1.0)
    return across, down


def _strip_width(quad: Quad) -> int:
    across, down = _sides(quad)
    return int(min(max(np.ceil(_HEIGHT * across / down), _STEP), _MOST))


def _strip(pixels: Frame, quad: Quad) -> Frame:
    """Return the cut-out of a line, straightened, 48 pixels high."""
    across, down = (round(side) for side in _sides(quad))
    flat = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32)
    turn = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), flat)
    cut = cv2.warpPerspective(
        pixels, turn, (across, down), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    how = cv2.INTER_AREA if down > _COARSE * _HEIGHT else cv2.INTER_LINEAR
    strip: Frame = cv2.resize(cut, (_strip_width(quad), _HEIGHT), interpolation=how)
    return strip


def _line(quad: Quad, glyphs: Sequence[Glyph], length: float) -> OcrLine:
    """Return the line with the box of every code point in the picture."""
    text, boxes = [], []
    flat = np.array([(0, 0), (length, 0), (length, 1), (0, 1)], np.float32)
    back = cv2.getPerspectiveTransform(flat, np.asarray(quad, np.float32))
    for glyph in glyphs:
        corners = np.array(
            [[(x, y) for x in (glyph.start, glyph.end) for y in (0.0, 1.0)]], np.float32
        )
        box = hull([(float(x), float(y)) for x, y in cv2.perspectiveTransform(corners, back)[0]])
        for character in glyph.text:
            text.append(character)
            boxes.append(box)
    scores = [glyph.score for glyph in glyphs if not glyph.text.isspace()]
    score = min(1.0, float(np.mean(scores))) if scores else 0.0
    return OcrLine("".join(text), score, quad, tuple(boxes))
