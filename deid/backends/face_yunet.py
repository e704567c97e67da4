"""YuNet through OpenCV, from a file that the user gives: a second voter beside CenterFace.

Its weights (face_detection_yunet_2023mar.onnx or later, MIT) come in no package that we may depend
on; put the file somewhere and name it: ``[deid.weights] yunet = "PATH"``.
"""

from pathlib import Path

import cv2
import numpy as np

from deid.config import Weights
from deid.errors import BackendFailedError
from deid.geometry import hull, turn_back
from deid.schema import Box, Frame

REQUIRES = 'Name the ONNX file of YuNet: [deid.weights] yunet = "PATH".'

_THRESHOLD = 0.5
_SAME = 0.3


def is_available(weights: Weights) -> bool:
    """Say whether the file that the settings name is there."""
    return bool(weights.yunet) and Path(weights.yunet).is_file()


class YuNet:
    """A `deid.ports.FaceModel`."""

    name = "yunet"

    def __init__(self, *, threads: int, weights: Weights) -> None:
        """Load the network.

        Raises:
            BackendFailedError: the file is not a network that OpenCV reads.
        """
        del threads
        try:
            self._model = cv2.FaceDetectorYN.create(
                weights.yunet, "", (320, 320), _THRESHOLD, _SAME, 500
            )
        except cv2.error:
            raise BackendFailedError(
                "The YuNet file cannot be loaded.", remedy="Check that it is the ONNX file."
            ) from None

    def faces(self, pixels: Frame) -> list[tuple[Box, float]]:
        """Return the faces of a frame from all four sides."""
        height, width = pixels.shape[:2]
        found = []
        for quarters in range(4):
            turned = np.ascontiguousarray(np.rot90(pixels, quarters)[:, :, ::-1])
            self._model.setInputSize((turned.shape[1], turned.shape[0]))
            _, rows = self._model.detect(turned)
            for row in () if rows is None else rows.tolist():
                x, y, wide, high = row[:4]
                box = hull(((x, y), (x + wide, y + high)))
                found.append((turn_back(box, quarters, width, height), min(max(row[-1], 0.0), 1.0)))
        return found
