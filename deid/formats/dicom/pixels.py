"""Pixels of a DICOM object: rendered for detectors, painted in stored values."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.pixels import (
    apply_color_lut,
    apply_modality_lut,
    apply_voi_lut,
    convert_color_space,
    pixel_array,
)

from deid.apply.pixels import paint
from deid.errors import UnreadableFileError
from deid.schema import Box, Frame

_GREY = 2


def undecodable() -> UnreadableFileError:
    """Return the refusal of pixels that no codec decodes."""
    return UnreadableFileError(
        "The pixels of a DICOM file do not decode.",
        remedy="Convert it to an uncompressed transfer syntax, or leave it out.",
        reason="pixels_undecodable",
    )


class Frames(Sequence[Frame]):
    """Frames rendered as a viewer would show them, one decoded at a time."""

    def __init__(self, dataset: Dataset, count: int) -> None:
        """Read from ``dataset``."""
        self._dataset = dataset
        self._count = count

    def __len__(self) -> int:
        """Return the number of frames."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Frame]: ...
    def __getitem__(self, index: int | slice) -> Frame | Sequence[Frame]:
        """Return frame ``index`` as RGB, 8 bit."""
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(self._count))]
        if not 0 <= index < self._count:
            raise IndexError(index)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # pydicom's warnings quote values
                return _rendered(self._dataset, pixel_array(self._dataset, index=index))
        except Exception:  # noqa: BLE001 - codecs raise anything
            raise undecodable() from None


def _rendered(dataset: Dataset, stored: NDArray[Any]) -> Frame:
    photometric = str(dataset.PhotometricInterpretation)
    if photometric == "PALETTE COLOR":
        return _eight(apply_color_lut(stored, dataset))
    if stored.ndim > _GREY:
        return _eight(stored, as_is=True)
    grey = apply_voi_lut(apply_modality_lut(stored, dataset), dataset)
    shown = _eight(grey)
    if photometric == "MONOCHROME1":
        shown = 255 - shown
    return np.repeat(shown[:, :, None], 3, axis=2)


def _eight(values: NDArray[Any], *, as_is: bool = False) -> NDArray[np.uint8]:
    if as_is and values.dtype == np.uint8:
        return np.ascontiguousarray(values[:, :, :3])
    numbers = values.astype(np.float32)
    low, high = float(numbers.min()), float(numbers.max())
    return ((numbers - low) / max(high - low, 1e-6) * 255).astype(np.uint8)


def paint_stored(dataset: Dataset, count: int, boxes: Callable[[int], list[Box]]) -> None:
    """Paint the boxes of each frame in stored values; compressed pixels become native.

    Raises:
        UnreadableFileError: the pixels do not decode.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if dataset.file_meta.TransferSyntaxUID.is_compressed:
                dataset.decompress()
            stored = np.array(dataset.pixel_array)
            if str(dataset.PhotometricInterpretation).startswith("YBR"):
                photometric = str(dataset.PhotometricInterpretation)
                stored = convert_color_space(stored, photometric, "RGB", per_frame=True)
                dataset.PhotometricInterpretation = "RGB"
    except Exception:  # noqa: BLE001 - codecs raise anything
        raise undecodable() from None
    frames = stored if count > 1 else stored[None]
    for number in range(count):
        paint(frames[number], boxes(number), _black(dataset, frames[number]))
    if stored.ndim == len(frames.shape) and "PlanarConfiguration" in dataset:
        dataset.PlanarConfiguration = 0
    if "PlanarConfiguration" in dataset:
        dataset.PlanarConfiguration = 0
    data = frames.astype(_stored_type(dataset), copy=False).tobytes()
    dataset.PixelData = data + b"\x00" * (len(data) % 2)
    dataset["PixelData"].VR = "OB" if dataset.BitsAllocated <= 8 else "OW"  # noqa: PLR2004 - PS3.5 A.2


def _stored_type(dataset: Dataset) -> np.dtype[Any]:
    sign = "i" if dataset.get("PixelRepresentation", 0) else "u"
    return np.dtype(f"<{sign}{max(1, dataset.BitsAllocated // 8)}")


def _black(dataset: Dataset, frame: NDArray[Any]) -> int:
    """Return the stored value that is shown black."""
    match str(dataset.PhotometricInterpretation):
        case "MONOCHROME1":
            return int(frame.max())
        case "PALETTE COLOR":
            shades = apply_color_lut(
                np.arange(int(frame.max()) + 1, dtype=frame.dtype)[None], dataset
            )
            return int(np.argmin(shades.astype(np.int64).sum(axis=2)[0]))
        case "MONOCHROME2":
            return int(frame.min())
        case _:
            return 0
