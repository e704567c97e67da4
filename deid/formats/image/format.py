"""The format itself: read for detectors, paint, and encode anew so that nothing else survives."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np
from PIL import Image

from deid.apply.pixels import masks, paint
from deid.formats.image.frames import Frames, Native, durations, native, natives
from deid.formats.image.metadata import metadata_findings, metadata_text
from deid.formats.image.opening import decoding, family, frame_count, opened
from deid.jsonl import write_whole
from deid.schema import Document, ImagePart, PartId, Plan

_TARGETS: dict[str, tuple[str, str]] = {
    "JPEG": ("JPEG", ".jpg"),
    "PNG": ("PNG", ".png"),
    "GIF": ("GIF", ".gif"),
    "WEBP": ("WEBP", ".webp"),
    "TIFF": ("TIFF", ".tif"),
    "BMP": ("BMP", ".bmp"),
    "HEIF": ("JPEG", ".jpg"),
    "JPEG2000": ("PNG", ".png"),
}
"""Family read -> format and suffix written.  HEIC, AVIF and JPEG 2000 become what all can open."""
_MOVING = {"GIF", "PNG", "WEBP", "TIFF"}
_SAVE: dict[str, dict[str, Any]] = {
    "JPEG": {"quality": 92, "subsampling": 0, "optimize": True},
    "PNG": {"optimize": False, "compress_level": 6},
    "GIF": {"optimize": False, "disposal": 2},
    "WEBP": {"quality": 92, "method": 4},
    "TIFF": {"compression": "tiff_deflate"},
    "BMP": {},
}


@dataclass(frozen=True, slots=True)
class _State:
    """What writing needs: the source bytes, the target format and the number of frames."""

    data: bytes
    target: str
    frames: int


class ImageFormat:
    """A `deid.ports.Format`."""

    name = "image"

    def sniff(self, data: bytes) -> bool:
        """Say whether the first bytes are those of a picture."""
        return family(data) is not None

    def read(self, data: bytes, part: PartId) -> Document:
        """Return the picture upright, its metadata as findings.

        Every frame of GIF, APNG, WebP and TIFF counts.  Further pictures inside a JPEG or HEIC
        (previews, depth, gain maps, bursts) are dropped when it is written.

        Raises:
            UnreadableFileError: damaged, or larger than the limits.
        """
        kind = family(data) or ""
        target, suffix = _TARGETS[kind]
        image = opened(data)
        count = frame_count(image) if target in _MOVING else 1
        first = native(data, 0)
        text = metadata_text(image, part)
        return Document(
            part=part,
            format=kind,
            suffix=suffix,
            image=ImagePart(part, first.shape[1], first.shape[0], Frames(data, count)),
            texts=(text,) if text else (),
            findings=tuple(metadata_findings(image, part)),
            state=_State(data, target, count),
        )

    def write(self, document: Document, plan: Plan, dest: PurePath) -> None:
        """Paint each frame and encode it anew: pixels are all that is taken over.

        Raises:
            UnreadableFileError: a frame does not decode.
        """
        state = document.state
        if not isinstance(state, _State):
            raise TypeError(type(state).__name__)
        frames = (
            _painted(frame, masks(plan, document.part, number))
            for number, frame in enumerate(natives(state.data, state.frames))
        )
        write_whole(Path(dest), [_encoded(frames, state)])


def _painted(frame: Native, boxes: Iterable[Any]) -> Image.Image:
    pixels = np.array(frame)
    if pixels.ndim == 3 and pixels.shape[2] == 4:  # noqa: PLR2004 - RGB and alpha
        # What lies under full transparency is invisible, but it is there: it goes.
        pixels[pixels[:, :, 3] == 0] = 0
        paint(pixels, boxes, (0, 0, 0, 255))
    else:
        paint(pixels, boxes)
    return Image.fromarray(pixels)


def _encoded(frames: Iterable[Image.Image], state: _State) -> bytes:
    options = dict(_SAVE[state.target])
    pages = iter(frames)
    first = _fit(next(pages), state.target)
    if state.frames > 1:
        rest = (_fit(p, state.target) for p in pages)
        # Pillow walks twice over the frames of a PNG: there they have to be held.
        held = list(rest) if state.target == "PNG" else rest
        options |= {"save_all": True, "append_images": held}
        if state.target != "TIFF":
            options |= {"duration": durations(state.data), "loop": 0}
    file = io.BytesIO()
    with decoding():
        first.save(file, state.target, **options)
    return file.getvalue()


def _fit(image: Image.Image, target: str) -> Image.Image:
    """Return the picture in a mode that the target can hold."""
    if target in {"JPEG", "BMP"} and image.mode not in {"L", "RGB"}:
        deep = image.mode.startswith("I")
        return image.point(lambda v: v / 256).convert("L") if deep else image.convert("RGB")
    if target in {"GIF", "WEBP"} and image.mode not in {"L", "RGB", "RGBA"}:
        return image.convert("RGB")
    return image
