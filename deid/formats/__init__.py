"""File formats: what a file is is decided by its content; one place owns reading and writing it."""

from collections.abc import Sequence

from deid.errors import UnreadableFileError, UnsupportedFormatError
from deid.formats.dicom import DicomFormat
from deid.formats.image import ImageFormat
from deid.ports import Format


def formats(key: bytes) -> tuple[Format, ...]:
    """Return every format, in the order in which they are asked; DICOM stand-ins use ``key``."""
    # DICOM first: its preamble may hold the first bytes of a TIFF (dual-personality files).
    return (DicomFormat(key), ImageFormat())


def choose(known: Sequence[Format], data: bytes) -> Format:
    """Return the format of ``data``.

    Raises:
        UnreadableFileError: there is no content (reason ``empty``).
        UnsupportedFormatError: no format takes it.
    """
    if not data:
        raise UnreadableFileError("A file is empty.", remedy="Export it again.", reason="empty")
    for form in known:
        if form.sniff(data):
            return form
    raise UnsupportedFormatError(
        "A file is neither a picture nor DICOM.",
        remedy="Leave it out, or convert it; its name does not matter, its content does.",
    )
