"""Walk a data set and read its texts, whatever its character set claims."""

from collections.abc import Iterator

from pydicom.charset import convert_encodings, decode_bytes
from pydicom.dataelem import DataElement, RawDataElement
from pydicom.dataset import Dataset

from deid.errors import UnreadableFileError

DEEPEST = 32
TEXT_VRS = frozenset({"LO", "LT", "PN", "SH", "ST", "UC", "UT"})
_DELIMITERS = {0x0A, 0x0D, 0x0C, 0x09, 0x5C, 0x5E, 0x3D}
_ESCAPE = 0x1B
_CHINESE = ("GB18030", "GBK", "ISO_IR 192", "ISO 2022")


def walk(
    dataset: Dataset, prefix: str = "", depth: int = 0
) -> Iterator[tuple[str, Dataset, DataElement]]:
    """Yield (path, data set, element) at every depth, a sequence before its items.

    Raises:
        UnreadableFileError: sequences nested beyond all measure (``too_deep``).
    """
    if depth > DEEPEST:
        raise UnreadableFileError(
            "A DICOM file nests its sequences too deep.", remedy="Leave it out.", reason="too_deep"
        )
    for tag in sorted(dataset.keys()):
        element = dataset[tag]
        path = f"{prefix}({tag.group:04X},{tag.element:04X})"
        yield path, dataset, element
        if element.VR == "SQ":
            for number, item in enumerate(element.value or ()):
                yield from walk(item, f"{path}[{number}]", depth + 1)


def read_texts(dataset: Dataset, declared: list[str] | None = None, depth: int = 0) -> None:
    """Replace every text by what its bytes say, before pydicom decodes them by the claimed set.

    GBK bytes under a Latin or an empty claim become mojibake without any error otherwise.
    """
    if depth > DEEPEST:
        return
    claim = _claimed(dataset) or declared or []
    for tag in list(dataset.keys()):
        raw = dataset.get_item(tag)
        if isinstance(raw, RawDataElement):
            value = raw.value
            element = dataset[tag]
            if element.VR in TEXT_VRS and isinstance(value, bytes) and _foreign(value):
                text = _text(value, claim)
                if text is not None:
                    element.value = (
                        text.split("\\")
                        if "\\" in text and element.VR not in {"LT", "ST", "UT"}
                        else text
                    )
        else:
            element = dataset[tag]
        if element.VR == "SQ":
            for item in element.value or ():
                read_texts(item, claim, depth + 1)


def _claimed(dataset: Dataset) -> list[str]:
    value = dataset.get("SpecificCharacterSet")
    if value is None:
        return []
    return [str(v) for v in value] if not isinstance(value, str) else [value]


def _foreign(value: bytes) -> bool:
    return any(b > 0x7F or b == _ESCAPE for b in value)  # noqa: PLR2004 - the end of ASCII


def _text(value: bytes, claim: list[str]) -> str | None:
    """Return the text of bytes that are no ASCII; None leaves it to pydicom."""
    trimmed = value.rstrip(b" \x00")
    if _ESCAPE in trimmed:
        try:
            encodings = convert_encodings(claim or ["ISO 2022 IR 6", "ISO 2022 IR 58"])
            return str(decode_bytes(trimmed, encodings, _DELIMITERS))
        except (LookupError, ValueError):
            return None
    for encoding in ("utf-8", "gb18030"):
        try:
            text = trimmed.decode(encoding)
        except UnicodeDecodeError:
            continue
        claimed = any(c.startswith(_CHINESE) for c in claim)
        if encoding == "utf-8" or claimed or _mostly_hanzi(text):
            return text
    return None


def _mostly_hanzi(text: str) -> bool:
    beyond = [c for c in text if ord(c) > 0x7F]  # noqa: PLR2004 - the end of ASCII
    return sum("\u4e00" <= c <= "\u9fff" for c in beyond) * 2 > len(beyond)
