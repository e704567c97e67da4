"""Take in an export: recognise its layout and yield its cases with pseudonymous ids.

Adding a layout is adding a file with a class that offers `deid.intake.raw.Layout`, and its line in
`LAYOUTS`.
"""

import stat
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from deid.errors import InputError, UnreadableFileError, UnsupportedFormatError
from deid.intake.media import MediaIndex
from deid.intake.raw import Export, Layout, Rejected, build_case
from deid.intake.records import Records
from deid.intake.tables import Tables
from deid.schema import Case, CaseId

LAYOUTS: tuple[Layout, ...] = (Records(), Tables())
"""Every layout that is recognised, in the order in which they are asked."""

_NOT_OURS = frozenset({"header_unknown", "not_a_record", "no_case_id"})
"""Reasons that only say that a file is no export."""
_MOST_UNPACKED = 200 * 2**30
_MOST_RATIO = 200


def take_in(
    export: Path, key: bytes, columns: Mapping[str, str]
) -> Iterator[tuple[CaseId, Case | None, str]]:
    """Yield (id, case, reason) of every record; a record that is no case has a reason instead.

    Raises:
        UnsupportedFormatError: no known layout (reason ``layout_unknown``).
        UnreadableFileError: the folder or file cannot be read.
    """
    opened = open_export(export, columns)
    layout = recognise(opened)
    index = MediaIndex(opened.root)
    seen: dict[CaseId, int] = {}
    rejected = 0
    for record in layout.records(opened):
        if isinstance(record, Rejected):
            rejected += 1
            yield CaseId(f"x-{rejected}"), None, record.reason
            continue
        case = build_case(record, key, index, columns)
        seen[case.id] = seen.get(case.id, 0) + 1
        if seen[case.id] > 1:
            # Two records under one id may be two consultations: neither is dropped.
            yield CaseId(f"{case.id}-{seen[case.id]}"), None, "duplicate_id"
        else:
            yield case.id, case, ""


def open_export(export: Path, columns: Mapping[str, str]) -> Export:
    """Return the export at a path: a folder, or one file whose folder holds the media."""
    try:
        if export.is_dir():
            files = tuple(sorted(p for p in export.rglob("*") if p.is_file()))
            return Export(root=export, files=files, columns=columns)
        if export.is_file():
            return Export(root=export.parent, files=(export,), columns=columns)
    except OSError as error:
        raise UnreadableFileError(
            f"The export cannot be read ({error.strerror}).", remedy="Check its rights."
        ) from None
    raise InputError("There is nothing at the export's path.", remedy="Check the path.")


def recognise(export: Export) -> Layout:
    """Return the layout of an export."""
    for layout in LAYOUTS:
        if layout.recognise(export):
            return layout
    troubles = [
        record.reason
        for layout in LAYOUTS
        for record in layout.records(export)
        if isinstance(record, Rejected) and record.reason not in _NOT_OURS
    ]
    if troubles:
        raise UnreadableFileError(
            f"Nothing in the export can be read ({troubles[0].replace('_', ' ')}).",
            remedy="See docs/guide.md, Layouts.",
            reason=troubles[0],
        )
    raise UnsupportedFormatError(
        "The export is of no known layout.",
        remedy="See docs/guide.md, Layouts; name its columns under [deid.intake.columns].",
        reason="layout_unknown",
    )


def unpack(archive: Path, into: Path) -> Path:
    """Unpack a zip export below ``into`` and return that folder.

    Raises:
        UnreadableFileError: damaged, encrypted, a link, a name that leads outside (``zip_slip``),
            or a content that swells beyond all measure (``archive_bomb``).
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            for member in opened.infolist():
                _check_member(member)
            opened.extractall(into)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError):
        raise UnreadableFileError(
            "The archive is damaged or encrypted.", remedy="Unpack it yourself.", reason="archive"
        ) from None
    return into


def _check_member(member: zipfile.ZipInfo) -> None:
    path = PurePosixPath(member.filename.replace("\\", "/"))
    link = stat.S_ISLNK(member.external_attr >> 16)
    if link or path.is_absolute() or ".." in path.parts or ":" in member.filename:
        raise UnreadableFileError(
            "The archive holds a name that leads outside of it.",
            remedy="Do not trust it; ask for a clean one.",
            reason="zip_slip",
        )
    swollen = member.file_size > _MOST_RATIO * max(member.compress_size, 2**20)
    if swollen or member.file_size > _MOST_UNPACKED:
        raise UnreadableFileError(
            "The archive swells beyond all measure.",
            remedy="Unpack it yourself after a look.",
            reason="archive_bomb",
        )
