"""Every kind of input that cannot be used, each an export of its own with good cases around it."""

import json
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.planted import consultation, row
from tests.planted_media import report_png, tiny_png
from tests.planted_people import Person, invent_people

BOMB_SIDE = 30_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bad:
    """A bad export.

    ``good`` cases must come through untouched by the bad one, whose id is ``source`` (None where
    the export as a whole is at fault).  None of ``secrets`` may stand in any message or output.
    """

    name: str
    export: Path
    good: int
    source: str | None
    secrets: tuple[str, ...]


def make_bad(root: Path) -> tuple[Bad, ...]:
    """Write one export for each kind of bad input below ``root``.

    ``unreadable`` takes read permission away, which root ignores: skip it there, and call
    `restore` before the folder is deleted.
    """
    return (*_bad_files(root), *_bad_exports(root))


def restore(bad: tuple[Bad, ...]) -> None:
    """Give the permissions back."""
    for one in bad:
        for path in [one.export, *one.export.rglob("*")]:
            path.chmod(0o700)


def _bad_files(root: Path) -> list[Bad]:
    """Three cases with a picture each; that of the second is bad."""
    makers: dict[str, Callable[[bytes], tuple[str, bytes]]] = {
        "truncated_picture": lambda whole: ("b.png", whole[: len(whole) // 3]),
        "decompression_bomb": lambda _: ("b.png", bomb_png()),
        "empty_picture": lambda _: ("b.png", b""),
        "text_named_picture": lambda _: ("b.jpg", "这不是图片 ".encode() * 20),
        "unreadable": lambda whole: ("b.png", whole),
        "missing_picture": lambda whole: ("elsewhere.png", whole),
        "picture_with_wrong_suffix": lambda whole: ("b.jpg", whole),
    }
    made = []
    for seed, (name, spoil) in enumerate(makers.items()):
        people = list(invent_people(3, seed))
        export = root / name
        file, data = spoil(report_png(people[1]))
        lines = [_line(p, f"{i}.png") for i, p in enumerate(people)]
        lines[1] = _line(people[1], "b.png" if name == "missing_picture" else file)
        _write(export, lines, {"0.png": tiny_png(0), "2.png": tiny_png(2), file: data})
        if name == "unreadable":
            (export / "images" / file).chmod(0)
        usable = name == "picture_with_wrong_suffix"
        made.append(
            Bad(
                name=name,
                export=export,
                good=3 if usable else 2,
                source=None if usable else people[1].source,
                secrets=_secrets(people),
            )
        )
    return made


def _bad_exports(root: Path) -> list[Bad]:
    people = list(invent_people(3, 99))
    known = people[1].identifiers
    lines = [_line(p, f"{i}.png") for i, p in enumerate(people)]
    media = {f"{i}.png": tiny_png(i) for i in range(3)}
    broken = f'{{"consultationId": "x", "patient": {{"name": "{known["name"]}", "phone": '
    contents = {
        "broken_line": [lines[0], broken.encode(), lines[2]],
        "undecodable_line": [lines[0], lines[1].replace("男".encode(), b"\xff\xfe\xff"), lines[2]],
        "empty_export": [],
        "line_that_is_no_object": [lines[0], json.dumps([known["name"]]).encode(), lines[2]],
    }
    contents["undecodable_line"][1] += b"\xc3\x28"
    made = []
    for name, written in contents.items():
        _write(root / name, written, media)
        good = 2 if written else 0
        made.append(_bad(root / name, people, good))
    _write_foreign(root / "unknown_layout", known["name"])
    _write_undecodable_table(root / "undecodable_table", people)
    slip = _write_slip(root / "zip_slip", lines, known["name"])
    return [
        *made,
        _bad(root / "unknown_layout", people, 0),
        _bad(root / "undecodable_table", people, 0),
        Bad(name="zip_slip", export=slip, good=0, source=None, secrets=_secrets(people)),
    ]


def _bad(export: Path, people: list[Person], good: int) -> Bad:
    return Bad(name=export.name, export=export, good=good, source=None, secrets=_secrets(people))


def _secrets(people: list[Person]) -> tuple[str, ...]:
    return tuple(v for p in people for v in (p.source, *p.identifiers.values()))


def _line(person: Person, file: str) -> bytes:
    return json.dumps(consultation(person, (file,)), ensure_ascii=False).encode()


def _write(export: Path, lines: list[bytes], media: dict[str, bytes]) -> None:
    shutil.rmtree(export, ignore_errors=True)
    (export / "images").mkdir(parents=True)
    (export / "consultations.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    for name, data in media.items():
        (export / "images" / name).write_bytes(data)


def _write_foreign(export: Path, name: str) -> None:
    export.mkdir(parents=True, exist_ok=True)
    (export / f"{name}.xyz").write_bytes(b"\x00\x01XYZ1" + name.encode() * 40)


def _write_undecodable_table(export: Path, people: list[Person]) -> None:
    """Write a table whose bytes are neither UTF-8 nor gb18030 nor UTF-16."""
    export.mkdir(parents=True, exist_ok=True)
    rows = [row(p) for p in people]
    text = "\n".join(
        ",".join(map(str, cells)) for cells in [list(rows[0]), *(r.values() for r in rows)]
    )
    spoilt = text.encode("gb18030") + b"\xff\xff\x00\xd8\x00\xd8\xff"
    (export / "visits.csv").write_bytes(spoilt if len(spoilt) % 2 else spoilt + b"\xff")


def _write_slip(export: Path, lines: list[bytes], name: str) -> Path:
    """Write an archive with a member that points outside of it."""
    export.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(export / "export.zip", "w") as archive:
        archive.writestr("consultations.jsonl", b"\n".join(lines))
        archive.writestr(f"../../escaped_{name}.txt", name)
    return export / "export.zip"


def bomb_png() -> bytes:
    """Return a black 1-bit PNG of 30,000 x 30,000 pixels: 110 kB here, 2.7 GB as RGB."""
    row_bytes = b"\0" * (1 + BOMB_SIDE // 8)
    packer = zlib.compressobj(9)
    packed = b"".join(packer.compress(row_bytes) for _ in range(BOMB_SIDE)) + packer.flush()
    header = struct.pack(">IIBBBBB", BOMB_SIDE, BOMB_SIDE, 1, 0, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", packed), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
