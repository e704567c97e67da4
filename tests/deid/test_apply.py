from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.apply.pixels import masked, masks, paint
from deid.apply.text import changes, rewrite, stand_in
from deid.schema import (
    Action,
    Box,
    Decision,
    Kind,
    PartId,
    Plan,
    Region,
    Span,
    Tag,
    TextPart,
    Where,
)
from deid.spans import clusters
from tests.strategies import CASE, IMAGE, TEXT, boxes, texts


def _decide(where: Where, kind: Kind = Kind.NAME, action: Action = Action.REPLACE) -> Decision:
    return Decision(where, kind, action, "policy", False, 1.0, "x")


@st.composite
def _decided(draw: st.DrawFn) -> tuple[str, list[Decision]]:
    text = draw(texts)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)))))
    pieces = [p for p in pairwise(cuts) if draw(st.booleans())]
    kinds, actions = st.sampled_from((Kind.NAME, Kind.DATE)), st.sampled_from(list(Action)[1:])
    assert len(clusters(pieces)) == len(pieces)
    return text, [_decide(Span(TEXT, *p), draw(kinds), draw(actions)) for p in pieces]


@given(_decided(), st.dictionaries(st.integers(0, 24), texts.filter(bool)), st.randoms())
def test_rewriting_is_a_splice(
    decided: tuple[str, list[Decision]], known: dict[int, str], chance: object
) -> None:
    text, decisions = decided
    stand_ins = {d.where: known[d.where.start] for d in decisions if isinstance(d.where, Span) and d.where.start in known}  # fmt: skip
    expected, done = [], 0
    for d in decisions:
        assert isinstance(d.where, Span)
        value = stand_ins.get(d.where) or stand_in(d, text[d.where.start : d.where.end])
        expected += [text[done : d.where.start], value]
        done = d.where.end
    expected.append(text[done:])
    shuffled = list(decisions)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis hands out random.Random
    assert rewrite(TextPart(TEXT, text), shuffled, stand_ins) == "".join(expected)


@pytest.mark.parametrize("text", ["", "😀", "\ud800x"])
def test_without_decisions_a_text_is_itself(text: str) -> None:
    tag, region = _decide(Tag(TEXT, "a")), _decide(Region(IMAGE, Box(0, 0, 1, 1)))
    assert rewrite(TextPart(TEXT, text), [tag, region]) == text


def test_rewriting_passes_over_what_is_not_text() -> None:
    decisions = [_decide(Tag(TEXT, "a")), _decide(Span(TEXT, 1, 2))]
    assert rewrite(TextPart(TEXT, "𠮷😀三"), decisions) == "𠮷[NAME]三"


def test_stand_ins_follow_the_action() -> None:
    span = Span(TEXT, 0, 4)
    assert stand_in(_decide(span, Kind.DATE, Action.GENERALISE), "2025") == "2025"
    assert stand_in(_decide(span, Kind.DATE, Action.REPLACE), "2025") == "[DATE]"
    assert stand_in(_decide(span, Kind.NAME), "张三", 3) == "[NAME_3]"


def test_changes_are_what_does_not_stay_by_part() -> None:
    a, b = _decide(Span(TEXT, 0, 1)), _decide(Span(TEXT, 2, 3))
    other = _decide(Span(PartId("t1#text"), 0, 1))
    kept = _decide(Span(TEXT, 4, 5), action=Action.KEEP)
    made = Plan(CASE, "f", (a, b, kept, _decide(Tag(TEXT, "a")), other))
    assert changes(made) == {TEXT: [a, b], PartId("t1#text"): [other]}


@given(
    st.lists(boxes(-5, 20), max_size=4),
    st.integers(1, 15),
    st.integers(1, 15),
    st.sampled_from(((), (3,))),
)
def test_painting_covers_every_pixel_of_a_box_and_no_other(
    found: list[Box], width: int, height: int, channels: tuple[int, ...]
) -> None:
    frame = np.full((height, width, *channels), 7, np.uint16)
    paint(frame, found)
    for y in range(height):
        for x in range(width):
            hit = any(b.x0 <= x < b.x1 and b.y0 <= y < b.y1 for b in found)
            assert (frame[y, x] == (0 if hit else 7)).all()


def test_painting_with_the_pictures_own_black() -> None:
    frame = np.zeros((2, 2, 3), np.uint8)
    paint(frame, [Box(1, 1, 9, 9)], (1, 2, 3))
    assert frame[1, 1].tolist() == [1, 2, 3]
    assert not frame[0].any()


def test_masks_are_those_of_the_frame_and_of_every_frame() -> None:
    every, first = Region(IMAGE, Box(0, 0, 1, 1)), Region(IMAGE, Box(0, 0, 2, 2), 0)
    second = Region(IMAGE, Box(0, 0, 3, 3), 1)
    elsewhere = Region(PartId("t9.0#px"), Box(0, 0, 4, 4))
    kept = _decide(Region(IMAGE, Box(0, 0, 5, 5)), action=Action.KEEP)
    rest = [_decide(elsewhere), kept, _decide(Span(IMAGE, 0, 1))]
    made = Plan(CASE, "f", (*map(_decide, (every, first, second)), *rest))
    assert masks(made, IMAGE, 0) == [every.box, first.box]
    assert masks(made, IMAGE, 1) == [every.box, second.box]
    assert [d.where for d in masked(made, IMAGE)] == [every, first, second]
