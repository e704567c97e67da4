import pytest

from tests.masked import left, masked


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("家住云屿市栖霞区文澜路18弄3号楼502室", "栖霞区文澜路18弄3号楼502室"),
        ("现居浙江省杭州市西湖区文三路826号，", "西湖区文三路826号"),
        ("云梦县花溪路8号", "云梦县花溪路8号"),
    ],
)
def test_an_address_goes_from_the_district_to_the_door_and_the_city_stays(
    text: str, address: str
) -> None:
    assert ("address", address) in masked(text)[1]


@pytest.mark.parametrize(
    ("text", "hospital", "kept"),
    [
        ("在北医三院看的", "北医三院", "看的"),
        ("协和的专家", "协和", "专家"),
        ("转到市二院", "市二院", "转到"),
        ("华西神经内科", "华西", "神经内科"),
        ("省人医做的CT", "省人医", "CT"),
        ("附一院骨科", "附一院", "骨科"),
        ("在云屿市第一人民医院消化科住院", "云屿市第一人民医院", "消化科住院"),
    ],
)
def test_a_hospital_goes_and_its_department_stays(text: str, hospital: str, kept: str) -> None:
    out = left(text)
    assert hospital not in out
    assert kept in out


@pytest.mark.parametrize(
    "text",
    [
        "考虑肿瘤，建议去三甲医院",
        "附近的药店都关门了，一般药房可以买到",
        "如果医院开药，而且医院人多，怕医院感染，天天跑医院",
        "选择医院，要看包括肿瘤的类型，去妇科专科医院",
        "你们镇上和村上都没有的话",
        "我住在一个比较安全的社区",
        "长期居住在疟疾地区的人群",
    ],
)
def test_places_that_any_place_has_stay(text: str) -> None:
    assert left(text) == text


@pytest.mark.parametrize(
    "date",
    [
        "2025年3月4日",
        "2025-03-04",
        "2025/3/4",
        "2025.03.04",
        "２０２５年３月４日",
        "二〇二五年三月四日",
        "25.3.4",
        "25年3月4日",
        "3月4号",
        "三月四号",
        "正月十五",
        "农历二月初五",
        "March 4, 2025",
        "4 Mar 2025",
        "2025-03-04 10:23:45",
    ],
)
def test_a_date_goes_in_every_written_form(date: str) -> None:
    assert left(f"于{date}复查") == "于[DATE]复查"


@pytest.mark.parametrize(
    "text",
    [
        "服药7天，每日3次，每次2片",
        "孕12周+3，停经50天",
        "术后7天拆线",
        "tid×7天，q8h",
        "三天前上周二开始，半年内",
        "血钾25.3，体温39.2℃",
        "男，45岁，血压138/88mmHg",
        "年龄：89岁",
        "3.5×2.1cm",
        "a 45-year-old man with cough for 3 days",
    ],
)
def test_time_spans_doses_and_measurements_stay(text: str) -> None:
    assert left(text) == text


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("92岁", "90+岁"),
        ("年龄：103岁", "年龄：90+岁"),
        ("John is a 94-year-old man", "John is a 90+-year-old man"),
        ("九十五岁", "90+岁"),
    ],
)
def test_of_an_age_from_ninety_on_only_the_number_changes(text: str, out: str) -> None:
    assert left(text) == out
