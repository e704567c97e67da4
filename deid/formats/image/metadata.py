"""What a picture file says beside its pixels: which kinds of metadata, and their texts."""

import warnings
from collections.abc import Iterator

from PIL import ExifTags, Image, IptcImagePlugin
from PIL.ImageFile import ImageFile

from deid.formats.image.opening import DAMAGED
from deid.schema import Finding, Kind, PartId, Tag, TextPart

_NAMED = {
    "exif": "exif",
    "xmp": "xmp",
    "XML:com.adobe.xmp": "xmp",
    "icc_profile": "icc",
    "photoshop": "photoshop",
    "comment": "comment",
    "extension": "extension",
    "mpoffset": "further_picture",
    "aux": "further_picture",
    "depth_images": "further_picture",
    "thumbnails": "thumbnail",
    "iptc": "iptc",
}
_TIFF_TELLING = frozenset(
    {
        269,
        270,
        271,
        272,
        285,
        305,
        306,
        315,
        316,
        700,
        33432,
        33723,
        34377,
        34665,
        34675,
        34853,
        37500,
        37510,
        42016,
        42032,
        42033,
        42037,
    }
)
"""TIFF tags that describe and do not lay out: names, dates, owner, EXIF and GPS pointers."""
_TEXTS = (
    "ImageDescription",
    "Artist",
    "Copyright",
    "HostComputer",
    "XPTitle",
    "XPComment",
    "XPAuthor",
    "XPKeywords",
    "XPSubject",
    "CameraOwnerName",
    "OwnerName",
)


def metadata_findings(image: Image.Image, part: PartId) -> Iterator[Finding]:
    """Yield a finding for each kind of metadata that a file carries."""
    names = {name for key, name in _NAMED.items() if image.info.get(key)}
    if str(image.info.get("extension", "")).startswith("(b'NETSCAPE"):
        names.discard("extension")  # it only says that a GIF is shown again and again
    names |= {"text" for _ in getattr(image, "text", None) or ()}
    if _quietly_iptc(image):
        names.add("iptc")
    tags = set(getattr(image, "tag_v2", None) or ())
    if tags & _TIFF_TELLING:
        names.add("tiff_tags")
    for name in sorted(names):
        yield Finding(Tag(part, name), Kind.METADATA, 1.0, "container")


def metadata_text(image: Image.Image, part: PartId) -> TextPart | None:
    """Return what people or programs wrote into a file, so that names there become known."""
    lines = [*_exif_lines(image), *_other_lines(image)]
    return TextPart(PartId(f"{part}#metadata"), "\n".join(lines)) if lines else None


def _exif_lines(image: Image.Image) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exif = image.getexif()
            values = {ExifTags.TAGS.get(tag, ""): value for tag, value in exif.items()}
    except DAMAGED:
        return
    for name in _TEXTS:
        value = values.get(name)
        if isinstance(value, bytes):
            value = value.decode("utf-16-le", "ignore").strip("\x00")
        if isinstance(value, str) and value.strip():
            yield f"{name}: {value.strip()}"


def _other_lines(image: Image.Image) -> Iterator[str]:
    texts = dict(getattr(image, "text", None) or {})
    comment = image.info.get("comment")
    if comment:
        texts["comment"] = comment
    for name, value in texts.items():
        words = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
        if name != "XML:com.adobe.xmp":
            yield f"{name}: {words}"


def _quietly_iptc(image: Image.Image) -> bool:
    try:
        return isinstance(image, ImageFile) and bool(IptcImagePlugin.getiptcinfo(image))
    except DAMAGED:
        return False
