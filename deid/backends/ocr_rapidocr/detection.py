"""Where lines of text are: PP-OCR's detector, on tiles, so that memory does not grow with pictures.

The detector gives each pixel a probability of text (DB, Liao et al. 2020).  Tiles write theirs into
one map of the whole picture, where are drawn: no line is cut at a tile's edge.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rapidocr.ch_ppocr_det.utils import DBPostProcess

from deid.geometry import tiles
from deid.schema import Box, Frame, Quad

_SIDE, _OVERLAP = 1280, 128
"""Pixels of a tile's side, and what neighbours share: more than the height of a line."""
_LEAST = 736
"""Shorter side to which small pictures are enlarged, as PP-OCR was tuned."""
_MOST_ENLARGED = 3.0
_LONG = 2.2
"""Sides ratio from which a picture is a long screenshot: its width decides the scale."""
_SMALL_PRINT = 14.0
"""Height of a line, in pixels of the map, below which small print may have been lost."""
_MOST_DETAIL = 3200
_STRIDE = 32
_PEAK = 0.5
"""What the surest pixel of a tile with text in it reaches; an empty tile stays below 0.45."""


def find_quads(session: Any, pixels: Frame) -> list[Quad]:  # noqa: ANN401 - onnxruntime ships no types
    """Return the outlines of the lines of text, clockwise from the picture's own top left.

    Looks once more at twice the detail where the lines turn out small or none is found.
    """
    factor = _first_factor(pixels)
    quads = _quads_at(session, pixels, factor)
    finer = min(1.0, factor * 2, _MOST_DETAIL / min(pixels.shape[:2]))
    if finer > factor * 1.2 and _small_print(quads, factor):
        return _quads_at(session, pixels, finer)
    return quads


def _first_factor(pixels: Frame) -> float:
    height, width = pixels.shape[:2]
    long, short = int(max(height, width)), int(min(height, width))
    if short < _LEAST:
        return min(_LEAST / short, _MOST_ENLARGED, max(1.0, _SIDE / long))
    return min(1.0, _SIDE / (short if long > _LONG * short else long))


def _small_print(quads: list[Quad], factor: float) -> bool:
    if not quads:
        return True
    return float(np.percentile([thickness(quad) for quad in quads], 25)) * factor < _SMALL_PRINT


def thickness(quad: Quad) -> float:
    """Return the shorter of a quadrilateral's first two sides, in pixels."""
    corners = np.asarray(quad)
    return float(np.linalg.norm(corners[1:3] - corners[:2], axis=1).min())


def _quads_at(session: Any, pixels: Frame, factor: float) -> list[Quad]:  # noqa: ANN401 - as above
    height, width = pixels.shape[:2]
    across, down = max(1, round(width * factor)), max(1, round(height * factor))
    how = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    resized = cv2.resize(pixels, (across, down), interpolation=how) if factor != 1 else pixels
    chance = np.zeros((down, across), np.float32)
    for tile in tiles(across, down, _SIDE, _OVERLAP):
        seen = _chance(session, resized[tile.y0 : tile.y1, tile.x0 : tile.x1])
        own = _own(tile, across, down)
        chance[own.y0 : own.y1, own.x0 : own.x1] = seen[
            own.y0 - tile.y0 : own.y1 - tile.y0, own.x0 - tile.x0 : own.x1 - tile.x0
        ]
    drawn = DBPostProcess(
        thresh=0.3, box_thresh=0.45, max_candidates=3000, unclip_ratio=1.6, use_dilation=True
    )
    outlines, _ = drawn(chance[None, None], (height, width))
    return [_quad(outline) for outline in outlines]


def _own(tile: Box, width: int, height: int) -> Box:
    """Return the part of a tile that it speaks for: half of what it shares is its neighbour's.

    At its very edge a tile sees half a line and takes it for another one.
    """
    half = _OVERLAP // 2 - 1  # tiles are placed by rounding: no row may be left to nobody
    return Box(
        tile.x0 + (half if tile.x0 else 0),
        tile.y0 + (half if tile.y0 else 0),
        tile.x1 - (half if tile.x1 < width else 0),
        tile.y1 - (half if tile.y1 < height else 0),
    )


def _chance(session: Any, tile: Frame) -> NDArray[np.float32]:  # noqa: ANN401 - as above
    """Return each pixel's probability of text; the tile is padded to whole strides."""
    height, width = tile.shape[:2]
    padded = cv2.copyMakeBorder(
        tile, 0, -height % _STRIDE, 0, -width % _STRIDE, cv2.BORDER_REPLICATE
    )
    blob = padded[:, :, ::-1].transpose(2, 0, 1)[None].astype(np.float32) / 127.5 - 1
    (answer,) = session.run(None, {session.get_inputs()[0].name: blob})
    chance: NDArray[np.float32] = answer[0, 0, :height, :width]
    # Of an empty sheet the detector thinks everywhere that it might be text, a little: that haze
    # would flow together with the lines of the neighbouring tile.
    return chance if float(chance.max()) >= _PEAK else np.zeros_like(chance)


def _quad(points: NDArray[Any]) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return (a, b, c, d)
