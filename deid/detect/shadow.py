"""The shadow of a text: what detectors read, with the way back to the original offsets.

Width, circled digits, ligatures, invisible characters, look-alike letters and the traditional forms
of label words are evened out, so that one rule covers all ways of typing.  Numbers keep their
separators: rules for numbers allow them.
"""

import re
import unicodedata
from functools import lru_cache

from deid.spans import Shadow

# Nothing in a text of these characters alone changes: most Chinese and ASCII text.
_PLAIN = re.compile(r"[\x09\x0a\x20-\x7e\u4e00-\u9fa5、。《》“”·—]*")
_LOOKALIKE = str.maketrans(
    "АВЕКМНОРСТХаеорсухΑΒΕΖΗΙΚΜΝΟΡΤΥΧοіѕј",
    "ABEKMHOPCTXaeopcyxABEZHIKMNOPTYXoisj",
)
_SIMPLE = str.maketrans(
    "電話號證醫師護院單門診檢驗報時間網帳賬戶聯繫緊關係產婦兒媽爺親屬歲"
    "個們這說劉陳張楊黃趙吳孫馬馮鄧許韓蕭葉蔣蘇呂盧鍾薑譚陸貝賈韋鄒閻龍賀顧錢嚴齊龐顏倪莊聶魯歐陽趙鄭"
    "區縣鎮鄉莊樓層東廣國學校館廠務縣體溫壓藥劑處開復術別齡婚職業診斷療",
    "电话号证医师护院单门诊检验报时间网帐账户联系紧关系产妇儿妈爷亲属岁"
    "个们这说刘陈张杨黄赵吴孙马冯邓许韩萧叶蒋苏吕卢钟姜谭陆贝贾韦邹阎龙贺顾钱严齐庞颜倪庄聂鲁欧阳赵郑"
    "区县镇乡庄楼层东广国学校馆厂务县体温压药剂处开复术别龄婚职业诊断疗",
)
_DROPPED = frozenset("\ufe0e\ufe0f\u20e3\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")


def shadow(text: str) -> Shadow:
    """Return the shadow of ``text``.

    A shadow point maps to the code point it came from and the marks that sit on that: a keycap, a
    variation selector, an accent, a stroke through a digit.
    """
    if _PLAIN.fullmatch(text):
        return Shadow(text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for index, character in enumerate(text):
        even = _even(character)
        if not even and ends and ends[-1] == index and _is_mark(character):
            ends[-1] = index + 1
        out.append(even)
        starts += [index] * len(even)
        ends += [index + 1] * len(even)
    return Shadow("".join(out), tuple(starts), tuple(ends))


@lru_cache(maxsize=4096)
def _even(character: str) -> str:
    """Return what stands for one code point: nothing for what cannot be seen."""
    if character in _DROPPED or unicodedata.category(character) == "Cf" or _is_mark(character):
        return ""
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    if character in "\r\v\f\u0085\u2028\u2029":
        return "\n" if character != "\r" else " "
    if character == "\u3000" or unicodedata.category(character) == "Zs":
        return " "
    even = unicodedata.normalize("NFKC", character)
    return even.translate(_LOOKALIKE).translate(_SIMPLE)


def _is_mark(character: str) -> bool:
    """Say whether a code point sits on the one before it."""
    return unicodedata.category(character) in {"Mn", "Me"}
