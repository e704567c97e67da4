"""Places below the city, and institutions; provinces, cities and departments stay."""

import re
from collections.abc import Iterator

from deid.detect.lexicons import hospital_nicknames
from deid.detect.match import Match
from deid.detect.names_guard import holds_sentence
from deid.detect.rules import rule, run, spaced
from deid.schema import Kind
from deid.spans import Shadow

_H = r"\u4e00-\u9fff"
_NO = r"[0-9A-Za-z一二三四五六七八九十百\-#]{1,8}"
_CITY = rf"(?:[{_H}]{{2,8}}?(?:省|自治区|特别行政区))?(?:[{_H}]{{2,7}}?(?:市|自治州|地区|盟))?"
_DISTRICT = rf"[{_H}]{{1,7}}?(?:新区|开发区|高新区|自治县|林区|区|县|旗)"
_TOWN = rf"[{_H}]{{1,8}}?(?:街道|镇|乡|苏木|社区|村委会|行政村|自然村|村|屯|嘎查|大队)"
_STREET = rf"[{_H}0-9]{{1,10}}?(?:大道|大街|路|街|巷|弄|胡同|里|道|条)"
_BLOCK = rf"[{_H}A-Za-z0-9·]{{1,12}}?(?:小区|花园|花苑|公寓|大厦|广场|家园|新村|新城|苑|庄园|别墅|宿舍|府|湾|城|园|庭|阁|轩|邨)"
_DOOR = rf"(?:{_NO}(?:号院|号楼|号|弄|栋|幢|座|单元|层|楼|室|房|户|门|组|队|社))"
_TAIL = rf"(?:[ ,，]?(?:{_DOOR}|[A-Z]座|[东西南北]区|[0-9]{{1,4}}-[0-9]{{1,4}}(?:-[0-9]{{1,5}})?|[0-9]{{3,4}}))*"
_ADDRESS_LABEL = spaced(
    "家庭住址 家庭地址 联系地址 通讯地址 收货地址 邮寄地址 现住址 现居住地 居住地址 居住地 户籍地址 户口所在地 户籍地 详细地址 工作地址 住址 地址 家住 住在 "
    "现住 住于 寄到 寄至 送到 老家 籍贯住址"
)
_NEXT = r"(?=[，,。;；\n|]|  |$|电话|手机|联系|邮编|身份证|性别|年龄|姓名|职业|民族|病史)"

_ADDRESSES = (
    rule(
        rf"{_CITY}(?P<v>{_DISTRICT}(?:{_TOWN})?(?:{_STREET})?(?:{_BLOCK})?{_DOOR}{_TAIL})",
        Kind.ADDRESS,
        0.9,
    ),
    rule(
        rf"{_CITY}(?P<v>{_DISTRICT}(?:{_TOWN}|{_STREET})(?:{_STREET})?(?:{_BLOCK})?{_TAIL})",
        Kind.ADDRESS,
        0.85,
    ),
    rule(
        rf"(?<![{_H}])(?:[{_H}]{{2,7}}?市)?(?P<v>(?:{_STREET}){_DOOR}{_TAIL})", Kind.ADDRESS, 0.75
    ),
    rule(
        rf"(?:[{_H}]{{2,7}}?市)(?P<v>(?:{_TOWN})?(?:{_STREET}){_DOOR}?{_TAIL})", Kind.ADDRESS, 0.75
    ),
    rule(
        rf"(?<![{_H}])(?P<v>{_BLOCK}(?:[ ,，]?[0-9A-Z]{{1,4}}(?:号楼|栋|幢|座|单元|号)|[0-9]{{1,4}}-[0-9]{{1,4}}(?:-[0-9]{{1,5}})?)+{_TAIL})",
        Kind.ADDRESS,
        0.8,
    ),
    rule(
        rf"(?:[{_H}]{{2,7}}?(?:市|县|区))?(?P<v>[{_H}]{{1,6}}(?:镇|乡)[{_H}]{{1,6}}(?:村|屯|寨|组)(?:[0-9一二三四五六七八九十]{{1,3}}(?:组|队|社|号))?)",
        Kind.ADDRESS,
        0.8,
    ),
    rule(
        rf"{_ADDRESS_LABEL}[ \t:=是在|]{{0,4}}{_CITY}(?P<v>(?:[{_H}A-Za-z0-9\-#（）()·]{{2,40}}?(?:区|县|镇|乡|村|路|街|巷|弄|号|栋|幢|楼|室|小区|花园|苑|里|社区|街道|组)[{_H}A-Za-z0-9\-#]{{0,24}}?)){_NEXT}",
        Kind.ADDRESS,
        0.85,
    ),
    rule(
        rf"(?:地 ?址|住 ?址)[ \t]{{0,2}}:[ \t]{{0,2}}{_CITY}(?P<v>[{_H}A-Za-z0-9\-#（）()·]{{3,40}}?){_NEXT}",
        Kind.ADDRESS,
        0.8,
    ),
    rule(
        r"(?:邮政编码|邮编|(?i:zip(?: ?code)?|postal ?code|postcode))[\s:=]{0,3}(?P<v>[0-9]{5,6}(?:-[0-9]{4})?|[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2})",
        Kind.POSTCODE,
        0.95,
    ),
    rule(
        r"(?<![0-9A-Za-z])(?P<v>[0-9]{1,6} (?:[NSEW]\.? )?(?:[A-Z][A-Za-z'\-]{1,30}\.? ){1,4}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Terrace|Square|Sq|Highway|Hwy|Parkway|Close|Crescent|Trail|Circle)\b\.?(?:,? (?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|#)\.? ?[A-Za-z0-9\-]{1,6})?(?:,? [A-Z][A-Za-z]{1,30}(?: [A-Z][a-z]{1,30})?,? [A-Z]{2} [0-9]{5}(?:-[0-9]{4})?)?)",
        Kind.ADDRESS,
        0.9,
    ),
    rule(
        r"(?<![A-Za-z])(?i:address|addr\.?|lives at|living at|residing at)[\s:]{1,3}(?P<v>[0-9A-Z][^\n;|]{5,70}?)(?=[.;\n|]|  |$|, (?:phone|tel|and|her|his|my))",
        Kind.ADDRESS,
        0.8,
    ),
    rule(r"(?<![0-9A-Za-z,.])(?P<v>[A-Z]{2} [0-9]{5}(?:-[0-9]{4})?)(?![0-9])", Kind.POSTCODE, 0.6),
)

_HOSPITAL = (
    r"(?:中西医结合医院|中医药大学附属医院|大学附属[一-龥]{0,8}医院|附属[一-龥]{0,6}医院|人民医院|中心医院|妇幼保健院|妇幼保健计划生育服务中心|儿童医院|妇产医院|中医医院|中医院|肿瘤医院|"
    r"口腔医院|眼科医院|皮肤病医院|胸科医院|传染病医院|精神卫生中心|疾病预防控制中心|疾控中心|社区卫生服务中心|社区卫生服务站|卫生服务中心|卫生服务站|乡镇卫生院|卫生院|卫生所|"
    r"医疗美容医院|医学中心|医疗中心|体检中心|康复医院|专科医院|骨科医院|总医院|医院|门诊部|诊所|医馆|医务室|急救中心|血液中心)"
)
_HOSPITAL_RE = re.compile(
    rf"(?P<v>[{_H}A-Za-z0-9（）()·]{{1,24}}?{_HOSPITAL}(?:[{_H}]{{1,6}}(?:院区|分院|校区|店))?)"
)
_LEAD = re.compile(
    r"^.*(?:(?<![协中平祥人仁永泰嘉同太颐瑞慈康元])和|有(?!限)|转院到|抬头写|我们|你们|在了|去了|到了|来了|当时|就诊|转院|转到|转至|转入|送至|送到|住进|"
    r"由于|比如|例如|建议|可以|需要|今天|昨天|明天|今日|昨日|上周|上午|下午|上次|之前|患者|病人|家属|孩子|医生|主任|拍片|检查|复查|复诊|看病|"
    r"看了|看过|做了|做过|查了|挂了|名称:|单位:|机构:|医院:|开票|您|我|你|他|她|在|去|到|于|从|往|来|是|的|了|过|与|及|或|跟|曾|就|转|送|"
    r"住|经|由|因|前|后|赴|至|向|找|回|选|像|可|需|再|还|又|也|已|先|看|做|查|挂|打|给|对|把|让|请|问|叫|说|没|不|写|:|："
    r"|知道|联系|第?[0-9]+[天日周月年]|[几一二三两]次)"
)
_GENERIC = re.compile(
    r"^(?:(?:三甲|二甲|三级|二级|一级|甲等|乙等|三级甲等|二级甲等|大型?|小型?|正规|公立|私立|民营|当地|本地|外地|附近|就近|最近|其他|其它|别的|另一?家|一家|两家|几家|哪家|哪个|哪些|各大?|各级|每家|该|本|贵|我|"
    r"线下|线上|实体|互联网|综合性?|专科|专业|上级|下级|基层|县级?|市级?|省级?|区级?|乡镇|镇|村|社区|好的?|同一?家?|外|某|这家|那家|这个|那个|所在|家附近|定点|指定|医保定点|任何|一些|很多|有的|个|家|的|所|儿童|妇产|妇幼|口腔|眼科|中医|皮肤病?|肿瘤|精神|心理|传染病|骨科|胸科|肛肠|男科|"
    r"医美|整形|宠物|正规的|大的|小的|较大的?|更大的?|更好的?|公办|部队|住|出|转|入|在|去|到|来|看|回|离|进|陪|赴|诊|就诊|已|镇里|村里|县里|市里|这边|那边|隔离|家里|如果|如|这里|而且|何况|怕|跑|趟|接触|选择|择|县城|上一级|妇科|整形美容|天天|最近)*)(?:人民医院|中心医院|儿童医院|妇产医院|中医院|中医医院|口腔医院|眼科医院|皮肤病医院|肿瘤医院|专科医院|综合医院|总医院|医院|门诊部|诊所|卫生院|卫生所|卫生室|卫生服务中心|社区卫生服务中心|社区卫生服务站|体检中心|妇幼保健院|急救中心|医务室|医馆)$"
)
_INSTITUTIONS = (
    rule(
        rf"(?:[在于]|单位[:是]?|职业[:是]?)(?P<v>[{_H}]{{3,14}}(?:厂|局|银行|支行|超市|酒店|宾馆|工地|煤矿|厂区|部队|公司|集团))"
        r"(?=上班|工作|打工|做工|当|任|做|的|[，,。]|$)",
        Kind.INSTITUTION,
        0.75,
    ),
    rule(
        r"(?<![A-Za-z])(?P<v>(?:[A-Z][a-z]{1,30} ){1,3}(?:General|Memorial|Regional|Infirmary)|St\.? [A-Z][a-z]{1,30}'s)(?![A-Za-z])",
        Kind.HOSPITAL,
        0.7,
    ),
    rule(
        rf"(?P<v>[{_H}A-Za-z0-9（）()]{{2,20}}?(?:有限责任公司|股份有限公司|有限公司|集团公司|集团|分公司|事务所|研究院|研究所|幼儿园|小学|中学|高中|初中|大学|学院|职业技术学校|学校|派出所|公安局|税务局|工商局|大药房|药店|药房|养老院|敬老院|福利院|检验所|医学检验实验室|检测中心|基因公司))",
        Kind.INSTITUTION,
        0.7,
    ),
    rule(
        r"(?:工作单位|单位名称|就职于|就读于|任职于|供职于|在读学校|学校名称|毕业于)[\s:=|]{0,3}(?P<v>[一-龥A-Za-z0-9（）()]{2,30}?)(?=[，,。;；\n|\s]|$|电话|职业|职务|工作|上班)",
        Kind.INSTITUTION,
        0.85,
    ),
    rule(
        r"(?<![A-Za-z])(?P<v>(?:[A-Z][A-Za-z'.&\-]{1,30} ){1,5}(?:Hospital|Clinic|Medical Cent(?:er|re)|Health Cent(?:er|re)|Infirmary|Healthcare|Health System|Surgery Center|Hospice|Nursing Home|Pharmacy|Laborator(?:y|ies)|University|College|School|Institute)(?: of [A-Z][A-Za-z]{1,30})?)",
        Kind.HOSPITAL,
        0.85,
    ),
    rule(
        r"(?<![A-Za-z])(?i:employer|company|works (?:at|for)|hospital|clinic|facility|school)[:\s]{1,3}(?P<v>[A-Z][A-Za-z'.&\-]{1,30}(?: [A-Z][A-Za-z'.&\-]{1,30}){0,4})",
        Kind.INSTITUTION,
        0.7,
    ),
)
_GENERIC_PLACE = re.compile(
    r"^(?:(?:我|你|他|她|在|去|到|的|了|上|读|念|个|家|所|某|这|那|哪|一|该|本|贵|大|小|各|外面|线上|线下|附近|当地|网上|实体|楼下|买|从|是|孩子|今年|现在|已经|刚|明年|还|就|要|没|有|连锁|正规|普通|医院|社区|村|镇|县|市|区)*)"
    r"(?:公司|集团|幼儿园|小学|中学|高中|初中|大学|学院|学校|大药房|药店|药房|养老院|派出所|检测中心|检验所|研究所|研究院)$"
)


_BRANCH = re.compile(
    r"(?:(?<=[在去到于从来转找住])|(?<=上次)|(?<=之前)|(?<=以前)|(?<=当时)|(?<=[，,。\s]))(?P<v>[\u4e00-\u9fff]{2,3}"
    r"(?:[一二三四五六七八九十]院|妇幼|妇产|儿童|眼科|口腔|肿瘤|胸科|脑科|肺科|中医|人医|儿医|皮研所|血研所))"
    r"(?=医院|住院|就诊|做|看|拍|查|检|复|开|的|说|建议|出院|神|急诊|门诊|产检|生的|[\u4e00-\u9fff]{1,2}科|[，,。\s]|$)"
)
_LISTED = re.compile(
    r"(?:(?<=[、:;(在去到从转])|(?<=[，,。\s])|^)(?P<v>[\u4e00-\u9fff]{2,3}[一二三四五六七八九十]院)(?=[、，,。;)\s]|$)"
)
"""In a list only a number makes a hospital: 妇科肿瘤、有无肿瘤 are none."""
_NO_BRANCH = re.compile(
    r"考虑|包括|我院|怀疑|诊断|良性|恶性|我们|你们|医院|本院|你院|贵院|这[个家里]|那[个家里]|哪[个家里]|门诊|住院|医生|科室|县|市|省|区|三甲|当地|附近|普通|综合|专业|其他|外面|正规|同意"
)


def _branches(source: str) -> Iterator[Match]:
    """Yield short names of hospitals made of a place and a branch (云屿二院, 霁海妇产)."""
    for found in (*_BRANCH.finditer(source), *_LISTED.finditer(source)):
        start, name = found.start("v"), found.group("v")
        if name[0] in "在去到于从来转找住":  # 上次在霁海二院
            start, name = start + 1, name[1:]
        if len(name) > 3 and not _NO_BRANCH.search(name) and not holds_sentence(name[:2]):
            yield Match(start, found.end("v"), Kind.HOSPITAL, 0.65)


_LABELLED = 0.9
_SENTENCE = re.compile(
    r"[的了吗呢吧我你他她它这那]|已经|一个|在一|受到|证实|宣布|一般|而且|口服|现在|校女|今天|昨天|问|买|比较"
)
"""Words of a sentence: what holds them and no number is no address and no institution."""


def find(text: Shadow) -> Iterator[Match]:
    """Yield addresses from the district down, hospitals and other institutions."""
    for match in run(_ADDRESSES, text):
        value = text.text[match.start : match.end]
        numbered = any(c.isdecimal() for c in value) or match.score > _LABELLED
        if numbered or not _SENTENCE.search(value):
            yield match
    yield from _hospitals(text.text)
    yield from _nicknames(text.text)
    yield from _branches(text.text)
    for match in run(_INSTITUTIONS, text):
        start = match.start + _lead(text.text[match.start : match.end])
        value = text.text[start : match.end]
        if start < match.end and not _GENERIC_PLACE.match(value) and not _SENTENCE.search(value):
            yield Match(start, match.end, match.kind, match.score)


def _hospitals(source: str) -> Iterator[Match]:
    for found in _HOSPITAL_RE.finditer(source):
        start, end = found.span("v")
        start += _lead(source[start:end])
        name = source[start:end]
        if not _GENERIC.match(name):
            yield Match(start, end, Kind.HOSPITAL, 0.85)


def _lead(name: str) -> int:
    """Return how much of the sentence in front of a name was caught with it."""
    lead = _LEAD.match(name[:-2])
    return lead.end() if lead else 0


def _nicknames(source: str) -> Iterator[Match]:
    for name in hospital_nicknames():
        at = source.find(name)
        while at >= 0:
            if _free(source, at, at + len(name), name):
                yield Match(at, at + len(name), Kind.HOSPITAL, 0.7)
            at = source.find(name, at + 1)


_AROUND = re.compile(
    r"(?:在|去|到|从|是|于|往|来|转|住|看|挂|了|过|和|与|的|，|,|。|、|;|:|\s|我们|医生|\()$"
)
_BEHIND = re.compile(
    r"[，,。、;；\s)]|$|医院|看|住院|做|就诊|检查|复查|手术|拍|开|的|那|诊断|建议|出院|挂号|说|给|院|急诊|门诊|查|本部|东院|西院|总院|分院|[一-龥]{1,3}科"
)


def _free(source: str, start: int, end: int, name: str) -> bool:
    """Say whether a short name stands by itself, not inside a word (协和 in 不协和)."""
    before = start == 0 or bool(_AROUND.search(source[max(0, start - 3) : start]))
    if name.isdecimal():
        return before and source[end : end + 2] == "医院"
    return before and bool(_BEHIND.match(source, end))
