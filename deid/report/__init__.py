"""The residual-PII report of a run: one self-contained page, CSV and JSON, all content-free.

A reviewer reads it first: what was found, what is doubtful, what still has to be looked at, and
why cases are missing.  Pictures are shown only when the operator asks for them, because the ones
before masking identify people.
"""

import csv
import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, select_autoescape

from deid.assemble import switched_off
from deid.config import Config
from deid.errors import ConfigError
from deid.folder import Folder, project_key
from deid.jsonl import dumps, write_lines, write_whole
from deid.report.previews import previews_of
from deid.seal import Seal
from deid.worklist import Row, State, Worklist

_MEDIA = ("text", "picture", "metadata")


@dataclass(frozen=True, slots=True)
class Summary:
    """What the command prints at its end; ``troubled`` asks for a non-zero exit code."""

    text: str
    troubled: bool


def write_report(out: Path, config: Config, *, previews: bool = False) -> Summary:
    """Write ``report/`` of a run's output folder.

    Files: ``index.html``, ``cases.csv`` (a line a case), ``summary.json`` and ``residual.jsonl``
    (a line for each place that `deid.verify` found).

    Raises:
        ConfigError: the folder is not the output of a run.
    """
    folder = Folder(out)
    if not folder.worklist.exists():
        raise ConfigError("That folder is not the output of a run.", remedy="Give OUT of deid run.")
    key = project_key(folder, config.settings.run.key_file)
    worklist = Worklist(folder.worklist, Seal(key))
    try:
        rows = list(worklist.rows())
        shown = previews_of(folder, worklist, rows) if previews else {}
    finally:
        worklist.close()
    summary = summarise(rows, config)
    cases = [_case(row) for row in rows]
    page = _page().render(
        summary=summary,
        cases=sorted(cases, key=lambda c: (-c["risk"], c["seq"])),
        media=_MEDIA,
        previews=shown,
    )
    write_whole(folder.report / "index.html", [page])
    write_whole(folder.report / "cases.csv", [_csv(cases)])
    write_whole(folder.report / "summary.json", [dumps(summary)])
    write_lines(
        folder.report / "residual.jsonl",
        ({"case_id": c["id"], **place} for c in cases for place in c["residuals"]),
    )
    return Summary(_words(summary, folder), bool(summary["quarantined"] or summary["failed"]))


def summarise(rows: list[Row], config: Config) -> dict[str, Any]:
    """Return the figures of a run: cases by state, findings by kind and medium, reasons."""
    states = Counter(row.state for row in rows)
    kinds: dict[str, Counter[str]] = {}
    kept: Counter[str] = Counter()
    for row in rows:
        for medium, found in row.outcome.get("counts", {}).items():
            for kind, actions in found.items():
                for action, number in actions.items():
                    if action == "keep":
                        kept[kind] += number
                    else:
                        kinds.setdefault(kind, Counter())[medium] += number
    done = [row.outcome for row in rows if row.state is State.DONE]
    return {
        "cases": len(rows),
        **{state.value: states.get(state, 0) for state in State},
        "masked": {kind: dict(kinds[kind]) for kind in sorted(kinds)},
        "kept": dict(sorted(kept.items())),
        "reasons": dict(sorted(Counter(row.reason for row in rows if row.reason).items())),
        "notes": dict(Counter(note for outcome in done for note in outcome["notes"])),
        "pictures": sum(len(outcome["files"]) for outcome in done),
        "residuals": sum(len(outcome["residuals"]) for outcome in done),
        "unclean": sum(bool(outcome["residuals"]) for outcome in done),
        "doubtful": sum(len(outcome["doubtful"]) for outcome in done),
        "policy": f"{config.policy.name} {config.policy.version} ({config.policy.fingerprint})",
        "config": config.fingerprint,
        "off": list(switched_off(config)),
    }


def _case(row: Row) -> dict[str, Any]:
    outcome = row.outcome
    counts = outcome.get("counts", {})
    masked = {
        medium: sum(
            number
            for actions in counts.get(medium, {}).values()
            for action, number in actions.items()
            if action != "keep"
        )
        for medium in _MEDIA
    }
    return {
        "seq": row.seq,
        "id": row.id,
        "state": row.state.value,
        "reason": row.reason,
        "part": outcome.get("part", ""),
        "cause": outcome.get("cause", ""),
        "risk": outcome.get("risk", 0.0),
        "masked": masked,
        "pictures": len(outcome.get("files", {})),
        "doubtful": outcome.get("doubtful", []),
        "residuals": outcome.get("residuals", []),
        "notes": outcome.get("notes", []),
    }


def _csv(cases: list[dict[str, Any]]) -> str:
    columns = ("id", "state", "reason", "part", "risk", "pictures")
    lines = io.StringIO()
    writer = csv.writer(lines)
    writer.writerow((*columns, *(f"masked_{m}" for m in _MEDIA), "doubtful", "residuals"))
    for case in cases:
        figures = (case["masked"][m] for m in _MEDIA)
        doubts = (len(case["doubtful"]), len(case["residuals"]))
        writer.writerow((*(case[c] for c in columns), *figures, *doubts))
    return lines.getvalue()


def _page() -> Any:  # noqa: ANN401 - a jinja2 template
    environment = Environment(
        loader=PackageLoader("deid.report", "templates"),
        autoescape=select_autoescape(default=True),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html")


def _words(summary: dict[str, Any], folder: Folder) -> str:
    masked = sum(sum(media.values()) for media in summary["masked"].values())
    done = f"{summary['done']} of {summary['cases']} cases de-identified"
    lines = [f"{done}, {summary['pictures']} media files; {masked} identifiers masked."]
    troubles = ("quarantined", "failed", "pending")
    lines += [f"{summary[state]} {state}." for state in troubles if summary[state]]
    if summary["reasons"]:
        lines.append("Reasons: " + ", ".join(f"{r} {n}" for r, n in summary["reasons"].items()))
    if summary["residuals"]:
        lines.append(
            f"Still to look at: {summary['residuals']} places in {summary['unclean']} cases."
        )
    lines += [
        f"Corpus:  {folder.cases}",
        f"Report:  {folder.report / 'index.html'}",
        f"Audit:   {folder.audit}",
        f"Private: {folder.work} (holds originals and the key: never share it)",
    ]
    return "\n".join(lines)
