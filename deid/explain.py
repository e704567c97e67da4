"""The policy in words, made from the code's own tables (never written by hand)."""

from collections.abc import Iterator

from deid.policy import Policy, Rule
from deid.schema import Action, Kind
from deid.surrogates import placeholder

_WORDS = {
    Action.KEEP: "stays",
    Action.SHIFT: "is shifted by the patient's own number of days",
    Action.GENERALISE: "is made coarser",
    Action.REPLACE: "becomes",
    Action.REMOVE: "is removed (in text it becomes",
}


def policy_lines(policy: Policy) -> Iterator[str]:
    """Yield a line for each kind, then what holds for the others."""
    yield f"Policy {policy.name}, version {policy.version} ({policy.fingerprint})."
    for kind in Kind:
        yield f"{kind.value:18} {_sentence(kind, policy.rule(kind), listed=kind in policy.rules)}"
    yield "In pictures everything that does not stay is painted solid black."
    yield "A kind that the policy does not list is removed."


def _sentence(kind: Kind, rule: Rule, *, listed: bool) -> str:
    words = _WORDS[rule.action]
    if rule.action is Action.REPLACE:
        words += f" {placeholder(kind)}"
    elif rule.action is Action.REMOVE:
        words += f" {placeholder(kind)})"
    if not listed:
        words += "; not listed"
    if rule.review_below > 0:
        words += f"; below {rule.review_below:g} a person looks"
    if rule.yields_to:
        words += f"; yields to {', '.join(sorted(rule.yields_to))}"
    return words + "."


def policy_table(policy: Policy) -> str:
    """Return the policy as a Markdown table (docs/policy.md holds it; a test compares)."""
    head = "| kind | action | becomes | a person looks below | yields to |"
    lines = [head, "|---|---|---|---|---|"]
    for kind in Kind:
        rule = policy.rule(kind)
        becomes = "" if rule.action is Action.KEEP else f"`{placeholder(kind)}`"
        below = f"{rule.review_below:g}" if rule.review_below else ""
        yields = ", ".join(sorted(rule.yields_to))
        lines.append(f"| `{kind.value}` | {rule.action.value} | {becomes} | {below} | {yields} |")
    return "\n".join(lines)
