"""Exports in which identifiers are planted everywhere, together with facts that must survive.

`make_planted` plants thirty-two identifiers a case in every place of an export, `make_many` makes
many small cases for tests that kill and resume.
"""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from openpyxl import Workbook

from tests.planted_media import photo_jpeg, radiograph_dicom, report_png, tiny_png
from tests.planted_people import Person, invent_people

Layout = Literal["L2", "L1", "L1-xlsx"]
_STORE = "https://ih-oss.example.com/im"
_MEDIA: dict[str, Callable[[Person], bytes]] = {
    "报告_{phone}.png": report_png,
    "{record_number}_photo.jpg": photo_jpeg,
    "{name_pinyin}_{specimen}.dcm": radiograph_dicom,
}


@dataclass(frozen=True, slots=True)
class PlantedCase:
    """One case: the export's own id, identifiers by role, facts, names of its media files."""

    source: str
    identifiers: dict[str, str]
    facts: tuple[str, ...]
    media: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planted:
    """An export at ``root`` and what was planted in it."""

    root: Path
    cases: tuple[PlantedCase, ...]

    @property
    def identifiers(self) -> list[str]:
        """Every planted value, the export's own case ids included."""
        values = [v for c in self.cases for v in (c.source, *c.identifiers.values())]
        return list(dict.fromkeys(values))

    @property
    def facts(self) -> list[str]:
        """Every planted fact."""
        return list(dict.fromkeys(fact for case in self.cases for fact in case.facts))


def make_planted(
    root: Path, layout: Layout = "L2", *, cases: int = 2, seed: int = 0, pictures: bool = True
) -> Planted:
    """Write an export of ``cases`` cases below ``root`` and return what was planted.

    Layout L2 has three media files a case (PNG, JPEG, DICOM) unless ``pictures`` is false; L1 is
    one table (gb18030 csv, or xlsx) without media.
    """
    root.mkdir(parents=True, exist_ok=True)
    people = list(invent_people(cases, seed))
    if layout != "L2":
        _write_table(root, people, layout)
        return Planted(root, tuple(_case(p, ()) for p in people))
    planted = []
    lines = []
    for person in people:
        media = _write_media(root, person) if pictures else ()
        lines.append(json.dumps(consultation(person, media), ensure_ascii=False))
        planted.append(_case(person, media))
    (root / "consultations.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return Planted(root, tuple(planted))


def make_many(root: Path, *, cases: int = 50, seed: int = 0) -> Planted:
    """Write ``cases`` cases of text and one tiny picture each: for tests that kill and resume."""
    (root / "images").mkdir(parents=True, exist_ok=True)
    planted = []
    lines = []
    for n, person in enumerate(invent_people(cases, seed)):
        name = f"{person.identifiers['record_number']}.png"
        (root / "images" / name).write_bytes(tiny_png(n))
        lines.append(json.dumps(consultation(person, (name,)), ensure_ascii=False))
        planted.append(_case(person, (name,)))
    (root / "consultations.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    return Planted(root, tuple(planted))


def _case(person: Person, media: tuple[str, ...]) -> PlantedCase:
    return PlantedCase(person.source, person.identifiers, person.facts, media)


def _write_media(root: Path, person: Person) -> tuple[str, ...]:
    folder = root / "images" / person.identifiers["name"]
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for pattern, make in _MEDIA.items():
        name = pattern.format(**person.identifiers)
        (folder / name).write_bytes(make(person))
        names.append(f"{folder.name}/{name}")
    return tuple(names)


def chat(person: Person) -> list[tuple[str, str]]:
    """Return who says what: "P" patient, "D" doctor, "S" the platform."""
    known = person.identifiers
    phone = known["phone"]
    spaced = f"{phone[:3]} {phone[3:7]} {phone[7:]}"
    lines = (
        "P 医生您好，我叫{name}，{stated}，{complained}了",
        "D {name}您好，我是{doctor}医生，查体有什么发现吗？",
        "P 身份证号{resident_id}，手机{spaced}，家里电话{landline}",
        "P 邮箱{email}，微信号{wechat}，QQ{qq}，昨天{finding}",
        "P 我家住{address}，在{employer}上班",
        "P 我{visit_date}在{hospital}看过，病历号：{record_number}，住院号：{inpatient_number}",
        "P 医保卡号：{insurance}，条码号：{specimen}，出生日期{birth_date}",
        "P 我爱人{relative}帮我挂的号，订单号：{order}，银行卡号{bank_card}",
        "P 车牌号{plate}，护照号{passport}，港澳通行证号{permit}",
        "P 报告在 {url} 能看到，登录IP地址{ip}，血压计序列号：{device_serial}",
        "D {finding}，建议{treated}口服，执业证号：{licence}",
        "P 收到，{spaced_name}谢谢{doctor}医生",
        "S 患者{name}（手机{phone}）于{created_at}支付，用户编号：{user_id}，openId：{openid}",
    )
    stated, complained, treated, _ = person.facts
    words = known | {
        "spaced": spaced,
        "spaced_name": known["name"],
        "finding": person.finding,
        "stated": stated,
        "complained": complained,
        "treated": treated,
    }
    return [(line[0], line[2:].format(**words)) for line in lines]


def consultation(person: Person, media: tuple[str, ...]) -> dict[str, Any]:
    """Return the export's line about ``person`` (layout L2)."""
    known = person.identifiers
    messages = [_message(person, n, who, text) for n, (who, text) in enumerate(chat(person))]
    for name in media:
        message = _message(person, len(messages), "P", "")
        message["image"] = f"{_STORE}/{quote(name)}?Expires=1&Signature={known['openid']}"
        messages.append(message)
    return {
        "consultationId": person.source,
        "patientId": known["record_number"],
        "userId": int(known["user_id"]),
        "openId": known["openid"],
        "deptName": "全科医学科",
        "created_at": known["created_at"],
        "description": f"{person.complaint}{person.duration}，联系人{known['relative']}",
        "patient": _patient(person),
        "doctor": {
            "doctorName": known["doctor"],
            "doctorSn": known["licence"],
            "hospitalName": known["hospital"],
            "avatar": f"{_STORE}/avatar/{quote(known['doctor'])}.png",
        },
        "device": {"ip": known["ip"], "serial": known["device_serial"], "tags": [known["wechat"]]},
        "payment": {"orderNo": known["order"], "bankCard": known["bank_card"]},
        "remark": f"备注：{known['name']} {known['phone']} 车{known['plate']}",
        "messages": messages,
    }


def _patient(person: Person) -> dict[str, Any]:
    known = person.identifiers
    return {
        "id": known["user_id"],
        "name": known["name"],
        "sex": int(person.sex == "男"),
        "age": person.age,
        "birthday": known["birthday"],
        "phone": int(known["phone"]),
        "certificateType": "01",
        "certificateNo": known["resident_id"],
        "patientIdNo": known["record_number"],
        "address": known["address"],
        "workUnit": known["employer"],
        "email": known["email"],
        "medicalInsuranceNo": known["insurance"],
    }


def _message(person: Person, n: int, who: str, text: str) -> dict[str, Any]:
    stamp = person.identifiers["created_at"]
    return {
        "id": f"{person.source}{n:03d}",
        "consultationId": person.source,
        "type": "06" if who == "S" else "01",
        "text": {"doctorMsg": text, "userMsg": text} if who == "S" else text,
        "direction": {"P": "user->doctor", "D": "doctor->user", "S": "system"}[who],
        "created_at": stamp,
        "isRetract": 0,
    }


def _write_table(root: Path, people: list[Person], layout: Layout) -> None:
    rows = [row(person) for person in people]
    head = list(rows[0])
    if layout == "L1-xlsx":
        book = Workbook()
        sheet = book.active
        assert sheet is not None
        sheet.append([f"门诊记录 导出人 {people[0].identifiers['doctor']}"])
        sheet.append(head)
        for cells in rows:
            sheet.append(list(cells.values()))
        book.properties.creator = people[0].identifiers["doctor"]
        book.save(root / "visits.xlsx")
        return
    out = StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(head)
    writer.writerows(list(cells.values()) for cells in rows)
    (root / "visits.csv").write_bytes(out.getvalue().encode("gb18030"))


def row(person: Person) -> dict[str, str | int]:
    """Return the table's row about ``person`` (layout L1), cells by Chinese header."""
    known = person.identifiers
    talk = "".join(f"{text}。" for who, text in chat(person) if who != "S")
    return {
        "病历号": known["record_number"],
        "住院号": known["inpatient_number"],
        "姓名": known["name"],
        "性别": person.sex,
        "年龄": f"{person.age}岁",
        "出生日期": known["birth_date"],
        "身份证号": known["resident_id"],
        "联系电话": int(known["phone"]),
        "现住址": known["address"],
        "工作单位": known["employer"],
        "联系人": known["relative"],
        "就诊日期": known["created_at"],
        "科室": "全科医学科",
        "医生姓名": known["doctor"],
        "主诉": f"{person.complaint}{person.duration}",
        "现病史": talk,
        "诊断": person.finding,
        "医嘱": f"{person.drug}{person.dose}，复诊找{known['doctor']}医生",
        "备注": f"用户编号：{known['user_id']}，openId：{known['openid']}",
    }
