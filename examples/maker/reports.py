"""Laboratory and imaging reports and prescriptions of invented patients, drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from .drawing import GREY, RED, Look, Sheet, code, logo, seal, signature

BLUE = (22, 84, 150)
GREEN = (20, 120, 90)


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawn picture and its answer key."""

    image: Image.Image
    gone: tuple[str, ...] = ()
    stay: tuple[str, ...] = ()


def picture(sheet: Sheet, image: Image.Image | None = None) -> Picture:
    """Return the sheet as a picture, or ``image`` where a camera changed it."""
    return Picture(image or sheet.image, tuple(sheet.gone), tuple(sheet.stay))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """What a laboratory report says; texts are marked."""

    hospital: str
    title: str
    head: Sequence[Sequence[str]]
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    foot: Sequence[str]
    barcode: str
    emblem: tuple[str, tuple[int, int, int]]
    stamp: tuple[str, str]
    size: tuple[int, int] = (1120, 1160)
    note: str = "本报告仅对所检标本负责"


def lab_report(lab: Lab) -> Sheet:
    """Draw a report: header, table of results, doctors and dates, barcode, logo, seal."""
    width, height = lab.size
    sheet = Sheet(width, height)
    sheet.paste(logo(*lab.emblem), (60, 44))
    sheet.write((width / 2, 84), lab.hospital, 38, Look(anchor="mm", bold=True))
    sheet.write((width / 2, 136), lab.title, 30, Look(anchor="mm"))
    bars = code(lab.barcode, "Code128", 2).resize((250, 66), Image.Resampling.NEAREST)
    sheet.paste(bars, (width - 300, 36))
    sheet.write((width - 175, 104), f"[[{lab.barcode}]]", 20, Look(anchor="ma"))
    y = 180
    for line in lab.head:
        step = (width - 120) // len(line)
        sheet.row(y, [(60 + n * step, cell) for n, cell in enumerate(line)])
        y += 42
    sheet.rule(y + 6)
    y = _table(sheet, lab, y + 20)
    sheet.rule(y + 6)
    for n, line in enumerate(lab.foot, start=1):
        sheet.write((60, y + 46 * n), line, 23)
    sheet.paste(seal(*lab.stamp), (width - 290, y + 26))
    sheet.paste(signature(len(lab.barcode) + len(lab.rows)), (230, y + 66))
    sheet.write((60, height - 50), lab.note, 19, Look(ink=GREY))
    return sheet


def _table(sheet: Sheet, lab: Lab, y: int) -> int:
    places = [60, 110, 420, 610, 700, 900][: len(lab.columns)]
    sheet.row(y, list(zip(places, lab.columns, strict=True)))
    y += 40
    sheet.rule(y, width=1)
    y += 10
    for n, row in enumerate(lab.rows, start=1):
        cells = [str(n), *row]
        sheet.row(y, list(zip(places, cells, strict=True)))
        y += 38
    return y


_COLUMNS = ("", "项目", "结果", "", "单位", "参考区间")


def cbc() -> Sheet:
    """Return a blood count."""
    return lab_report(
        Lab(
            hospital="[[江苏省澜州市第一人民医院]]",
            title="检验报告单（血常规五分类+CRP）",
            head=(
                ("姓名：[[纪云舟]]", "性别：{{男}}", "年龄：{{37岁}}", "床号：门诊"),
                ("病历号：[[MZ2025031447]]", "科室：呼吸内科", "标本：{{静脉血}}"),
                ("身份证：[[320106198706219990]]", "送检医生：[[沈砚秋]]"),
            ),
            columns=_COLUMNS,
            rows=(
                ("{{白细胞计数}}", "{{13.20}}", "↑", "10^9/L", "3.5-9.5"),
                ("{{中性粒细胞百分比}}", "{{82.4}}", "↑", "%", "40-75"),
                ("{{淋巴细胞百分比}}", "{{11.6}}", "↓", "%", "20-50"),
                ("{{单核细胞百分比}}", "{{5.1}}", "", "%", "3-10"),
                ("{{嗜酸性粒细胞百分比}}", "{{0.7}}", "", "%", "0.4-8.0"),
                ("{{红细胞计数}}", "{{4.86}}", "", "10^12/L", "4.3-5.8"),
                ("{{血红蛋白}}", "{{147}}", "", "g/L", "130-175"),
                ("{{红细胞压积}}", "{{0.431}}", "", "L/L", "0.40-0.50"),
                ("{{血小板计数}}", "{{268}}", "", "10^9/L", "125-350"),
                ("{{平均红细胞体积}}", "{{88.7}}", "", "fL", "82-100"),
                ("{{C反应蛋白}}", "{{46.5}}", "↑", "mg/L", "0-8"),
                ("{{降钙素原}}", "{{0.31}}", "↑", "ng/mL", "0-0.05"),
            ),
            foot=(
                "采样时间：[[2025-03-14 08:12]]　　报告时间：[[2025-03-14 08:56]]",
                "检验者：[[易知秋]]　　　　　　　审核者：[[屈安澜]]",
                "咨询电话：[[025-6800 4417]]　　地址：[[澜州市霁云区钟楼街1号]]",
            ),
            barcode="690325031404",
            emblem=("澜", BLUE),
            stamp=("澜州市第一人民医院", "检验专用章"),
        )
    )


def biochem() -> Sheet:
    """Return a chemistry panel."""
    return lab_report(
        Lab(
            hospital="[[四川省溪岚县人民医院]]",
            title="生化检验报告单",
            head=(
                ("姓名：[[欧阳承岳]]", "性别：{{男}}", "年龄：{{55岁}}"),
                ("住院号：[[Z20240078152]]", "科室：内分泌科", "床号：12"),
                ("医保号：[[510107G0091042]]", "申请医生：[[朱立冬]]"),
            ),
            columns=_COLUMNS,
            rows=(
                ("{{空腹葡萄糖}}", "{{11.80}}", "↑", "mmol/L", "3.9-6.1"),
                ("{{糖化血红蛋白}}", "{{9.1}}", "↑", "%", "4.0-6.0"),
                ("{{肌酐}}", "{{79}}", "", "μmol/L", "57-97"),
                ("{{尿素}}", "{{6.4}}", "", "mmol/L", "3.1-8.0"),
                ("{{尿酸}}", "{{452}}", "↑", "μmol/L", "208-428"),
                ("{{总胆固醇}}", "{{5.92}}", "↑", "mmol/L", "<5.2"),
                ("{{甘油三酯}}", "{{2.87}}", "↑", "mmol/L", "<1.7"),
                ("{{低密度脂蛋白}}", "{{3.61}}", "↑", "mmol/L", "<3.4"),
                ("{{谷丙转氨酶}}", "{{38}}", "", "U/L", "9-50"),
                ("{{尿微量白蛋白/肌酐}}", "{{62}}", "↑", "mg/g", "<30"),
            ),
            foot=(
                "采集时间：[[2025-03-12 07:05]]　　报告时间：[[2025-03-12 11:40]]",
                "检验者：[[黎晚舟]]　　　　　　　审核者：[[游子吟]]",
            ),
            barcode="510225031207",
            emblem=("溪", GREEN),
            stamp=("溪岚县人民医院检验科", "报告专用章"),
            size=(1120, 1060),
        )
    )


def urine() -> Sheet:
    """Return a 24-hour urine protein report."""
    return lab_report(
        Lab(
            hospital="[[重庆市梧溪区人民医院]]",
            title="检验报告单（24小时尿蛋白）",
            head=(
                ("姓名：[[冉静姝]]", "性别：{{女}}", "年龄：{{50岁}}"),
                ("门诊号：[[MZ2025032520]]", "标本号：[[0325-117]]"),
            ),
            columns=_COLUMNS,
            rows=(
                ("{{24h尿量}}", "{{1.65}}", "", "L", ""),
                ("{{24h尿蛋白定量}}", "{{1.86}}", "↑", "g/24h", "<0.15"),
                ("{{血肌酐}}", "{{88}}", "↑", "μmol/L", "41-81"),
                ("{{白蛋白}}", "{{36.1}}", "↓", "g/L", "40-55"),
                ("{{尿红细胞}}", "{{5}}", "", "/HP", "0-3"),
            ),
            foot=(
                "送检：[[2025年3月24日]]　　报告：[[2025年3月25日 10:18]]",
                "检验：[[阮听松]]　　　　　　　审核：[[龚望舒]]",
            ),
            barcode="690417760025",
            emblem=("梧", BLUE),
            stamp=("梧溪区人民医院", "检验专用章"),
            size=(1100, 860),
        )
    )


def lab_english() -> Sheet:
    """Return a thyroid panel in English."""
    return lab_report(
        Lab(
            hospital="[[Larkmoor General Hospital]]",
            title="Laboratory Report: Thyroid Function",
            head=(
                ("Patient: [[Pemberwick, Harold]]", "Sex: {{M}}   Age: {{67}}"),
                ("DOB: [[03/14/1958]]", "MRN: [[MRN-0048127]]"),
                ("Ordering: [[Maribel Quillfeather, MD]]", "Acct: [[AC-2219-4410]]"),
            ),
            columns=("", "Test", "Result", "", "Units", "Reference"),
            rows=(
                ("{{TSH}}", "{{9.8}}", "H", "mIU/L", "0.4-4.5"),
                ("{{Free T4}}", "{{0.7}}", "L", "ng/dL", "0.8-1.8"),
                ("{{TPO antibody}}", "{{312}}", "H", "IU/mL", "<9"),
                ("{{Total cholesterol}}", "{{231}}", "H", "mg/dL", "<200"),
            ),
            foot=(
                "Collected: [[03/22/2025 07:40]]     Reported: [[03/22/2025 16:05]]",
                "Technologist: [[Fergus Abernethy-Low]]",
                "[[900 Halcyon Road, Larkmoor, OH 45999]]   Tel [[(555) 555-0100]]",
            ),
            barcode="LGH0322004812",
            emblem=("L", GREEN),
            stamp=("LARKMOORLAB", "VERIFIED"),
            note="Results relate only to the specimen tested",
            size=(1100, 840),
        )
    )


def prescription() -> Sheet:
    """Return a prescription."""
    sheet = Sheet(1000, 1200, (250, 250, 240))
    sheet.write((500, 70), "[[溪岚县人民医院]]处方笺", 40, Look(anchor="mm", bold=True))
    sheet.write((930, 40), "普通", 26, Look(ink=GREY, anchor="ra"))
    rows = (
        ((60, "姓名：[[欧阳承岳]]"), (430, "性别：{{男}}"), (640, "年龄：{{55岁}}")),
        ((60, "费别：医保"), (430, "门诊号：[[MZ2025030218]]")),
        ((60, "科别：内分泌科"), (430, "日期：[[2025/3/2]]")),
        ((60, "临床诊断：{{2型糖尿病}}"), (430, "电话：[[13600009104]]")),
    )
    for n, row in enumerate(rows):
        sheet.row(120 + n * 46, row, 26)
    sheet.rule(318)
    sheet.write((70, 340), "Rp", 46, Look(bold=True))
    drugs = (
        ("{{盐酸二甲双胍片 0.5g×60片}}", "2盒", "Sig. {{0.5g tid po}}"),
        ("{{格列美脲片 2mg×30片}}", "1盒", "Sig. {{2mg qd 早餐前}}"),
        ("{{阿托伐他汀钙片 20mg×7片}}", "4盒", "Sig. {{20mg qn}}"),
    )
    for n, (drug, packs, use) in enumerate(drugs):
        sheet.row(430 + n * 130, ((90, drug), (760, packs)), 28)
        sheet.write((140, 480 + n * 130), use, 28)
    sheet.write((90, 830), "——以下空白——", 26, Look(ink=GREY))
    sheet.rule(930)
    foot = (((60, "医师：[[朱立冬]]"), (380, "审核：[[包忘言]]"), (680, "调配：[[池小满]]")),)
    for row in foot:
        sheet.row(960, row, 26)
    sheet.row(1020, ((60, "药品金额：¥126.40"), (430, "处方编号：[[CF25030200419]]")), 26)
    sheet.paste(signature(31), (140, 975))
    sheet.paste(seal("溪岚县人民医院", "处方专用章", 170), (770, 1000))
    sheet.write((60, 1110), "注：处方当日有效", 22, Look(ink=RED))
    return sheet


def imaging_report() -> Sheet:
    """Return a radiograph's report."""
    sheet = Sheet(1080, 1240)
    sheet.paste(logo("骨", GREEN), (60, 40))
    sheet.write((540, 74), "[[湖北省澄江市骨科医院]]", 38, Look(anchor="mm", bold=True))
    sheet.write((540, 124), "数字化X线（DR）检查报告单", 30, Look(anchor="mm"))
    rows = (
        ((60, "姓名：[[邵怀瑾]]"), (390, "性别：{{男}}"), (620, "年龄：{{46岁}}")),
        ((60, "影像号：[[DR0317-0088]]"), (390, "门诊号：[[MZ2025031718]]")),
        ((60, "检查日期：[[2025-03-17]]"), (390, "检查部位：{{左腕关节正侧位}}")),
    )
    for n, row in enumerate(rows):
        sheet.row(180 + n * 44, row, 26)
    sheet.rule(320)
    texts = (
        (350, "影像所见：", True),
        (400, "{{左桡骨远端见横行骨折线}}，{{断端向背侧移位约3mm}}，", False),
        (446, "{{关节面尚平整}}。{{尺骨茎突未见骨折}}。腕骨排列可。", False),
        (492, "{{软组织肿胀}}。", False),
        (570, "影像诊断：", True),
        (620, "{{左桡骨远端骨折（Colles骨折）}}。", False),
        (666, "建议结合临床，必要时{{CT}}检查。", False),
    )
    for y, text, bold in texts:
        sheet.write((70, y), text, 28, Look(bold=bold))
    sheet.rule(900)
    sheet.row(930, ((60, "报告医生：[[钱多善]]"), (400, "审核医生：[[向晚晴]]")), 26)
    sheet.row(980, ((60, "报告时间：[[2025-03-17 15:42:08]]"),), 26)
    sheet.paste(code("https://pacs.example.invalid/v?acc=DR0317-0088", "QRCode", 4), (860, 900))
    sheet.paste(signature(8), (190, 890))
    sheet.write((60, 1120), "地址：[[澄江市中山大道309号]]　电话：[[027-6800 3752]]", 24)
    return sheet
