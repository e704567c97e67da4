"""One case from the export to masked files: read, detect, decide, write, look again.

Detection goes twice over the texts: what any part of the case gives away with certainty (columns,
chat, pictures, headers, codes) becomes the case's deny-list and is searched in every other part.
Pictures are decoded for detection and again for writing, so that memory holds one at a time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deid.apply.text import changes, rewrite, stand_in
from deid.assemble import Tools
from deid.detect.known import KnownValues, collect
from deid.detect.tags import detect_tags
from deid.errors import DeidError, UnreadableFileError
from deid.formats import choose
from deid.intake.raw import elapsed_seconds
from deid.plan import plan
from deid.ports import Format
from deid.schema import (
    Action,
    Case,
    Document,
    Field,
    Finding,
    Kind,
    PartId,
    Plan,
    Reading,
    Region,
    Residual,
    Seen,
    Source,
    Span,
    Tag,
    TextPart,
)
from deid.verify import check_media, check_texts

Known = tuple[str, Kind]

_OLD = 90
"""Ages from here on are generalised (HIPAA 164.514(b)(2)(i)(C))."""
_NAMES = frozenset({Kind.NAME, Kind.DOCTOR_NAME, Kind.RELATIVE_NAME})
_NUMBERS = frozenset(
    {
        Kind.RESIDENT_ID,
        Kind.PERMIT,
        Kind.PASSPORT,
        Kind.MILITARY_ID,
        Kind.LICENCE,
        Kind.GOVERNMENT_ID,
        Kind.PHONE,
        Kind.EMAIL,
        Kind.ADDRESS,
        Kind.ACCOUNT,
        Kind.ORDER_ID,
        Kind.BANK_CARD,
        Kind.RECORD_NUMBER,
        Kind.INSURANCE_NUMBER,
        Kind.SPECIMEN_NUMBER,
        Kind.PLATE,
        Kind.HOSPITAL,
    }
)
_SHORTEST_NAME = 2
_SHORTEST_NUMBER = 5
"""Shorter numbers (a bed, an index) would be found everywhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """What detection saw in one media file; holds content, but no pixels."""

    source: Source
    format: Format
    kind: str
    suffix: str
    width: int
    height: int
    frames: int
    findings: tuple[Finding, ...]
    readings: tuple[Reading, ...]
    texts: tuple[TextPart, ...]
    known: tuple[Known, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a case.  ``record`` is masked; ``known`` is private and never leaves."""

    plan: Plan
    record: dict[str, Any]
    media: tuple[Examined, ...]
    files: dict[PartId, str]
    readings: frozenset[PartId]
    residuals: tuple[Residual, ...]
    known: tuple[Known, ...]
    notes: tuple[str, ...]
    looks: int


class CaseError(Exception):
    """A `DeidError` with the part of the case in which it happened."""

    def __init__(self, error: DeidError, part: PartId) -> None:
        """Keep both; neither holds content."""
        super().__init__(error, part)
        self.error = error
        self.part = part


def process(case: Case, tools: Tools, folder: Path) -> Outcome:
    """De-identify one case, its media written below ``folder``.

    Raises:
        CaseError: a part cannot be read or written; the case is to be quarantined.
    """
    media = tuple(_examined(source, tools) for turn in case.turns for source in turn.media)
    readings = tuple(reading for item in media for reading in item.readings)
    texts = [
        *(turn.text for turn in case.turns),
        *(field.part for field in case.fields),
        *(text for item in media for text in item.texts),
        *(reading.text for reading in readings),
    ]
    findings = [*_columns(case.fields), *(f for item in media for f in item.findings)]
    for detector in tools.texts:
        findings += detector.detect(texts)
    known = _known(case.fields, media, collect(texts, findings))
    findings += KnownValues(known).detect(texts)
    policy = tools.config.policy
    decided = plan(case, findings, policy, readings=readings)
    files = {item.source.id: _written(item, decided, folder) for item in media}
    residuals: list[Residual] = []
    looks = 0
    for item in media:
        path = folder / files[item.source.id]
        left = check_media(path, item.source.id, known, tools)
        for _ in range(tools.config.settings.detect.second_looks):
            again = [_again(r) for r in left if isinstance(r.where, Region)]
            if not again:
                break
            looks += 1
            findings += again
            decided = plan(case, findings, policy, readings=readings)
            _written(item, decided, folder)
            left = check_media(path, item.source.id, known, tools)
        residuals += left
    record = _record(case, decided, files, numbered=policy.numbered)
    residuals += check_texts(list(spoken(record)), known, tools)
    return Outcome(
        plan=decided,
        record=record,
        media=media,
        files=files,
        readings=frozenset(reading.text.id for reading in readings),
        residuals=tuple(residuals),
        known=tuple(known),
        notes=case.notes,
        looks=looks,
    )


def _again(residual: Residual) -> Finding:
    return Finding(
        residual.where, residual.kind, residual.score, f"second look/{residual.detector}"
    )


def _examined(source: Source, tools: Tools) -> Examined:
    try:
        data = _bytes(source)
        form = choose(tools.formats, data)
        document = form.read(data, source.id)
        seen = list(_seen(document, tools))
    except DeidError as error:
        raise CaseError(error, source.id) from None
    tagged = detect_tags(document.tags)
    image = document.image
    return Examined(
        source=source,
        format=form,
        kind=document.format,
        suffix=document.suffix,
        width=image.width if image else 0,
        height=image.height if image else 0,
        frames=len(image.pixels) if image else 0,
        findings=(*document.findings, *tagged, *(f for s in seen for f in s.findings)),
        readings=tuple(reading for s in seen for reading in s.readings),
        texts=document.texts,
        known=tuple(_tag_values(document, tagged)),
    )


def _bytes(source: Source) -> bytes:
    try:
        return Path(source.locator).read_bytes()
    except OSError:
        raise UnreadableFileError(
            "A media file cannot be read.", remedy="Check its rights.", reason="permission"
        ) from None


def _seen(document: Document, tools: Tools) -> Iterator[Seen]:
    if document.image is not None:
        for frame in range(len(document.image.pixels)):
            for detector in tools.images:
                yield detector.detect(document.image, frame)


def _tag_values(document: Document, tagged: Sequence[Finding]) -> Iterator[Known]:
    """Yield what metadata elements give away about people, each group of a PN by itself."""
    values = {tag.path: tag.value for tag in document.tags}
    for finding in tagged:
        if isinstance(finding.where, Tag):
            value = values.get(finding.where.path, "")
            for group in value.replace("\\", "=").split("=") if finding.kind in _NAMES else [value]:
                yield group.replace("^", " ").strip(), finding.kind
                yield group.replace("^", "").strip(), finding.kind


def _columns(fields: Sequence[Field]) -> Iterator[Finding]:
    for field in fields:
        if field.kind is not None and field.part.text:
            kind = field.kind
            if kind is Kind.AGE and _years(field.part.text) >= _OLD:
                kind = Kind.AGE_OVER_89
            yield Finding(Span(field.part.id, 0, len(field.part.text)), kind, 1.0, "column")


def _years(text: str) -> int:
    digits = "".join(c for c in text.split(".", maxsplit=1)[0] if c.isdecimal())
    return int(digits) if 0 < len(digits) <= 3 and "月" not in text and "天" not in text else 0  # noqa: PLR2004 - nobody lives a thousand years


def _known(
    fields: Sequence[Field], media: Sequence[Examined], found: Sequence[Known]
) -> list[Known]:
    """Return the case's deny-list: each value once, long enough to mean somebody."""
    values = [
        *((field.part.text.strip(), field.kind) for field in fields if field.kind is not None),
        *(known for item in media for known in item.known),
        *found,
    ]
    return sorted({(value, kind) for value, kind in values if _telling(value, kind)})


def _telling(value: str, kind: Kind) -> bool:
    if kind in _NAMES:
        return len(value) >= _SHORTEST_NAME and not value.isdecimal()
    return kind in _NUMBERS and len(value) >= _SHORTEST_NUMBER


def _written(item: Examined, decided: Plan, folder: Path) -> str:
    """Write one media file under a name that says nothing, and return that name."""
    name = f"{item.source.id}{item.suffix}"
    try:
        document = item.format.read(_bytes(item.source), item.source.id)
        item.format.write(document, decided, folder / name)
    except DeidError as error:
        raise CaseError(error, item.source.id) from None
    return name


def _record(
    case: Case, decided: Plan, files: dict[PartId, str], *, numbered: bool
) -> dict[str, Any]:
    """Return the case as one line of ``corpus/cases.jsonl`` (docs/guide.md, Output)."""
    masked = changes(decided)

    def text(part: TextPart) -> str:
        return rewrite(part, masked.get(part.id, ()), stand_ins.get(part.id))

    parts = [*(t.text for t in case.turns), *(f.part for f in case.fields)]
    stand_ins = numbers(parts, decided) if numbered else {}
    attributes: dict[int, dict[str, Any]] = {}
    for field in case.fields:
        value = text(field.part) if field.part.id in masked else field.value
        attributes.setdefault(field.row, {})[field.name] = value
    department = next((text(f.part) for f in case.fields if f.part.text == case.department), "")
    rows = [attributes[row] for row in sorted(attributes)]
    return {
        "case_id": case.id,
        "patient": case.patient,
        "department": department,
        "turns": [
            {
                "index": turn.index,
                "speaker": turn.speaker.value,
                "text": text(turn.text),
                "media": [f"media/{case.id}/{files[source.id]}" for source in turn.media],
                "elapsed_s": elapsed,
                "origin": turn.origin,
            }
            for turn, elapsed in zip(case.turns, elapsed_seconds(case.turns), strict=True)
        ],
        "attributes": rows if len(rows) > 1 else attributes.get(0, {}),
    }


def numbers(parts: Sequence[TextPart], decided: Plan) -> dict[PartId, dict[Span, str]]:
    """Return numbered placeholders: the same words get the same number within a case."""
    texts = {part.id: part.text for part in parts}
    given: dict[str, dict[str, int]] = {}
    found: dict[PartId, dict[Span, str]] = {}
    for part in parts:
        for decision in changes(decided).get(part.id, ()):
            where = decision.where
            if isinstance(where, Span) and decision.action is Action.REPLACE:
                word = stand_in(decision, "")
                value = "".join(texts[part.id][where.start : where.end].split())
                seen = given.setdefault(word, {})
                number = seen.setdefault(value, len(seen) + 1)
                found.setdefault(part.id, {})[where] = stand_in(decision, "", number)
    return found


def spoken(record: dict[str, Any]) -> Iterator[TextPart]:
    """Yield every text of a record as written, for `deid.verify`."""
    for turn in record["turns"]:
        yield TextPart(PartId(f"t{turn['index']}#text"), turn["text"])
    rows = record["attributes"]
    for row, values in enumerate(rows if isinstance(rows, list) else [rows]):
        for column, value in enumerate(values.values()):
            if isinstance(value, str):
                yield TextPart(PartId(f"a{row}.{column}#text"), value)
