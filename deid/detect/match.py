"""What a family of text rules yields: an interval of the shadow text, a kind and a score."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from deid.schema import Kind
from deid.spans import Shadow


@dataclass(frozen=True, slots=True)
class Match:
    """Code points start <= i < end of a *shadow* text; the caller maps them to the original."""

    start: int
    end: int
    kind: Kind
    score: float


Family = Callable[[Shadow], Iterator[Match]]
"""A family of rules: one pass over one shadow text."""
