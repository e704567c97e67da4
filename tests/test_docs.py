"""What the pages say is what the code does."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from typer.main import get_command

from deid import errors
from deid.cli import app
from deid.config import Detect, Intake, Run, Weights, load_config
from deid.explain import policy_table
from deid.intake.columns import roles
from deid.schema import Kind

ROOT = Path(__file__).resolve().parents[1]
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
COMMANDS = get_command(app).commands  # type: ignore[attr-defined]  # typer hides the group's type


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_and_its_options_are_in_the_guide(name: str) -> None:
    assert f"deid {name}" in GUIDE
    for option in COMMANDS[name].params:
        for flag in option.opts + option.secondary_opts:
            if flag.startswith("--") and flag != "--help":
                assert flag in GUIDE, flag


@pytest.mark.parametrize("table", [Detect, Weights, Run, Intake])
def test_every_setting_is_in_the_guide(table: type) -> None:
    assert "`policy`" in GUIDE or "policy =" in GUIDE
    for setting in fields(table):
        assert f"`{setting.name}`" in GUIDE or f"{setting.name} =" in GUIDE, setting.name


def test_every_exit_code_is_in_the_guide() -> None:
    classes = [c for c in vars(errors).values() if isinstance(c, type)]
    for code in {c.exit_code for c in classes if issubclass(c, errors.DeidError)}:
        assert re.search(rf"\|\s*{code}\s*\|", GUIDE), code


def test_every_role_of_a_column_is_in_the_guide() -> None:
    for role in roles():
        assert role in set(Kind) or f"`{role}`" in GUIDE, role


def test_the_policy_page_holds_the_table_that_the_code_makes() -> None:
    page = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
    assert policy_table(load_config().policy) in page


def test_every_weight_is_described_by_the_manifest() -> None:
    manifest = tomllib.loads((ROOT / "models" / "manifest.toml").read_text(encoding="utf-8"))
    for name, entry in manifest.items():
        assert {"source", "file", "sha256", "licence", "used_by"} <= set(entry), name
    here = {p.name for p in (ROOT / "models" / "weights").glob("*.onnx")}
    assert here == {Path(e["file"]).name for e in manifest.values() if "package" not in e}


def test_the_readmes_two_commands_are_in_the_makefile() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test"):
        assert f"make {target}" in readme
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)
