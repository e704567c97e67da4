"""Plants invented people in every corner of a DICOM object, a marker of its own for each place."""

import io
from collections.abc import Callable

from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset
from pydicom.encaps import encapsulate, generate_frames
from pydicom.sequence import Sequence
from pydicom.uid import ExplicitVRLittleEndian

CHINESE = "虞测安"
HINT = "Quill"
"""Every marker begins with this; a detector of tests finds it in free text."""


def marker(number: int) -> str:
    """Return the marker of a place: twelve letters, digits and no blank, upper or lower alike."""
    return f"{HINT}{number:03d}zorn"


def _item(**values: object) -> Dataset:
    item = Dataset()
    for keyword, value in values.items():
        setattr(item, keyword, value)
    return item


def _names(ds: Dataset, m: str) -> None:
    ds.PatientName = f"{m}^Given=={m}"


def _numbers(ds: Dataset, m: str) -> None:
    ds.PatientID, ds.AccessionNumber, ds.OtherPatientIDs = m, m, [m, m]


def _descriptors(ds: Dataset, m: str) -> None:
    ds.StudyDescription = ds.SeriesDescription = f"chest {m}"
    ds.ImageComments = f"cough for 3 days, {m}"


def _listed_sequence(ds: Dataset, m: str) -> None:
    ds.RequestAttributesSequence = Sequence([_item(RequestedProcedureDescription=m)])


def _unlisted_sequence(ds: Dataset, m: str) -> None:
    ds.DerivationCodeSequence = Sequence([_item(PhysiciansOfRecord=m, CodeMeaning=m)])


def _deep(ds: Dataset, m: str) -> None:
    item = _item(PatientName=m, PatientID=m)
    for _ in range(8):
        item = _item(DerivationCodeSequence=Sequence([item]))
    ds.ReferencedImageSequence = Sequence([item])


def _report(ds: Dataset, m: str) -> None:
    text = _item(ValueType="TEXT", TextValue=f"finding, {m}")
    person = _item(ValueType="PNAME", PersonName=m)
    ds.ContentSequence = Sequence([text, person])


def _graphics(ds: Dataset, m: str) -> None:
    words = _item(UnformattedTextValue=m)
    ds.GraphicAnnotationSequence = Sequence([_item(TextObjectSequence=Sequence([words]))])


def _private(ds: Dataset, m: str) -> None:
    block = ds.private_block(0x0029, f"ACME {m}", create=True)
    block.add_new(0x01, "LO", m)
    block.add_new(0x02, "SQ", Sequence([_item(PatientName=m)]))


def _unknown_representation(ds: Dataset, m: str) -> None:
    ds[0x00104000] = DataElement(0x00104000, "UN", m.encode())
    ds[0x00100012] = DataElement(0x00100012, "UN", m.encode())


def _overlay(ds: Dataset, m: str) -> None:
    ds.add_new(0x60003000, "OW", m.encode())
    ds.add_new(0x60004000, "LT", m)
    ds.add_new(0x60020022, "LO", m)


def _curve(ds: Dataset, m: str) -> None:
    ds.add_new(0x50003000, "OW", m.encode())
    ds.add_new(0x50000022, "LO", m)


def _icon(ds: Dataset, m: str) -> None:
    ds.IconImageSequence = Sequence([_item(PixelData=m.encode())])
    ds.IconImageSequence[0]["PixelData"].VR = "OB"


def _original(ds: Dataset, m: str) -> None:
    ds.OriginalAttributesSequence = Sequence(
        [
            _item(
                ModifiedAttributesSequence=Sequence([_item(PatientName=m)]),
                SourceOfPreviousValues=m,
            )
        ]
    )


def _equipment(ds: Dataset, m: str) -> None:
    ds.ContributingEquipmentSequence = Sequence([_item(InstitutionName=m, OperatorsName=m)])
    ds.StationName, ds.DeviceSerialNumber, ds.InstitutionAddress = m, m, m


def _signatures(ds: Dataset, m: str) -> None:
    ds.DigitalSignaturesSequence = Sequence([_item(CertificateOfSigner=m.encode())])


def _padding(ds: Dataset, m: str) -> None:
    ds.add_new(0xFFFCFFFC, "OB", m.encode())


def _code_string(ds: Dataset, m: str) -> None:
    ds.PatientOrientation = [m.upper(), "L"]
    ds.add_new(0x00185101, "CS", m)


def _wrong_values(ds: Dataset, m: str) -> None:
    ds[0x00181151] = DataElement(0x00181151, "LO", m)  # an integer string by the dictionary
    ds[0x00180050] = DataElement(0x00180050, "SH", m)
    ds[0x00080061] = DataElement(0x00080061, "LO", m)


def _bulk(ds: Dataset, m: str) -> None:
    ds.add_new(0x00282000, "OB", m.encode())
    ds.add_new(0x00420012, "LO", m)
    ds.add_new(0x00720066, "OB", m.encode())


def _uids(ds: Dataset, m: str) -> None:
    ds.InstanceCreatorUID = ds.FrameOfReferenceUID = m
    ds.ReferencedImageSequence = Sequence(
        [*ds.get("ReferencedImageSequence", []), _item(ReferencedSOPInstanceUID=m)]
    )


def _times(ds: Dataset, m: str) -> None:
    ds[0x00080023] = DataElement(0x00080023, "LO", m)
    ds[0x0008002A] = DataElement(0x0008002A, "LO", m)


def _addresses(ds: Dataset, m: str) -> None:
    ds.RetrieveURL = ds.RetrieveURI = f"https://{m}.example/"
    ds.RetrieveAETitle = m


PLACES: tuple[tuple[str, Callable[[Dataset, str], None]], ...] = (
    ("names", _names),
    ("numbers", _numbers),
    ("descriptors", _descriptors),
    ("listed sequence", _listed_sequence),
    ("unlisted sequence", _unlisted_sequence),
    ("deep", _deep),
    ("report", _report),
    ("graphics", _graphics),
    ("private", _private),
    ("UN", _unknown_representation),
    ("overlay", _overlay),
    ("curve", _curve),
    ("icon", _icon),
    ("original attributes", _original),
    ("equipment", _equipment),
    ("signatures", _signatures),
    ("padding", _padding),
    ("code string", _code_string),
    ("wrong VR", _wrong_values),
    ("bulk", _bulk),
    ("UIDs", _uids),
    ("times", _times),
    ("addresses", _addresses),
)


def plant(dataset: Dataset) -> tuple[bytes, dict[str, str]]:
    """Plant in every place of ``dataset``; return the file's bytes and the marker of each place.

    A place that the object cannot hold is left out.
    """
    markers = {}
    for number, (place, put) in enumerate(PLACES):
        put(dataset, marker(number))
        markers[place] = marker(number)
    dataset.SpecificCharacterSet = "GB18030"
    dataset.PatientName = f"{markers['names']}^Given={CHINESE}={markers['names']}"
    dataset.ReferringPhysicianName = CHINESE
    _pixels(dataset, markers)
    meta = dataset.file_meta
    markers["file meta"], markers["preamble"] = marker(90), marker(91)
    meta.SourceApplicationEntityTitle = markers["file meta"]
    meta.PrivateInformationCreatorUID = "1.2.3"
    meta.PrivateInformation = markers["file meta"].encode()
    dataset.preamble = markers["preamble"].encode().ljust(128, b"\0")
    file = io.BytesIO()
    dataset.save_as(file, enforce_file_format=True)
    return file.getvalue(), markers


def _pixels(dataset: Dataset, markers: dict[str, str]) -> None:
    """Hide a marker behind the pixels, or in a comment of the code stream."""
    if "PixelData" not in dataset:
        return
    syntax = dataset.file_meta.get("TransferSyntaxUID", ExplicitVRLittleEndian)
    text = marker(95).encode()
    if not syntax.is_encapsulated:
        dataset.PixelData = bytes(dataset.PixelData) + text
        markers["behind pixels"] = marker(95)
        return
    count = int(dataset.get("NumberOfFrames") or 1)
    frames = list(generate_frames(dataset.PixelData, number_of_frames=count))
    if all(f[:2] == b"\xff\xd8" for f in frames):
        segment = b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text
        frames = [f[:2] + segment + f[2:].rstrip(b"\0") + text for f in frames]
    elif all(f[:4] == b"\xff\x4f\xff\x51" for f in frames):
        end = [4 + int.from_bytes(f[4:6], "big") for f in frames]
        segment = b"\xff\x64" + (len(text) + 4).to_bytes(2, "big") + b"\x00\x01" + text
        frames = [
            f[:e] + segment + f[e:].rstrip(b"\0") + text for f, e in zip(frames, end, strict=True)
        ]
    else:
        frames = [f + text for f in frames]
    dataset.PixelData = encapsulate(frames)
    markers["code stream"] = marker(95)
