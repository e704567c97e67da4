"""Layout L1: a table of a HIS, EMR or LIS, as csv or xlsx.

One row is a visit, a message or a result; rows that share a consultation or visit number make one
case.  The header is found by its words, below title rows.  Encodings: see `deid.intake.encoding`.
"""

import csv
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from itertools import groupby
from pathlib import Path
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from deid.errors import InputError
from deid.intake.columns import normal, role_of
from deid.intake.encoding import decode_text
from deid.intake.raw import Cell, Export, RawCase, RawTurn, Rejected, Scalar, as_text
from deid.schema import Speaker

Row = Sequence[Scalar]

_SUFFIXES = {".csv", ".tsv", ".txt", ".xlsx", ".xlsm"}
_GROUP = ("consultationid", "问诊编号", "会话编号", "咨询编号", "会话id", "问诊id", "caseid")
_HEADER_DEPTH = 10
_ENOUGH = 2
_STRUCTURE = {"message", "speaker", "sent_at", "media"}


class Tables:
    """The layout itself."""

    name = "L1"

    def recognise(self, export: Export) -> bool:
        """Say whether some file of the export has a header of which two columns are understood."""
        return any(
            _header(
                [row for _, row in zip(range(_HEADER_DEPTH), rows, strict=False)], export.columns
            )
            is not None
            for path in _files(export)
            for rows in _sheets(path)
            if not isinstance(rows, Rejected)
        )

    def records(self, export: Export) -> Iterator[RawCase | Rejected]:
        """Yield the cases of every sheet of every file, in order."""
        for number, path in enumerate(_files(export)):
            for sheet, rows in enumerate(_sheets(path)):
                if isinstance(rows, Rejected):
                    yield rows
                else:
                    yield from _cases(list(rows), f"{number}.{sheet}", export.columns)


def _files(export: Export) -> list[Path]:
    return [path for path in export.files if path.suffix.lower() in _SUFFIXES]


def _sheets(path: Path) -> Iterator[Iterator[Row] | Rejected]:
    try:
        data = path.read_bytes()
        if data.startswith(b"PK"):
            yield from _workbook(data)
        elif not data.strip():
            yield Rejected("empty")
        else:
            yield _csv(decode_text(data)[0])
    except InputError as error:
        yield Rejected(error.reason)
    except OSError:
        yield Rejected("permission")


def _csv(text: str) -> Iterator[Row]:
    head = text[:8192]
    delimiter = max(",\t;|", key=head.count)
    yield from csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)


def _workbook(data: bytes) -> Iterator[Iterator[Row] | Rejected]:
    try:
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError):
        yield Rejected("damaged_workbook")
        return
    for sheet in book.worksheets:
        yield ([_scalar(value) for value in row] for row in sheet.iter_rows(values_only=True))
    book.close()


def _scalar(value: Any) -> Scalar:  # noqa: ANN401 - openpyxl leaves cell values untyped
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _header(rows: Sequence[Row], columns: Mapping[str, str]) -> int | None:
    """Return the index of the row whose cells are understood best (two at least)."""
    known = [
        sum(role_of(as_text(c), columns) is not None for c in row if as_text(c)) for row in rows
    ]
    best = max(range(len(rows)), key=lambda n: known[n], default=None)
    return best if best is not None and known[best] >= _ENOUGH else None


def _cases(
    rows: Sequence[Row], place: str, columns: Mapping[str, str]
) -> Iterator[RawCase | Rejected]:
    filled = [row for row in rows if any(as_text(c).strip() for c in row)]
    top = _header(filled[:_HEADER_DEPTH], columns)
    if top is None:
        if filled:
            yield Rejected("header_unknown")
        return
    names = [as_text(c).strip() or f"column {n + 1}" for n, c in enumerate(filled[top])]
    group = next((n for n, name in enumerate(names) if normal(name) in _GROUP), None)
    body = list(enumerate(filled[top + 1 :]))

    def key(item: tuple[int, Row]) -> str:
        number, row = item
        value = as_text(row[group]) if group is not None and group < len(row) else ""
        return value or f"{place}:{number}"

    # Rows of one case may lie apart; a stable sort brings them together in the table's order.
    first: dict[str, int] = {}
    for item in body:
        first.setdefault(key(item), item[0])
    for source, items in groupby(sorted(body, key=lambda i: (first[key(i)], i[0])), key=key):
        yield _case(source, names, [row for _, row in items], columns)


def _case(
    source: str, names: Sequence[str], rows: Sequence[Row], columns: Mapping[str, str]
) -> RawCase:
    roles = [role_of(name, columns) for name in names]
    chat = "message" in roles
    turns = [_turn(roles, row) for row in rows] if chat or "media" in roles else []
    cells: list[Cell] = []
    for number, row in enumerate(rows):
        for name, role, value in zip(names, roles, row, strict=False):
            structural = role in _STRUCTURE and (chat or role == "media")
            fresh = not chat or Cell(name, value, 0) not in cells
            if as_text(value).strip() and not structural and fresh:
                cells.append(Cell(name, value, 0 if chat else number))
    patient = _first(roles, rows, ("patient_id", "record_number")) or source
    return RawCase(source=source, patient=patient, turns=turns, cells=cells)


def _first(roles: Sequence[str | None], rows: Sequence[Row], wanted: Sequence[str]) -> str | None:
    for role in wanted:
        for column, ours in enumerate(roles):
            if ours == role and column < len(rows[0]) and as_text(rows[0][column]):
                return as_text(rows[0][column])
    return None


def _turn(roles: Sequence[str | None], row: Row) -> RawTurn:
    def cell(role: str) -> str:
        values = (as_text(v) for r, v in zip(roles, row, strict=False) if r == role)
        return "\n".join(v for v in values if v)

    said = cell("speaker").lower().split("->")[0]
    doctor = any(word in said for word in ("医", "doctor", "doc"))
    media = [
        m.strip()
        for m in cell("media")
        .replace("；", ";")
        .replace("，", ";")
        .replace(",", ";")
        .replace("|", ";")
        .replace("\n", ";")
        .split(";")
    ]
    return RawTurn(
        speaker=Speaker.DOCTOR if doctor else Speaker.PATIENT,
        text=cell("message"),
        at=cell("sent_at") or None,
        media=tuple(m for m in media if m),
    )
