"""Apply decisions to the elements of a data set, by the action codes of PS3.15."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset

from deid.apply.text import rewrite
from deid.dicom_profile import last_tag, profile_row
from deid.formats.dicom.elements import walk
from deid.schema import Action, Decision, Kind, PartId, TextPart
from deid.surrogates import pseudonym, uid

_PSEUDONYMS = frozenset({(0x0010, 0x0010), (0x0010, 0x0020)})
"""PatientName and PatientID get a stand-in, so that a patient's objects stay together."""
_DUMMIES = {
    "DA": "19000101",
    "DT": "19000101000000",
    "TM": "000000",
    "AS": "000Y",
    "AE": "REMOVED",
    "CS": "REMOVED",
    "UR": "urn:removed",
    "IS": "0",
    "DS": "0",
}
_NUMBERS = frozenset({"FL", "FD", "SL", "SS", "SV", "UL", "US", "UV"})
_TEXTS = frozenset({"LO", "LT", "PN", "SH", "ST", "UC", "UT"})
_BLANK = frozenset({"OB", "OD", "OF", "OL", "OV", "OW", "UN"})


@dataclass(frozen=True, slots=True)
class Decisions:
    """The plan's word on elements and on spans of free text, and the key of the stand-ins."""

    part: PartId
    tags: Mapping[str, Decision]
    spans: Mapping[PartId, list[Decision]]
    key: bytes


def clean(dataset: Dataset, decisions: Decisions) -> None:
    """Change every element as decided; one without a decision is removed."""
    for path, owner, element in list(walk(dataset)):
        if element.tag not in owner or owner[element.tag] is not element:
            continue  # it went with the sequence that held it
        decision = decisions.tags.get(path)
        if decision is None:
            del owner[element.tag]
        elif decision.action is Action.KEEP:
            _rewrite(element, path, decisions)
        else:
            _replace(owner, element, path, decision, decisions.key)


def _rewrite(element: DataElement, path: str, decisions: Decisions) -> None:
    part = PartId(f"{decisions.part}#{path}")
    spans = decisions.spans.get(part)
    if spans:
        element.value = rewrite(TextPart(part, text_of(element)), spans)


def text_of(element: DataElement) -> str:
    """Return a text element's value as one string, several values joined by the backslash."""
    value = element.value
    if isinstance(value, list | tuple) or type(value).__name__ == "MultiValue":
        return "\\".join(str(v) for v in value)
    return "" if value is None else str(value)


def _replace(
    owner: Dataset, element: DataElement, path: str, decision: Decision, key: bytes
) -> None:
    tag = last_tag(path)
    if decision.kind is Kind.UID:
        _remap(element, key)
    elif decision.kind is Kind.AGE_OVER_89:
        element.value = "090Y"
    elif tag in _PSEUDONYMS and text_of(element):
        element.value = pseudonym(key, f"dicom {tag[1]:04x}", text_of(element).strip()).upper()
    else:
        codes = _codes(tag)
        if "D" in codes:
            _dummy(owner, element)
        elif "Z" in codes:
            element.value = [] if element.VR == "SQ" else None
        else:
            del owner[element.tag]


def _codes(tag: tuple[int, int]) -> set[str]:
    row = profile_row(*tag)
    return set(row.basic.replace("*", "").split("/")) if row else {"X"}


def _remap(element: DataElement, key: bytes) -> None:
    value = element.value
    if isinstance(value, str):
        element.value = uid(key, value) if value else value
    elif value:
        element.value = [uid(key, str(v)) for v in value]


def _dummy(owner: Dataset, element: DataElement) -> None:
    if element.VR == "SQ":
        # A dummy item would have to be made for every kind of sequence: an emptied one is shorter
        # than the profile asks for, and never says anything.
        element.value = []
    elif element.VR in _DUMMIES:
        element.value = _DUMMIES[element.VR]
    elif element.VR in _TEXTS:
        element.value = "REMOVED"
    elif element.VR in _NUMBERS:
        element.value = 0
    elif element.VR in _BLANK:
        element.value = b"\x00\x00"
    else:
        del owner[element.tag]
