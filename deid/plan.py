"""From findings to decisions: the pure heart of MedVeil.

The batch run and the review page call the same `plan`.  Its promises, each a property test:

* every flagged character of a kind that never yields is covered by a change;
* nothing unflagged is touched, changes are disjoint, the order of findings does not matter;
* one more flag never uncovers anything, neither a character nor a pixel of a margin.

Flags merge to their union and the strongest action wins.  They are never trimmed: filters that keep
only the longest flag leave flagged characters standing.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from deid.geometry import pad_share
from deid.policy import Policy
from deid.schema import (
    STRENGTH,
    Action,
    Box,
    Case,
    CaseId,
    Decision,
    Finding,
    Kind,
    Override,
    PartId,
    Plan,
    Reading,
    Region,
    Span,
    Tag,
)
from deid.spans import Interval, boxes_of, clusters, covers, overlaps

_COARSE = frozenset({Action.SHIFT, Action.GENERALISE})
_WHOLE: Interval = (0, 1)
"""The interval of a flag on a region or an element, which have no offsets."""


@dataclass(frozen=True, slots=True)
class _Flag:
    """A finding or an override at an interval of one part, ``pad`` its margin when painted."""

    interval: Interval
    kind: Kind
    action: Action
    score: float
    detector: str
    doubtful: bool
    reason: str
    pad: float


def plan(
    case: Case | CaseId,
    findings: Iterable[Finding],
    policy: Policy,
    *,
    overrides: Sequence[Override] = (),
    readings: Sequence[Reading] = (),
) -> Plan:
    """Decide what is done at every place that a finding or an override names.

    A span of text that was read from a picture (``readings``) also becomes the regions of its
    characters.  Decisions come sorted by part and place, so that equal input gives equal output.
    """
    accepted = [f for f in findings if f.score >= policy.rule(f.kind).min_score]
    texts = _texts(accepted, policy, overrides)
    regions = [*_regions(accepted, policy), *_painted(texts, readings)]
    words = {_extent(o.where): o for o in overrides if isinstance(o.where, Region)}
    decisions = [
        *(_decision(span, flag) for span, flag in texts),
        *(_decision(region, flag) for region, flag in regions if _extent(region) not in words),
        *(_word(o) for o in words.values()),
        *_tags(accepted, policy, overrides),
    ]
    case_id = case.id if isinstance(case, Case) else case
    return Plan(case_id, policy.fingerprint, tuple(sorted(decisions, key=_order)))


def _order(decision: Decision) -> tuple[object, ...]:
    """Sort by place, and decisions on one place by all that they say."""
    d = decision
    quad = d.where.quad or () if isinstance(d.where, Region) else ()
    return _place(d), d.detector, d.score, STRENGTH[d.action], d.reason, d.needs_review, quad


def _place(decision: Decision) -> tuple[str, int, tuple[object, ...], str]:
    where = decision.where
    match where:
        case Span():
            return where.part, 0, (where.start, where.end), decision.kind
        case Region():
            frame = -1 if where.frame is None else where.frame
            box = where.box
            return where.part, 1, (frame, box.y0, box.x0, box.y1, box.x1), decision.kind
        case Tag():
            return where.part, 2, (where.path,), decision.kind


def _texts(
    findings: Sequence[Finding], policy: Policy, overrides: Sequence[Override]
) -> list[tuple[Span, _Flag]]:
    flags: dict[PartId, list[_Flag]] = defaultdict(list)
    for finding in findings:
        if isinstance(finding.where, Span):
            flags[finding.where.part].append(_flag(finding, policy))
    words: dict[PartId, list[Override]] = defaultdict(list)
    for override in overrides:
        if isinstance(override.where, Span):
            words[override.where.part].append(override)
    texts = []
    for part in flags.keys() | words.keys():
        merged = _merge(_overridden(flags[part], words[part], policy), policy)
        texts += [(Span(part, *flag.interval), flag) for flag in merged]
    return texts


def _flag(finding: Finding, policy: Policy) -> _Flag:
    rule, where = policy.rule(finding.kind), finding.where
    return _Flag(
        (where.start, where.end) if isinstance(where, Span) else _WHOLE,
        finding.kind,
        rule.action,
        finding.score,
        finding.detector,
        finding.score < rule.review_below,
        "policy",
        rule.pad,
    )


def _overridden(flags: list[_Flag], overrides: Sequence[Override], policy: Policy) -> list[_Flag]:
    """Let a reviewer's word replace the flags that lie inside it, and stand beside the others.

    An override to keep never uncovers a flag that reaches outside of it: that flag still merges.
    A word that names another kind keeps the widest margin of what it replaces.
    """
    for override in overrides:
        if isinstance(override.where, Span):
            place = (override.where.start, override.where.end)
            pads = [f.pad for f in flags if covers(place, f.interval)]
            flags = [f for f in flags if not covers(place, f.interval)]
            word = f"override by {override.reviewer}"
            pad = max(policy.rule(override.kind).pad, *pads, 0.0)
            flags.append(
                _Flag(place, override.kind, override.action, 1.0, "review", False, word, pad)
            )
    return flags


def _merge(flags: Sequence[_Flag], policy: Policy) -> list[_Flag]:
    """Return disjoint flags, each speaking for all that met at its place."""
    keepers = [f for f in flags if f.action is Action.KEEP]
    changes = [
        f
        for f in flags
        if f.action is not Action.KEEP and not any(_silences(k, f, policy) for k in keepers)
    ]
    merged = _united(changes)
    free = [k for k in keepers if not any(overlaps(k.interval, m.interval) for m in merged)]
    return merged + _united(free)


def _silences(keeper: _Flag, flag: _Flag, policy: Policy) -> bool:
    if flag.detector == "review":
        return False
    allowed = keeper.kind in policy.rule(flag.kind).yields_to
    return allowed and covers(keeper.interval, flag.interval)


def _united(flags: Sequence[_Flag]) -> list[_Flag]:
    return [
        _spokesman([flags[m] for m in members], interval)
        for interval, members in clusters(f.interval for f in flags)
    ]


def _spokesman(flags: Sequence[_Flag], interval: Interval) -> _Flag:
    """Return the strongest flag, speaking for all of ``interval``.

    Its doubts, detectors and margin are joined with those of the others.
    Doubt is shared only where no flag of the strongest action is sure: a second, uncertain opinion
    on a sure thing is no reason to call a person.  What is several kinds of thing at once has no
    coarser form: the year of a date would tell the age that stands beside it.
    """
    first = max(flags, key=_weight)
    peers = [f for f in flags if f.action is first.action]
    mixed = len({f.kind for f in flags}) > 1
    return _Flag(
        interval,
        first.kind,
        Action.REPLACE if mixed and first.action in _COARSE else first.action,
        max(f.score for f in flags),
        "+".join(sorted({f.detector for f in flags})),
        all(f.doubtful for f in peers),
        f"{first.reason}, mixed kinds" if mixed else first.reason,
        max(f.pad for f in flags),
    )


def _weight(flag: _Flag) -> tuple[int, float, int, str, str, str]:
    length = flag.interval[1] - flag.interval[0]
    return STRENGTH[flag.action], flag.score, length, flag.kind, flag.detector, flag.reason


def _decision(where: Span | Region | Tag, flag: _Flag) -> Decision:
    return Decision(
        where, flag.kind, flag.action, flag.reason, flag.doubtful, flag.score, flag.detector
    )


def _extent(region: Region) -> tuple[PartId, Box, int | None]:
    return region.part, region.box, region.frame


def _regions(findings: Sequence[Finding], policy: Policy) -> list[tuple[Region, _Flag]]:
    """Take region by region: painting is idempotent, so overlaps need no merge."""
    regions = []
    for finding in findings:
        place = finding.where
        if isinstance(place, Region):
            flag = _flag(finding, policy)
            padded = Region(place.part, pad_share(place.box, flag.pad), place.frame, place.quad)
            regions.append((padded, flag))
    return regions


def _word(override: Override) -> Decision:
    reason = f"override by {override.reviewer}"
    return Decision(override.where, override.kind, override.action, reason, False, 1.0, "review")


def _tags(
    findings: Sequence[Finding], policy: Policy, overrides: Sequence[Override]
) -> list[Decision]:
    """Decide one action per element: the strongest that a finding asks for."""
    words = {o.where: o for o in overrides if isinstance(o.where, Tag)}
    found: dict[Tag, list[_Flag]] = defaultdict(list)
    for finding in findings:
        if isinstance(finding.where, Tag) and finding.where not in words:
            found[finding.where].append(_flag(finding, policy))
    decided = [_decision(tag, _spokesman(flags, _WHOLE)) for tag, flags in found.items()]
    return decided + [_word(o) for o in words.values()]


def _painted(
    texts: Iterable[tuple[Span, _Flag]], readings: Sequence[Reading]
) -> list[tuple[Region, _Flag]]:
    """Turn the changes in read text into regions of the pictures that it was read from."""
    return [
        (Region(reading.image, pad_share(box, flag.pad), reading.frame), flag)
        for span, flag in texts
        if flag.action is not Action.KEEP
        for reading in readings
        if reading.text.id == span.part
        for box in boxes_of(reading, span.start, span.end)
    ]
