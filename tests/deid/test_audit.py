import json
from pathlib import Path

import pytest

from deid.audit import GENESIS, AuditLog, check_chain
from deid.errors import ConfigError
from deid.schema import CaseId


def log_of(path: Path, *events: str) -> None:
    with AuditLog(path, actor="run", config="abc") as audit:
        for event in events:
            audit.append(event, case=CaseId("c-1"), payload={"masked": 3})


def test_records_count_from_zero_and_name_their_predecessor(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log_of(path, "a", "b")
    first, second = map(json.loads, path.read_text().splitlines())
    assert (first["seq"], first["previous"], second["seq"]) == (0, GENESIS, 1)
    assert second["previous"] != GENESIS
    assert check_chain(path) == 2


def test_a_log_that_is_opened_again_goes_on_with_the_same_chain(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log_of(path, "a", "b")
    log_of(path, "c")
    assert check_chain(path) == 3


@pytest.mark.parametrize("line", [0, 1, 2])
def test_a_changed_record_breaks_the_chain_unless_it_is_the_last(tmp_path: Path, line: int) -> None:
    path = tmp_path / "audit.jsonl"
    log_of(path, "a", "b", "c", "d")
    lines = path.read_text().splitlines(keepends=True)
    lines[line] = lines[line].replace('"masked":3', '"masked":0')
    path.write_text("".join(lines))
    with pytest.raises(ConfigError) as caught:
        check_chain(path)
    assert caught.value.reason == "audit_broken"


@pytest.mark.parametrize("order", [(0, 2), (1, 0, 2), (0, 0, 1, 2)])
def test_a_dropped_moved_or_doubled_record_breaks_the_chain(
    tmp_path: Path, order: tuple[int, ...]
) -> None:
    path = tmp_path / "audit.jsonl"
    log_of(path, "a", "b", "c")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[n] for n in order))
    with pytest.raises(ConfigError):
        check_chain(path)


def test_a_last_line_torn_by_a_kill_is_cut_off_and_the_chain_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    log_of(path, "a", "b")
    path.write_bytes(path.read_bytes()[:-9])
    log_of(path, "c")
    assert check_chain(path) == 2
    assert json.loads(path.read_text().splitlines()[1])["event"] == "c"


def test_the_log_is_its_users_alone(tmp_path: Path) -> None:
    log_of(tmp_path / "audit.jsonl", "a")
    assert (tmp_path / "audit.jsonl").stat().st_mode & 0o777 == 0o600
