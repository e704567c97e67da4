"""What DICOM elements are: by the table of PS3.15 first, then by value representation.

An element that neither the profile nor the dictionary knows is of unknown kind, and the policy
removes it: an allow-list, because text in elements outside the table is where other tools leak.
Free text stays as clinical content; its words go through the text detectors as a text part.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from pydicom.datadict import dictionary_has_tag, dictionary_VR

from deid.apply.tags import REGISTERED
from deid.dicom_profile import Row, last_tag, profile_row
from deid.schema import Finding, Kind, Tag, TagPart

FREE_TEXT = frozenset({"LO", "LT", "SH", "ST", "UC", "UT"})
SCANNED = FREE_TEXT | {"CS"}
"""Representations whose values the text detectors read: a name fits into a code string, too."""
_BINARY = frozenset({"OB", "OD", "OF", "OL", "OV", "OW"})
_DATES = frozenset({"DA", "DT", "TM"})
_BY_VR: Mapping[str, Kind] = MappingProxyType(
    {
        **dict.fromkeys(FREE_TEXT, Kind.CLINICAL),
        **dict.fromkeys(_DATES, Kind.DATE),
        **dict.fromkeys(("UN", "AE", "UR"), Kind.UNKNOWN),
    }
)
_PATIENT_GROUP = 0x0010
_DAYS = {"D": 1.0, "W": 7.0, "M": 30.4375, "Y": 365.25}
_OLD = 90 * _DAYS["Y"]
_SPECIAL: Mapping[tuple[int, int], Kind] = MappingProxyType(
    {
        (0x0008, 0x0005): Kind.TECHNICAL,  # SpecificCharacterSet
        (0x0010, 0x0040): Kind.SEX,
        (0x0010, 0x1010): Kind.AGE,
        (0x0010, 0x1020): Kind.MEASUREMENT,
        (0x0010, 0x1030): Kind.MEASUREMENT,
        # Containers whose items are cleaned one by one (PS3.15 E.3.4, E.3.3).
        (0x0040, 0xA073): Kind.TECHNICAL,  # VerifyingObserverSequence
    }
)
_PICTURE = frozenset(
    {
        *((0x0028, element) for element in (*range(0x1201, 0x1204), *range(0x1221, 0x1224))),
        (0x0028, 0x1408),  # BlendingLookupTableData
        (0x0028, 0x3006),  # LUTData
        (0x5400, 0x1010),  # WaveformData
        (0x5400, 0x0110),  # ChannelMinimumValue
        (0x5400, 0x0112),  # ChannelMaximumValue
        (0x5400, 0x100A),  # WaveformPaddingValue
        (0x5600, 0x0020),  # SpectroscopyData
        (0x7FE0, 0x0001),  # ExtendedOffsetTable
        (0x7FE0, 0x0002),  # ExtendedOffsetTableLengths
        (0x7FE0, 0x0008),  # FloatPixelData
        (0x7FE0, 0x0009),  # DoubleFloatPixelData
        (0x7FE0, 0x0010),  # PixelData
        *((0x0066, element) for element in (0x0016, 0x0021, 0x0022, 0x0023, 0x0040, 0x0041)),
    }
)
"""Elements of bytes that a picture, a waveform or a surface needs; all others are removed."""
_SHAPES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "AS": re.compile(r"\d{3}[DWMY]"),
        "CS": re.compile(r"[A-Z0-9 _]{0,16}"),
        "DS": re.compile(r" *[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)? *"),
        "IS": re.compile(r" *[+-]?\d{1,12} *"),
        "UI": re.compile(r"[0-9.]{1,64}"),
    }
)
"""What a value of a representation looks like (PS3.5 6.2): anything else may be anything."""
_STRUCTURE = frozenset({"TEXT", "CODE", "IMAGE", "PNAME", "DATE", "DATETIME", "CONTAINER", "OTHER"})
"""Words that an object needs to be read at all, whoever is called so."""
_LEAST_LETTERS, _LEAST_HANZI = 4, 2
_BY_WORD: tuple[tuple[str, Kind], ...] = (
    ("telephone", Kind.PHONE),
    ("telecom", Kind.PHONE),
    ("address", Kind.ADDRESS),
    ("institution", Kind.HOSPITAL),
    ("insurance", Kind.INSURANCE_NUMBER),
    ("specimen", Kind.SPECIMEN_NUMBER),
    ("container identifier", Kind.SPECIMEN_NUMBER),
    ("serial", Kind.DEVICE_ID),
    ("device", Kind.DEVICE_ID),
    ("station", Kind.DEVICE_ID),
    ("patient id", Kind.RECORD_NUMBER),
    ("number", Kind.RECORD_NUMBER),
    (" id", Kind.RECORD_NUMBER),
    ("name", Kind.NAME),
)
_IDENTITIES = frozenset(
    {Kind.NAME, Kind.DOCTOR_NAME, Kind.RECORD_NUMBER, Kind.PHONE, Kind.INSURANCE_NUMBER}
)


def detect_tags(tags: Sequence[TagPart]) -> list[Finding]:
    """Return a finding for every element; those of pictures have none here.

    A technical value that repeats a name or number of the same object is of unknown kind.
    """
    kinds = [(tag, _kind(tag)) for tag in tags if tag.path.startswith("(")]
    known = _known(kinds)
    return [
        Finding(
            Tag(tag.id, tag.path), Kind.UNKNOWN if _repeats(tag, kind, known) else kind, 1.0, "tags"
        )
        for tag, kind in kinds
    ]


def _known(kinds: Sequence[tuple[TagPart, Kind]]) -> frozenset[str]:
    """Return the words of the object's names and numbers, long enough to mean somebody."""
    words = {
        word.upper()
        for tag, kind in kinds
        if kind in _IDENTITIES
        for word in re.split(r"[\^=\\\s]+", tag.value)
    }
    return frozenset(
        w for w in words if len(w) >= (_LEAST_LETTERS if w.isascii() else _LEAST_HANZI)
    )


def _repeats(tag: TagPart, kind: Kind, known: frozenset[str]) -> bool:
    if kind is not Kind.TECHNICAL or tag.vr not in {"CS", "DS", "IS"}:
        return False
    words = re.split(r"[\\\s]+", tag.value.upper())
    return any(word in known and word not in _STRUCTURE for word in words)


def _kind(tag: TagPart) -> Kind:
    group, element = last_tag(tag.path)
    if group % 2 or element == 0 or not dictionary_has_tag((group << 16) | element):
        return Kind.UNKNOWN
    if not _credible(tag, dictionary_VR((group << 16) | element)):
        return Kind.UNKNOWN
    special = _SPECIAL.get((group, element))
    if special is Kind.AGE and _is_old(tag.value):
        return Kind.AGE_OVER_89
    if special is not None:
        return special
    row = profile_row(group, element)
    return _listed(tag, group, row) if row is not None else _unlisted(tag, (group, element))


def _credible(tag: TagPart, expected: str) -> bool:
    """Say whether an element has the representation of the dictionary, and values that fit it."""
    both = {tag.vr, expected}
    if tag.vr not in expected.split(" or ") and not both <= SCANNED and not both <= _BINARY:
        return False
    shape = _SHAPES.get(tag.vr)
    values = [v.strip(" \x00") for v in tag.value.split("\\")]
    return shape is None or all(not value or shape.fullmatch(value) for value in values)


def _listed(tag: TagPart, group: int, row: Row) -> Kind:
    if tag.vr == "SQ":
        # Cleaned item by item, as the clean options and U* ask; else emptied or removed whole.
        return Kind.TECHNICAL if row.clean or "U*" in row.basic else Kind.UNKNOWN
    if tag.vr == "PN":
        return Kind.NAME if group == _PATIENT_GROUP else Kind.DOCTOR_NAME
    if tag.vr == "UI":
        return Kind.UID
    if tag.vr in _DATES:
        return Kind.DATE
    if row.clean and tag.vr in FREE_TEXT:
        return Kind.CLINICAL
    return next(_words(row.name), Kind.UNKNOWN)


def _words(name: str) -> Iterator[Kind]:
    lower = name.lower()
    return (kind for word, kind in _BY_WORD if word in lower)


def _unlisted(tag: TagPart, where: tuple[int, int]) -> Kind:
    if tag.vr == "PN":
        return Kind.NAME if where[0] == _PATIENT_GROUP else Kind.DOCTOR_NAME
    if tag.vr == "UI":
        values = [v.strip(" \x00") for v in tag.value.split("\\")]
        registered = all(not v or REGISTERED.fullmatch(v) for v in values)
        return Kind.TECHNICAL if registered else Kind.UID
    if tag.vr == "AS":
        return Kind.AGE_OVER_89 if _is_old(tag.value) else Kind.AGE
    if tag.vr in _BINARY:
        return Kind.TECHNICAL if where in _PICTURE else Kind.UNKNOWN
    return _BY_VR.get(tag.vr, Kind.TECHNICAL)


def _is_old(value: str) -> bool:
    """Say whether an age string means 90 years or more, in whatever unit."""
    value = value.strip(" \x00")
    return value[:-1].isdecimal() and int(value[:-1]) * _DAYS.get(value[-1], 0.0) >= _OLD
