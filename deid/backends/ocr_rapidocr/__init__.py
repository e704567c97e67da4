"""PP-OCRv6 small on onnxruntime, its weights and detector from RapidOCR: the default OCR.

RapidOCR brings the weights and draws the outlines of lines; cutting pictures into tiles, reading
the cut-outs and placing every character are done here, because a page must cost seconds, a long
screenshot must keep its small print, and a mask must end where its character ends.  Which way up a
page lies is decided by evidence: an upright page that reads well is never turned.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnxruntime

from deid.backends.ocr_rapidocr.detection import find_quads, thickness
from deid.backends.ocr_rapidocr.recognition import Recogniser
from deid.config import Weights
from deid.errors import BackendFailedError
from deid.geometry import turn_back, turn_quad_back
from deid.schema import Frame, OcrLine, Quad
from deid.weights import weight

REQUIRES = "Install medveil's default dependencies (rapidocr carries its weights)."

_LOWEST = 0.3
"""Lines below this score are noise; doubtful ones above it are still searched for identifiers."""
_WITNESSES = 8
"""Lines, longest first, that say which way up a page lies."""
_GOOD = 0.8
"""Mean score from which an upright reading needs no second look from another side."""
_LEAST, _BETTER = 0.6, 0.15
"""What a turned reading must reach, and by how much it must beat the upright one."""
_TALL = 2.0
_DOUBTFUL = 0.6


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
        self._detector = _session("pp-ocrv6-det-small", threads)
        self._recogniser = Recogniser(_session("pp-ocrv6-rec-small", threads))

    def read(self, pixels: Frame) -> list[OcrLine]:
        """Return the lines of a frame, whichever way up it lies.

        Raises:
            BackendFailedError: the engine failed.
        """
        try:
            return self._read(np.ascontiguousarray(pixels))
        except Exception as error:  # noqa: BLE001 - onnxruntime's own exception types are private
            raise BackendFailedError(
                f"The OCR engine failed ({type(error).__name__}).",
                remedy="Look at this picture by itself; report it if it is a common kind.",
            ) from None

    def _read(self, pixels: Frame) -> list[OcrLine]:
        quads = find_quads(self._detector, pixels)
        quarters = self._quarters(pixels, quads)
        if not quarters:
            return self._lines(pixels, quads)
        height, width = pixels.shape[:2]
        turned = np.ascontiguousarray(np.rot90(pixels, quarters))
        lines = self._lines(turned, find_quads(self._detector, turned))
        return [_turned_back(line, quarters, width, height) for line in lines]

    def _quarters(self, pixels: Frame, quads: Sequence[Quad]) -> int:
        """Return the counter-clockwise quarter turns that set the page upright."""
        long = sorted(
            (q for q in quads if _stretch(q) > _TALL or _stretch(q) < 1 / _TALL), key=_long
        )
        witnesses = long[-_WITNESSES:]
        if not witnesses:
            return 0
        lying = sum(_long(q) for q in long if _stretch(q) > 1)
        standing = sum(_long(q) for q in long if _stretch(q) < 1)
        if lying >= standing:
            first = self._evidence(pixels, witnesses, 0)
            if first >= _GOOD:
                return 0
            second = self._evidence(pixels, witnesses, 2)
            return 2 if second >= max(_LEAST, first + _BETTER) else 0
        scores = {turn: self._evidence(pixels, witnesses, turn) for turn in (1, 3)}
        best = max(scores, key=scores.__getitem__)
        return best if scores[best] >= _LEAST else 0

    def _evidence(self, pixels: Frame, witnesses: Sequence[Quad], turn: int) -> float:
        """Return the mean score of the witnesses read from one side, longer ones counting more."""
        lines = self._recogniser.read(pixels, [_rolled(quad, turn) for quad in witnesses])
        weights = [max(1, len(line.text)) for line in lines]
        return float(np.average([line.score for line in lines], weights=weights))

    def _lines(self, pixels: Frame, quads: Sequence[Quad]) -> list[OcrLine]:
        """Read an upright page; lines that stand or read badly are also tried from other sides."""
        lines = self._recogniser.read(pixels, quads)
        for turns, least in (((1, 3), 0.0), ((2,), _BETTER)):
            again = [
                n
                for n, line in enumerate(lines)
                if (turns == (2,) or _stretch(quads[n]) < 1 / _TALL) and line.score < _DOUBTFUL
            ]
            for turn in turns:
                tried = self._recogniser.read(pixels, [_rolled(quads[n], turn) for n in again])
                for n, other in zip(again, tried, strict=True):
                    if other.score > max(lines[n].score + least, _DOUBTFUL):
                        lines[n] = other
        return [line for line in lines if line.text.strip() and line.score >= _LOWEST]


def _session(name: str, threads: int) -> Any:  # noqa: ANN401 - onnxruntime ships no types
    """Open a verified weight.  No arena: it would keep the memory of the largest picture."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = threads
    options.enable_cpu_mem_arena = False
    return onnxruntime.InferenceSession(
        str(weight(name)), options, providers=["CPUExecutionProvider"]
    )


def _stretch(quad: Quad) -> float:
    """Return the length of an outline's first side as a multiple of its second."""
    corners = np.asarray(quad)
    first, second = np.linalg.norm(corners[1:3] - corners[:2], axis=1)
    return float(first / max(float(second), 1.0))


def _long(quad: Quad) -> float:
    return thickness(quad) * max(_stretch(quad), 1 / max(_stretch(quad), 1e-6))


def _rolled(quad: Quad, turn: int) -> Quad:
    """Return the outline as it is for text that begins at another corner."""
    a, b, c, d = (quad[(n + turn) % 4] for n in range(4))
    return (a, b, c, d)


def _turned_back(line: OcrLine, quarters: int, width: int, height: int) -> OcrLine:
    return OcrLine(
        line.text,
        line.score,
        turn_quad_back(line.quad, quarters, width, height),
        tuple(turn_back(box, quarters, width, height) for box in line.chars),
    )
