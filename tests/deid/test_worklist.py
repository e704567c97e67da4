import json
from pathlib import Path

import pytest

from deid.errors import ConfigError
from deid.jsonl import dumps
from deid.schema import (
    Case,
    CaseId,
    Field,
    Kind,
    PartId,
    PatientKey,
    Source,
    Speaker,
    TextPart,
    Turn,
)
from deid.seal import Seal
from deid.worklist import State, Worklist, decode, encode
from tests.sweep import find_planted

SEAL = Seal(b"s" * 32)


def case_of(number: int) -> Case:
    return Case(
        id=CaseId(f"c-{number}"),
        patient=PatientKey("p-1"),
        source=f"S{number}",
        department="骨科",
        turns=(
            Turn(
                index=0,
                speaker=Speaker.PATIENT,
                at="2025-01-01",
                text=TextPart(PartId("t0#text"), "膝盖疼\ud83d三天"),
                media=(Source(PartId("t0.0"), "images/a.jpg"),),
            ),
        ),
        fields=(
            Field("age", TextPart(PartId("f0#text"), "45"), Kind.AGE, 45),
            Field("主诉", TextPart(PartId("f1#text"), "疼"), None, "疼", 1),
        ),
        notes=("media_missing",),
    )


def filled(path: Path, count: int = 3) -> Worklist:
    worklist = Worklist(path, SEAL)
    worklist.fill((case_of(n).id, case_of(n), "") for n in range(count))
    return worklist


def test_a_case_comes_back_from_json_as_it_went_in() -> None:
    assert decode(json.loads(dumps(encode(case_of(1))))) == case_of(1)


def test_cases_wait_in_the_exports_order(tmp_path: Path) -> None:
    worklist = filled(tmp_path / "w.sqlite")
    assert list(worklist.pending()) == ["c-0", "c-1", "c-2"]
    assert list(worklist.pending(2)) == ["c-0", "c-1"]
    worklist.close()


def test_what_was_in_flight_when_a_run_died_waits_again_and_what_was_done_does_not(
    tmp_path: Path,
) -> None:
    worklist = filled(tmp_path / "w.sqlite")
    assert worklist.take(CaseId("c-0")) == case_of(0)
    worklist.settle(CaseId("c-0"), State.DONE, outcome={"risk": 0.5})
    worklist.take(CaseId("c-1"))
    worklist.close()
    again = Worklist(tmp_path / "w.sqlite", SEAL)
    assert set(again.pending()) == {CaseId("c-1"), CaseId("c-2")}
    rows = {row.id: row for row in again.rows()}
    assert rows[CaseId("c-0")].outcome == {"risk": 0.5}
    assert rows[CaseId("c-1")].attempts == 1
    again.close()


def test_filling_is_all_or_nothing(tmp_path: Path) -> None:
    worklist = Worklist(tmp_path / "w.sqlite", SEAL)

    def cases() -> object:
        yield CaseId("c-0"), case_of(0), ""
        raise RuntimeError

    with pytest.raises(RuntimeError):
        worklist.fill(cases())  # type: ignore[arg-type]  # a generator typed loosely on purpose
    assert sum(worklist.counts().values()) == 0
    assert worklist.meta("filled") is None
    worklist.close()


def test_a_record_that_is_no_case_is_quarantined_with_its_reason(tmp_path: Path) -> None:
    worklist = Worklist(tmp_path / "w.sqlite", SEAL)
    worklist.fill([(CaseId("x-1"), None, "broken_json")])
    row = next(worklist.rows())
    assert (row.state, row.reason) == (State.QUARANTINED, "broken_json")
    worklist.close()


def test_a_damaged_file_is_a_config_error_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "w.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(ConfigError) as caught:
        Worklist(tmp_path / "w.sqlite", SEAL)
    assert "--fresh" in caught.value.remedy


def test_the_file_is_its_users_alone(tmp_path: Path) -> None:
    filled(tmp_path / "w.sqlite").close()
    assert (tmp_path / "w.sqlite").stat().st_mode & 0o777 == 0o600


def test_nothing_of_a_case_can_be_read_from_the_file(tmp_path: Path) -> None:
    worklist = filled(tmp_path / "w.sqlite")
    worklist.take(CaseId("c-0"))
    worklist.settle(CaseId("c-0"), State.DONE, outcome={}, known=[("虞测安", "name")])
    assert worklist.known(CaseId("c-0")) == [("虞测安", Kind.NAME)]
    worklist.close()
    assert find_planted(tmp_path, ["虞测安", "膝盖疼", "images/a.jpg"]) == []


def test_another_key_is_refused_with_a_remedy(tmp_path: Path) -> None:
    filled(tmp_path / "w.sqlite").close()
    other = Worklist(tmp_path / "w.sqlite", Seal(b"o" * 32))
    with pytest.raises(ConfigError, match="another key"):
        other.case(CaseId("c-0"))
    other.close()
