import io
import struct
import zlib
from pathlib import Path

import numpy as np
import piexif
import pytest
from PIL import Image, ImageCms, ImageOps, ImageSequence, PngImagePlugin

from deid.errors import InputError
from deid.formats import choose, formats
from deid.formats.image import ImageFormat, strip_lossless
from deid.plan import plan
from deid.policy import Policy, Rule
from deid.schema import Action, Box, CaseId, Finding, Kind, PartId, Plan, Region
from tests.drawn import array_of, encoded
from tests.sweep import find_planted

PART = PartId("t0.0")
PAINT = Policy(
    name="paint", version="1", rules={Kind.FACE: Rule(action=Action.REMOVE)}, fingerprint="f"
)
SECRETS = ["虞测安", "110101198503170233", "yu.cean@example.invalid"]


def plan_of(*boxes: tuple[Box, int | None]) -> Plan:
    findings = [Finding(Region(PART, box, frame), Kind.FACE, 1.0, "test") for box, frame in boxes]
    return plan(CaseId("c"), findings, PAINT)


def written(data: bytes, decided: Plan, tmp_path: Path) -> tuple[bytes, str]:
    form = ImageFormat()
    document = form.read(data, PART)
    form.write(document, decided, tmp_path / "out")
    return (tmp_path / "out").read_bytes(), document.suffix


def gradient(mode: str = "RGB", size: tuple[int, int] = (64, 48)) -> Image.Image:
    width, height = size
    grey = np.add.outer(np.arange(height), np.arange(width)) % 200 + 40
    image = Image.fromarray(grey.astype(np.uint8))
    return image if mode == "L" else image.convert(mode)


@pytest.mark.parametrize(
    ("form", "mode", "suffix"),
    [
        ("JPEG", "RGB", ".jpg"),
        ("JPEG", "L", ".jpg"),
        ("JPEG", "CMYK", ".jpg"),
        ("PNG", "RGB", ".png"),
        ("PNG", "RGBA", ".png"),
        ("PNG", "P", ".png"),
        ("PNG", "1", ".png"),
        ("PNG", "LA", ".png"),
        ("WEBP", "RGB", ".webp"),
        ("GIF", "P", ".gif"),
        ("TIFF", "RGB", ".tif"),
        ("TIFF", "L", ".tif"),
        ("BMP", "RGB", ".bmp"),
        ("HEIF", "RGB", ".jpg"),
        ("JPEG2000", "RGB", ".png"),
    ],
)
def test_a_box_is_painted_black_to_its_last_row_and_column_in_every_format(
    tmp_path: Path, form: str, mode: str, suffix: str
) -> None:
    ImageFormat().read(encoded(gradient(), "PNG"), PART)  # HEIC is registered with the first read
    data = encoded(gradient(mode), form)
    out, named = written(data, plan_of((Box(32, 24, 64, 48), None)), tmp_path)
    pixels = array_of(out)
    assert named == suffix
    assert pixels.shape == (48, 64, 3)
    assert pixels[25:, 33:].max() < 30
    assert pixels[:20, :28].mean() > 60 or mode == "1"


def test_sixteen_bits_stay_sixteen_bits(tmp_path: Path) -> None:
    deep = Image.fromarray((np.arange(64 * 48).reshape(48, 64) * 20).astype(np.uint16))
    out, _ = written(encoded(deep, "PNG"), plan_of((Box(0, 0, 8, 8), None)), tmp_path)
    pixels = np.asarray(Image.open(io.BytesIO(out)))
    assert pixels.dtype == np.uint16
    assert pixels[:8, :8].max() == 0
    assert np.array_equal(pixels[8:], np.asarray(deep)[8:])


def see_through(*inks: int) -> bytes:
    pixels = np.zeros((40, 60, 4), np.uint8)
    for number, ink in enumerate(inks):
        pixels[10:30, 5 + 25 * number : 20 + 25 * number] = (ink, ink, ink, 255)
    return encoded(Image.fromarray(pixels), "PNG")


@pytest.mark.parametrize("inks", [(0,), (255,), (0, 255)])
def test_ink_on_nothing_shows_to_detectors_whatever_its_colour(inks: tuple[int, ...]) -> None:
    image = ImageFormat().read(see_through(*inks), PART).image
    assert image is not None
    seen = image.pixels[0].astype(int)
    ground = seen[0, 0, 0]
    for number, ink in enumerate(inks):
        assert seen[20, 10 + 25 * number, 0] == ink
        assert abs(ink - ground) > 100


def swapped_profile() -> bytes:
    """Return an sRGB profile of which red and blue are exchanged, under another name."""
    made = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return (
        made.replace(b"rXYZ", b"tXYZ")
        .replace(b"bXYZ", b"rXYZ")
        .replace(b"tXYZ", b"bXYZ")
        .replace("sRGB".encode("utf-16-be"), "swap".encode("utf-16-be"))
    )


def test_colours_are_turned_into_srgb_and_a_broken_profile_is_ignored(tmp_path: Path) -> None:
    red = Image.new("RGB", (8, 8), (200, 30, 30))
    converted, _ = written(encoded(red, "PNG", icc_profile=swapped_profile()), plan_of(), tmp_path)
    ignored, _ = written(encoded(red, "PNG", icc_profile=b"no profile"), plan_of(), tmp_path)
    assert array_of(ignored)[0, 0].tolist() == [200, 30, 30]
    assert array_of(converted)[0, 0].tolist() == [30, 30, 200]
    assert b"iCCP" not in converted


def test_a_frame_is_decoded_once_for_all_detectors_and_cannot_be_changed_by_one() -> None:
    image = ImageFormat().read(encoded(gradient(), "PNG"), PART).image
    assert image is not None
    assert image.pixels[0] is image.pixels[0]
    with pytest.raises(ValueError, match="read-only"):
        image.pixels[0][0, 0] = 1


def test_pixels_that_nobody_could_see_under_transparency_are_gone(tmp_path: Path) -> None:
    pixels = np.full((20, 20, 4), 90, np.uint8)
    pixels[5:10, 5:10] = (200, 10, 10, 0)
    out, _ = written(encoded(Image.fromarray(pixels), "PNG"), plan_of(), tmp_path)
    kept = np.asarray(Image.open(io.BytesIO(out)))
    assert kept[5:10, 5:10].max() == 0
    assert np.array_equal(kept[:5], pixels[:5])


@pytest.mark.parametrize("orientation", range(1, 9))
def test_the_orientation_is_applied_before_a_box_is_painted(
    tmp_path: Path, orientation: int
) -> None:
    exif = piexif.dump({"0th": {piexif.ImageIFD.Orientation: orientation}})
    data = encoded(gradient(), "JPEG", exif=exif, quality=95)
    upright = ImageOps.exif_transpose(Image.open(io.BytesIO(data)))
    document = ImageFormat().read(data, PART)
    assert document.image is not None
    assert (document.image.width, document.image.height) == upright.size
    out, _ = written(data, plan_of((Box(0, 0, 16, 16), None)), tmp_path)
    pixels = array_of(out).astype(int)
    expected = np.asarray(upright.convert("RGB")).astype(int)
    assert pixels[:15, :15].max() < 30
    assert abs(pixels[20:, 20:] - expected[20:, 20:]).mean() < 4
    assert Image.open(io.BytesIO(out)).getexif() == {}


@pytest.mark.parametrize("form", ["GIF", "PNG", "WEBP", "TIFF"])
def test_every_frame_is_kept_and_painted_on_its_own(tmp_path: Path, form: str) -> None:
    frames = [gradient().rotate(90 * n, expand=False) for n in range(4)]
    options = {} if form == "TIFF" else {"duration": [100, 200, 300, 400]}
    if form == "WEBP":
        options["lossless"] = True
    data = encoded(frames[0], form, save_all=True, append_images=frames[1:], **options)
    decided = plan_of((Box(0, 0, 64, 10), 2), (Box(0, 40, 64, 48), None))
    out, _ = written(data, decided, tmp_path)
    shown = [
        np.asarray(f.convert("RGB")) for f in ImageSequence.Iterator(Image.open(io.BytesIO(out)))
    ]
    assert len(shown) == 4
    assert [bool(f[:9].max() < 60) for f in shown] == [False, False, True, False]
    assert all(f[41:].max() < 60 for f in shown)
    if options:
        found = []
        for frame in ImageSequence.Iterator(Image.open(io.BytesIO(out))):
            frame.load()
            found.append(int(frame.info["duration"]))
        assert found == [100, 200, 300, 400]


def with_metadata(form: str) -> bytes:
    """Return a picture in which every corner of the container names somebody."""
    name, number, mail = SECRETS
    exif = piexif.dump(
        {
            "0th": {
                piexif.ImageIFD.Artist: name.encode(),
                piexif.ImageIFD.ImageDescription: number.encode(),
            },
            "Exif": {piexif.ExifIFD.UserComment: b"ASCII\0\0\0" + mail.encode()},
            "GPS": {piexif.GPSIFD.GPSLatitude: ((31, 1), (14, 1), (59, 1))},
            "1st": {piexif.ImageIFD.Make: number.encode()},
            "thumbnail": encoded(gradient(size=(32, 24)), "JPEG", comment=name.encode()),
        }
    )
    xmp = f"<x:xmpmeta><dc:creator>{name}</dc:creator></x:xmpmeta>".encode()
    match form:
        case "PNG":
            info = PngImagePlugin.PngInfo()
            info.add_text("Author", mail)
            info.add_itxt("Comment", name, zip=True)
            info.add_itxt("XML:com.adobe.xmp", xmp.decode())
            return encoded(gradient(), form, pnginfo=info, exif=exif) + number.encode()
        case "GIF":
            return encoded(gradient("P"), form, comment=name.encode()) + mail.encode()
        case "TIFF":
            return encoded(gradient(), form, description=mail, artist=number, software=name)
        case "WEBP":
            return encoded(gradient(), form, exif=exif, xmp=xmp, icc_profile=number.encode())
        case _:
            jpeg = encoded(
                gradient(), "JPEG", exif=exif, comment=name.encode(), icc_profile=mail.encode()
            )
            return jpeg + b"trailing " + number.encode()


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "TIFF", "WEBP"])
def test_nothing_of_a_container_but_its_pixels_survives(tmp_path: Path, form: str) -> None:
    data = with_metadata(form)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(data)
    assert find_planted(tmp_path / "in", SECRETS), "the maker must plant something"
    document = ImageFormat().read(data, PART)
    assert {f.kind for f in document.findings} == {Kind.METADATA}
    (tmp_path / "made").mkdir()
    out, _ = written(data, plan_of(), tmp_path / "made")
    assert find_planted(tmp_path / "made", SECRETS) == []
    assert ImageFormat().read(out, PART).findings == ()


def test_words_in_the_metadata_are_read_so_that_names_there_become_known() -> None:
    texts = [t.text for t in ImageFormat().read(with_metadata("PNG"), PART).texts]
    assert any("虞测安" in text for text in texts)


@pytest.mark.parametrize("form", ["JPEG", "PNG"])
def test_the_lossless_strip_leaves_the_pixels_bit_for_bit(tmp_path: Path, form: str) -> None:
    data = with_metadata(form)
    stripped, _ = strip_lossless(data)
    (tmp_path / "stripped").write_bytes(stripped)
    assert find_planted(tmp_path, SECRETS) == []
    assert np.array_equal(array_of(stripped), array_of(data))


def test_the_lossless_strip_keeps_the_way_up() -> None:
    exif = piexif.dump({"0th": {piexif.ImageIFD.Orientation: 6, piexif.ImageIFD.Artist: b"Yu"}})
    stripped, _ = strip_lossless(encoded(gradient(), "JPEG", exif=exif))
    kept = Image.open(io.BytesIO(stripped)).getexif()
    assert dict(kept) == {piexif.ImageIFD.Orientation: 6}


def bomb(side: int = 30_000) -> bytes:
    row = b"\x00" + bytes(side // 8)
    squeeze = zlib.compressobj(9)
    body = b"".join(squeeze.compress(row) for _ in range(side)) + squeeze.flush()
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)),
        (b"IDAT", body),
        (b"IEND", b""),
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in chunks
    )


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"hello, I am no picture", "unsupported_format"),
        (encoded(gradient(), "JPEG")[:-300], "damaged"),
        (encoded(gradient(), "PNG")[:-60], "damaged"),
        (b"\xff\xd8\xff\xe0 nothing behind it", "damaged"),
        (bomb(), "too_large"),
    ],
    ids=["empty", "text", "cut jpeg", "cut png", "bare mark", "bomb"],
)
def test_what_cannot_be_used_is_refused_with_its_reason(data: bytes, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        choose(formats(b"k" * 32), data).read(data, PART)
    assert caught.value.reason == reason
    assert caught.value.remedy


def test_every_public_sample_is_written_clean_or_refused_with_a_reason(
    shared_data: Path, tmp_path: Path
) -> None:
    kinds = "img_bad img_bomb img_exif img_exif_bad img_exif_gps img_exif_orient img_heic img_mode"
    kinds += " img_multiframe img_png_text img_tiff img_xmp"
    known = formats(b"k" * 32)
    clean = refused = 0
    for path in sorted(p for k in kinds.split() for p in (shared_data / k).iterdir()):
        data = path.read_bytes()
        if len(data) > 3_000_000:
            continue
        try:
            form = choose(known, data)
            form.write(form.read(data, PART), plan_of(), tmp_path / "out")
        except InputError:
            refused += 1
            continue
        again = form.read((tmp_path / "out").read_bytes(), PART)
        assert again.findings == (), path.name
        clean += 1
    assert clean > 60
    assert refused > 5
