"""The committed example is what its maker makes, and its answer key is true of it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pydicom
import pytest
from PIL import Image

from tests.sweep import find_missing, find_planted

EXAMPLES = Path(__file__).parents[2] / "examples"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def keys() -> list[dict[str, Any]]:
    return lines(EXAMPLES / "expected.jsonl")


def consultations() -> list[dict[str, Any]]:
    return lines(EXAMPLES / "export" / "consultations.jsonl")


def everything_said(case: dict[str, Any]) -> str:
    texts = [case["description"]]
    for message in case["messages"]:
        text = message["text"]
        texts.append(text["userMsg"] if isinstance(text, dict) else text)
    return "\n".join(texts)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    roots = tuple(tmp_path_factory.mktemp(name) for name in "ab")
    for root in roots:
        command = [sys.executable, "-W", "error", str(EXAMPLES / "make_export.py"), str(root)]
        subprocess.run(command, check=True, capture_output=True)
    return roots[0], roots[1]


def test_the_maker_gives_the_same_bytes_every_time(twice: tuple[Path, Path]) -> None:
    first, second = twice
    made = sorted(p.relative_to(first) for p in first.rglob("*") if p.is_file())
    assert len(made) == 20
    for name in made:
        assert (first / name).read_bytes() == (second / name).read_bytes(), name


def test_the_committed_texts_are_what_the_maker_makes(twice: tuple[Path, Path]) -> None:
    for name in ("export/consultations.jsonl", "expected.jsonl", "table/visits.csv"):
        assert (twice[0] / name).read_bytes() == (EXAMPLES / name).read_bytes()


def test_there_are_enough_consultations_of_a_realistic_length() -> None:
    cases = consultations()
    chinese = [c for c in cases if any("\u4e00" <= sign <= "\u9fff" for sign in c["deptName"])]
    assert (len(chinese), len(cases) - len(chinese)) == (12, 2)
    assert all(5 <= len(case["messages"]) <= 20 for case in cases)
    assert [case["consultationId"] for case in cases] == [k["consultationId"] for k in keys()]


def test_every_file_that_a_message_names_is_there_and_no_other() -> None:
    named = [
        Path(unquote(urlsplit(message["image"]).path)).name
        for case in consultations()
        for message in case["messages"]
        if message.get("image")
    ]
    there = [path.name for path in (EXAMPLES / "export" / "images").iterdir()]
    assert sorted(named) == sorted(there)
    assert sorted(named) == sorted(p["file"] for key in keys() for p in key["pictures"])


def test_the_key_s_identifiers_are_in_the_export(tmp_path: Path) -> None:
    for case, key in zip(consultations(), keys(), strict=True):
        path = tmp_path / "one.json"
        path.write_text(json.dumps(case, ensure_ascii=False), "utf-8")
        found = {hit.value for hit in find_planted(tmp_path, key["gone"])}
        assert set(key["gone"]) - found == set()


def test_the_key_s_facts_are_in_the_chat_and_hold_no_identifier() -> None:
    for case, key in zip(consultations(), keys(), strict=True):
        assert find_missing([everything_said(case)], key["stay"]) == []
        assert len(key["stay"]) >= 12
        # Short facts (女, 16) also stand inside identifiers by chance; only longer ones clash.
        pairs = [(f, i) for f in key["stay"] for i in key["gone"]]
        both = [(f, i) for f, i in pairs if i in f or (len(f) > 3 and f in i)]
        assert both == []


def test_pictures_open_but_for_the_one_that_is_cut_off() -> None:
    broken = {p["file"] for key in keys() for p in key["pictures"] if p["broken"]}
    assert len(broken) == 1
    for path in (EXAMPLES / "export" / "images").iterdir():
        if path.suffix == ".dcm":
            assert pydicom.dcmread(path).pixel_array.size
        elif path.name not in broken:
            with Image.open(path) as image:
                image.load()
                assert 600 <= max(image.size) <= 1400


def test_the_export_is_small_enough_to_ship() -> None:
    size = sum(p.stat().st_size for p in (EXAMPLES / "export").rglob("*") if p.is_file())
    assert size < 6_000_000


def test_the_export_has_the_dirt_that_real_ones_have() -> None:
    messages = [m for case in consultations() for m in case["messages"]]
    assert {m["type"] for m in messages} >= {"01", "05", "06", "09"}
    assert any(m["isRetract"] for m in messages)
    assert any(m.get("image") and m["direction"] == "doctor->user" for m in messages)
