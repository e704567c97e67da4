import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.detect.shadow import shadow

_AWKWARD = st.one_of(
    st.sampled_from("㎎ﬁ½①１😀𠮷\u200b\u0301\ufe0f\u20e3\r\n\ud800\udfff號話 \u3000"),
    st.characters(),
    st.characters(categories=["Cs"]),
)
texts = st.text(_AWKWARD, max_size=40)


@given(texts)
def test_a_shadow_maps_every_point_into_the_original(text: str) -> None:
    view = shadow(text)
    assert all(0 <= a < b <= len(text) for a, b in zip(view.starts, view.ends, strict=True))
    assert list(view.starts) == sorted(view.starts)
    assert list(view.ends) == sorted(view.ends)


@given(texts, texts)
def test_a_plain_number_is_found_at_its_own_offsets_whatever_stands_around_it(
    before: str, after: str
) -> None:
    number = "13800138000"
    view = shadow(f"{before}|{number}|{after}")
    at = view.text.index(f"|{number}|", len(shadow(before).text)) + 1
    start, end = view.original(at, at + len(number))
    assert (start, end) == (len(before) + 1, len(before) + 1 + len(number))


@given(texts)
def test_a_shadow_is_its_own_shadow_but_for_line_breaks(text: str) -> None:
    once = shadow(text).text
    assert "\r" not in once
    assert len(shadow(once).text) <= len(once) * 18


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("１３８", "138"),
        ("⑬", "13"),
        ("①②", "12"),
        ("1\u200b3\u200d8", "138"),
        ("1️⃣3️⃣8️⃣", "138"),
        ("1\u03363\u03368", "138"),
        ("５㎎", "5mg"),
        ("ﬁt", "fit"),
        ("½", "1⁄2"),
        ("電話號碼", "电话号码"),
        ("АВ12", "AB12"),
        ("a\r\nb", "a \nb"),
        ("葛\U000e0100明", "葛明"),
        ("𝟏𝟑𝟖", "138"),
    ],
)
def test_ways_of_writing_are_evened_out(text: str, seen: str) -> None:
    assert shadow(text).text == seen


def test_a_replacement_takes_the_marks_on_the_last_digit_with_it() -> None:
    view = shadow("1️⃣2️⃣")
    assert view.original(0, 2) == (0, len("1️⃣2️⃣"))


def test_a_lone_surrogate_and_an_astral_character_each_count_as_one_code_point() -> None:
    view = shadow("\ud800𠮷1")
    assert view.original(2, 3) == (2, 3)
