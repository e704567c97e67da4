"""Which picture lies where in the export, as what file, with what key."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from PIL import Image

from . import media, reports, snapshots
from .drawing import Sheet, phone_shot

_OWNER = "JiYunzhou"


@dataclass(frozen=True, slots=True)
class MediaFile:
    """A file of the export's ``images`` folder: name, bytes, identifiers, facts."""

    name: str
    data: bytes
    gone: tuple[str, ...] = ()
    stay: tuple[str, ...] = ()
    broken: bool = False


@cache
def media_file(key: str) -> MediaFile:
    """Make the file that the chats call ``key``."""
    return _MAKERS[key]()


def _sheet(name: str, sheet: Sheet, data: bytes) -> MediaFile:
    return MediaFile(name, data, tuple(sheet.gone), tuple(sheet.stay))


def _cbc() -> MediaFile:
    sheet = reports.cbc()
    shot = phone_shot(sheet.image, seed=1, tilt=1.6)
    exif = media.phone_exif(taken="2025:03:14 09:17:21", owner=_OWNER)
    made = _sheet("微信图片_20250314091730.jpg", sheet, media.jpeg(shot, exif=exif))
    hidden = (_OWNER, media.CAMERA_SERIAL, "2025:03:14")
    return MediaFile(made.name, made.data, made.gone + hidden, made.stay)


def _skin() -> MediaFile:
    exif = media.phone_exif(taken="2025:03:15 20:38:55", owner="岑若溪", orientation=6)
    data = media.jpeg(snapshots.skin_lesion().rotate(90, expand=True), 74, exif)
    hidden = ("岑若溪", media.CAMERA_SERIAL, "2025:03:15")
    return MediaFile("IMG_20250315_203855_岑若溪.jpg", data, hidden)


def _biochem() -> MediaFile:
    sheet = reports.biochem()
    turned = phone_shot(sheet.image, seed=3, tilt=-0.8, longest=1250).rotate(90, expand=True)
    return _sheet("mmexport1742090751633.jpg", sheet, media.jpeg(turned))


def _prescription() -> MediaFile:
    sheet = reports.prescription()
    texts = {"Author": "朱立冬", "Comment": "欧阳承岳 13600009104 处方笺", "Software": "HIS 5.2"}
    return _sheet("欧阳承岳-处方笺.png", sheet, media.png(sheet.image, texts))


def _plain(name: str, sheet: Sheet) -> MediaFile:
    return _sheet(name, sheet, media.jpeg(sheet.image, 80))


def _shot(name: str, sheet: Sheet, seed: int, tilt: float) -> MediaFile:
    shot = phone_shot(sheet.image, seed=seed, tilt=tilt, longest=1200, desk=(86, 96, 104))
    return _sheet(name, sheet, media.jpeg(shot))


def _ultrasound() -> MediaFile:
    made = _plain("孟疏影_B超_20250318.jpg", snapshots.ultrasound())
    return MediaFile(made.name, made.data, made.gone + snapshots.ULTRASOUND_BURNT, made.stay)


def _cr() -> MediaFile:
    return MediaFile("IM_0001_邵怀瑾.dcm", *media.cr_dicom())


def _mr() -> MediaFile:
    return MediaFile("MR_钟离守拙.dcm", *media.mr_dicom())


def _face() -> MediaFile:
    return MediaFile("selfie_白舒窈_右眼.jpg", media.jpeg(snapshots.face(), 80))


def _screenshot() -> MediaFile:
    sheet = snapshots.screenshot()
    texts = {"Software": "MIUI", "Description": "wcf_1163 截屏"}
    return _sheet("Screenshot_2025-03-22-19-18-03.png", sheet, media.png(sheet.image, texts))


def _truncated() -> MediaFile:
    whole = media.jpeg(reports.urine().image.resize((600, 470), Image.Resampling.LANCZOS))
    return MediaFile("24h尿蛋白_冉静姝_1.jpg", whole[: len(whole) // 3], broken=True)


def _dosing() -> MediaFile:
    sheet = snapshots.dosing_card()
    return _sheet(
        "d141500100001975_dosing.png", sheet, media.png(sheet.image, {"Author": "司徒景行"})
    )


_MAKERS: dict[str, Callable[[], MediaFile]] = {
    "cbc": _cbc,
    "skin": _skin,
    "biochem": _biochem,
    "prescription": _prescription,
    "cr": _cr,
    "ctreport": lambda: _shot("DR报告_澄骨.jpg", reports.imaging_report(), 4, -1.2),
    "wristband": lambda: _plain("IMG20250318221455.jpg", snapshots.wristband()),
    "ultrasound": _ultrasound,
    "label": lambda: _shot("image_13500002299_1.jpg", snapshots.specimen_label(), 7, 2.2),
    "mr": _mr,
    "face": _face,
    "screenshot": _screenshot,
    "truncated": _truncated,
    "urine": lambda: _plain("24h尿蛋白_冉静姝_2.jpg", reports.urine()),
    "dosing": _dosing,
    "lab_en": lambda: _shot("Pemberwick_H_labs_0322.jpg", reports.lab_english(), 13, 0.9),
}
