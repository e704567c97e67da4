"""Barcodes and 2-D codes through zxing-cpp, at several sizes and contrasts."""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from deid.config import Weights
from deid.geometry import hull, overlap_share
from deid.schema import Code, Frame, Kind, Quad

REQUIRES = "Install medveil's default dependencies (zxing-cpp)."

_TWO_DIMENSIONAL = ("QR", "DataMatrix", "Aztec", "PDF417", "Maxi", "Micro")
_DECODED, _LOCATED = 0.99, 0.7
_LARGE, _SMALL = 1600, 1000
_SAME = 0.3


def is_available(weights: Weights) -> bool:
    """Say that the reader is installed: it is a dependency."""
    del weights
    return True


class ZxingReader:
    """A `deid.ports.CodeReader`."""

    name = "zxing"

    def __init__(self, *, threads: int, weights: Weights) -> None:
        """Need nothing."""
        del threads, weights

    def codes(self, pixels: Frame) -> list[Code]:
        """Return the codes of a frame; one that was only located has no content."""
        found: list[Code] = []
        for grey, factor in _views(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)):
            for result in zxingcpp.read_barcodes(grey, return_errors=True):
                code = _code(result, factor)
                if code is not None:
                    _add(found, code)
        return found


def _views(grey: NDArray[np.uint8]) -> Iterator[tuple[NDArray[np.uint8], float]]:
    """Yield the picture as it is, then at another size, then with its contrast evened out."""
    yield grey, 1.0
    longest = max(grey.shape)
    if longest < _SMALL:
        yield cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), 2.0
    if longest > _LARGE:
        yield cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), 0.5
    yield cv2.createCLAHE(clipLimit=4.0, tileGridSize=(8, 8)).apply(grey), 1.0


def _code(result: Any, factor: float) -> Code | None:  # noqa: ANN401 - zxing-cpp's result
    place = result.position
    corners = (place.top_left, place.top_right, place.bottom_right, place.bottom_left)
    a, b, c, d = ((p.x / factor, p.y / factor) for p in corners)
    quad: Quad = (a, b, c, d)
    box = hull(quad)
    if not result.valid and min(box.x1 - box.x0, box.y1 - box.y0) <= 1:
        return None
    name = str(result.format)
    two = any(word.lower() in name.lower() for word in _TWO_DIMENSIONAL)
    kind = Kind.QR_CODE if two else Kind.BARCODE
    if not two:
        quad = _bars(quad)
    return Code(
        kind, quad, result.text if result.valid else "", _DECODED if result.valid else _LOCATED
    )


def _bars(quad: Quad) -> Quad:
    """Return the outline of a linear code's bars.

    A reader of linear codes scans a few rows and reports a thin strip: it is made at least a
    quarter as high as it is long, so that the bars above and below go too.
    """
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    along = (bx - ax + cx - dx) / 2, (by - ay + cy - dy) / 2
    length = float(np.hypot(*along))
    high = float(np.hypot((dx - ax + cx - bx) / 2, (dy - ay + cy - by) / 2))
    grow = max(0.0, length / 4 - high) / 2
    if length == 0 or grow == 0:
        return quad
    nx, ny = -along[1] / length * grow, along[0] / length * grow
    return (
        (ax - nx, ay - ny),
        (bx - nx, by - ny),
        (cx + nx, cy + ny),
        (dx + nx, dy + ny),
    )


def _add(found: list[Code], code: Code) -> None:
    """Add a code that is new; one found again wins when it was decoded only now."""
    for index, other in enumerate(found):
        if overlap_share(hull(other.quad), hull(code.quad)) > _SAME:
            if code.content and not other.content:
                found[index] = code
            return
    found.append(code)
