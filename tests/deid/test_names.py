import pytest

from tests.masked import left, masked


def _gone(text: str, *people: str) -> None:
    values = [value for _, value in masked(text)[1]]
    assert values == list(people)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("刘主任您好", "刘"),
        ("谢谢钱大夫", "钱"),
        ("问了周教授", "周"),
        ("赵护士长让我等", "赵"),
        ("吴药师发药", "吴"),
        ("孙姐在吗", "孙"),
        ("冯妈妈您好", "冯"),
        ("欧阳医生在吗", "欧阳"),
        ("上官大夫", "上官"),
        ("于医生好", "于"),
        ("何医生说没事", "何"),
        ("挂了方丽华医生的号", "方丽华"),
        ("由付凯丽医生诊治", "付凯丽"),
        ("高大伟医生您好", "高大伟"),
        ("黄阿姨的血压", "黄"),
    ],
)
def test_a_title_gives_the_name_in_front_of_it_away(text: str, name: str) -> None:
    _gone(text, name)


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("我叫欧阳试月，今年32岁", ("欧阳试月",)),
        ("免贵姓陈", ("陈",)),
        ("我姓林，单名一个峰", ("林", "峰")),
        ("本人于洋，男，56岁", ("于洋",)),
        ("我女儿叫朵朵，3岁半", ("朵朵",)),
        ("我老公王建国发烧", ("王建国",)),
        ("医生，我是张三丰的家属", ("张三丰",)),
        ("此致敬礼！\n韩梅梅", ("韩梅梅",)),
        ("小冯说要复查", ("小冯",)),
        ("老蒋的药吃完了", ("老蒋",)),
        ("我叫Maria Garcia", ("Maria Garcia",)),
    ],
)
def test_people_who_introduce_themselves_or_others_are_found(
    text: str, people: tuple[str, ...]
) -> None:
    _gone(text, *people)


@pytest.mark.parametrize("between", ["：", " ", "|", "：\n", ": ", "　", " | ", "\n"])
@pytest.mark.parametrize("name", ["虞测安", "欧阳试月", "柳试", "马健康", "古丽·测试"])
def test_a_label_gives_its_value_away_and_nothing_behind_it(name: str, between: str) -> None:
    rest = f"{between}男 年龄：45岁 科室：骨科 白细胞 3.86"
    out = left(f"姓名{between}{name} 性别{rest}")
    assert out == f"姓名{between}[NAME] 性别{rest}"


@pytest.mark.parametrize("label", ["检验者", "审核者", "报告医生", "主治医师", "开单医生"])
def test_staff_are_found_by_their_label(label: str) -> None:
    assert masked(f"{label}：柳试月 日期")[1] == [("doctor_name", "柳试月")]


@pytest.mark.parametrize("name", ["张**", "李某某", "王*", "赵*测"])
def test_a_name_that_is_already_starred_goes_whole(name: str) -> None:
    assert left(f"患者{name}，男") == "患者[NAME]，男"


@pytest.mark.parametrize("name", ["买买提·吐尔逊", "古丽米热·阿不都拉", "阿依古丽•买买提"])
def test_a_dotted_name_goes_without_its_sentence(name: str) -> None:
    assert left(f"患者{name}于昨日入院") == "患者[NAME]于昨日入院"
    assert left(f"{name}，男，40岁") == "[NAME]，男，40岁"


@pytest.mark.parametrize(
    "text",
    [
        "由医生决定是否用药",
        "请及时咨询医生",
        "对于缓解宝宝的腹泻，建议先向专业医生咨询",
        "总体来说，常导致胃部不适",
        "有一种叫精胺的物质，又叫早搏",
        "给孩子戴口罩，孩子和妈妈都好",
        "患者高热3天，病人白细胞高",
        "患者金黄色葡萄球菌感染",
        "全科医生、班主任、任课老师、家庭医生",
        "脉管、神经束侵犯",
        "根据检查结果医生判断为普通感冒",
        "平时看医生不方便",
        "白癜风的症状·白癜风有什么典型症状",
    ],
)
def test_a_sentence_of_the_clinic_holds_no_name(text: str) -> None:
    assert left(text) == text


def test_the_speakers_of_a_transcript_are_no_labels_and_teach_the_case_no_word() -> None:
    text = "病人：\n那如果是流感呢\n医生：\n应该不是\n病人：\n那头疼怎么办\n医生：\n如果头疼就来"
    assert left(text) == text


def test_a_name_alone_behind_a_speaker_of_a_transcript_still_goes() -> None:
    text = "预约医生：王试嫣\n病人：\n好的\n医生：\n柳试月\n病人：\n谢谢"
    assert "柳试月" not in left(text)
    assert "王试嫣" not in left(text)


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("Patient Name: John Smith  DOB: 03/04/1985  MRN: 12345678", ("John Smith", "12345678")),
        ("Dr. Emily Carter saw him", ("Emily Carter",)),
        ("My name is Tom Lee and I have a cough", ("Tom Lee",)),
        ("SSN 123-45-6789, phone (415) 555-0132", ("123-45-6789", "(415) 555-0132")),
        ("lives at 12 Oak Street, Springfield, IL 62704", ("12 Oak Street", "62704")),
        ("mail tom@example.invalid, https://example.invalid/p/1", ("tom@", "https://")),
        ("admitted on March 4, 2025", ("March 4, 2025",)),
    ],
)
def test_english_identifiers_in_the_first_form_go(text: str, gone: tuple[str, ...]) -> None:
    out = left(text)
    assert not [value for value in gone if value in out]


@pytest.mark.parametrize(
    "written",
    [
        "虞测安",
        "虞\u200b测\u200b安",
        "虞\ufeff测安",
        "虞 测安",
        "李𠮷",
        "𠮷田测",
        "歐陽試月",
        "虞*安",
        "虞某某",
        "鄧試月",
    ],
)
@pytest.mark.parametrize(
    ("before", "after"),
    [("姓名：", "，男"), ("患者姓名:", "；女"), ("（姓名：", "）"), ("😷姓名：", " 性别：女"), ("姓名：\r\n", "\r\n"), ("联系人：", "\t")],
)  # fmt: skip
def test_behind_a_label_a_name_goes_in_every_writing(written: str, before: str, after: str) -> None:
    assert left(f"{before}{written}{after}") == f"{before}[NAME]{after}"
