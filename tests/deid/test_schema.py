from collections.abc import Callable
from dataclasses import is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid import schema
from deid.schema import (
    STRENGTH,
    Action,
    Box,
    Finding,
    Kind,
    OcrLine,
    PartId,
    Reading,
    Region,
    Span,
    TextPart,
)

PART = PartId("t0#text")
QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
numbers = st.integers(-3, 3)


@given(numbers, numbers, numbers, numbers)
def test_a_box_holds_at_least_one_pixel(x0: int, y0: int, x1: int, y1: int) -> None:
    if x0 < x1 and y0 < y1:
        assert Box(x0, y0, x1, y1).x1 == x1
    else:
        with pytest.raises(ValueError, match=rf"^a box must not be empty: {x0},{y0},{x1},{y1}$"):
            Box(x0, y0, x1, y1)


@given(numbers, numbers)
def test_a_span_holds_at_least_one_code_point(start: int, end: int) -> None:
    if 0 <= start < end:
        assert Span(PART, start, end).end == end
    else:
        with pytest.raises(ValueError, match=rf"^a span must not be empty: {start}\.\.{end}$"):
            Span(PART, start, end)


@given(st.floats())
def test_a_score_is_a_probability(score: float) -> None:
    where = Region(PART, Box(0, 0, 1, 1))
    if 0.0 <= score <= 1.0:
        assert Finding(where, Kind.FACE, score, "x").score == score
    else:
        with pytest.raises(ValueError, match=r"^score .* is not in \[0, 1\]$"):
            Finding(where, Kind.FACE, score, "x")


def _line(text: str, boxes: tuple[Box, ...]) -> object:
    return OcrLine(text, 1.0, QUAD, boxes)


def _reading(text: str, boxes: tuple[Box, ...]) -> object:
    return Reading(TextPart(PART, text), PART, 0, boxes)


@pytest.mark.parametrize("make", [_line, _reading])
@given(text=st.text(max_size=3), count=st.integers(0, 3))
def test_every_character_has_its_box(
    make: Callable[[str, tuple[Box, ...]], object], text: str, count: int
) -> None:
    boxes = (Box(0, 0, 1, 1),) * count
    if len(text) == count:
        assert make(text, boxes)
    else:
        message = rf"^{len(text)} characters but {count} boxes$"
        with pytest.raises(ValueError, match=message):
            make(text, boxes)


def test_actions_go_from_weak_to_strong() -> None:
    order = [Action.KEEP, Action.SHIFT, Action.GENERALISE, Action.REPLACE, Action.REMOVE]
    assert sorted(Action, key=STRENGTH.__getitem__) == order


def test_nouns_are_frozen_and_slotted() -> None:
    nouns = [v for v in vars(schema).values() if isinstance(v, type) and is_dataclass(v)]
    assert len(nouns) >= 20
    for noun in nouns:
        assert "__slots__" in vars(noun), noun
        assert getattr(noun, "__dataclass_params__").frozen, noun  # noqa: B009 - untyped attribute
