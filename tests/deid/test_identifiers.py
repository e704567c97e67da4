import itertools
from collections.abc import Callable

import pytest

from deid.detect.checks import luhn, resident_check
from tests.masked import left, masked

_DIGITS = "0123456789"


def _as(target: str) -> Callable[[str], str]:
    table = str.maketrans(_DIGITS, target)
    return lambda number: number.translate(table)


WAYS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "full width": _as("０１２３４５６７８９"),
    "circled": _as("⓪①②③④⑤⑥⑦⑧⑨"),
    "Hanzi": _as("零一二三四五六七八九"),
    "financial Hanzi": _as("零壹贰叁肆伍陆柒捌玖"),
    "as over radio": _as("洞幺两三四五六拐八勾"),
    "bold": _as("𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"),
    "keycaps": lambda n: "".join(f"{c}\ufe0f\u20e3" for c in n),
    "some Hanzi": lambda n: "".join(
        _as("零一二三四五六七八九")(c) if i % 3 == 0 else c for i, c in enumerate(n)
    ),
    "spaced": " ".join,
    "dotted": ".".join,
    "dashed": "-".join,
    "middle dots": "·".join,
    "commas": "，".join,
    "zero width": "\u200b".join,
    "two lines": lambda n: f"{n[: len(n) // 2]}\n{n[len(n) // 2 :]}",
    "two DOS lines": lambda n: f"{n[: len(n) // 2]}\r\n{n[len(n) // 2 :]}",
    "the letter O": lambda n: n.replace("0", "O"),
    "starred": lambda n: f"{n[:3]}{'*' * (len(n) - 7)}{n[-4:]}",
}
NUMBERS = {
    "mobile": "13800138000",
    "newer mobile": "19912345678",
    "resident id": "110101198503170233",
    "old resident id": "110101850317023",
    "card of 16": "6228480012345671",
    "card of 19": "6217000012345678907",
}
AROUND = [
    ("", ""),
    ("电话", "已停机"),
    ("我的是", "，谢谢"),
    ("（", "）"),
    ("😷", "😊"),
    ("x=", "&y"),
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_goes_whole_however_it_is_written(number: str, way: str) -> None:
    written = WAYS[way](NUMBERS[number])
    for before, after in AROUND:
        out = left(f"{before}{written}{after}")
        assert out.startswith(before)
        assert out.endswith(after)
        middle = out[len(before) : len(out) - len(after)]
        assert middle.startswith("[")
        assert middle.endswith("]")
        assert middle.count("[") == 1


@pytest.mark.parametrize(
    "number",
    [
        "A123456(3)",
        "H12345678",
        "A123456789",
        "E12345678",
        "EA1234567",
        "LSVAA49J912345678",
        "京A12345",
        "粤BD12345",
        "沪A·12345",
        "军字第1234567号",
        "wxid_ab12cd34ef",
        "12500000450401234E",
        "123-45-6789",
        "E 1 2 3 4 5 6 7 8",
        "L S V A A 4 9 J 9 1 2 3 4 5 6 7 8",
        "A12***6789",
    ],
)
@pytest.mark.parametrize("hanzi", ["号码是{}没错", "{}", "（{}）", "A {}，"])
def test_numbers_with_letters_go_whole(number: str, hanzi: str) -> None:
    out, taken = masked(hanzi.format(number))
    assert [value for _, value in taken] == [number]
    assert number not in out


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("统一社会信用代码：12500000450401234E", "organisation_code"),
        ("组织机构代码 45040123-1", "organisation_code"),
        ("IMEI：860123045678900", "device_id"),
        ("回乡证H12345678", "permit"),
        ("护照号 E12345678", "passport"),
        ("医师执业证书编号：110110000012345", "licence"),
        ("银行卡号 6228480012345670", "bank_card"),
        ("车架号：LSVAA49J912345678", "vehicle_id"),
        ("身份证号：99010119850317023X", "resident_id"),
    ],
)
def test_a_label_says_what_a_number_is(text: str, kind: str) -> None:
    assert kind in [found for found, _ in masked(text)[1]]


@pytest.mark.parametrize(
    "text",
    [
        "白细胞 3.86 红细胞 4.52 血红蛋白 138 血小板 199",
        "1 2 3 4 5 6 7 8 9 10 11 12",
        "血压 138/88 136/86 132/80 128/78",
        "尺寸 13.8 x 9.9 x 12.3 mm",
        "一三五七九",
        "LH 5.61 FSH 6.22 E2 1380 P 0.51",
        "1、咳嗽 2、咳痰 3、发热",
    ],
)
def test_figures_of_the_clinic_are_no_numbers_of_a_person(text: str) -> None:
    assert left(text) == text


def test_only_the_right_check_character_passes() -> None:
    right = [c for c in f"{_DIGITS}X" if resident_check(f"11010119850317023{c}")]
    assert right == ["3"]
    assert resident_check("11010119900204003x")
    assert not resident_check("110101850317023")


def test_one_wrong_digit_fails_the_luhn_check() -> None:
    good = "6228480012345671"
    assert luhn(good)
    changed = [
        good[:at] + digit + good[at + 1 :]
        for at, digit in itertools.product(range(len(good)), _DIGITS)
        if digit != good[at]
    ]
    assert not any(map(luhn, changed))
