import pytest

from deid.detect import clinical
from deid.detect.shadow import shadow
from deid.schema import Kind
from tests.masked import left


def _kept(text: str) -> set[tuple[Kind, str]]:
    view = shadow(text)
    spans = [(m.kind, view.original(m.start, m.end)) for m in clinical.find(view)]
    return {(kind, text[start:end]) for kind, (start, end) in spans}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("男，４５岁", Kind.AGE, "４５岁"), ("患儿3岁半", Kind.AGE, "3岁半"), ("六十五岁", Kind.AGE, "六十五岁"),
        ("8个月大", Kind.AGE, "8个月大"), ("a 45-year-old man", Kind.AGE, "45-year-old"), ("性别：女", Kind.SEX, "女"),
        ("sex: F", Kind.SEX, "sex: F"), ("咳嗽３天", Kind.DURATION, "３天"), ("反复2周", Kind.DURATION, "反复2周"),
        ("for 3 days", Kind.DURATION, "for 3 days"), ("每次5mg", Kind.DOSE, "5mg"), ("口服５㎎", Kind.DOSE, "５㎎"),
        ("tid", Kind.DOSE, "tid"), ("血压138/88", Kind.MEASUREMENT, "血压138/88"), ("体温39.2℃", Kind.MEASUREMENT, "39.2℃"),
        ("3.5×2.1cm", Kind.MEASUREMENT, "3.5×2.1cm"), ("7.8mmol/L", Kind.MEASUREMENT, "7.8mmol/L"),
    ],
)  # fmt: skip
def test_what_the_clinic_needs_is_recognised_as_what_it_is(
    text: str, kind: Kind, value: str
) -> None:
    assert (kind, value) in _kept(text)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("９２岁", "90+岁"), ("91 岁", "90+ 岁"), ("年龄90", "年龄90+"), ("一百零二岁", "90+岁"), ("9\u200b2岁", "90+岁"),
        ("患者108岁高龄", "患者90+岁高龄"),
    ],
)  # fmt: skip
def test_an_age_from_ninety_on_is_coarsened_in_every_writing(text: str, out: str) -> None:
    assert left(text) == out


@pytest.mark.parametrize(
    "text",
    [
        "89岁",
        "八十九岁",
        "心率90 血氧95",
        "99次/分",
        "98 mmHg",
        "92天",
        "KPS 90",
        "我90后",
        "90年代",
    ],
)
def test_below_ninety_and_what_is_no_age_stay(text: str) -> None:
    assert left(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "双肾多发结石，左肺上叶尖后段，L4/5椎间盘突出，T12椎体压缩",
        "胃镜:慢性浅表性胃炎 HP(++) 幽门螺杆菌阳性",
        "尿蛋白(+) 白细胞3-5/HP 管型0-1/LP",
        "阿莫西林克拉维酸钾片 0.457g*12片 每日2次",
        "空腹血糖7.8mmol/L 餐后2h 11.2 糖化6.8%",
        "TNM: T2N1M0 IIb期 Ki-67 30%，ECOG 1，NYHA II级",
        "BMI 24.5 身高170cm 体重65kg",
        "HBV-DNA 12000000 IU/ml，步数 12000 步，血小板 250000",
        "病历 3年，住院15天，门诊:3次，手术：右侧",
        "检查：CA125 35.2，检验：HBsAg 阳性，体检：血压130/80",
        "QQ上问过，微信里说过，邮箱没收到，编号没有",
        "住院号、门诊号、医保卡号都没带",
    ],
)
def test_a_clinical_sentence_stays_to_the_letter(text: str) -> None:
    assert left(text) == text
