"""Dates that pin a day: in figures, in Chinese numerals, lunar, English, with a time attached.

What only measures time stays: durations, intervals, relative days, gestational weeks.
"""

import re
from collections.abc import Iterator

from deid.detect.match import Match
from deid.detect.rules import rule, run
from deid.schema import Kind
from deid.spans import Shadow

_Y = r"(?:19|20)[0-9]{2}"
_M = r"(?:1[0-2]|0?[1-9])"
_D = r"(?:3[01]|[12][0-9]|0?[1-9])"
_DAY = rf"{_D}(?: ?[日号]|(?! ?[0-9.天周月年个次岁片例]))"
"""The day behind a month in Hanzi: without its 日 it is no count (5月2次) and no year (3月 2024)."""
_ZD = r"[一二三四五六七八九零〇○]"
_ZN = r"[一二三四五六七八九十廿卅]{1,3}"
_TIME = (
    r"(?:[ T,，]{0,2}(?:上午|下午|晚上|早上|中午|凌晨)?[ ]?[0-2]?[0-9](?::[0-5][0-9]){1,2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+\-][0-2][0-9]:?[0-5][0-9])?|[ ]?(?:上午|下午|晚上|早上|中午|凌晨)?[0-2]?[0-9][点时][0-5]?[0-9]?分?)?"
)
_EN = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|"
    r"Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_BIRTH = r"(?:出生日期|出生年月日|出生年月|出生于|出生|生日|生于|(?i:DOB|date of birth|birth ?day|born(?: on)?))"

_RULES = (
    rule(rf"(?<![0-9.])(?P<v>{_Y} ?年 ?{_M} ?月 ?{_DAY}{_TIME})", Kind.DATE, 0.95),
    rule(rf"(?<![0-9.])(?P<v>[0-9]{{2}} ?年 ?{_M} ?月 ?{_D} ?[日号])", Kind.DATE, 0.9),
    rule(
        rf"(?<![0-9.\-/])(?P<v>{_Y} ?([-/.\\]) ?{_M} ?\2 ?{_D}{_TIME})(?![0-9\-/]|\.[0-9])",
        Kind.DATE,
        0.95,
    ),
    rule(
        rf"(?<![0-9.\-/])(?P<v>{_Y}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01]))(?![0-9.\-])",
        Kind.DATE,
        0.6,
    ),
    rule(
        rf"(?<![0-9.\-/A-Za-z])(?P<v>{_Y}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9])?)(?![0-9.])",
        Kind.DATE,
        0.45,
    ),
    rule(
        rf"(?<![0-9.\-/])(?P<v>(?:1[0-2]|0?[1-9])/(?:3[01]|[12][0-9]|0?[1-9])/(?:{_Y}|[0-9]{{2}})(?:{_TIME}))(?![0-9/]|\.[0-9])",
        Kind.DATE,
        0.85,
    ),
    rule(
        rf"(?<![0-9.\-/])(?P<v>(?:3[01]|[12][0-9]|0?[1-9])[/.\-](?:1[0-2]|0?[1-9])[/.\-]{_Y})(?![0-9/]|\.[0-9])",
        Kind.DATE,
        0.85,
    ),
    rule(
        r"(?<![0-9.\-/])(?P<v>(?:1[0-9]|2[0-9]|3[0-5])\.(?:1[0-2]|0?[1-9])\.(?:3[01]|[12][0-9]|0?[1-9]))(?![0-9.])",
        Kind.DATE,
        0.7,
    ),
    rule(rf"(?<![0-9.])(?P<v>{_M} ?月 ?{_D} ?[日号]{_TIME})", Kind.DATE, 0.8),
    rule(
        rf"(?<![0-9.])(?P<v>{_M} ?月 ?(?:3[01]|[12][0-9])(?! ?[0-9天周月个年日号次]))",
        Kind.DATE,
        0.5,
    ),
    rule(rf"(?P<v>{_ZD}(?: ?{_ZD}){{3}} ?年 ?{_ZN} ?月 ?{_ZN}(?: ?[日号])?)", Kind.DATE, 0.95),
    rule(
        rf"(?<![一-龥])(?P<v>(?:一|二|三|四|五|六|七|八|九|十|十一|十二)月(?:初{_ZD}|{_ZN})[日号])",
        Kind.DATE,
        0.8,
    ),
    rule(
        rf"(?P<v>(?:一|二|三|四|五|六|七|八|九|十|十一|十二) ?月 ?{_ZN} ?[日号])", Kind.DATE, 0.75
    ),
    rule(
        r"(?P<v>(?:农历|阴历|旧历)?(?:[甲乙丙丁戊己庚辛壬癸][子丑寅卯辰巳午未申酉戌亥]年)?(?:正|腊|冬|闰?[一二三四五六七八九十]{1,2})月(?:初[一二三四五六七八九十]|十[一二三四五六七八九]|廿[一二三四五六七八九]?|二十[一二三四五六七八九]?|三十|卅|十五))(?![天周个])",
        Kind.DATE,
        0.8,
    ),
    rule(
        rf"(?<![A-Za-z])(?P<v>{_EN}\.? {{0,2}}{_D}(?:st|nd|rd|th)?,? {{0,2}}{_Y}{_TIME})",
        Kind.DATE,
        0.95,
        re.IGNORECASE,
    ),
    rule(
        rf"(?<![0-9A-Za-z])(?P<v>{_D}(?:st|nd|rd|th)? (?:of )?{_EN}\.?,? ?{_Y}{_TIME})",
        Kind.DATE,
        0.95,
        re.IGNORECASE,
    ),
    rule(
        rf"(?<![0-9A-Za-z])(?P<v>{_D}-{_EN}-(?:{_Y}|[0-9]{{2}}))(?![0-9])",
        Kind.DATE,
        0.95,
        re.IGNORECASE,
    ),
    rule(
        rf"(?<![A-Za-z])(?P<v>{_EN}\.? {_D}(?:st|nd|rd|th)?)(?![0-9A-Za-z:]|,? ?(?:mg|ml|times))",
        Kind.DATE,
        0.6,
    ),
    rule(
        rf"(?<![0-9A-Za-z])(?P<v>{_D}(?:st|nd|rd|th)? (?:of )?(?:Jan|Feb|March|Apr|June|July|Aug|Sept?|Oct|Nov|Dec)(?:[a-z]*))(?![A-Za-z])",
        Kind.DATE,
        0.6,
    ),
    rule(
        _BIRTH
        + rf"[\s:=是为|]{{0,4}}(?P<v>{_Y}(?:[年./\-]?{_M}(?:[月./\-]?{_D}日?|月)?)?|[0-9]{{2}}[年./\-]?{_M}[月./\-]?{_D}日?)(?![0-9岁])",
        Kind.DATE,
        0.9,
    ),
    rule(rf"(?<![0-9])(?P<v>{_Y}年{_M}月)(?:出生|生人|生)", Kind.DATE, 0.9),
    rule(rf"(?<![0-9])(?P<v>(?:{_Y}|[0-9]{{2}})年)(?:出生|生人|生的)", Kind.DATE, 0.6),
    rule(
        r"(?:日期|时间|检查日|采样|打印|报告|接收|送检|审核|填写)[日期时间]{0,2}[\s:|]{1,3}(?P<v>(?:1[0-2]|0?[1-9])[-/.](?:3[01]|[12][0-9]|0?[1-9])(?: ?[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?)?)(?![0-9.\-/])",
        Kind.DATE,
        0.8,
    ),
)


def find(text: Shadow) -> Iterator[Match]:
    """Yield full dates; a bare 12-figure run that is no date is left to the numbers."""
    yield from run(_RULES, text)
