"""What a layout yields, and how it becomes a case: one way for every layout."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol

from deid.intake.columns import kind_of, role_of
from deid.intake.media import MediaIndex
from deid.schema import Case, Field, PartId, Source, Speaker, TextPart, Turn
from deid.surrogates import case_id, patient_key

Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTurn:
    """A message as the export has it: ``media`` are names or addresses of files."""

    speaker: Speaker
    text: str
    at: str | None = None
    media: tuple[str, ...] = ()
    origin: str = "user"


@dataclass(frozen=True, slots=True)
class Cell:
    """A column's value; ``row`` counts the rows of one case from 0."""

    name: str
    value: Scalar
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCase:
    """A consultation as the export has it."""

    source: str
    patient: str
    turns: Sequence[RawTurn]
    cells: Sequence[Cell]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A record that could not be taken in; ``reason`` is a word of ours, never content."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """An export folder: its files and what a mapping says about its columns."""

    root: Path
    files: tuple[Path, ...]
    columns: Mapping[str, str] = field(default_factory=dict)


class Layout(Protocol):
    """A known way in which consultations are exported (docs/guide.md, Layouts)."""

    name: str

    def recognise(self, export: Export) -> bool:
        """Say whether the export is of this layout, by its content."""

    def records(self, export: Export) -> Iterator[RawCase | Rejected]:
        """Yield the consultations one by one; a bad record never hides the others."""


def build_case(raw: RawCase, key: bytes, index: MediaIndex, columns: Mapping[str, str]) -> Case:
    """Turn what a layout yields into a `Case` with pseudonymous ids."""
    notes = set(raw.notes)
    turns = []
    for number, turn in enumerate(raw.turns):
        media = []
        for place, named in enumerate(turn.media):
            path = index.find(named)
            if path is None:
                notes.add("media_missing")
            else:
                media.append(Source(PartId(f"t{number}.{place}"), str(path)))
        turns.append(
            Turn(
                index=number,
                speaker=turn.speaker,
                at=turn.at,
                text=TextPart(PartId(f"t{number}#text"), turn.text),
                media=tuple(media),
                origin=turn.origin,
            )
        )
    fields = tuple(_field(number, cell, columns) for number, cell in enumerate(raw.cells))
    return Case(
        id=case_id(key, raw.source),
        patient=patient_key(key, raw.patient),
        source=raw.source,
        department=_department(raw.cells, columns),
        turns=tuple(turns),
        fields=fields,
        notes=tuple(sorted(notes)),
    )


def _field(number: int, cell: Cell, columns: Mapping[str, str]) -> Field:
    text = as_text(cell.value)
    part = TextPart(PartId(f"f{number}#text"), text)
    return Field(cell.name, part, kind_of(cell.name, text, columns), cell.value, cell.row)


def as_text(value: Scalar) -> str:
    """Return a value as a person would write it: a phone number that is a float has no ".0"."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e18:  # noqa: PLR2004 - ids end below
        return str(int(value))
    return str(value)


def _department(cells: Sequence[Cell], columns: Mapping[str, str]) -> str:
    found = (as_text(c.value) for c in cells if role_of(c.name, columns) == "department")
    return next((name for name in found if name), "")


def elapsed_seconds(turns: Sequence[Turn]) -> list[int | None]:
    """Return each turn's seconds since the first dated one; None where nobody can tell.

    The times themselves are dates of care and never leave; their distances are clinical context.
    """
    moments = [_moment(turn.at) for turn in turns]
    start = next((m for m in moments if m is not None), None)
    return [None if m is None or start is None else round(m - start) for m in moments]


def _moment(at: str | None) -> float | None:
    if not at:
        return None
    if at.isdecimal():
        number = int(at)
        return number / 1000 if number > 10**11 else float(number)
    try:
        return datetime.fromisoformat(at.strip().replace("/", "-")).timestamp()
    except (ValueError, OverflowError):
        return None
