"""Small documents drawn for tests, with the boxes of what stands on them."""

import io
from importlib import resources
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from deid.schema import Box, Frame


def font(size: int) -> ImageFont.FreeTypeFont:
    """Return a font that has Hanzi (OFL-1.1, from a package of the tests)."""
    folder = Path(str(resources.files("cvttf_NotoSansCJK_Regular")))
    return ImageFont.truetype(str(next(folder.glob("*.otf"))), size)


def page(lines: list[list[str]], *, size: int = 30) -> tuple[Image.Image, dict[str, Box]]:
    """Draw rows of words on white and return the picture and the box of each word."""
    image = Image.new("RGB", (960, 60 + 70 * len(lines)), "white")
    pen = ImageDraw.Draw(image)
    face = font(size)
    boxes = {}
    for row, words in enumerate(lines):
        x, y = 40, 40 + 70 * row
        for word in words:
            pen.text((x, y), word, font=face, fill="black")
            left, top, right, bottom = pen.textbbox((x, y), word, font=face)
            boxes[word] = Box(int(left), int(top), int(right) + 1, int(bottom) + 1)
            x = int(right) + 2
    return image, boxes


def encoded(image: Image.Image, form: str, **options: object) -> bytes:
    """Return a picture as a file."""
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def black_share(pixels: Frame, box: Box) -> float:
    """Return which share of a box's pixels is (nearly) black."""
    inside = pixels[box.y0 : box.y1, box.x0 : box.x1].max(axis=2)
    return float((inside < 40).mean())


def array_of(data: bytes) -> Frame:
    """Return a file's pixels as RGB."""
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
