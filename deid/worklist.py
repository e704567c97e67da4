"""The worklist: one SQLite file in the private work folder that says how far each case is.

Cases as they were taken in and their known values lie in it sealed (`deid.seal`); the rest is
masked or free of content.  A case's state changes in one transaction after its outputs lie in
place; what was in flight when a run died is pending again when the file is opened.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from deid.errors import ConfigError
from deid.jsonl import dumps
from deid.schema import (
    Case,
    CaseId,
    Field,
    Kind,
    PartId,
    PatientKey,
    Source,
    Speaker,
    TextPart,
    Turn,
)
from deid.seal import Seal

_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS cases (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    payload BLOB,
    known BLOB,
    outcome TEXT
);
CREATE INDEX IF NOT EXISTS by_state ON cases (state, seq);
"""


class State(StrEnum):
    """How far a case is."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    QUARANTINED = "quarantined"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What the worklist knows of a case, its content left aside.

    ``outcome`` is what `deid.outcome` made of it: masked record, counts, residuals, risk.
    """

    seq: int
    id: CaseId
    state: State
    reason: str
    attempts: int
    outcome: dict[str, Any] = field(default_factory=dict)


class Worklist:
    """The open worklist of one work folder."""

    def __init__(self, path: Path, seal: Seal) -> None:
        """Open or make the file (mode 0600) and put what was in flight back to pending.

        Raises:
            ConfigError: the file is no worklist or is damaged.
        """
        self._seal = seal
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_SCHEMA)
            self._db.execute(
                "UPDATE cases SET state = ? WHERE state = ?", (State.PENDING, State.RUNNING)
            )
        except sqlite3.DatabaseError:
            raise ConfigError(
                "The worklist of this output folder is damaged.",
                remedy="Start again with --fresh, or restore the folder from a copy.",
                reason="worklist_damaged",
            ) from None

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def meta(self, key: str) -> str | None:
        """Return a setting of the run that made this worklist."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        """Remember a setting of the run."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def fill(self, cases: Iterable[tuple[CaseId, Case | None, str]]) -> int:
        """Take in (id, case, reason) in one transaction; a case that is None is quarantined."""
        count = 0
        with self._transaction():
            for count, (case_id, case, reason) in enumerate(cases, start=1):
                state = State.PENDING if case else State.QUARANTINED
                payload = self._seal.close(dumps(encode(case)).encode()) if case else None
                self._db.execute(
                    "INSERT INTO cases (seq, id, state, reason, payload) VALUES (?, ?, ?, ?, ?)",
                    (count, case_id, state, reason, payload),
                )
            self.set_meta("filled", "yes")
        return count

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._db)

    def pending(self, limit: int | None = None) -> Iterator[CaseId]:
        """Yield the ids of cases that wait, in the export's order; retried ones last."""
        rows = self._db.execute(
            "SELECT id FROM cases WHERE state = ? ORDER BY attempts, seq LIMIT ?",
            (State.PENDING, -1 if limit is None else limit),
        ).fetchall()
        return (CaseId(row[0]) for row in rows)

    def take(self, case_id: CaseId) -> Case:
        """Mark a case as running and return it."""
        self._db.execute(
            "UPDATE cases SET state = ?, attempts = attempts + 1 WHERE id = ?",
            (State.RUNNING, case_id),
        )
        return self.case(case_id)

    def case(self, case_id: CaseId) -> Case:
        """Return a case as it was taken in."""
        row = self._db.execute("SELECT payload FROM cases WHERE id = ?", (case_id,)).fetchone()
        return decode(json.loads(self._seal.open(row[0])))

    def known(self, case_id: CaseId) -> list[tuple[str, Kind]]:
        """Return the values that a finished case is known to hold."""
        row = self._db.execute("SELECT known FROM cases WHERE id = ?", (case_id,)).fetchone()
        values = json.loads(self._seal.open(row[0])) if row and row[0] else []
        return [(value, Kind(kind)) for value, kind in values]

    def settle(
        self,
        case_id: CaseId,
        state: State,
        *,
        reason: str = "",
        outcome: dict[str, Any] | None,
        known: Sequence[tuple[str, str]] | None = None,
    ) -> None:
        """Set a case's state; called after its outputs lie in place.

        ``known`` None leaves the values that an earlier call kept.
        """
        sealed = None if known is None else self._seal.close(dumps(known).encode())
        self._db.execute(
            "UPDATE cases SET state = ?, reason = ?, outcome = ?, known = COALESCE(?, known)"
            " WHERE id = ?",
            (state, reason, None if outcome is None else dumps(outcome), sealed, case_id),
        )

    def rows(self) -> Iterator[Row]:
        """Yield every case in the export's order, one at a time."""
        with closing(self._db.cursor()) as cursor:
            query = "SELECT seq, id, state, reason, attempts, outcome FROM cases ORDER BY seq"
            for seq, case_id, state, reason, attempts, outcome in cursor.execute(query):
                yield Row(
                    seq=seq,
                    id=CaseId(case_id),
                    state=State(state),
                    reason=reason,
                    attempts=attempts,
                    outcome=json.loads(outcome) if outcome else {},
                )

    def counts(self) -> dict[State, int]:
        """Return the number of cases in each state."""
        found = dict(self._db.execute("SELECT state, COUNT(*) FROM cases GROUP BY state"))
        return {state: found.get(state.value, 0) for state in State}


class _Transaction:
    """A transaction of a connection that is otherwise in autocommit."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        self._db.execute("COMMIT" if kind is None else "ROLLBACK")


def encode(case: Case) -> dict[str, Any]:
    """Return a case as plain JSON values (lone surrogates in texts survive)."""
    return {
        "id": case.id,
        "patient": case.patient,
        "source": case.source,
        "department": case.department,
        "notes": list(case.notes),
        "turns": [
            [
                turn.index,
                turn.speaker.value,
                turn.at,
                turn.text.text,
                [[source.id, source.locator] for source in turn.media],
                turn.origin,
            ]
            for turn in case.turns
        ],
        "fields": [[f.name, f.part.id, f.part.text, f.kind, f.value, f.row] for f in case.fields],
    }


def decode(row: dict[str, Any]) -> Case:
    """Return the case that `encode` wrote."""
    return Case(
        id=CaseId(row["id"]),
        patient=PatientKey(row["patient"]),
        source=row["source"],
        department=row["department"],
        notes=tuple(row["notes"]),
        turns=tuple(
            Turn(
                index=index,
                speaker=Speaker(speaker),
                at=at,
                text=TextPart(PartId(f"t{index}#text"), text),
                media=tuple(Source(PartId(part), locator) for part, locator in media),
                origin=origin,
            )
            for index, speaker, at, text, media, origin in row["turns"]
        ),
        fields=tuple(
            Field(
                name, TextPart(PartId(part), text), None if kind is None else Kind(kind), value, r
            )
            for name, part, text, kind, value, r in row["fields"]
        ),
    )
