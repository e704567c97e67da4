from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid import geometry as g
from deid.schema import Box
from tests.strategies import boxes

coordinates = st.integers(-500, 500).map(lambda n: n / 8)
points = st.tuples(coordinates, coordinates)


def _inside(inner: Box, outer: Box) -> bool:
    return g.union([inner, outer]) == outer


@given(st.lists(points, min_size=1))
def test_hull_is_the_smallest_box_over_all_points(found: list[tuple[float, float]]) -> None:
    box = g.hull(found)
    assert all(box.x0 <= x <= box.x1 and box.y0 <= y <= box.y1 for x, y in found)
    assert box.x0 > min(x for x, _ in found) - 1
    assert box.y0 > min(y for _, y in found) - 1
    assert box.x1 == box.x0 + 1 or box.x1 < max(x for x, _ in found) + 1
    assert box.y1 == box.y0 + 1 or box.y1 < max(y for _, y in found) + 1


@given(boxes())
def test_a_box_is_the_hull_of_its_corners(box: Box) -> None:
    assert g.hull(g.quad_of(box)) == box
    x0, y0, x1, y1 = box.x0, box.y0, box.x1, box.y1
    assert g.quad_of(box) == ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


@given(boxes(), boxes())
def test_intersection_and_overlap_count_pixels(a: Box, b: Box) -> None:
    canvas = np.zeros((60, 60), int)
    for box in (a, b):
        canvas[box.y0 + 30 : box.y1 + 30, box.x0 + 30 : box.x1 + 30] += 1
    both = g.intersect(a, b)
    shared = int((canvas == 2).sum())
    assert (g.area(both) if both else 0) == shared
    assert g.overlap_share(a, b) == shared / int((canvas > 0).sum())
    if both:
        assert _inside(both, a)
        assert _inside(both, b)


@given(boxes(), st.integers(1, 25), st.integers(1, 25))
def test_clip_keeps_exactly_the_pixels_inside(box: Box, width: int, height: int) -> None:
    kept = g.clip(box, width, height)
    expected = {
        (x, y)
        for x in range(box.x0, box.x1)
        for y in range(box.y0, box.y1)
        if 0 <= x < width and 0 <= y < height
    }
    got = (
        {(x, y) for x in range(kept.x0, kept.x1) for y in range(kept.y0, kept.y1)}
        if kept
        else set()
    )
    assert got == expected


@given(boxes(), st.integers(0, 9), st.floats(0, 2), st.integers(1, 25), st.integers(1, 25))
def test_padding_then_clipping_never_shrinks(
    box: Box, pixels: int, share: float, width: int, height: int
) -> None:
    before = g.clip(box, width, height)
    for grown in (g.pad(box, pixels), g.pad_share(box, share)):
        after = g.clip(grown, width, height)
        assert before is None or (after is not None and _inside(before, after))


def test_padding_is_what_it_says() -> None:
    assert g.pad(Box(0, 1, 10, 5), 2) == Box(-2, -1, 12, 7)
    assert g.pad_share(Box(0, 0, 10, 4), 0.11) == Box(-2, -1, 12, 5)
    assert g.pad_share(Box(5, 7, 15, 11), 0.5) == Box(0, 5, 20, 13)


@given(boxes(0, 30), st.floats(0.1, 5), st.floats(0.1, 5))
def test_scaling_covers_what_was_covered(box: Box, fx: float, fy: float) -> None:
    scaled = g.scale(box, fx, fy)
    assert scaled.x0 <= box.x0 * fx < scaled.x0 + 1
    assert scaled.y0 <= box.y0 * fy < scaled.y0 + 1
    assert scaled.x1 >= box.x1 * fx
    assert scaled.y1 >= box.y1 * fy
    assert scaled.x1 < box.x1 * fx + 1 or scaled.x1 == scaled.x0 + 1
    assert scaled.y1 < box.y1 * fy + 1 or scaled.y1 == scaled.y0 + 1


def test_scaling_to_whole_pixels_adds_none() -> None:
    assert g.scale(Box(1, 2, 3, 5), 2, 3) == Box(2, 6, 6, 15)


@given(boxes(), st.integers(-9, 9), st.integers(-9, 9))
def test_shift_moves_all_corners(box: Box, dx: int, dy: int) -> None:
    moved = g.shift(box, dx, dy)
    assert (moved.x0 - box.x0, moved.x1 - box.x1) == (dx, dx)
    assert (moved.y0 - box.y0, moved.y1 - box.y1) == (dy, dy)


@given(st.data(), st.integers(1, 12), st.integers(1, 12), st.integers(-5, 9))
def test_turning_back_inverts_rot90(
    data: st.DataObject, width: int, height: int, quarters: int
) -> None:
    picture = np.zeros((height, width), np.uint8)
    turned = np.rot90(picture, quarters)
    x0 = data.draw(st.integers(0, turned.shape[1] - 1))
    y0 = data.draw(st.integers(0, turned.shape[0] - 1))
    box = Box(
        x0,
        y0,
        data.draw(st.integers(x0 + 1, turned.shape[1])),
        data.draw(st.integers(y0 + 1, turned.shape[0])),
    )
    turned[box.y0 : box.y1, box.x0 : box.x1] = 1  # a view: marks the upright picture too
    rows, columns = np.nonzero(picture)
    expected = Box(int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
    assert g.turn_back(box, quarters, width, height) == expected
    quad = g.turn_quad_back(g.quad_of(box), quarters, width, height)
    assert g.hull(quad) == expected
    corners = g.quad_of(expected)
    assert quad == tuple(corners[(n + quarters) % 4] for n in range(4))


@given(st.lists(boxes(), max_size=8))
def test_covered_area_counts_each_pixel_once(found: list[Box]) -> None:
    canvas = np.zeros((60, 60), bool)
    for box in found:
        canvas[box.y0 + 30 : box.y1 + 30, box.x0 + 30 : box.x1 + 30] = True
    assert g.covered_area(iter(found)) == int(canvas.sum())


@given(st.data(), st.integers(1, 90), st.integers(1, 90), st.integers(1, 30))
def test_tiles_cover_every_pixel_and_overlap(
    data: st.DataObject, width: int, height: int, side: int
) -> None:
    overlap = data.draw(st.integers(0, side - 1))
    cut = g.tiles(width, height, side, overlap)
    seen = np.zeros((height, width), bool)
    for tile in cut:
        assert g.clip(tile, width, height) == tile
        assert tile.x1 - tile.x0 == min(side, width)
        assert tile.y1 - tile.y0 == min(side, height)
        seen[tile.y0 : tile.y1, tile.x0 : tile.x1] = True
    assert seen.all()
    starts = sorted({t.x0 for t in cut})
    for left, right in pairwise(starts):
        assert left + side - right >= overlap
    needed = 1 if width <= side else -(-(width - overlap) // (side - overlap))
    assert len(starts) == needed


@pytest.mark.parametrize("side", [10, 11])
def test_a_picture_of_one_tile_is_one_tile(side: int) -> None:
    assert g.tiles(10, 10, side, 3) == [Box(0, 0, 10, 10)]
