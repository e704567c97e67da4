"""Mask a text in a test as `deid text` does."""

from functools import cache

from deid.assemble import Tools, assemble
from deid.config import load_config
from deid.schema import Action, PartId, Span, TextPart
from deid.single import Asked, mask_text


@cache
def _tools() -> Tools:
    return assemble(load_config(), b"k" * 32, pictures=False)


def masked(text: str, known: tuple[str, ...] = ()) -> tuple[str, list[tuple[str, str]]]:
    """Return the masked text and what was taken away: (kind, original) from left to right."""
    part = TextPart(PartId("text"), text)
    out, decided = mask_text(Asked(text=part, known=known), _tools())
    changed = [d for d in decided.decisions if d.action is not Action.KEEP]
    taken = [
        (d.kind.value, text[d.where.start : d.where.end])
        for d in changed
        if isinstance(d.where, Span)
    ]
    return out, taken


def left(text: str, known: tuple[str, ...] = ()) -> str:
    """Return the masked text alone."""
    return masked(text, known)[0]


def covered(text: str) -> set[int]:
    """Return the code points of a text that are taken away."""
    _, decided = mask_text(Asked(text=TextPart(PartId("text"), text)), _tools())
    changed = [d.where for d in decided.decisions if d.action is not Action.KEEP]
    return {i for w in changed if isinstance(w, Span) for i in range(w.start, w.end)}
