"""Small pictures and DICOM files with a person's identifiers in every place they have."""

from io import BytesIO

import cvttf_NotoSansCJK_Regular
import numpy as np
import piexif
import zxingcpp
from PIL import Image, ImageDraw, ImageFont
from PIL.PngImagePlugin import PngInfo
from pydicom import Dataset, FileMetaDataset
from pydicom.uid import ComputedRadiographyImageStorage, ExplicitVRLittleEndian, generate_uid

from tests.planted_people import Person


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(cvttf_NotoSansCJK_Regular.get_TTF_path(), size)


def report_png(person: Person) -> bytes:
    """Return a report, 820 x 480: identifiers and facts as text, and in text chunks and XMP."""
    known = person.identifiers
    page = Image.new("RGB", (820, 480), (253, 253, 250))
    pen = ImageDraw.Draw(page)
    pen.text((410, 40), f"{known['hospital']}检验报告单", (20, 20, 20), _font(32), anchor="mm")
    rows = (
        f"姓名：{known['name']}　性别：{person.sex}　年龄：{person.age}岁",
        f"病历号：{known['record_number']}　条码号：{known['specimen']}",
        f"身份证号：{known['resident_id']}",
        f"联系电话：{known['phone']}",
        "项目　　　　　　结果　　　参考区间",
        "白细胞计数　　　13.2 ↑　　3.5-9.5",
        "血红蛋白　　　　147　　　130-175",
        f"报告日期：{known['visit_date']}　报告医生：{known['doctor']}",
    )
    for n, row in enumerate(rows):
        pen.text((40, 90 + n * 46), row, (20, 20, 20), _font(26))
    info = PngInfo()
    info.add_text("Author", known["name_pinyin"])
    info.add_itxt("Comment", f"{known['name']} {known['phone']}")
    info.add_text("Description", f"order {known['order']}" * 4, zip=True)
    info.add_itxt("XML:com.adobe.xmp", _xmp(person))
    out = BytesIO()
    page.quantize(64).save(out, "PNG", pnginfo=info)
    return out.getvalue()


def photo_jpeg(person: Person) -> bytes:
    """Return a photo, 420 x 420, of a QR code; EXIF, XMP, comment, thumbnail, trailing bytes."""
    known = person.identifiers
    content = f"{known['name']}|{known['resident_id']}|{known['specimen']}"
    made = zxingcpp.create_barcode(content, zxingcpp.BarcodeFormat.QRCode)
    square = Image.fromarray(np.array(made.to_image(scale=5))).convert("RGB")
    photo = Image.new("RGB", (420, 420), (206, 170, 148))
    photo.paste(square, ((420 - square.width) // 2, (420 - square.height) // 2))
    out = BytesIO()
    photo.save(out, "JPEG", exif=_exif(person), comment=known["phone"].encode(), xmp=_xmp(person))
    return out.getvalue() + f"trailer {known['name']} {known['bank_card']}".encode()


def _exif(person: Person) -> bytes:
    known = person.identifiers
    small = BytesIO()
    Image.new("RGB", (32, 32), (90, 90, 90)).save(small, "JPEG", comment=known["name"].encode())
    taken = known["created_at"].replace("-", ":").encode()
    made: bytes = piexif.dump(
        {
            "0th": {
                piexif.ImageIFD.Make: b"HUAWEI",
                piexif.ImageIFD.Artist: known["name_pinyin"].encode(),
                piexif.ImageIFD.ImageDescription: known["address"].encode(),
                piexif.ImageIFD.XPAuthor: tuple(known["name"].encode("utf-16-le")),
            },
            "Exif": {
                piexif.ExifIFD.BodySerialNumber: known["device_serial"].encode(),
                piexif.ExifIFD.DateTimeOriginal: taken,
                piexif.ExifIFD.UserComment: b"UNICODE\0" + known["relative"].encode("utf-16-be"),
            },
            "GPS": {
                piexif.GPSIFD.GPSLatitudeRef: b"N",
                piexif.GPSIFD.GPSLatitude: ((32, 1), (3, 1), (4417, 100)),
            },
            "1st": {piexif.ImageIFD.Compression: 6},
            "thumbnail": small.getvalue(),
        }
    )
    return made


def _xmp(person: Person) -> bytes:
    known = person.identifiers
    return (
        '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/'
        '22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f"<dc:creator>{known['name']}</dc:creator><dc:source>{known['email']}</dc:source>"
        "</rdf:Description></rdf:RDF></x:xmpmeta>"
    ).encode()


def radiograph_dicom(person: Person) -> bytes:
    """Return a radiograph, 420 x 300: identifiers in the header, private elements and pixels."""
    known = person.identifiers
    data = Dataset()
    data.file_meta = FileMetaDataset()
    data.file_meta.MediaStorageSOPClassUID = ComputedRadiographyImageStorage
    data.file_meta.MediaStorageSOPInstanceUID = generate_uid(entropy_srcs=[person.source, "i"])
    data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data.SpecificCharacterSet = "GB18030"
    data.SOPClassUID = ComputedRadiographyImageStorage
    data.SOPInstanceUID = data.file_meta.MediaStorageSOPInstanceUID
    data.StudyInstanceUID = generate_uid(entropy_srcs=[person.source, "study"])
    data.SeriesInstanceUID = generate_uid(entropy_srcs=[person.source, "series"])
    data.PatientName = f"{known['name_dicom']}={known['name']}"
    data.PatientID = known["record_number"]
    data.PatientBirthDate = known["birthday"].replace("-", "")
    data.PatientSex = "M" if person.sex == "男" else "F"
    data.PatientAge = f"{person.age:03d}Y"
    data.PatientAddress = known["address"]
    data.PatientTelephoneNumbers = known["phone"]
    data.OtherPatientIDs = known["resident_id"]
    data.ReferringPhysicianName = known["doctor"]
    data.InstitutionName = known["hospital"]
    data.DeviceSerialNumber = known["device_serial"]
    data.AccessionNumber = known["specimen"]
    data.StudyDate = known["visit_date"].replace("-", "")
    data.StudyDescription = f"胸部正位 {known['name']}"
    data.ImageComments = f"家属{known['relative']}，电话{known['landline']}"
    data.Modality, data.BodyPartExamined = "CR", "CHEST"
    data.private_block(0x0011, "LAN MED 1.0", create=True).add_new(0x01, "LO", known["name"])
    _pixels(data, (f"{known['name']} {known['record_number']}", known["visit_date"]))
    out = BytesIO()
    data.save_as(out, enforce_file_format=True)
    return out.getvalue()


def _pixels(data: Dataset, lines: tuple[str, ...]) -> None:
    film = Image.new("L", (420, 300), 20)
    pen = ImageDraw.Draw(film)
    pen.ellipse((90, 80, 330, 290), fill=110)
    for n, line in enumerate(lines):
        pen.text((8, 6 + n * 30), line, 255, _font(22))
    data.Rows, data.Columns = film.height, film.width
    data.SamplesPerPixel = 1
    data.PhotometricInterpretation = "MONOCHROME2"
    data.BitsAllocated = data.BitsStored = 8
    data.HighBit, data.PixelRepresentation = 7, 0
    data.PixelData = film.tobytes()


def tiny_png(shade: int) -> bytes:
    """Return a picture of 32 x 32 pixels."""
    out = BytesIO()
    Image.new("RGB", (32, 32), (shade % 256, 120, 90)).save(out, "PNG")
    return out.getvalue()
