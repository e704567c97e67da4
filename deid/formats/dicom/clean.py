"""Apply decisions to the elements of a data set, by the action codes of PS3.15."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydicom.dataelem import DataElement
from pydicom.dataset import Dataset
from pydicom.multival import MultiValue

from deid.apply.tags import LONGEST, Element, Secrets, StandIn, codes_of, stand_in
from deid.apply.text import rewrite
from deid.detect.tags import FREE_TEXT
from deid.dicom_profile import profile_row
from deid.formats.dicom.elements import walk
from deid.schema import Action, Decision, PartId, TextPart

_PSEUDONYMS = frozenset({(0x0010, 0x0010), (0x0010, 0x0020)})
"""PatientName and PatientID get a stand-in, so that a patient's objects stay together."""
_MANY = frozenset({"LO", "SH", "UC"})
"""Texts of several values, the backslash between them (PS3.5 6.4)."""
_INTEGERS = frozenset({"SL", "SS", "SV", "UL", "US", "UV"})
_REALS = frozenset({"FL", "FD"})


@dataclass(frozen=True, slots=True)
class Decisions:
    """The plan's word on elements and on spans of free text, and the key of the stand-ins."""

    part: PartId
    tags: Mapping[str, Decision]
    spans: Mapping[PartId, list[Decision]]
    secrets: Secrets


def clean(dataset: Dataset, decisions: Decisions) -> None:
    """Change every element as decided; one without a decision is removed."""
    for path, owner, element in list(walk(dataset)):
        if element.tag not in owner or owner[element.tag] is not element:
            continue  # it went with the sequence that held it
        decision = decisions.tags.get(path)
        if decision is None:
            del owner[element.tag]
        elif decision.action is Action.KEEP:
            _rewrite(owner, element, path, decisions)
        else:
            _replace(owner, element, decision, decisions.secrets)


def _rewrite(owner: Dataset, element: DataElement, path: str, decisions: Decisions) -> None:
    part = PartId(f"{decisions.part}#{path}")
    spans = decisions.spans.get(part)
    if not spans:
        return
    if element.VR not in FREE_TEXT:
        # A placeholder is no code: what was found in one goes with it.
        _put(owner, element, None)
        return
    text = rewrite(TextPart(part, text_of(element)), spans)
    _put(owner, element, tuple(text.split("\\")) if element.VR in _MANY else (text,))


def text_of(element: DataElement) -> str:
    """Return a text element's value as one string, several values joined by the backslash."""
    return "\\".join(_values(element))


def _values(element: DataElement) -> tuple[str, ...]:
    value = element.value
    if isinstance(value, list | tuple | MultiValue):
        return tuple(str(v) for v in value)
    return () if value is None else (str(value),)


def _replace(owner: Dataset, element: DataElement, decision: Decision, secrets: Secrets) -> None:
    tag = (element.tag.group, element.tag.element)
    row = profile_row(*tag)
    binary = element.VR == "SQ" or element.VR.startswith("O") or element.VR == "UN"
    asked = Element(
        vr=str(element.VR),
        codes=codes_of(row.basic if row else "X"),
        values=() if binary else _values(element),
        scope=f"dicom {tag[1]:04x}" if tag in _PSEUDONYMS else "",
    )
    _put(owner, element, stand_in(asked, decision.kind, decision.action, secrets))


def _put(owner: Dataset, element: DataElement, values: StandIn) -> None:
    """Write ``values`` (see `deid.apply.tags.StandIn`) into an element."""
    if values is None:
        del owner[element.tag]
    elif not values:
        element.value = [] if element.VR == "SQ" else None
    else:
        most = LONGEST.get(element.VR)
        made = [_typed(value[:most], str(element.VR)) for value in values]
        element.value = made[0] if len(made) == 1 else made


def _typed(value: str, vr: str) -> str | int | float:
    if vr in _INTEGERS:
        return int(value)
    return float(value) if vr in _REALS else value
