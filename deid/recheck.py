"""Check a whole output folder again (``deid verify``), from its written bytes alone."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from deid.assemble import Tools, assemble
from deid.audit import AuditLog
from deid.config import Config
from deid.errors import ConfigError
from deid.flow import spoken
from deid.folder import Folder, locked, project_key
from deid.outcome import residual_row
from deid.risk import residual_risk
from deid.schema import Kind, PartId, Residual, Tag
from deid.seal import Seal
from deid.verify import check_media, check_texts
from deid.worklist import Row, State, Worklist


def recheck(out: Path, config: Config, progress: Callable[[int], None]) -> int:
    """Look for anything identifying in every written case; return how many places were found.

    What is found replaces the earlier findings in the worklist, so that the report shows it.

    Raises:
        ConfigError: the folder is not the output of a run, or a run is at work in it.
    """
    folder = Folder(out)
    if not folder.worklist.exists():
        raise ConfigError("That folder is not the output of a run.", remedy="Give OUT of deid run.")
    with locked(folder):
        key = project_key(folder, config.settings.run.key_file)
        tools = assemble(config, key)
        worklist = Worklist(folder.worklist, Seal(key))
        try:
            with AuditLog(folder.audit, actor="verify", config=config.fingerprint) as audit:
                found = _recheck(folder, worklist, tools, progress)
                audit.append("verify", payload={"places": found})
                return found
        finally:
            worklist.close()


def _recheck(
    folder: Folder, worklist: Worklist, tools: Tools, progress: Callable[[int], None]
) -> int:
    done = [row for row in worklist.rows() if row.state is State.DONE]
    written = {}
    with folder.cases.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            written[record["case_id"]] = record
    found = 0
    for row in done:
        left = _left(folder, row, written.get(row.id), worklist.known(row.id), tools)
        doubts = (doubt["score"] for doubt in row.outcome["doubtful"])
        outcome = {
            **row.outcome,
            "residuals": [residual_row(r) for r in left],
            "risk": residual_risk(doubts, (r.score for r in left)),
        }
        worklist.settle(row.id, row.state, reason=row.reason, outcome=outcome)
        found += len(left)
        progress(len(done))
    return found


def _left(
    folder: Folder,
    row: Row,
    record: dict[str, object] | None,
    known: Sequence[tuple[str, Kind]],
    tools: Tools,
) -> list[Residual]:
    if record is None:
        return [Residual(Tag(PartId("case"), "record"), Kind.UNKNOWN, 1.0, "verify", "missing")]
    left = check_texts(list(spoken(record)), known, tools)
    for name in row.outcome["files"]:
        part = PartId(name.rsplit(".", 1)[0])
        path = folder.media / row.id / name
        if path.exists():
            left += check_media(path, part, known, tools)
        else:
            left.append(Residual(Tag(part, "file"), Kind.UNKNOWN, 1.0, "verify", "missing"))
    return left
