"""An outcome as plain JSON for the worklist: counts, places and the masked record."""

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

from deid.flow import Outcome
from deid.risk import residual_risk
from deid.schema import Decision, PartId, Region, Residual, Span, Tag, Where


def as_json(outcome: Outcome, folder: Path) -> dict[str, Any]:
    """Return what the worklist keeps of a case whose media lie in ``folder``.

    ``record`` is masked and may be shared; everything else is content-free.
    """
    decisions = outcome.plan.decisions
    doubts = [d for d in decisions if d.needs_review]
    return {
        "record": outcome.record,
        "files": {
            name: hashlib.sha256((folder / name).read_bytes()).hexdigest()
            for name in sorted(outcome.files.values())
        },
        "counts": counts(decisions, outcome.readings),
        "doubtful": [decision_row(d) for d in doubts],
        "residuals": [residual_row(r) for r in outcome.residuals],
        "risk": residual_risk((d.score for d in doubts), (r.score for r in outcome.residuals)),
        "looks": outcome.looks,
        "notes": list(outcome.notes),
    }


def medium(where: Where, readings: frozenset[PartId] = frozenset()) -> str | None:
    """Return text, picture or metadata; None for read text, whose regions are counted instead."""
    match where:
        case Region():
            return "picture"
        case Tag():
            return "metadata"
        case Span():
            return None if where.part in readings else "text"


def counts(
    decisions: tuple[Decision, ...], readings: frozenset[PartId]
) -> dict[str, dict[str, dict[str, int]]]:
    """Return medium -> kind -> action -> number of decisions."""
    flat = Counter(
        (place, d.kind.value, d.action.value)
        for d in decisions
        if (place := medium(d.where, readings)) is not None
    )
    found: dict[str, dict[str, dict[str, int]]] = {}
    for (place, kind, action), number in sorted(flat.items()):
        found.setdefault(place, {}).setdefault(kind, {})[action] = number
    return found


def place_row(where: Where) -> dict[str, Any]:
    """Return a place as JSON: offsets or pixels, never what stands there."""
    match where:
        case Span():
            return {"part": where.part, "start": where.start, "end": where.end}
        case Region():
            box = where.box
            return {
                "part": where.part,
                "box": [box.x0, box.y0, box.x1, box.y1],
                "frame": where.frame,
            }
        case Tag():
            return {"part": where.part, "element": where.path}


def decision_row(decision: Decision) -> dict[str, Any]:
    """Return a decision as JSON."""
    return {
        **place_row(decision.where),
        "kind": decision.kind.value,
        "action": decision.action.value,
        "score": round(decision.score, 3),
        "detector": decision.detector,
    }


def residual_row(residual: Residual) -> dict[str, Any]:
    """Return a residual finding as JSON."""
    return {
        **place_row(residual.where),
        "kind": residual.kind.value,
        "score": round(residual.score, 3),
        "detector": residual.detector,
        "evidence": residual.evidence_class,
    }
