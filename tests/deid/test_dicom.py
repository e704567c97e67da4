import csv
import io
from importlib import resources
from pathlib import Path

import numpy as np
import pydicom
import pytest
from pydicom.data import get_testdata_file
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import ExplicitVRLittleEndian, ImplicitVRLittleEndian, RLELossless

from deid.config import load_config
from deid.detect.tags import detect_tags
from deid.dicom_profile import last_tag, profile_row
from deid.errors import InputError, UnreadableFileError
from deid.formats import choose, formats
from deid.formats.dicom import DicomFormat
from deid.plan import plan
from deid.presidio import PresidioText
from deid.schema import Box, CaseId, Document, Finding, Kind, PartId, Region, Tag, TagPart
from tests.sweep import find_planted

KEY = b"k" * 32
PART = PartId("t0.0")
NAME, CHINESE, NUMBER, PHONE = "Quillfeather", "虞测安", "ZY20991234", "13800138000"
PLANTED = [NAME, CHINESE, NUMBER, PHONE]
SAMPLES = Path(pydicom.__file__).parent / "data" / "test_files"


def saved(dataset: Dataset) -> bytes:
    file = io.BytesIO()
    dataset.save_as(file, enforce_file_format=True)
    return file.getvalue()


def object_of(
    pixels: np.ndarray | None = None,
    *,
    photometric: str = "MONOCHROME2",
    syntax: str = ExplicitVRLittleEndian,
) -> Dataset:
    """Return an object with somebody in every place of its header."""
    dataset = Dataset()
    dataset.file_meta = FileMetaDataset()
    dataset.file_meta.TransferSyntaxUID = syntax
    dataset.file_meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.7"
    dataset.file_meta.MediaStorageSOPInstanceUID = "1.2.3.4.5"
    dataset.SpecificCharacterSet = "GB18030"
    dataset.SOPClassUID, dataset.SOPInstanceUID = "1.2.840.10008.5.1.4.1.1.7", "1.2.3.4.5"
    dataset.StudyInstanceUID, dataset.SeriesInstanceUID = "1.2.3.4", "1.2.3.4.6"
    dataset.PatientName, dataset.PatientID = f"Yu^Cean={CHINESE}", NUMBER
    dataset.PatientSex, dataset.PatientAge, dataset.PatientBirthDate = "F", "045Y", "19800101"
    dataset.ReferringPhysicianName, dataset.InstitutionName = NAME, f"{CHINESE}医院"
    dataset.PatientTelephoneNumbers, dataset.StudyDate = PHONE, "20250304"
    dataset.ImageComments = f"患者{CHINESE}，咳嗽3天，联系电话{PHONE}"
    dataset.StudyDescription, dataset.Modality = "胸部平片", "OT"
    item = Dataset()
    item.PatientID, item.ReferencedSOPInstanceUID = NUMBER, "1.2.3.4.5"
    item.ReferencedSOPClassUID = "1.2.840.10008.5.1.4.1.1.7"
    inner = Dataset()
    inner.PersonName = CHINESE
    item.add_new(0x0040A730, "SQ", Sequence([inner]))
    dataset.ReferencedImageSequence = Sequence([item])
    block = dataset.private_block(0x0029, "ACME", create=True)
    block.add_new(0x01, "LO", NAME)
    dataset.add_new(0x60004000, "LT", NAME)
    dataset.add_new(0xFFFCFFFC, "OB", NAME.encode() * 2)
    if pixels is not None:
        _set_pixels(dataset, pixels, photometric)
    return dataset


def _set_pixels(dataset: Dataset, pixels: np.ndarray, photometric: str) -> None:
    colour = photometric in {"RGB", "YBR_FULL"}
    frames, rows, columns = pixels.shape[:3]
    dataset.NumberOfFrames, dataset.Rows, dataset.Columns = frames, rows, columns
    dataset.SamplesPerPixel = 3 if colour else 1
    if colour:
        dataset.PlanarConfiguration = 0
    dataset.PhotometricInterpretation = photometric
    bits = pixels.dtype.itemsize * 8
    dataset.BitsAllocated, dataset.BitsStored, dataset.HighBit = bits, bits, bits - 1
    dataset.PixelRepresentation = int(pixels.dtype.kind == "i")
    dataset.PixelData = pixels.tobytes()
    dataset["PixelData"].VR = "OB" if bits == 8 else "OW"


def cleaned(
    data: bytes, tmp_path: Path, *more: Finding, text: PresidioText | None = None
) -> tuple[bytes, Document]:
    form = DicomFormat(KEY)
    document = form.read(data, PART)
    findings = [*detect_tags(document.tags), *more]
    findings += text.detect(document.texts) if text else []
    decided = plan(CaseId("c"), findings, load_config().policy)
    form.write(document, decided, tmp_path / "out.dcm")
    return (tmp_path / "out.dcm").read_bytes(), document


@pytest.fixture(scope="module")
def text() -> PresidioText:
    return PresidioText()


@pytest.mark.parametrize("syntax", [ExplicitVRLittleEndian, ImplicitVRLittleEndian])
def test_nobody_is_left_in_any_place_of_a_header(
    tmp_path: Path, text: PresidioText, syntax: str
) -> None:
    data = b"Quillfeather".ljust(128, b"\x00") + saved(object_of(syntax=syntax))[128:]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.dcm").write_bytes(data)
    assert {hit.value for hit in find_planted(tmp_path / "in", PLANTED)} == set(PLANTED)
    (tmp_path / "made").mkdir()
    cleaned(data, tmp_path / "made", text=text)
    assert find_planted(tmp_path / "made", PLANTED) == []


def test_what_is_clinical_stays_and_says_so_in_utf_8(tmp_path: Path, text: PresidioText) -> None:
    out = pydicom.dcmread(io.BytesIO(cleaned(saved(object_of()), tmp_path, text=text)[0]))
    assert (out.PatientSex, out.PatientAge, out.StudyDescription) == ("F", "045Y", "胸部平片")
    assert out.ImageComments == "患者[NAME]，咳嗽3天，联系电话[PHONE]"
    assert out.SpecificCharacterSet == "ISO_IR 192"
    assert out.PatientIdentityRemoved == "YES"
    assert "113100" in [code.CodeValue for code in out.DeidentificationMethodCodeSequence]
    assert out.LongitudinalTemporalInformationModified == "REMOVED"


def test_the_same_key_gives_the_same_stand_ins_everywhere_and_another_key_others(
    tmp_path: Path,
) -> None:
    first = pydicom.dcmread(io.BytesIO(cleaned(saved(object_of()), tmp_path)[0]))
    again = pydicom.dcmread(io.BytesIO(cleaned(saved(object_of()), tmp_path)[0]))
    assert first.SOPInstanceUID == first.file_meta.MediaStorageSOPInstanceUID
    assert first.SOPInstanceUID == again.SOPInstanceUID
    assert first.SOPInstanceUID.startswith("2.25.")
    assert first.PatientID == again.PatientID != NUMBER
    form = DicomFormat(b"o" * 32)
    document = form.read(saved(object_of()), PART)
    decided = plan(CaseId("c"), detect_tags(document.tags), load_config().policy)
    form.write(document, decided, tmp_path / "other.dcm")
    other = pydicom.dcmread(tmp_path / "other.dcm")
    assert other.PatientID != first.PatientID
    assert other.StudyInstanceUID != first.StudyInstanceUID


@pytest.mark.parametrize("declared", ["GB18030", "ISO_IR 100", "ISO_IR 192", None])
def test_a_chinese_name_is_read_whatever_its_character_set_claims(declared: str | None) -> None:
    dataset = object_of()
    dataset.PatientName = "placeholder!"
    data = saved(dataset).replace(b"placeholder!", CHINESE.encode("gb18030").ljust(12))
    wanted = (declared or "").encode().ljust(10)
    data = data.replace(b"GB18030 ", wanted[:8]) if declared != "GB18030" else data
    values = [t.value for t in DicomFormat(KEY).read(data, PART).tags if t.path == "(0010,0010)"]
    assert values[0].strip() == CHINESE


@pytest.mark.parametrize(
    ("photometric", "dtype", "black"),
    [
        ("MONOCHROME2", np.uint8, 10),
        ("MONOCHROME2", np.uint16, 10),
        ("MONOCHROME2", np.int16, 10),
        ("MONOCHROME1", np.uint8, 200),
        ("RGB", np.uint8, 0),
    ],
)
def test_a_region_is_painted_in_the_stored_black_of_its_frame_alone(
    tmp_path: Path, photometric: str, dtype: type, black: int
) -> None:
    shape = (3, 32, 40, 3) if photometric == "RGB" else (3, 32, 40)
    pixels = (np.arange(np.prod(shape)).reshape(shape) % 191 + 10).astype(dtype)
    pixels[:, 0, 0], pixels[:, 0, 1] = 10, 200
    region = Region(PART, Box(20, 16, 40, 32), 1)
    data = saved(object_of(pixels, photometric=photometric))
    out, document = cleaned(data, tmp_path, Finding(region, Kind.NAME, 1.0, "test"))
    assert document.image is not None
    assert len(document.image.pixels) == 3
    assert document.image.pixels[1].shape == (32, 40, 3)
    stored = pydicom.dcmread(io.BytesIO(out)).pixel_array
    assert np.array_equal(stored[[0, 2]], pixels[[0, 2]])
    assert np.array_equal(stored[1, :14, :18], pixels[1, :14, :18])
    assert (stored[1, 16:, 20:] == black).all()


def test_pixels_that_nobody_painted_keep_their_bytes_and_their_transfer_syntax(
    tmp_path: Path,
) -> None:
    pixels = (np.arange(32 * 40).reshape(1, 32, 40) % 250).astype(np.uint8)
    dataset = object_of(pixels)
    dataset.compress(RLELossless, generate_instance_uid=False)
    out = pydicom.dcmread(io.BytesIO(cleaned(saved(dataset), tmp_path)[0]))
    assert out.file_meta.TransferSyntaxUID == RLELossless
    assert out.PixelData == dataset.PixelData


def test_a_compressed_object_that_is_painted_opens_again_and_tells_its_syntax(
    tmp_path: Path,
) -> None:
    pixels = (np.arange(32 * 40).reshape(1, 32, 40) % 250).astype(np.uint8)
    dataset = object_of(pixels)
    dataset.compress(RLELossless, generate_instance_uid=False)
    region = Finding(Region(PART, Box(0, 0, 10, 10), 0), Kind.NAME, 1.0, "test")
    out = pydicom.dcmread(io.BytesIO(cleaned(saved(dataset), tmp_path, region)[0]))
    assert out.file_meta.TransferSyntaxUID == ExplicitVRLittleEndian
    assert out.pixel_array[:10, :10].max() == 0
    assert np.array_equal(out.pixel_array[12:], pixels[0, 12:])
    assert out.BurnedInAnnotation == "NO"


def test_a_header_never_claims_clean_pixels_that_nobody_looked_at(tmp_path: Path) -> None:
    form = DicomFormat(KEY, pixels_checked=False)
    data = saved(object_of(np.zeros((1, 8, 8), np.uint8)))
    document = form.read(data, PART)
    form.write(document, plan(CaseId("c"), [], load_config().policy), tmp_path / "o.dcm")
    out = pydicom.dcmread(tmp_path / "o.dcm")
    assert out.PatientIdentityRemoved == "NO"
    assert "BurnedInAnnotation" not in out


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x00" * 128 + b"DICM", "no_dicom"),
        (b"\x08\x00\x05\x00CS\x0a\x00", None),
        (b"\x08\x00" + bytes(range(200)), None),
    ],
)
def test_what_is_no_dicom_is_refused(data: bytes, reason: str | None) -> None:
    with pytest.raises(InputError) as caught:
        choose(formats(KEY), data).read(data, PART)
    assert reason is None or caught.value.reason == reason


def test_an_encapsulated_document_and_a_directory_are_quarantined() -> None:
    dataset = object_of()
    dataset.EncapsulatedDocument = b"%PDF-1.4 "
    with pytest.raises(UnreadableFileError) as caught:
        DicomFormat(KEY).read(saved(dataset), PART)
    assert caught.value.reason == "encapsulated_document"
    directory = get_testdata_file("DICOMDIR", download=False)
    if directory is not None:
        with pytest.raises(UnreadableFileError) as caught:
            DicomFormat(KEY).read(Path(str(directory)).read_bytes(), PART)
        assert caught.value.reason == "dicomdir"


def test_sequences_without_end_are_refused_and_not_followed() -> None:
    dataset = object_of()
    deepest = Dataset()
    deepest.PatientName = NAME
    for _ in range(100):
        outer = Dataset()
        outer.ReferencedImageSequence = Sequence([deepest])
        deepest = outer
    dataset.ReferencedImageSequence = Sequence([deepest])
    with pytest.raises(UnreadableFileError) as caught:
        DicomFormat(KEY).read(saved(dataset), PART)
    assert caught.value.reason in {"too_deep", "damaged"}


def _planted(path: Path) -> bytes | None:
    """Return a sample with somebody planted in it, or None where pydicom cannot write it."""
    try:
        dataset = pydicom.dcmread(path, force=True)
        dataset.PatientName, dataset.PatientID = NAME, NUMBER
        dataset.private_block(0x0029, "ACME", create=True).add_new(0x01, "LO", PHONE)
        item = Dataset()
        item.PatientName = NAME
        dataset.ReferencedImageSequence = Sequence([item])
        return saved(dataset)
    except Exception:  # noqa: BLE001 - the samples are damaged on purpose
        return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "path", sorted(SAMPLES.glob("*.dcm"))[::4], ids=lambda p: p.stem if isinstance(p, Path) else ""
)
def test_every_sample_of_pydicom_is_written_clean_or_refused(tmp_path: Path, path: Path) -> None:
    data = _planted(path) or path.read_bytes()
    try:
        out, document = cleaned(data, tmp_path)
    except InputError as error:
        assert error.remedy  # noqa: PT017 - a refusal is one of two good ends
        return
    assert find_planted(tmp_path, [NAME, NUMBER, PHONE]) == []
    written = pydicom.dcmread(io.BytesIO(out))
    if document.image is not None:
        assert written.pixel_array.size > 0


@pytest.mark.filterwarnings("ignore")
def test_public_samples_are_written_clean_or_refused(shared_data: Path, tmp_path: Path) -> None:
    done = 0
    for folder in ("dicom_attr", "dicom_charset", "dicom_burned"):
        for path in sorted((shared_data / folder).glob("*.dcm")):
            data = path.read_bytes()
            if len(data) > 2_000_000:
                continue
            try:
                out, _ = cleaned(data, tmp_path)
            except InputError:
                continue
            names = {
                str(pydicom.dcmread(path, force=True).get(k, ""))
                for k in ("PatientName", "PatientID")
            }
            for name in names - {"", "None"}:
                if len(name) > 4:
                    assert name.encode() not in out, path.name
            done += 1
    assert done > 20


def test_every_row_of_the_profile_has_an_action_that_is_known() -> None:
    text = resources.files("deid").joinpath("data", "dicom_profile.csv").read_text("utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert len(rows) > 600
    known = {"D", "Z", "X", "U", "U*"}
    for row in rows:
        assert set(row["basic"].split("/")) <= known | {"basic"}, row["tag"]


@pytest.mark.parametrize(
    ("path", "vr", "value", "kind"),
    [
        ("(0010,0010)", "PN", "Yu^Cean", Kind.NAME),
        ("(0008,0090)", "PN", "Liu", Kind.DOCTOR_NAME),
        ("(0010,0040)", "CS", "F", Kind.SEX),
        ("(0010,1010)", "AS", "045Y", Kind.AGE),
        ("(0010,1010)", "AS", "092Y", Kind.AGE_OVER_89),
        ("(0010,0030)", "DA", "19800101", Kind.DATE),
        ("(0008,0080)", "LO", "医院", Kind.HOSPITAL),
        ("(0020,000D)", "UI", "1.2.3", Kind.UID),
        ("(0008,0016)", "UI", "1.2.840.10008.5.1.4.1.1.7", Kind.TECHNICAL),
        ("(0028,0010)", "US", "512", Kind.TECHNICAL),
        ("(0020,4000)", "LT", "comment", Kind.CLINICAL),
        ("(0029,1001)", "LO", "secret", Kind.UNKNOWN),
        ("(0009,0001)[0](0010,0010)", "PN", "Yu", Kind.NAME),
        ("(6002,3000)", "OW", "", Kind.UNKNOWN),
    ],
)
def test_an_element_is_what_the_profile_or_its_representation_says(
    path: str, vr: str, value: str, kind: Kind
) -> None:
    (finding,) = detect_tags([TagPart(PART, path, vr, value)])
    assert finding == Finding(Tag(PART, path), kind, 1.0, "tags")


def test_repeating_groups_are_found_in_the_profile() -> None:
    assert profile_row(0x6000, 0x3000) is not None
    assert profile_row(0x601E, 0x4000) is not None
    assert profile_row(0x5002, 0x3000) is not None
    assert last_tag("(0008,1140)[2](0008,1155)") == (0x0008, 0x1155)
