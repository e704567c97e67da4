"""Frames of a DICOM object as a viewer would show them, for detectors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.pixels import (
    apply_color_lut,
    apply_modality_lut,
    apply_voi_lut,
    get_decoder,
    pixel_array,
)
from pydicom.uid import UID

from deid.errors import UnreadableFileError
from deid.formats.dicom.quiet import quiet
from deid.schema import Frame

_GREY = 2


def undecodable() -> UnreadableFileError:
    """Return the refusal of pixels that no codec decodes."""
    return UnreadableFileError(
        "The pixels of a DICOM file do not decode.",
        remedy="Convert it to an uncompressed transfer syntax, or leave it out.",
        reason="pixels_undecodable",
    )


@contextmanager
def guarded() -> Iterator[None]:
    """Run codecs: on damaged pixels they raise anything."""
    try:
        with quiet():
            yield
    except UnreadableFileError:
        raise
    except Exception:  # noqa: BLE001 - as the docstring says
        raise undecodable() from None


def stored_frame(dataset: Dataset, index: int) -> NDArray[Any]:
    """Return frame ``index`` decoded, YBR as RGB, by the first of pydicom's plug-ins that can.

    GDCM is never asked, though others may have installed it: it ends the whole process on some
    damaged JPEG streams (measured with python-gdcm 3.2.6).

    Raises:
        UnreadableFileError: no plug-in decodes it.
    """
    syntax = dataset.file_meta.TransferSyntaxUID
    if not syntax.is_encapsulated:
        with guarded():
            native: NDArray[Any] = pixel_array(dataset, index=index)
            return native
    for name in _plugins(syntax):
        with suppress(UnreadableFileError), guarded():
            decoded: NDArray[Any] = pixel_array(dataset, index=index, decoding_plugin=name)
            return decoded
    raise undecodable()


def _plugins(syntax: UID) -> list[str]:
    with guarded():
        return [name for name in get_decoder(syntax).available_plugins if name != "gdcm"]


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
        with guarded():
            return _rendered(self._dataset, stored_frame(self._dataset, index))


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
    # Floats may hold infinities and no numbers at all, which would blank the whole frame.
    numbers = np.nan_to_num(values.astype(np.float32), posinf=0.0, neginf=0.0)
    low, high = float(numbers.min()), float(numbers.max())
    return ((numbers - low) / max(high - low, 1e-6) * 255).astype(np.uint8)
