"""The commands as scripts call them (docs/contracts.md)."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from deid.cli import app
from deid.schema import Kind
from tests.drawn import array_of, black_share, encoded, page

COMMAND = (sys.executable, "-m", "deid")


def deid(*words: object, stdin: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    return subprocess.run(
        [*COMMAND, *map(str, words)], input=data, capture_output=True, check=False, timeout=200
    )


def rows_of(data: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in data.splitlines()]


def test_text_answers_each_line_in_order_with_offsets_into_the_input() -> None:
    text = "😷我叫虞测安，男，45岁，电话１３８００１３８０００"
    lines = [
        {"id": "a", "text": text},
        {"id": "b", "text": "咳嗽3天，没有发热"},
        {"id": "c", "text": "高兴来复诊", "known": ["高兴"]},
        {"id": "d", "text": "Name: John Smith, MRN 0048127", "lang": "en"},
    ]
    stdin = "\n".join([json.dumps(lines[0]), "{虞测安 broken", *map(json.dumps, lines[1:])])
    done = deid("text", "--jsonl", "-", stdin=stdin)
    assert done.returncode == 0, done.stderr
    first, broken, second, third, fourth = rows_of(done.stdout)
    assert first["text"] == "😷我叫[NAME]，男，45岁，电话[PHONE]"
    assert broken == {"id": None, "error": "unreadable_line"}
    assert second["text"] == "咳嗽3天，没有发热"
    assert third["text"] == "[NAME]来复诊"
    assert "John" not in str(fourth["text"])
    findings = first["findings"]
    assert isinstance(findings, list)
    assert [(text[f["start"] : f["end"]], f["kind"], f["action"]) for f in findings] == [
        ("虞测安", "name", "replace"),
        ("男", "sex", "keep"),
        ("45岁", "age", "keep"),
        ("１３８００１３８０００", "phone", "replace"),
    ]
    assert {f["kind"] for f in findings} <= {kind.value for kind in Kind}
    assert "虞测安".encode() not in done.stderr


def test_a_byte_order_mark_costs_no_line() -> None:
    done = deid("text", "--jsonl", "-", stdin='\ufeff{"id": 1, "text": "我叫虞测安"}')
    assert [row["text"] for row in rows_of(done.stdout)] == ["我叫[NAME]"]


def test_plain_text_goes_through_in_its_encoding() -> None:
    done = deid("text", stdin="刘主任您好，我发烧三天".encode("gb18030"))
    assert done.stdout.decode() == "[NAME]主任您好，我发烧三天"


def test_pictures_are_masked_and_reported_with_boxes_in_their_own_pixels(tmp_path: Path) -> None:
    drawn, boxes = page([["姓名：", "虞测安", "  性别：男"], ["白细胞 ", "3.86"]])
    (tmp_path / "虞测安.png").write_bytes(encoded(drawn, "PNG"))
    (tmp_path / "broken.jpg").write_bytes(b"\xff\xd8\xff nothing")
    report = tmp_path / "report.jsonl"
    done = deid(
        "image", tmp_path / "虞测安.png", tmp_path / "broken.jpg",
        "--out", tmp_path / "out", "--report", report,
    )  # fmt: skip
    assert done.returncode == 1
    good, bad = rows_of(report.read_bytes())
    assert (good["source"], good["out"], good["status"]) == (0, "000000.png", "ok")
    assert (good["width"], good["height"], good["frames"]) == (*drawn.size, 1)
    pixels = array_of((tmp_path / "out" / "000000.png").read_bytes())
    assert black_share(pixels, boxes["虞测安"]) > 0.98
    assert black_share(pixels, boxes["3.86"]) < 0.5
    for box in good["boxes"]:  # type: ignore[attr-defined]  # JSON
        assert set(box) == {"x0", "y0", "x1", "y1", "frame", "kind", "score", "detector"}
        assert 0 <= box["x0"] < box["x1"] <= drawn.width
        inside = pixels[box["y0"] : box["y1"], box["x0"] : box["x1"]]
        assert inside.max() == 0
    assert (bad["out"], bad["status"], bad["reason"]) == (None, "quarantined", "damaged")
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["000000.png"]
    assert "虞测安".encode() not in done.stderr + done.stdout + report.read_bytes()


def test_lossless_stripping_leaves_the_pixels_alone(tmp_path: Path) -> None:
    picture = Image.fromarray(np.arange(48 * 64 * 3).reshape(48, 64, 3).astype(np.uint8))
    data = encoded(picture, "JPEG", comment=b"yu.cean")
    (tmp_path / "a.jpg").write_bytes(data)
    report = tmp_path / "r.jsonl"
    done = deid(
        "image", tmp_path / "a.jpg", "--out", tmp_path / "out", "--lossless-metadata",
        "--report", report,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (row,) = rows_of(report.read_bytes())
    out = (tmp_path / "out" / str(row["out"])).read_bytes()
    assert b"yu.cean" not in out
    assert np.array_equal(array_of(out), array_of(data))


def test_dicom_files_of_a_folder_are_written_and_reported(tmp_path: Path) -> None:
    sample = Path(__file__).resolve().parents[2] / "examples" / "export" / "images"
    (tmp_path / "in").mkdir()
    for path in sample.glob("*.dcm"):
        (tmp_path / "in" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "key").write_bytes(b"k" * 32)
    report = tmp_path / "r.jsonl"
    done = deid(
        "dicom", tmp_path / "in", "--out", tmp_path / "out", "--key", tmp_path / "key",
        "--report", report,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = rows_of(report.read_bytes())
    assert [row["status"] for row in rows] == ["ok", "ok"]
    assert all(str(row["sop_class"]).startswith("1.2.840.10008.5.1.4.1.1.") for row in rows)
    assert any(row["boxes"] for row in rows), "one of them has burnt-in text"


def test_the_policy_is_explained_kind_by_kind() -> None:
    done = deid("explain")
    lines = done.stdout.decode().splitlines()
    for kind in Kind:
        assert any(line.startswith(kind.value + " ") for line in lines), kind
    assert any("becomes [NAME]" in line for line in lines)


def test_the_doctor_names_what_is_there_and_what_would_enable_the_rest() -> None:
    done = deid("doctor")
    said = done.stdout.decode()
    assert done.returncode == 0
    assert "rapidocr       available (used)" in said
    assert "medveil[paddle]" in said


@pytest.mark.parametrize(
    "command", ["run", "verify", "text", "image", "dicom", "explain", "doctor", "report"]
)
def test_every_command_has_help_with_an_example(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert result.exit_code == 0
    assert "Try:" in result.output
    assert f"deid {command}" in result.output


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("run", "nowhere", "--out", "OUT"), 4),
        (("verify", "nowhere"), 2),
        (("text", "--jsonl", "nowhere.jsonl"), 2),
        (("explain", "--config", "nowhere.toml"), 2),
        (("dicom", "nowhere", "--out", "OUT"), 4),
    ],
)
def test_a_mistake_ends_with_its_own_exit_code_and_a_sentence(
    tmp_path: Path, words: tuple[str, ...], code: int
) -> None:
    done = deid(*(tmp_path / "out" if w == "OUT" else w for w in words))
    assert done.returncode == code
    assert done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["benchmark_build", "rubric", "grade"])
def test_the_later_packages_say_what_they_will_do(name: str) -> None:
    words = [sys.executable, "-c", f"from {name}.cli import main; main()"]
    done = subprocess.run(words, capture_output=True, check=False, timeout=60)
    assert done.returncode == 2
    assert b"does not hold it yet" in done.stderr
