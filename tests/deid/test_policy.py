from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.policy import UNLISTED, Policy, Rule
from deid.schema import Action, Kind
from tests.strategies import policies


@given(policies(), st.sampled_from(Kind))
def test_a_kind_that_is_not_listed_is_removed(policy: Policy, kind: Kind) -> None:
    assert policy.rule(kind) == policy.rules.get(kind, UNLISTED)
    assert kind in policy.rules or policy.rule(kind).action is Action.REMOVE


def test_a_rule_of_an_action_alone_drops_nothing_and_yields_to_nothing() -> None:
    rule = Rule(action=Action.REPLACE)
    assert (rule.min_score, rule.review_below, rule.pad) == (0.0, 0.0, 0.0)
    assert rule.yields_to == frozenset()


def test_a_policy_cannot_be_changed_after_it_was_read() -> None:
    policy = Policy(name="p", version="1", rules={}, fingerprint="f")
    assert policy.numbered is False
    with pytest.raises(FrozenInstanceError):
        policy.numbered = True  # type: ignore[misc]  # the point of the test
