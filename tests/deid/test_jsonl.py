import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid.jsonl import dumps, read_lines, write_lines, write_whole


@given(st.text())
def test_a_line_reads_back_as_the_text_that_was_written(text: str) -> None:
    line = dumps({"text": text})
    assert "\n" not in line
    assert json.loads(line.encode("utf-8")) == {"text": text}


def test_a_lone_surrogate_survives_although_utf_8_cannot_hold_it() -> None:
    line = dumps({"text": "医\ud83d生"})
    assert json.loads(line.encode("utf-8"))["text"] == "医\ud83d生"


def test_a_broken_line_does_not_hide_the_others_and_its_text_goes_no_further() -> None:
    rows = list(read_lines(io.StringIO('{"a":1}\n\n{"虞测安\n{"a":2}\n')))
    assert [number for number, _ in rows] == [1, 3, 4]
    assert isinstance(rows[1][1], ValueError)
    assert "虞测安" not in str(rows[1][1])
    assert rows[2][1] == {"a": 2}


def test_a_write_that_fails_half_way_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    write_lines(path, [{"a": 1}])

    def rows() -> object:
        yield "half"
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_whole(path, rows())  # type: ignore[arg-type]  # a generator typed loosely on purpose
    assert path.read_text() == '{"a":1}\n'
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_written_is_its_users_alone(tmp_path: Path) -> None:
    write_lines(tmp_path / "rows.jsonl", [])
    assert (tmp_path / "rows.jsonl").stat().st_mode & 0o777 == 0o600
