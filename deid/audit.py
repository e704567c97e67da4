"""The audit log: append-only JSON lines, each chained to the one before by its SHA-256.

A record holds codes and counts, never content.  Changing, dropping or reordering any line breaks
the chain (`check_chain`); cutting the end is caught by the length that the run report states.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from deid.errors import ConfigError
from deid.jsonl import dumps
from deid.schema import AuditRecord, CaseId

GENESIS = "0" * 64
"""What the first record names as its predecessor."""


class AuditLog:
    """The open log of one work folder; one process appends at a time."""

    def __init__(self, path: Path, *, actor: str, config: str) -> None:
        """Continue the log at ``path``, or begin it.  A torn last line (a kill) is cut off first.

        Raises:
            ConfigError: the chain of what is there is broken.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self._actor = actor
        self._config = config
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self._file: IO[bytes] = os.fdopen(handle, "r+b")
        lines = self._file.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            self._file.truncate(sum(map(len, lines[:-1])))
            lines = lines[:-1]
        self._seq, self._previous = _walk(lines)
        self._file.seek(0, os.SEEK_END)

    def append(
        self,
        event: str,
        *,
        case: CaseId | None = None,
        code: str = "ok",
        payload: Mapping[str, str | int | float] | None = None,
    ) -> None:
        """Write one record and flush it to the disk before returning."""
        record = AuditRecord(
            seq=self._seq,
            previous=self._previous,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            actor=self._actor,
            case=case,
            event=event,
            config=self._config,
            code=code,
            payload=dict(payload or {}),
        )
        line = (dumps(asdict(record)) + "\n").encode()
        self._file.write(line)
        self._file.flush()
        os.fsync(self._file.fileno())
        self._seq += 1
        self._previous = hashlib.sha256(line).hexdigest()

    def __enter__(self) -> Self:
        """Return the open log."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self._file.close()


def check_chain(path: Path) -> int:
    """Return the number of records of an unbroken log.

    Raises:
        ConfigError: a record was changed, dropped, added or reordered; the message says where.
    """
    return _walk(path.read_bytes().splitlines(keepends=True))[0]


def _walk(lines: list[bytes]) -> tuple[int, str]:
    previous = GENESIS
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
            sound = record["seq"] == number and record["previous"] == previous
        except (ValueError, KeyError, TypeError):
            sound = False
        if not sound:
            raise ConfigError(
                f"The audit log is broken at record {number}.",
                remedy="Keep it as evidence and run into a new folder.",
                reason="audit_broken",
            )
        previous = hashlib.sha256(line).hexdigest()
    return len(lines), previous
