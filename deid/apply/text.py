"""Rewrite texts: presidio-anonymizer's operators on our merged, disjoint spans.

Presidio is given one entity type per decision, so that its own merging of neighbours and its own
overlap handling never apply (given overlapping spans it emits one placeholder for each piece).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig, RecognizerResult

from deid.schema import Action, Decision, PartId, Plan, Span, TextPart
from deid.surrogates import generalised, placeholder


@lru_cache(maxsize=1)
def _engine() -> AnonymizerEngine:
    return AnonymizerEngine()


def changes(plan: Plan) -> dict[PartId, list[Decision]]:
    """Return the decisions on spans that change a text, by part, from left to right."""
    found: dict[PartId, list[Decision]] = {}
    for decision in plan.decisions:
        if isinstance(decision.where, Span) and decision.action is not Action.KEEP:
            found.setdefault(decision.where.part, []).append(decision)
    return found


def stand_in(decision: Decision, text: str, number: int | None = None) -> str:
    """Return what replaces ``text`` under a decision."""
    if decision.action is Action.GENERALISE:
        return generalised(decision.kind, text)
    return placeholder(decision.kind, number)


def rewrite(
    part: TextPart,
    decisions: Iterable[Decision],
    stand_ins: Mapping[Span, str] | None = None,
) -> str:
    """Return the text with each decided span replaced; every other code point is untouched.

    ``stand_ins`` gives replacements that depend on more than the decision (a shifted date, a
    numbered placeholder); the others follow from `stand_in`.
    """
    known = stand_ins or {}
    operators, results = {}, []
    for index, decision in enumerate(decisions):
        where = decision.where
        if not isinstance(where, Span):
            continue
        value = known.get(where) or stand_in(decision, part.text[where.start : where.end])
        operators[str(index)] = OperatorConfig("replace", {"new_value": value})
        results.append(RecognizerResult(str(index), where.start, where.end, 1.0))
    if not results:
        return part.text
    return str(_engine().anonymize(part.text, results, operators).text)
