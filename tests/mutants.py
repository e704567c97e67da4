"""Change the pure core in one place at a time and see whether its tests notice.

``python tests/mutants.py [MODULE ...]`` prints each change that no test noticed, and the share that
was noticed.  Works on copies in a temporary folder.
"""

import ast
import copy
import os
import queue
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = {
    "geometry": ["geometry", "spans", "plan"],
    "spans": ["spans", "plan"],
    "plan": ["plan"],
    "policy": ["plan"],
    "surrogates": ["surrogates"],
    "risk": ["surrogates"],
    "apply/text": ["apply"],
    "apply/pixels": ["apply"],
}
SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.BitOr: ast.BitAnd,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "any": "all", "all": "any"}
Mutant = tuple[str, int, str, str]


def _changed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield changed copies of one node."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare():
            for index, op in enumerate(new.ops):
                again = copy.deepcopy(new)
                again.ops[index] = SWAPS[type(op)]()  # type: ignore[call-overload]  # a table of kinds
                yield again
        case ast.BoolOp() | ast.BinOp() if type(new.op) in SWAPS:
            new.op = SWAPS[type(new.op)]()  # type: ignore[assignment]  # as above
            yield new
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield new.operand
        case ast.Constant(value=bool()):
            new.value = not new.value
            yield new
        case ast.Constant(value=int() | float() as number):
            new.value = number + 1
            yield new
        case ast.Constant(value=str() as word) if word:
            new.value = f"{word}XX"
            yield new
        case ast.Name(id=name) if name in NAMES:
            new.id = NAMES[name]
            yield new
        case ast.Attribute(attr=name) if name in NAMES:
            new.attr = NAMES[name]
            yield new


def _idle(tree: ast.Module) -> set[int]:
    """Return the ids of nodes that do nothing: docstrings, annotations, formats of dataclasses."""
    idle: list[ast.AST] = []
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant()):
                idle.append(node)
            case ast.FunctionDef(decorator_list=decorators, returns=returns):
                idle += [*decorators, *([returns] if returns else [])]
            case ast.ClassDef(decorator_list=decorators):
                idle += decorators
            case ast.arg(annotation=ast.AST() as note) | ast.AnnAssign(annotation=note):
                idle.append(note)
    return {id(inner) for node in idle for inner in ast.walk(node)}


def mutants(module: str) -> Iterator[Mutant]:
    """Yield every change of a module: its name, the line, the change in words, the new source."""
    tree = ast.parse((ROOT / "deid" / f"{module}.py").read_text(encoding="utf-8"))
    idle = _idle(tree)
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            for place, node in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(node, ast.expr) or id(node) in idle:
                    continue
                for new in _changed(node):
                    put = _putter(parent, field, place if isinstance(value, list) else None)
                    put(new)
                    words = f"{ast.unparse(node)} -> {ast.unparse(new)}"
                    yield module, node.lineno, words, ast.unparse(ast.fix_missing_locations(tree))
                    put(node)


def _putter(parent: ast.AST, field: str, place: int | None) -> Callable[[ast.AST], None]:
    def put(node: ast.AST) -> None:
        if place is None:
            setattr(parent, field, node)
        else:
            getattr(parent, field)[place] = node

    return put


def _noticed(folder: Path, mutant: Mutant | None, tests: list[str]) -> bool:
    files = [f"tests/deid/test_{name}.py" for name in tests]
    command = [sys.executable, "-B", "-m", "pytest", "-xq", "-p", "no:cacheprovider", *files]
    target = folder / "deid" / f"{mutant[0]}.py" if mutant else None
    before = target.read_bytes() if target else b""
    if target and mutant:
        target.write_text(mutant[3], encoding="utf-8", errors="surrogatepass")
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return True
    finally:
        if target:
            target.write_bytes(before)
    return done.returncode != 0


def main(modules: list[str]) -> int:
    """Run all mutants; return 1 where the tests fail without any."""
    found = [m for module in modules for m in mutants(module)]
    workers = os.cpu_count() or 1
    folders: queue.Queue[Path] = queue.Queue()
    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(workers) as pool:
        for number in range(workers):
            folder = Path(temporary) / str(number)
            for name in ("deid", "tests"):
                shutil.copytree(ROOT / name, folder / name)
            shutil.copy(ROOT / "pyproject.toml", folder)
            folders.put(folder)
        if _noticed(folders.queue[0], None, sorted({t for m in modules for t in TESTS[m]})):
            print("The tests fail already without a change.")
            return 1

        def one(mutant: Mutant) -> bool:
            folder = folders.get()
            try:
                return _noticed(folder, mutant, TESTS[mutant[0]])
            finally:
                folders.put(folder)

        noticed = list(pool.map(one, found))
    for (module, line, words, _), seen in zip(found, noticed, strict=True):
        if not seen:
            print(f"deid/{module}.py:{line}: {words}")
    print(f"{sum(noticed)} of {len(found)} changes noticed ({sum(noticed) / len(found):.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(TESTS)))
