import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from deid.cli import app
from deid.config import load_config, load_policy

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMAND = re.compile(
    r"(?:^ {4}(?:.*\| )?|`)(?:\.venv/bin/)?deid ([a-z]+)((?: [^`#\n]*)?)", re.MULTILINE
)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8"))
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert not [link for link in local if not (page.parent / link).exists()]


@pytest.mark.parametrize("text", [README, GUIDE], ids=["README.md", "guide.md"])
def test_commands_and_options_that_pages_name_exist(text: str) -> None:
    commands = getattr(get_command(app), "commands")  # noqa: B009 - typer hands out a plain Command
    named = COMMAND.findall(text)
    assert named
    for name, rest in named:
        known = {option for p in commands[name].params for option in (*p.opts, *p.secondary_opts)}
        assert not set(re.findall(r"(?<!\S)\[?(--[a-z-]+)", rest)) - known, name


def test_targets_of_make_that_pages_name_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {t for page in PAGES for t in re.findall(r"(?:^ {4}|`)make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE)}  # fmt: skip
    assert {"demo", "test", "venv"} <= named
    assert not [target for target in named if not re.search(rf"^{target}:", makefile, re.MULTILINE)]


def _blocks(table: str) -> list[str]:
    blocks = re.findall(r"^```toml\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    return [block for block in blocks if table in tomllib.loads(block)]


def test_the_settings_in_the_guide_are_the_defaults(tmp_path: Path) -> None:
    (block,) = _blocks("deid")
    (tmp_path / "medveil.toml").write_text(block, encoding="utf-8")
    read, plain = load_config(tmp_path / "medveil.toml"), load_config()
    assert read.fingerprint == plain.fingerprint
    assert set(tomllib.loads(block)["deid"]) >= {"detect", "run", "intake", "weights"}


def test_the_policy_in_the_guide_is_one(tmp_path: Path) -> None:
    (block,) = _blocks("rules")
    (tmp_path / "ward.toml").write_text(block, encoding="utf-8")
    policy, _ = load_policy("ward.toml", tmp_path)
    assert policy.name == tomllib.loads(block)["name"]


def test_the_first_example_of_the_readme_is_what_comes_out() -> None:
    given, expected = re.findall(r"^ {4}(患者 .*)$", README, re.MULTILINE)
    done = subprocess.run(
        [sys.executable, "-m", "deid", "text", "-"],
        input=given.encode(),
        capture_output=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stdout.decode().strip() == expected
