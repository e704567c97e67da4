"""Texts whose answer key is written into them: ``[[identifier]]`` and ``{{clinical fact}}``."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_MARK = re.compile(r"\[\[(?P<gone>.+?)\]\]|\{\{(?P<stay>.+?)\}\}")


@dataclass(frozen=True, slots=True)
class Marked:
    """A text without its marks, and what the marks named."""

    text: str
    gone: tuple[str, ...] = ()
    stay: tuple[str, ...] = ()


def read_marks(marked: str) -> Marked:
    """Take the marks out of ``marked``."""
    found = list(_MARK.finditer(marked))
    gone = tuple(m["gone"] for m in found if m["gone"])
    stay = tuple(m["stay"] for m in found if m["stay"])
    return Marked(_MARK.sub(lambda m: m["gone"] or m["stay"], marked), gone, stay)


def unique(values: Iterable[str]) -> list[str]:
    """Return ``values`` in their first order, each once."""
    return list(dict.fromkeys(values))
