"""The command line: parse, call one plain function, print, exit with the error's own code."""

import io
import os
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from deid.errors import ConfigError, DeidError

app = typer.Typer(
    help="De-identify online consultations: text, pictures, DICOM and file metadata.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
_messages = Console(stderr=True, highlight=False, soft_wrap=True)

ConfigOption = Annotated[
    Path | None, typer.Option("--config", help="Settings file; without it the defaults hold.")
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", help="JSON lines, one for each file given.")
]


def main() -> None:
    """Run the command; an error of ours ends with its message and its own exit code."""
    os.umask(0o077)  # whatever a command writes is its user's alone
    try:
        app()
    except DeidError as error:
        _messages.print(f"{error.cause} {error.remedy}".strip(), style="red", markup=False)
        sys.exit(error.exit_code)


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - typer hands a flag over like this
    if wanted:
        typer.echo(f"medveil {version('medveil')}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say the version."),
    ] = False,
) -> None:
    """De-identify online consultations: text, pictures, DICOM and file metadata."""


@app.command()
def run(  # noqa: PLR0913 - one parameter per option
    export: Annotated[Path, typer.Argument(help="The export: a folder, a file or a zip.")],
    *,
    out: Annotated[Path, typer.Option("--out", help="Folder for the results.")],
    config: ConfigOption = None,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0: one per core.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after so many cases.")] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh/--resume", help="Start over, or go on where a run ended.")
    ] = False,
    with_previews: Annotated[
        bool, typer.Option("--with-previews", help="Pictures before and after in the report.")
    ] = False,
) -> None:
    """De-identify an export into OUT: corpus, report, audit log and a private work folder.

    The same command again goes on where a run ended, however it ended.

    Try:

      deid run export/ --out out/

      deid run export.zip --out out/ --config medveil.toml --workers 2 --limit 100
    """
    from deid import batch
    from deid.config import load_config
    from deid.report import write_report

    job = batch.Job(
        export=export,
        out=out,
        config=load_config(config),
        workers=workers,
        limit=limit,
        fresh=fresh,
    )
    with _bar("cases") as bar:
        task = bar.add_task("cases", total=None)

        def show(result: object | None, waiting: int) -> None:
            if result is None:
                bar.update(task, total=waiting)
            else:
                bar.advance(task)

        batch.run(job, show)
    summary = write_report(out, job.config, previews=with_previews)
    _messages.print(summary.text, markup=False)
    if summary.troubled:
        sys.exit(1)


@app.command()
def verify(
    out: Annotated[Path, typer.Argument(help="The output folder of a run.")],
    config: ConfigOption = None,
) -> None:
    """Read what a run wrote as an outsider would; exit 5 when anything identifying is found.

    Try:

      deid verify out/
    """
    from deid.config import load_config
    from deid.recheck import recheck
    from deid.report import write_report

    settings = load_config(config)
    with _bar("cases") as bar:
        task = bar.add_task("cases", total=None)

        def show(total: int) -> None:
            bar.update(task, total=total)
            bar.advance(task)

        left = recheck(out, settings, show)
    write_report(out, settings)
    if left:
        _messages.print(
            f"Something identifying was found at {left} places. See report/index.html.",
            style="red",
        )
        sys.exit(5)
    _messages.print("Nothing identifying was found.")


@app.command()
def text(
    file: Annotated[str, typer.Argument(help="A text file; - reads standard input.")] = "-",
    *,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Lines of JSON in and out (docs/contracts.md).")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Mask a text, or JSON lines of texts, and print the result.

    Try:

      echo '我叫王小明，电话13800138000' | deid text

      deid text --jsonl notes.jsonl > masked.jsonl
    """
    from deid import single
    from deid.assemble import assemble
    from deid.config import load_config
    from deid.intake.encoding import decode_text
    from deid.jsonl import dumps
    from deid.schema import PartId, TextPart

    tools = assemble(load_config(config), b"", pictures=False)
    if jsonl:
        with _opened(file) as lines:
            for row in single.mask_lines(lines, tools):
                sys.stdout.write(dumps(row) + "\n")
                sys.stdout.flush()
        return
    raw = sys.stdin.buffer.read() if file == "-" else _bytes(Path(file))
    asked = single.Asked(text=TextPart(PartId("text"), decode_text(raw)[0]))
    masked, _ = single.mask_text(asked, tools)
    sys.stdout.buffer.write(masked.encode("utf-8", "surrogatepass"))


@app.command()
def image(
    paths: Annotated[list[Path], typer.Argument(help="Pictures.")],
    *,
    out: Annotated[Path, typer.Option("--out", help="Folder for the masked pictures.")],
    report: ReportOption = None,
    lossless_metadata: Annotated[
        bool,
        typer.Option("--lossless-metadata", help="Strip metadata alone; pixels stay bit for bit."),
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Mask pictures: text that identifies, faces, codes, and all metadata.

    Try:

      deid image photo.jpg scan.png --out masked/ --report masked.jsonl
    """
    from deid import single
    from deid.assemble import assemble
    from deid.config import load_config

    if lossless_metadata:
        rows = single.strip_files(paths, out)
    else:
        tools = assemble(load_config(config), _any_key())
        rows = single.mask_files(paths, tools, out)
    _report_files(rows, len(paths), report)


@app.command()
def dicom(
    source: Annotated[Path, typer.Argument(help="A file, a folder or a DICOMDIR tree.")],
    *,
    out: Annotated[Path, typer.Option("--out", help="Folder for the masked files.")],
    key: Annotated[
        Path | None, typer.Option("--key", help="Secret of 32 bytes: same in, same stand-ins.")
    ] = None,
    report: ReportOption = None,
    config: ConfigOption = None,
) -> None:
    """De-identify DICOM files by PS3.15: header, private elements, overlays, burnt-in text.

    Try:

      deid dicom study/ --out masked/ --key project.key --report masked.jsonl
    """
    from deid import single
    from deid.assemble import assemble
    from deid.config import load_config
    from deid.folder import read_key

    tools = assemble(load_config(config), read_key(key) if key else _any_key())
    paths = single.files_below(source)
    _report_files(single.mask_files(paths, tools, out, dicom=True), len(paths), report)


@app.command()
def explain(config: ConfigOption = None) -> None:
    """Say in words what the policy does with each kind of thing.

    Try:

      deid explain --config medveil.toml
    """
    from deid.config import load_config
    from deid.explain import policy_lines

    for line in policy_lines(load_config(config).policy):
        typer.echo(line)


@app.command()
def doctor(config: ConfigOption = None) -> None:
    """Say which back ends are available and what would enable the others.

    Try:

      deid doctor
    """
    from deid.backends import backend_status
    from deid.config import load_config

    settings = load_config(config).settings
    wanted = {settings.detect.ocr, *settings.detect.faces, settings.detect.codes}
    for row in backend_status(settings.weights):
        state = "available" if row.available else "missing"
        used = " (used)" if row.name in wanted else ""
        remedy = "" if row.available else f" - {row.remedy}"
        typer.echo(f"{row.name:14} {state}{used}{remedy}")
    if any(row.name in wanted and not row.available for row in backend_status(settings.weights)):
        sys.exit(3)


@app.command()
def report(
    out: Annotated[Path, typer.Argument(help="The output folder of a run.")],
    *,
    with_previews: Annotated[
        bool, typer.Option("--with-previews", help="Pictures before and after in the report.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Write the residual-PII report of a run again.

    Try:

      deid report out/ --with-previews
    """
    from deid.config import load_config
    from deid.report import write_report

    _messages.print(write_report(out, load_config(config), previews=with_previews).text)


def _any_key() -> bytes:
    """Return a secret for one command: stand-ins of two commands then never match."""
    return os.urandom(32)


def _opened(file: str) -> Any:  # noqa: ANN401 - a text stream that is a context manager
    if file == "-":
        return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="replace")
    try:
        return Path(file).open(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise ConfigError(f"The file cannot be read ({error.strerror}).") from None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(f"The file cannot be read ({error.strerror}).") from None


def _report_files(rows: Iterable[dict[str, Any]], total: int, report: Path | None) -> None:
    from deid.jsonl import dumps, write_lines

    done: list[dict[str, Any]] = []
    with _bar("files") as bar:
        task = bar.add_task("files", total=total)
        for row in rows:
            done.append(row)
            bar.advance(task)
    if report is not None:
        write_lines(report, done)
    for row in done:
        if row["status"] != "ok":
            _messages.print(f"file {row['source']}: {row['status']}, {row['reason']}")
        elif report is None:
            typer.echo(dumps(row))
    if any(row["status"] != "ok" for row in done):
        sys.exit(1)


class _Rate(ProgressColumn):
    """Finished things per second."""

    def render(self, task: Task) -> Text:
        """Return the rate, or nothing before it is known."""
        return Text("" if task.speed is None else f"{task.speed:.2f}/s")


def _bar(what: str) -> Progress:
    return Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=_messages,
    )
