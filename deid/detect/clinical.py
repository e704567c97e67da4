"""Keepers: age, sex, duration, dose and measurements are recognised, so that they stay.

Ages from 90 on are no keepers: the number alone becomes `Kind.AGE_OVER_89`.
"""

import re
from collections.abc import Iterator

from deid.detect.match import Match
from deid.detect.rules import rule, run
from deid.schema import Kind
from deid.spans import Shadow

_N = r"[0-9]{1,12}(?:\.[0-9]{1,6})?"
_ZN = r"[一二两三四五六七八九十百半几数]{1,4}"
_UNIT = (
    r"(?:mg|μg|ug|mcg|g|kg|ml|mL|l|L|IU|iu|U|万?单位|毫克|微克|克|千克|公斤|斤|毫升|升|片|粒|颗|丸|袋|包|支|滴|喷|瓶|贴|"
    r"tablets?|capsules?|pills?|drops?|puffs?|units?)"
)
_MEASURE = (
    r"(?:mmHg|kPa|bpm|次/分|mmol/L|μmol/L|umol/L|g/L|mg/L|mg/dL|ng/mL|pg/mL|U/L|IU/L|IU/mL|mIU/L|fL|pg|fl|"
    r"10\^?[0-9]+/L|×10|cm|mm|m|厘米|毫米|米|℃|°C|度|kg|公斤|斤|%|％|秒|Hz|dB|D|ppm|mEq/L|mSv)"
)
_OLD = re.compile(
    r"(?:(?<![0-9.])(?P<a>(?:9[0-9]|1[0-2][0-9]))(?= ?(?:岁|周岁|虚岁|多岁|余岁|高龄))"
    r"|(?:年龄|(?i:age|aged))[\s:=|]{0,3}(?P<b>(?:9[0-9]|1[0-2][0-9]))(?![0-9.])"
    r"|(?<![0-9.])(?P<c>(?:9[0-9]|1[0-2][0-9]))(?=[ -](?:years?[ -]old|y/?o|yo|yrs?))"
    r"|(?P<d>九十[一二三四五六七八九]?|一百[零〇]?[一二三四五六七八九]?)(?=多?岁))"
)
_AGE = (
    rule(
        r"(?<![0-9.])(?:[1-8]?[0-9])(?:\.5)? ?(?:周岁|虚岁|岁半|多岁|余岁|来岁|岁)(?:零?[0-9]{1,2} ?个?月)?",
        Kind.AGE,
        0.9,
    ),
    rule(
        r"(?:[一二两三四五六七八]?十[一二三四五六七八九]?|[一二两三四五六七八九])(?:周岁|岁半|多岁|岁)",
        Kind.AGE,
        0.85,
    ),
    rule(r"(?<![0-9.])[0-9]{1,2} ?(?:个月大|月龄|月大|天大|日龄)", Kind.AGE, 0.9),
    rule(r"年龄[\s:=|]{0,3}(?P<v>[1-8]?[0-9] ?(?:岁|个?月|天)?)(?![0-9.])", Kind.AGE, 0.9),
    rule(r"(?:aged?)[\s:=]{1,2}(?P<v>[1-8]?[0-9])(?![0-9.])", Kind.AGE, 0.9, re.IGNORECASE),
    rule(
        r"(?<![0-9.])[1-8]?[0-9][ -](?:years?[ -]olds?|y/?o|yrs?(?: old)?|months?[ -]old|weeks?[ -]old)(?![A-Za-z])",
        Kind.AGE,
        0.9,
        re.IGNORECASE,
    ),
)
_OTHER = (
    rule(r"性别[\s:=|]{0,3}(?P<v>男性?|女性?)", Kind.SEX, 0.95),
    rule(r"(?<![一-龥])(?P<v>男性?|女性?)(?![一-龥])", Kind.SEX, 0.8),
    rule(r"(?P<v>[男女])(?=[，, ]{0,2}[0-9]{1,3}岁)", Kind.SEX, 0.9),
    rule(
        r"(?<![A-Za-z])(?:fe)?male(?![A-Za-z])|(?:sex|gender)[\s:=]{1,2}(?P<w>[MF])(?![A-Za-z])",
        Kind.SEX,
        0.9,
        re.IGNORECASE,
    ),
    rule(
        rf"(?<![0-9.月])(?!(?:19|20)[0-9]{{2}}年)(?:{_N}(?:[-~至到]{_N})?|{_ZN})(?: ?多| ?余)? ?(?:天|日|周|个?星期|个?礼拜|个半?月|年半?|个?小时|分钟|个疗程)(?![号期龄生出])(?:前|后|来|以来|左右|余)?",
        Kind.DURATION,
        0.8,
    ),
    rule(
        r"(?:术后|孕|产后|停经|伤后|病程|反复)[第]?[0-9一二三四五六七八九十]{1,3}(?:\+[0-9]|\+)? ?(?:天|周|月|年|个月)?(?:\+[0-9])?",
        Kind.DURATION,
        0.8,
    ),
    rule(
        r"(?:for|past|last|over) (?:the )?(?:past |last )?(?:[0-9]{1,4}|a|an|one|two|three|four|five|six|seven|several|a few|few) (?:days?|weeks?|months?|years?|hours?)|(?<![0-9])[0-9]{1,4}[ -](?:days?|weeks?|months?|years?|hours?)(?![A-Za-z -]*old)",
        Kind.DURATION,
        0.8,
        re.IGNORECASE,
    ),
    rule(
        rf"(?<![0-9.])(?:{_N}|[半一二两三四五六])(?:[-~]{_N})? ?{_UNIT}(?![A-Za-z])(?:/(?:次|日|天|kg|d|day))?",
        Kind.DOSE,
        0.8,
    ),
    rule(
        r"(?:每日|每天|一天|一日|每晚|每次|日)[0-9一二两三四五六]{1,2}(?:[-~][0-9])?(?:次|片|粒|袋|包|支|滴|ml|mg|g)",
        Kind.DOSE,
        0.8,
    ),
    rule(
        r"(?<![A-Za-z])(?:q[0-9]{1,2}h|qd|bid|tid|qid|qn|qod|prn|po|iv|im)(?![A-Za-z])",
        Kind.DOSE,
        0.7,
        re.IGNORECASE,
    ),
    rule(
        rf"(?<![0-9.]){_N}(?:[-~–/×xX*]{_N}){{0,2}} ?{_MEASURE}(?![A-Za-z])", Kind.MEASUREMENT, 0.8
    ),
    rule(r"(?:血压|BP)[\s:]{0,2}[0-9]{2,3}/[0-9]{2,3}", Kind.MEASUREMENT, 0.9),
    rule(
        r"(?:体温|脉搏|心率|呼吸|SpO2|血糖|WBC|RBC|HGB|Hb|PLT|CRP|ALT|AST|白细胞|红细胞|血红蛋白|血小板)[\s:]{0,3}[0-9]+(?:\.[0-9]+)?",
        Kind.MEASUREMENT,
        0.8,
    ),
)


def find(text: Shadow) -> Iterator[Match]:
    """Yield what stays, and ages from 90 on, which do not."""
    for found in _OLD.finditer(text.text):
        name = found.lastgroup or "a"
        start, end = found.span(name)
        yield Match(start, end, Kind.AGE_OVER_89, 0.95)
    yield from run((*_AGE, *_OTHER), text)
