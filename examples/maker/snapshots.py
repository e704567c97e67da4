"""Labels, a wristband, ultrasound, skin, face and screen pictures of invented patients."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .drawing import GREY, Look, Sheet, asset, code, font, logo

_FAN = (110, 640, 0.66)
"""Of the ultrasound sector: least and greatest radius in pixels, half its angle in radians."""
_CLEARING, _FLAKES = 0.9, 0.015
"""Of the skin lesion: share of the radius that has cleared, share of pixels that scale."""


def wristband() -> Sheet:
    """Return a hospital wristband on a forearm."""
    sheet = Sheet(1200, 900, (205, 168, 142))
    sheet.image.paste(_skin(1200, 900, seed=18), (0, 0))
    band = Sheet(1120, 330, (246, 248, 252))
    band.write((40, 26), "[[云澜市妇幼保健院]]", 32, Look(bold=True))
    band.row(88, ((40, "姓名：[[许昭宁]]"), (400, "性别：{{男}}"), (620, "{{4岁}}")), 36)
    band.row(150, ((40, "住院号：[[0000718826]]"), (480, "儿科二病区 17床")), 32)
    band.row(208, ((40, "出生：[[2020-05-18]]"), (480, "过敏：{{头孢}}")), 32)
    band.write((40, 266), "入院：[[2025-01-09]]　家属：[[梁予安]]", 28)
    band.paste(code("0000718826", "QRCode", 6), (920, 60))
    turned = band.image.convert("RGBA").rotate(-4, Image.Resampling.BICUBIC, expand=True)
    sheet.paste(turned, (30, 250))
    sheet.gone += band.gone
    sheet.stay += band.stay
    return sheet


def specimen_label() -> Sheet:
    """Return the label of a blood tube."""
    sheet = Sheet(1000, 640, (250, 250, 252))
    sheet.write((40, 30), "[[澄明医院]]检验科", 34, Look(bold=True))
    sheet.write((960, 34), "急诊", 34, Look(anchor="ra", bold=True))
    sheet.row(100, ((40, "[[钟离守拙]]"), (300, "{{女}}"), (400, "[[92岁]]")), 44)
    sheet.row(176, ((40, "ID [[0031190226]]"), (470, "心血管内科 3床")), 34)
    bars = code("250320117745", "Code128", 5)
    sheet.paste(bars.resize((840, 170), Image.Resampling.NEAREST), (80, 240))
    sheet.write((500, 420), "[[250320117745]]", 36, Look(anchor="ma"))
    sheet.write((40, 490), "{{NT-proBNP}}　{{肾功能}}　{{电解质}}　{{INR}}", 34)
    sheet.write((40, 560), "采样 [[2025-03-20 13:20]]　采样者 [[苗青黛]]", 32)
    return sheet


def ultrasound() -> Sheet:
    """Return an ultrasound report with a sector picture and a QR code."""
    sheet = Sheet(1080, 1300)
    sheet.paste(logo("海", (150, 40, 110)), (60, 40))
    sheet.write((540, 78), "[[山东省霁海市妇产医院]]", 38, Look(anchor="mm", bold=True))
    sheet.write((540, 130), "超声检查报告单", 30, Look(anchor="mm"))
    rows = (
        ((60, "姓名：[[孟疏影]]"), (380, "性别：{{女}}"), (600, "年龄：{{32岁}}")),
        ((60, "超声号：[[US20250318044]]"), (480, "末次月经：[[2024-12-25]]")),
        ((60, "检查日期：[[2025-03-18]]"), (480, "仪器：Voluson E10")),
    )
    for n, row in enumerate(rows):
        sheet.row(180 + n * 44, row, 26)
    sheet.paste(_sector(), (150, 330))
    texts = (
        "{{宫内可见胎儿}}，{{头臀长56mm}}，{{胎心搏动规则 162次/分}}，",
        "{{NT 1.3mm}}，{{胎盘下缘覆盖宫颈内口}}，羊水{{最大深度45mm}}。",
        "超声提示：{{宫内早孕，相当于孕12周1天}}；{{胎盘低置状态}}。",
    )
    for n, text in enumerate(texts):
        sheet.write((60, 960 + n * 48), text, 27)
    sheet.row(1130, ((60, "检查医生：[[蔺采薇]]"), (400, "记录：[[祝南枝]]")), 26)
    sheet.write((60, 1180), "报告时间：[[2025-03-18 10:27:55]]", 26)
    sheet.paste(code("孟疏影|US20250318044|17700005539", "QRCode", 4), (850, 1090))
    return sheet


def _sector() -> Image.Image:
    """Return a grey ultrasound sector with burnt-in machine text, 780 x 600."""
    rng = np.random.default_rng(6)
    y, x = np.mgrid[0:600, 0:780].astype(np.float32)
    radius, angle = np.hypot(x - 390, y + 60), np.abs(np.arctan2(x - 390, y + 60))
    grain = rng.gamma(2.0, 26.0, (600, 780)).astype(np.float32)
    sack = ((x - 410) / 150) ** 2 + ((y - 330) / 95) ** 2
    body = ((x - 400) / 78) ** 2 + ((y - 350) / 34) ** 2
    grey = np.where(sack < 1, grain * 0.14, grain)
    grey = np.where(body < 1, grain * 1.9 + 40, grey)
    fan = (radius > _FAN[0]) & (radius < _FAN[1]) & (angle < _FAN[2])
    grey = np.where(fan, grey, 0)
    picture = Image.fromarray(np.clip(grey, 0, 255).astype(np.uint8))
    picture = picture.filter(ImageFilter.GaussianBlur(1.2)).convert("RGB")
    pen = ImageDraw.Draw(picture)
    pen.text((12, 8), "Meng Shuying  32Y F", (240, 240, 240), font(20))
    pen.text((560, 8), "2025/03/18 10:21:33", (240, 240, 240), font(20))
    pen.text((12, 570), "CRL 56.0 mm   GA 12w1d", (250, 220, 90), font(20))
    return picture


ULTRASOUND_BURNT = ("Meng Shuying", "2025/03/18")
"""Identifiers in the ultrasound picture itself."""


def _skin(width: int, height: int, *, seed: int) -> Image.Image:
    """Return a skin-like texture: tone, pores, fine lines, shading."""
    rng = np.random.default_rng(seed)
    tone = np.array([214, 172, 146], np.float32)
    coarse = rng.normal(0, 1, (height // 40 + 2, width // 40 + 2)).astype(np.float32)
    clouds = Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)
    fine = rng.normal(0, 1, (height // 3 + 1, width // 2 + 1)).astype(np.float32)
    pores = Image.fromarray(fine).resize((width, height), Image.Resampling.BICUBIC)
    shade = 10 * np.sin(np.linspace(0.3, 2.8, height, dtype=np.float32))[:, None] - 8
    level = 5 * np.asarray(clouds) + 4 * np.asarray(pores) + shade
    return Image.fromarray(np.clip(tone + level[:, :, None], 0, 255).astype(np.uint8))


def skin_lesion() -> Image.Image:
    """Return a stand-in for a photo of ringworm on a forearm: ring, scale, clearing centre."""
    width, height = 1200, 900
    rng = np.random.default_rng(15)
    base = np.asarray(_skin(width, height, seed=15), np.float32)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = np.arctan2(y - 450, x - 600)
    edge = 1 + 0.06 * np.sin(3 * angle + 1) + 0.04 * np.sin(7 * angle)
    far = np.hypot((x - 600) / 250, (y - 450) / 215) / edge
    ring = np.exp(-(((far - 0.92) / 0.13) ** 2)) + 0.28 * (far < _CLEARING)
    scale = (rng.random((height, width)) < _FLAKES) * np.exp(-(((far - 0.95) / 0.1) ** 2))
    flakes = Image.fromarray((scale * 255).astype(np.uint8)).filter(ImageFilter.MaxFilter(5))
    red = np.array([-14, -78, -72], np.float32)
    seen = base + ring[:, :, None] * red + np.asarray(flakes, np.float32)[:, :, None] * 0.3
    return Image.fromarray(np.clip(seen, 0, 255).astype(np.uint8)).filter(
        ImageFilter.GaussianBlur(1.1)
    )


def face() -> Image.Image:
    """Return the face stand-in: NASA's portrait of an astronaut, enlarged."""
    return asset("astronaut.jpg").resize((1080, 870), Image.Resampling.BICUBIC)


def screenshot() -> Sheet:
    """Return a phone's screen with another consultation on it."""
    sheet = Sheet(780, 1390, (237, 237, 237))
    sheet.row(12, ((40, "19:18"), (560, "中国移动 5G  62%")), 24)
    sheet.write((390, 96), "[[荀文若]]医生（[[临沣市中心医院]]）", 30, Look(anchor="mm", bold=True))
    sheet.write((390, 162), "[[2025年1月6日]] 下午3:41", 22, Look(ink=GREY, anchor="mm"))
    lines = (
        ("P", ("[[武乘风]]，{{男}}，{{42岁}}，", "{{反酸烧心三个月}}")),
        ("D", ("[[武先生]]您好，{{幽门螺杆菌}}查过吗？",)),
        ("P", ("{{C13阳性，DOB 18.6}}",)),
        ("P", ("我电话[[137 0000 1163]]", "加微信[[wcf_1163]]发报告给您")),
        ("D", ("先吃{{奥美拉唑20mg bid}}，", "{{两周}}后复诊")),
        ("P", ("寄到[[临沣市渭阳区沣东路55号]]", "[[沣河家园12-3-602]] 谢谢")),
    )
    y = 200
    for side, texts in lines:
        y = _bubble(sheet, y, side, texts)
    sheet.pen.rectangle((0, 1300, 780, 1390), fill=(247, 247, 247))
    sheet.pen.rounded_rectangle((90, 1318, 610, 1374), 10, fill="white")
    return sheet


def _bubble(sheet: Sheet, y: int, side: str, texts: tuple[str, ...]) -> int:
    mine = side == "P"
    high = 28 + 44 * len(texts)
    left, right = (150, 676) if mine else (104, 650)
    colour = (149, 236, 105) if mine else (255, 255, 255)
    sheet.pen.rounded_rectangle((left, y, right, y + high), 12, fill=colour)
    for n, text in enumerate(texts):
        sheet.write((left + 22, y + 12 + n * 44), text, 28)
    spot = 696 if mine else 24
    tone = (88, 130, 178) if mine else (196, 120, 84)
    sheet.pen.rounded_rectangle((spot, y, spot + 62, y + 62), 8, fill=tone)
    sheet.pen.text((spot + 31, y + 31), "武" if mine else "荀", "white", font(34), anchor="mm")
    return y + high + 34


def dosing_card() -> Sheet:
    """Return the picture that a doctor sends: how to take a drug, with the doctor's own stamp."""
    sheet = Sheet(900, 620, (255, 252, 240))
    sheet.write((450, 60), "{{厄贝沙坦片}} 用药指导", 40, Look(anchor="mm", bold=True))
    sheet.write((70, 130), "患者：[[冉女士]]　{{50岁}}", 30)
    lines = (
        "{{150mg 每日一次}}，早晨空腹或餐后均可",
        "{{2周}}后复查{{血钾、肌酐}}",
        "出现{{头晕}}请坐下休息并测血压",
    )
    for n, line in enumerate(lines):
        sheet.write((70, 200 + n * 60), f"{n + 1}. {line}", 30)
    sheet.rule(420)
    sheet.write((70, 450), "[[司徒景行]] 主任医师　执业证号 [[141500100001975]]", 28)
    sheet.write((70, 510), "[[重庆市梧溪区人民医院]] 肾内科　[[2025-03-25]]", 28)
    return sheet
