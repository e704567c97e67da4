"""The loop over an export: resumable, one bad case never stops it, outputs whole or absent.

A case is worked on in ``work/staging``; when it is done its media are renamed into the corpus, the
audit log gets its record, and only then does the worklist say so.  A run that dies between any two
of these steps redoes the case, and nothing else, when the same command is given again.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid.audit import AuditLog
from deid.config import Config
from deid.engine import Result, Setup, in_process, in_workers, threads_for, worker_count
from deid.errors import ConfigError
from deid.folder import Folder, locked, project_key
from deid.intake import take_in, unpack
from deid.jsonl import write_lines
from deid.schema import Case
from deid.seal import Seal
from deid.worklist import State, Worklist

Progress = Callable[[Result | None, int], None]
"""Called with None and the number of waiting cases at the start, then with each settled case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What ``deid run`` was asked to do.

    ``limit`` bounds the cases of this call; ``fresh`` starts over in an output folder of ours.
    """

    export: Path
    out: Path
    config: Config
    workers: int = 0
    limit: int | None = None
    fresh: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Session:
    """What one run holds open."""

    job: Job
    folder: Folder
    key: bytes
    worklist: Worklist
    audit: AuditLog


def run(job: Job, progress: Progress) -> Counter[State]:
    """Take an export in, de-identify what waits, write the corpus; return cases by state.

    Raises:
        ConfigError: the output folder is not ours, belongs to other settings or another export,
            or another run is at work in it.
        InputError: the export is of no known layout or cannot be read.
        BackendMissingError: a detector that the settings ask for is not installed.
    """
    folder = Folder(job.out)
    _prepare(folder, job)
    with locked(folder):
        if job.fresh:
            _empty(folder)
        key = project_key(folder, job.config.settings.run.key_file)
        worklist = Worklist(folder.worklist, Seal(key))
        try:
            with AuditLog(folder.audit, actor="run", config=job.config.fingerprint) as audit:
                session = _Session(job=job, folder=folder, key=key, worklist=worklist, audit=audit)
                return _run(session, progress)
        finally:
            worklist.close()


def _prepare(folder: Folder, job: Job) -> None:
    """Make the output folder, or refuse one that holds what is not ours."""
    export, out = job.export.resolve(), job.out.resolve()
    if out.is_relative_to(export) or export.is_relative_to(out):
        raise ConfigError(
            "The export and the output folder lie inside each other.",
            remedy="Choose an output folder elsewhere.",
        )
    if out.exists() and not out.is_dir():
        raise ConfigError("The output path is a file.", remedy="Choose a folder.")
    if out.is_dir() and any(out.iterdir()) and not folder.lock.exists():
        raise ConfigError(
            "The output folder holds files that no run of ours has made.",
            remedy="Choose an empty or a new folder.",
        )
    folder.work.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.work.chmod(0o700)


def _empty(folder: Folder) -> None:
    """Remove what an earlier run made; its key and its audit log stay."""
    for path in (folder.root / "corpus", folder.report, folder.staging, folder.unpacked):
        shutil.rmtree(path, ignore_errors=True)
    for path in folder.work.glob("worklist.sqlite*"):
        path.unlink()


def _run(session: _Session, progress: Progress) -> Counter[State]:
    folder, worklist = session.folder, session.worklist
    _begin(session)
    shutil.rmtree(folder.staging, ignore_errors=True)
    folder.staging.mkdir(mode=0o700)
    waiting = list(worklist.pending(session.job.limit))
    progress(None, len(waiting))
    try:
        for result in _results(session, (worklist.take(case_id) for case_id in waiting)):
            _settle(session, result)
            progress(result, 0)
    finally:
        write_corpus(folder, worklist)
    counts = worklist.counts()
    session.audit.append("run_end", payload={s.value: n for s, n in counts.items() if n})
    return Counter(counts)


def _results(session: _Session, cases: Iterator[Case]) -> Iterator[Result]:
    wanted = session.job.workers or session.job.config.settings.run.workers
    workers = worker_count(wanted)
    setup = Setup(
        config=session.job.config,
        key=session.key,
        staging=session.folder.staging,
        threads=threads_for(workers),
    )
    return in_process(cases, setup) if workers == 1 else in_workers(cases, setup, workers)


def _begin(session: _Session) -> None:
    """Fill the worklist, or check that it belongs to this export and these settings."""
    job, worklist = session.job, session.worklist
    place = str(job.export.resolve()).encode("utf-8", "surrogateescape")
    settings = {"config": job.config.fingerprint, "export": hashlib.sha256(place).hexdigest()}
    if worklist.meta("filled") is not None:
        for name, value in settings.items():
            if worklist.meta(name) != value:
                raise ConfigError(
                    f"This output folder belongs to a run with another {name}.",
                    remedy="Give that one again, or start over with --fresh.",
                    reason="settings_changed",
                )
        session.audit.append("run_resume")
        return
    for name, value in settings.items():
        worklist.set_meta(name, value)
    root = job.export
    if root.is_file() and root.suffix.lower() == ".zip":
        root = unpack(root, session.folder.unpacked)
    count = worklist.fill(take_in(root, session.key, job.config.settings.intake.columns))
    session.audit.append("run_begin", payload={"cases": count})


def _settle(session: _Session, result: Result) -> None:
    """Put a case's outputs in place, then the audit record, then the state: in this order."""
    folder = session.folder
    staged, final = folder.staging / result.case, folder.media / result.case
    shutil.rmtree(final, ignore_errors=True)
    if result.state is State.DONE and any(staged.iterdir()):
        folder.media.mkdir(parents=True, exist_ok=True, mode=0o700)
        staged.rename(final)
    else:
        shutil.rmtree(staged, ignore_errors=True)
    payload = audit_payload(result)
    code = result.reason or "ok"
    session.audit.append(f"case_{result.state}", case=result.case, code=code, payload=payload)
    session.worklist.settle(
        result.case,
        result.state,
        reason=result.reason,
        outcome=result.outcome,
        known=result.known,
    )


def audit_payload(result: Result) -> dict[str, str | int | float]:
    """Return the content-free figures of a result."""
    outcome: dict[str, Any] = result.outcome or {}
    if "record" not in outcome:
        return {name: outcome[name] for name in ("part", "cause") if name in outcome}
    return {
        "masked": sum(
            number
            for kinds in outcome["counts"].values()
            for actions in kinds.values()
            for action, number in actions.items()
            if action != "keep"
        ),
        "residuals": len(outcome["residuals"]),
        "doubtful": len(outcome["doubtful"]),
        "risk": outcome["risk"],
        "files": len(outcome["files"]),
    }


def write_corpus(folder: Folder, worklist: Worklist) -> None:
    """Write ``corpus/cases.jsonl`` from the cases that are done, in the export's order."""
    done = (row.outcome["record"] for row in worklist.rows() if row.state is State.DONE)
    write_lines(folder.cases, done)
