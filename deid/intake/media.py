"""Find the files of an export that its records name, and nothing outside of it."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit


class MediaIndex:
    """The files below an export's folder, found by the name that a record gives.

    A record names a file by a relative path, by a bare name or by the address of an object store
    whose last step is the name (signatures after ``?`` do not matter).
    """

    def __init__(self, root: Path) -> None:
        """List the folder once; links that lead outside are not followed."""
        self._root = root.resolve()
        self._by_name: dict[str, list[Path]] = {}
        for path in _files(self._root):
            self._by_name.setdefault(path.name, []).append(path)

    def find(self, named: str) -> Path | None:
        """Return the file that a record names, or None.

        Where several files share the name, the one whose folders agree best wins.
        """
        steps = _steps(named)
        if not steps:
            return None
        candidates = self._by_name.get(steps[-1], [])
        return max(candidates, key=lambda path: _agreement(path, steps), default=None)


def _steps(named: str) -> tuple[str, ...]:
    address = urlsplit(named) if "://" in named else None
    path = unquote(address.path) if address else named.replace("\\", "/")
    return tuple(step for step in PurePosixPath(path).parts if step not in {"/", ".", ".."})


def _agreement(path: Path, steps: tuple[str, ...]) -> int:
    count = 0
    for ours, theirs in zip(reversed(path.parts), reversed(steps), strict=False):
        if ours != theirs:
            break
        count += 1
    return count


def _files(root: Path) -> Iterator[Path]:
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.resolve().is_relative_to(root):
            yield path
