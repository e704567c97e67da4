"""All box arithmetic: nobody else adds to a coordinate.

Boxes are half-open integer pixels (`deid.schema.Box`).  Every function that makes a box larger or
scales it rounds outward, so that a rounding never uncovers a pixel that was covered.
"""

import itertools
import math
from collections.abc import Iterable, Sequence

from deid.schema import Box, Point, Quad


def hull(points: Iterable[Point]) -> Box:
    """Return the smallest box that covers ``points``, at least one pixel wide and high."""
    xs, ys = zip(*points, strict=True)
    x0, y0 = math.floor(min(xs)), math.floor(min(ys))
    return Box(x0, y0, max(math.ceil(max(xs)), x0 + 1), max(math.ceil(max(ys)), y0 + 1))


def quad_of(box: Box) -> Quad:
    """Return the corners of ``box``, clockwise from its top left."""
    return (
        (float(box.x0), float(box.y0)),
        (float(box.x1), float(box.y0)),
        (float(box.x1), float(box.y1)),
        (float(box.x0), float(box.y1)),
    )


def union(boxes: Sequence[Box]) -> Box:
    """Return the smallest box that covers all ``boxes`` (at least one)."""
    return Box(
        min(b.x0 for b in boxes),
        min(b.y0 for b in boxes),
        max(b.x1 for b in boxes),
        max(b.y1 for b in boxes),
    )


def intersect(a: Box, b: Box) -> Box | None:
    """Return the pixels that are in both, or None."""
    x0, y0, x1, y1 = max(a.x0, b.x0), max(a.y0, b.y0), min(a.x1, b.x1), min(a.y1, b.y1)
    return Box(x0, y0, x1, y1) if x0 < x1 and y0 < y1 else None


def clip(box: Box, width: int, height: int) -> Box | None:
    """Return the part of ``box`` inside a picture, its last row and column included, or None."""
    return intersect(box, Box(0, 0, width, height))


def area(box: Box) -> int:
    """Return the number of pixels."""
    return (box.x1 - box.x0) * (box.y1 - box.y0)


def pad(box: Box, pixels: int) -> Box:
    """Return ``box`` grown by ``pixels`` >= 0 on every side."""
    return Box(box.x0 - pixels, box.y0 - pixels, box.x1 + pixels, box.y1 + pixels)


def pad_share(box: Box, share: float) -> Box:
    """Return ``box`` grown on every side by ``share`` >= 0 of its own width and height."""
    dx = math.ceil((box.x1 - box.x0) * share)
    dy = math.ceil((box.y1 - box.y0) * share)
    return Box(box.x0 - dx, box.y0 - dy, box.x1 + dx, box.y1 + dy)


def scale(box: Box, fx: float, fy: float) -> Box:
    """Return ``box`` in a picture that is ``fx`` times as wide and ``fy`` times as high."""
    return hull(((box.x0 * fx, box.y0 * fy), (box.x1 * fx, box.y1 * fy)))


def shift(box: Box, dx: int, dy: int) -> Box:
    """Return ``box`` moved by whole pixels."""
    return Box(box.x0 + dx, box.y0 + dy, box.x1 + dx, box.y1 + dy)


def turn_back(box: Box, quarters: int, width: int, height: int) -> Box:
    """Map a box found in a turned picture back to the upright one.

    ``quarters`` counts the counter-clockwise quarter turns (as `numpy.rot90` does) that made the
    turned picture from the upright one of ``width`` x ``height``.
    """
    match quarters % 4:
        case 1:
            return Box(width - box.y1, box.x0, width - box.y0, box.x1)
        case 2:
            return Box(width - box.x1, height - box.y1, width - box.x0, height - box.y0)
        case 3:
            return Box(box.y0, height - box.x1, box.y1, height - box.x0)
        case _:
            return box


def turn_quad_back(quad: Quad, quarters: int, width: int, height: int) -> Quad:
    """Map the corners of a quadrilateral as `turn_back` maps a box."""

    def back(point: Point) -> Point:
        x, y = point
        match quarters % 4:
            case 1:
                return (width - y, x)
            case 2:
                return (width - x, height - y)
            case 3:
                return (y, height - x)
            case _:
                return point

    return (back(quad[0]), back(quad[1]), back(quad[2]), back(quad[3]))


def overlap_share(a: Box, b: Box) -> float:
    """Return intersection over union, in [0, 1]."""
    both = intersect(a, b)
    if both is None:
        return 0.0
    shared = area(both)
    return shared / (area(a) + area(b) - shared)


def covered_area(boxes: Iterable[Box]) -> int:
    """Return the number of pixels that at least one box covers."""
    items = list(boxes)
    edges = sorted({x for b in items for x in (b.x0, b.x1)})
    total = 0
    for left, right in itertools.pairwise(edges):
        rows = sorted((b.y0, b.y1) for b in items if b.x0 <= left and b.x1 >= right)
        total += (right - left) * _length(rows)
    return total


def _length(intervals: Sequence[tuple[int, int]]) -> int:
    """Return the length of the union of intervals that come sorted."""
    total, reach = 0, None
    for start, end in intervals:
        begin = start if reach is None else max(start, reach)
        total += max(0, end - begin)
        reach = end if reach is None else max(reach, end)
    return total


def tiles(width: int, height: int, side: int, overlap: int) -> list[Box]:
    """Cut a picture into boxes of at most ``side``, neighbours sharing ``overlap`` < side."""
    return [
        Box(x0, y0, x1, y1)
        for y0, y1 in _cuts(height, side, overlap)
        for x0, x1 in _cuts(width, side, overlap)
    ]


def _cuts(length: int, side: int, overlap: int) -> list[tuple[int, int]]:
    if length <= side:
        return [(0, length)]
    count = math.ceil((length - overlap) / (side - overlap))
    step = (length - side) / (count - 1)
    return [(round(n * step), round(n * step) + side) for n in range(count)]
