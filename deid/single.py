"""Texts, pictures and DICOM files outside of an export: each is a case of its own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from deid.apply.text import changes, rewrite
from deid.assemble import Tools
from deid.detect.known import KnownValues, collect
from deid.errors import InputError
from deid.flow import CaseError, Outcome, numbers, process
from deid.formats.image import strip_lossless
from deid.geometry import clip
from deid.jsonl import read_lines, write_whole
from deid.plan import plan
from deid.schema import (
    Action,
    Box,
    Case,
    CaseId,
    Decision,
    Kind,
    PartId,
    PatientKey,
    Plan,
    Region,
    Source,
    Span,
    Speaker,
    TextPart,
    Turn,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A text to mask, with values that its case is known to hold."""

    text: TextPart
    known: tuple[str, ...] = ()


def mask_text(asked: Asked, tools: Tools) -> tuple[str, Plan]:
    """Return the masked text and the plan behind it."""
    parts = [asked.text]
    findings = [f for detector in tools.texts for f in detector.detect(parts)]
    known = [*((value, Kind.NAME) for value in asked.known), *collect(parts, findings)]
    findings += KnownValues(known).detect(parts)
    decided = plan(CaseId("text"), findings, tools.config.policy)
    mine = changes(decided).get(asked.text.id, [])
    given = numbers(parts, decided) if tools.config.policy.numbered else {}
    return rewrite(asked.text, mine, given.get(asked.text.id)), decided


def mask_lines(file: IO[str], tools: Tools) -> Iterator[dict[str, Any]]:
    """Yield the contract's answer to each JSON line: one out per line in, in order."""
    for _, row in read_lines(file):
        asked = None if isinstance(row, ValueError) else _asked(row)
        if asked is None:
            yield {"id": None, "error": "unreadable_line"}
            continue
        masked, decided = mask_text(asked, tools)
        yield {"id": row["id"], "text": masked, "findings": list(_findings(decided))}


def _asked(row: Any) -> Asked | None:  # noqa: ANN401 - a line can hold any JSON
    if not isinstance(row, dict) or "id" not in row or not isinstance(row.get("text"), str):
        return None
    known = row.get("known") or ()
    if not isinstance(known, list | tuple) or not all(isinstance(v, str) for v in known):
        return None
    lang = "en" if row.get("lang") == "en" else "zh"
    return Asked(text=TextPart(PartId("text"), row["text"], lang), known=tuple(known))


def _findings(decided: Plan) -> Iterator[dict[str, Any]]:
    for decision in decided.decisions:
        if isinstance(decision.where, Span):
            yield {
                "start": decision.where.start,
                "end": decision.where.end,
                "kind": decision.kind.value,
                "action": decision.action.value,
                "score": round(decision.score, 3),
                "detector": decision.detector,
            }


def mask_files(
    paths: Sequence[Path], tools: Tools, out: Path, *, dicom: bool = False
) -> Iterator[dict[str, Any]]:
    """Mask each file into ``out`` and yield the contract's report line for it.

    Names of the written files count from 0 and say nothing.  A file that cannot be masked is
    quarantined: nothing of it is written.
    """
    out.mkdir(parents=True, exist_ok=True)
    for index, path in enumerate(paths):
        yield {"source": index, **_masked(path, index, tools, out, dicom=dicom)}


def _masked(path: Path, index: int, tools: Tools, out: Path, *, dicom: bool) -> dict[str, Any]:
    part = PartId(f"{index:06d}")
    turn = Turn(
        index=0,
        speaker=Speaker.PATIENT,
        at=None,
        text=TextPart(PartId("t0#text"), ""),
        media=(Source(part, str(path)),),
    )
    case = Case(id=CaseId(part), patient=PatientKey(""), source="", department="", turns=(turn,))
    try:
        outcome = process(case, tools, out)
    except CaseError as failure:
        for written in out.glob(f"{part}.*"):
            written.unlink()
        return {"out": None, "status": "quarantined", "reason": failure.error.reason}
    item = outcome.media[0]
    row: dict[str, Any] = {
        "out": outcome.files[part],
        "status": "ok",
        "width": item.width,
        "height": item.height,
        "frames": item.frames,
        "boxes": list(_boxes(outcome)),
        "residuals": len(outcome.residuals),
    }
    if dicom:
        row["sop_class"] = item.kind
    return row


def _boxes(outcome: Outcome) -> Iterator[dict[str, Any]]:
    item = outcome.media[0]
    for decision in outcome.plan.decisions:
        where = decision.where
        if isinstance(where, Region) and decision.action is not Action.KEEP:
            box = clip(where.box, item.width, item.height)
            if box is None:
                continue
            frames: Iterable[int] = range(item.frames) if where.frame is None else (where.frame,)
            for frame in frames:
                yield box_row(box, frame, decision)


def box_row(box: Box, frame: int, decision: Decision) -> dict[str, Any]:
    """Return a painted box as the contract has it."""
    return {
        "x0": box.x0,
        "y0": box.y0,
        "x1": box.x1,
        "y1": box.y1,
        "frame": frame,
        "kind": decision.kind.value,
        "score": round(decision.score, 3),
        "detector": decision.detector,
    }


def strip_files(paths: Sequence[Path], out: Path) -> Iterator[dict[str, Any]]:
    """Strip metadata alone, the pixels bit for bit the same, and yield a report line for each."""
    out.mkdir(parents=True, exist_ok=True)
    for index, path in enumerate(paths):
        try:
            data, suffix = strip_lossless(path.read_bytes())
        except OSError:
            yield {"source": index, "out": None, "status": "quarantined", "reason": "permission"}
        except InputError as error:
            yield {"source": index, "out": None, "status": "quarantined", "reason": error.reason}
        else:
            name = f"{index:06d}{suffix}"
            write_whole(out / name, [data])
            yield {"source": index, "out": name, "status": "ok", "boxes": []}


def files_below(source: Path) -> list[Path]:
    """Return the files to treat: one file, or every file below a folder.

    A DICOMDIR is only an index, full of names: it is left out, its files are treated.

    Raises:
        InputError: there is nothing at the path.
    """
    if source.is_file() and source.name.upper() != "DICOMDIR":
        return [source]
    root = source.parent if source.is_file() else source
    if not root.is_dir():
        raise InputError("There is nothing at that path.", remedy="Check the path.")
    return sorted(p for p in root.rglob("*") if p.is_file() and p.name.upper() != "DICOMDIR")
