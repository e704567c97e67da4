"""Cases that other projects' users reported, with invented people: each was a real defect there."""

import json

import pytest

from tests.masked import left, masked


@pytest.mark.parametrize("tail", ["9X", "9x", "9Ｘ", "9×", "99"])
@pytest.mark.parametrize("before", ["患者身份证号", "身份证", "ID", "（", "x:"])
def test_an_id_glued_to_hanzi_goes_and_the_hanzi_stay(before: str, tail: str) -> None:
    number = f"1101011900010100{tail}"
    assert left(f"{before}{number}已核对") == f"{before}[ID]已核对"


@pytest.mark.parametrize("region", ["500223", "990101", "513621", "830000", "659010"])
def test_a_region_code_that_nobody_knows_does_not_save_an_id(region: str) -> None:
    assert left(f"{region}190001010010 是家属的号") == "[ID] 是家属的号"


@pytest.mark.parametrize(
    ("typed", "rest"),
    [
        ("電話：１３８００１３８０００", "，微信同号"),
        ("电话：１３８００１３８０００", "，微信同号"),
        ("电话：①③⑧⓪⓪①③⑧⓪⓪⓪", "，ok"),
    ],
)
def test_full_width_digits_go_and_the_rest_stays_byte_for_byte(typed: str, rest: str) -> None:
    out, taken = masked(typed + rest)
    assert taken == [("phone", typed[3:])]
    assert out == f"{typed[:3]}[PHONE]{rest}"


def test_an_order_number_in_front_of_a_phone_leaves_no_figure_of_either() -> None:
    out, taken = masked("202401150007，虞测安，13800138000，云梦县花溪路8号")
    assert [kind for kind, _ in taken] == ["order_id", "name", "phone", "address"]
    assert not any(c.isdecimal() for c in out)


@pytest.mark.parametrize("ward", ["心内科班", "骨科值班", "由", "今日接诊的"])
def test_the_character_in_front_of_a_surname_is_no_part_of_the_name(ward: str) -> None:
    assert masked(f"{ward}柳试月于今日接诊")[1] == [("doctor_name", "柳试月")]


@pytest.mark.parametrize(
    "text",
    [
        "高血压、百合、何首乌、史国公药酒、千余例、云南白药",
        "考虑帕金森病、克罗恩病、巴宾斯基征阳性、川崎病",
        "白塞病 黄芩 马齿苋 高脂血症 方颅 温水 常年 白血病 华法林 马蹄足",
        "左房轻大(LA 42mm)，路易体痴呆，Hunt-Hess 2级",
        "血压 130/80，WBC 7.40，乙肝表面抗体 231.50",
        "万一复发，李子过敏",
        "国药准字H20051234，ICD-10 I10.x00，T2N1M0，ECOG 1分",
        "奥沙利铂(齐沙)200mg静滴，紫杉醇(安素泰)210mg",
        "无卡号要求，温度36.5",
    ],
)
def test_what_only_looks_like_a_name_or_a_number_stays(text: str) -> None:
    assert left(text) == text


def test_of_three_labels_only_the_name_loses_its_value() -> None:
    text = "职业:会计 主诉:咳嗽 姓名:欧阳试月"
    assert left(text) == "职业:会计 主诉:咳嗽 姓名:[NAME]"


def test_one_replacement_stands_for_each_thing_that_overlaps() -> None:
    out, taken = masked("邮箱 yu.cean@example.invalid（虞测安本人）")
    assert out == "邮箱 [EMAIL]（[NAME]本人）"
    assert [value for _, value in taken] == ["yu.cean@example.invalid", "虞测安"]


def test_offsets_count_code_points_and_a_rare_character_stays_whole() -> None:
    text = "😷👩‍⚕️医生好，我是𠮷田测，电话13800138000"
    out, taken = masked(text)
    assert taken == [("name", "𠮷田测"), ("phone", "13800138000")]
    assert json.loads(json.dumps(out)) == "😷👩‍⚕️医生好，我是[NAME]，电话[PHONE]"


@pytest.mark.parametrize("shape", ["{}复诊", '{{"姓名":"{}"}}', "姓名 {}"])
def test_one_person_is_found_in_every_shape_of_file(shape: str) -> None:
    assert "虞测安" not in left(shape.format("虞测安"), known=("虞测安",))


def test_a_form_in_one_line_loses_only_the_name() -> None:
    text = "姓名：虞测安 性别：男 年龄：45岁 科室：骨科 白细胞 3.86"
    assert left(text) == text.replace("虞测安", "[NAME]")
