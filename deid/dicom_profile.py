"""The Basic Application Level Confidentiality Profile of PS3.15 (table E.1-1) as data."""

import csv
from dataclasses import dataclass
from functools import cache
from importlib import resources

EDITION = "2026d"
_CLEAN = ("clean_descriptors=C", "clean_structured_content=C", "clean_graphics=C")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: action codes as printed ("X/Z/D"), and whether it may be cleaned.

    ``clean`` is said by the options Clean Descriptors, Clean Structured Content and Clean Graphics.
    """

    name: str
    basic: str
    clean: bool


@cache
def _table() -> dict[str, Row]:
    text = resources.files("deid").joinpath("data", "dicom_profile.csv").read_text("utf-8")
    return {
        line["tag"]: Row(
            line["name"], line["basic"], any(option in line["options"] for option in _CLEAN)
        )
        for line in csv.DictReader(text.splitlines())
    }


def profile_row(group: int, element: int) -> Row | None:
    """Return the table's row of an element, repeating groups 50xx and 60xx included, or None."""
    table = _table()
    exact = table.get(f"{group:04x}{element:04x}")
    if exact is not None:
        return exact
    repeating = f"{group >> 8:02x}xx"
    return table.get(f"{repeating}{element:04x}") or table.get(f"{repeating}xxxx")


def last_tag(path: str) -> tuple[int, int]:
    """Return (group, element) of the last step of a path such as ``(0008,1140)[0](0008,1155)``."""
    group, element = path[path.rindex("(") + 1 : path.rindex(")")].split(",")
    return int(group, 16), int(element, 16)
