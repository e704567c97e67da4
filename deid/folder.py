"""The output folder of a run: its layout, its lock and its secret."""

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deid.errors import ConfigError

_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Folder:
    """The output folder of a run: what may be shared, and ``work``, which may not."""

    root: Path

    @property
    def work(self) -> Path:
        """The private side: worklist, key, cases in flight (mode 0700)."""
        return self.root / "work"

    @property
    def worklist(self) -> Path:
        """The SQLite file of the run."""
        return self.work / "worklist.sqlite"

    @property
    def key(self) -> Path:
        """The secret that pseudonyms are made with."""
        return self.work / "key"

    @property
    def staging(self) -> Path:
        """Cases in flight."""
        return self.work / "staging"

    @property
    def lock(self) -> Path:
        """Held by the run that works here; its presence says that the folder is ours."""
        return self.work / "lock"

    @property
    def unpacked(self) -> Path:
        """An export that came as an archive."""
        return self.work / "unpacked"

    @property
    def media(self) -> Path:
        """Masked media, a folder for each case."""
        return self.root / "corpus" / "media"

    @property
    def cases(self) -> Path:
        """The masked cases."""
        return self.root / "corpus" / "cases.jsonl"

    @property
    def audit(self) -> Path:
        """The audit log."""
        return self.root / "audit.jsonl"

    @property
    def report(self) -> Path:
        """The residual-PII report."""
        return self.root / "report"


@contextmanager
def locked(folder: Folder) -> Iterator[None]:
    """Hold the folder for this run alone; the lock goes with the process, however it ends."""
    handle = os.open(folder.lock, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise ConfigError(
            "Another run is at work in this output folder.", remedy="Wait for it, or stop it."
        ) from None
    try:
        yield
    finally:
        os.close(handle)


def project_key(folder: Folder, key_file: str) -> bytes:
    """Return the project's secret: the configured file, or one of the work folder's own."""
    path = Path(key_file) if key_file else folder.key
    if not path.exists():
        if path != folder.key:
            raise ConfigError(
                "The key file is not there.",
                remedy="Make one of 32 random bytes, or leave key_file out.",
            )
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
    return read_key(path)


def read_key(path: Path) -> bytes:
    """Return the secret in a file.

    Raises:
        ConfigError: unreadable, or shorter than 32 bytes.
    """
    try:
        key = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"The key file cannot be read ({error.strerror}).", remedy="Check its path and rights."
        ) from None
    if len(key) < _KEY_BYTES:
        raise ConfigError("The key file is shorter than 32 bytes.", remedy="Make a longer one.")
    return key
