from collections.abc import Callable

import pytest

from tests.masked import left, masked


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("加V：ab_cd1234", "account", "ab_cd1234"),
        ("薇❤ ab_cd1234", "account", "ab_cd1234"),
        ("vx:ab_cd1234", "account", "ab_cd1234"),
        ("v信ab_cd1234", "account", "ab_cd1234"),
        ("扣扣 123456789", "account", "123456789"),
        ("邮箱a.b+c@example.invalid收", "email", "a.b+c@example.invalid"),
        ("IP 203.0.113.7登录", "ip_address", "203.0.113.7"),
        ("住院号 ZY00123456", "record_number", "ZY00123456"),
        ("zyh: 00123456", "record_number", "00123456"),
        ("床号：12", "record_number", "12"),
        ("医保卡号：A12345678", "insurance_number", "A12345678"),
        ("标本号 230405-118", "specimen_number", "230405-118"),
        ("条码 6901234567892", "specimen_number", "6901234567892"),
        ("顺丰 SF1234567890123", "order_id", "SF1234567890123"),
        ("010-62345678转8021", "phone", "010-62345678转8021"),
        ("+86 138-0013-8000", "phone", "+86 138-0013-8000"),
        ("电 话：0571 8765 4321", "phone", "0571 8765 4321"),
        ("MRN: 12345678", "record_number", "12345678"),
    ],
)
def test_a_number_of_care_or_of_the_net_goes_whole(text: str, kind: str, value: str) -> None:
    assert masked(text)[1] == [(kind, value)]


def test_a_signed_object_store_url_goes_with_its_signature() -> None:
    url = "https://b.oss-cn-x.example.invalid/p/1.jpg?Expires=17&OSSAccessKeyId=LT&Signature=ab%3D"
    assert masked(f"报告{url}，请看")[1] == [("url", url)]


@pytest.mark.parametrize(
    "text", ["国药准字H20051234", "批号20240115", "ICD-10 I10.x00", "LOINC 718-7", "评分 12/24"]
)
def test_public_numbers_stay(text: str) -> None:
    assert masked(text)[1] == []


_LABELLED = {
    "住院号：": ("RECORD_NUMBER", "ZY00123456"),
    "病案号:": ("RECORD_NUMBER", "00123456"),
    "医保卡号：": ("INSURANCE_NUMBER", "A12345678"),
    "标本号 ": ("SPECIMEN_NUMBER", "23040511"),
    "QQ：": ("ACCOUNT", "123456789"),
    "微信：": ("ACCOUNT", "abcd1234"),
}
_WAYS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "full width": lambda n: "".join(chr(ord(c) + 0xFEE0) for c in n),
    "spaced": " ".join,
    "dashed": "-".join,
    "dotted": ".".join,
    "zero width": "\u200b".join,
}


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize("label", _LABELLED)
def test_behind_its_label_a_number_goes_in_every_writing(label: str, way: str) -> None:
    kind, number = _LABELLED[label]
    for before, after in (
        ("", ""),
        ("他的", "，好"),
        ("😷", "。"),
        ("（", "）"),
        ("𠮷\r\n", "\r\n"),
    ):
        text = f"{before}{label}{_WAYS[way](number)}{after}"
        assert left(text) == f"{before}{label}[{kind}]{after}"


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("病案号：零零一二三四五六", "病案号：[RECORD_NUMBER]"),
        ("QQ 一二三四五六七八九", "QQ [ACCOUNT]"),
        ("QQ号1234*****", "QQ号[ACCOUNT]"),
        ("医保卡号：A1234****8", "医保卡号：[INSURANCE_NUMBER]"),
        ("病案号：0012*****3456", "病案号：[RECORD_NUMBER]"),
        ("银行卡：6228 **** **** 5671", "银行卡：[BANK_CARD]"),
        ("银行卡：6228-****-****-5671-234", "银行卡：[BANK_CARD]"),
        ("车牌京A·1***5", "车牌[PLATE]"),
        ("车牌粤B·D****5", "车牌[PLATE]"),
        ("电话：１３８＊＊＊＊８０００", "电话：[PHONE]"),
        ("身份证：１１０１０１＊＊＊＊＊＊＊＊０２３３", "身份证：[ID]"),
    ],
)
def test_a_number_in_hanzi_or_under_stars_goes_whole(text: str, out: str) -> None:
    assert left(text) == out


@pytest.mark.parametrize(
    "address",
    [
        "yu.cean@example.invalid",
        "yu.cean＠example.invalid",
        "ｙｕ.ｃｅａｎ＠ｅｘａｍｐｌｅ．ｉｎｖａｌｉｄ",
        "yu.cean (at) example (dot) invalid",
        "yu.cean[at]example[dot]invalid",
        "yu . cean @ example . invalid",
        "yu.cean#example.invalid",
        "y***n@example.invalid",
        "虞测安@example.invalid",
        "yu.cean@mail.example.invalid",
    ],
)
@pytest.mark.parametrize("after", ["", "，谢谢", "。Then he left", "（虞试）", "\r\n"])
def test_an_e_mail_address_goes_in_every_writing(address: str, after: str) -> None:
    assert left(f"邮箱：{address}{after}").startswith("邮箱：[EMAIL]" + after[:1])


@pytest.mark.parametrize("text", ["邮箱收不到，请重发", "邮箱 . 没有", "微信 a b c", "QQ 1-2-3"])
def test_a_label_of_the_net_without_a_value_takes_nothing(text: str) -> None:
    assert left(text) == text
