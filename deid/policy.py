"""One policy says what is done with each kind of thing.

Detectors say what a thing is; only a `Policy` says what happens.  ``sex = keep`` therefore governs
a word in a sentence, PatientSex in a header and a letter burnt into a frame alike.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from deid.schema import Action, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What is done with one kind.

    A finding below ``min_score`` is dropped; one below ``review_below`` is applied and marked for
    a person.  A flag of this kind is silenced by a keeper of a kind in ``yields_to`` that covers
    all of it.  ``pad`` grows a region by that share of its size on every side before painting.
    """

    action: Action
    min_score: float = 0.0
    review_below: float = 0.0
    yields_to: frozenset[Kind] = frozenset()
    pad: float = 0.0


UNLISTED = Rule(action=Action.REMOVE)
"""The rule of a kind that a policy does not list: what nobody decided about does not stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A named table from kind to rule.

    ``numbered`` asks for placeholders that tell the people of a case apart ([NAME_1]).
    """

    name: str
    version: str
    rules: Mapping[Kind, Rule]
    fingerprint: str
    numbered: bool = False

    def rule(self, kind: Kind) -> Rule:
        """Return the rule of ``kind``; a kind that is not listed is removed."""
        return self.rules.get(kind, UNLISTED)
