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

# What other packages build on.  A name that goes, or a new one, is a decision: change it here too.
PUBLIC = {
    "errors": "BackendFailedError BackendMissingError ConfigError DeidError EgressError InputError LeakError ReleaseBlockedError UnreadableFileError UnsupportedFormatError",
    "schema": "Action AuditRecord Box Case CaseId Code Decision Document Field Finding Frame ImagePart Kind OcrLine Override PartId PatientKey Plan Point Quad Reading Region Residual STRENGTH Seen Source Span Speaker Tag TagPart TextPart Turn Where",
    "geometry": "area clip covered_area hull intersect overlap_share pad pad_share quad_of scale shift tiles turn_back turn_quad_back union",
    "spans": "Interval Shadow boxes_of clusters covers disjoint line_of overlaps",
    "policy": "Policy Rule UNLISTED",
    "plan": "plan",
    "surrogates": "LABELS case_id day_shift generalised patient_key placeholder pseudonym uid",
    "risk": "residual_risk",
    "ports": "CodeReader FaceModel Format ImageDetector OcrEngine TextDetector",
}


def _nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def test_our_import_name_is_ours_alone() -> None:
    assert version("medveil")
    # An editable install lists no modules, so that nobody may claim the name then.
    assert set(packages_distributions().get("deid", ["medveil"])) == {"medveil"}


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
                yield name


@pytest.mark.parametrize("module", PUBLIC)
def test_public_names_are_pinned(module: str) -> None:
    tree = ast.parse((ROOT / "deid" / f"{module}.py").read_text(encoding="utf-8"))
    assert {n for n in _defined(tree) if not n.startswith("_")} == set(PUBLIC[module].split())


@pytest.mark.parametrize("path", MODULES, ids=SHORT)
def test_importing_a_module_does_no_work(path: Path) -> None:
    """At the top level stand definitions; a loop, a `with` or a bare call there would be work."""
    guard = "__name__ == '__main__'"
    work = [
        node
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.For | ast.While | ast.With | ast.Delete | ast.AugAssign)
        or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant))
        or (isinstance(node, ast.If) and ast.unparse(node.test) not in {guard, "TYPE_CHECKING"})
    ]
    assert not [(node.lineno, ast.unparse(node)) for node in work]


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
