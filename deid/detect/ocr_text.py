"""Text in pictures: lines of an OCR engine become one text with the box of every character."""

import math
from statistics import median

from deid.geometry import hull
from deid.ports import OcrEngine
from deid.schema import Box, ImagePart, OcrLine, PartId, Reading, Seen, TextPart

_SAME_ROW = 0.5
_CELL = "  "


class OcrText:
    """An image detector that reads: cells of one row stand on one line of its text.

    Label and value of a form often lie in neighbouring boxes; joined by two spaces they are read
    by the same rules as a sentence.
    """

    def __init__(self, engine: OcrEngine) -> None:
        """Read with ``engine``."""
        self.name = engine.name
        self._engine = engine

    def detect(self, image: ImagePart, frame: int) -> Seen:
        """Return one reading of the frame, or nothing where there is no text."""
        lines = self._engine.read(image.pixels[frame])
        if not lines:
            return Seen()
        return Seen(readings=(reading_of(lines, image.id, frame),))


def reading_of(lines: list[OcrLine], image: PartId, frame: int) -> Reading:
    """Join lines in reading order: rows from the top, cells of a row from the left."""
    text: list[str] = []
    boxes: list[Box | None] = []
    for number, row in enumerate(rows_of(lines)):
        if number:
            text.append("\n")
            boxes.append(None)
        for place, line in enumerate(row):
            if place:
                text.append(_CELL)
                boxes += [None] * len(_CELL)
            text.append(line.text)
            boxes += line.chars
    part = TextPart(PartId(f"{image}#ocr/{frame}"), "".join(text))
    return Reading(part, image, frame, tuple(boxes))


def rows_of(lines: list[OcrLine]) -> list[list[OcrLine]]:
    """Group lines into rows, on the page as it would lie without its tilt."""
    tilt = _tilt(lines)
    placed = sorted(((*_place(line, tilt), line) for line in lines), key=lambda p: (p[0], p[1]))
    rows: list[list[tuple[float, float, float, OcrLine]]] = []
    for item in placed:
        height = item[2]
        if rows and item[0] - rows[-1][0][0] < _SAME_ROW * min(height, rows[-1][0][2]):
            rows[-1].append(item)
        else:
            rows.append([item])
    return [[item[3] for item in sorted(row, key=lambda p: p[1])] for row in rows]


def _tilt(lines: list[OcrLine]) -> float:
    """Return the median angle of the lines in radians."""
    return median(
        math.atan2(line.quad[1][1] - line.quad[0][1], line.quad[1][0] - line.quad[0][0])
        for line in lines
    )


def _place(line: OcrLine, tilt: float) -> tuple[float, float, float]:
    """Return centre line, left end and height of a line after undoing the tilt."""
    x = sum(point[0] for point in line.quad) / 4
    y = sum(point[1] for point in line.quad) / 4
    across, down = math.cos(tilt), math.sin(tilt)
    box = hull([(px * across + py * down, py * across - px * down) for px, py in line.quad])
    return y * across - x * down, float(box.x0), float(box.y1 - box.y0)
