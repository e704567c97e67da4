"""Files as a phone, a messenger or a hospital would write them, hidden data included."""

from io import BytesIO
from pathlib import Path

import numpy as np
import piexif
from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo
from pydicom import Dataset, FileMetaDataset, dcmread
from pydicom.data import get_testdata_file
from pydicom.uid import ComputedRadiographyImageStorage, ExplicitVRLittleEndian, generate_uid

from .drawing import font

CAMERA_SERIAL = "SN-8KD03141799"


def jpeg(image: Image.Image, quality: int = 78, exif: bytes = b"") -> bytes:
    """Return ``image`` as JPEG."""
    out = BytesIO()
    image.save(out, "JPEG", quality=quality, exif=exif)
    return out.getvalue()


def png(image: Image.Image, texts: dict[str, str]) -> bytes:
    """Return ``image`` as PNG (palette of 256) with text chunks, one of them compressed."""
    info = PngInfo()
    for number, (key, value) in enumerate(texts.items()):
        info.add_itxt(key, value, zip=number % 2 == 1)
    out = BytesIO()
    image.quantize(256).save(out, "PNG", pnginfo=info, optimize=True)
    return out.getvalue()


def phone_exif(*, taken: str, owner: str, orientation: int = 1) -> bytes:
    """Return EXIF as a phone writes it: place, time, serial number, owner, thumbnail."""
    thumbnail = jpeg(Image.new("RGB", (64, 48), (196, 160, 136)))
    entries = {
        "0th": {
            piexif.ImageIFD.Make: b"HUAWEI",
            piexif.ImageIFD.Model: b"ALN-AL00",
            piexif.ImageIFD.Orientation: orientation,
            piexif.ImageIFD.DateTime: taken.encode(),
            piexif.ImageIFD.Artist: owner.encode(),
            piexif.ImageIFD.XPAuthor: tuple(owner.encode("utf-16-le")),
        },
        "Exif": {
            piexif.ExifIFD.DateTimeOriginal: taken.encode(),
            piexif.ExifIFD.BodySerialNumber: CAMERA_SERIAL.encode(),
            piexif.ExifIFD.CameraOwnerName: owner.encode(),
            piexif.ExifIFD.UserComment: b"UNICODE\x00" + owner.encode("utf-16-be"),
        },
        "GPS": {
            piexif.GPSIFD.GPSLatitudeRef: b"N",
            piexif.GPSIFD.GPSLatitude: ((32, 1), (3, 1), (4417, 100)),
            piexif.GPSIFD.GPSLongitudeRef: b"E",
            piexif.GPSIFD.GPSLongitude: ((118, 1), (47, 1), (1975, 100)),
            piexif.GPSIFD.GPSDateStamp: taken[:10].encode(),
        },
        "1st": {piexif.ImageIFD.Compression: 6},
        "thumbnail": thumbnail,
    }
    made: bytes = piexif.dump(entries)
    return made


def mr_dicom() -> tuple[bytes, tuple[str, ...]]:
    """Return pydicom's public ``MR_small.dcm`` with an invented patient, and what was planted."""
    found = get_testdata_file("MR_small.dcm", download=False)
    if not isinstance(found, str):
        raise FileNotFoundError("pydicom came without its sample MR_small.dcm")
    data = dcmread(found)
    planted = ("钟离守拙", "Zhongli^Shouzhuo", "0031190226", "BJ1050092298", "魏长卿", "苗青黛")
    data.SpecificCharacterSet = "GB18030"
    data.PatientName = "Zhongli^Shouzhuo=钟离^守拙"
    data.PatientID = "0031190226"
    data.PatientBirthDate = "19330226"
    data.PatientSex = "F"
    data.PatientAge = "092Y"
    data.OtherPatientIDs = "BJ1050092298"
    data.ReferringPhysicianName = "魏长卿"
    data.OperatorsName = "苗青黛"
    data.InstitutionName = "北京澄明医院"
    data.PatientAddress = "北京市朝阳区静澜里小区11号楼2门402"
    data.PatientTelephoneNumbers = "13500002298"
    data.StudyDate = data.SeriesDate = data.ContentDate = "20240611"
    data.StudyDescription = "头颅MRI平扫（钟离守拙 急诊）"
    data.ImageComments = "家属颜初晴陪同，电话13500002299"
    block = data.private_block(0x0011, "LAN MED 1.0", create=True)
    block.add_new(0x01, "LO", "钟离守拙 0031190226")
    out = BytesIO()
    data.save_as(out)
    return out.getvalue(), planted


def cr_dicom() -> tuple[bytes, tuple[str, ...], tuple[str, ...]]:
    """Return a drawn radiograph, 512 x 512, with text burnt into it; its identifiers and facts."""
    gone = ("邵怀瑾", "DR0317-0088", "澄江市骨科医院", "2025-03-17", "19780430")
    data = Dataset()
    data.file_meta = _meta("wrist")
    data.SpecificCharacterSet = "GB18030"
    data.SOPClassUID = ComputedRadiographyImageStorage
    data.SOPInstanceUID = data.file_meta.MediaStorageSOPInstanceUID
    data.StudyInstanceUID = generate_uid(entropy_srcs=["medveil example", "wrist study"])
    data.SeriesInstanceUID = generate_uid(entropy_srcs=["medveil example", "wrist series"])
    data.PatientName = "Shao^Huaijin=邵^怀瑾"
    data.PatientID = "MZ2025031718"
    data.PatientBirthDate = "19780430"
    data.PatientSex = "M"
    data.PatientAge = "046Y"
    data.Modality = "CR"
    data.BodyPartExamined = "WRIST"
    data.StudyDate = data.SeriesDate = data.ContentDate = "20250317"
    data.StudyTime = "153011"
    data.AccessionNumber = "DR0317-0088"
    data.ReferringPhysicianName = "樊叔同"
    data.InstitutionName = "湖北省澄江市骨科医院"
    data.StationName = "CJ-DR-02"
    data.DeviceSerialNumber = "XR-77120931"
    data.StudyDescription = "左腕关节正侧位"
    data.BurnedInAnnotation = "YES"
    data.Rows = data.Columns = 512
    data.SamplesPerPixel = 1
    data.PhotometricInterpretation = "MONOCHROME2"
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 12, 11, 0
    data.WindowCenter, data.WindowWidth = "2048", "4096"
    data.PixelSpacing = ["0.4", "0.4"]
    data.StudyID = data.SeriesNumber = data.InstanceNumber = "1"
    data.PixelData = (_wrist().astype(np.uint16) * 16).tobytes()
    out = BytesIO()
    data.save_as(out, enforce_file_format=True)
    return out.getvalue(), gone, ("左腕", "46Y", "M")


def _meta(name: str) -> FileMetaDataset:
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = ComputedRadiographyImageStorage
    meta.MediaStorageSOPInstanceUID = generate_uid(entropy_srcs=["medveil example", name])
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    return meta


def _wrist() -> np.ndarray:
    """Return forearm, carpal bones and five rays, with text in the corners; uint8."""
    rng = np.random.default_rng(512)
    film = Image.new("L", (512, 512), 14)
    pen = ImageDraw.Draw(film)
    pen.polygon([(150, 511), (170, 300), (120, 60), (390, 60), (345, 300), (360, 511)], fill=62)
    pen.polygon([(185, 511), (196, 352), (178, 322), (262, 326), (246, 511)], fill=168)
    pen.line((176, 356, 262, 344), fill=84, width=5)
    pen.polygon([(285, 511), (290, 345), (318, 345), (330, 511)], fill=158)
    for x, y in (
        (200, 285),
        (238, 275),
        (276, 280),
        (310, 290),
        (205, 245),
        (245, 238),
        (290, 245),
    ):
        pen.ellipse((x - 20, y - 18, x + 20, y + 18), fill=150)
    for n, tip in enumerate((120, 172, 240, 305, 372)):
        pen.line((205 + 24 * n, 222, tip, 70), fill=152, width=20)
    grey = np.asarray(film, np.float32) + rng.normal(0, 5, (512, 512))
    film = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))
    pen = ImageDraw.Draw(film)
    pen.text((10, 6), "邵怀瑾 M 46Y", 255, font(22))
    pen.text((10, 36), "DR0317-0088", 255, font(20))
    pen.text((502, 6), "澄江市骨科医院", 255, font(22), anchor="ra")
    pen.text((502, 36), "2025-03-17 15:30", 255, font(20), anchor="ra")
    pen.text((10, 478), "左腕 PA  55kV 3.2mAs", 255, font(20))
    pen.text((470, 440), "L", 255, font(40))
    return np.asarray(film)


def write(path: Path, data: bytes) -> None:
    """Write ``data``, making the folder where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
