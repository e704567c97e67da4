"""Drawing of documents: marked text, codes, seals, logos, and what a phone camera adds."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from pathlib import Path

import cvttf_NotoSansCJK_Regular
import numpy as np
import zxingcpp
from PIL import Image, ImageDraw, ImageFilter, ImageFont, features

from .marks import read_marks

Colour = tuple[int, int, int]
INK: Colour = (28, 28, 34)
GREY: Colour = (110, 112, 118)
RED: Colour = (196, 32, 38)
# The font's default forms are traditional; Pillow chooses by language only where it has raqm.
_LANGUAGE = "zh-Hans" if features.check("raqm") else None


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return Noto Sans CJK (OFL-1.1) at ``size`` pixels."""
    return ImageFont.truetype(cvttf_NotoSansCJK_Regular.get_TTF_path(), size)


@dataclass(frozen=True, slots=True)
class Look:
    """How a text is drawn: colour, Pillow's anchor, weight."""

    ink: Colour = INK
    anchor: str = "la"
    bold: bool = False


class Sheet:
    """A page being drawn; remembers the marks of every text on it."""

    def __init__(self, width: int, height: int, paper: Colour = (252, 252, 248)) -> None:
        """Start a blank page of ``width`` x ``height`` pixels."""
        self.image = Image.new("RGB", (width, height), paper)
        self.pen = ImageDraw.Draw(self.image)
        self.gone: list[str] = []
        self.stay: list[str] = []

    def write(
        self, at: tuple[float, float], marked: str, size: int, look: Look | None = None
    ) -> None:
        """Draw a marked text at ``at``, ``size`` pixels high."""
        read = read_marks(marked)
        self.gone += read.gone
        self.stay += read.stay
        style = look or Look()
        self.pen.text(
            at,
            read.text,
            style.ink,
            font(size),
            anchor=style.anchor,
            stroke_width=max(1, size // 30) if style.bold else 0,
            language=_LANGUAGE,
        )

    def rule(self, y: int, margin: int = 50, width: int = 2) -> None:
        """Draw a line across the page."""
        self.pen.line((margin, y, self.image.width - margin, y), INK, width)

    def row(self, y: int, columns: Sequence[tuple[int, str]], size: int = 24) -> None:
        """Write marked texts side by side, each at its own x."""
        for x, marked in columns:
            self.write((x, y), marked, size)

    def paste(self, picture: Image.Image, at: tuple[int, int]) -> None:
        """Put a picture on the page, through its own transparency where it has one."""
        mask = picture if picture.mode == "RGBA" else None
        self.image.paste(picture, at, mask)


def code(content: str, symbology: str, scale: int) -> Image.Image:
    """Return a barcode or 2-D code as a picture, ``scale`` pixels a module."""
    made = zxingcpp.create_barcode(content, zxingcpp.barcode_format_from_str(symbology))
    return Image.fromarray(np.array(made.to_image(scale=scale))).convert("RGB")


def seal(around: str, below: str, across: int = 190) -> Image.Image:
    """Return a round red seal: text on an arc, a star, a line below."""
    big = across * 2
    stamp = Image.new("RGBA", (big, big), (0, 0, 0, 0))
    pen = ImageDraw.Draw(stamp)
    pen.ellipse((8, 8, big - 8, big - 8), outline=(*RED, 215), width=9)
    middle = big / 2
    tips = [
        (
            middle + (62 if n % 2 == 0 else 25) * sin(n * pi / 5),
            middle - (62 if n % 2 == 0 else 25) * cos(n * pi / 5),
        )
        for n in range(10)
    ]
    pen.polygon(tips, fill=(*RED, 215))
    pen.text((middle, big * 0.76), below, (*RED, 215), font(34), anchor="mm")
    for n, sign in enumerate(around):
        angle = -125 + 250 * n / max(1, len(around) - 1)
        letter = Image.new("RGBA", (big, big), (0, 0, 0, 0))
        spot = (middle, 52)
        ImageDraw.Draw(letter).text(spot, sign, (*RED, 215), font(46), anchor="mm")
        stamp.alpha_composite(letter.rotate(-angle, Image.Resampling.BICUBIC))
    return stamp.resize((across, across), Image.Resampling.LANCZOS)


def logo(letter: str, colour: Colour, across: int = 84) -> Image.Image:
    """Return a hospital's emblem: a ring, a cross and a letter."""
    mark = Image.new("RGBA", (across * 2, across * 2), (0, 0, 0, 0))
    pen = ImageDraw.Draw(mark)
    edge = across * 2 - 4
    pen.ellipse((4, 4, edge, edge), fill=(*colour, 255))
    pen.ellipse((20, 20, edge - 16, edge - 16), fill=(255, 255, 255, 255))
    pen.rectangle((across - 16, 36, across + 16, edge - 32), fill=(*colour, 255))
    pen.rectangle((36, across - 16, edge - 32, across + 16), fill=(*colour, 255))
    pen.text((across, across), letter, (255, 255, 255, 255), font(34), anchor="mm")
    return mark.resize((across, across), Image.Resampling.LANCZOS)


def signature(seed: int, size: tuple[int, int] = (190, 70)) -> Image.Image:
    """Return a scribble that stands for a handwritten name."""
    rng = np.random.default_rng(seed)
    width, height = size
    sheet = Image.new("RGBA", (width * 3, height * 3), (0, 0, 0, 0))
    steps = np.linspace(0, 1, 220)
    x = (0.06 + 0.86 * steps) * width * 3 + 26 * np.sin(steps * rng.uniform(30, 44))
    wave = sum(np.sin(steps * rng.uniform(8, 42) + rng.uniform(0, 6)) for _ in range(4))
    y = (0.5 + 0.1 * wave) * height * 3
    points = [(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    ImageDraw.Draw(sheet).line(points, (18, 28, 92, 255), 7, joint="curve")
    return sheet.resize(size, Image.Resampling.LANCZOS)


def phone_shot(
    page: Image.Image, *, seed: int, tilt: float, longest: int = 1400, desk: Colour = (122, 98, 76)
) -> Image.Image:
    """Return ``page`` as a phone sees it on a desk: tilted, shaded, slightly soft and noisy."""
    rng = np.random.default_rng(seed)
    border = page.width // 22
    ground = Image.new("RGB", (page.width + 2 * border, page.height + 2 * border), desk)
    ground.paste(page, (border, border))
    turned = ground.rotate(tilt, Image.Resampling.BICUBIC, expand=True, fillcolor=desk)
    share = longest / max(turned.size)
    size = (round(turned.width * share), round(turned.height * share))
    small = turned.resize(size, Image.Resampling.LANCZOS).filter(ImageFilter.GaussianBlur(0.5))
    pixels = np.asarray(small, dtype=np.float32)
    light = np.linspace(rng.uniform(0.84, 0.92), 1.02, pixels.shape[1], dtype=np.float32)
    noise = rng.normal(0, 3.2, pixels.shape).astype(np.float32)
    return Image.fromarray(np.clip(pixels * light[None, :, None] + noise, 0, 255).astype(np.uint8))


def asset(name: str) -> Image.Image:
    """Return a picture of ``examples/assets``."""
    return Image.open(Path(__file__).parent.parent / "assets" / name).convert("RGB")
