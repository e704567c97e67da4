import base64
import bz2
import gzip
import io
import json
import lzma
import sqlite3
import tarfile
import zipfile
from pathlib import Path
from urllib.parse import quote

import openpyxl
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.sweep import find_missing, find_planted

NAME = "纪云舟"
PHONE = "13800004417"


def zipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def tarred(data: bytes) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        entry = tarfile.TarInfo("a.txt")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def workbook() -> bytes:
    out = io.BytesIO()
    book = openpyxl.Workbook()
    book.create_sheet("二").append([NAME])
    book.save(out)
    return out.getvalue()


def picture_with_text(*, packed: bool) -> bytes:
    out = io.BytesIO()
    info = PngInfo()
    info.add_itxt("Comment", NAME * 40, zip=packed)
    Image.new("L", (4, 4)).save(out, "PNG", pnginfo=info)
    return out.getvalue()


HIDING_PLACES = {
    "utf-8": f"患者{NAME}。".encode(),
    "gb18030": f"患者{NAME}。".encode("gb18030"),
    "utf-16-le": f"患者{NAME}。".encode("utf-16-le"),
    "utf-16-be": b"\x00" + f"患者{NAME}。".encode("utf-16-be"),
    "json escapes": json.dumps({"name": f"a{NAME}"}).encode(),
    "json escapes in capitals": json.dumps(NAME).upper().replace("\\U", "\\u").encode(),
    "url": f"https://x.example/{quote(NAME)}.jpg".encode(),
    "url in small letters": quote(NAME).lower().encode(),
    "url in gb18030": quote(NAME.encode("gb18030")).encode(),
    "html decimal": "".join(f"&#{ord(c)};" for c in NAME).encode(),
    "html hexadecimal": "".join(f"&#x{ord(c):X};" for c in NAME).encode(),
    "python escapes": repr(NAME.encode()).encode(),
    "hexadecimal": NAME.encode().hex().encode(),
    "base64": base64.b64encode(f"abc{NAME}abc".encode()),
    "base64 shifted by one": base64.b64encode(f"a{NAME}abc".encode()),
    "base64 shifted by two": base64.b64encode(f"ab{NAME}abc".encode()),
    "zip": zipped("a.txt", f"患者{NAME}".encode()),
    "name in zip": zipped(f"{NAME}.txt", b"nothing"),
    "zip in zip": zipped("b.zip", zipped("a.txt", NAME.encode() * 9)),
    "gzip": gzip.compress(NAME.encode() * 9),
    "bz2": bz2.compress(NAME.encode() * 9),
    "xz": lzma.compress(NAME.encode() * 9),
    "tar": tarred(NAME.encode()),
    "tar in gzip": gzip.compress(tarred(NAME.encode())),
    "xlsx": workbook(),
    "png text": picture_with_text(packed=False),
    "packed png text": picture_with_text(packed=True),
}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_a_name_is_found_wherever_it_hides(tmp_path: Path, place: str) -> None:
    (tmp_path / "out.bin").write_bytes(HIDING_PLACES[place])
    hits = find_planted(tmp_path, [NAME])
    assert [hit.value for hit in hits][:1] == [NAME]
    assert find_planted(tmp_path, ["岑若溪"]) == []


@pytest.mark.parametrize(
    "written",
    [
        *("138 0000 4417", "138-0000-4417", "１３８００００４４１７", "1380000 4417"),
        *("+86 13800004417", "138.0000.4417", "x13800004417y"),
    ],
)
def test_a_number_is_found_however_it_is_separated(tmp_path: Path, written: str) -> None:
    (tmp_path / "a.log").write_text(f"电话{written}。", "utf-8")
    assert {hit.value for hit in find_planted(tmp_path, [PHONE])} == {PHONE}


def test_a_planted_number_with_separators_is_found_without_them(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_text(f"tel:{PHONE}", "utf-8")
    assert find_planted(tmp_path, ["138 0000 4417"])


def test_names_of_files_and_folders_are_searched(tmp_path: Path) -> None:
    (tmp_path / f"a_{NAME}").mkdir()
    (tmp_path / f"a_{NAME}" / f"{PHONE}.txt").write_text("nothing")
    found = {(hit.where[:5], hit.value) for hit in find_planted(tmp_path, [NAME, PHONE])}
    assert found == {("name:", NAME), ("name:", PHONE)}


def test_the_target_of_a_link_is_searched(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(f"/nowhere/{NAME}")
    assert find_planted(tmp_path, [NAME])


def test_rows_that_only_the_journal_holds_are_found(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "work.db", isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("CREATE TABLE t(a)")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("INSERT INTO t VALUES (?)", (NAME,))
    where = {hit.where for hit in find_planted(tmp_path, [NAME])}
    connection.close()
    assert where == {"work.db!t", "work.db-wal"}


def test_a_value_that_is_split_over_database_pages_is_found(tmp_path: Path) -> None:
    long = "早" * 1361 + NAME * 600
    connection = sqlite3.connect(tmp_path / "work.db")
    connection.execute("CREATE TABLE t(a)")
    connection.execute("INSERT INTO t VALUES (?)", (gzip.compress(long.encode()),))
    connection.commit()
    connection.close()
    assert find_planted(tmp_path, [NAME])


def test_an_empty_value_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    with pytest.raises(ValueError, match="empty"):
        find_planted(tmp_path, [""])


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("患者[NAME]，男，37岁，咳嗽5天，莫西沙星0.4g", "utf-8")
    assert find_planted(tmp_path, [NAME, PHONE, "2025-03-14"]) == []


def test_missing_facts_are_named() -> None:
    assert find_missing(["男，37岁", "咳嗽"], ["37岁", "5天"]) == ["5天"]
