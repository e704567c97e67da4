"""Read what was written as an outsider would, and report what still identifies somebody.

Nothing is taken from memory: texts come from the record as written, pictures are decoded and read
again at another scale, metadata is parsed again, and the bytes of every file are searched for each
value that the case is known to hold, in the encodings that such values come in.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2

from deid.assemble import Tools
from deid.detect.known import KnownValues
from deid.errors import InputError
from deid.formats import choose
from deid.geometry import scale
from deid.plan import plan
from deid.schema import (
    Action,
    CaseId,
    Document,
    Finding,
    ImagePart,
    Kind,
    PartId,
    Reading,
    Region,
    Residual,
    Seen,
    Span,
    Tag,
    TextPart,
)

Known = tuple[str, Kind]

_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]*[A-Z](?:_\d+)?\]|90\+")
_FILLER = "\ufffc"
_MASKED = frozenset({Action.REPLACE, Action.REMOVE})
_SMALL = 1200
"""Pictures with a longer side below this are read again enlarged, others reduced."""
_ENCODINGS = ("utf-8", "gb18030", "utf-16-le", "utf-16-be")
_FEWEST_BYTES = 5
"""Shorter byte strings occur in compressed data by chance."""


def check_texts(texts: Sequence[TextPart], known: Iterable[Known], tools: Tools) -> list[Residual]:
    """Return what detectors and the case's known values still find in masked texts."""
    blanked = [
        TextPart(t.id, _PLACEHOLDER.sub(lambda m: _FILLER * len(m[0]), t.text), t.lang)
        for t in texts
    ]
    findings = [f for detector in tools.texts for f in detector.detect(blanked)]
    findings += KnownValues(known).detect(blanked)
    return _left(findings, (), tools, "text")


def check_media(path: Path, part: PartId, known: Iterable[Known], tools: Tools) -> list[Residual]:
    """Return what is still found in a written picture or DICOM file.

    Regions are in the pixels of the written file, which are those of the upright source.
    """
    data = path.read_bytes()
    known = list(known)
    try:
        document = choose(tools.formats, data).read(data, part)
    except InputError:
        return [Residual(Tag(part, "file"), Kind.UNKNOWN, 1.0, "verify", "unreadable")]
    findings = list(document.findings)
    readings: list[Reading] = []
    for frame, seen in _seen_again(document, tools):
        del frame
        findings += seen.findings
        readings += seen.readings
    texts = [*document.texts, *(reading.text for reading in readings)]
    blanked = [
        TextPart(t.id, _PLACEHOLDER.sub(lambda m: _FILLER * len(m[0]), t.text)) for t in texts
    ]
    for detector in tools.texts:
        findings += detector.detect(blanked)
    findings += KnownValues(known).detect(blanked)
    left = _left(findings, readings, tools, "picture")
    return left + [
        Residual(Tag(part, "bytes"), kind, 1.0, "bytes", "bytes")
        for kind in find_bytes(data, known)
    ]


def find_bytes(data: bytes, known: Iterable[Known]) -> list[Kind]:
    """Return the kinds of known values whose bytes are in ``data``, in any usual encoding."""
    found = []
    for value, kind in known:
        patterns = {_encoded(value, name) for name in _ENCODINGS}
        if any(p in data for p in patterns if len(p) >= _FEWEST_BYTES):
            found.append(kind)
    return found


def _encoded(value: str, encoding: str) -> bytes:
    return value.encode(encoding, "ignore")


def _left(
    findings: Sequence[Finding], readings: Sequence[Reading], tools: Tools, evidence: str
) -> list[Residual]:
    """Return what the policy would still mask, in text or in pixels."""
    inside = {reading.text.id for reading in readings}
    decided = plan(CaseId(""), findings, tools.config.policy, readings=readings)
    return [
        Residual(d.where, d.kind, d.score, d.detector, evidence)
        for d in decided.decisions
        if d.action in _MASKED and not (isinstance(d.where, Span) and d.where.part in inside)
    ]


def _seen_again(document: Document, tools: Tools) -> Iterable[tuple[int, Seen]]:
    image = document.image
    if image is None:
        return
    factor = 1.5 if max(image.width, image.height) < _SMALL else 0.75
    for frame, pixels in enumerate(image.pixels):
        interpolation = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
        resized = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=interpolation)
        height, width = resized.shape[:2]
        scaled = ImagePart(image.id, width, height, (resized,))
        fx, fy = image.width / width, image.height / height
        for detector in tools.images:
            yield frame, _rescaled(detector.detect(scaled, 0), frame, fx, fy)


def _rescaled(seen: Seen, frame: int, fx: float, fy: float) -> Seen:
    """Map what was seen in a scaled single frame back to the written picture."""
    findings = []
    for finding in seen.findings:
        where = finding.where
        if isinstance(where, Region):
            where = Region(where.part, scale(where.box, fx, fy), frame)
        findings.append(Finding(where, finding.kind, finding.score, finding.detector))
    readings = []
    for reading in seen.readings:
        text = TextPart(PartId(f"{reading.text.id}@{frame}"), reading.text.text)
        boxes = tuple(None if b is None else scale(b, fx, fy) for b in reading.boxes)
        readings.append(Reading(text, reading.image, frame, boxes))
    return Seen(tuple(findings), tuple(readings))
