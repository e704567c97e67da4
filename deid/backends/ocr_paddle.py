"""PaddleOCR itself, from model folders that the user gives (extra ``paddle``).

``[deid.weights] paddle_detection`` and ``paddle_recognition`` name folders with the inference
models of PP-OCR; nothing is downloaded.
"""

from importlib import import_module, util
from pathlib import Path
from typing import Any

import numpy as np

from deid.config import Weights
from deid.errors import BackendFailedError
from deid.geometry import hull
from deid.schema import Box, Frame, OcrLine, Quad

REQUIRES = (
    'Install medveil[paddle] and name the model folders: [deid.weights] paddle_detection = "PATH",'
    ' paddle_recognition = "PATH".'
)


def is_available(weights: Weights) -> bool:
    """Say whether PaddleOCR is installed and both folders are there."""
    folders = (weights.paddle_detection, weights.paddle_recognition)
    installed = util.find_spec("paddleocr") is not None and util.find_spec("paddle") is not None
    return installed and all(folder and Path(folder).is_dir() for folder in folders)


class PaddleOcrEngine:
    """A `deid.ports.OcrEngine`."""

    name = "paddleocr"

    def __init__(self, *, threads: int, weights: Weights) -> None:
        """Load both models from their folders."""
        self._engine: Any = import_module("paddleocr").PaddleOCR(
            text_detection_model_dir=weights.paddle_detection,
            text_recognition_model_dir=weights.paddle_recognition,
            use_doc_orientation_classify=False,
            use_doc_unwarping=False,
            use_textline_orientation=False,
            return_word_box=True,
            enable_mkldnn=False,  # its oneDNN path raises NotImplementedError on common CPUs
            cpu_threads=threads or 2,
        )

    def read(self, pixels: Frame) -> list[OcrLine]:
        """Return the lines of an upright frame."""
        try:
            results = self._engine.predict(np.ascontiguousarray(pixels[:, :, ::-1]))
        except Exception as error:  # noqa: BLE001 - the library raises anything
            raise BackendFailedError(f"PaddleOCR failed ({type(error).__name__}).") from None
        return [line for result in results for line in lines_of(result)]


def lines_of(result: Any) -> list[OcrLine]:  # noqa: ANN401 - PaddleOCR's result is a dict-like object
    """Return the lines of one result, the characters spread evenly over their line's box."""
    lines = []
    for text, score, polygon in zip(
        result["rec_texts"], result["rec_scores"], result["rec_polys"], strict=True
    ):
        a, b, c, d = ((float(x), float(y)) for x, y in polygon)
        quad: Quad = (a, b, c, d)
        if text.strip():
            lines.append(OcrLine(text, float(score), quad, tuple(_spread(quad, len(text)))))
    return lines


def _spread(quad: Quad, count: int) -> list[Box]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad

    def between(start: float, end: float, share: float) -> float:
        return start + (end - start) * share

    boxes = []
    for number in range(count):
        cuts = number / count, (number + 1) / count
        tops = [(between(ax, bx, t), between(ay, by, t)) for t in cuts]
        feet = [(between(dx, cx, t), between(dy, cy, t)) for t in cuts]
        boxes.append(hull([*tops, *feet]))
    return boxes
