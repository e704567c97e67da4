"""The makers of test exports keep their promise: a test that plants nothing proves nothing."""

import io
import json
from pathlib import Path

import pydicom
import pytest
import zxingcpp
from PIL import Image

from tests.planted import Layout, chat, make_many, make_planted
from tests.planted_bad import BOMB_SIDE, Bad, bomb_png, make_bad, restore
from tests.planted_media import photo_jpeg, radiograph_dicom, report_png
from tests.planted_people import Person, invent_people
from tests.sweep import find_missing, find_planted

# Only pictures, their metadata and file names, or columns of JSON, hold these.
_NOT_SAID = {"name_pinyin", "name_dicom", "birthday"}


@pytest.fixture
def person() -> Person:
    return next(invent_people(1, 7))


def files(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def test_every_identifier_is_planted_and_the_sweep_finds_it(tmp_path: Path) -> None:
    planted = make_planted(tmp_path, cases=2)
    found = {hit.value for hit in find_planted(tmp_path, planted.identifiers)}
    assert set(planted.identifiers) - found == set()
    assert all(len(case.identifiers) >= 30 for case in planted.cases)


@pytest.mark.parametrize("layout", ["L1", "L1-xlsx"])
def test_a_table_holds_every_identifier_that_is_said(tmp_path: Path, layout: Layout) -> None:
    planted = make_planted(tmp_path, layout, cases=3)
    found = {hit.value for hit in find_planted(tmp_path, planted.identifiers)}
    for case in planted.cases:
        wanted = {v for role, v in case.identifiers.items() if role not in _NOT_SAID}
        assert wanted - found == set()


def test_the_chat_alone_holds_every_identifier_and_every_fact(person: Person) -> None:
    text = "\n".join(line for _, line in chat(person))
    wanted = {v for role, v in person.identifiers.items() if role not in _NOT_SAID}
    assert find_missing([text, text.replace(" ", "")], wanted) == []
    assert find_missing([text], person.facts) == []
    assert len(person.facts) == 4


@pytest.mark.parametrize("seed", range(8))
def test_no_two_people_share_an_identifier(seed: int) -> None:
    people = list(invent_people(50, seed))
    shared = {"hospital", "plate"}
    values = [v for p in people for role, v in p.identifiers.items() if role not in shared]
    assert [v for v in set(values) if values.count(v) > 1] == []


def test_too_many_people_are_refused() -> None:
    with pytest.raises(ValueError, match="names must not repeat"):
        list(invent_people(500, 0))


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    make_planted(tmp_path / "a", cases=2, seed=3)
    make_planted(tmp_path / "b", cases=2, seed=3)
    make_planted(tmp_path / "c", cases=2, seed=4)
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert files(tmp_path / "a") != files(tmp_path / "c")


def test_pictures_can_be_left_out(tmp_path: Path) -> None:
    planted = make_planted(tmp_path, cases=2, pictures=False)
    assert list(files(tmp_path)) == ["consultations.jsonl"]
    assert [case.media for case in planted.cases] == [(), ()]


def test_files_and_folders_of_media_are_named_after_the_patient(tmp_path: Path) -> None:
    case = make_planted(tmp_path, cases=1).cases[0]
    assert [(tmp_path / "images" / name).is_file() for name in case.media] == [True] * 3
    names = "".join(case.media)
    assert all(case.identifiers[r] in names for r in ("name", "phone", "record_number"))


def test_the_photo_hides_identifiers_in_every_place_of_a_jpeg(person: Person) -> None:
    data = photo_jpeg(person)
    known = person.identifiers
    image = Image.open(io.BytesIO(data))
    assert image.info["comment"] == known["phone"].encode()
    assert known["email"].encode() in image.info["xmp"]
    assert known["name"] in zxingcpp.read_barcodes(image)[0].text
    assert data.endswith(known["bank_card"].encode())
    assert image.getexif()[0x013B] == known["name_pinyin"]


def test_the_report_hides_identifiers_in_every_text_chunk(person: Person) -> None:
    image = Image.open(io.BytesIO(report_png(person)))
    image.load()
    texts = image.text  # type: ignore[attr-defined]  # only PNG has it
    assert set(texts) >= {"Author", "Comment", "Description", "XML:com.adobe.xmp"}


def test_the_radiograph_can_be_read_and_names_the_patient(person: Person) -> None:
    data = pydicom.dcmread(io.BytesIO(radiograph_dicom(person)))
    assert person.identifiers["name"] in str(data.PatientName)
    assert data[0x0011, 0x1001].value == person.identifiers["name"]
    assert data.pixel_array.max() == 255


def test_many_cases_are_small_and_all_different(tmp_path: Path) -> None:
    planted = make_many(tmp_path, cases=50)
    lines = (tmp_path / "consultations.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["consultationId"] for line in lines] == [
        case.source for case in planted.cases
    ]
    assert len({case.media for case in planted.cases}) == 50
    assert sum(map(len, files(tmp_path).values())) < 500_000


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> tuple[Bad, ...]:
    made = make_bad(tmp_path_factory.mktemp("bad"))
    restore(made)
    return made


def test_every_kind_of_bad_input_is_there(bad: tuple[Bad, ...]) -> None:
    names = {one.name for one in bad}
    assert names >= {"unknown_layout", "undecodable_table", "truncated_picture", "zip_slip"}
    assert names >= {"decompression_bomb", "empty_picture", "empty_export", "unreadable"}
    assert names >= {"text_named_picture", "picture_with_wrong_suffix", "broken_line"}
    assert all(one.export.exists() for one in bad)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
def test_the_undecodable_table_decodes_as_nothing(bad: tuple[Bad, ...], codec: str) -> None:
    export = next(one.export for one in bad if one.name == "undecodable_table")
    with pytest.raises(UnicodeDecodeError):
        (export / "visits.csv").read_bytes().decode(codec)


def test_the_broken_line_is_the_second_and_holds_a_name(bad: tuple[Bad, ...]) -> None:
    one = next(one for one in bad if one.name == "broken_line")
    lines = (one.export / "consultations.jsonl").read_text("utf-8").splitlines()
    assert any(secret in lines[1] for secret in one.secrets)
    with pytest.raises(json.JSONDecodeError):
        json.loads(lines[1])
    assert [isinstance(json.loads(line), dict) for line in (lines[0], lines[2])] == [True, True]


def test_the_truncated_picture_cannot_be_decoded(bad: tuple[Bad, ...]) -> None:
    export = next(one.export for one in bad if one.name == "truncated_picture")
    data = io.BytesIO((export / "images" / "b.png").read_bytes())
    with pytest.raises(OSError, match="truncated"):
        Image.open(data).load()


def test_the_bomb_is_small_on_disk_and_huge_when_opened() -> None:
    data = bomb_png()
    assert len(data) < 200_000
    assert header_size(data) == (BOMB_SIDE, BOMB_SIDE)


def header_size(data: bytes) -> tuple[int, int]:
    """Read the size from the header: Pillow itself refuses to open the bomb."""
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
