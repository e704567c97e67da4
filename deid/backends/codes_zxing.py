"""Barcodes and 2-D codes through zxing-cpp, at several sizes and contrasts.

Bars that no reader decodes are also located by structure, with OpenCV's detector of linear codes.
Of undecoded 2-D codes, those without finder patterns (Data Matrix, PDF417) must look woven: photos
and print often hold an L of two edges, which is all that a reader asks of them.
"""

from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from deid.config import Weights
from deid.geometry import clip, hull, overlap_share, quad_of, union
from deid.schema import Box, Code, Frame, Kind, Quad

REQUIRES = "Install medveil's default dependencies (zxing-cpp)."

_TWO_DIMENSIONAL = ("QR", "DataMatrix", "Aztec", "PDF417", "Maxi", "Micro")
_DECODED, _LOCATED, _STRUCTURE = 0.99, 0.7, 0.45
_NO_FINDER = ("datamatrix", "pdf417")
_WOVEN_SIDE, _CHANGES, _LEAST_CONTRAST, _DARK_SHARE = 96, 13, 20, (0.3, 0.7)
"""Changes between dark and light of the middle row and column together, among public pictures: 13
and more in blurred codes, 12 and fewer in what is none."""
_LEAST_SQUARE, _LEAST_BARS = 24, 72
"""Pixels below which an undecoded code is taken for print: strokes of Hanzi look like bars."""
_LARGE, _SMALL = 1600, 1000
_SAME = 0.3
_FEWEST, _ALIKE, _FEWEST_EDGES = 20, 0.5, 24
"""Pixels that make a row of bars, and how much its neighbours must run like it."""


def is_available(weights: Weights) -> bool:
    """Say that the reader is installed: it is a dependency."""
    del weights
    return True


class ZxingReader:
    """A `deid.ports.CodeReader`."""

    name = "zxing"

    def __init__(self, *, threads: int, weights: Weights) -> None:
        """Need no weights."""
        del threads, weights
        self._bars = cv2.barcode.BarcodeDetector()

    def codes(self, pixels: Frame) -> list[Code]:
        """Return the codes of a frame; one that was only located has no content."""
        found: list[Code] = []
        whole = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
        for grey, factor in _views(whole):
            for result in zxingcpp.read_barcodes(grey, return_errors=True):
                code = _code(result, factor)
                if code is not None and (code.content or _believed(result, code, whole)):
                    _add(found, _stretched(code, whole))
        for quad in self._structures(whole):
            _add(found, _stretched(Code(Kind.BARCODE, quad, "", _STRUCTURE), whole))
        return found

    def _structures(self, grey: NDArray[np.uint8]) -> list[Quad]:
        """Return where bars stand side by side, whether they can be decoded or not."""
        if min(grey.shape) < _LEAST_BARS:
            return []
        there, corners = self._bars.detect(grey)
        return [_quad(points) for points in corners] if there and corners is not None else []


def _quad(points: NDArray[np.float32]) -> Quad:
    """Return four corners, wherever the detector began, clockwise from the top left."""
    ordered = sorted(((float(x), float(y)) for x, y in points), key=lambda p: p[1])
    (a, b), (d, c) = sorted(ordered[:2]), sorted(ordered[2:])
    return (a, b, c, d)


def _believed(result: Any, code: Code, grey: NDArray[np.uint8]) -> bool:  # noqa: ANN401 - as below
    """Say whether a code that was not decoded is one."""
    name = str(result.format).replace(" ", "").lower()
    return _has_bars(code, grey) and (name not in _NO_FINDER or _woven(grey, code.quad))


def _woven(grey: NDArray[np.uint8], quad: Quad) -> bool:
    """Say whether dark and light change often along and across, in about equal shares."""
    side = _WOVEN_SIDE
    flat = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    turn = cv2.getPerspectiveTransform(np.array(quad, np.float32), flat)
    cut = cv2.warpPerspective(grey, turn, (side, side), flags=cv2.INTER_AREA)
    _, light = cv2.threshold(cut, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    share = float(light.mean())
    if not _DARK_SHARE[0] <= 1 - share <= _DARK_SHARE[1]:
        return False
    contrast = float(cut[light == 1].mean() - cut[light == 0].mean())
    changes = [np.median((np.diff(light.astype(int), axis=n) != 0).sum(axis=n)) for n in (0, 1)]
    return contrast >= _LEAST_CONTRAST and float(sum(changes)) >= _CHANGES


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
    name = str(result.format).replace(" ", "")
    two = any(word.lower() in name.lower() for word in _TWO_DIMENSIONAL)
    length = max(box.x1 - box.x0, box.y1 - box.y0)
    if not result.valid and length < (_LEAST_SQUARE if two else _LEAST_BARS):
        return None
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


def _has_bars(code: Code, grey: NDArray[np.uint8]) -> bool:
    """Say whether an undecoded linear code has as many bars as the shortest real ones.

    Strokes of Hanzi and the bones of a hand run side by side too, but there are few of them.
    """
    box = clip(hull(code.quad), grey.shape[1], grey.shape[0])
    if code.kind is not Kind.BARCODE or box is None:
        return box is not None
    area = grey[box.y0 : box.y1, box.x0 : box.x1].astype(np.float32)
    lying = box.x1 - box.x0 >= box.y1 - box.y0
    row = area[area.shape[0] // 2] if lying else area[:, area.shape[1] // 2]
    dark = row < (float(row.min()) + float(row.max())) / 2
    return int(np.count_nonzero(dark[1:] != dark[:-1])) >= _FEWEST_EDGES


def _stretched(code: Code, grey: NDArray[np.uint8]) -> Code:
    """Return a linear code with its box grown over all rows (or columns) that show its bars."""
    if code.kind is not Kind.BARCODE:
        return code
    height, width = grey.shape
    box = clip(hull(code.quad), width, height)
    if box is None:
        return code
    lying = box.x1 - box.x0 >= box.y1 - box.y0
    if lying:
        strip = grey[:, box.x0 : box.x1].astype(np.float32)
        first, last = _alike(strip, box.y0, box.y1)
        grown = Box(box.x0, first, box.x1, last)
    else:
        strip = grey[box.y0 : box.y1].T.astype(np.float32)
        first, last = _alike(strip, box.x0, box.x1)
        grown = Box(first, box.y0, last, box.y1)
    return Code(code.kind, quad_of(union([hull(code.quad), grown])), code.content, code.score)


def _alike(rows: NDArray[np.float32], start: int, end: int) -> tuple[int, int]:
    """Return the first and last row (half-open) around start..end that run like its middle row."""
    middle = rows[(start + end) // 2]
    if len(middle) < _FEWEST or float(middle.std()) == 0:
        return start, end
    centred = rows - rows.mean(axis=1, keepdims=True)
    spread = np.maximum(rows.std(axis=1), 1e-6)
    like = (centred @ (middle - middle.mean())) / (len(middle) * spread * middle.std()) > _ALIKE
    first = (start + end) // 2
    last = first
    while first > 0 and like[first - 1]:
        first -= 1
    while last < len(rows) and like[last]:
        last += 1
    return min(first, start), max(last, end)


def _add(found: list[Code], code: Code) -> None:
    """Add a code that is new; one found again wins when it was decoded only now."""
    for index, other in enumerate(found):
        if overlap_share(hull(other.quad), hull(code.quad)) > _SAME:
            if code.content and not other.content:
                found[index] = code
            return
    found.append(code)
