from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from deid.backends import open_backend
from deid.backends.ocr_rapidocr import RapidOcrEngine
from deid.backends.ocr_rapidocr.ctc import glyphs_of
from deid.backends.ocr_rapidocr.detection import find_quads
from deid.geometry import area, intersect, turn_back
from deid.schema import Box, Frame, OcrLine
from tests.drawn import font, page

ALPHABET = ["", "虞", "测", "安", "3", ".", "8", "A", " "]
SPACE = ALPHABET.index(" ")


def steps_of(said: list[int]) -> NDArray[np.float32]:
    """Return sure steps: one character index (0 is blank) each."""
    steps = np.full((len(said), len(ALPHABET)), 0.01, np.float32)
    steps[np.arange(len(said)), said] = 0.9
    return steps


@pytest.fixture(scope="module")
def ocr() -> RapidOcrEngine:
    engine: RapidOcrEngine = open_backend("rapidocr", threads=2)
    return engine


@given(st.lists(st.integers(0, len(ALPHABET) - 1), min_size=1, max_size=60))
def test_every_character_has_an_extent_inside_its_line_in_reading_order(said: list[int]) -> None:
    glyphs = glyphs_of(steps_of(said), ALPHABET, float(len(said)))
    for glyph in glyphs:
        assert 0 <= glyph.start <= glyph.end <= len(said)
    assert all(a.start <= b.start for a, b in pairwise(glyphs))
    runs = [n for n, before in zip(said, [0, *said], strict=False) if n and n != before]
    spoken = "".join(g.text for g in glyphs if g.text != " ")
    assert spoken == "".join(ALPHABET[n] for n in runs if n != SPACE)


def test_a_repeated_character_needs_a_blank_between() -> None:
    assert [g.text for g in glyphs_of(steps_of([4, 4, 0, 4]), ALPHABET, 4)] == ["3", "3"]


def test_neighbours_meet_nearer_to_the_narrow_one() -> None:
    wide, narrow = glyphs_of(steps_of([0, 1, 0, 0, 5, 0]), ALPHABET, 6)
    assert wide.end == narrow.start
    assert wide.end - 1.5 > 4.5 - wide.end


def test_a_character_beside_an_empty_stretch_does_not_reach_across_it() -> None:
    said = [1, 0, 0, 0, 2, 0, 0, 0, 3, *[0] * 20, 4]
    glyphs = glyphs_of(steps_of(said), ALPHABET, len(said))
    assert [g.text for g in glyphs] == ["虞", "测", "安", " ", "3"]
    assert glyphs[2].end < 14
    assert glyphs[4].start > 24


def test_a_half_seen_space_parts_latin_words() -> None:
    steps = steps_of([7, 0, 0, 7])
    steps[1, SPACE] = 0.3
    assert [g.text for g in glyphs_of(steps, ALPHABET, 4)] == ["A", " ", "A"]


def covered(lines: list[OcrLine], word: str, wanted: Box) -> float:
    """Return the share of a word's box that the boxes of its characters cover; 0 if unread."""
    for line in lines:
        at = line.text.find(word)
        if at >= 0:
            shares = [intersect(box, wanted) for box in line.chars[at : at + len(word)]]
            return sum(area(s) for s in shares if s) / area(wanted)
    return 0.0


def test_words_of_a_long_screenshot_keep_their_size(ocr: RapidOcrEngine) -> None:
    sheet = Image.new("RGB", (720, 5200), "white")
    pen = ImageDraw.Draw(sheet)
    boxes = {}
    for y in (100, 2600, 5100):
        word = f"虞测安{y}"
        pen.text((60, y), word, font=font(26), fill="black")
        boxes[word] = Box(*(int(v) for v in pen.textbbox((60, y), word, font=font(26))))
    lines = ocr.read(np.asarray(sheet))
    for word, box in boxes.items():
        assert covered(lines, word, box) > 0.9, word


def test_small_print_of_a_large_photo_is_read(ocr: RapidOcrEngine) -> None:
    sheet = Image.new("RGB", (2800, 2000), "white")
    pen = ImageDraw.Draw(sheet)
    boxes = {}
    for number, y in enumerate(range(100, 1900, 120)):
        place = (100 + 700 * (number % 4), y)
        word = f"联系人虞测安{number:02d}"
        pen.text(place, word, font=font(20), fill="black")
        boxes[word] = Box(*(int(v) for v in pen.textbbox(place, word, font=font(20))))
    lines = ocr.read(np.asarray(sheet))
    for word, box in boxes.items():
        assert covered(lines, word, box) > 0.9, word


def test_a_line_across_a_tile_edge_is_one_line(ocr: RapidOcrEngine) -> None:
    sheet = Image.new("RGB", (1280, 3600), "white")
    pen = ImageDraw.Draw(sheet)
    for y in range(1200, 1400, 60):
        pen.text((100, y), "患者虞测安今日复查血常规", font=font(36), fill="black")
    quads = find_quads(ocr._detector, np.asarray(sheet))
    assert len(quads) == 4


@pytest.mark.parametrize("quarters", range(4))
def test_a_blurred_upright_page_is_not_turned_and_a_turned_one_is(
    ocr: RapidOcrEngine, quarters: int
) -> None:
    drawn, boxes = page(
        [["姓名：", "虞测安"], ["诊断：慢性胃炎，两周后复查"], ["血红蛋白 122 g/L"]]
    )
    blurred = np.asarray(drawn.filter(ImageFilter.GaussianBlur(2)))
    height, width = blurred.shape[:2]
    turned: Frame = np.ascontiguousarray(np.rot90(blurred, quarters))
    lines = ocr.read(turned)
    name = next(line for line in lines if "虞测安" in line.text)
    at = name.text.index("虞测安")
    back = [turn_back(box, quarters, width, height) for box in name.chars[at : at + 3]]
    assert [b.x0 for b in back] == sorted(b.x0 for b in back)
    assert sum(area(s) for b in back if (s := intersect(b, boxes["虞测安"]))) > 0.85 * area(
        boxes["虞测安"]
    )


def test_words_of_a_latin_line_stand_apart(ocr: RapidOcrEngine) -> None:
    drawn, _ = page([["Name: Zhang Ceshi  WBC 6.21"]])
    (line,) = ocr.read(np.asarray(drawn))
    assert "Zhang Ceshi" in line.text


@pytest.mark.parametrize("shape", [(1, 1), (3, 900), (900, 3), (31, 33)])
def test_pictures_of_any_shape_are_read_without_fuss(
    ocr: RapidOcrEngine, shape: tuple[int, int]
) -> None:
    assert ocr.read(np.full((*shape, 3), 255, np.uint8)) == []
