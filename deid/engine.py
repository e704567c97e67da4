"""Engines: where cases are worked on.  In this process, or in worker processes.

An engine takes cases lazily and yields a `Result` for each, in the order in which they end.  The
parent alone touches worklist, audit log and corpus; a worker writes below the staging folder only.
"""

import os
import shutil
import traceback
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from deid.assemble import Tools, assemble
from deid.config import Config
from deid.errors import BackendMissingError
from deid.flow import CaseError, process
from deid.outcome import as_json
from deid.schema import Case, CaseId
from deid.worklist import State

_MOST_WORKERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How the work on a case ended.

    ``outcome`` is plain JSON (see `deid.outcome`); ``known`` is private.
    """

    case: CaseId
    state: State
    reason: str = ""
    outcome: dict[str, Any] | None = None
    known: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a worker needs to begin: settings, the project's key, and where it may write."""

    config: Config
    key: bytes
    staging: Path
    threads: int = 0


def worker_count(wanted: int) -> int:
    """Return how many workers run: what is wanted, or one per core, four at most."""
    return wanted or min(os.cpu_count() or 1, _MOST_WORKERS)


def in_process(cases: Iterable[Case], setup: Setup) -> Iterator[Result]:
    """Work on one case after the other in this process."""
    tools = assemble(setup.config, setup.key, threads=setup.threads)
    for case in cases:
        yield attempt(case, tools, setup.staging)


def threads_for(workers: int) -> int:
    """Return how many threads an engine of one worker may use: together they fill the cores."""
    return max(1, (os.cpu_count() or 1) // workers)


def in_workers(cases: Iterable[Case], setup: Setup, workers: int) -> Iterator[Result]:
    """Work in processes that load their detectors once.

    When a worker dies (killed for memory, crashed in native code) its pool is lost: the cases in
    flight are tried again one by one in a pool of their own, and the one that kills it again is
    quarantined.
    """
    source = iter(cases)
    suspects: list[Case] = []
    more = True
    while more:
        more = yield from _pooled(source, setup, workers, suspects)
        while suspects:
            suspect = suspects.pop()
            alone: list[Case] = []
            yield from _pooled(iter([suspect]), setup, 1, alone)
            if alone:
                yield Result(case=suspect.id, state=State.QUARANTINED, reason="worker_died")


def _pooled(
    source: Iterator[Case], setup: Setup, workers: int, lost: list[Case]
) -> Generator[Result, None, bool]:
    """Feed one pool until the source ends (returns False) or the pool breaks (returns True)."""
    flying: dict[Future[Result], Case] = {}
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_load, initargs=(setup,)
    ) as pool:
        try:
            while True:
                for case in islice(source, 2 * workers - len(flying)):
                    flying[pool.submit(_attempt, case)] = case
                if not flying:
                    return False
                done, _ = wait(flying, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                    del flying[future]
        except BrokenProcessPool:
            lost += flying.values()
            return True


def _load(setup: Setup) -> None:
    os.umask(0o077)
    _tools(setup)


@cache
def _loaded() -> dict[str, Any]:
    """Return this worker's own store: a process pool has no other place for what it loads once."""
    return {}


def _tools(setup: Setup) -> None:
    store = _loaded()
    store["setup"] = setup
    store["tools"] = assemble(setup.config, setup.key, threads=setup.threads)


def _attempt(case: Case) -> Result:
    store = _loaded()
    return attempt(case, store["tools"], store["setup"].staging)


def attempt(case: Case, tools: Tools, staging: Path) -> Result:
    """Work on one case; whatever goes wrong is a result, not an exception, and holds no content."""
    folder = staging / case.id
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)
    try:
        outcome = process(case, tools, folder)
    except BackendMissingError:
        raise
    except CaseError as failure:
        return Result(
            case=case.id,
            state=State.QUARANTINED,
            reason=failure.error.reason,
            outcome={"part": failure.part, "cause": str(failure.error)},
        )
    except Exception as error:  # noqa: BLE001 - one bad case never stops a batch
        return Result(
            case=case.id, state=State.FAILED, reason="internal", outcome={"cause": trace_of(error)}
        )
    return Result(
        case=case.id,
        state=State.DONE,
        outcome=as_json(outcome, folder),
        known=tuple((value, kind.value) for value, kind in outcome.known),
    )


def trace_of(error: BaseException) -> str:
    """Return where an unexpected error came from: its class and code places, never its message."""
    frames = traceback.extract_tb(error.__traceback__)
    places = [f"{Path(f.filename).stem}:{f.lineno}" for f in frames[-4:]]
    return f"{type(error).__name__} at {' > '.join(places)}"
