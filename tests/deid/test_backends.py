from pathlib import Path

import cv2
import numpy as np
import pytest
import zxingcpp

from deid import weights as module
from deid.backends import TABLE, backend_status, open_backend
from deid.backends.codes_zxing import ZxingReader
from deid.backends.ocr_paddle import lines_of
from deid.config import Weights
from deid.detect.codes import CodeDetector
from deid.detect.faces import FaceDetector
from deid.detect.ocr_text import OcrText, reading_of, rows_of
from deid.errors import BackendFailedError, BackendMissingError, ConfigError
from deid.formats.image import ImageFormat
from deid.geometry import hull, intersect, quad_of, turn_back
from deid.ports import OcrEngine
from deid.schema import Box, Frame, ImagePart, Kind, OcrLine, PartId, Region
from deid.spans import boxes_of
from tests.drawn import page

PART = PartId("t0.0")
ROOT = Path(__file__).resolve().parents[2]


def image_of(pixels: Frame) -> ImagePart:
    return ImagePart(PART, pixels.shape[1], pixels.shape[0], (np.ascontiguousarray(pixels),))


@pytest.mark.parametrize("name", TABLE)
def test_a_back_end_opens_or_says_what_would_enable_it(name: str) -> None:
    status = next(row for row in backend_status(Weights()) if row.name == name)
    assert status.remedy
    if status.available:
        assert open_backend(name, threads=1).name == name
    else:
        with pytest.raises(BackendMissingError) as caught:
            open_backend(name)
        assert caught.value.remedy == status.remedy


def test_the_default_install_has_ocr_faces_and_codes() -> None:
    available = {row.name for row in backend_status(Weights()) if row.available}
    assert {"rapidocr", "centerface", "zxing"} <= available


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="rapidocr"):
        open_backend("tesseract")


def test_a_weight_that_was_changed_is_never_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "weights").mkdir()
    manifest = (ROOT / "models" / "manifest.toml").read_text(encoding="utf-8")
    (tmp_path / "manifest.toml").write_text(manifest, encoding="utf-8")
    monkeypatch.setattr(module, "_home", lambda: tmp_path)
    with pytest.raises(BackendMissingError):
        module.weight("centerface")
    (tmp_path / "weights" / "centerface.onnx").write_bytes(b"not the network")
    with pytest.raises(ConfigError) as caught:
        module.weight("centerface")
    assert caught.value.reason == "weight_changed"


@pytest.fixture(scope="module")
def ocr() -> OcrEngine:
    engine: OcrEngine = open_backend("rapidocr", threads=2)
    return engine


LINES = [["姓名：", "虞测安", "  性别：男"], ["白细胞 ", "3.86", "  电话：", "13800138000"]]


@pytest.mark.parametrize("quarters", range(4))
def test_a_span_covers_its_characters_and_not_the_result_beside_them_whichever_way_a_page_lies(
    ocr: OcrEngine, quarters: int
) -> None:
    drawn, boxes = page([*LINES, ["诊断：慢性胃炎，建议两周后复查"]])
    pixels = np.asarray(drawn)
    height, width = pixels.shape[:2]
    seen = OcrText(ocr).detect(image_of(np.rot90(pixels, quarters)), 0)
    (reading,) = seen.readings
    for word in ("虞测安", "13800138000"):
        at = reading.text.text.index(word)
        found = [
            turn_back(b, quarters, width, height) for b in boxes_of(reading, at, at + len(word))
        ]
        assert sum(_shared(box, boxes[word]) for box in found) > 0.85
        assert all(_shared(box, boxes["3.86"]) == 0 for box in found)


def _shared(box: Box, wanted: Box) -> float:
    both = intersect(box, wanted)
    if both is None:
        return 0.0
    return ((both.x1 - both.x0) * (both.y1 - both.y0)) / (
        (wanted.x1 - wanted.x0) * (wanted.y1 - wanted.y0)
    )


def line(text: str, x: int, y: int) -> OcrLine:
    boxes = tuple(Box(x + 20 * n, y, x + 20 * n + 18, y + 20) for n in range(len(text)))
    return OcrLine(text, 0.9, quad_of(Box(x, y, x + 20 * len(text), y + 20)), boxes)


def test_cells_of_one_row_stand_on_one_line_from_left_to_right() -> None:
    lines = [
        line("男", 400, 12),
        line("孙丽", 150, 8),
        line("姓名：", 10, 10),
        line("骨科", 12, 60),
    ]
    reading = reading_of(lines, PART, 0)
    assert reading.text.text == "姓名：  孙丽  男\n骨科"
    at = reading.text.text.index("孙丽")
    assert boxes_of(reading, at, at + 2) == [Box(150, 8, 188, 28)]
    assert [len(row) for row in rows_of(lines)] == [3, 1]


def test_no_text_is_no_reading(ocr: OcrEngine) -> None:
    blank = np.full((200, 300, 3), 255, np.uint8)
    assert OcrText(ocr).detect(image_of(blank), 0).readings == ()


def test_a_result_of_paddleocr_becomes_lines_with_a_box_for_each_character() -> None:
    result = {
        "rec_texts": ["姓名", " "],
        "rec_scores": [0.9, 0.5],
        "rec_polys": [[(0, 0), (40, 0), (40, 20), (0, 20)], [(0, 0), (1, 0), (1, 1), (0, 1)]],
    }
    (only,) = lines_of(result)
    assert (only.text, only.chars) == ("姓名", (Box(0, 0, 20, 20), Box(20, 0, 40, 20)))


@pytest.mark.parametrize("quarters", range(4))
def test_a_face_is_found_whichever_way_its_picture_lies(quarters: int) -> None:
    data = (ROOT / "examples" / "assets" / "astronaut.jpg").read_bytes()
    part = ImageFormat().read(data, PART).image
    assert part is not None
    upright = part.pixels[0]
    detector = FaceDetector(open_backend("centerface", threads=2))
    (expected,) = detector.detect(image_of(upright), 0).findings
    (found,) = detector.detect(image_of(np.rot90(upright, quarters)), 0).findings
    assert isinstance(found.where, Region)
    assert isinstance(expected.where, Region)
    back = turn_back(found.where.box, quarters, part.width, part.height)
    assert _shared(back, expected.where.box) > 0.6


def test_faces_of_public_pictures_are_found_and_skin_has_none(shared_data: Path) -> None:
    model = open_backend("centerface", threads=2)
    form = ImageFormat()
    for path in sorted((shared_data / "img_faces").glob("fr_*")):
        image = form.read(path.read_bytes(), PART).image
        assert image is not None
        assert model.faces(image.pixels[0]), path.name
    for path in sorted((shared_data / "img_skin").iterdir()):
        image = form.read(path.read_bytes(), PART).image
        assert image is not None
        assert model.faces(image.pixels[0]) == [], path.name


def code_picture(form: str, content: str, *, scale: int = 4) -> Frame:
    made = zxingcpp.create_barcode(content, getattr(zxingcpp.BarcodeFormat, form))
    grey = np.asarray(zxingcpp.write_barcode_to_image(made, scale=scale))
    sheet = np.full((max(400, grey.shape[0] + 80), max(600, grey.shape[1] + 80)), 255, np.uint8)
    sheet[40 : 40 + grey.shape[0], 40 : 40 + grey.shape[1]] = grey
    return np.repeat(sheet[:, :, None], 3, axis=2)


@pytest.mark.parametrize(
    ("form", "kind"),
    [("QRCode", Kind.QR_CODE), ("DataMatrix", Kind.QR_CODE), ("Code128", Kind.BARCODE)],
)
@pytest.mark.parametrize("view", ["plain", "inverted", "turned", "pale"])
def test_a_code_is_found_and_read_and_its_words_lie_in_its_box(
    form: str, kind: Kind, view: str
) -> None:
    pixels = code_picture(form, "ZY0012345")
    if view == "inverted" and form != "Code128":
        pixels = 255 - pixels
    elif view == "turned":
        pixels = np.rot90(pixels)
    elif view == "pale":
        pixels = (200 + pixels // 6).astype(np.uint8)
    seen = CodeDetector(ZxingReader(threads=0, weights=Weights())).detect(image_of(pixels), 0)
    (finding,) = seen.findings
    assert finding.kind is kind
    assert isinstance(finding.where, Region)
    (reading,) = seen.readings
    assert reading.text.text == "ZY0012345"
    assert set(reading.boxes) == {finding.where.box}


def test_the_box_of_a_barcode_covers_its_bars_from_top_to_foot() -> None:
    pixels = code_picture("Code128", "ZY0012345")
    (code,) = ZxingReader(threads=0, weights=Weights()).codes(pixels)
    dark = np.nonzero((pixels[:, :, 0] < 128).sum(axis=1) > 20)[0]
    box = hull(code.quad)
    assert box.y0 <= dark.min() + 2
    assert box.y1 >= dark.max() - 1


def test_several_codes_of_one_picture_are_all_found() -> None:
    sheet = np.hstack([code_picture("QRCode", f"P-{n}") for n in range(3)])
    codes = ZxingReader(threads=0, weights=Weights()).codes(sheet)
    assert sorted(code.content for code in codes) == ["P-0", "P-1", "P-2"]


def test_public_codes_are_located_and_public_negatives_are_not(shared_data: Path) -> None:
    reader = ZxingReader(threads=0, weights=Weights())
    form = ImageFormat()

    def located(folder: str) -> list[bool]:
        pictures = [p for p in sorted((shared_data / folder).iterdir()) if p.suffix != ".txt"]
        found = []
        for path in pictures:
            if form.sniff(path.read_bytes()):
                image = form.read(path.read_bytes(), PART).image
                assert image is not None
                found.append(bool(reader.codes(image.pixels[0])))
        return found

    there = located("img_barcode")
    assert sum(there) / len(there) >= 0.97
    assert not any(located("img_barcode_neg"))


def test_print_faces_and_cards_of_public_pictures_are_no_codes(shared_data: Path) -> None:
    reader = ZxingReader(threads=0, weights=Weights())
    form = ImageFormat()
    wrong = total = 0
    for folder in ("img_id_specimen", "img_drugbox_hardneg", "img_faces", "img_zh_lab_photo"):
        for path in sorted((shared_data / folder).iterdir()):
            image = form.read(path.read_bytes(), PART).image
            assert image is not None
            wrong += bool(reader.codes(image.pixels[0]))
            total += 1
    assert wrong / total <= 0.03


def test_bars_that_are_too_blurred_to_decode_are_located() -> None:
    pixels = code_picture("Code128", "ZY0012345")
    blurred = cv2.GaussianBlur(pixels, (0, 0), 4.5)
    reader = ZxingReader(threads=0, weights=Weights())
    (sharp,) = reader.codes(pixels)
    (code,) = reader.codes(blurred)
    assert code.content == ""
    assert _shared(hull(code.quad), hull(sharp.quad)) > 0.8


def test_faces_of_a_turned_crowd_are_found_like_those_of_an_upright_one(
    shared_data: Path,
) -> None:
    model = open_backend("centerface", threads=2)
    image = ImageFormat().read((shared_data / "img_faces" / "uf_8.jpg").read_bytes(), PART).image
    assert image is not None
    upright = image.pixels[0]
    expected = len(model.faces(upright))
    assert expected > 50
    for quarters in (1, 2, 3):
        found = model.faces(np.ascontiguousarray(np.rot90(upright, quarters)))
        assert len(found) >= 0.97 * expected


def test_a_yunet_file_that_is_no_network_is_refused(tmp_path: Path) -> None:
    (tmp_path / "yunet.onnx").write_bytes(b"nothing")
    with pytest.raises(BackendFailedError):
        open_backend("yunet", weights=Weights(yunet=str(tmp_path / "yunet.onnx")))
