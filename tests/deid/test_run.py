"""The whole run: what goes in, what comes out, what survives a kill."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from deid.audit import check_chain
from tests.planted import Planted, make_many, make_planted
from tests.planted_bad import Bad, make_bad, restore
from tests.sweep import find_missing, find_planted

COMMAND = (sys.executable, "-m", "deid")


def deid(*words: object, check: bool = False) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, words)], capture_output=True, text=True, check=check, timeout=280
    )


def states(out: Path) -> dict[str, int]:
    with closing(sqlite3.connect(out / "work" / "worklist.sqlite")) as db:
        return dict(db.execute("SELECT state, COUNT(*) FROM cases GROUP BY state"))


def reasons(out: Path) -> dict[str, str]:
    with closing(sqlite3.connect(out / "work" / "worklist.sqlite")) as db:
        return dict(db.execute("SELECT id, reason FROM cases WHERE reason != ''"))


def corpus(out: Path) -> list[dict[str, object]]:
    lines = (out / "corpus" / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def spoken(done: subprocess.CompletedProcess[str], root: Path) -> Path:
    """Put what a command printed where the sweep finds it."""
    (root / "printed.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Planted, Path, str]:
    """Run once over an export with identifiers in every place and medium."""
    root = tmp_path_factory.mktemp("planted")
    export = make_planted(root / "in", layout="L2", cases=2)
    done = deid("run", export.root, "--out", root / "out", "--workers", 1)
    assert done.returncode == 0, done.stderr
    spoken(done, root / "out")
    return export, root / "out", done.stderr


def test_no_planted_identifier_is_in_any_byte_that_a_run_writes(
    planted: tuple[Planted, Path, str],
) -> None:
    export, out, _ = planted
    assert len(export.identifiers) >= 60
    assert find_planted(out, export.identifiers) == []


def test_every_planted_clinical_fact_is_still_there(planted: tuple[Planted, Path, str]) -> None:
    export, out, _ = planted
    text = (out / "corpus" / "cases.jsonl").read_text(encoding="utf-8")
    assert find_missing([text], export.facts) == []


def test_the_work_folder_and_what_lies_in_it_are_its_users_alone(
    planted: tuple[Planted, Path, str],
) -> None:
    _, out, _ = planted
    assert (out / "work").stat().st_mode & 0o777 == 0o700
    for path in (out / "work").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path.name


def test_verify_finds_nothing_in_a_clean_output_and_exits_zero(
    planted: tuple[Planted, Path, str],
) -> None:
    _, out, _ = planted
    done = deid("verify", out)
    assert done.returncode == 0, done.stderr


def test_verify_exits_five_when_somebody_puts_a_name_back(
    planted: tuple[Planted, Path, str],
) -> None:
    export, out, _ = planted
    path = out / "corpus" / "cases.jsonl"
    kept = path.read_text(encoding="utf-8")
    name = export.cases[0].identifiers["name"]
    path.write_text(kept.replace("[NAME]", name, 1), encoding="utf-8")
    try:
        done = deid("verify", out)
        assert done.returncode == 5
        assert name not in done.stdout + done.stderr
        assert '"kind":"name"' in (out / "report" / "residual.jsonl").read_text(encoding="utf-8")
    finally:
        path.write_text(kept, encoding="utf-8")


def test_the_report_is_one_page_that_asks_nothing_of_the_network(
    planted: tuple[Planted, Path, str],
) -> None:
    _, out, _ = planted
    page = (out / "report" / "index.html").read_text(encoding="utf-8")
    assert "Residual-PII report" in page
    assert "http://" not in page
    assert "https://" not in page
    assert "<script" not in page
    assert "data:image" not in page
    summary = json.loads((out / "report" / "summary.json").read_text(encoding="utf-8"))
    assert summary["done"] == 2
    assert summary["masked"]["name"]["text"] > 0
    assert summary["masked"]["name"]["picture"] > 0


def test_a_table_export_comes_out_as_clean_and_keeps_its_facts(tmp_path: Path) -> None:
    export = make_planted(tmp_path / "in", layout="L1", cases=2)
    done = deid("run", export.root, "--out", tmp_path / "out", "--workers", 1)
    assert done.returncode == 0, done.stderr
    assert find_planted(spoken(done, tmp_path / "out"), export.identifiers) == []
    text = (tmp_path / "out" / "corpus" / "cases.jsonl").read_text(encoding="utf-8")
    assert find_missing([text], export.facts) == []


def test_a_run_that_is_killed_again_and_again_ends_with_every_case_once(tmp_path: Path) -> None:
    export = make_many(tmp_path / "in", cases=50)
    out = tmp_path / "out"
    words = [*COMMAND, "run", str(export.root), "--out", str(out), "--workers", "2"]
    for target in (5, 17, 31):
        run = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while run.poll() is None and _done(out) < target:
            time.sleep(0.05)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
    before = _done(out)
    assert 31 <= before < 50, "the kill must hit a run at work"
    done = deid("run", export.root, "--out", out, "--workers", 2)
    assert done.returncode == 0, done.stderr
    assert states(out) == {"done": 50}
    assert len({row["case_id"] for row in corpus(out)}) == len(corpus(out)) == 50
    assert check_chain(out / "audit.jsonl") > 50
    finished = [
        record["case"]
        for record in map(json.loads, (out / "audit.jsonl").read_text().splitlines())
        if record["event"] == "case_done"
    ]
    # At most what was in flight at a kill is done twice: two workers, three kills.
    assert len(finished) - len(set(finished)) <= 6
    assert list((out / "work" / "staging").iterdir()) == []
    assert len(list((out / "corpus" / "media").iterdir())) == 50
    assert find_planted(spoken(done, out), export.identifiers) == []


def _done(out: Path) -> int:
    try:
        return states(out).get("done", 0)
    except sqlite3.Error:
        return 0


def test_other_settings_never_continue_an_old_run(tmp_path: Path) -> None:
    export = make_planted(tmp_path / "in", layout="L1", cases=1)
    out = tmp_path / "out"
    deid("run", export.root, "--out", out, "--workers", 1, check=True)
    config = tmp_path / "medveil.toml"
    config.write_text("[deid.detect]\ncodes = ''\n")
    done = deid("run", export.root, "--out", out, "--config", config)
    assert done.returncode == 2
    assert "--fresh" in done.stderr
    again = deid("run", export.root, "--out", out, "--config", config, "--fresh", "--workers", 1)
    assert again.returncode == 0, again.stderr
    assert check_chain(out / "audit.jsonl") > 4


def test_a_folder_with_files_that_are_not_ours_is_never_touched(tmp_path: Path) -> None:
    export = make_planted(tmp_path / "in", layout="L1", cases=1)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.docx").write_text("years of work")
    done = deid("run", export.root, "--out", tmp_path / "out", "--fresh")
    assert done.returncode == 2
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["thesis.docx"]


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Bad]:
    """Write every bad export once."""
    made = make_bad(tmp_path_factory.mktemp("bad"))
    restore(made)
    return {one.name: one for one in made}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("truncated_picture", "damaged"),
        ("decompression_bomb", "too_large"),
        ("empty_picture", "empty"),
        ("text_named_picture", "unsupported_format"),
        ("broken_line", "broken_json"),
        ("undecodable_line", "undecodable"),
    ],
)
def test_a_bad_case_is_quarantined_with_its_reason_and_the_others_come_through(
    bad: dict[str, Bad], tmp_path: Path, name: str, reason: str
) -> None:
    one = bad[name]
    done = deid("run", one.export, "--out", tmp_path / "out", "--workers", 1)
    assert done.returncode == 1, done.stderr
    assert states(tmp_path / "out") == {"done": one.good, "quarantined": 1}
    assert list(reasons(tmp_path / "out").values()) == [reason]
    assert reason.replace("_", " ") in (tmp_path / "out" / "report" / "index.html").read_text()
    assert find_planted(spoken(done, tmp_path / "out"), one.secrets) == []


def test_a_picture_with_the_wrong_suffix_is_read_by_its_content(
    bad: dict[str, Bad], tmp_path: Path
) -> None:
    done = deid(
        "run", bad["picture_with_wrong_suffix"].export, "--out", tmp_path / "out", "--workers", 1
    )
    assert done.returncode == 0, done.stderr
    suffixes = {p.suffix for p in (tmp_path / "out" / "corpus" / "media").rglob("*.*")}
    assert suffixes == {".png"}


@pytest.mark.parametrize(
    "name", ["unknown_layout", "zip_slip", "empty_export", "undecodable_table"]
)
def test_an_export_that_is_bad_as_a_whole_is_refused_with_cause_and_remedy(
    bad: dict[str, Bad], tmp_path: Path, name: str
) -> None:
    one = bad[name]
    done = deid("run", one.export, "--out", tmp_path / "out")
    assert done.returncode == 4
    assert len(done.stderr.split(". ")) >= 2
    assert find_planted(spoken(done, tmp_path / "out"), one.secrets) == []
