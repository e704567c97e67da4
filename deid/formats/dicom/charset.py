"""Read texts by what their bytes say where they contradict the character set that is claimed.

Chinese systems write GBK under a Latin claim, or under none, and pydicom then decodes mojibake
without any error: a name that nobody can search for.
"""

import re

from pydicom.charset import convert_encodings, decode_bytes, python_encoding

_DELIMITERS = {0x0A, 0x0D, 0x0C, 0x09, 0x5C, 0x5E, 0x3D}
_ESCAPE = 0x1B
_ASCII = 0x80
_ESCAPES = re.compile(r"\x1b[$(-]+[A-Z)]*[A-Z]|\x1b")
_CHINESE = re.compile(r"GB18030|GBK|ISO 2022 IR 58")
_OPEN = re.compile(r"|ISO_IR (?:6|100)|ISO 2022 IR (?:6|100)|ISO_IR 192")
"""Claims that are written by default; any other one that exists was chosen, and is believed."""
_DOUBLE = re.compile(rb"(?:[\x00-\x7f]|[\x81-\xfe][\x40-\x7e\x80-\xfe])*")
_PAIR = re.compile(rb"[\x81-\xfe][\x40-\x7e\x80-\xfe]")
_COMMON = re.compile(rb"[\xb0-\xd7][\xa1-\xfe]")
"""Level 1 of GB 2312: the 3,755 hanzi of everyday use.  Accented Latin letters begin at C0h, and
the lower-case ones, from E0h on, lie outside of its first byte."""


def unclaimed_text(value: bytes, claim: list[str]) -> str | None:
    """Return the text of ``value`` where its bytes decide; None leaves it to the claim."""
    trimmed = value.rstrip(b" \x00")
    if _ESCAPE in trimmed:
        return _escaped(trimmed, claim)
    if all(byte < _ASCII for byte in trimmed):
        return None
    unicode, chinese = _decoded(trimmed, "utf-8"), _decoded(trimmed, "gb18030")
    if unicode is not None and ("ISO_IR 192" in claim or _has_hanzi(unicode)):
        return unicode
    if any(_CHINESE.search(c) for c in claim):
        return chinese
    return _undeclared(trimmed, claim, unicode, chinese) if _is_open(claim) else None


def _is_open(claim: list[str]) -> bool:
    return all(_OPEN.fullmatch(c) or c not in python_encoding for c in claim)


def _undeclared(
    value: bytes, claim: list[str], unicode: str | None, chinese: str | None
) -> str | None:
    if chinese is not None and ("ISO_IR 192" in claim or _looks_chinese(value)):
        return chinese
    return unicode


def _escaped(value: bytes, claim: list[str]) -> str | None:
    try:
        encodings = convert_encodings(claim or ["ISO 2022 IR 6", "ISO 2022 IR 58"])
        text = str(decode_bytes(value, encodings, _DELIMITERS))
    except (LookupError, ValueError):
        return None
    # An escape that stays would hide the name from every search.
    return _ESCAPES.sub("", text)


def _decoded(value: bytes, encoding: str) -> str | None:
    try:
        return value.decode(encoding)
    except UnicodeDecodeError:
        return None


def _has_hanzi(text: str) -> bool:
    return any("\u3400" <= c <= "\u9fff" or "\uff00" <= c <= "\uffef" for c in text)


def _looks_chinese(value: bytes) -> bool:
    """Say whether all bytes pair up and at least half of the pairs are hanzi of everyday use."""
    if not _DOUBLE.fullmatch(value):
        return False
    pairs = _PAIR.findall(value)
    return sum(bool(_COMMON.fullmatch(p)) for p in pairs) * 2 >= len(pairs)
