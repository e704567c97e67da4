"""Strip compressed frames to what their decoder needs: no comments, no application data, no tail.

The coefficients are never touched, so a frame decodes to the same pixels as before.  Sources:
ITU-T T.81 annex B (JPEG), T.87 annex C (JPEG-LS), T.800 annex A (JPEG 2000), PS3.5 annex G (RLE).
"""

import re
import struct

from deid.errors import UnreadableFileError

_SOI, _EOI = b"\xff\xd8", b"\xff\xd9"
_J2K = b"\xff\x4f\xff\x51"
_RLE = re.compile(r"1\.2\.840\.10008\.1\.2\.5")
# A byte below 80h after FFh is stuffing (JPEG-LS) and D0h-D7h are restarts: both belong to a scan.
_NEXT_MARKER = re.compile(rb"\xff[\x80-\xcf\xd8-\xfe]")
_SOS, _COM, _SOT, _SOD, _J2K_COM, _TLM = 0xDA, 0xFE, 0x90, 0x93, 0x64, 0x55
_APP = range(0xE0, 0xF0)
_KEPT_APPS = ((0xE0, b"JFIF\x00", 14), (0xEE, b"Adobe", 12), (0xE8, b"mrfx", 5))
"""Application segments that change colours: (marker, identifier, bytes of payload that mean it)."""
_TILE_HEADER = 12
_RLE_HEADER = 64
_MOST_SEGMENTS = 15


def strip_frame(frame: bytes, syntax: str, area: int) -> bytes:
    """Return ``frame`` without anything that no decoder reads; ``area`` is rows x columns.

    Raises:
        UnreadableFileError: the code stream is damaged or of no known kind.
    """
    try:
        if _RLE.fullmatch(syntax):
            return _strip_rle(frame, area)
        start = frame.find(_J2K)
        if start >= 0 and not frame.startswith(_SOI):
            return _strip_j2k(frame[start:])
        return _strip_jpeg(frame)
    except (ValueError, IndexError, struct.error):
        raise UnreadableFileError(
            "A compressed frame of a DICOM file is damaged.",
            remedy="Export it again, or leave it out.",
            reason="pixels_undecodable",
        ) from None


def _length(data: bytes, at: int) -> int:
    """Return the big-endian 16-bit length at ``at``; a segment holds at least its length."""
    (length,) = struct.unpack_from(">H", data, at)
    if length < 2 or at + length > len(data):  # noqa: PLR2004 - the length counts itself
        raise ValueError
    return int(length)


def _strip_jpeg(frame: bytes) -> bytes:
    if not frame.startswith(_SOI):
        raise ValueError
    kept, at = [_SOI], 2
    while True:
        while frame[at] == 0xFF and frame[at + 1] == 0xFF:  # noqa: PLR2004 - fill bytes (T.81 B.1.1.2)
            at += 1
        marker = frame[at + 1]
        if frame[at] != 0xFF or marker == 0:  # noqa: PLR2004 - every marker begins so
            raise ValueError
        if marker == _EOI[1]:
            return b"".join([*kept, _EOI])
        end = at + 2 + _length(frame, at + 2)
        if marker in _APP:
            kept.append(_application(marker, frame[at + 4 : end]))
        elif marker != _COM:
            kept.append(frame[at:end])
        if marker == _SOS:
            found = _NEXT_MARKER.search(frame, end)
            if found is None:
                raise ValueError
            kept.append(frame[end : found.start()])
            end = found.start()
        at = end


def _application(marker: int, payload: bytes) -> bytes:
    for kept, identifier, size in _KEPT_APPS:
        if marker == kept and payload.startswith(identifier) and len(payload) >= size:
            body = bytearray(payload[:size])
            if identifier.startswith(b"JFIF"):
                body[12:14] = b"\x00\x00"  # no thumbnail follows
            return bytes((0xFF, marker)) + struct.pack(">H", size + 2) + bytes(body)
    return b""


def _strip_j2k(frame: bytes) -> bytes:
    header, at = _segments(frame, 2, _SOT)
    parts = [frame[:2], header]
    while frame[at : at + 2] == bytes((0xFF, _SOT)):
        (size,) = struct.unpack_from(">I", frame, at + 6)
        end = at + size if size else frame.rindex(_EOI)
        if end > len(frame) or end < at + _TILE_HEADER:
            raise ValueError
        tile, data = _segments(frame, at + _TILE_HEADER, _SOD)
        body = tile + frame[data:end]
        length = struct.pack(">I", _TILE_HEADER + len(body))
        parts += [frame[at : at + 6], length, frame[at + 10 : at + 12], body]
        at = end
    return b"".join([*parts, _EOI])


def _segments(frame: bytes, at: int, last: int) -> tuple[bytes, int]:
    """Return the marker segments from ``at`` up to marker ``last``, comments left out.

    Lists of tile lengths (TLM) go too: they are optional, and the lengths may have changed.
    """
    kept = []
    while frame[at] == 0xFF and frame[at + 1] != last:  # noqa: PLR2004 - every marker begins so
        end = at + 2 + _length(frame, at + 2)
        if frame[at + 1] not in {_J2K_COM, _TLM}:
            kept.append(frame[at:end])
        at = end
    if frame[at] != 0xFF:  # noqa: PLR2004 - as above
        raise ValueError
    return b"".join(kept), at


def _strip_rle(frame: bytes, area: int) -> bytes:
    count, *offsets = struct.unpack_from("<16I", frame)
    if not 1 <= count <= _MOST_SEGMENTS:
        raise ValueError
    segments = []
    for number in range(count):
        end = offsets[number + 1] if number + 1 < count else len(frame)
        segments.append(_runs(frame, offsets[number], end, area))
    starts, at = [], _RLE_HEADER
    for segment in segments:
        starts.append(at)
        at += len(segment)
    starts += [0] * (_MOST_SEGMENTS - count)
    return struct.pack("<16I", count, *starts) + b"".join(segments)


def _runs(frame: bytes, start: int, end: int, wanted: int) -> bytes:
    """Return the runs that give the first ``wanted`` bytes of a segment, padded to even length."""
    at, made = start, 0
    while made < wanted and at < end:
        head = frame[at]
        if head < 0x80:  # noqa: PLR2004 - PS3.5 G.3.2: literal bytes follow
            made, at = made + head + 1, at + head + 2
        elif head > 0x80:  # noqa: PLR2004 - PS3.5 G.3.2: one byte is repeated
            made, at = made + 257 - head, at + 2
        else:
            at += 1
    if made < wanted or at > end:
        raise ValueError
    body = frame[start:at]
    return body + b"\x00" * (len(body) % 2)
