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

from deid.backends.ocr_rapidocr.detection import find_quads
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
_HALF = 2

_Witness = tuple[int, Quad]
"""An outline with its place among the outlines of its page."""


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
        witnesses = _witnesses(quads)
        if _stands(quads):
            quarters = self._sideways(pixels, witnesses)
            lines = [] if quarters else self._recogniser.read(pixels, quads)
        else:
            lines = self._recogniser.read(pixels, quads)
            quarters = self._upside_down(pixels, witnesses, _mean([lines[n] for n, _ in witnesses]))
        if not quarters:
            return self._again(pixels, quads, lines)
        height, width = pixels.shape[:2]
        turned = np.ascontiguousarray(np.rot90(pixels, quarters))
        quads = find_quads(self._detector, turned)
        lines = self._again(turned, quads, self._recogniser.read(turned, quads))
        return [_turned_back(line, quarters, width, height) for line in lines]

    def _upside_down(self, pixels: Frame, witnesses: Sequence[_Witness], upright: float) -> int:
        """Return the quarter turns that a page of lying lines needs: 0 or 2."""
        if not witnesses or upright >= _GOOD:
            return 0
        return 2 if self._evidence(pixels, witnesses, 2) >= max(_LEAST, upright + _BETTER) else 0

    def _sideways(self, pixels: Frame, witnesses: Sequence[_Witness]) -> int:
        """Return the quarter turns that a page of standing lines needs: 1, 3, or 0 in doubt."""
        scores = {turn: self._evidence(pixels, witnesses, turn) for turn in (1, 3)}
        best = max(scores, key=scores.__getitem__)
        return best if scores[best] >= _LEAST else 0

    def _evidence(self, pixels: Frame, witnesses: Sequence[_Witness], turn: int) -> float:
        """Return how well the witnesses read from another side."""
        rolled = [_rolled(quad, turn) for _, quad in witnesses]
        return _mean(self._recogniser.read(pixels, rolled))

    def _again(
        self, pixels: Frame, quads: Sequence[Quad], lines: Sequence[OcrLine]
    ) -> list[OcrLine]:
        """Read what stands in an upright page, or reads badly, from other sides too."""
        kept = list(lines)
        for turn in (1, 3, 2):
            doubtful = [
                n
                for n, line in enumerate(kept)
                if line.score < _DOUBTFUL and (turn == _HALF or _stretch(quads[n]) < 1 / _TALL)
            ]
            tried = self._recogniser.read(pixels, [_rolled(quads[n], turn) for n in doubtful])
            for n, other in zip(doubtful, tried, strict=True):
                if other.score > max(kept[n].score + _BETTER, _DOUBTFUL):
                    kept[n] = other
        return [line for line in kept if line.text.strip() and line.score >= _LOWEST]


def _session(name: str, threads: int) -> Any:  # noqa: ANN401 - onnxruntime ships no types
    """Open a verified weight, without an arena: that keeps a large picture's memory for good."""
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


def _length(quad: Quad) -> float:
    """Return the longer of an outline's first two sides, in pixels."""
    corners = np.asarray(quad)
    return float(np.linalg.norm(corners[1:3] - corners[:2], axis=1).max())


def _witnesses(quads: Sequence[Quad]) -> list[_Witness]:
    """Return the longest outlines that clearly run one way, with their places."""
    clear = [w for w in enumerate(quads) if not 1 / _TALL <= _stretch(w[1]) <= _TALL]
    return sorted(clear, key=lambda w: _length(w[1]))[-_WITNESSES:]


def _stands(quads: Sequence[Quad]) -> bool:
    """Say whether more of the text runs down the picture than across it."""
    running = [
        _length(q) * (1 if _stretch(q) < 1 else -1)
        for q in quads
        if not 1 / _TALL <= _stretch(q) <= _TALL
    ]
    return sum(running) > 0


def _mean(lines: Sequence[OcrLine]) -> float:
    """Return the mean score, longer lines counting more; 0 where there is none."""
    weights = [max(1, len(line.text)) for line in lines]
    return sum(line.score * n for line, n in zip(lines, weights, strict=True)) / max(
        1, sum(weights)
    )


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
