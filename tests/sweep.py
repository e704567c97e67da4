"""Searches everything under a folder for values that must not be there.

Every byte of every file is read, also inside archives, compressed streams, workbooks and databases,
and the names of files and folders.  Each value is looked for in the encodings and escapes in which
a program may have written it.  The search ignores the case of ASCII letters: it may find too much
in binary files, never too little.
"""

import base64
import bz2
import gzip
import io
import json
import lzma
import re
import sqlite3
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from unicodedata import normalize
from urllib.parse import quote

_DEEPEST = 5
_LEAST_DIGITS = 7
_CODECS = ("utf-8", "gb18030", "utf-16-le", "utf-16-be")
_STREAM = re.compile(rb"stream\r?\n(.*?)\r?\n?endstream", re.DOTALL)
_SEPARATED = re.compile(rb"\d(?:[ \-.\t_]{0,2}\d){6,}")
_FULL_WIDTH = re.compile(rb"\xef\xbc[\x90-\x99]")
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError)


@dataclass(frozen=True, slots=True)
class Hit:
    """``value`` was found at ``where`` (inner files after ``!``), written as ``encoding``."""

    where: str
    value: str
    encoding: str
    offset: int


def find_planted(root: Path, values: Iterable[str]) -> list[Hit]:
    """Return every place below ``root`` at which one of ``values`` still stands.

    One hit is returned for each file, value and encoding.  A file that cannot be read raises:
    what was not searched must not pass as clean.
    """
    wanted = list(dict.fromkeys(values))
    needles = [needle for value in wanted for needle in _needles(value)]
    digits = {_digits(v): v for v in wanted if len(_digits(v)) >= _LEAST_DIGITS and _numeric(v)}
    hits: dict[tuple[str, str, str], Hit] = {}
    for where, data in _pieces(root):
        for hit in (*_search(where, data, needles), *_numbers(where, data, digits)):
            hits.setdefault((hit.where, hit.value, hit.encoding), hit)
    return list(hits.values())


def find_missing(texts: Iterable[str], facts: Iterable[str]) -> list[str]:
    """Return the ``facts`` that none of ``texts`` holds any more."""
    everything = "\n".join(texts)
    return [fact for fact in facts if fact not in everything]


@dataclass(frozen=True, slots=True)
class _Needle:
    value: str
    encoding: str
    data: bytes


def _needles(value: str) -> Iterator[_Needle]:
    if not value:
        raise ValueError("an empty value is found everywhere")
    seen: set[bytes] = set()
    for encoding, data in _written(value):
        if data.lower() not in seen:
            seen.add(data.lower())
            yield _Needle(value, encoding, data.lower())


def _written(value: str) -> Iterator[tuple[str, bytes]]:
    for form in dict.fromkeys((value, normalize("NFKC", value), normalize("NFD", value))):
        for codec in _CODECS:
            yield codec, form.encode(codec)
    yield "json", json.dumps(value)[1:-1].encode()
    yield "url", quote(value, safe="").encode()
    yield "url", quote(value.encode("gb18030"), safe="").encode()
    yield "python", repr(value.encode())[2:-1].encode()
    yield "html", "".join(f"&#{ord(c)};" for c in value).encode()
    yield "html", "".join(f"&#x{ord(c):x};" for c in value).encode()
    yield "hex", value.encode().hex().encode()
    yield from (("base64", data) for data in _base64(value.encode()))


def _base64(data: bytes) -> Iterator[bytes]:
    """Yield what ``data`` looks like at each of the three alignments, its shared edges cut off."""
    for lead in range(3):
        text = base64.b64encode(b"\0" * lead + data)
        start = (0, 2, 3)[lead]
        spare = (lead + len(data)) % 3
        stop = len(text) - (0, 3, 2)[spare]
        if stop - start > _LEAST_DIGITS:
            yield text[start:stop]


def _search(where: str, data: bytes, needles: list[_Needle]) -> Iterator[Hit]:
    lower = data.lower()
    for needle in needles:
        offset = lower.find(needle.data)
        if offset >= 0:
            yield Hit(where, needle.value, needle.encoding, offset)


def _numeric(value: str) -> bool:
    return not re.search(r"[^\d\s\-.+()xX]", normalize("NFKC", value))


def _digits(value: str) -> str:
    return re.sub(r"\D", "", normalize("NFKC", value))


def _numbers(where: str, data: bytes, wanted: dict[str, str]) -> Iterator[Hit]:
    """Find numbers that are written with other separators, or full-width."""
    if not wanted:
        return
    plain = _FULL_WIDTH.sub(lambda m: bytes([m[0][2] - 0x90 + 0x30]), data)
    for run in _SEPARATED.finditer(plain):
        joined = re.sub(rb"\D", b"", run[0]).decode()
        for number, value in wanted.items():
            if number in joined:
                yield Hit(where, value, "digits", run.start())


def _pieces(root: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names below ``root`` and the content of each file, unpacked as far as it goes."""
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root).as_posix()
        yield f"name:{inside}", inside.encode("utf-8", "surrogateescape")
        if path.is_symlink():
            yield f"link:{inside}", str(path.readlink()).encode()
        elif path.is_file():
            yield from _opened(inside, path.read_bytes(), 0)
            yield from _database(path, inside)


def _opened(where: str, data: bytes, depth: int) -> Iterator[tuple[str, bytes]]:
    yield where, data
    if depth >= _DEEPEST:
        return
    for name, inner in _unpacked(data):
        yield f"name:{where}!{name}", name.encode("utf-8", "surrogateescape")
        yield from _opened(f"{where}!{name}", inner, depth + 1)


def _unpacked(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of what ``data`` holds, where it is a container that we know."""
    try:
        if zipfile.is_zipfile(io.BytesIO(data)):
            yield from _zip(data)
        elif data[:2] == b"\x1f\x8b":
            yield "gzip", gzip.decompress(data)
        elif data[:3] == b"BZh":
            yield "bz2", bz2.decompress(data)
        elif data[:6] == b"\xfd7zXZ\x00":
            yield "xz", lzma.decompress(data)
        elif data[257:262] == b"ustar":
            yield from _tar(data)
        elif data[:8] == b"\x89PNG\r\n\x1a\n":
            yield from _png(data)
        elif data[:5] == b"%PDF-":
            streams = (_inflated(m[1]) for m in _STREAM.finditer(data))
            yield from ((f"stream{n}", s) for n, s in enumerate(streams) if s)
    except _BROKEN:
        return


def _zip(data: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        yield "comment", archive.comment
        yield from ((name, archive.read(name)) for name in archive.namelist())


def _tar(data: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for member in archive:
            content = archive.extractfile(member)
            yield member.name, content.read() if content else b""


def _png(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the inflated text and profile chunks of a PNG."""
    at = 8
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if kind in {b"zTXt", b"iTXt", b"iCCP"}:
            starts = [m.start() for m in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", body)]
            inner = b"".join(_inflated(body[s:]) for s in starts)
            yield kind.decode(), inner
        at += 12 + length


def _inflated(data: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(data)
    except zlib.error:
        return b""


def _database(path: Path, inside: str) -> Iterator[tuple[str, bytes]]:
    """Yield every row of an SQLite file: long values lie scattered over its pages.

    A copy is opened together with its journal, so that the original stays as it is.
    """
    with path.open("rb") as file:
        if file.read(15) != b"SQLite format 3":
            return
    with TemporaryDirectory() as folder:
        for beside in path.parent.glob(path.name + "*"):
            (Path(folder) / beside.name).write_bytes(beside.read_bytes())
        connection = sqlite3.connect(Path(folder) / path.name)
        try:
            names = [n for (n,) in connection.execute("SELECT name FROM sqlite_master")]
            tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
            for (table,) in connection.execute(tables).fetchall():
                quoted = table.replace('"', '""')
                for row in connection.execute(f'SELECT * FROM "{quoted}"'):  # noqa: S608 - a name
                    cells = (c if isinstance(c, bytes) else str(c).encode() for c in row)
                    yield from _opened(f"{inside}!{table}", b"\n".join(cells), 1)
            yield f"{inside}!schema", "\n".join(names).encode()
        finally:
            connection.close()
