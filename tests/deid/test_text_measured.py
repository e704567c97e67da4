"""What is found and what is left on public samples: the floors below which a change is no progress.

The samples lie beside some checkouts only; without them these tests skip.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.masked import covered

_TITLE = re.compile(r"(?:副?主任|主治|住院)?(?:医生|医师|大夫|博士|教授|主任)$")
"""The set writes some doctors with their title, which stays."""


def _places(text: str, value: str) -> Iterator[range]:
    at = text.find(value) if value else -1
    while at >= 0:
        yield range(at, at + len(value))
        at = text.find(value, at + 1)


@pytest.fixture(scope="module")
def paragraphs(shared_data: Path) -> list[dict[str, object]]:
    file = shared_data / "zh_pii_gold" / "data_person_1000_zh.json"
    if not file.is_file():
        pytest.skip("the sample zh_pii_gold is not here")
    rows: list[dict[str, object]] = json.loads(file.read_text("utf-8"))[:200]
    return rows


@pytest.mark.parametrize(
    ("fields", "floor", "least"),
    [
        (("name", "doctor"), 0.99, 500),
        (("idCardNumbers",), 1.0, 150),
        (("phoneNumbers",), 1.0, 150),
        (("emailAddress",), 1.0, 150),
    ],
    ids=["names", "ids", "phones", "e-mails"],
)
def test_people_and_numbers_of_the_gold_paragraphs_are_covered(
    paragraphs: list[dict[str, object]], fields: tuple[str, ...], floor: float, least: int
) -> None:
    seen = Counter[bool]()
    missed = []
    for row in paragraphs:
        text = str(row["naturalParagraph"])
        taken = covered(text)
        values = {_TITLE.sub("", str(row[field])) for field in fields}
        for place in (p for value in values for p in _places(text, value)):
            seen[taken.issuperset(place)] += 1
            if not taken.issuperset(place):
                missed.append(place)
    assert seen.total() >= least, "the sample is not what it was"
    assert seen[True] / seen.total() >= floor, f"{len(missed)} of {seen.total()} are left"


def _sentences(file: Path) -> Iterator[tuple[str, list[range]]]:
    """Yield each sentence of a CoNLL file with the places of its clinical terms."""
    for block in re.split(r"\n\s*\n", file.read_text("utf-8")):
        rows = [line.rsplit("\t", 1) for line in block.splitlines() if "\t" in line]
        characters = [character[:1] or " " for character, _ in rows]
        tags = "".join(tag[0] for _, tag in rows)
        yield "".join(characters), [range(*m.span()) for m in re.finditer("BI*", tags)]


def test_clinical_terms_of_hospital_records_are_left_alone(shared_data: Path) -> None:
    file = shared_data / "zh_clinical_ner_hardneg" / "ccks2019_yidu.validate"
    if not file.is_file():
        pytest.skip("the sample zh_clinical_ner_hardneg is not here")
    terms = touched = taken_away = 0
    for text, places in list(_sentences(file))[:300]:
        taken = covered(text)
        taken_away += len(taken)
        terms += len(places)
        touched += sum(not taken.isdisjoint(place) for place in places)
    assert terms > 500, "the sample is not what it was"
    assert taken_away > 100, "nothing at all was taken away: dates stand in these records"
    assert touched / terms <= 0.005, f"{touched} of {terms} terms were touched"
