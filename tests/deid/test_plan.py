from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.geometry import pad_share, union
from deid.plan import plan
from deid.policy import UNLISTED, Policy, Rule
from deid.schema import (
    Action,
    Box,
    Case,
    Finding,
    Kind,
    Override,
    PartId,
    PatientKey,
    Plan,
    Reading,
    Region,
    Span,
    Tag,
    TextPart,
    Where,
)
from deid.spans import boxes_of, disjoint
from tests.strategies import (
    CASE,
    IMAGE,
    KINDS,
    TAGS,
    TEXT,
    actions,
    findings,
    policies,
    readings,
    spans,
    text_findings,
)


def _changed(made: Plan) -> set[int]:
    return {
        i
        for d in made.decisions
        if isinstance(d.where, Span) and d.action is not Action.KEEP
        for i in range(d.where.start, d.where.end)
    }


def _points(found: Iterable[Finding]) -> set[int]:
    return {
        i for f in found if isinstance(f.where, Span) for i in range(f.where.start, f.where.end)
    }


def _points_of(span: Span) -> set[int]:
    return set(range(span.start, span.end))


def _accepted(found: Iterable[Finding], policy: Policy) -> list[Finding]:
    return [f for f in found if f.score >= policy.rule(f.kind).min_score]


def _changing(found: Iterable[Finding], policy: Policy) -> list[Finding]:
    return [f for f in _accepted(found, policy) if policy.rule(f.kind).action is not Action.KEEP]


@given(st.lists(text_findings()), policies())
def test_flags_that_never_yield_are_covered_and_nothing_else_is_touched(
    found: list[Finding], policy: Policy
) -> None:
    made = plan(CASE, found, policy)
    flagged = _changing(found, policy)
    firm = [f for f in flagged if not policy.rule(f.kind).yields_to]
    assert _points(firm) <= _changed(made) <= _points(flagged)
    assert disjoint(d.where for d in made.decisions if isinstance(d.where, Span))


@given(st.lists(text_findings()), policies(yielding=False))
def test_without_yielding_exactly_the_flagged_is_changed(
    found: list[Finding], policy: Policy
) -> None:
    assert _changed(plan(CASE, found, policy)) == _points(_changing(found, policy))


@given(st.data(), st.lists(findings(), max_size=10), policies(), readings())
def test_the_order_of_findings_does_not_matter(
    data: st.DataObject, found: list[Finding], policy: Policy, reading: Reading
) -> None:
    other = data.draw(st.permutations(found))
    first = plan(CASE, found, policy, readings=[reading])
    assert plan(CASE, other, policy, readings=[reading]) == first


@given(st.lists(text_findings()), text_findings(), policies())
def test_one_more_flag_never_uncovers(found: list[Finding], more: Finding, policy: Policy) -> None:
    if policy.rule(more.kind).action is not Action.KEEP:
        assert _changed(plan(CASE, found, policy)) <= _changed(plan(CASE, [*found, more], policy))


@given(st.lists(findings()), policies())
def test_regions_and_tags_keep_their_strongest_word(found: list[Finding], policy: Policy) -> None:
    made = plan(CASE, found, policy)
    accepted = _accepted(found, policy)
    regions = [d for d in made.decisions if isinstance(d.where, Region)]
    assert sorted((str(d.where), d.kind, d.action) for d in regions) == sorted(
        (str(_grown(f.where, policy.rule(f.kind))), f.kind, policy.rule(f.kind).action)
        for f in accepted
        if isinstance(f.where, Region)
    )
    strongest = {}
    for tag in {f.where for f in accepted if isinstance(f.where, Tag)}:
        kinds = {f.kind for f in accepted if f.where == tag}
        action = max((policy.rule(k).action for k in kinds), key=_rank)
        coarse = len(kinds) > 1 and action in {Action.SHIFT, Action.GENERALISE}
        strongest[tag] = Action.REPLACE if coarse else action
    assert {d.where: d.action for d in made.decisions if isinstance(d.where, Tag)} == strongest


def _rank(action: Action) -> int:
    return list(Action).index(action)


def _grown(region: Region, rule: Rule) -> Region:
    return replace(region, box=pad_share(region.box, rule.pad))


@given(st.lists(text_findings()), policies(), readings())
def test_what_changes_in_read_text_is_painted(
    found: list[Finding], policy: Policy, reading: Reading
) -> None:
    made = plan(CASE, found, policy, readings=[reading])
    painted = [d.where for d in made.decisions if isinstance(d.where, Region)]
    assert all(r.part == IMAGE and r.frame == 0 for r in painted)
    for d in made.decisions:
        if isinstance(d.where, Span) and d.action is not Action.KEEP:
            inside = [f for f in _changing(found, policy) if _points([f]) & _points_of(d.where)]
            pad = max(policy.rule(f.kind).pad for f in inside)
            for box in boxes_of(reading, d.where.start, d.where.end):
                assert any(union([box, r.box]) == r.box for r in painted)
                if not any(policy.rule(f.kind).yields_to for f in inside):
                    assert pad_share(box, pad) in [r.box for r in painted]
    if not _changed(made):
        assert not painted


@given(
    st.lists(text_findings()), policies(yielding=False), spans(), actions, st.sampled_from(KINDS)
)
def test_a_reviewers_word_replaces_only_what_lies_inside(
    found: list[Finding], policy: Policy, place: Span, action: Action, kind: Kind
) -> None:
    made = plan(CASE, found, policy, overrides=[_override(place, kind, action)])
    inside = {f for f in found if isinstance(f.where, Span) and place.start <= f.where.start and f.where.end <= place.end}  # fmt: skip
    expected = _points(_changing([f for f in found if f not in inside], policy))
    if action is not Action.KEEP:
        expected |= set(range(place.start, place.end))
    assert _changed(made) == expected


def _override(where: Span | Region | Tag, kind: Kind, action: Action) -> Override:
    return Override(where=where, kind=kind, action=action, reviewer="r1", at="", reason="")


POLICY = Policy(
    name="p",
    version="1",
    fingerprint="print",
    rules={
        Kind.NAME: Rule(action=Action.REPLACE, min_score=0.5, review_below=0.8, pad=0.5),
        Kind.DATE: Rule(action=Action.GENERALISE, yields_to=frozenset({Kind.DOSE})),
        Kind.DOSE: Rule(action=Action.KEEP),
        Kind.PHONE: Rule(action=Action.REMOVE),
    },
)


def _name(start: int, end: int, score: float = 0.9, detector: str = "x") -> Finding:
    return Finding(Span(TEXT, start, end), Kind.NAME, score, detector)


def test_scores_at_the_thresholds() -> None:
    assert not plan(CASE, [_name(0, 2, 0.49)], POLICY).decisions
    assert plan(CASE, [_name(0, 2, 0.5)], POLICY).decisions[0].needs_review
    assert not plan(CASE, [_name(0, 2, 0.8)], POLICY).decisions[0].needs_review


def test_the_strongest_speaks_for_a_merged_place() -> None:
    phone = Finding(Span(TEXT, 1, 4), Kind.PHONE, 0.3, "y")
    (decision,) = plan(CASE, [_name(0, 2, 0.6), phone], POLICY).decisions
    assert decision.where == Span(TEXT, 0, 4)
    assert (decision.kind, decision.action) == (Kind.PHONE, Action.REMOVE)
    assert (decision.reason, decision.score) == ("policy, mixed kinds", 0.6)
    assert (decision.detector, decision.needs_review) == ("x+y", False)


def test_doubt_stays_only_where_nobody_is_sure() -> None:
    doubtful, sure = _name(0, 2, 0.6), _name(0, 3, 0.9, "y")
    (decision,) = plan(CASE, [doubtful, sure], POLICY).decisions
    assert (decision.needs_review, decision.reason) == (False, "policy")
    (decision,) = plan(CASE, [doubtful, _name(1, 3, 0.7)], POLICY).decisions
    assert (decision.needs_review, decision.detector) == (True, "x")


def test_a_keeper_silences_only_what_it_covers_and_only_what_yields() -> None:
    dose = Finding(Span(TEXT, 2, 6), Kind.DOSE, 1.0, "k")

    def date(start: int, end: int) -> Finding:
        return Finding(Span(TEXT, start, end), Kind.DATE, 1.0, "d")

    assert _changed(plan(CASE, [dose, date(2, 6)], POLICY)) == set()
    assert _changed(plan(CASE, [dose, date(2, 7)], POLICY)) == set(range(2, 7))
    assert _changed(plan(CASE, [dose, _name(3, 4)], POLICY)) == {3}
    kept = plan(CASE, [dose, date(2, 6)], POLICY).decisions
    assert [(d.where, d.action) for d in kept] == [(Span(TEXT, 2, 6), Action.KEEP)]
    assert len(plan(CASE, [dose, _name(3, 4)], POLICY).decisions) == 1
    word = _override(Span(TEXT, 3, 5), Kind.DATE, Action.REMOVE)
    assert _changed(plan(CASE, [dose], POLICY, overrides=[word])) == {3, 4}


def test_words_about_regions_and_tags_stand_alone() -> None:
    region, tag = Region(IMAGE, Box(0, 0, 2, 2), 0), Tag(TAGS, "a")
    found = [
        Finding(region, Kind.PHONE, 1.0, "x"),
        Finding(Region(IMAGE, Box(0, 0, 2, 2), 1), Kind.PHONE, 1.0, "x"),
        Finding(tag, Kind.PHONE, 1.0, "x"),
        Finding(Tag(TAGS, "b"), Kind.PHONE, 1.0, "x"),
    ]
    words = [_override(w, Kind.NAME, Action.KEEP) for w in (region, tag)]
    made = plan(CASE, found, POLICY, overrides=words)
    assert [(d.detector, d.action, d.reason) for d in made.decisions] == [
        ("review", Action.KEEP, "override by r1"),
        ("x", Action.REMOVE, "policy"),
        ("review", Action.KEEP, "override by r1"),
        ("x", Action.REMOVE, "policy"),
    ]
    word = made.decisions[0]
    assert (word.kind, word.score, word.needs_review) == (Kind.NAME, 1.0, False)
    assert word.needs_review is False


def test_a_word_about_text_says_who_gave_it() -> None:
    word = _override(Span(TEXT, 0, 2), Kind.PHONE, Action.REMOVE)
    (decision,) = plan(CASE, [_name(0, 2, 0.6)], POLICY, overrides=[word]).decisions
    assert (decision.reason, decision.detector) == ("override by r1", "review")
    assert decision.score == 1.0
    assert decision.needs_review is False


def test_decisions_come_by_part_and_place() -> None:
    places: list[Where] = [
        Span(TEXT, 0, 1), Span(TEXT, 3, 4), Region(TEXT, Box(0, 0, 1, 1)),
        Tag(TEXT, "a"), Tag(TEXT, "b"),
        Region(IMAGE, Box(0, 0, 1, 1)), Region(IMAGE, Box(0, 0, 1, 1), 0),
        Region(IMAGE, Box(5, 0, 6, 1), 0), Region(IMAGE, Box(0, 1, 9, 2), 0),
        Region(IMAGE, Box(0, 1, 1, 3), 0), Region(IMAGE, Box(0, 1, 2, 3), 0),
        Span(PartId("t1#text"), 0, 1),
    ]  # fmt: skip
    found = [Finding(p, Kind.PHONE, 1.0, "x") for p in reversed(places)]
    assert [d.where for d in plan(CASE, found, POLICY).decisions] == places


def test_equal_places_come_in_one_order() -> None:
    region = Region(IMAGE, Box(0, 0, 1, 1))
    tilted = Region(IMAGE, Box(0, 0, 1, 1), None, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    found = [
        Finding(place, kind, score, detector)
        for place in (region, tilted)
        for kind in (Kind.PHONE, Kind.NAME)
        for score in (0.5, 1.0)
        for detector in "yx"
    ]
    made = plan(CASE, found, POLICY)
    assert plan(CASE, found[::-1], POLICY) == made
    assert [d.kind for d in made.decisions[:8]] != [d.kind for d in made.decisions[8:]]


def _pixels(made: Plan) -> set[tuple[int, int]]:
    return {
        (x, y)
        for d in made.decisions
        if isinstance(d.where, Region) and d.action is not Action.KEEP
        for x in range(d.where.box.x0, d.where.box.x1)
        for y in range(d.where.box.y0, d.where.box.y1)
    }


@given(st.lists(text_findings(), max_size=6), text_findings(), policies(), readings())
def test_one_more_flag_never_uncovers_a_pixel(
    found: list[Finding], more: Finding, policy: Policy, reading: Reading
) -> None:
    if policy.rule(more.kind).action is not Action.KEEP:
        before = plan(CASE, found, policy, readings=[reading])
        after = plan(CASE, [*found, more], policy, readings=[reading])
        assert _pixels(before) <= _pixels(after)


def test_a_stronger_flag_without_a_margin_leaves_the_margin_of_a_name() -> None:
    reading = Reading(TextPart(TEXT, "ab"), IMAGE, 0, (Box(10, 10, 20, 20), Box(20, 10, 30, 20)))
    phone = Finding(Span(TEXT, 0, 2), Kind.PHONE, 1.0, "y")
    word = _override(Span(TEXT, 0, 2), Kind.PHONE, Action.REMOVE)
    for made in (
        plan(CASE, [_name(0, 2), phone], POLICY, readings=[reading]),
        plan(CASE, [_name(0, 2)], POLICY, readings=[reading], overrides=[word]),
    ):
        regions = [d for d in made.decisions if isinstance(d.where, Region)]
        assert [(d.where, d.kind) for d in regions] == [
            (Region(IMAGE, Box(0, 5, 40, 25), 0), Kind.PHONE)
        ]


def test_a_reviewers_word_brings_the_margin_of_its_kind() -> None:
    reading = Reading(TextPart(TEXT, "a"), IMAGE, 0, (Box(10, 10, 20, 20),))
    word = _override(Span(TEXT, 0, 1), Kind.NAME, Action.REPLACE)
    made = plan(CASE, [], POLICY, readings=[reading], overrides=[word])
    assert [d.where for d in made.decisions if isinstance(d.where, Region)] == [
        Region(IMAGE, Box(5, 5, 25, 25), 0)
    ]


def test_of_equally_strong_and_sure_flags_the_longer_speaks() -> None:
    policy = replace(POLICY, rules={k: Rule(action=Action.REMOVE) for k in (Kind.NAME, Kind.PHONE)})
    name, phone = _name(0, 1, 1.0), Finding(Span(TEXT, 0, 3), Kind.PHONE, 1.0, "x")
    assert plan(CASE, [name, phone], policy).decisions[0].kind is Kind.PHONE
    name, phone = _name(1, 4, 1.0), Finding(Span(TEXT, 3, 5), Kind.PHONE, 1.0, "x")
    assert plan(CASE, [name, phone], policy).decisions[0].kind is Kind.NAME


def test_read_text_is_painted_where_it_is_flagged_and_no_further() -> None:
    boxes = tuple(Box(10 * n, 0, 10 * n + 10, 8) for n in range(4))
    phone = Finding(Span(TEXT, 1, 3), Kind.PHONE, 1.0, "y")
    made = plan(CASE, [phone], POLICY, readings=[Reading(TextPart(TEXT, "abcd"), IMAGE, 0, boxes)])
    assert [d.where for d in made.decisions if isinstance(d.where, Region)] == [
        Region(IMAGE, Box(10, 0, 30, 8), 0)
    ]


def test_every_reading_of_one_text_is_painted() -> None:
    first = Reading(TextPart(TEXT, "ab"), IMAGE, 0, (Box(0, 0, 2, 2), Box(2, 0, 4, 2)))
    second = Reading(TextPart(TEXT, "ab"), IMAGE, 1, (Box(8, 8, 9, 9), Box(9, 8, 10, 9)))
    phone = Finding(Span(TEXT, 0, 2), Kind.PHONE, 1.0, "y")
    made = plan(CASE, [phone], POLICY, readings=[first, second])
    assert [d.where for d in made.decisions if isinstance(d.where, Region)] == [
        Region(IMAGE, Box(0, 0, 4, 2), 0),
        Region(IMAGE, Box(8, 8, 10, 9), 1),
    ]


@pytest.mark.parametrize(
    "where", [Span(TEXT, 0, 2), Region(IMAGE, Box(0, 0, 2, 2), 0), Tag(TAGS, "a")]
)
@pytest.mark.parametrize("last", [Action.KEEP, Action.REMOVE, Action.REPLACE])
def test_a_reviewers_last_word_at_a_place_counts(where: Where, last: Action) -> None:
    found = [Finding(where, Kind.PHONE, 1.0, "x")]
    words = [_override(where, Kind.NAME, a) for a in (Action.REMOVE, Action.KEEP, last)]
    made = plan(CASE, found, POLICY, overrides=words)
    assert [(d.action, d.detector) for d in made.decisions] == [(last, "review")]


COARSE = Policy(
    name="p",
    version="1",
    fingerprint="print",
    rules={
        Kind.DATE: Rule(action=Action.GENERALISE),
        Kind.AGE_OVER_89: Rule(action=Action.GENERALISE),
        Kind.UID: Rule(action=Action.SHIFT),
        Kind.DOSE: Rule(action=Action.KEEP),
        Kind.AGE: Rule(action=Action.KEEP),
    },
)


@pytest.mark.parametrize("other", [Kind.AGE_OVER_89, Kind.UID])
def test_what_is_several_things_at_once_has_no_coarser_form(other: Kind) -> None:
    """A year of birth beside an age of 90 or more would tell the age."""
    places: list[Where] = [Span(TEXT, 0, 5), Tag(TAGS, "a")]
    for place in places:
        mixed = [Finding(place, kind, 1.0, "x") for kind in (Kind.DATE, other)]
        (decision,) = plan(CASE, mixed, COARSE).decisions
        assert (decision.action, decision.reason) == (Action.REPLACE, "policy, mixed kinds")
        (decision,) = plan(CASE, [mixed[0]], COARSE).decisions
        assert (decision.action, decision.reason) == (Action.GENERALISE, "policy")


def test_keepers_of_several_kinds_stay_kept() -> None:
    kept = [Finding(Span(TEXT, 0, 3), kind, 1.0, "x") for kind in (Kind.AGE, Kind.DOSE)]
    (decision,) = plan(CASE, kept, COARSE).decisions
    assert (decision.action, decision.where) == (Action.KEEP, Span(TEXT, 0, 3))


def test_a_plan_names_its_case_and_policy() -> None:
    case = Case(id=CASE, patient=PatientKey("p-1"), source="s", department="d", turns=())
    assert plan(case, [], POLICY) == plan(CASE, [], POLICY) == Plan(CASE, "print", ())


def test_what_nobody_decided_about_does_not_stay() -> None:
    assert POLICY.rule(Kind.FACE) is UNLISTED
    assert (UNLISTED.action, UNLISTED.min_score) == (Action.REMOVE, 0.0)
    assert (UNLISTED.review_below, UNLISTED.pad, UNLISTED.yields_to) == (0.0, 0.0, frozenset())
    assert POLICY.numbered is False
