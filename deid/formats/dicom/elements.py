"""Walk a data set and read its texts, whatever its character set claims."""

from collections.abc import Iterator

from pydicom.dataelem import DataElement, RawDataElement
from pydicom.dataset import Dataset

from deid.errors import UnreadableFileError
from deid.formats.dicom.charset import unclaimed_text

DEEPEST = 32
TEXT_VRS = frozenset({"LO", "LT", "PN", "SH", "ST", "UC", "UT"})


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
            if element.VR in TEXT_VRS and isinstance(value, bytes):
                text = unclaimed_text(value, claim)
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
