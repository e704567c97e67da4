"""Find a weight that models/manifest.toml names, and check its SHA-256 before anybody loads it."""

import hashlib
import tomllib
from functools import cache
from importlib import resources, util
from pathlib import Path
from typing import Any

from deid.errors import BackendMissingError, ConfigError

_CHUNK = 2**20


def manifest() -> dict[str, dict[str, Any]]:
    """Return the entries of the manifest by name."""
    entries: dict[str, dict[str, Any]] = tomllib.loads(
        _home().joinpath("manifest.toml").read_text("utf-8")
    )
    return entries


def weight(name: str) -> Path:
    """Return the checked file of a manifest entry.

    A weight of ours lies beside the manifest; another comes inside an installed package.

    Raises:
        BackendMissingError: the package or the file is not there.
        ConfigError: the file is not the one that the manifest describes.
    """
    entry = manifest()[name]
    path = _path(entry)
    if path is None or not path.is_file():
        raise BackendMissingError(
            f"The weight {name} is not installed.",
            remedy=f"Install {entry['source']}.",
        )
    if _sha256(path, path.stat().st_mtime_ns) != entry["sha256"]:
        raise ConfigError(
            f"The weight {name} is not the file that the manifest describes.",
            remedy=f"Install {entry['source']} again; do not use this file.",
            reason="weight_changed",
        )
    return path


def _path(entry: dict[str, Any]) -> Path | None:
    if "package" not in entry:
        return Path(str(_home().joinpath(entry["file"])))
    found = util.find_spec(entry["package"])
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent / str(entry["file"])


def _home() -> Any:  # noqa: ANN401 - importlib's Traversable or a Path
    """Return the folder of the manifest: inside the wheel, or models/ of a checkout."""
    packed = resources.files("deid").joinpath("data", "models")
    checkout = Path(__file__).resolve().parent.parent / "models"
    return packed if packed.joinpath("manifest.toml").is_file() else checkout


@cache
def _sha256(path: Path, _changed: int) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
