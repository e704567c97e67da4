import pytest

from deid.detect.known import KnownValues, collect
from deid.schema import Finding, Kind, PartId, Span, TextPart
from tests.masked import left


def _part(text: str) -> TextPart:
    return TextPart(PartId("t0#text"), text)


def _found(value: str, kind: Kind, text: str) -> list[str]:
    """Return what a case that knows ``value`` finds in a text."""
    findings = KnownValues([(value, kind)]).detect([_part(text)])
    return [text[f.where.start : f.where.end] for f in findings if isinstance(f.where, Span)]


def test_a_known_person_is_found_in_every_way_of_writing() -> None:
    known = KnownValues([("虞测安", Kind.NAME), ("13800138000", Kind.PHONE)])
    for written in (
        "虞测安",
        "虞 测 安",
        "测安",
        "Yu Cean",
        "YU CE AN",
        "１３８００１３８０００",
        "138 0013 8000",
    ):
        text = f"他说{written}好"
        found = known.detect([_part(text)])
        assert [text[f.where.start : f.where.end] for f in found if isinstance(f.where, Span)] == [
            written
        ]


@pytest.mark.parametrize("name", ["王健康", "李如果", "张明白", "刘头疼"])
def test_a_given_name_that_is_a_common_word_is_not_searched_for_alone(name: str) -> None:
    known = KnownValues([(name, Kind.NAME)])
    assert known.detect([_part(f"祝您{name[1:]}，{name[1:]}吗")]) == []
    assert len(known.detect([_part(f"{name}复诊")])) == 1


def test_only_certain_findings_feed_the_deny_list() -> None:
    part = _part("虞测安和柳试月")
    sure = Finding(Span(part.id, 0, 3), Kind.NAME, 0.95, "names")
    unsure = Finding(Span(part.id, 4, 7), Kind.NAME, 0.5, "names")
    keeper = Finding(Span(part.id, 0, 3), Kind.AGE, 0.95, "clinical")
    assert collect([part], [sure, unsure, keeper]) == [("虞测安", Kind.NAME)]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("虞测安", "YU^CEAN"), ("虞测安", "yucean"), ("虞测安", "Cean Yu"), ("虞测安", "Yu, Ce-an"),
        ("虞测安", "虞·测安"), ("虞测安", "虞\u200b测\u200b安"), ("虞测安", "虞測安"), ("虞测安", "虞\n测安"),
        ("欧阳试月", "Ouyang Shiyue"), ("欧阳试月", "Ou Yang Shi Yue"), ("欧阳试月", "SHIYUE OUYANG"),
        ("吕试", "Lü Shi"), ("吕试", "LYU SHI"), ("吕试", "Lv Shi"), ("吕试", "Lu Shi"),
        ("单试月", "Shan Shiyue"), ("曾试", "Zeng Shi"), ("解试月", "XIE SHIYUE"), ("仇试", "Qiu Shi"), ("查试", "Zha Shi"),
        ("𠮷田测", "𠮷田测"), ("買買提·吐爾遜", "買買提"), ("买买提·吐尔逊", "吐尔逊"),
        ("John Smith", "SMITH^JOHN"), ("John Smith", "smith, john"), ("John Smith", "Smith"), ("SMITH JOHN", "Smith"),
        ("Mary O'Neil", "O’Neil"), ("Mary O’Neil", "O'Neil"), ("Ann McDonald", "McDonald"), ("Ann McDonald", "MCDONALD"),
    ],
)  # fmt: skip
def test_a_known_name_is_found_as_devices_passports_and_people_write_it(
    name: str, written: str
) -> None:
    assert _found(name, Kind.NAME, f"，{written}。") == [written]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("王平", "平时还好"), ("柳试", "试过了"), ("虞测安", "Ayucean yuceana"), ("John Smith", "Smithson, john, Johnny"),
        ("AN", "an apple for a man"), ("patient", "the patient"), ("买买提·健康", "祝健康"), ("", "好的"), (" ", "a b"),
        ("吕试", "路试 Lush"),
    ],
)  # fmt: skip
def test_what_only_holds_the_letters_of_a_known_name_stays(name: str, text: str) -> None:
    assert _found(name, Kind.NAME, text) == []


@pytest.mark.parametrize(
    ("kind", "value", "written"),
    [
        (Kind.PHONE, "13800138000", "138-0013-8000"), (Kind.PHONE, "138-0013-8000", "13800138000"),
        (Kind.PHONE, "13800138000", "①③⑧⓪⓪①③⑧⓪⓪⓪"), (Kind.PHONE, "13800138000", "138 0013\n8000"),
        (Kind.RECORD_NUMBER, "ZY00123456", "zy-0012 3456"), (Kind.RECORD_NUMBER, "ＺＹ００１２", "ZY0012"),
        (Kind.RECORD_NUMBER, "12345", "1 2 3 4 5"), (Kind.RECORD_NUMBER, "12345", "12-345"),
        (Kind.RECORD_NUMBER, "a(b[c*", "a(b[c*"), (Kind.EMAIL, "yu.cean@example.invalid", "YU.CEAN@EXAMPLE.INVALID"),
        (Kind.ADDRESS, "栖霞区文澜路18弄3号", "栖霞区文澜路 18 弄 3 号"),
    ],
)  # fmt: skip
def test_a_known_number_is_found_in_other_writing(kind: Kind, value: str, written: str) -> None:
    assert _found(value, kind, f"，{written}，") == [written]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("12345", "123456"), ("12345", "012345"), ("12345", "A12345"), ("12345", "12345A"), ("12345", "HCG 12345.6"),
        ("12345", "比值 0.12345"), ("12345", "肌酐 12.345"), ("1234", "1234"),
        ("ZY0012", "XZY0012"), ("13800138000", "1380013800012"),
    ],
)  # fmt: skip
def test_a_known_number_is_not_found_inside_a_longer_one_or_a_measurement(
    value: str, text: str
) -> None:
    assert _found(value, Kind.RECORD_NUMBER, text) == []


@pytest.mark.parametrize(
    ("hospital", "written"),
    [
        ("云屿市第一人民医院", "云屿一院"), ("云屿市第一人民医院", "云屿市一院"), ("云屿市第一人民医院", "云一院"),
        ("云屿市第一人民医院", "云屿人医"), ("云屿市第一人民医院", "云屿市第一人民医院"),
        ("云屿省霁海市妇幼保健院", "霁海妇幼"), ("霁海大学附属第二医院", "霁海二院"),
        ("Riverbend General Hospital", "Riverbend General"),
    ],
)  # fmt: skip
def test_a_known_hospital_is_found_by_the_short_names_people_make(
    hospital: str, written: str
) -> None:
    assert _found(hospital, Kind.HOSPITAL, f"去{written}看") == [written]


def test_the_short_name_of_another_hospital_is_not_that_of_a_known_one() -> None:
    assert _found("云屿市第一人民医院", Kind.HOSPITAL, "云屿二院和霁海一院") == []


def test_what_a_text_says_once_for_certain_goes_everywhere_in_it() -> None:
    text = "姓名：虞测安。测安昨天发热，虞 测 安今天好些，YU CEAN"
    assert left(text) == "姓名：[NAME]。[NAME]昨天发热，[NAME]今天好些，[NAME]"


def test_the_surer_of_two_findings_says_what_a_value_is() -> None:
    part = _part("12345678")
    phone = Finding(Span(part.id, 0, 8), Kind.PHONE, 0.85, "a")
    record = Finding(Span(part.id, 0, 8), Kind.RECORD_NUMBER, 0.95, "b")
    assert collect([part], [phone, record]) == [("12345678", Kind.RECORD_NUMBER)]


@pytest.mark.parametrize("value", ["张*安", "张某", "李某某", "安"])
def test_a_masked_or_short_name_teaches_the_case_nothing(value: str) -> None:
    part = _part(value)
    sure = Finding(Span(part.id, 0, len(value)), Kind.NAME, 0.95, "names")
    assert collect([part], [sure]) == []
