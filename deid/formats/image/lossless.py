"""Strip the metadata of a JPEG or PNG and leave its pixels bit for bit.

The orientation of a JPEG is part of how it is seen: it is written back as the only EXIF entry.
"""

import struct
from collections.abc import Iterator

import piexif

from deid.errors import UnreadableFileError, UnsupportedFormatError
from deid.formats.image.opening import damaged, family

_KEPT_CHUNKS = frozenset(
    {
        b"IHDR",
        b"PLTE",
        b"IDAT",
        b"IEND",
        b"tRNS",
        b"gAMA",
        b"cHRM",
        b"sRGB",
        b"sBIT",
        b"bKGD",
        b"acTL",
        b"fcTL",
        b"fdAT",
    }
)
_SOS, _EOI, _COM, _APP0, _APP14, _APP15 = 0xDA, 0xD9, 0xFE, 0xE0, 0xEE, 0xEF
_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
_MARK = 0xFF
_RESTARTS = range(0xD0, 0xD8)
_UPRIGHT = 1


def strip_lossless(data: bytes) -> tuple[bytes, str]:
    """Return the stripped file and its suffix.

    Raises:
        UnsupportedFormatError: neither JPEG nor PNG.
        UnreadableFileError: the structure is damaged.
    """
    match family(data):
        case "JPEG":
            return _jpeg(data), ".jpg"
        case "PNG":
            return _png(data), ".png"
        case _:
            raise UnsupportedFormatError(
                "Only JPEG and PNG can be stripped without being encoded anew.",
                remedy="Leave --lossless-metadata out.",
                reason="lossless_unsupported",
            )


def _jpeg(data: bytes) -> bytes:
    stripped = b"".join([b"\xff\xd8", *_segments(data)])
    orientation = _orientation(data)
    if orientation == _UPRIGHT:
        return stripped
    exif: bytes = piexif.dump({"0th": {piexif.ImageIFD.Orientation: orientation}})
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + stripped[2:]


def _orientation(data: bytes) -> int:
    try:
        value = piexif.load(data)["0th"].get(piexif.ImageIFD.Orientation, _UPRIGHT)
    except Exception:  # noqa: BLE001 - piexif raises anything on damaged EXIF, which goes anyway
        return _UPRIGHT
    return value if isinstance(value, int) and value in range(1, 9) else _UPRIGHT


def _segments(data: bytes) -> Iterator[bytes]:
    """Yield the segments of a JPEG that make its picture, to its first end, nothing after."""
    at = 2
    while at + 2 <= len(data):
        if data[at] != _MARK:
            raise damaged()
        marker = data[at + 1]
        if marker == _MARK or marker in _ALONE:
            at += 1 if marker == _MARK else 2
            continue
        if marker == _EOI:
            yield b"\xff\xd9"
            return
        if at + 4 > len(data):
            break
        (length,) = struct.unpack_from(">H", data, at + 2)
        segment = data[at : at + 2 + length]
        at += 2 + length
        if marker == _SOS:
            end = _scan_end(data, at)
            yield segment + data[at:end]
            at = end
        elif marker == _APP0 and segment[4:9] == b"JFIF\x00":
            yield b"\xff\xe0\x00\x10" + segment[4:16] + b"\x00\x00"
        elif marker == _APP14 and segment[4:9] == b"Adobe":
            yield segment[:16]
        elif marker != _COM and not _APP0 <= marker <= _APP15:
            yield segment
    raise UnreadableFileError("A JPEG has no end.", remedy="Export it again.", reason="damaged")


def _scan_end(data: bytes, at: int) -> int:
    """Return where entropy-coded data end: at a marker that is no stuffing and no restart."""
    while True:
        at = data.find(b"\xff", at)
        if at < 0 or at + 1 >= len(data):
            raise damaged()
        follower = data[at + 1]
        if follower != 0 and follower not in _RESTARTS:
            return at
        at += 2


def _png(data: bytes) -> bytes:
    kept = [data[:8]]
    at = 8
    while at + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        name = data[at + 4 : at + 8]
        chunk = data[at : at + 12 + length]
        at += 12 + length
        if len(chunk) < 12 + length:
            raise damaged()
        if name in _KEPT_CHUNKS:
            kept.append(chunk)
        if name == b"IEND":
            return b"".join(kept)
    raise damaged()
