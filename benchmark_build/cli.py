"""The command line of `benchmark-build`, which turns released consultations into cases."""

from importlib.metadata import version
from typing import Annotated

import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def _root(
    *,
    show: Annotated[bool, typer.Option("--version", help="Say the version.")] = False,
) -> None:
    """Say what this command will do; it has no subcommands in this version of MedVeil."""
    if show:
        typer.echo(f"medveil {version('medveil')}")
        return
    typer.echo("`benchmark-build` turns released consultations into benchmark cases.", err=True)
    typer.echo("This version of MedVeil does not hold it yet.", err=True)
    raise typer.Exit(2)


def main() -> None:
    """Run the command."""
    app()
