"""Errors that MedVeil raises on purpose, with the exit code that a shell sees.

The tree::

    DeidError               1   something failed; the batch went on
    ├── ConfigError         2   a setting is wrong or unknown
    ├── BackendMissingError 3   a back end or its weights are not installed
    ├── InputError          4   what was given cannot be used
    │   ├── UnsupportedFormatError
    │   └── UnreadableFileError
    ├── LeakError           5   something identifying was found in what was written
    ├── ReleaseBlockedError 6   a release gate is closed
    ├── EgressError         7   an address that patient data must not reach
    └── BackendFailedError  8   a back end failed while it worked

A message says the cause and the remedy and names the case and the part.  It never holds a value, a
file name or any other content of a case, because messages reach logs, terminals and audit records.
"""

from typing import ClassVar


class DeidError(Exception):
    """Base of every error that MedVeil raises on purpose.

    ``code`` is a stable word for machines (audit records, reports, JSON lines); ``reason`` refines
    it where one class covers several causes.
    """

    exit_code: ClassVar[int] = 1
    code: ClassVar[str] = "failed"

    def __init__(self, cause: str, *, remedy: str = "", reason: str = "") -> None:
        """Keep ``cause`` and ``remedy`` (neither with content) and the machine word ``reason``."""
        self.cause = cause
        self.remedy = remedy
        self.reason = reason or self.code
        super().__init__(f"{cause} {remedy}".strip())

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the trip from a worker process: keyword arguments are lost by default."""
        return (_rebuild, (type(self), self.cause, self.remedy, self.reason))


def _rebuild(kind: type[DeidError], cause: str, remedy: str, reason: str) -> DeidError:
    return kind(cause, remedy=remedy, reason=reason)


class ConfigError(DeidError):
    """A setting is wrong, unknown or contradicts another."""

    exit_code = 2
    code = "config"


class BackendMissingError(DeidError):
    """A back end or its weights are not installed; the remedy names what would enable it."""

    exit_code = 3
    code = "backend_missing"


class InputError(DeidError):
    """What was given cannot be used."""

    exit_code = 4
    code = "input"


class UnsupportedFormatError(InputError):
    """The content is of a kind that no reader takes."""

    code = "unsupported_format"


class UnreadableFileError(InputError):
    """The kind is known but the content is damaged, too large or forbidden to read."""

    code = "unreadable"


class LeakError(DeidError):
    """Something identifying was found in bytes that were written."""

    exit_code = 5
    code = "leak"


class ReleaseBlockedError(DeidError):
    """A release gate is closed."""

    exit_code = 6
    code = "release_blocked"


class EgressError(DeidError):
    """A network address that patient data must not reach."""

    exit_code = 7
    code = "egress"


class BackendFailedError(DeidError):
    """A back end failed while it worked."""

    exit_code = 8
    code = "backend_failed"
