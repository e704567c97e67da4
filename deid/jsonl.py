"""JSON lines and whole files, written so that a reader sees all of a file or none of it."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any


def dumps(value: object) -> str:
    """Return one compact JSON line; lone surrogates are escaped, so that UTF-8 can hold it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if text.isascii():
        return text
    return "".join(c if not "\ud800" <= c <= "\udfff" else f"\\u{ord(c):04x}" for c in text)


def write_whole(path: Path, chunks: Iterable[str | bytes]) -> None:
    """Write a file of mode 0600 under another name, flush it to the disk, then rename it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".part-")
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                file.write(chunk.encode("utf-8") if isinstance(chunk, str) else chunk)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_lines(path: Path, rows: Iterable[object]) -> None:
    """Write JSON lines whole (see `write_whole`)."""
    write_whole(path, (dumps(row) + "\n" for row in rows))


def read_lines(file: IO[str]) -> Iterator[tuple[int, Any]]:
    """Yield (line number from 1, value) of each line that is not blank.

    A line that is no JSON yields a `ValueError` instance in place of a value: one bad line never
    hides the others, and the exception's text, which can quote the line, goes no further.
    """
    for number, line in enumerate(file, start=1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                yield number, ValueError(f"line {number} is no JSON")
