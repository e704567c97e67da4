"""Small pieces that several families of rules share: labels, separators, iteration."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deid.detect.match import Match
from deid.schema import Kind
from deid.spans import Shadow

NOT_IN_NUMBER = r"(?<![0-9])"
NO_MORE_DIGITS = r"(?![0-9])"
COLON = r"[\s|]{0,3}(?:[:=#]|是|为|号码|号|No\.?)*[\s|:]{0,3}"
"""Between a label and its value."""


def spaced(words: str) -> str:
    """Return an alternation of label words, OCR's spaces inside Hanzi words allowed."""
    parts = []
    for word in sorted(words.split(), key=len, reverse=True):
        hanzi = not any(c.isascii() for c in word)
        parts.append(r" ?".join(map(re.escape, word)) if hanzi else re.escape(word))
    return "(?:" + "|".join(parts) + ")"


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern whose group ``v`` (or whole match) is a thing of ``kind``."""

    pattern: re.Pattern[str]
    kind: Kind
    score: float


def rule(pattern: str, kind: Kind, score: float, flags: int = 0) -> Rule:
    """Compile a rule."""
    return Rule(re.compile(pattern, flags), kind, score)


_PUBLIC = re.compile(
    r"(?:国药准字|国械注[准进]|卫妆准字|批准文号|注册证号|卫食健字|生产批号|批号)[^\s，。；]{0,24}"
)
"""Approval and batch numbers of drugs and devices are public: they stay."""


def run(rules: Sequence[Rule], text: Shadow) -> Iterator[Match]:
    """Yield the matches of every rule, public numbers left out."""
    public = [found.span() for found in _PUBLIC.finditer(text.text)]
    for item in rules:
        named = "v" in item.pattern.groupindex
        for found in item.pattern.finditer(text.text):
            start, end = found.span("v") if named else found.span()
            if start < end and not any(a <= start and end <= b for a, b in public):
                yield Match(start, end, item.kind, item.score)
