"""All offset arithmetic: unions of spans, the map of a shadow text, characters to boxes.

Offsets count code points and are half-open (`deid.schema.Span`).
"""

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deid.geometry import union
from deid.schema import Box, Reading, Span

Interval = tuple[int, int]


def clusters(intervals: Iterable[Interval]) -> list[tuple[Interval, list[int]]]:
    """Group intervals that share at least one point, directly or through others.

    Returns each group's union with the indexes of its members, from left to right.  Intervals that
    only touch stay apart: two names side by side are two names.
    """
    items = list(intervals)
    groups: list[tuple[Interval, list[int]]] = []
    for index in sorted(range(len(items)), key=items.__getitem__):
        start, end = items[index]
        if groups and start < groups[-1][0][1]:
            (first, last), members = groups[-1]
            members.append(index)
            groups[-1] = ((first, max(last, end)), members)
        else:
            groups.append(((start, end), [index]))
    return groups


def overlaps(a: Interval, b: Interval) -> bool:
    """Say whether the two share a point."""
    return a[0] < b[1] and b[0] < a[1]


def covers(outer: Interval, inner: Interval) -> bool:
    """Say whether ``outer`` holds all of ``inner``."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]


@dataclass(frozen=True, slots=True)
class Shadow:
    """A normalised text with the way back to the original.

    Code point i of ``text`` came from code points ``starts[i] <= j < ends[i]`` of the original;
    several may come from one (U+338E SQUARE MG gives "mg") and one from several (a base and its
    combining marks).  Both tuples never decrease.
    """

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse a map that does not fit its text."""
        if not len(self.text) == len(self.starts) == len(self.ends):
            message = "the map of a shadow must have one interval per code point"
            raise ValueError(message)

    def original(self, start: int, end: int) -> Interval:
        """Return the original interval behind shadow code points start <= i < end (not empty)."""
        return self.starts[start], max(self.ends[start:end])


def boxes_of(reading: Reading, start: int, end: int) -> list[Box]:
    """Return the boxes behind code points start <= i < end of a reading, one per text line.

    Characters of one line are joined to one box, so that no gap between them stays readable; a
    separator (box None) ends a line.
    """
    boxes: list[Box] = []
    run: list[Box] = []
    for box in reading.boxes[start:end]:
        if box is None:
            boxes.extend([union(run)] if run else [])
            run = []
        else:
            run.append(box)
    boxes.extend([union(run)] if run else [])
    return boxes


def line_of(starts: Sequence[int], offset: int) -> int:
    """Return the index of the line that holds ``offset``, given the lines' sorted starts."""
    return bisect_right(starts, offset) - 1


def disjoint(spans: Iterable[Span]) -> bool:
    """Say whether no two spans of one part share a code point."""
    ordered = sorted(spans)
    pairs = itertools.pairwise(ordered)
    return all(a.part != b.part or a.end <= b.start for a, b in pairs)
