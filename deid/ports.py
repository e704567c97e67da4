"""The doors: what a detector, an engine or a file format must offer.

Ports are small protocols and objects are passed by hand; `deid.testing` ships doubles that come
through the same doors, faults included.
"""

from collections.abc import Sequence
from pathlib import PurePath
from typing import Protocol

from deid.schema import (
    Box,
    Code,
    Document,
    Finding,
    Frame,
    ImagePart,
    OcrLine,
    PartId,
    Plan,
    Seen,
    TextPart,
)


class TextDetector(Protocol):
    """Finds things in texts."""

    name: str

    def detect(self, parts: Sequence[TextPart]) -> list[Finding]:
        """Return `Span` findings, in code points of the parts as given, in any order."""


class ImageDetector(Protocol):
    """Finds things in one frame of a picture, or reads text from it."""

    name: str

    def detect(self, image: ImagePart, frame: int) -> Seen:
        """Return `Region` findings and readings in pixels of ``image.pixels[frame]``."""


class OcrEngine(Protocol):
    """Reads lines of text from a frame."""

    name: str

    def read(self, pixels: Frame) -> list[OcrLine]:
        """Return the lines, each with a box per code point, in reading order."""


class FaceModel(Protocol):
    """Finds faces in a frame."""

    name: str

    def faces(self, pixels: Frame) -> list[tuple[Box, float]]:
        """Return face boxes (unpadded, may reach outside the frame) with scores in [0, 1]."""


class CodeReader(Protocol):
    """Finds barcodes and 2-D codes in a frame."""

    name: str

    def codes(self, pixels: Frame) -> list[Code]:
        """Return the codes, decoded or only located."""


class Format(Protocol):
    """Reads and writes one family of file formats."""

    name: str

    def sniff(self, data: bytes) -> bool:
        """Say whether ``data`` is of this family, by content and never by name."""

    def read(self, data: bytes, part: PartId) -> Document:
        """Decode ``data``.

        Raises:
            UnreadableFileError: damaged, too large or empty; the reason says which.
        """

    def write(self, document: Document, plan: Plan, dest: PurePath) -> None:
        """Apply the plan's decisions on the document's parts and write ``dest``, nothing else.

        The document is used up: its pixels may be painted in place.
        """
