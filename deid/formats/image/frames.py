"""Frames of a picture: decoded one at a time, turned upright, as arrays.

`native` is what gets painted and written: grey, RGB or RGBA in 8 or 16 bits.  `for_detectors` is
what detectors look at: RGB, 8 bit, on a ground on which text shows.
"""

import io
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, ImageOps

from deid.formats.image.opening import decoding, frame_count, opened
from deid.schema import Frame

Native = NDArray[Any]

_DEEP = {"I;16", "I;16B", "I;16L", "I;16N", "I", "F"}
_OPAQUE = 255
_BLACK, _GREY, _WHITE = 0, 127, 255
_INK_DARK, _INK_LIGHT, _BOTH = 60, 195, 0.1
_SEEN_THROUGH = 0.05
_STRIP = 256


class Frames(Sequence[Frame]):
    """The frames of a picture for detectors, decoded when asked for."""

    def __init__(self, data: bytes, count: int) -> None:
        """Read from ``data``; ``count`` frames are used."""
        self._data = data
        self._count = count
        self._last: tuple[int, Frame] | None = None

    def __len__(self) -> int:
        """Return the number of frames."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | Sequence[Frame]:
        """Return frame ``index``."""
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(self._count))]
        if not 0 <= index < self._count:
            raise IndexError(index)
        # Every detector asks for the same frame in turn: the last one is kept, and no other.
        if self._last is None or self._last[0] != index:
            self._last = None
            frame = for_detectors(native(self._data, index))
            frame.flags.writeable = False
            self._last = (index, frame)
        return self._last[1]


def native(data: bytes, index: int) -> Native:
    """Return one frame upright: height x width, or x 3 or x 4; uint8, or uint16 where it was deep.

    Raises:
        UnreadableFileError: the frame does not decode.
    """
    with decoding():
        image = opened(data)
        if index:
            image.seek(index)
        image.load()
        ImageOps.exif_transpose(image, in_place=True)  # a copy would double the memory
        return _array(_in_srgb(image))


def _in_srgb(image: Image.Image) -> Image.Image:
    """Return the picture in sRGB: its profile is not written, and skin must keep its colour."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in {"RGB", "CMYK"}:
        return image
    try:
        given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in ImageCms.getProfileDescription(given):
            return image
        made = ImageCms.profileToProfile(
            image, given, ImageCms.createProfile("sRGB"), outputMode="RGB"
        )
    except (ImageCms.PyCMSError, OSError, TypeError, ValueError):
        return image
    return made or image


def natives(data: bytes, count: int) -> Iterator[Native]:
    """Yield the frames upright, one after the other."""
    for number in range(count):
        yield native(data, number)


def durations(data: bytes) -> list[int]:
    """Return how long each frame of an animation is shown, in milliseconds."""
    image = opened(data)
    shown = []
    with decoding():
        for number in range(frame_count(image)):
            image.seek(number)
            image.load()
            shown.append(int(image.info.get("duration", 0) or 0))
    return shown


def _array(image: Image.Image) -> Native:
    if image.mode in _DEEP:
        return _sixteen(np.asarray(image))
    if image.mode == "1":
        return np.asarray(image.convert("L"))
    if image.mode == "L":
        return np.asarray(image)
    clear = "A" in image.mode or "a" in image.mode or "transparency" in image.info
    wanted = "RGBA" if clear else "RGB"
    return np.asarray(image if image.mode == wanted else image.convert(wanted))


def _sixteen(values: NDArray[Any]) -> Native:
    """Return grey values as 16 bit; floats and wide integers are stretched to fit."""
    if values.dtype == np.uint16:
        return values
    numbers = np.nan_to_num(values.astype(np.float64))
    low, high = float(numbers.min()), float(numbers.max())
    if low >= 0 and high <= np.iinfo(np.uint16).max and np.issubdtype(values.dtype, np.integer):
        return values.astype(np.uint16)
    return ((numbers - low) / max(high - low, 1e-12) * np.iinfo(np.uint16).max).astype(np.uint16)


def for_detectors(array: Native) -> Frame:
    """Return RGB, 8 bit."""
    if array.dtype == np.uint16:
        array = _stretched(array)
    if array.ndim == 2:  # noqa: PLR2004 - rows and columns
        return np.repeat(array[:, :, None], 3, axis=2)
    if array.shape[2] == 4:  # noqa: PLR2004 - RGB and alpha
        return _grounded(array)
    return np.ascontiguousarray(array)


def _stretched(array: NDArray[np.uint16]) -> NDArray[np.uint8]:
    low, high = np.percentile(array, (0.5, 99.5))
    scaled = (array.astype(np.float32) - low) / max(float(high - low), 1.0)
    eight: NDArray[np.uint8] = (np.clip(scaled, 0, 1) * 255).astype(np.uint8)
    return eight


def _grounded(array: NDArray[np.uint8]) -> Frame:
    """Lay a picture that can be seen through on a ground on which its ink shows."""
    colour, alpha = array[:, :, :3], array[:, :, 3]
    if int(alpha.min()) == _OPAQUE:
        return np.ascontiguousarray(colour)
    ground = _ground(colour, alpha)
    laid = np.empty_like(colour, order="C")
    # Strips, because whole pictures as floats would take nine times their bytes.
    for top in range(0, len(array), _STRIP):
        share = alpha[top : top + _STRIP, :, None].astype(np.float32) / _OPAQUE
        laid[top : top + _STRIP] = colour[top : top + _STRIP] * share + ground * (1 - share)
    return laid


def _ground(colour: NDArray[np.uint8], alpha: NDArray[np.uint8]) -> int:
    """Return white for dark ink, black for light ink, grey where there is ink of both."""
    if float((alpha < _OPAQUE // 2).mean()) <= _SEEN_THROUGH:
        return _WHITE
    ink = colour[alpha >= _OPAQUE // 2].mean(axis=1)
    if not len(ink):
        return _WHITE
    dark, light = float((ink < _INK_DARK).mean()), float((ink > _INK_LIGHT).mean())
    if min(dark, light) > _BOTH:
        return _GREY
    return _BLACK if float(ink.mean()) > _GREY else _WHITE
