import pytest

from tests.masked import masked


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
