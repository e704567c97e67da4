"""Barcodes and 2-D codes in pictures, and what they say."""

from deid.geometry import hull
from deid.ports import CodeReader
from deid.schema import Finding, ImagePart, PartId, Reading, Region, Seen, TextPart


class CodeDetector:
    """An image detector over a code reader.

    What a code says is a reading whose every character lies in the code's box: it joins the case's
    deny-list like any text, and is never logged.
    """

    def __init__(self, reader: CodeReader) -> None:
        """Look with ``reader``."""
        self.name = reader.name
        self._reader = reader

    def detect(self, image: ImagePart, frame: int) -> Seen:
        """Return a region for each code of the frame, and a reading of each that was decoded."""
        findings, readings = [], []
        for number, code in enumerate(self._reader.codes(image.pixels[frame])):
            box = hull(code.quad)
            where = Region(image.id, box, frame, code.quad)
            findings.append(Finding(where, code.kind, code.score, self.name))
            if code.content:
                part = TextPart(PartId(f"{image.id}#code/{frame}.{number}"), code.content)
                boxes = (box,) * len(code.content)
                readings.append(Reading(part, image.id, frame, boxes))
        return Seen(tuple(findings), tuple(readings))
