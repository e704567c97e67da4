import pytest

from tests.masked import left


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("地址：云屿市栖霞区文澜路１８弄３号楼５０２室，电话", "地址：云屿市[ADDRESS]，电话"),
        ("家住霁海县柳河镇东沟村3组", "[ADDRESS]"),
        ("雲嶼市棲霞區文瀾路18弄3號樓502室", "雲嶼市[ADDRESS]"),
        ("😷栖霞区文澜路18弄3号，😊", "😷[ADDRESS]，😊"),
        ("（云梦县花溪路8号）", "（[ADDRESS]）"),
        ("邮编：１０００８７", "邮编：[POSTCODE]"),
        ("云屿市第一人民医院、霁海二院、云屿五院", "[HOSPITAL]、[HOSPITAL]、[HOSPITAL]"),
        ("上次在霁海二院，这次在云屿市第一人民医院", "上次在[HOSPITAL]，这次在[HOSPITAL]"),
        ("霁海医学院附属试月医院呼吸科", "[HOSPITAL]呼吸科"),
        ("就读于霁海第三小学", "就读于[ORGANISATION]"),
        ("在云屿市测试机械厂上班", "在[ORGANISATION]上班"),
        ("went to Riverbend General Hospital", "went to [HOSPITAL]"),
    ],
)
def test_a_place_goes_and_what_stands_beside_it_stays(text: str, out: str) -> None:
    assert left(text) == out


@pytest.mark.parametrize(
    "text",
    [
        "未见肿瘤、未见转移",
        "妇科肿瘤、有无肿瘤：例如肿瘤，",
        "教育儿童，普通妇产，儿科、眼科",
        "住院、出院、在院、来院",
        "在当地医院、专科医院、三甲医院看过",
        "云屿市、霁海省",
    ],
)
def test_a_list_of_the_clinic_names_no_place(text: str) -> None:
    assert left(text) == text
