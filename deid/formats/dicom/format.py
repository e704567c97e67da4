"""The format itself: read elements and pixels, write them back as decided."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath

from pydicom import dcmread
from pydicom.datadict import dictionary_has_tag
from pydicom.dataset import Dataset, FileMetaDataset

from deid.apply.pixels import masks
from deid.apply.tags import Secrets
from deid.apply.text import changes
from deid.detect.tags import SCANNED
from deid.errors import DeidError, UnreadableFileError
from deid.formats.dicom.clean import Decisions, clean, text_of
from deid.formats.dicom.declare import declare
from deid.formats.dicom.elements import TEXT_VRS, read_texts, walk
from deid.formats.dicom.pixels import Frames
from deid.formats.dicom.quiet import quiet
from deid.formats.dicom.stored import settle
from deid.jsonl import write_whole
from deid.schema import Document, ImagePart, PartId, Plan, Tag, TagPart, TextPart

_PREAMBLE = 128
_DIRECTORY = "1.2.840.10008.1.3.10"
_PIXELS = ("PixelData", "FloatPixelData", "DoubleFloatPixelData")
_WITHOUT_TEXT = frozenset({"SQ", "OB", "OD", "OF", "OL", "OV", "OW", "UN"})
_TELLING = ("SOPClassUID", "Modality", "Rows", "PatientID", "PatientName")
"""One of these makes a data set without DICOM's mark a DICOM object."""
_FIRST_GROUPS = (b"\x08\x00", b"\x02\x00", b"\x00\x08", b"\x00\x02")
_VRS = frozenset({b"CS", b"UI", b"DA", b"TM", b"SH", b"LO", b"UL", b"OB", b"PN", b"SQ"})
_MOST_PIXELS = 600_000_000


@dataclass(frozen=True, slots=True)
class _State:
    """The data set as read: parsing is most of the work on an object without pixels."""

    dataset: Dataset
    frames: int


class DicomFormat:
    """A `deid.ports.Format`.

    ``pixels_checked`` says that whoever writes has shown every frame to the detectors; without it
    the header must not claim that burnt-in text is gone.
    """

    name = "dicom"

    def __init__(self, key: bytes, *, pixels_checked: bool = True, shift_days: int = 365) -> None:
        """Make stand-ins with ``key``; dates move ``shift_days`` at most where the plan says so."""
        self._key = key
        self._shift_days = shift_days
        self._pixels_checked = pixels_checked

    def sniff(self, data: bytes) -> bool:
        """Say whether the data have DICOM's mark, or begin like a data set without a preamble."""
        if data[_PREAMBLE : _PREAMBLE + 4] == b"DICM":
            return True
        return data[:2] in _FIRST_GROUPS and (data[4:6] in _VRS or data[6:8] == b"\x00\x00")

    def read(self, data: bytes, part: PartId) -> Document:
        """Return elements, free texts and frames.

        Raises:
            UnreadableFileError: no DICOM (``no_dicom``), a directory (``dicomdir``), an
                encapsulated document, pixels that do not decode, sequences too deep, other damage.
        """
        with _edge():
            return _document(_parsed(data), part)

    def write(self, document: Document, plan: Plan, dest: PurePath) -> None:
        """Write the object anew: elements as decided, regions painted, nothing else taken over.

        Raises:
            UnreadableFileError: the object cannot be written.
        """
        state = document.state
        if not isinstance(state, _State):
            raise TypeError(type(state).__name__)
        with _edge():
            self._apply(state, plan, document.part)
            data = _encoded(state.dataset)
        write_whole(Path(dest), [data])

    def _apply(self, state: _State, plan: Plan, part: PartId) -> None:
        dataset = state.dataset
        if state.frames:
            painted = any(masks(plan, part, n) for n in range(state.frames))
            settle(dataset, state.frames, lambda n: masks(plan, part, n), painted=painted)
        tags = {
            d.where.path: d
            for d in plan.decisions
            if isinstance(d.where, Tag) and d.where.part == part
        }
        patient = str(dataset.get("PatientID") or dataset.get("PatientName") or "").strip()
        secrets = Secrets(self._key, patient, self._shift_days)
        clean(dataset, Decisions(part, tags, changes(plan), secrets))
        declare(dataset, plan, part, looked=self._pixels_checked, has_pixels=bool(state.frames))


def _document(dataset: Dataset, part: PartId) -> Document:
    count = _frames(dataset)
    tags, texts = [], []
    for path, _, element in walk(dataset):
        value = "" if element.VR in _WITHOUT_TEXT else text_of(element)
        tags.append(TagPart(part, path, str(element.VR), value))
        if element.VR in SCANNED and value:
            texts.append(TextPart(PartId(f"{part}#{path}"), value))
    image = None
    if count:
        pixels = Frames(dataset, count)
        first = pixels[0]
        image = ImagePart(part, first.shape[1], first.shape[0], pixels)
    return Document(
        part=part,
        format=str(dataset.get("SOPClassUID", "")),
        suffix=".dcm",
        image=image,
        texts=tuple(texts),
        tags=tuple(tags),
        state=_State(dataset, count),
    )


@contextmanager
def _edge() -> Iterator[None]:
    """Let nothing of pydicom's out: its warnings quote values, its exceptions too."""
    try:
        with quiet():
            yield
    except DeidError:
        raise
    except RecursionError:
        raise _refused("too_deep") from None
    except Exception:  # noqa: BLE001 - pydicom and its codecs raise anything on damaged files
        raise _refused("damaged") from None


def _refused(reason: str) -> UnreadableFileError:
    return UnreadableFileError(
        f"A DICOM file cannot be used ({reason.replace('_', ' ')}).",
        remedy="Export it again, or leave it out.",
        reason=reason,
    )


def _parsed(data: bytes) -> Dataset:
    dataset: Dataset = dcmread(io.BytesIO(data), force=True)
    # Looking at tags alone leaves the values as they came, for `read_texts` to decode.
    tags = list(dataset.keys())
    marked = data[_PREAMBLE : _PREAMBLE + 4] == b"DICM"
    telling = any(name in dataset for name in _TELLING)
    if not any(dictionary_has_tag(tag) for tag in tags) or not (marked or telling):
        raise _refused("no_dicom")
    meta = dataset.file_meta if hasattr(dataset, "file_meta") else None
    if meta is not None and str(meta.get("MediaStorageSOPClassUID", "")) == _DIRECTORY:
        raise _refused("dicomdir")
    if "DirectoryRecordSequence" in dataset:
        raise _refused("dicomdir")
    if "EncapsulatedDocument" in dataset:
        raise _refused("encapsulated_document")
    if meta is None or "TransferSyntaxUID" not in meta:
        dataset.file_meta = meta if meta is not None else FileMetaDataset()
        dataset.file_meta.TransferSyntaxUID = _guessed_syntax(dataset)
    read_texts(dataset)
    return dataset


def _guessed_syntax(dataset: Dataset) -> str:
    implicit, little = dataset.original_encoding
    if implicit:
        return "1.2.840.10008.1.2"
    return "1.2.840.10008.1.2.1" if little else "1.2.840.10008.1.2.2"


def _frames(dataset: Dataset) -> int:
    if not any(name in dataset for name in _PIXELS):
        return 0
    try:
        count = max(1, int(dataset.get("NumberOfFrames") or 1))
        total = count * int(dataset.Rows) * int(dataset.Columns)
    except (AttributeError, TypeError, ValueError):
        raise _refused("pixels_undecodable") from None
    if total > _MOST_PIXELS:
        raise _refused("too_large")
    return count


def _encoded(dataset: Dataset) -> bytes:
    syntax = dataset.file_meta.TransferSyntaxUID
    meta = FileMetaDataset()
    meta.TransferSyntaxUID = syntax
    meta.MediaStorageSOPClassUID = dataset.get("SOPClassUID", "1.2.840.10008.5.1.4.1.1.7")
    meta.MediaStorageSOPInstanceUID = dataset.get("SOPInstanceUID", "2.25.0")
    dataset.file_meta = meta
    dataset.preamble = b"\x00" * _PREAMBLE
    _speak_utf8(dataset)
    file = io.BytesIO()
    dataset.save_as(file, enforce_file_format=True)
    return file.getvalue()


def _speak_utf8(dataset: Dataset) -> None:
    """Set one character set for all texts, so that what is written matches what it claims."""
    for _, owner, element in list(walk(dataset)):
        if element.keyword == "SpecificCharacterSet":
            del owner[element.tag]
        elif element.VR in TEXT_VRS and element.value:
            text = text_of(element)
            element.value = (
                text.split("\\") if "\\" in text and element.VR not in {"LT", "ST", "UT"} else text
            )
    dataset.SpecificCharacterSet = "ISO_IR 192"
