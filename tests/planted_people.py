"""Invented people with thirty-two identifiers each, and the clinical facts that must survive."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

_SURNAMES = {
    "纪": "Ji",
    "岑": "Cen",
    "欧阳": "Ouyang",
    "邵": "Shao",
    "许": "Xu",
    "孟": "Meng",
    "钟离": "Zhongli",
    "白": "Bai",
    "武": "Wu",
    "汪": "Wang",
    "简": "Jian",
    "冉": "Ran",
    "梁": "Liang",
    "温": "Wen",
    "顾": "Gu",
    "谭": "Tan",
    "司徒": "Situ",
    "柳": "Liu",
}
_GIVEN = {
    "云舟": "Yunzhou",
    "若溪": "Ruoxi",
    "承岳": "Chengyue",
    "怀瑾": "Huaijin",
    "昭宁": "Zhaoning",
    "疏影": "Shuying",
    "守拙": "Shouzhuo",
    "舒窈": "Shuyao",
    "乘风": "Chengfeng",
    "敬亭": "Jingting",
    "凝霜": "Ningshuang",
    "静姝": "Jingshu",
    "知夏": "Zhixia",
    "以宁": "Yining",
    "砚秋": "Yanqiu",
    "闻笙": "Wensheng",
}
_CITIES = ("澜州市", "霁川市", "溪岚县", "澄江市", "云屿市", "梧溪区", "星沙湖市", "临沣市")
_COMPLAINTS = ("咳嗽", "腹痛", "头晕", "胸闷", "关节痛", "皮疹", "失眠", "腰痛")
_DRUGS = ("阿莫西林", "布洛芬", "二甲双胍", "氨氯地平", "奥美拉唑", "氯雷他定")
_DOSES = ("0.5g 每日三次", "20mg bid", "10mg 每日一次", "0.25g tid", "5mg qd")
_FINDINGS = ("右下肺湿啰音", "咽部充血", "双下肢轻度水肿", "上腹压痛", "白细胞13.2", "心率96次/分")
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)

# A number of this sequence was never given to anybody: real ones start at 001.
_NEVER_ISSUED = "000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The patient of one case: identifiers by role, and facts."""

    source: str
    sex: str
    age: int
    complaint: str
    duration: str
    drug: str
    dose: str
    finding: str
    identifiers: dict[str, str]

    @property
    def facts(self) -> tuple[str, ...]:
        """What must still be there, in the words of the chat."""
        stated = f"{self.sex}，{self.age}岁"
        treated = f"{self.drug}{self.dose}"
        return (stated, f"{self.complaint}{self.duration}", treated, self.finding)


def invent_people(cases: int, seed: int) -> Iterator[Person]:
    """Yield ``cases`` people; no two share an identifier."""
    rng = random.Random(seed)  # noqa: S311 - planted test data, no secret
    names = [(s, g) for s in _SURNAMES for g in _GIVEN]
    rng.shuffle(names)
    if 3 * cases > len(names):
        message = f"at most {len(names) // 3} cases: names must not repeat"
        raise ValueError(message)
    for n in range(cases):
        yield _person(n, names[3 * n : 3 * n + 3], rng)


def _person(n: int, names: list[tuple[str, str]], rng: random.Random) -> Person:
    # The resident number ends in a fixed sequence, so that the birthday alone makes it unique.
    born = (1950 + 7 * n % 55, 1 + n % 12, 1 + n % 28)
    identifiers = _named(names) | _numbered(n, born, rng) | _reached(n, names[0], rng)
    return Person(
        source=f"IH2021{n:06d}{rng.randint(10, 99)}",
        sex=rng.choice("男女"),
        age=2021 - born[0],
        complaint=_COMPLAINTS[n % len(_COMPLAINTS)],
        duration=f"{2 + n % 9}{'天' if n % 2 else '周'}",
        drug=_DRUGS[n % len(_DRUGS)],
        dose=_DOSES[n % len(_DOSES)],
        finding=_FINDINGS[n % len(_FINDINGS)],
        identifiers=identifiers,
    )


def _named(names: list[tuple[str, str]]) -> dict[str, str]:
    (surname, given), doctor, relative = names
    return {
        "name": surname + given,
        "name_pinyin": _SURNAMES[surname] + _GIVEN[given],
        "name_dicom": f"{_SURNAMES[surname]}^{_GIVEN[given]}",
        "doctor": "".join(doctor),
        "relative": "".join(relative),
    }


def _numbered(n: int, born: tuple[int, int, int], rng: random.Random) -> dict[str, str]:
    year, month, day = born
    tail = rng.randint(1000, 9999)
    return {
        "resident_id": _resident_id(f"320106{year}{month:02d}{day:02d}{_NEVER_ISSUED}"),
        "birth_date": f"{year}年{month}月{day}日",
        "birthday": f"{year}-{month:02d}-{day:02d}",
        "visit_date": f"2019-{1 + n % 12:02d}-{1 + n % 28:02d}",
        "created_at": f"2021-{1 + n % 12:02d}-{1 + n % 28:02d} {7 + n % 12:02d}:{n % 60:02d}:37",
        "order": f"RX2021{tail}{n:08d}",
        "record_number": f"MZ{tail}{n:06d}",
        "inpatient_number": f"ZY{tail + 1}{n:06d}",
        "insurance": f"3201G{tail}{n:05d}",
        "specimen": f"69{tail}{n:06d}",
        "bank_card": _luhn(f"62170000{tail}{n:06d}"),
        "passport": f"E{tail}{n:04d}",
        "permit": f"C{tail + 1}{n:04d}",
        "licence": f"1413201{tail}{n:04d}",
        "device_serial": f"SN-8KD{tail}{n:04d}",
        "user_id": f"{tail}7{n:05d}",
        "plate": f"苏A·{'ABCDEFGHJK'[n % 10]}{tail}",
    }


def _reached(n: int, name: tuple[str, str], rng: random.Random) -> dict[str, str]:
    city = _CITIES[n % len(_CITIES)]
    tail = rng.randint(1000, 9999)
    latin = _SURNAMES[name[0]].lower()
    return {
        "phone": f"13{n % 10}0{n:03d}{tail}",
        "landline": f"025-68{n % 100:02d}{tail}",
        "email": f"{latin}{tail}.{n}@mail.example.com",
        "wechat": f"wx_{latin}{tail}{n}",
        "qq": f"8{tail}{n:04d}",
        "address": f"江苏省{city}花溪路{10 + n}号青梧苑{1 + n % 20}栋{100 + n}室",
        "hospital": f"{city}第{'一二三四五六'[n // 8 % 6]}人民医院",
        "employer": f"{city}青禾{'甲乙丙丁戊己庚'[n // 8 % 7]}机械有限公司",
        "url": f"https://report.example.com/r/{tail}{n}?pid={tail}",
        "ip": f"203.0.113.{1 + n % 250}",
        "openid": f"oX9f{tail}kQ{n:04d}LmZpT7wVbN",
    }


def _resident_id(body: str) -> str:
    """Append the check character of GB 11643-1999."""
    total = sum(int(c) * w for c, w in zip(body, _WEIGHTS, strict=True))
    return body + "10X98765432"[total % 11]


def _luhn(body: str) -> str:
    """Append the check digit of ISO/IEC 7812-1."""
    total = 0
    for place, digit in enumerate(reversed(body)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return body + str(-total % 10)
