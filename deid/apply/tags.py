"""What is written in place of a metadata element: the action codes of PS3.15 E.1-1 made concrete.

Pure: values go in and come out as strings, one per value of the element.  A combined code (X/Z/D)
leaves the choice to the type that the object's definition gives the attribute (PS3.5 7.4); the
weakest code that suits every type is taken, D before Z before X, so that no object becomes invalid.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType

from deid.schema import Action, Kind
from deid.surrogates import day_shift, pseudonym, uid

StandIn = tuple[str, ...] | None
"""The values to write; none at all () leaves the element empty, None takes it away."""

REGISTERED = re.compile(r"1\.2\.840\.10008(?:\.[0-9]+)+")
"""UIDs of the standard itself (classes, syntaxes): they identify nobody."""
LONGEST: Mapping[str, int] = MappingProxyType({"SH": 16, "LO": 64, "PN": 64, "ST": 1024})
"""Most characters of a value (PS3.5 6.2); other texts have no limit that we could reach."""

_OLDEST = "090Y"
_TEXT = "REMOVED"
_DUMMIES: Mapping[str, str] = MappingProxyType(
    {
        "DA": "19000101",
        "DT": "19000101000000",
        "TM": "000000",
        "AS": "000Y",
        "AE": _TEXT,
        "CS": _TEXT,
        "UR": "urn:removed",
        "UI": "2.25.0",
        **dict.fromkeys(("LO", "LT", "PN", "SH", "ST", "UC", "UT"), _TEXT),
        **dict.fromkeys(("DS", "IS", "FL", "FD", "SL", "SS", "SV", "UL", "US", "UV"), "0"),
    }
)
_DAY = re.compile(r"(\d{4})[.\-]?(\d{2})[.\-]?(\d{2})(.*)", re.DOTALL)
_YEAR = re.compile(r"(?:19|20)\d{2}")
_DATED = frozenset({"DA", "DT"})


@dataclass(frozen=True, slots=True)
class Secrets:
    """What stand-ins are a function of: the project's key, the patient, the largest day shift.

    ``patient`` is content (the PatientID as read): the shift is one for all of a patient's files.
    """

    key: bytes
    patient: str
    shift_days: int = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """An element to replace: its representation, action codes, values, and stand-in scope.

    ``scope`` is "" where the element gets no pseudonym.
    """

    vr: str
    codes: frozenset[str]
    values: tuple[str, ...]
    scope: str = ""


def codes_of(basic: str) -> frozenset[str]:
    """Return the codes of a table cell ("X/Z/U*"); an element that the table lacks is removed."""
    return frozenset(basic.replace("*", "").split("/"))


def stand_in(element: Element, kind: Kind, action: Action, secrets: Secrets) -> StandIn:
    """Return what an element of ``kind`` holds after ``action`` (anything but keep)."""
    if kind is Kind.UID and element.vr == "UI":
        return tuple(_mapped(value, secrets.key) for value in element.values)
    if kind is Kind.AGE_OVER_89:
        return tuple(_OLDEST for _ in element.values)
    if kind is Kind.DATE and element.vr in _DATED and action in {Action.SHIFT, Action.GENERALISE}:
        changed = [_changed(value, element.vr, action, secrets) for value in element.values]
        if all(changed):
            return tuple(changed)
    if element.scope and any(element.values):
        value = "\\".join(element.values).strip()
        return (pseudonym(secrets.key, element.scope, value).upper(),)
    return _by_code(element)


def _by_code(element: Element) -> StandIn:
    if "D" in element.codes:
        dummy = _DUMMIES.get(element.vr)
        return () if dummy is None else (dummy,)
    return () if "Z" in element.codes else None


def _mapped(value: str, key: bytes) -> str:
    bare = value.strip(" \x00")
    return bare if not bare or REGISTERED.fullmatch(bare) else uid(key, bare)


def _changed(value: str, vr: str, action: Action, secrets: Secrets) -> str:
    """Return a date moved by the patient's shift or cut to its year; "" where it is no date.

    The time of day and the zone of a DT stay, so that intervals stay exact; a DT without a day,
    which no shift in days can move, becomes "".
    """
    value = value.strip(" \x00")
    if action is Action.GENERALISE:
        found = _YEAR.match(value)
        return "" if found is None else found[0] + ("0101" if vr == "DA" else "")
    parts = _DAY.fullmatch(value)
    if parts is None:
        return ""
    try:
        day = date(int(parts[1]), int(parts[2]), int(parts[3]))
        days = day_shift(secrets.key, secrets.patient, secrets.shift_days)
        moved = day + timedelta(days=days)
    except (ValueError, OverflowError):
        return ""
    return moved.strftime("%Y%m%d").rjust(8, "0") + (parts[4] if vr == "DT" else "")
