import re
from collections.abc import Callable

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from deid import surrogates as s
from deid.risk import residual_risk
from deid.schema import Kind
from tests.strategies import texts

keys = st.binary(min_size=16, max_size=32)
KEYED: list[Callable[[bytes, str], str]] = [
    s.case_id,
    s.patient_key,
    s.uid,
    lambda key, value: s.pseudonym(key, "scope", value),
]


@given(keys, keys, texts, texts, st.sampled_from(KEYED))
def test_keyed_stand_ins_follow_key_and_value_alone(
    key: bytes, other: bytes, value: str, different: str, make: Callable[[bytes, str], str]
) -> None:
    assume(key.rstrip(b"\0") != other.rstrip(b"\0") and value != different)  # HMAC pads with zeros
    assert make(key, value) == make(key, value)
    assert len({make(key, value), make(other, value), make(key, different)}) == 3


@given(keys, texts, st.integers(1, 52))
def test_stand_ins_have_their_form(key: bytes, value: str, length: int) -> None:
    assert re.fullmatch(rf"[a-z2-7]{{{length}}}", s.pseudonym(key, "scope", value, length))
    assert re.fullmatch(r"c-[a-z2-7]{12}", s.case_id(key, value))
    assert re.fullmatch(r"p-[a-z2-7]{12}", s.patient_key(key, value))
    assert re.fullmatch(r"2\.25\.(0|[1-9][0-9]{0,38})", s.uid(key, value))


def test_stand_ins_never_change_between_releases() -> None:
    key = bytes(range(32))
    assert s.case_id(key, "1") == "c-uf42uqrfe356"
    assert s.patient_key(key, "1") == "p-jgi3ae5zmf5a"
    assert s.uid(key, "1.2") == "2.25.294067261155798576726627000683300331261"
    assert s.day_shift(key, "1", 365) == 85
    assert s.pseudonym(key, "a", "b") != s.pseudonym(key, "b", "b")


@pytest.mark.parametrize("make", KEYED)
def test_half_a_surrogate_pair_has_its_own_stand_in(make: Callable[[bytes, str], str]) -> None:
    values = ["1", "\ud800", "\udfff", "1\ud800", "😀"]
    assert len({make(b"key", value) for value in values}) == len(values)


@given(keys, texts, st.integers(1, 400))
def test_a_day_shift_is_never_none_and_never_too_far(key: bytes, who: str, most: int) -> None:
    shift = s.day_shift(key, who, most)
    assert shift != 0
    assert -most <= shift <= most
    assert shift == s.day_shift(key, who, most)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_every_day_shift_comes_up(most: int) -> None:
    seen = {s.day_shift(b"key", str(n), most) for n in range(200)}
    assert seen == {*range(-most, 0), *range(1, most + 1)}


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (Kind.NAME, "NAME"), (Kind.DOCTOR_NAME, "NAME"), (Kind.RELATIVE_NAME, "NAME"),
        (Kind.RESIDENT_ID, "ID"), (Kind.PERMIT, "ID"), (Kind.PASSPORT, "ID"),
        (Kind.MILITARY_ID, "ID"), (Kind.LICENCE, "ID"), (Kind.GOVERNMENT_ID, "ID"),
        (Kind.ORGANISATION_CODE, "ORGANISATION_CODE"), (Kind.INSTITUTION, "ORGANISATION"),
        (Kind.IP_ADDRESS, "IP"), (Kind.UNKNOWN, "REMOVED"), (Kind.METADATA, "REMOVED"),
        (Kind.PHONE, "PHONE"), (Kind.QR_CODE, "QR_CODE"),
    ],
)  # fmt: skip
def test_placeholders_say_the_type(kind: Kind, word: str) -> None:
    assert s.placeholder(kind) == f"[{word}]"
    assert s.placeholder(kind, 2) == f"[{word}_2]"


@pytest.mark.parametrize(
    ("kind", "text", "coarse"),
    [
        (Kind.AGE_OVER_89, "93岁", "90+"), (Kind.DATE, "2025年3月1日", "2025年"),
        (Kind.DATE, "1998-03-01", "1998"), (Kind.DATE, "2025", "2025"), (Kind.DATE, "３月１日", "[DATE]"),
        (Kind.DATE, "２０２５年", "2025年"), (Kind.DATE, "202", "[DATE]"), (Kind.DATE, "0312-20", "[DATE]"),
        (Kind.NAME, "2025", "[NAME]"),
    ],
)  # fmt: skip
def test_coarser_values(kind: Kind, text: str, coarse: str) -> None:
    assert s.generalised(kind, text) == coarse


@given(st.lists(st.floats(0, 1), max_size=5), st.lists(st.floats(0, 1), max_size=5))
def test_risk_grows_with_doubts_and_residuals(doubts: list[float], left: list[float]) -> None:
    risk = residual_risk(doubts, left)
    assert 0.0 <= risk <= 1.0
    assert residual_risk([*doubts, 0.3], left) >= risk
    assert residual_risk(doubts, [*left, 0.3]) >= risk


def test_risk_by_hand() -> None:
    assert residual_risk([], []) == 0.0
    assert residual_risk([0.3332], []) == 0.1
    assert residual_risk([], [1.0]) == 0.9
    assert residual_risk([], [0.5, 0.5]) == 0.6975
    assert residual_risk([0.0], []) == 0.15
    assert residual_risk([0.4], [1.0]) == 0.909
    assert residual_risk([0.4, 0.4], []) == 0.1719
