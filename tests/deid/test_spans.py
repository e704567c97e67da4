from itertools import pairwise
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.geometry import union
from deid.schema import PartId, Reading, Span
from deid.spans import Interval, Shadow, boxes_of, clusters, covers, disjoint, line_of, overlaps
from tests.strategies import LENGTH, intervals, readings, spans


def _points(interval: Interval) -> set[int]:
    return set(range(*interval))


@given(intervals(), intervals())
def test_overlaps_and_covers_are_about_points(a: Interval, b: Interval) -> None:
    assert get_args(Interval) == (int, int)
    assert overlaps(a, b) == bool(_points(a) & _points(b))
    assert covers(a, b) == (_points(a) >= _points(b))


@given(st.lists(intervals(40)))
def test_clusters_are_the_connected_groups(found: list[Interval]) -> None:
    groups = clusters(iter(found))
    assert sorted(m for _, members in groups for m in members) == list(range(len(found)))
    for extent, members in groups:
        assert set().union(*(_points(found[m]) for m in members)) == _points(extent)
        reached = {members[0]}
        for _ in members:
            reached |= {m for m in members for r in reached if overlaps(found[m], found[r])}
        assert reached == set(members)
    ends = [extent for extent, _ in groups]
    assert all(a[1] <= b[0] for a, b in pairwise(ends))


def test_neighbours_that_touch_stay_apart() -> None:
    assert clusters([(2, 4), (0, 2)]) == [((0, 2), [1]), ((2, 4), [0])]


def test_a_shadow_leads_back_to_the_original() -> None:
    shadow = Shadow("mgé", (0, 0, 1), (1, 1, 3))
    assert shadow.original(0, 2) == (0, 1)
    assert shadow.original(1, 3) == (0, 3)
    assert shadow.original(2, 3) == (1, 3)


@pytest.mark.parametrize(("starts", "ends"), [((0,), (1, 2)), ((0, 1), (1,)), ((), ())])
def test_a_shadow_whose_map_does_not_fit_is_refused(
    starts: tuple[int, ...], ends: tuple[int, ...]
) -> None:
    with pytest.raises(
        ValueError, match=r"^the map of a shadow must have one interval per code point$"
    ):
        Shadow("ab", starts, ends)


@given(readings(), intervals())
def test_boxes_of_covers_each_line_once(reading: Reading, place: Interval) -> None:
    found = boxes_of(reading, *place)
    lines: list[list[int]] = [[]]
    for i in range(*place):
        if reading.boxes[i] is None:
            lines.append([])
        else:
            lines[-1].append(i)
    wanted = [[reading.boxes[i] for i in line] for line in lines if line]
    assert found == [union([b for b in line if b is not None]) for line in wanted]
    assert boxes_of(reading, LENGTH, LENGTH) == []


@given(st.sets(st.integers(1, 30)), st.integers(0, 35))
def test_line_of_finds_the_line(starts: set[int], offset: int) -> None:
    ordered = [0, *sorted(starts)]
    line = line_of(ordered, offset)
    assert ordered[line] <= offset
    assert line + 1 == len(ordered) or offset < ordered[line + 1]


@given(st.lists(spans(), max_size=4), st.booleans())
def test_disjoint_says_whether_a_point_is_taken_twice(found: list[Span], elsewhere: bool) -> None:
    if elsewhere and found:
        found = [*found[1:], Span(PartId("t9#text"), found[0].start, found[0].end)]
    taken = [(s.part, i) for s in found for i in range(s.start, s.end)]
    assert disjoint(iter(found)) == (len(taken) == len(set(taken)))
