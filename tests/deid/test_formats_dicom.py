"""The DICOM format against planted people, layouts of pixels, character sets and damage."""

import csv
import io
import random
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import numpy as np
import pydicom
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydicom.data import get_testdata_file
from pydicom.datadict import dictionary_has_tag, dictionary_VR, keyword_for_tag
from pydicom.dataset import Dataset
from pydicom.encaps import generate_frames
from pydicom.uid import ExplicitVRBigEndian, ExplicitVRLittleEndian, RLELossless

from deid.apply.tags import Element, Secrets, codes_of, stand_in
from deid.config import load_config
from deid.detect.tags import detect_tags
from deid.dicom_profile import Row, profile_row
from deid.errors import InputError, UnreadableFileError
from deid.formats.dicom import DicomFormat
from deid.formats.dicom.charset import unclaimed_text
from deid.formats.dicom.codestream import strip_frame
from deid.plan import plan
from deid.policy import Policy, Rule
from deid.schema import Action, Box, CaseId, Finding, Kind, PartId, Region, Span, TagPart
from tests.planted_dicom import CHINESE, HINT, plant

KEY = b"k" * 32
PART = PartId("t0.0")
SECRETS = Secrets(KEY, "p", 100)
PLANTED = re.compile(rf"{HINT}\w*|{CHINESE}", re.IGNORECASE)
BOX = Box(5, 3, 12, 9)


def sample(name: str) -> bytes:
    path = get_testdata_file(name, download=False)
    assert path is not None
    return Path(str(path)).read_bytes()


def written(
    data: bytes, tmp_path: Path, *more: Finding, policy: Policy | None = None
) -> pydicom.FileDataset:
    """Read, detect (planted words as a text detector would find them), plan, write, open again."""
    form = DicomFormat(KEY)
    document = form.read(data, PART)
    found = [
        Finding(Span(text.id, *match.span()), Kind.NAME, 1.0, "test")
        for text in document.texts
        for match in PLANTED.finditer(text.text)
    ]
    decided = plan(
        CaseId("c"),
        [*detect_tags(document.tags), *found, *more],
        policy or load_config().policy,
    )
    form.write(document, decided, tmp_path / "out.dcm")
    return pydicom.dcmread(tmp_path / "out.dcm")


SWEPT = (
    "CT_small.dcm",
    "ExplVR_BigEnd.dcm",
    "JPEG2000.dcm",
    "MR_small_RLE.dcm",
    "MR_small_implicit.dcm",
    "SC_jpeg_no_color_transform.dcm",
    "SC_rgb_jls_lossy_line.dcm",
    "SC_ybr_full_422_uncompressed.dcm",
    "image_dfl.dcm",
    "liver_1frame.dcm",
    "rtplan.dcm",
    "test-SR.dcm",
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SWEPT)
def test_no_planted_marker_is_left_in_any_place_and_pixels_are_the_same(
    tmp_path: Path, name: str
) -> None:
    source = pydicom.dcmread(io.BytesIO(sample(name)))
    data, markers = plant(source)
    assert all(
        m.encode().lower() in data.lower() or name == "image_dfl.dcm" for m in markers.values()
    )
    out = written(data, tmp_path)
    raw = (tmp_path / "out.dcm").read_bytes()
    if name == "image_dfl.dcm":  # deflated: search what a reader inflates
        inflated = io.BytesIO()
        out.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
        out.save_as(inflated)
        raw += inflated.getvalue()
    left = [
        place
        for place, m in markers.items()
        for coding in ("utf-8", "utf-16-le", "utf-16-be")
        if m.lower().encode(coding) in raw.lower()
    ]
    assert left == []
    assert all(CHINESE.encode(c) not in raw for c in ("utf-8", "gb18030", "utf-16-le"))
    if "PixelData" in out:
        assert np.array_equal(out.pixel_array, pydicom.dcmread(io.BytesIO(data)).pixel_array)


@pytest.mark.filterwarnings("ignore")
def test_clinical_words_around_planted_ones_stay(tmp_path: Path) -> None:
    out = written(plant(pydicom.dcmread(io.BytesIO(sample("CT_small.dcm"))))[0], tmp_path)
    assert out.ImageComments == "cough for 3 days, [NAME]"
    assert out.StudyDescription == "chest [NAME]"
    assert out.ContentSequence[0].TextValue == "finding, [NAME]"


@pytest.mark.parametrize("name", ["JPEG2000.dcm", "MR_small_RLE.dcm", "SC_rgb_jpeg_dcmtk.dcm"])
def test_a_code_stream_without_a_stranger_in_it_keeps_every_coefficient(name: str) -> None:
    source = pydicom.dcmread(io.BytesIO(sample(name)))
    (frame,) = generate_frames(source.PixelData, number_of_frames=1)
    syntax, area = str(source.file_meta.TransferSyntaxUID), source.Rows * source.Columns
    stripped = strip_frame(frame, syntax, area)
    assert strip_frame(stripped + b"Quillfeather", syntax, area) == stripped
    with pytest.raises(UnreadableFileError):
        strip_frame(frame[: len(frame) // 2], syntax, area)


def image(pixels: np.ndarray, photometric: str, **more: object) -> Dataset:
    """Return an object of (frames, rows, columns[, 3]) pixels that lie as ``photometric`` says."""
    source = pydicom.dcmread(io.BytesIO(sample("CT_small.dcm")))
    source.NumberOfFrames, source.Rows, source.Columns = pixels.shape[:3]
    source.SamplesPerPixel = 1 if pixels.ndim == 3 else 3
    source.PhotometricInterpretation = photometric
    bits = pixels.dtype.itemsize * 8
    source.BitsAllocated, source.BitsStored, source.HighBit = bits, bits, bits - 1
    source.PixelRepresentation = int(pixels.dtype.kind == "i")
    source.PlanarConfiguration = more.pop("PlanarConfiguration", 0)
    for keyword, value in more.items():
        setattr(source, keyword, value)
    data = np.moveaxis(pixels, 3, 1) if source.PlanarConfiguration else pixels
    source.PixelData = data.tobytes()
    source["PixelData"].VR = "OB" if bits == 8 else "OW"
    del source[0xFFFCFFFC]
    return source


def saved(dataset: Dataset) -> bytes:
    file = io.BytesIO()
    dataset.save_as(file)
    return file.getvalue()


def counting(shape: tuple[int, ...], kind: type) -> np.ndarray:
    return (np.arange(np.prod(shape)).reshape(shape) % 199 + 20).astype(kind)


@pytest.mark.parametrize(
    ("photometric", "planar", "black"),
    [("RGB", 0, [0, 0, 0]), ("RGB", 1, [0, 0, 0]), ("YBR_FULL", 0, [0, 128, 128])],
)
def test_colours_are_painted_where_they_lie_and_others_keep_every_bit(
    tmp_path: Path, photometric: str, planar: int, black: list[int]
) -> None:
    pixels = counting((2, 16, 20, 3), np.uint8)
    data = saved(image(pixels, photometric, PlanarConfiguration=planar))
    out = written(data, tmp_path, Finding(Region(PART, BOX, 1), Kind.LOGO, 1.0, "test"))
    shape = (2, 3, 16, 20) if planar else (2, 16, 20, 3)
    stored = np.frombuffer(out.PixelData, np.uint8).reshape(shape)
    stored = np.moveaxis(stored, 1, 3) if planar else stored
    assert (stored[1, 3:9, 5:12] == black).all()
    mask = np.ones((2, 16, 20), bool)
    mask[1, 2:10, 4:13] = False
    assert np.array_equal(stored[mask], pixels[mask])


def test_shared_colours_are_painted_outward(tmp_path: Path) -> None:
    source = pydicom.dcmread(io.BytesIO(sample("SC_ybr_full_422_uncompressed.dcm")))
    region = Finding(Region(PART, Box(11, 10, 40, 30)), Kind.LOGO, 1.0, "test")
    out = written(saved(source), tmp_path, region)
    assert out.pixel_array.shape == source.pixel_array.shape
    stored = np.frombuffer(out.PixelData, np.uint8).reshape(100, 50, 4)
    before = np.frombuffer(source.PixelData, np.uint8).reshape(100, 50, 4)
    assert (stored[10:30, 5:20] == [0, 0, 128, 128]).all()
    assert np.array_equal(stored[:, 25:], before[:, 25:])


def test_a_palette_is_painted_with_its_darkest_entry(tmp_path: Path) -> None:
    pixels = counting((1, 16, 20), np.uint8) % 4
    source = image(pixels, "PALETTE COLOR")
    for colour in ("Red", "Green", "Blue"):
        setattr(source, f"{colour}PaletteColorLookupTableDescriptor", [4, 0, 16])
        source[f"{colour}PaletteColorLookupTableDescriptor"].VR = "US"
        table = np.array([50000, 40000, 1000, 60000], np.uint16).tobytes()
        setattr(source, f"{colour}PaletteColorLookupTableData", table)
    out = written(saved(source), tmp_path, Finding(Region(PART, BOX), Kind.LOGO, 1.0, "test"))
    assert (out.pixel_array[3:9, 5:12] == 2).all()
    assert np.array_equal(out.pixel_array[12:], pixels[0, 12:])


def test_pixels_of_one_bit_are_painted_across_bytes(tmp_path: Path) -> None:
    pixels = np.ones((3, 15, 13), np.uint8)
    source = image(pixels, "MONOCHROME2", BitsAllocated=1, BitsStored=1, HighBit=0)
    source.PixelData = np.packbits(pixels.ravel(), bitorder="little").tobytes()
    region = Finding(Region(PART, Box(5, 3, 13, 9), 1), Kind.LOGO, 1.0, "test")
    out = written(saved(source), tmp_path, region).pixel_array
    assert out[1, 3:9, 5:13].max() == 0
    assert out[[0, 2]].min() == out[1, 10:].min() == 1


@pytest.mark.parametrize("kind", [np.uint16, np.int16])
def test_bits_above_the_stored_ones_are_cleared(tmp_path: Path, kind: type) -> None:
    pixels = counting((1, 16, 20), np.uint16)
    hidden = (pixels | 0x8000).astype(np.uint16)
    source = image(hidden.view(kind), "MONOCHROME2", BitsStored=12, HighBit=11)
    out = written(saved(source), tmp_path)
    assert np.array_equal(np.frombuffer(out.PixelData, np.uint16).reshape(16, 20), pixels[0])


@pytest.mark.parametrize("syntax", [ExplicitVRBigEndian, RLELossless])
def test_what_cannot_be_painted_in_place_is_written_native(tmp_path: Path, syntax: str) -> None:
    name = "MR_small_bigendian.dcm" if syntax == ExplicitVRBigEndian else "MR_small_RLE.dcm"
    before = pydicom.dcmread(io.BytesIO(sample(name))).pixel_array
    out = written(sample(name), tmp_path, Finding(Region(PART, BOX), Kind.LOGO, 1.0, "test"))
    assert out.file_meta.TransferSyntaxUID == ExplicitVRLittleEndian
    assert (out.pixel_array[3:9, 5:12] == before.min()).all()
    assert np.array_equal(out.pixel_array[12:], before[12:])


def test_a_second_decoder_is_asked_where_the_first_gives_up() -> None:
    document = DicomFormat(KEY).read(sample("GDCMJ2K_TextGBR.dcm"), PART)
    assert document.image is not None
    assert document.image.pixels[0].shape == (400, 400, 3)


def test_a_lossy_history_is_told_once_the_code_stream_is_gone(tmp_path: Path) -> None:
    source = pydicom.dcmread(io.BytesIO(sample("SC_rgb_jpeg_dcmtk.dcm")))
    source.LossyImageCompression = None
    out = written(saved(source), tmp_path, Finding(Region(PART, BOX), Kind.LOGO, 1.0, "test"))
    assert (out.LossyImageCompression, out.PhotometricInterpretation) == ("01", "RGB")
    assert out.pixel_array[3:9, 5:12].max() == 0


@pytest.mark.parametrize(
    ("name", "text", "declared"),
    [
        ("GBK under Latin", CHINESE.encode("gbk"), ["ISO_IR 100"]),
        ("GBK under nothing", CHINESE.encode("gbk"), []),
        ("GBK under UTF-8", CHINESE.encode("gbk"), ["ISO_IR 192"]),
        ("GBK under a set that does not exist", CHINESE.encode("gbk"), ["ISO_IR 165"]),
        ("GBK as said", CHINESE.encode("gbk"), ["GBK"]),
        ("GB18030 as said", CHINESE.encode("gb18030"), ["GB18030"]),
        ("UTF-8 under GB18030", CHINESE.encode(), ["GB18030"]),
        ("UTF-8 under nothing", CHINESE.encode(), []),
        ("UTF-8 under Latin", CHINESE.encode(), ["ISO_IR 100"]),
        ("ISO 2022", b"\x1b$)A" + CHINESE.encode("gb2312"), ["", "ISO 2022 IR 58"]),
    ],
)
def test_chinese_is_read_whatever_is_claimed(name: str, text: bytes, declared: list[str]) -> None:
    assert unclaimed_text(b"Yu^Cean=" + text, declared) == f"Yu^Cean={CHINESE}", name


@pytest.mark.parametrize("text", ["Buc^Jérôme", "Äneas^Rüdiger", "Núñez^José", "Ångström^Åse"])
def test_accented_latin_is_no_chinese(text: str) -> None:
    assert unclaimed_text(text.encode("latin-1"), ["ISO_IR 100"]) is None


@pytest.mark.parametrize("declared", ["ISO_IR 144", "ISO_IR 126", "ISO_IR 166", "ISO_IR 13"])
def test_a_set_that_somebody_chose_is_believed(declared: str) -> None:
    assert unclaimed_text(CHINESE.encode("gbk"), [declared]) is None


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FA5), min_size=2, max_size=8))
def test_any_hanzi_are_read_under_their_own_claims(text: str) -> None:
    assert unclaimed_text(text.encode(), []) == text
    assert unclaimed_text(text.encode("gb18030"), ["GB18030"]) == text


def test_a_shift_is_one_for_a_patient_and_keeps_intervals_and_times() -> None:
    def shifted(value: str, vr: str = "DA") -> str:
        element = Element(vr=vr, codes=codes_of("Z/D"), values=(value,))
        made = stand_in(element, Kind.DATE, Action.SHIFT, SECRETS)
        assert made
        return made[0]

    first, later = shifted("20240228"), shifted("20240301")
    days = np.datetime64(f"{later[:4]}-{later[4:6]}-{later[6:]}") - np.datetime64(
        f"{first[:4]}-{first[4:6]}-{first[6:]}"
    )
    assert first != "20240228"
    assert days == np.timedelta64(2, "D")
    assert shifted("20240228131415.5+0800", "DT") == f"{first}131415.5+0800"
    assert shifted("2024", "DT") == "19000101000000"
    assert shifted("99999999") == "19000101"


@pytest.mark.parametrize(
    ("vr", "basic", "expected"),
    [
        ("LO", "X", None),
        ("LO", "X/Z", ()),
        ("LO", "X/Z/D", ("REMOVED",)),
        ("DA", "Z/D", ("19000101",)),
        ("US", "D", ("0",)),
        ("SQ", "D", ()),
        ("OB", "X/D", ()),
    ],
)
def test_a_combined_code_takes_what_every_type_allows(
    vr: str, basic: str, expected: tuple[str, ...] | None
) -> None:
    element = Element(vr=vr, codes=codes_of(basic), values=("a",))
    assert stand_in(element, Kind.UNKNOWN, Action.REMOVE, SECRETS) == expected


def test_uids_of_the_standard_stay_and_others_map_one_to_one() -> None:
    values = ("1.2.840.10008.5.1.4.1.1.2", "1.2.3", "1.2.4", "1.2.3", "")
    element = Element(vr="UI", codes=codes_of("U"), values=values)
    made = stand_in(element, Kind.UID, Action.REPLACE, SECRETS)
    assert made is not None
    assert made[0] == values[0]
    assert made[1] == made[3] != made[2]
    assert all(re.fullmatch(r"2\.25\.[1-9][0-9]*", v) and len(v) <= 64 for v in made[1:4])
    assert made[4] == ""


def test_a_header_says_which_dates_moved(tmp_path: Path) -> None:
    base = load_config().policy
    rules = {**base.rules, Kind.DATE: Rule(action=Action.SHIFT)}
    policy = Policy(name="s", version="1", rules=rules, fingerprint="f")
    source = pydicom.dcmread(io.BytesIO(sample("CT_small.dcm")))
    out = written(saved(source), tmp_path, policy=policy)
    assert out.LongitudinalTemporalInformationModified == "MODIFIED"
    codes = [c.CodeValue for c in out.DeidentificationMethodCodeSequence]
    assert "113107" in codes
    assert "113106" not in codes
    assert out.StudyDate != source.StudyDate
    assert out.StudyDate not in {"", "19000101"}


def test_nothing_of_a_header_reaches_a_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = pydicom.dcmread(io.BytesIO(sample("CT_small.dcm")))
    data = saved(source).replace(b"ISO_IR 100", b"Quillfeath")
    written(data, tmp_path)
    assert caplog.records == []


def damaged() -> Iterator[bytes]:
    chance = random.Random(5)  # noqa: S311 - damage, no secret
    for name in ("CT_small.dcm", "JPEG2000.dcm", "MR_small_RLE.dcm", "test-SR.dcm"):
        data = sample(name)
        yield from (data[: len(data) * share // 7] for share in range(7))
        for _ in range(12):
            broken = bytearray(data)
            for _ in range(chance.choice((1, 8, 64))):
                broken[chance.randrange(128, min(len(broken), 2500))] = chance.randrange(256)
            yield bytes(broken)


def test_damage_is_refused_or_written_and_never_crashes(tmp_path: Path) -> None:
    refused, form, policy = 0, DicomFormat(KEY), load_config().policy
    for data in damaged():
        try:
            document = form.read(data, PART)
            decided = plan(CaseId("c"), detect_tags(document.tags), policy)
            form.write(document, decided, tmp_path / "out.dcm")
        except InputError as error:
            refused += 1
            assert error.remedy  # noqa: PT017 - a refusal is one of two good ends
    assert refused > 10


def test_no_row_of_the_profile_is_kept_unless_an_option_says_so() -> None:
    """PS3.15 E.1-1, row by row: what stays is cleaned text, a container, or what policy keeps."""
    policy, odd, seen = load_config().policy, [], 0
    wanted = {"PatientSex", "PatientAge", "PatientSize", "PatientWeight"}
    for tag, row in table_rows():
        seen += 1
        vr = dictionary_VR(tag)
        values = {"DA": "19990101", "AS": "045Y", "UI": "1.2.3", "IS": "5", "DS": "5"}
        part = TagPart(PART, f"({tag >> 16:04X},{tag & 0xFFFF:04X})", vr, values.get(vr, ""))
        (finding,) = detect_tags([part])
        kept = policy.rule(finding.kind).action is Action.KEEP
        if kept and not row.clean and "U*" not in row.basic:
            odd.append(keyword_for_tag(tag))
    assert seen > 550
    assert set(odd) - wanted == {"VerifyingObserverSequence"}


def table_rows() -> Iterator[tuple[int, Row]]:
    text = resources.files("deid").joinpath("data", "dicom_profile.csv").read_text("utf-8")
    for line in csv.DictReader(text.splitlines()):
        code = line["tag"]
        if re.fullmatch(r"[0-9a-f]{8}", code) and dictionary_has_tag(int(code, 16)):
            row = profile_row(int(code[:4], 16), int(code[4:], 16))
            assert row is not None
            yield int(code, 16), row
