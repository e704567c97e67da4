"""The second example: a hospital's visits as a table (layout L1), in gb18030 and as xlsx."""

import csv
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from openpyxl import Workbook

HEAD = (
    *("病历号", "姓名", "性别", "年龄", "出生日期", "身份证号", "联系电话", "现住址", "工作单位"),
    *("联系人", "就诊日期", "科室", "医生姓名", "主诉", "现病史", "既往史", "诊断", "医嘱"),
)

_ROWS = (
    """0012004417|靳九思|男|34岁|1990-11-02|130102199011029999|13800009921|河北省澜沧口市桥西巷7号
    |河北青岑机械有限公司|靳太太|2025-02-11|消化内科|容与|上腹痛2天
    |患者靳九思2天前进食后上腹隐痛，无呕血黑便，曾于澜沧口市中医院就诊，电话13800009921
    |胃溃疡5年|十二指肠溃疡|雷贝拉唑20mg qd，4周""",
    """0012004418|尉迟映雪|女|61岁|1963-07-19|340104196307190009|15100002760
    |安徽省溪云县南塘村3组|退休
    |儿子 尉迟川|2025/2/11|心血管内科|容与|胸闷心悸1周
    |活动后胸闷1周，血压168/96，由儿子尉迟川陪诊，微信wcy_2760
    |高血压12年，青霉素过敏|高血压病3级|氨氯地平5mg qd，监测血压""",
    """0012004419|凌小棠|女|7岁|2017-09-30|350203201709300003|13300005518|福建省云屿市思南区鹭江道12号
    |云屿市实验小学二（3）班|母亲 廖听雨|2025年2月12日|儿科|谷雨生|发热、咽痛1天
    |体温39.1℃，咽红，扁桃体II度肿大，其母廖听雨代诉，联系13300005518|既往体健|急性扁桃体炎
    |布洛芬混悬液6ml prn，阿莫西林250mg tid，5天""",
    """0012004420|洪砚舟|男|48岁|1976-05-05|360102197605059991|18800003347|江西省青湖市洪都路199号
    |赣A·3F917车主|洪夫人|45700|泌尿外科|谷雨生|左腰部绞痛3小时
    |B超示左输尿管上段结石0.6cm，肾区叩痛（+），身份证360102197605059991|痛风3年
    |左输尿管结石|坦索罗辛0.2mg qn，多饮水""",
    """0012004421|甄念一|女|29岁|1995-12-24|430103199512240008|19800007741|湖南省星沙湖市岳南区麓谷大道36号
    |星沙湖银行|甄国栋|2025-02-13|妇科|闻溪|月经推迟10天
    |平素月经规律，末次月经2025年1月3日，尿HCG阳性，邮箱zhen.ny@example.invalid|无特殊
    |早孕|叶酸0.4mg qd，2周后复查B超""",
    """0012004422|束鹿鸣|男|92岁|1933-01-15|110105193301159996|13500006654|北京市海淀区苏澜庄园8-2-301
    |离休|女儿 束清嘉|2025-02-14|呼吸内科|闻溪|咳喘加重4天
    |慢阻肺20年，咳黄痰，SpO2 90%，女儿束清嘉代述，住澄明医院急诊留观|慢阻肺20年，前列腺增生
    |慢阻肺急性加重|布地奈德2mg雾化 bid，头孢曲松2g qd 7天""",
)


def rows() -> list[list[str]]:
    """Return the visits, one list of cells each, in the order of `HEAD`."""
    return [[cell.strip() for cell in row.split("|")] for row in _ROWS]


def csv_bytes() -> bytes:
    """Return the visits as a gb18030 csv with Chinese headers."""
    out = StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(HEAD)
    writer.writerows(rows())
    return out.getvalue().encode("gb18030")


def xlsx_bytes() -> bytes:
    """Return the visits as xlsx: a title row, ages as numbers, a hidden sheet, an author."""
    book = Workbook()
    sheet = book.active
    if sheet is None:
        raise ValueError("a new workbook has no sheet")
    sheet.title = "门诊就诊记录"
    sheet.append(["澜沧口市中医院 门诊就诊记录（导出人：容与）"])
    sheet.append(HEAD)
    for row in rows():
        cells: list[str | int] = list(row)
        cells[3] = int(row[3].removesuffix("岁"))
        cells[6] = int(row[6])
        sheet.append(cells)
    hidden = book.create_sheet("复核")
    hidden.sheet_state = "hidden"
    hidden.append(["复核人", "容与"])
    hidden.append(["电话", "13800009921"])
    book.properties.creator = "容与"
    book.properties.title = "门诊就诊记录"
    out = BytesIO()
    book.save(out)
    return _timeless(out.getvalue())


def _timeless(data: bytes) -> bytes:
    """Rewrite an xlsx so that the time of its making is not in it."""
    out = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(out, "w", ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                content = _untimed(content)
            entry = ZipInfo(name, (2025, 2, 14, 12, 0, 0))
            entry.compress_type = ZIP_DEFLATED
            new.writestr(entry, content)
    return out.getvalue()


def _untimed(core: bytes) -> bytes:
    head, _, rest = core.partition(b"<dcterms:created")
    start, _, tail = rest.rpartition(b"</dcterms:modified>")
    return head + tail if start else core
