import json
import zipfile
from pathlib import Path

import pytest
from openpyxl import Workbook

from deid.errors import InputError, UnreadableFileError, UnsupportedFormatError
from deid.intake import take_in, unpack
from deid.intake.columns import kind_of, role_of
from deid.intake.raw import elapsed_seconds
from deid.schema import Case, Kind, Speaker

KEY = b"k" * 32
RECORD = {
    "consultationId": "C1",
    "patient": {"id": "P1", "name": "虞测安", "sex": 1, "phone": 13800138000},
    "doctor": {"doctorId": "D1", "doctorName": "柳试月", "deptName": "骨科"},
    "description": "膝盖疼三天",
    "images": ["https://oss.example.invalid/a/b/a.jpg?Signature=1"],
    "messages": [
        {"id": 1, "type": "01", "text": "您好", "direction": "user->doctor", "created_at": "2025-01-01 10:00:00"},
        {"id": 2, "type": "01", "text": "拍片了吗", "direction": "doctor->user", "created_at": "2025-01-01 10:01:30"},
        {"id": 3, "type": "06", "text": {"doctorMsg": "请回复", "userMsg": "请评价"}, "direction": "system"},
        {"id": 4, "type": "01", "text": "发错了", "direction": "user->doctor", "isRetract": 1},
    ],
}  # fmt: skip


def export(root: Path, *records: object, name: str = "consultations.jsonl") -> Path:
    (root / "images").mkdir(parents=True, exist_ok=True)
    (root / "images" / "a.jpg").write_bytes(b"picture")
    lines = (r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in records)
    (root / name).write_text("\n".join(lines), encoding="utf-8")
    return root


def cases_of(root: Path) -> list[Case]:
    return [case for _, case, _ in take_in(root, KEY, {}) if case is not None]


def test_a_whole_consultation_becomes_turns_with_speaker_time_and_media(tmp_path: Path) -> None:
    (case,) = cases_of(export(tmp_path, RECORD))
    assert [(t.speaker, t.text.text) for t in case.turns] == [
        (Speaker.PATIENT, "膝盖疼三天"),
        (Speaker.PATIENT, "您好"),
        (Speaker.DOCTOR, "拍片了吗"),
        (Speaker.SYSTEM, "请回复\n请评价"),
    ]
    assert [len(t.media) for t in case.turns] == [1, 0, 0, 0]
    assert case.department == "骨科"
    assert case.notes == ("retracted_dropped",)
    assert elapsed_seconds(case.turns) == [None, 0, 90, None]


def test_ids_of_case_and_patient_are_pseudonyms_of_the_key(tmp_path: Path) -> None:
    root = export(tmp_path, RECORD)
    (case,) = cases_of(root)
    other = next(c for _, c, _ in take_in(root, b"o" * 32, {}) if c)
    assert "C1" not in case.id
    assert "P1" not in case.patient
    assert (case.id, case.patient) != (other.id, other.patient)
    assert cases_of(root) == [case]


def test_columns_say_what_they_hold_and_keep_their_types(tmp_path: Path) -> None:
    (case,) = cases_of(export(tmp_path, RECORD))
    found = {f.name: (f.kind, f.value) for f in case.fields}
    assert found["patient.name"] == (Kind.NAME, "虞测安")
    assert found["patient.phone"] == (Kind.PHONE, 13800138000)
    assert found["patient.sex"] == (Kind.SEX, 1)
    assert found["doctor.doctorName"] == (Kind.DOCTOR_NAME, "柳试月")


def test_separate_tables_are_joined_by_their_ids(tmp_path: Path) -> None:
    (tmp_path / "consultations.json").write_text(
        json.dumps({"code": 0, "data": {"items": [{"id": "C1", "patientId": "P1", "doctorId": "D1", "description": "疼"}]}})
    )  # fmt: skip
    (tmp_path / "patients.json").write_text(
        json.dumps([{"id": "P1", "name": "虞测安", "birthday": "1980-01-01"}])
    )
    (tmp_path / "messages.jsonl").write_text(
        json.dumps({"consultationId": "C1", "text": "您好", "direction": "user->doctor"})
    )
    (case,) = cases_of(tmp_path)
    assert [t.text.text for t in case.turns] == ["疼", "您好"]
    assert {f.kind for f in case.fields if f.name == "patient.name"} == {Kind.NAME}


def test_a_broken_line_is_counted_and_the_others_come_through(tmp_path: Path) -> None:
    root = export(tmp_path, RECORD, "{虞测安", {**RECORD, "consultationId": "C2"})
    rows = list(take_in(root, KEY, {}))
    assert [reason for _, case, reason in rows if case is None] == ["broken_json"]
    assert sum(case is not None for _, case, _ in rows) == 2


def test_two_records_under_one_id_are_both_accounted_for(tmp_path: Path) -> None:
    rows = list(take_in(export(tmp_path, RECORD, RECORD), KEY, {}))
    assert [reason for _, _, reason in rows] == ["", "duplicate_id"]
    assert len({case_id for case_id, _, _ in rows}) == 2


def test_a_picture_that_is_not_there_is_noted(tmp_path: Path) -> None:
    (case,) = cases_of(export(tmp_path, {**RECORD, "images": ["b.jpg"]}))
    assert "media_missing" in case.notes


def test_a_name_that_leads_outside_the_export_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"outside")
    root = export(tmp_path / "export", {**RECORD, "images": ["../secret.jpg"]})
    (case,) = cases_of(root)
    assert case.turns[0].media == ()


def test_a_link_that_leads_outside_the_export_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.jpg").write_bytes(b"outside")
    root = export(tmp_path / "export", {**RECORD, "images": ["link.jpg"]})
    (root / "images" / "link.jpg").symlink_to(tmp_path / "secret.jpg")
    (case,) = cases_of(root)
    assert case.turns[0].media == ()


TABLE = "某医院门诊登记表,,,\n病历号,患者姓名,年龄,主诉\n00012345,虞测安,45,咳嗽三天㐀\n00012346,柳试月,92,发热\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le"])
def test_the_same_table_reads_the_same_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "visits.csv").write_bytes(TABLE.encode(encoding))
    rows = [{f.name: f.value for f in case.fields} for case in cases_of(tmp_path)]
    assert rows == [
        {"病历号": "00012345", "患者姓名": "虞测安", "年龄": "45", "主诉": "咳嗽三天㐀"},
        {"病历号": "00012346", "患者姓名": "柳试月", "年龄": "92", "主诉": "发热"},
    ]


def test_a_gbk_table_reads_too(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_bytes(TABLE.replace("㐀", "").encode("gbk"))
    assert len(cases_of(tmp_path)) == 2


def test_a_workbook_keeps_its_types_and_a_float_phone_is_written_as_people_do(
    tmp_path: Path,
) -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["患者姓名", "手机号", "年龄"])
    sheet.append(["虞测安", 13800138000.0, 45])
    book.save(tmp_path / "visits.xlsx")
    (case,) = cases_of(tmp_path)
    assert [(f.kind, f.part.text) for f in case.fields] == [
        (Kind.NAME, "虞测安"),
        (Kind.PHONE, "13800138000"),
        (Kind.AGE, "45"),
    ]
    assert case.fields[2].value == 45


def test_rows_of_one_consultation_become_its_turns_even_when_they_lie_apart(tmp_path: Path) -> None:
    (tmp_path / "chat.csv").write_text(
        "问诊编号,角色,消息内容\nC1,患者,疼\nC2,患者,痒\nC1,医生,多久了\n", encoding="utf-8"
    )
    first, second = cases_of(tmp_path)
    assert [(t.speaker, t.text.text) for t in first.turns] == [
        (Speaker.PATIENT, "疼"),
        (Speaker.DOCTOR, "多久了"),
    ]
    assert len(second.turns) == 1


def test_an_unknown_layout_is_refused_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("虞测安")
    with pytest.raises(UnsupportedFormatError) as caught:
        list(take_in(tmp_path, KEY, {}))
    assert caught.value.reason == "layout_unknown"
    assert "虞测安" not in str(caught.value)


def test_nothing_at_the_path_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        list(take_in(tmp_path / "none", KEY, {}))


@pytest.mark.parametrize("name", ["../evil.txt", "/evil.txt", "a/../../evil.txt", "..\\evil.txt"])
def test_an_archive_that_leads_outside_is_refused_and_writes_nothing(
    tmp_path: Path, name: str
) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr(name, "x")
    with pytest.raises(UnreadableFileError) as caught:
        unpack(tmp_path / "export.zip", tmp_path / "into")
    assert caught.value.reason == "zip_slip"
    assert not (tmp_path / "evil.txt").exists()


def test_an_archive_that_swells_beyond_measure_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros", bytes(300 * 2**20))
    with pytest.raises(UnreadableFileError) as caught:
        unpack(tmp_path / "export.zip", tmp_path / "into")
    assert caught.value.reason == "archive_bomb"


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("患者 姓名", Kind.NAME),
        ("姓名(必填)", Kind.NAME),
        ("PATIENT_NAME", Kind.NAME),
        ("xm", Kind.NAME),
        ("senderName", Kind.NAME),
        ("1st电话", Kind.PHONE),
        ("身份证号码", Kind.RESIDENT_ID),
        ("检验者", Kind.DOCTOR_NAME),
        ("性别", Kind.SEX),
        ("项目名称", Kind.CLINICAL),
        ("药品名称", Kind.CLINICAL),
        ("主诉", None),
        ("科室", None),
    ],
)
def test_a_header_is_understood_in_its_usual_spellings(header: str, kind: Kind | None) -> None:
    assert kind_of(header, "x") is kind


def test_a_mapping_wins_over_our_own_reading() -> None:
    assert kind_of("主诉", "x", {"主诉": "name"}) is Kind.NAME
    assert role_of("客户", {"客户": "patient_id"}) == "patient_id"


def test_an_opaque_number_under_an_unknown_header_is_a_record_number() -> None:
    assert kind_of("zzz", "oXy12345678") is Kind.RECORD_NUMBER
    assert kind_of("zzz", "反复咳嗽三天") is None
