"""Ways to reach somebody, online artefacts, and the numbers of the care process."""

import re
from collections.abc import Iterator

from deid.detect.match import Match
from deid.detect.rules import COLON, rule, run, spaced
from deid.schema import Kind
from deid.spans import Shadow

_S = r"[ \t\n.\-·–—_()]{0,2}"
_S1 = r"[ \t.\-·–—_*]{1,3}"
_AREA = r"(?:010|02[0-9]|0[3-9][0-9]{2})"
_ZH = "一二三四五六七八九零〇幺两拐洞勾"

_PHONES = (
    rule(
        rf"(?<![0-9])(?:(?:\+|00)?86{_S})?1[3-9][0-9]{_S}[0-9]{{4}}{_S}[0-9]{{4}}(?![0-9])",
        Kind.PHONE,
        0.9,
    ),
    rule(rf"(?<![0-9])1[3-9][0-9]{{2}}{_S1}[0-9]{{3}}{_S1}[0-9]{{4}}(?![0-9])", Kind.PHONE, 0.85),
    rule(rf"(?<![0-9])1[3-9][0-9]{_S1}[0-9]{{3}}{_S1}[0-9]{{5}}(?![0-9])", Kind.PHONE, 0.8),
    rule(r"(?<![0-9])1[ .\-·_]{1,2}[3-9](?:[ .\-·_]{1,2}[0-9]){9}(?![0-9])", Kind.PHONE, 0.85),
    rule(r"(?<![0-9])1[3-9](?:[ .\-·_\n]{0,2}[0-9]){9}(?![ .\-]?[0-9])", Kind.PHONE, 0.6),
    rule(r"(?<![0-9A-Za-z])1[3-9][0-9OoIl]{9}(?![0-9A-Za-z])", Kind.PHONE, 0.7),
    rule(r"(?<![0-9])1[3-9][0-9][*xX•●]{3,6}[0-9]{2,4}(?![0-9])", Kind.PHONE, 0.9),
    rule(
        rf"(?<![{_ZH}])[一幺][三四五六七八九拐勾](?:[ \-]?[{_ZH}]){{9}}(?![{_ZH}])", Kind.PHONE, 0.9
    ),
    rule(
        rf"(?<![0-9])\(?{_AREA}\)?[ \-–—]{{0,2}}[2-9][0-9]{{2,3}}[ \-]?[0-9]{{4}}(?:[ ]?(?:转|ext\.?|分机|-)[ ]?[0-9]{{1,6}})?(?![0-9])",
        Kind.PHONE,
        0.8,
    ),
    rule(r"(?<![0-9])[48]00[ \-]?[0-9]{3,4}[ \-]?[0-9]{3,4}(?![0-9])", Kind.PHONE, 0.75),
    rule(
        r"(?<![0-9A-Za-z])\+[1-9][0-9]{0,2}[ \-.]?\(?[0-9]{1,4}\)?(?:[ \-.]?[0-9]{2,4}){2,4}(?![0-9])",
        Kind.PHONE,
        0.8,
    ),
    rule(
        r"(?<![0-9])(?:\([2-9][0-9]{2}\) ?|[2-9][0-9]{2}[\-.])[0-9]{3}[\-.][0-9]{4}(?:\s*(?:x|ext\.?)\s*[0-9]{1,6})?(?![0-9])",
        Kind.PHONE,
        0.8,
    ),
    rule(
        r"(?:联系电话|家庭电话|联系方式|手机号码|电话号码|手机号|电话|手机|座机|固话|热线|传真|致电|打给|来电|"
        r"(?i:phone|tel|telephone|mobile|cell|fax|contact)(?i:\s*(?:number|no\.?))?)"
        + COLON
        + r"(?P<v>[+(]{0,2}[0-9](?:[ \t\-–—().*]{0,2}[0-9*]){4,18}(?:[ ]?(?:转|ext\.?|x|分机)[ ]?[0-9]{1,6})?)",
        Kind.PHONE,
        0.95,
    ),
    rule(r"(?:短号|内线|分机)" + COLON + r"(?P<v>[0-9]{3,8})(?![0-9])", Kind.PHONE, 0.8),
)
_AT = r"(?: ?(?:@|[(\[](?i:at)[)\]]) ?)"
_DOT = r"(?:\.| \. | ?[(\[](?i:dot)[)\]] ?)"
_SPELT = (
    r"(?:[A-Za-z0-9](?:[ .\-·_][A-Za-z0-9]){4,24}(?![A-Za-z0-9])|"
    r"[零〇一二三四五六七八九壹贰叁肆伍陆柒捌玖](?:[ \-]?[零〇一二三四五六七八九壹贰叁肆伍陆柒捌玖]){4,24})"
)
"""A number behind its label that is spelt out: one character at a time, or in Hanzi."""
_ONLINE = (
    rule(
        rf"(?<![A-Za-z0-9._%+*\-])[A-Za-z0-9._%+*\-]{{1,64}}{_AT}[A-Za-z0-9\-]{{1,63}}(?:{_DOT}[A-Za-z0-9\-]{{1,63}}){{1,5}}",
        Kind.EMAIL,
        0.95,
    ),
    rule(
        rf"(?:邮箱|邮件|(?i:e-?mail))(?:地址|号|(?i: address))?[\s:=是为]{{0,4}}(?P<v>(?:[A-Za-z0-9](?:{_DOT}?[A-Za-z0-9_%+*\-]){{0,40}}|[\u4e00-\u9fff]{{2,4}}[0-9]{{0,8}})(?:{_AT}|#)[A-Za-z0-9\-]{{1,63}}(?:{_DOT}[A-Za-z0-9\-]{{1,63}}){{1,5}})",
        Kind.EMAIL,
        0.95,
    ),
    rule(
        r"(?i:https?|ftp|oss|s3)://[^\s<>\"'，。；、）》】\u4e00-\u9fa5]{2,2000}[^\s<>\"'，。；、）》】\u4e00-\u9fa5,;.!?)]",
        Kind.URL,
        0.95,
    ),
    rule(
        r"(?<![A-Za-z0-9@.])(?i:www\.)[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63}){1,4}(?:/(?:[^\s<>\"'，。；、）\u4e00-\u9fa5]{0,500}[^\s<>\"'，。；、）\u4e00-\u9fa5,;.!?)])?)?",
        Kind.URL,
        0.95,
    ),
    rule(
        r"(?<![A-Za-z0-9@.\-])[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63}){0,3}\.(?:com|cn|net|org|edu|gov|io|cc|top|vip|me|info|app|xyz|example|invalid)(?:\.cn)?(?:[/?#](?:[^\s<>\"'，。；、）\u4e00-\u9fa5]{0,500}[^\s<>\"'，。；、）\u4e00-\u9fa5,;.!?)])?)?(?![A-Za-z0-9\-@])",
        Kind.URL,
        0.7,
    ),
    rule(
        r"(?<![0-9.])(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})\.){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})(?::[0-9]{2,5})?(?![0-9.])",
        Kind.IP_ADDRESS,
        0.8,
    ),
    rule(
        r"(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}[:\-]){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])",
        Kind.DEVICE_ID,
        0.8,
    ),
    rule(
        r"(?:微信号|微信|微 ?信|威信|v信|V信|薇信|卫星号?|薇(?=[^\u4e00-\u9fffA-Za-z0-9]|号)|(?i:wechat|weixin)(?i:\s*id)?|(?<![A-Za-z])(?i:vx|wx|w x|v x)(?![A-Za-z])|加[Vv薇]|[+＋][Vv])"
        r"(?:号|同号|ID|id)?[^\u4e00-\u9fffA-Za-z0-9]{0,4}[是为]?[\s]{0,2}(?P<v>[A-Za-z0-9][A-Za-z0-9_\-]{4,29})(?![A-Za-z0-9_])",
        Kind.ACCOUNT,
        0.9,
    ),
    rule(
        r"(?:(?<![A-Za-z])(?i:open[_ ]?id|union[_ ]?id|user[_ ]?id)(?![A-Za-z])|用户编号|用户[Ii][Dd]|会员号|会员编号|客户编号|客户号)"
        + COLON
        + r"(?P<v>[A-Za-z0-9_\-]{3,40})",
        Kind.ACCOUNT,
        0.9,
    ),
    rule(
        rf"(?:微 ?信号?|(?<![A-Za-z])(?i:wechat|vx|wx)(?![A-Za-z]))(?: ?[Ii][Dd])?[\s:=是为]{{1,4}}(?P<v>{_SPELT})",
        Kind.ACCOUNT,
        0.85,
    ),
    rule(r"(?<![A-Za-z0-9])wxid_[A-Za-z0-9]{5,30}", Kind.ACCOUNT, 0.99),
    rule(
        rf"(?:(?<![A-Za-z])(?i:qq)(?![A-Za-z])|扣扣|企鹅号|Q号|球球)(?:号码?|群)?[\s]{{0,2}}[:=是为]{{0,2}}[\s]{{0,2}}(?P<v>[1-9][0-9*]{{4,11}}(?![0-9*])|{_SPELT})",
        Kind.ACCOUNT,
        0.9,
    ),
    rule(
        r"(?:支付宝|抖音号?|快手号?|小红书号?|微博|公众号|用户名|账号|帐号|昵称|(?i:user ?name|login|account(?: number| no\.?)?|alipay|tiktok|skype))(?:号|ID|id|账号)?[\s]{0,2}[:=是为]{1,2}[\s]{0,2}(?P<v>[A-Za-z0-9_.\-@]{4,40})",
        Kind.ACCOUNT,
        0.85,
    ),
    rule(r"(?<![A-Za-z0-9_@])@[A-Za-z0-9_]{3,30}(?![A-Za-z0-9_.])", Kind.ACCOUNT, 0.6),
    rule(
        r"(?:订单编号|订单号|订单|快递单号|运单号|快递号|单号|流水号|交易号|支付单号|(?i:order|tracking|invoice)(?i:\s*(?:id|number|no\.?|#)))"
        + COLON
        + r"(?P<v>(?=[A-Za-z\-]*[0-9])[A-Za-z0-9][A-Za-z0-9\-]{5,31})",
        Kind.ORDER_ID,
        0.9,
    ),
    rule(
        r"(?<![0-9A-Za-z])(?:SF|YT|JD|JDVA|ZTO|STO|YD|EMS|DPK)[0-9]{9,15}(?![0-9A-Za-z])",
        Kind.ORDER_ID,
        0.85,
    ),
    rule(r"(?<![0-9A-Za-z.\-/+])[0-9]{12,24}(?![0-9.A-Za-z])", Kind.ORDER_ID, 0.5),
)

_VALUE = r"(?P<v>(?=[A-Za-z\-]{0,8}[ ]?[0-9])[A-Za-z]{0,8}[\-]?[ ]?[A-Za-z0-9][A-Za-z0-9\-]{0,23}[A-Za-z0-9]|[0-9]{1,3})"
_RECORD = spaced(
    "病案号 病历号 病例号 住院号 住院编号 门诊号 门急诊号 门诊病历号 就诊卡号 就诊卡 就诊号 登记号 登记流水号 "
    "挂号序号 挂号单号 检查号 检查编号 影像号 影像编号 放射号 CT号 MR号 MRI号 X线号 超声号 片号 病理号 病理编号 处方号 处方编号 "
    "患者编号 患者ID 患者号 病人ID 病人号 病人编号 健康卡号 诊疗卡号 诊疗卡 档案号 体检号 体检编号 报告编号 报告号 "
    "报告单号 单据号 发票号 发票号码 医嘱号 手术编号 工号 胸卡号 急诊号 留观号 问诊编号 咨询编号 预约号"
)
_SPECIMEN = spaced(
    "检验号 检验单号 检验编号 标本号 标本编号 样本号 样本编号 条码号 条形码号 条形码 条码 申请单号 申请号 试管号 采样号 化验单号 实验号"
)
_INSURANCE = spaced(
    "医保卡号 医保号 医保编号 医保卡 医疗保险号 医疗保险卡号 社保号 社保卡号 社保卡 社会保障号 社会保障卡号 电子凭证 保险号 保单号 参保号 医保电脑号 个人编号"
)
_CARE = (
    rule(_RECORD + COLON + _VALUE, Kind.RECORD_NUMBER, 0.9),
    rule(rf"{_RECORD}{COLON}(?P<v>{_SPELT})", Kind.RECORD_NUMBER, 0.9),
    rule(rf"{_SPECIMEN}{COLON}(?P<v>{_SPELT})", Kind.SPECIMEN_NUMBER, 0.9),
    rule(rf"{_INSURANCE}{COLON}(?P<v>{_SPELT})", Kind.INSURANCE_NUMBER, 0.9),
    rule(spaced("卡号 编号 ID号") + COLON + _VALUE, Kind.RECORD_NUMBER, 0.85),
    rule(_SPECIMEN + COLON + _VALUE, Kind.SPECIMEN_NUMBER, 0.9),
    rule(_INSURANCE + COLON + _VALUE, Kind.INSURANCE_NUMBER, 0.9),
    rule(
        r"(?:病床号|床位号|床号|床 ?位|病床)"
        + COLON
        + r"(?P<v>[A-Za-z]{0,3}\+?[0-9]{1,4}(?:[\-/][0-9]{1,4})?床?)",
        Kind.RECORD_NUMBER,
        0.85,
    ),
    rule(
        r"(?<![0-9.])(?P<v>\+?[0-9]{1,3}(?:[\-][0-9]{1,3})?) ?床(?![边旁单垫上下头前位])",
        Kind.RECORD_NUMBER,
        0.6,
    ),
    rule(
        r"(?<![A-Za-z])(?:jzkh|zyh|mzh|blh|bah|jyh|bbh|tmh|sqdh|jch|yxh|cfh|ybh|jkkh|djh|ghxh)(?![A-Za-z])"
        + COLON
        + _VALUE,
        Kind.RECORD_NUMBER,
        0.9,
        re.IGNORECASE,
    ),
    rule(
        r"(?<![A-Za-z])(?:MRN|medical record(?: number| no\.?)?|patient (?:id|number|no\.?)|hospital (?:number|no\.?)|record (?:number|no\.?)|chart (?:number|no\.?)|accession(?: number| no\.?)?|case (?:number|no\.?)|encounter(?: number| no\.?)?|visit (?:number|no\.?)|exam (?:number|no\.?)|bed(?: number| no\.?)?|ward|room|account (?:number|no\.?)|acct\.?(?: no\.?)?|ID(?: number| no\.?)?)(?![A-Za-z])"
        r"[\s]{0,3}[:=#][\s]{0,3}(?P<v>(?=[A-Za-z\-]{0,8}[0-9])[A-Za-z0-9][A-Za-z0-9\-]{0,23})",
        Kind.RECORD_NUMBER,
        0.9,
        re.IGNORECASE,
    ),
    rule(
        r"(?<![A-Za-z])(?:MRN|PID)[\s:#]{1,3}(?P<v>(?=[A-Za-z\-]{0,8}[0-9])[A-Za-z0-9\-]{4,24})",
        Kind.RECORD_NUMBER,
        0.9,
    ),
    rule(
        r"(?<![A-Za-z])(?:specimen|sample|lab|barcode|tube)(?: id| number| no\.?)?[\s]{0,3}[:=#][\s]{0,3}(?P<v>(?=[A-Za-z\-]{0,8}[0-9])[A-Za-z0-9][A-Za-z0-9\-]{2,23})",
        Kind.SPECIMEN_NUMBER,
        0.85,
        re.IGNORECASE,
    ),
    rule(
        r"(?<![A-Za-z])(?:insurance|policy|member|medicare|medicaid|NHS|health plan|beneficiary)(?: id| number| no\.?)?[\s]{0,3}[:=#]?[\s]{0,3}(?P<v>(?=[A-Za-z\- ]{0,4}[0-9])[A-Za-z0-9][A-Za-z0-9\- ]{4,22}[A-Za-z0-9])",
        Kind.INSURANCE_NUMBER,
        0.85,
        re.IGNORECASE,
    ),
    rule(
        r"(?<![A-Za-z0-9])No[.:][ :]{0,2}(?P<v>(?=[A-Za-z\-]{0,8}[0-9]{3})[A-Za-z0-9][A-Za-z0-9\-]{4,23})",
        Kind.RECORD_NUMBER,
        0.7,
        re.IGNORECASE,
    ),
    rule(r"(?<![A-Za-z])ID[ ]{1,2}(?P<v>[0-9]{6,20})(?![0-9])", Kind.RECORD_NUMBER, 0.85),
    rule(
        r"[\u4e00-\u9fa5]{1,3}(?<![型批符信])号(?:码)?[:是为 ]{0,2}(?P<v>[A-Za-z]{0,4}-?[0-9][A-Za-z0-9\-]{4,23})(?![0-9A-Za-z])",
        Kind.RECORD_NUMBER,
        0.8,
    ),
    rule(
        r"(?<![A-Za-z])(?:account|policy|insurance|member(?:ship)?|record|chart|case|reference|ref|file|licen[cs]e|certificate|id|passport)"
        r"(?: id| number| no\.?| card)?(?: is| was)?[\s:#]{1,2}(?P<v>(?=(?:[A-Za-z\- ]{0,6}[0-9]){4})[A-Z0-9][A-Za-z0-9\-]{1,12}(?:[ \-][A-Z0-9]{2,6}){0,4})(?![A-Za-z0-9])",
        Kind.RECORD_NUMBER,
        0.8,
        re.IGNORECASE,
    ),
)
_HANDLE = re.compile(
    r"(?:抖音|快手|小红书|微博|[Bb]站|公众号|知乎|贴吧|微信名|微信昵称|网名|昵称|用户名|登录名|登录账号|账号|帐号|微信)"
    r"(?:号|名|[Ii][Dd]|上|也|我|都|同名|账号|昵称)?(?P<cue>[:是为叫@ ]{0,4})"
    r"(?P<v>@?[\u4e00-\u9fa5A-Za-z0-9_.\-]{3,24})"
)


def _handles(source: str) -> Iterator[Match]:
    """Yield nicknames of platforms: with figures or letters in them, or behind a clear cue."""
    for found in _HANDLE.finditer(source):
        value = found.group("v")
        mixed = any(c.isdecimal() for c in value)
        cued = bool(set(found.group("cue")) & set(":叫@")) or value.startswith("@")
        if mixed or (cued and len(value) <= _LONGEST_NICKNAME) or (value.isascii() and cued):
            yield Match(found.start("v"), found.end("v"), Kind.ACCOUNT, 0.75)


_LONGEST_NICKNAME = 10


def find(text: Shadow) -> Iterator[Match]:
    """Yield phones, addresses of the net, accounts and record numbers."""
    yield from run((*_PHONES, *_ONLINE, *_CARE), text)
    yield from _handles(text.text)
