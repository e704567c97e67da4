from collections.abc import Callable

import pytest

from tests.masked import left

_DIGITS = "0123456789"


def _as(target: str) -> Callable[[str], str]:
    table = str.maketrans(_DIGITS, target)
    return lambda date: date.translate(table)


def _keycaps(date: str) -> str:
    return "".join(f"{c}\ufe0f\u20e3" if c in _DIGITS else c for c in date)


def _apart(date: str) -> str:
    for sign in "年月-/.":
        date = date.replace(sign, f" {sign} ")
    return date


WAYS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "full width": lambda d: _as("０１２３４５６７８９")(d).translate(
        str.maketrans("-/.:", "－／．：")
    ),
    "circled": _as("⓪①②③④⑤⑥⑦⑧⑨"),
    "bold": _as("𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"),
    "zero width": "\u200b".join,
    "keycaps": _keycaps,
    "signs apart, as OCR reads them": _apart,
}
DATES = [
    "2025年3月4日", "2025-03-04", "2025/3/4", "2025.03.04", "二〇二五年三月四日", "三月四号", "3月4日", "20250304",
    "March 4, 2025", "4 Mar 2025", "2025-03-04 10:23:45",
]  # fmt: skip
AROUND = [
    ("", ""), ("于", "复查"), ("（", "）"), ("【", "】"), ("😷", "😊"), ("日期:", ";"), ("“", "”"), ("在", "的"), ("\r\n", "\r\n"), ("𠮷", "，"),
]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("date", DATES)
def test_a_date_goes_whole_however_it_is_written_and_its_neighbours_stay(
    date: str, way: str
) -> None:
    for before, after in AROUND:
        assert left(f"{before}{WAYS[way](date)}{after}") == f"{before}[DATE]{after}"


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("入院2025年3月4日，出院2025年3月9日", "入院[DATE]，出院[DATE]"),
        ("2025-03-04至2025-03-09", "[DATE]至[DATE]"),
        ("LMP 3月4日", "LMP [DATE]"),
        ("PSA 4.0-10.0 3/5/2024", "PSA 4.0-10.0 [DATE]"),
        ("出生日期：1985年3月", "出生日期：[DATE]"),
    ],
)
def test_dates_go_where_they_stand_together(text: str, out: str) -> None:
    assert left(text) == out


@pytest.mark.parametrize(
    "text",
    [
        "2024年3月 2024年5月 2024年",
        "1985年12月2000年7月在校",
        "2024年3月2次住院，2024年5月3次",
        "2024年3月 12 次化疗",
        "今年3月，去年冬天，上周二",
        "第3天 第2周 2年前 3个月余 10余年",
        "1-2次/日 2-3片 5-7天",
        "12/24小时 3/4 1/2片",
        "40+3周 孕39周+2 G2P1A0",
        "视力 4.8/5.0 眼压 15/16",
        "IP段 10.3.4.5.6 版本 2.0.1",
        "血压140/90 心率72次/分 体温36.5",
    ],
)
def test_a_month_a_count_and_a_measure_pin_no_day(text: str) -> None:
    assert left(text) == text
