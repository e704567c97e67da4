"""Open a picture within limits: what is too large, damaged or no picture is refused early."""

import io
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import pillow_heif
from PIL import Image, UnidentifiedImageError

from deid.errors import UnreadableFileError

MOST_PIXELS = 120_000_000
"""Pixels of one frame; a 108-megapixel phone photo passes, a bomb does not."""
MOST_TOTAL = 600_000_000
"""Pixels of all frames together."""
MOST_FRAMES = 500

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\xff\xd8\xff", "JPEG"),
    (0, b"\x89PNG\r\n\x1a\n", "PNG"),
    (0, b"GIF87a", "GIF"),
    (0, b"GIF89a", "GIF"),
    (8, b"WEBP", "WEBP"),
    (0, b"II*\x00", "TIFF"),
    (0, b"MM\x00*", "TIFF"),
    (0, b"BM", "BMP"),
    (4, b"ftyp", "HEIF"),
    (0, b"\x00\x00\x00\x0cjP  \r\n\x87\n", "JPEG2000"),
    (0, b"\xff\x4f\xff\x51", "JPEG2000"),
)


def family(data: bytes) -> str | None:
    """Return the family of a picture by its first bytes, or None."""
    return next((n for at, magic, n in _MAGIC if data[at : at + len(magic)] == magic), None)


@cache
def _openers() -> None:
    """Teach Pillow to read HEIC once a picture is really opened, and to keep its log to itself."""
    logging.getLogger("PIL").setLevel(logging.CRITICAL)
    pillow_heif.register_heif_opener()


@contextmanager
def decoding() -> Iterator[None]:
    """Turn what Pillow says while it decodes into our two refusals, its warnings into silence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # our own limits are stricter than Pillow's warning
            yield
    except Image.DecompressionBombError:
        raise too_large() from None
    except (UnidentifiedImageError, *DAMAGED):
        raise damaged() from None


def opened(data: bytes) -> Image.Image:
    """Return the picture, nothing decoded yet.

    Raises:
        UnreadableFileError: damaged, or larger than the limits (``too_large``).
    """
    _openers()
    if data.startswith(b"\x89PNG") and b"IEND" not in data:
        raise damaged()  # Pillow reads a PNG without an end as if nothing were missing
    with decoding():
        image = Image.open(io.BytesIO(data))
    if image.width * image.height > MOST_PIXELS:
        raise too_large()
    return image


DAMAGED = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    IndexError,
    KeyError,
    TypeError,
    OverflowError,
    ZeroDivisionError,
    RuntimeError,
    MemoryError,
)
"""What Pillow and its plug-ins raise on damaged files, whatever its documentation says."""


def frame_count(image: Image.Image) -> int:
    """Return the number of frames or pages.

    Raises:
        UnreadableFileError: more than the limits allow, or a chain of pages that never ends.
    """
    with decoding():
        count = int(getattr(image, "n_frames", 1))
    if count > MOST_FRAMES or count * image.width * image.height > MOST_TOTAL:
        raise too_large()
    return count


def too_large() -> UnreadableFileError:
    """Return the refusal of a picture beyond the limits."""
    return UnreadableFileError(
        "A picture is larger than the limits allow.",
        remedy="Reduce it, or leave it out.",
        reason="too_large",
    )


def damaged() -> UnreadableFileError:
    """Return the refusal of a picture that does not decode to its end."""
    return UnreadableFileError(
        "A picture is damaged or cut off.", remedy="Export it again.", reason="damaged"
    )
