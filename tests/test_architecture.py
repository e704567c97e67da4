import ast
import re
import subprocess
from collections.abc import Iterator
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("deid", "benchmark_build", "rubric", "grade")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
SHORT = [str(path.relative_to(ROOT)) for path in MODULES]
MACHINE_PATH = re.compile(rb"(?<![\w.~$}\])-])/(?:work|tmp|home)/\w")


def _nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def test_our_import_name_is_ours_alone() -> None:
    assert version("medveil")
    # An editable install lists no modules, so that nobody may claim the name then.
    assert set(packages_distributions().get("deid", ["medveil"])) == {"medveil"}


@pytest.mark.parametrize("path", MODULES, ids=SHORT)
def test_modules_and_functions_stay_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500
    for node in _nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno + 1 <= 60, node.name


@pytest.mark.parametrize("path", MODULES, ids=SHORT)
def test_no_state_hides_in_modules(path: Path) -> None:
    assert not [n for n in _nodes(path) if isinstance(n, ast.Global)]


@pytest.mark.parametrize("path", MODULES, ids=SHORT)
def test_settings_come_from_files_not_from_the_environment(path: Path) -> None:
    reads = {"environ", "environb", "getenv", "getenvb"}
    names = {n.attr for n in _nodes(path) if isinstance(n, ast.Attribute)}
    imported = {a.name for n in _nodes(path) if isinstance(n, ast.ImportFrom) for a in n.names}
    if path.relative_to(ROOT).parts[0] == "deid":
        assert not reads & (names | imported)


def test_no_file_names_a_place_on_one_machine() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout: nothing says which files are tracked")
    listed = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - whichever git is installed
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    files = [ROOT / name.decode() for name in listed.split(b"\0") if name]
    texts = {path: path.read_bytes() for path in files if path.is_file()}
    found = [
        str(path.relative_to(ROOT))
        for path, data in texts.items()
        if b"\0" not in data and MACHINE_PATH.search(data)
    ]
    assert not found
