"""Pictures: JPEG, PNG, WebP, GIF, TIFF, BMP, HEIC, AVIF and JPEG 2000, by content."""

from deid.formats.image.format import ImageFormat
from deid.formats.image.lossless import strip_lossless

__all__ = ["ImageFormat", "strip_lossless"]
