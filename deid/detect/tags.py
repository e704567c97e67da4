"""What DICOM elements are: by the table of PS3.15 first, then by value representation.

An element that neither the profile nor the dictionary knows is of unknown kind, and the policy
removes it: an allow-list, because text in elements outside the table is where other tools leak.
Free text stays as clinical content; its words go through the text detectors as a text part.
"""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from pydicom.datadict import dictionary_has_tag

from deid.dicom_profile import Row, last_tag, profile_row
from deid.schema import Finding, Kind, Tag, TagPart

FREE_TEXT = frozenset({"LO", "LT", "SH", "ST", "UC", "UT"})
_DATES = frozenset({"DA", "DT", "TM"})
_PATIENT_GROUP = 0x0010
_OLD = 90
_SPECIAL: Mapping[tuple[int, int], Kind] = MappingProxyType(
    {
        (0x0010, 0x0040): Kind.SEX,
        (0x0010, 0x1010): Kind.AGE,
        (0x0010, 0x1020): Kind.MEASUREMENT,
        (0x0010, 0x1030): Kind.MEASUREMENT,
        (0x0008, 0x0005): Kind.TECHNICAL,
        (0x7FE0, 0x0010): Kind.TECHNICAL,
    }
)
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
_REGISTERED = "1.2.840.10008."
"""UIDs of the standard itself (classes, syntaxes): they identify nobody."""


def detect_tags(tags: Sequence[TagPart]) -> list[Finding]:
    """Return a finding for every element; those of pictures have none here."""
    return [
        Finding(Tag(tag.id, tag.path), kind, 1.0, "tags")
        for tag in tags
        if tag.path.startswith("(")
        for kind in [_kind(tag)]
    ]


def _kind(tag: TagPart) -> Kind:
    group, element = last_tag(tag.path)
    special = _SPECIAL.get((group, element))
    if special is Kind.AGE and _years(tag.value) >= _OLD:
        return Kind.AGE_OVER_89
    if special is not None:
        return special
    if group % 2 or not dictionary_has_tag((group << 16) | element):
        return Kind.UNKNOWN
    row = profile_row(group, element)
    return _listed(tag, group, row) if row is not None else _unlisted(tag, group)


def _listed(tag: TagPart, group: int, row: Row) -> Kind:
    if tag.vr == "PN":
        return Kind.NAME if group == _PATIENT_GROUP else Kind.DOCTOR_NAME
    if tag.vr == "UI" or row.basic == "U":
        return Kind.UID
    if tag.vr in _DATES:
        return Kind.DATE
    if row.clean and tag.vr in FREE_TEXT:
        return Kind.CLINICAL
    return next(_words(row.name), Kind.UNKNOWN)


def _words(name: str) -> Iterator[Kind]:
    lower = name.lower()
    return (kind for word, kind in _BY_WORD if word in lower)


def _unlisted(tag: TagPart, group: int) -> Kind:
    if tag.vr == "PN":
        return Kind.NAME if group == _PATIENT_GROUP else Kind.DOCTOR_NAME
    if tag.vr == "UI":
        return Kind.TECHNICAL if tag.value.startswith(_REGISTERED) else Kind.UID
    if tag.vr in _DATES:
        return Kind.DATE
    if tag.vr == "AS":
        return Kind.AGE_OVER_89 if _years(tag.value) >= _OLD else Kind.AGE
    if tag.vr in FREE_TEXT:
        return Kind.CLINICAL
    return Kind.UNKNOWN if tag.vr in {"UN", "AE", "UR"} else Kind.TECHNICAL


def _years(value: str) -> int:
    digits = value.strip().rstrip("Y")
    return int(digits) if value.strip().endswith("Y") and digits.isdecimal() else 0
