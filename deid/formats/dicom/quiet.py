"""Keep pydicom and its codecs quiet: their warnings and log records quote values of the header."""

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

_TALKATIVE = ("pydicom", "pylibjpeg", "openjpeg")


def _drop(_: logging.LogRecord) -> bool:
    return False


@contextmanager
def quiet() -> Iterator[None]:
    """Run something of pydicom's without a word from it.

    The filter stays on its loggers for good: taking it off again would let another thread's words
    through.
    """
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_drop)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
