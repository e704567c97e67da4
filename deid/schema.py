"""The nouns: what every part of MedVeil speaks about (docs/design.md, "Nouns").

All are frozen and do no work.  Intervals and boxes are half-open.  Text offsets count Unicode code
points; box coordinates are integer pixels of the source picture, origin top left.  `TextPart`,
`ImagePart`, `TagPart` and what is built from them (`Reading`, `Seen`, `Document`, `Case`) hold
content and therefore never reach a log, an audit record or an error message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

import numpy as np
from numpy.typing import NDArray

CaseId = NewType("CaseId", str)
"""A pseudonymous case identifier, safe to print."""
PatientKey = NewType("PatientKey", str)
"""A pseudonymous patient identifier, safe to print."""
PartId = NewType("PartId", str)
"""Where a part sits in its case: ``t3#text``, ``t5.0#px``, ``t5.0#ocr/0``, ``f2#text``."""
Frame = NDArray[np.uint8]
"""One frame for detectors: height x width x 3, RGB, 8 bit."""
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Corners of a possibly tilted rectangle, clockwise from the text's own top left, in pixels."""


class Kind(StrEnum):
    """What a thing is: the only vocabulary of findings, policies and reports.

    Direct identifiers follow paper A.2 and HIPAA 164.514(b)(2); the last group are keepers, the
    clinical attributes that stay.
    """

    NAME = "name"
    DOCTOR_NAME = "doctor_name"
    RELATIVE_NAME = "relative_name"

    RESIDENT_ID = "resident_id"
    PERMIT = "permit"
    PASSPORT = "passport"
    MILITARY_ID = "military_id"
    LICENCE = "licence"
    ORGANISATION_CODE = "organisation_code"
    GOVERNMENT_ID = "government_id"

    PHONE = "phone"
    EMAIL = "email"
    ADDRESS = "address"
    POSTCODE = "postcode"

    HOSPITAL = "hospital"
    INSTITUTION = "institution"

    DATE = "date"
    AGE_OVER_89 = "age_over_89"

    URL = "url"
    IP_ADDRESS = "ip_address"
    ACCOUNT = "account"
    ORDER_ID = "order_id"
    BANK_CARD = "bank_card"

    RECORD_NUMBER = "record_number"
    INSURANCE_NUMBER = "insurance_number"
    SPECIMEN_NUMBER = "specimen_number"
    UID = "uid"

    PLATE = "plate"
    VEHICLE_ID = "vehicle_id"
    DEVICE_ID = "device_id"

    FACE = "face"
    SIGNATURE = "signature"
    SEAL = "seal"
    LOGO = "logo"
    BARCODE = "barcode"
    QR_CODE = "qr_code"
    ID_CARD = "id_card"
    SCENE_OBJECT = "scene_object"

    METADATA = "metadata"
    UNKNOWN = "unknown"

    AGE = "age"
    SEX = "sex"
    DURATION = "duration"
    DOSE = "dose"
    MEASUREMENT = "measurement"
    CLINICAL = "clinical"
    TECHNICAL = "technical"


class Action(StrEnum):
    """What is done with a thing, weakest first (see `STRENGTH`)."""

    KEEP = "keep"
    SHIFT = "shift"
    GENERALISE = "generalise"
    REPLACE = "replace"
    REMOVE = "remove"


STRENGTH: Mapping[Action, int] = MappingProxyType({action: n for n, action in enumerate(Action)})
"""Order of actions: where two apply to one place the stronger wins."""


class Speaker(StrEnum):
    """Who said a turn (paper 3.1: the s of e = (c, m, s, tau))."""

    PATIENT = "patient"
    DOCTOR = "doctor"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, order=True)
class Box:
    """Pixels x0 <= x < x1, y0 <= y < y1.  Never empty; may reach outside until clipped."""

    x0: int
    y0: int
    x1: int
    y1: int

    def __post_init__(self) -> None:
        """Refuse an empty or inverted box."""
        if self.x0 >= self.x1 or self.y0 >= self.y1:
            message = f"a box must not be empty: {self.x0},{self.y0},{self.x1},{self.y1}"
            raise ValueError(message)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code points start <= i < end of a text part.  Never empty."""

    part: PartId
    start: int
    end: int

    def __post_init__(self) -> None:
        """Refuse an empty, inverted or negative span."""
        if not 0 <= self.start < self.end:
            message = f"a span must not be empty: {self.start}..{self.end}"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Region:
    """A box in a picture; ``frame`` None means every frame.

    ``quad`` keeps the tilted outline where a detector knew it; painting uses ``box``, its hull.
    """

    part: PartId
    box: Box
    frame: int | None = None
    quad: Quad | None = None


@dataclass(frozen=True, slots=True, order=True)
class Tag:
    """A metadata element: ``(0010,0010)``, ``(0008,1140)[0](0008,1155)``, ``exif``."""

    part: PartId
    path: str


Where = Span | Region | Tag


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text with content.  ``lang`` is a hint ("zh" or "en"); detectors read both in any part."""

    id: PartId
    text: str
    lang: str = "zh"


@dataclass(frozen=True, slots=True)
class ImagePart:
    """A picture with content: ``pixels[i]`` is frame i as height x width x 3 RGB uint8.

    ``pixels`` may decode lazily, so that memory stays bounded by one frame.
    """

    id: PartId
    width: int
    height: int
    pixels: Sequence[Frame]


@dataclass(frozen=True, slots=True)
class TagPart:
    """A metadata element with content; ``vr`` is the DICOM value representation or ""."""

    id: PartId
    path: str
    vr: str
    value: str


@dataclass(frozen=True, slots=True)
class OcrLine:
    """A line of text as an OCR engine read it; ``chars`` holds one box per code point of text."""

    text: str
    score: float
    quad: Quad
    chars: tuple[Box, ...]

    def __post_init__(self) -> None:
        """Refuse a line whose characters cannot all be located."""
        if len(self.chars) != len(self.text):
            message = f"{len(self.text)} characters but {len(self.chars)} boxes"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Code:
    """A barcode or 2-D code; ``content`` is "" where it was located but not decoded."""

    kind: Kind
    quad: Quad
    content: str
    score: float


@dataclass(frozen=True, slots=True)
class Reading:
    """Text that was read from pixels, with the box of each code point (None for a separator).

    A span of ``text`` maps back to the boxes of its characters (`deid.spans.boxes_of`).
    """

    text: TextPart
    image: PartId
    frame: int
    boxes: tuple[Box | None, ...]

    def __post_init__(self) -> None:
        """Refuse a reading whose characters and boxes do not pair up."""
        if len(self.boxes) != len(self.text.text):
            message = f"{len(self.text.text)} characters but {len(self.boxes)} boxes"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Finding:
    """A detector's claim that a thing of ``kind`` is at ``where``.  Holds no content."""

    where: Where
    kind: Kind
    score: float
    detector: str

    def __post_init__(self) -> None:
        """Refuse a score that is no probability."""
        if not 0.0 <= self.score <= 1.0:
            message = f"score {self.score} is not in [0, 1]"
            raise ValueError(message)


@dataclass(frozen=True, slots=True)
class Seen:
    """What an image detector saw in one frame: findings in pixels and readings of text."""

    findings: tuple[Finding, ...] = ()
    readings: tuple[Reading, ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done at one place, why, and who found it.  Holds no content."""

    where: Where
    kind: Kind
    action: Action
    reason: str
    needs_review: bool
    score: float
    detector: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All decisions of one case under one policy (``policy`` is its fingerprint)."""

    case: CaseId
    policy: str
    decisions: tuple[Decision, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Override:
    """A reviewer's word at a place: applied by a rerun from the source, never to outputs."""

    where: Where
    kind: Kind
    action: Action
    reviewer: str
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Residual:
    """Something identifying that `deid.verify` found in written bytes.  Holds no content."""

    where: Where
    kind: Kind
    score: float
    detector: str
    evidence_class: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """One line of the hash-chained, content-free audit log."""

    seq: int
    previous: str
    at: str
    actor: str
    case: CaseId | None
    event: str
    config: str
    code: str
    payload: Mapping[str, str | int | float]


@dataclass(frozen=True, slots=True)
class Source:
    """A media file of a case: where it lies, and the part that it becomes.

    ``locator`` is a path, or a path inside an archive; it is content and stays private.
    """

    id: PartId
    locator: str


@dataclass(frozen=True, slots=True)
class Field:
    """An export column of a case: its text part and what the header says it is.

    ``kind`` None means free text that detectors scan; an identity kind covers the whole value.
    ``value`` keeps the source's type (a number stays a number where it is kept); ``row`` counts
    from 0 where several rows of a table make one case.
    """

    name: str
    part: TextPart
    kind: Kind | None
    value: str | int | float | bool | None = None
    row: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One event e = (content, modality, speaker, time) of a consultation (paper 3.1)."""

    index: int
    speaker: Speaker
    at: str | None
    text: TextPart
    media: tuple[Source, ...] = ()
    origin: str = "user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A consultation: turns and the export's columns about it.

    ``source`` is the identifier that the export gave it; private, like every content.  ``notes``
    are words of ours about what intake left out: ``media_missing``, ``retracted_dropped``, ...
    """

    id: CaseId
    patient: PatientKey
    source: str
    department: str
    turns: tuple[Turn, ...]
    fields: tuple[Field, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A media file that a format has read: its parts, and the format's own state for writing.

    ``state`` belongs to the format that made the document; nobody else looks at it.
    """

    part: PartId
    format: str
    suffix: str
    image: ImagePart | None = None
    texts: tuple[TextPart, ...] = ()
    tags: tuple[TagPart, ...] = ()
    findings: tuple[Finding, ...] = ()
    state: object = field(default=None, repr=False, compare=False)
