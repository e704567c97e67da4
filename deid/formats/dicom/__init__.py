"""DICOM objects: header by PS3.15, free text, pixels."""

from deid.formats.dicom.format import DicomFormat

__all__ = ["DicomFormat"]
