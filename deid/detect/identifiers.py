"""Numbers that a state, a bank or a profession gives to people and things.

A check digit only raises the score and never gates: in public sets nine of ten invented ids have a
wrong one, and are still ids.  Shapes and weights: GB 11643 (resident id), GB 32100 (unified social
credit code), ISO/IEC 7812 (bank cards).
"""

import re
from collections.abc import Iterator

from deid.detect import digits
from deid.detect.checks import luhn, resident_check
from deid.detect.match import Match
from deid.detect.rules import COLON, rule, run, spaced
from deid.schema import Kind
from deid.spans import Shadow

_S = r"[ \t\n.\-·–—_]{0,2}"

_RESIDENT = re.compile(
    rf"(?<![0-9A-Za-z])[1-9][0-9]{{5}}{_S}(?:18|19|20)[0-9]{{2}}{_S}(?:0[1-9]|1[0-2]){_S}"
    rf"(?:0[1-9]|[12][0-9]|3[01]){_S}[0-9]{{3}}{_S}[0-9Xx×](?![0-9])"
)
_RESIDENT_LOOSE = re.compile(
    r"(?<![0-9A-Za-z])[1-9](?:[ \t\-.]?[0-9]){16}[ \t\-.]?[0-9Xx×](?![0-9])"
)
_RESIDENT_OLD = re.compile(
    r"(?<![0-9A-Za-z.])[1-9][0-9]{5}[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[0-9]{3}"
    r"(?![0-9.])"
)
_CARD = re.compile(r"(?<![0-9A-Za-z.])(?:62|4|5[1-5]|35|37|9)(?:[ -]?[0-9]){11,17}(?![0-9.])")
_STARRED = r"[0-9]{3,10}[*＊xX•●]{3,14}[0-9]{0,4}[0-9Xx]"

_ID_LABEL = spaced(
    "身份证号码 身份证号 身份证 证件号码 证件号 公民身份号码 ID号 身份号码 身分证 居民身份证 居住证号"
)
_PLATE = r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使]"

_RULES = (
    rule(
        rf"{_ID_LABEL}{COLON}(?P<v>[0-9A-Za-z](?:[ \-]?[0-9A-Za-z*]){{5,19}})",
        Kind.RESIDENT_ID,
        0.95,
    ),
    rule(rf"(?<![0-9A-Za-z])(?P<v>{_STARRED})(?![0-9A-Za-z])", Kind.RESIDENT_ID, 0.6),
    rule(
        r"(?<![0-9A-Za-z])(?P<v>[A-Z]{0,3}[0-9A-Z]{1,10}[*•●]{2,14}[0-9]{0,8}[0-9A-Z](?:\([0-9A]\))?)(?![0-9A-Za-z])",
        Kind.GOVERNMENT_ID,
        0.6,
    ),
    rule(r"(?<![0-9A-Za-z])(?P<v>(?=[0-9*]{11}(?![0-9*]))1[3-9][0-9*]{9})", Kind.PHONE, 0.7),
    rule(r"(?<![0-9A-Za-z])(?P<v>[HM][0-9]{8}(?:[0-9]{2})?)(?![0-9A-Za-z])", Kind.PERMIT, 0.6),
    rule(r"(?<![0-9A-Za-z])(?P<v>[A-Z]{1,2}[0-9]{6}\([0-9A]\))", Kind.PERMIT, 0.8),
    rule(r"(?<![0-9A-Za-z])(?P<v>[A-Z][12][0-9]{8})(?![0-9A-Za-z])", Kind.PERMIT, 0.6),
    rule(
        spaced(
            "回乡证 港澳通行证 台胞证 通行证 台湾通行证 居留许可 永久居留证 港澳居民来往内地通行证"
        )
        + r"(?:号码?|证号)?"
        + COLON
        + r"(?P<v>[A-Za-z]{0,3}[0-9*]{7,15}|[A-Za-z](?: [0-9]){7,12})",
        Kind.PERMIT,
        0.95,
    ),
    rule(
        r"(?<![0-9A-Za-z])(?P<v>[EGDSP](?:[0-9]{8}|[A-HJ-NP-Z][0-9]{7}))(?![0-9A-Za-z])",
        Kind.PASSPORT,
        0.6,
    ),
    rule(
        r"(?:护照(?:号码?)?|(?i:passport(?: number| no\.?)?))"
        + COLON
        + r"(?P<v>[A-Za-z]{0,2}[0-9*]{6,9})",
        Kind.PASSPORT,
        0.95,
    ),
    rule(
        r"(?P<v>[军武士文政参后海空北南沈兰成济广]{1,2}字第? ?[0-9]{4,10}号?)",
        Kind.MILITARY_ID,
        0.9,
    ),
    rule(
        spaced("军官证 士兵证 文职证 警官证 残疾证 老年证 学生证 军人证 驾驶证 驾照")
        + r"(?:号码?)?"
        + COLON
        + r"(?P<v>[\u4e00-\u9fa5]{0,3}[A-Za-z0-9]{5,20})",
        Kind.GOVERNMENT_ID,
        0.9,
    ),
    rule(
        spaced(
            "执业证书编号 执业证书号 执业证号 资格证书号 资格证号 医师资格证 医师证号 执业证 医师编码"
        )
        + r"(?:编号|号码|号)?"
        + COLON
        + r"(?P<v>[A-Za-z]{0,2}[0-9]{5,27})",
        Kind.LICENCE,
        0.95,
    ),
    rule(
        r"(?:统一社会信用代码|信用代码|税号|纳税人识别号)"
        + COLON
        + r"(?P<v>[0-9A-Z](?:[ \-]?[0-9A-Z*]){14,19})",
        Kind.ORGANISATION_CODE,
        0.95,
    ),
    rule(
        r"(?<![0-9A-Za-z])(?P<v>(?=[0-9]{2,17}[A-Z])[15Y9][1239][0-9]{6}[0-9A-HJ-NPQRTUWXY]{9}[0-9A-HJ-NPQRTUWXY])"
        r"(?![0-9A-Za-z])",
        Kind.ORGANISATION_CODE,
        0.7,
    ),
    rule(r"组织机构代码" + COLON + r"(?P<v>[0-9A-Z]{8}-?[0-9X])", Kind.ORGANISATION_CODE, 0.95),
    rule(
        spaced("银行卡号 银行卡 卡号 储蓄卡 信用卡 账号 账户 工行卡 建行卡 农行卡")
        + COLON
        + r"(?P<v>[0-9](?:[ -]?[0-9]){11,20})",
        Kind.BANK_CARD,
        0.9,
    ),
    rule(
        r"(?<![0-9*])(?P<v>(?=[0-9 \-]{4,10}[*•●])[0-9]{4}(?:[ \-]?[0-9*•●]{4}){2,3}(?:[ \-]?[0-9]{1,4})?)(?![0-9*•●])",
        Kind.BANK_CARD,
        0.7,
    ),
    rule(
        rf"(?P<v>{_PLATE}[A-HJ-Z][ ·.\-]?(?:(?=[A-Z0-9]{{0,5}}\*)[A-HJ-NP-Z0-9*]{{5,6}}|[A-HJ-NP-Z0-9]{{5}}[DF警学挂港澳领]?|[DF][A-HJ-NP-Z0-9][0-9]{{4}}))(?![0-9A-Za-z])",
        Kind.PLATE,
        0.9,
    ),
    rule(r"(?P<v>WJ ?[\u4e00-\u9fa5]?[0-9]{4,5}[A-Z0-9])(?![0-9A-Za-z])", Kind.PLATE, 0.8),
    rule(
        r"(?:车架号|VIN|车辆识别代号)" + COLON + r"(?P<v>[A-HJ-NPR-Z0-9]{17})",
        Kind.VEHICLE_ID,
        0.95,
    ),
    rule(
        r"(?<![0-9A-Za-z])(?P<v>L[A-HJ-NPR-Z]{2}[A-HJ-NPR-Z0-9]{8}[A-HJ-NPR-Z0-9][0-9]{5})(?![0-9A-Za-z])",
        Kind.VEHICLE_ID,
        0.8,
    ),
    rule(
        r"(?:IMEI|MEID|(?i:serial(?: number| no\.?)?|s/n)|序列号|设备号|机身号|设备编号|仪器编号)"
        + COLON
        + r"(?P<v>[A-Za-z0-9][A-Za-z0-9\-*]{4,24}|[0-9](?: [0-9]){7,20})",
        Kind.DEVICE_ID,
        0.9,
    ),
    rule(r"(?<![0-9-])(?P<v>[0-9]{3}-[0-9]{2}-[0-9]{4})(?![0-9-])", Kind.GOVERNMENT_ID, 0.8),
    rule(
        r"(?i:\bSSN\b|social security(?: number| no\.?)?)"
        + COLON
        + r"(?P<v>[0-9][0-9 \-]{6,12}[0-9])",
        Kind.GOVERNMENT_ID,
        0.95,
    ),
    rule(
        r"(?i:driver'?s? licen[cs]e|licen[cs]e(?: number| no\.?| plate)?|certificate(?: number| no\.?)|DEA|NPI)"
        r"(?i:\s*(?:number|no\.?|#)?)"
        + COLON
        + r"(?P<v>(?=[A-Z0-9\-]*[0-9])[A-Z0-9][A-Z0-9\-]{4,19})",
        Kind.LICENCE,
        0.85,
    ),
)

_SPELT = re.compile(
    r"(?<![A-Za-z0-9])[A-Z0-9](?:([ .\-·])[A-Z0-9]){6,17}(?: ?\( ?[0-9A] ?\))?(?![A-Za-z0-9])"
)
_LETTERED = (Kind.PERMIT, Kind.PASSPORT, Kind.VEHICLE_ID, Kind.ORGANISATION_CODE)


def find(text: Shadow) -> Iterator[Match]:
    """Yield government, bank, vehicle and device numbers."""
    for pattern, base in ((_RESIDENT, 0.9), (_RESIDENT_LOOSE, 0.75), (_RESIDENT_OLD, 0.6)):
        for found in pattern.finditer(text.text):
            score = 0.99 if resident_check(found.group()) else base
            yield Match(found.start(), found.end(), Kind.RESIDENT_ID, score)
    for found in _CARD.finditer(text.text):
        if luhn(found.group()):
            yield Match(found.start(), found.end(), Kind.BANK_CARD, 0.85)
    yield from run(_RULES, text)
    yield from digits.find(text)
    yield from _spelt(text.text)


def _spelt(source: str) -> Iterator[Match]:
    """Yield ids with letters that are spelt out, one character after another."""
    for found in _SPELT.finditer(source):
        at = [found.start() + m.start() for m in _LETTER.finditer(found.group())]
        bare = "".join(_LETTER.findall(found.group()))
        for first in range(min(_STRAY, len(bare))):
            kinds = [
                r.kind for r in _RULES if r.kind in _LETTERED and r.pattern.fullmatch(bare[first:])
            ]
            if kinds:
                yield Match(at[first], found.end(), kinds[0], 0.7)
                break


_LETTER = re.compile(r"[A-Z0-9()]")
_STRAY = 3
"""A letter or two of the sentence may stand in front of what is spelt out."""
