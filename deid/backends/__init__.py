"""Back ends: engines behind the ports, one a file, all in one visible table, imported lazily."""

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from deid.config import Weights
from deid.errors import BackendMissingError, ConfigError

TABLE: Mapping[str, str] = MappingProxyType(
    {
        "rapidocr": "deid.backends.ocr_rapidocr:RapidOcrEngine",
        "paddleocr": "deid.backends.ocr_paddle:PaddleOcrEngine",
        "centerface": "deid.backends.face_centerface:CenterFace",
        "yunet": "deid.backends.face_yunet:YuNet",
        "zxing": "deid.backends.codes_zxing:ZxingReader",
    }
)
"""Name in the settings -> module and class.

Each module says what it ``REQUIRES`` in words, and ``is_available(weights)``; each class is made
with ``threads`` (0: the engine's own choice) and ``weights``.
"""


@dataclass(frozen=True, slots=True)
class Status:
    """Whether a back end can be used, and what would enable it."""

    name: str
    available: bool
    remedy: str


def open_backend(name: str, *, threads: int = 0, weights: Weights | None = None) -> Any:  # noqa: ANN401 - the caller names the port
    """Return a new engine.

    Raises:
        ConfigError: there is no back end of that name.
        BackendMissingError: it is not installed, or its weights are missing or changed.
    """
    if name not in TABLE:
        raise ConfigError(
            f"There is no back end called {name!r}.", remedy=f"Use one of: {', '.join(TABLE)}."
        )
    module_name, _, class_name = TABLE[name].partition(":")
    module = importlib.import_module(module_name)
    weights = weights or Weights()
    if not module.is_available(weights):
        raise BackendMissingError(f"The back end {name} is not available.", remedy=module.REQUIRES)
    return getattr(module, class_name)(threads=threads, weights=weights)


def backend_status(weights: Weights) -> list[Status]:
    """Return the status of every back end, in the table's order."""
    rows = []
    for name, place in TABLE.items():
        module = importlib.import_module(place.partition(":")[0])
        rows.append(Status(name, bool(module.is_available(weights)), module.REQUIRES))
    return rows
