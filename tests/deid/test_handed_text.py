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


@pytest.mark.parametrize(
    ("text", "out"),
    [
        # The handed cases as they came, beside the siblings above and below.
        ("患者身份证号11010119000101009X已核对", "患者身份证号[ID]已核对"),
        ("500223190001010010 是家属的号", "[ID] 是家属的号"),
        ("202401150007，虞测安，13800138000，云梦县花溪路8号", "[ORDER_ID]，[NAME]，[PHONE]，[ADDRESS]"),
        ("心内科班柳试月于今日接诊", "心内科班[NAME]于今日接诊"),
        # Glued to Hanzi, to each other, to a sign.
        ("身份证号11010119000101009X，家属500223190001010010", "身份证号[ID]，家属[ID]"),
        ("手机１３８００１３８０００／１９９１２３４５６７８", "手机[PHONE]／[PHONE]"),
        ("电话：１３８－００１３－８０００，微信同号", "电话：[PHONE]，微信同号"),
        ("20240115000712，柳试月，19912345678，霁海市栖霞区文澜路18弄3号", "[ORDER_ID]，[NAME]，[PHONE]，霁海市[ADDRESS]"),
        ("订单20240115000713800138000，手机13800138000", "订单[ORDER_ID]，手机[PHONE]"),
        ("骨科欧阳试月主任接诊", "骨科[NAME]主任接诊"),
        ("消化科由柳试月主治", "消化科由[NAME]主治"),
        ("我是虞测安13800138000", "我是[NAME][PHONE]"),
        ("发件人：虞测安<yu.cean@example.invalid>", "发件人：[NAME]<[EMAIL]>"),
        ("邮箱：ceshi_an@example.invalid，电话13800138000（柳试月本人）", "邮箱：[EMAIL]，电话[PHONE]（[NAME]本人）"),
        ("👨‍👩‍👧我叫𠮷田测，住院号ZY00123456", "👨‍👩‍👧我叫[NAME]，住院号[RECORD_NUMBER]"),
        ("李𠮷医生，患者赵𡈼安，女，30岁", "[NAME]医生，患者[NAME]，女，30岁"),
        ('{"姓名":"虞测安","电话":"13800138000"}', '{"姓名":"[NAME]","电话":"[PHONE]"}'),
        ("姓名=虞测安;性别=男", "姓名=[NAME];性别=男"),
        ("患者柳试月女45岁", "患者[NAME]女45岁"),
        ("姓名：\r\n虞测安\r\n电话：\r\n13800138000\r\n", "姓名：\r\n[NAME]\r\n电话：\r\n[PHONE]\r\n"),
        ("\ud800电话13800138000\udfff，姓名：虞测安", "\ud800电话[PHONE]\udfff，姓名：[NAME]"),
        ("职业:教师 主诉:头晕 姓名:柳试 性别:女 过敏史:青霉素", "职业:教师 主诉:头晕 姓名:[NAME] 性别:女 过敏史:青霉素"),
    ],
)  # fmt: skip
def test_a_handed_case_and_its_siblings_are_masked_to_the_letter(text: str, out: str) -> None:
    assert left(text) == out


@pytest.mark.parametrize(
    "text",
    [
        "高脂血症、方剂、白术、马齿苋、云苓、石膏、黄连素、何首乌丸",
        "安宫牛黄丸 柏子养心丸 龙胆泻肝丸 江湖 和谐 时常 许多病人 万分感谢 曾用药 于昨日 向您咨询",
        "史密斯骨折、科雷氏骨折、雷诺综合征、梅尼埃病、唐氏综合征、马凡综合征、桥本甲状腺炎、艾迪生病、贝尔麻痹、墨菲征阳性",
        "血压 128/82，WBC 5.31，肌酐 71.20，甲胎蛋白 3.25",
        "CA125 35.2 U/mL，HCG 12345.6，D-二聚体 0.52",
        "陈旧性骨折，温度正常，常规检查，康复治疗，白带，黄疸",
    ],
)
def test_siblings_that_only_look_like_names_or_numbers_stay(text: str) -> None:
    assert left(text) == text
