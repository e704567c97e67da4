"""Hypothesis strategies for the nouns of the core."""

from hypothesis import strategies as st

from deid.geometry import quad_of
from deid.policy import Policy, Rule
from deid.schema import (
    Action,
    Box,
    CaseId,
    Finding,
    Kind,
    PartId,
    Reading,
    Region,
    Span,
    Tag,
    TextPart,
)

CASE = CaseId("c-1")
TEXT, IMAGE, TAGS = PartId("t0#text"), PartId("t0.0#px"), PartId("t0.0#tags")
LENGTH = 16
"""Code points in the texts that findings are about: short, so that findings meet."""

KINDS = (Kind.NAME, Kind.PHONE, Kind.DATE, Kind.DOCTOR_NAME, Kind.AGE, Kind.DOSE)
actions = st.sampled_from(Action)
scores = st.sampled_from((0.0, 0.2, 0.5, 0.8, 1.0))
texts = st.text(
    st.one_of(
        st.sampled_from("张三年1 \n😀𠮷\u0301\ud800\udfff"),
        st.characters(),
        st.characters(categories=["Cs"]),
    ),
    max_size=24,
)


@st.composite
def boxes(draw: st.DrawFn, low: int = -30, high: int = 30) -> Box:
    """Draw a box that may reach outside of a picture."""
    x0, y0 = draw(st.integers(low, high - 1)), draw(st.integers(low, high - 1))
    return Box(x0, y0, draw(st.integers(x0 + 1, high)), draw(st.integers(y0 + 1, high)))


@st.composite
def intervals(draw: st.DrawFn, length: int = LENGTH) -> tuple[int, int]:
    """Draw a non-empty interval inside ``length``."""
    start = draw(st.integers(0, length - 1))
    return start, draw(st.integers(start + 1, length))


@st.composite
def spans(draw: st.DrawFn) -> Span:
    """Draw a span of the one text."""
    return Span(TEXT, *draw(intervals()))


@st.composite
def policies(draw: st.DrawFn, *, yielding: bool = True) -> Policy:
    """Draw a policy; without ``yielding`` no kind gives way to a keeper."""
    rules = {}
    for kind in draw(st.sets(st.sampled_from(KINDS))):
        keepers = st.frozensets(st.sampled_from(KINDS), max_size=2)
        rules[kind] = Rule(
            action=draw(actions),
            min_score=draw(scores),
            review_below=draw(scores),
            yields_to=draw(keepers) if yielding else frozenset(),
            pad=draw(st.sampled_from((0.0, 0.1, 0.5))),
        )
    return Policy(name="drawn", version="1", rules=rules, fingerprint="f")


@st.composite
def findings(draw: st.DrawFn) -> Finding:
    """Draw a finding in text, pixels or metadata."""
    small = boxes(0, 4)
    frames = st.sampled_from((None, 0, 1))
    quads = st.one_of(st.none(), small.map(quad_of))
    regions = st.builds(Region, st.just(IMAGE), small, frames, quads)
    tags = st.builds(Tag, st.just(TAGS), st.sampled_from(("a", "b")))
    where = draw(st.one_of(spans(), regions, tags))
    return Finding(where, draw(st.sampled_from(KINDS)), draw(scores), draw(st.sampled_from("xyz")))


@st.composite
def text_findings(draw: st.DrawFn) -> Finding:
    """Draw a finding in the one text."""
    kind = draw(st.sampled_from(KINDS))
    return Finding(draw(spans()), kind, draw(scores), draw(st.sampled_from("xyz")))


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    """Draw a reading of `LENGTH` code points whose characters lie anywhere."""
    places = st.one_of(st.none(), boxes(0, 12))
    drawn = draw(st.lists(places, min_size=LENGTH, max_size=LENGTH))
    return Reading(TextPart(TEXT, "x" * LENGTH), IMAGE, 0, tuple(drawn))
