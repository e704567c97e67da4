"""Put the tools of a run together: the only place where settings, back ends and detectors meet."""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from deid.backends import open_backend
from deid.config import Config
from deid.detect.codes import CodeDetector
from deid.detect.faces import FaceDetector
from deid.detect.ocr_text import OcrText
from deid.errors import ConfigError
from deid.formats import formats
from deid.ports import Format, ImageDetector, TextDetector
from deid.presidio import PresidioText


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools:
    """What a worker holds: loaded once, used for every case."""

    config: Config
    key: bytes
    texts: tuple[TextDetector, ...]
    images: tuple[ImageDetector, ...]
    formats: tuple[Format, ...]


def assemble(config: Config, key: bytes, *, threads: int = 0, pictures: bool = True) -> Tools:
    """Load the detectors that the settings name.

    ``threads`` bounds what an engine uses (0: its own choice); ``pictures`` False leaves the
    engines for pictures out, for work on texts alone.

    Raises:
        BackendMissingError: a back end or its weights are not installed.
        ConfigError: a recogniser cannot be loaded.
    """
    return Tools(
        config=config,
        key=key,
        texts=text_detectors(config),
        images=image_detectors(config, threads) if pictures else (),
        formats=formats(key),
    )


def text_detectors(config: Config) -> tuple[TextDetector, ...]:
    """Return the detectors for texts: one Presidio analyzer with our recognisers and yours."""
    extra = [_load(name) for name in config.settings.detect.recognizers]
    return (PresidioText(extra=extra),)


def image_detectors(config: Config, threads: int) -> tuple[ImageDetector, ...]:
    """Return the detectors for pictures that the settings name."""
    wanted, weights = config.settings.detect, config.settings.weights
    found: list[ImageDetector] = []
    if wanted.ocr:
        found.append(OcrText(open_backend(wanted.ocr, threads=threads, weights=weights)))
    found += [FaceDetector(open_backend(n, threads=threads, weights=weights)) for n in wanted.faces]
    if wanted.codes:
        found.append(CodeDetector(open_backend(wanted.codes, threads=threads, weights=weights)))
    return tuple(found)


def switched_off(config: Config) -> Sequence[str]:
    """Return the kinds of detector that the settings switch off, for the report."""
    wanted = config.settings.detect
    return [
        n
        for n, on in (("ocr", wanted.ocr), ("faces", wanted.faces), ("codes", wanted.codes))
        if not on
    ]


def _load(name: str) -> Any:  # noqa: ANN401 - Presidio's recognisers ship no types
    module, _, attribute = name.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)()
    except (ImportError, AttributeError, TypeError) as error:
        raise ConfigError(
            f"The recogniser {name!r} cannot be loaded ({type(error).__name__}).",
            remedy="Write module:Class of a Presidio recogniser that takes no arguments.",
        ) from None
