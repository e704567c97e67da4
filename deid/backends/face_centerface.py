"""CenterFace on onnxruntime, looked at from four sides: the face detector of the default install.

Network and weights: CenterFace (Xu et al., 2019), MIT; see models/manifest.toml.  The decoding
follows the paper: a heat map of centres, log sizes and offsets at a stride of four pixels.
"""

import cv2
import numpy as np
import onnxruntime
from numpy.typing import NDArray

from deid.config import Weights
from deid.errors import BackendFailedError
from deid.geometry import hull, scale, turn_back
from deid.schema import Box, Frame
from deid.weights import weight

REQUIRES = "Nothing: its weights come with medveil."

_SIDES = (480, 960)
"""Longer side of the picture at which it is looked at: large faces, then small ones."""
_STRIDE = 4
_THRESHOLD = 0.45
_TURNED_THRESHOLD = 0.6
"""What a face must reach from a side from which the picture was not taken: there, text and plants
look like faces now and then."""
_SAME = 0.3


def is_available(weights: Weights) -> bool:
    """Say whether the weights are there and unchanged."""
    del weights
    try:
        weight("centerface")
    except Exception:  # noqa: BLE001 - whatever is wrong with the weight, the engine is not available
        return False
    return True


class CenterFace:
    """A `deid.ports.FaceModel`."""

    name = "centerface"

    def __init__(self, *, threads: int, weights: Weights) -> None:
        """Load the network."""
        del weights
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        options.intra_op_num_threads = threads
        options.enable_cpu_mem_arena = False  # it would keep the largest picture's memory for good
        self._session = onnxruntime.InferenceSession(
            str(weight("centerface")), options, providers=["CPUExecutionProvider"]
        )

    def faces(self, pixels: Frame) -> list[tuple[Box, float]]:
        """Return the faces of a frame, upright, on their side or on their head.

        Raises:
            BackendFailedError: the network failed.
        """
        height, width = pixels.shape[:2]
        sides = [self._side(pixels, quarters) for quarters in range(4)]
        usual = {0, _dominant(sides)}
        return _distinct(
            [
                (turn_back(box, quarters, width, height), score)
                for quarters, found in enumerate(sides)
                for box, score in found
                if quarters in usual or score >= _TURNED_THRESHOLD
            ]
        )

    def _side(self, pixels: Frame, quarters: int) -> list[tuple[Box, float]]:
        """Return what is seen from one side, at each size that the picture is worth."""
        turned = np.ascontiguousarray(np.rot90(pixels, quarters))
        longest = max(turned.shape[:2])
        worth = [side for side in _SIDES if side == _SIDES[0] or longest > _SIDES[0]]
        return [seen for side in worth for seen in self._look(turned, side)]

    def _look(self, pixels: Frame, side: int) -> list[tuple[Box, float]]:
        height, width = pixels.shape[:2]
        factor = min(1.0, side / max(height, width))
        columns = max(32, round(width * factor / 32) * 32)
        rows = max(32, round(height * factor / 32) * 32)
        resized = cv2.resize(np.ascontiguousarray(pixels), (columns, rows))
        blob = resized.astype(np.float32).transpose(2, 0, 1)[None]
        try:
            heat, size, offset, _ = self._session.run(
                None, {self._session.get_inputs()[0].name: blob}
            )
        except Exception as error:  # noqa: BLE001 - onnxruntime's own exception types are private
            raise BackendFailedError(
                f"The face detector failed ({type(error).__name__}).",
                remedy="Look at this picture by itself.",
            ) from None
        return [
            (scale(box, width / columns, height / rows), score)
            for box, score in _decode(heat[0, 0], size[0], offset[0])
        ]


def _dominant(sides: list[list[tuple[Box, float]]]) -> int:
    """Return the side from which most faces are sure: the way a turned group photo lies."""
    sure = [sum(s for _, s in found if s >= _TURNED_THRESHOLD) for found in sides]
    return sure.index(max(sure))


def _decode(
    heat: NDArray[np.float32], size: NDArray[np.float32], offset: NDArray[np.float32]
) -> list[tuple[Box, float]]:
    ys, xs = np.nonzero(heat >= _THRESHOLD)
    found = []
    for y, x in zip(ys.tolist(), xs.tolist(), strict=True):
        high, wide = (float(np.exp(size[n, y, x])) * _STRIDE for n in (0, 1))
        middle_y = (y + float(offset[0, y, x]) + 0.5) * _STRIDE
        middle_x = (x + float(offset[1, y, x]) + 0.5) * _STRIDE
        corners = (
            (middle_x - wide / 2, middle_y - high / 2),
            (middle_x + wide / 2, middle_y + high / 2),
        )
        found.append((hull(corners), min(float(heat[y, x]), 1.0)))
    return _distinct(found)


def _distinct(found: list[tuple[Box, float]]) -> list[tuple[Box, float]]:
    """Keep the surest of boxes that overlap much."""
    if not found:
        return []
    boxes = [(b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0) for b, _ in found]
    kept = cv2.dnn.NMSBoxes(boxes, [score for _, score in found], 0.0, _SAME)
    return [found[int(n)] for n in np.asarray(kept).ravel()]
