"""From the consultations in TOML to lines of an internet hospital's export (layout L2)."""

import hashlib
import tomllib
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .marks import read_marks, unique
from .pictures import MediaFile, media_file

Json = dict[str, Any]
_SPEAKER = {"P": "user->doctor", "D": "doctor->user", "S": "system"}
# The consultation whose record names a picture of its chat once more, as some exports do.
_REPEATS = 6
_STORE = "https://ih-oss.example.invalid/im"


def read_cases() -> list[Json]:
    """Return the consultations as written, in order."""
    here = Path(__file__).parent
    files = ("consultations_a.toml", "consultations_b.toml")
    return [case for name in files for case in tomllib.loads((here / name).read_text())["case"]]


def identity(*words: str, length: int = 20) -> str:
    """Return a fixed, meaningless identifier made from ``words``."""
    return hashlib.sha256("|".join(words).encode()).hexdigest()[:length]


def export_case(case: Json, number: int) -> tuple[Json, Json, list[MediaFile]]:
    """Return the export's line, its answer key, and the media that it names."""
    start = datetime.fromisoformat(str(case["start"]))
    source = f"IH{start:%Y%m%d}{number:04d}"
    patient, doctor = case["patient"], case["doctor"]
    openid = "oX" + identity(patient["name"], "openid", length=26)
    description = read_marks(case["description"])
    files: list[MediaFile] = []
    line: Json = {
        "consultationId": source,
        "patientId": patient["patientIdNo"],
        "userId": int(identity(source, "user", length=8), 16),
        "openId": openid,
        "doctorId": doctor["sn"],
        "deptName": case["department"],
        "status": "4",
        "created_at": f"{start:%Y-%m-%d %H:%M:%S}",
        "description": description.text,
        "patient": {"id": identity(source, "p"), "certificateType": "01", **patient},
        "doctor": {
            "doctorId": doctor["sn"],
            "doctorSn": doctor["sn"],
            "doctorName": doctor["name"],
            "deptName": case["department"],
            "title": doctor["title"],
            "hospitalName": doctor["hospital"],
            "avatar": f"{_STORE}/avatar/{quote(doctor['name'])}.png",
        },
        "messages": [],
    }
    gone, stay = list(description.gone), list(description.stay)
    for n, (message, marked, made) in enumerate(_messages(case, start, source)):
        message["id"] = f"{source}{n:03d}"
        line["messages"].append(message)
        gone += marked[0]
        stay += marked[1]
        files += made
    images = [m["image"] for m in line["messages"] if m.get("image")]
    line["images"] = images[:1] if number == _REPEATS else []
    columns = [str(v) for k, v in patient.items() if k != "sex"]
    columns += [doctor["name"], doctor["sn"], doctor["hospital"], openid, str(line["userId"])]
    key: Json = {
        "consultationId": source,
        "department": case["department"],
        "gone": unique([*gone, *columns, line["created_at"]]),
        "stay": unique(stay),
        "pictures": [_picture_key(f) for f in files],
    }
    return line, key, files


def _picture_key(file: MediaFile) -> Json:
    return {
        "file": file.name,
        "broken": file.broken,
        "gone": unique(file.gone),
        "stay": unique(file.stay),
    }


def _messages(
    case: Json, start: datetime, source: str
) -> Iterator[tuple[Json, tuple[tuple[str, ...], tuple[str, ...]], list[MediaFile]]]:
    """Yield each message with the marks of its text and the media that it carries."""
    moment = start
    for n, raw in enumerate(case["chat"].strip().splitlines()):
        who, _, rest = raw.partition(" ")
        moment += timedelta(seconds=23 + 41 * n % 173)
        message: Json = {
            "id": "",
            "chatId": "C" + source,
            "consultationId": source,
            "type": "01",
            "text": "",
            "direction": _SPEAKER[who[0]],
            "created_at": f"{moment:%Y-%m-%d %H:%M:%S}",
            "isRetract": int(who.endswith("-")),
        }
        yield _fill(message, rest, who, moment)


def _fill(
    message: Json, rest: str, who: str, moment: datetime
) -> tuple[Json, tuple[tuple[str, ...], tuple[str, ...]], list[MediaFile]]:
    if rest.startswith("image="):
        file = media_file(rest.removeprefix("image="))
        signed = (
            f"Expires={int(moment.timestamp()) % 10**9 + 10**9}&Signature={identity(file.name)}"
        )
        message["image"] = f"{_STORE}/{moment:%Y/%m/%d}/{quote(file.name)}?{signed}"
        return message, ((), ()), [file]
    if rest == "sticker":
        message["text"] = "[动画表情]"
        message["type"] = "05"
        return message, ((), ()), []
    if rest.startswith("09 "):
        message["type"] = "09"
        rest = rest.removeprefix("09 ")
    marked = read_marks(rest)
    message["text"] = marked.text
    if who == "S":
        message["type"] = "06"
        message["text"] = {"doctorMsg": marked.text, "userMsg": marked.text}
    return message, (marked.gone, marked.stay), []
