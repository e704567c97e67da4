"""Layout L2: JSON or JSON lines of an internet hospital, with a folder of media beside it.

Taken without configuration: one file of whole consultations (messages nested), or separate files
of consultations, messages, patients and doctors joined by their ids; arrays, JSON lines, and API
envelopes (``{code, data, msg}``, ``data.items``); Mongo's ``$oid`` and ``$date``.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from deid.errors import InputError
from deid.intake.columns import normal
from deid.intake.encoding import decode_text
from deid.intake.raw import Cell, Export, RawCase, RawTurn, Rejected, Scalar
from deid.schema import Speaker

Record = dict[str, Any]

_SUFFIXES = {".json", ".jsonl", ".ndjson"}
_MESSAGES = (
    "messages",
    "message",
    "dialogue",
    "dialog",
    "chat",
    "chats",
    "turns",
    "records",
    "msgs",
    "conversation",
    "消息",
    "对话",
)
_CASE_ID = ("consultationid", "问诊编号", "caseid", "id", "mongoid")
_TEXT = ("text", "content", "msg", "message", "strcontent", "msgcontent", "内容", "消息内容")
_MEDIA = (
    "image",
    "images",
    "img",
    "imgs",
    "pic",
    "pics",
    "picture",
    "pictures",
    "photo",
    "photos",
    "media",
    "attachments",
    "files",
    "图片",
)
_SPEAKER = ("direction", "sender", "role", "speaker", "sendertype", "from", "角色", "发送者")
_TIME = ("createdat", "createtime", "sendtime", "sentat", "time", "timestamp", "发送时间")
_RETRACTED = ("isretract", "retracted", "isrevoked", "recalled")
_AUDIO = ("audio", "voice", "video")
_TYPE = ("type", "msgtype", "messagetype")
_ORIGIN = ("origin", "source", "mediatype", "imagetype", "subtype")
_PLATFORM = {"sticker", "emoji", "system", "platform", "injected"}
_LINKS = {"id", "mongoid", "messageid", "msgid", "chatid", "consultationid"}
"""Numbers of a message that only say where it belongs."""
_PERSONS = {"patient": "patientid", "doctor": "doctorid"}


class Records:
    """The layout itself."""

    name = "L2"

    def recognise(self, export: Export) -> bool:
        """Say whether some JSON file of the export holds consultations or messages."""
        return any(
            isinstance(record, dict) and _is_ours(record)
            for path in _json_files(export)
            for record in _first(_rows(path), 20)
        )

    def records(self, export: Export) -> Iterator[RawCase | Rejected]:
        """Yield whole consultations as they come; separate tables are joined at the end."""
        tables: dict[str, dict[str, list[Record]]] = {}
        for path in _json_files(export):
            for record in _rows(path):
                if isinstance(record, Rejected):
                    yield record
                elif not isinstance(record, dict):
                    yield Rejected("not_a_record")
                elif _messages(record) is not None:
                    yield _consultation(record)
                else:
                    kind, key = _table(record)
                    tables.setdefault(kind, {}).setdefault(key, []).append(record)
        yield from _joined(tables)


def _json_files(export: Export) -> list[Path]:
    return [path for path in export.files if path.suffix.lower() in _SUFFIXES]


def _first(rows: Iterator[Any], count: int) -> Iterator[Any]:
    for _, row in zip(range(count), rows, strict=False):
        yield row


def _rows(path: Path) -> Iterator[Any]:
    """Yield the records of a file; what cannot be read is a `Rejected`."""
    try:
        data = path.read_bytes()
    except OSError:
        yield Rejected("permission")
        return
    try:
        text = decode_text(data)[0]
    except InputError:
        yield from _byte_lines(data)
        return
    if not text.strip():
        yield Rejected("empty")
        return
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        yield from _lines(text)
        return
    yield from _unwrapped(whole)


def _byte_lines(data: bytes) -> Iterator[Any]:
    """Yield the records of a file in no one encoding line by line: one bad byte costs one line."""
    for line in data.splitlines():
        try:
            yield from _lines(decode_text(line)[0])
        except InputError as error:
            yield Rejected(error.reason)


def _lines(text: str) -> Iterator[Any]:
    for line in text.splitlines():
        if line.strip():
            try:
                yield json.loads(line)
            except (ValueError, RecursionError):
                yield Rejected("broken_json")


def _unwrapped(value: Any) -> Iterator[Any]:  # noqa: ANN401 - JSON has no narrower type
    """Yield the records inside API envelopes, paging and named collections."""
    if isinstance(value, list):
        yield from value
        return
    if isinstance(value, dict) and not _is_ours(value):
        inner = [
            v for v in value.values() if isinstance(v, list) and any(isinstance(r, dict) for r in v)
        ]
        data = value.get("data")
        if isinstance(data, dict | list):
            yield from _unwrapped(data)
            return
        if inner:
            for collection in inner:
                yield from collection
            return
    yield value


def _get(record: Mapping[str, Any], names: Sequence[str]) -> Any:  # noqa: ANN401 - JSON has no narrower type
    """Return the first value that is there under one of our names for it, Mongo's wrapping off."""
    keys = {normal(key): key for key in record}
    for name in names:
        value = record.get(keys.get(name, ""))
        if value not in (None, "", [], {}):
            return _plain(value)
    return None


def _plain(value: Any) -> Any:  # noqa: ANN401 - JSON has no narrower type
    if (
        isinstance(value, dict)
        and len(value) == 1
        and next(iter(value)) in {"$oid", "$date", "$numberLong"}
    ):
        return _plain(next(iter(value.values())))
    return value


def _is_ours(record: Record) -> bool:
    if _messages(record) is not None:
        return True
    keys = {normal(key) for key in record}
    return bool(keys & {"consultationid", "chatid", "问诊编号"}) or (
        bool(keys & {"patientid", "doctorid"}) and bool(keys & {*_TEXT, "description", "病情描述"})
    )


def _messages(record: Record) -> list[Record] | None:
    """Return the nested messages of a whole consultation."""
    keys = {normal(key): key for key in record}
    for name in _MESSAGES:
        value = record.get(keys.get(name, ""))
        if isinstance(value, list) and value and all(isinstance(m, dict) for m in value):
            return value
    return None


def _table(record: Record) -> tuple[str, str]:
    """Return which of the joined tables a record belongs to, and under which id."""
    keys = {normal(key) for key in record}
    if (
        keys & set(_TEXT)
        and keys & {"consultationid", "chatid", "问诊编号"}
        and keys & set(_SPEAKER)
    ):
        return "message", str(_get(record, ("consultationid", "问诊编号", "chatid")))
    if keys & {"doctorname", "doctorsn", "医生姓名"} and not keys & {"patientid", "description"}:
        return "doctor", str(_get(record, ("doctorid", "id")))
    if keys & {"certificateno", "patientidno", "birthday", "身份证号"} and "doctorid" not in keys:
        return "patient", str(_get(record, ("patientid", "id")))
    return "consultation", str(_get(record, _CASE_ID))


def _joined(tables: Mapping[str, Mapping[str, list[Record]]]) -> Iterator[RawCase | Rejected]:
    messages = dict(tables.get("message", {}))
    for key, records in tables.get("consultation", {}).items():
        for record in records:
            whole = dict(record)
            for person, link in _PERSONS.items():
                found = tables.get(person, {}).get(str(_get(record, (link,))))
                if found:
                    whole[person] = found[0]
            chat = messages.pop(key, None) or messages.pop(str(_get(record, ("chatid",))), [])
            yield _consultation({**whole, "messages": chat})
    for key, orphans in messages.items():
        yield _consultation({"consultationId": key, "messages": orphans})


def _consultation(record: Record) -> RawCase | Rejected:
    source = _get(record, _CASE_ID)
    if source is None:
        return Rejected("no_case_id")
    notes: set[str] = set()
    turns: list[RawTurn] = []
    opening = _get(record, ("description", "病情描述"))
    pictures = _names(_get(record, _MEDIA))
    if opening or pictures:
        turns.append(RawTurn(speaker=Speaker.PATIENT, text=_string(opening), media=pictures))
    cells: list[Cell] = []
    seen: set[tuple[str, Scalar]] = set()
    for message in _messages(record) or []:
        turn = _turn(message, notes)
        if turn is not None:
            turns.append(turn)
        cells += _rest(message, seen)
    consumed = {*_MESSAGES, *_MEDIA, "description", "病情描述"}
    cells = [*_flat(record, consumed), *cells]
    patient = _get(record, ("patientid", "userid")) or _patient_id(record) or source
    return RawCase(
        source=str(source), patient=str(patient), turns=turns, cells=cells, notes=tuple(notes)
    )


def _patient_id(record: Record) -> Any:  # noqa: ANN401 - JSON has no narrower type
    patient = _get(record, ("patient", "患者"))
    return _get(patient, ("id", "patientid", "mongoid")) if isinstance(patient, dict) else None


def _turn(message: Record, notes: set[str]) -> RawTurn | None:
    if str(_get(message, _RETRACTED)).lower() in {"1", "true", "yes"}:
        notes.add("retracted_dropped")
        return None
    if _get(message, _AUDIO) is not None:
        notes.add("audio_dropped")
    kind = str(_get(message, _TYPE) or "")
    if kind and kind not in {
        "1",
        "01",
        "02",
        "03",
        "04",
        "06",
        "2",
        "3",
        "4",
        "6",
        "text",
        "image",
    }:
        notes.add("message_type_unknown")
    origin = str(_get(message, _ORIGIN) or "user").lower()
    at = _get(message, _TIME)
    return RawTurn(
        speaker=_speaker(message, kind),
        text=_string(_get(message, _TEXT)),
        at=None if at is None else str(at),
        media=_names(_get(message, _MEDIA)),
        origin=origin if origin in _PLATFORM else "user",
    )


def _speaker(message: Record, kind: str) -> Speaker:
    said = str(_get(message, _SPEAKER) or "").lower().split("->")[0]
    if any(word in said for word in ("doctor", "医", "doc", "physician")):
        return Speaker.DOCTOR
    if any(word in said for word in ("patient", "user", "患", "病人", "用户")):
        return Speaker.PATIENT
    return Speaker.PATIENT if not said and kind in {"1", "01"} else Speaker.SYSTEM


def _string(value: Any) -> str:  # noqa: ANN401 - JSON has no narrower type
    """Return a text that may be an object of texts (a notice to both sides)."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return "\n".join(filter(None, (_string(v) for v in value.values())))
    if isinstance(value, list):
        return "\n".join(filter(None, (_string(v) for v in value)))
    return str(value)


def _names(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - JSON has no narrower type
    """Return the file names or addresses in a media value: a string, a list, or objects."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, dict):
        return _names(_get(value, ("url", "path", "file", "filename", "name", "src")))
    if isinstance(value, list):
        return tuple(name for item in value for name in _names(item))
    return ()


def _rest(message: Record, seen: set[tuple[str, Scalar]]) -> Iterator[Cell]:
    """Yield what else messages say (nicknames, account ids): once per distinct value."""
    consumed = {*_TEXT, *_MEDIA, *_SPEAKER, *_TIME, *_RETRACTED, *_TYPE, *_ORIGIN, *_LINKS}
    for cell in _flat(message, consumed):
        if (cell.name, cell.value) not in seen:
            number = sum(name == cell.name for name, _ in seen)
            seen.add((cell.name, cell.value))
            yield Cell(_numbered(f"message.{cell.name}", number), cell.value)


def _flat(record: Mapping[str, Any], consumed: set[str], owner: str = "") -> Iterator[Cell]:
    """Yield every scalar below a record with its dotted name."""
    for key, raw in record.items():
        value = _plain(raw)
        name = f"{owner}.{key}" if owner else str(key)
        if not owner and normal(str(key)) in consumed:
            continue
        if isinstance(value, dict):
            yield from _flat(value, consumed, name)
        elif isinstance(value, list):
            for number, item in enumerate(value):
                yield from _flat({_numbered(name, number): item}, set())
        elif value not in (None, ""):
            yield Cell(name, value)


def _numbered(name: str, number: int) -> str:
    return f"{name}[{number}]" if number else name
