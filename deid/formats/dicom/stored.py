"""Change stored pixels: paint regions in the photometric black, drop what is no pixel.

Uncompressed pixels are painted in place and keep every other bit.  Compressed ones keep their
coefficients where nothing is painted; where something is, all frames become native.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydicom.dataset import Dataset
from pydicom.encaps import encapsulate, generate_frames
from pydicom.pixels import apply_color_lut
from pydicom.uid import ExplicitVRBigEndian, ExplicitVRLittleEndian

from deid.apply.pixels import paint
from deid.formats.dicom.codestream import strip_frame
from deid.formats.dicom.elements import walk
from deid.formats.dicom.pixels import guarded, stored_frame, undecodable
from deid.geometry import scale
from deid.schema import Box

Boxes = Callable[[int], list[Box]]
"""The boxes to paint in a frame."""
_ALWAYS_LOSSY = frozenset({"1.2.840.10008.1.2.4.50", "1.2.840.10008.1.2.4.51"})
_FLOATS = {"FloatPixelData": "<f4", "DoubleFloatPixelData": "<f8"}
_BYTE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """How one frame lies in memory; ``bits`` is what one pixel sample takes."""

    rows: int
    columns: int
    samples: int
    bits: int
    planar: bool
    photometric: str
    signed: bool

    @property
    def halved(self) -> bool:
        """Say whether two pixels share their colour (native YBR_FULL_422: Y Y Cb Cr)."""
        return self.photometric.endswith("_422")

    @property
    def size(self) -> int:
        """Return the number of samples of a frame."""
        return self.rows * self.columns * (2 if self.halved else self.samples)


def settle(dataset: Dataset, count: int, boxes: Boxes, *, painted: bool) -> None:
    """Paint the boxes of each frame and leave nothing in the pixel element but pixels.

    ``dataset.file_meta.TransferSyntaxUID`` says afterwards how the pixels are stored.

    Raises:
        UnreadableFileError: the pixels do not decode, or there are fewer than the header says.
    """
    syntax = dataset.file_meta.TransferSyntaxUID
    with guarded():
        if painted and (syntax.is_encapsulated or syntax == ExplicitVRBigEndian):
            _decoded(dataset, count, boxes)
        elif syntax.is_encapsulated:
            _strip(dataset, count)
        else:
            _native(dataset, count, boxes, painted=painted)


def _strip(dataset: Dataset, count: int) -> None:
    """Write the same code streams again, each without comments and tail, offsets made anew."""
    syntax, area = str(dataset.file_meta.TransferSyntaxUID), dataset.Rows * dataset.Columns
    frames = list(generate_frames(dataset.PixelData, number_of_frames=count))
    if len(frames) != count:
        raise undecodable()
    dataset.PixelData = encapsulate([strip_frame(f, syntax, area) for f in frames])
    dataset["PixelData"].VR = "OB"
    _forget_offsets(dataset)


def _forget_offsets(dataset: Dataset) -> None:
    for keyword in ("ExtendedOffsetTable", "ExtendedOffsetTableLengths"):
        if keyword in dataset:
            del dataset[keyword]


def _decoded(dataset: Dataset, count: int, boxes: Boxes) -> None:
    """Decode, paint and store all frames uncompressed, colours as RGB."""
    source = str(dataset.file_meta.TransferSyntaxUID)
    layout = _layout(dataset)
    colour = layout.samples > 1
    photometric = "RGB" if colour else layout.photometric
    kind = np.dtype(f"<{'i' if layout.signed else 'u'}{max(1, layout.bits // _BYTE)}")
    made = bytearray()
    for number in range(count):
        frame = stored_frame(dataset, number).astype(kind)
        paint(frame, boxes(number), _black(dataset, frame, photometric))
        made += frame.tobytes()
    dataset.PixelData = bytes(made) + b"\x00" * (len(made) % 2)
    dataset["PixelData"].VR = "OB" if layout.bits <= _BYTE else "OW"
    if colour:
        dataset.PhotometricInterpretation, dataset.PlanarConfiguration = "RGB", 0
    if source in _ALWAYS_LOSSY and not dataset.get("LossyImageCompression"):
        dataset.LossyImageCompression = "01"
    _forget_offsets(dataset)
    if source == ExplicitVRBigEndian:
        _turn_words(dataset)
    dataset.set_original_encoding(is_implicit_vr=False, is_little_endian=True)
    dataset.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian


def _turn_words(dataset: Dataset) -> None:
    """Turn the bytes of 16-bit words, which pydicom leaves as they came (palettes, tables)."""
    for _, owner, element in walk(dataset):
        if element.VR == "OW" and element.keyword != "PixelData" and element.value:
            words = np.frombuffer(bytes(element.value), ">u2")
            owner[element.tag].value = words.astype("<u2").tobytes()


def _native(dataset: Dataset, count: int, boxes: Boxes, *, painted: bool) -> None:
    layout = _layout(dataset)
    keyword = next(k for k in ("PixelData", *_FLOATS) if k in dataset)
    data = dataset[keyword].value
    bits = layout.size * count * layout.bits
    wanted = -(-bits // _BYTE)
    if len(data) < wanted:
        raise undecodable()
    if dataset.file_meta.TransferSyntaxUID == ExplicitVRBigEndian:
        wanted += wanted % 2  # bytes lie swapped in words: the last one may lie behind its padding
    held = bytearray(data[:wanted])
    if keyword in _FLOATS:
        _paint_all(dataset, _views(held, layout, _FLOATS[keyword]), layout, boxes)
    elif layout.bits == 1:
        held = _bitwise(held, layout, count, boxes) if painted else held
    elif dataset.file_meta.TransferSyntaxUID != ExplicitVRBigEndian:
        sort = f"<{'i' if layout.signed else 'u'}{layout.bits // _BYTE}"
        _drop_unused_bits(dataset, held, layout)
        _paint_all(dataset, _views(held, layout, sort), layout, boxes)
    dataset[keyword].value = bytes(held) + b"\x00" * (len(held) % 2)


def _views(held: bytearray, layout: _Layout, sort: str) -> Iterator[NDArray[Any]]:
    """Yield each frame as rows x columns [x samples], sharing memory with ``held``."""
    flat = np.frombuffer(held, np.dtype(sort))
    for start in range(0, len(flat), layout.size):
        frame = flat[start : start + layout.size]
        if layout.halved:
            yield frame.reshape(layout.rows, layout.columns // 2, 4)
        elif layout.samples == 1:
            yield frame.reshape(layout.rows, layout.columns)
        elif layout.planar:
            planes = frame.reshape(layout.samples, layout.rows, layout.columns)
            yield np.moveaxis(planes, 0, 2)
        else:
            yield frame.reshape(layout.rows, layout.columns, layout.samples)


def _paint_all(
    dataset: Dataset, frames: Iterator[NDArray[Any]], layout: _Layout, boxes: Boxes
) -> None:
    for number, frame in enumerate(frames):
        places = boxes(number)
        if places:
            if layout.halved:
                places = [scale(box, 0.5, 1.0) for box in places]
            paint(frame, places, _black(dataset, frame, layout.photometric))


def _bitwise(held: bytearray, layout: _Layout, count: int, boxes: Boxes) -> bytearray:
    """Paint pixels of one bit: frames follow each other without padding (PS3.5 8.1.1)."""
    bits = np.unpackbits(np.frombuffer(held, np.uint8), bitorder="little")
    for number in range(count):
        frame = bits[number * layout.size : (number + 1) * layout.size]
        paint(frame.reshape(layout.rows, layout.columns), boxes(number), 0)
    return bytearray(np.packbits(bits, bitorder="little").tobytes())


def _drop_unused_bits(dataset: Dataset, held: bytearray, layout: _Layout) -> None:
    """Clear bits above the stored ones: retired overlays lived there (PS3.5-2004 8.1.2)."""
    unused = layout.bits - int(dataset.get("HighBit", layout.bits - 1)) - 1
    if not 0 < unused < layout.bits or layout.halved:
        return
    flat = np.frombuffer(held, np.dtype(f"<{'i' if layout.signed else 'u'}{layout.bits // _BYTE}"))
    for start in range(0, len(flat), layout.size):
        frame = flat[start : start + layout.size]
        # A shift to and fro clears the bits, and repeats the sign of signed values.
        clean = (frame << unused) >> unused
        if not np.array_equal(clean, frame):
            frame[:] = clean


def _layout(dataset: Dataset) -> _Layout:
    return _Layout(
        rows=int(dataset.Rows),
        columns=int(dataset.Columns),
        samples=int(dataset.get("SamplesPerPixel", 1)),
        bits=int(dataset.BitsAllocated),
        planar=int(dataset.get("PlanarConfiguration") or 0) == 1,
        photometric=str(dataset.get("PhotometricInterpretation", "MONOCHROME2")),
        signed=bool(dataset.get("PixelRepresentation", 0)),
    )


def _black(dataset: Dataset, frame: NDArray[Any], photometric: str) -> Any:  # noqa: ANN401 - a number or one per sample
    """Return the stored value, or one for each sample, that is shown black."""
    if photometric.startswith("YBR"):
        half = 1 << (int(dataset.BitsStored) - 1)
        luma = 16 if "PARTIAL" in photometric else 0
        return (luma, luma, half, half) if photometric.endswith("_422") else (luma, half, half)
    match photometric:
        case "MONOCHROME1":
            return frame.max()
        case "PALETTE COLOR":
            return _darkest(dataset, frame)
        case "MONOCHROME2":
            return frame.min()
        case _:
            return 0


def _darkest(dataset: Dataset, frame: NDArray[Any]) -> int:
    """Return the palette index, among those the frame can hold, with the darkest colour."""
    entries = np.arange(int(frame.max()) + 1, dtype=frame.dtype)[None]
    shades = apply_color_lut(entries, dataset)
    return int(np.argmin(shades.astype(np.int64).sum(axis=2)[0]))
