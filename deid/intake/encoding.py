"""Decode the bytes of a text export: which of the encodings of Chinese exports it is in."""

import codecs

from deid.errors import UnreadableFileError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode_text(data: bytes) -> tuple[str, str]:
    """Return (text, encoding name) of an export file.

    A byte-order mark decides; then UTF-16 without one (every second byte of ASCII is zero); then
    strict UTF-8 before GB18030 (which holds GBK and GB2312), because GB18030 accepts most UTF-8.

    Raises:
        UnreadableFileError: none of them fits (reason ``undecodable``).
    """
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _decode(data, name), name
    head = data[:4096]
    if b"\x00" in head:
        zeros_first = head[0::2].count(0) > head[1::2].count(0)
        name = "utf-16-be" if zeros_first else "utf-16-le"
        return _decode(data, name), name
    for name in ("utf-8", "gb18030"):
        try:
            return data.decode(name), name
        except UnicodeDecodeError:
            continue
    raise _undecodable()


def _decode(data: bytes, name: str) -> str:
    try:
        return data.decode(name)
    except UnicodeDecodeError:
        raise _undecodable() from None


def _undecodable() -> UnreadableFileError:
    return UnreadableFileError(
        "A text file of the export is in no known encoding.",
        remedy="Save it as UTF-8 or GB18030.",
        reason="undecodable",
    )
