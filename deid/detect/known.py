"""What a case is known to hold: its deny-list, searched in every text of the case.

Columns, certain findings, headers, codes and reviewers give values; they are found again however
they are typed (width, spaces, dashes, case), and the given name of a known person by itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from pypinyin import lazy_pinyin

from deid.detect.lexicons import common, compound_surnames, surnames, words
from deid.detect.names_guard import holds_sentence
from deid.detect.shadow import shadow
from deid.schema import Finding, Kind, Span, TextPart
from deid.spans import Shadow

Known = tuple[str, Kind]

CERTAIN = 0.8
"""Findings from this score on give values to the deny-list."""
_NAMES = frozenset({Kind.NAME, Kind.DOCTOR_NAME, Kind.RELATIVE_NAME})
_SPREADING = _NAMES | {
    Kind.RESIDENT_ID,
    Kind.PERMIT,
    Kind.PASSPORT,
    Kind.MILITARY_ID,
    Kind.LICENCE,
    Kind.GOVERNMENT_ID,
    Kind.PHONE,
    Kind.EMAIL,
    Kind.ADDRESS,
    Kind.ACCOUNT,
    Kind.ORDER_ID,
    Kind.BANK_CARD,
    Kind.RECORD_NUMBER,
    Kind.INSURANCE_NUMBER,
    Kind.SPECIMEN_NUMBER,
    Kind.PLATE,
    Kind.HOSPITAL,
    Kind.DEVICE_ID,
}
_SHORTEST_NUMBER = 5
_NEVER_MEASURED = 8
"""A number of this many digits is no measurement, wherever a point stands in it."""
_HANZI_NAME = re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0003134f]{2,4}")
_LATIN_NAME = re.compile(r"[A-Za-zÀ-ÿ'’\-]{2,}(?:[ ,^]+[A-Za-zÀ-ÿ'’.\-]+)+")
_DOTS = r"[·•・.]"
_DOTTED_NAME = re.compile(rf"[\u4e00-\u9fff]{{1,8}}(?:{_DOTS}[\u4e00-\u9fff]{{1,10}}){{1,4}}")
_BETWEEN = r"[\s.\-·_*^]{0,2}"
_EXACT, _GIVEN = 0.95, 0.6
_COMMON = frozenset("patient doctor name unknown test male female none null anonymous".split())


class KnownValues:
    """A `deid.ports.TextDetector` over a case's known values."""

    name = "known"

    def __init__(self, values: Iterable[Known]) -> None:
        """Compile one pattern for all values; the longest are tried first."""
        wanted: dict[str, tuple[Kind, float]] = {}
        for value, kind in values:
            for pattern, score in _patterns(shadow(value).text.strip(), kind):
                if pattern not in wanted or wanted[pattern][1] < score:
                    wanted[pattern] = (kind, score)
        ordered = sorted(wanted, key=len, reverse=True)
        self._kinds = [wanted[pattern] for pattern in ordered]
        joined = "|".join(f"({pattern})" for pattern in ordered)
        self._pattern = re.compile(joined, re.IGNORECASE) if ordered else None

    def detect(self, parts: Sequence[TextPart]) -> list[Finding]:
        """Return a finding for each place where a value stands."""
        if self._pattern is None:
            return []
        return [finding for part in parts for finding in self._found(part, shadow(part.text))]

    def _found(self, part: TextPart, text: Shadow) -> Iterator[Finding]:
        at = 0
        while self._pattern is not None and (hit := self._pattern.search(text.text, at)):
            kind, score = self._kinds[(hit.lastindex or 1) - 1]
            start, end = text.original(hit.start(), hit.end())
            yield Finding(Span(part.id, start, end), kind, score, self.name)
            at = max(hit.end(), at + 1)


def _patterns(value: str, kind: Kind) -> Iterator[tuple[str, float]]:
    """Yield (pattern, score) of each way in which a value may be written."""
    bare = re.sub(_BETWEEN + r"(?=\S)", "", value) if kind not in _NAMES else value
    if kind in _NAMES:
        yield from _name_patterns(value)
    elif kind is Kind.HOSPITAL:
        yield from _hospital_patterns(value)
    elif len(bare) >= _SHORTEST_NUMBER and bare.lower() not in _COMMON:
        guard = (r"(?<![0-9A-Za-z])", r"(?![0-9A-Za-z])") if bare.isascii() else ("", "")
        if bare.isdecimal():  # 12345 is neither 12345.6 nor 0.12345, and no short one is 12.345
            guard = (r"(?<![0-9A-Za-z])(?<![0-9]\.)", r"(?![0-9A-Za-z]|\.[0-9])")
            if len(bare) < _NEVER_MEASURED:
                guard = (guard[0] + r"(?![0-9]{1,7}\.[0-9]{1,7}(?![0-9.]))", guard[1])
        yield guard[0] + _loose(bare) + guard[1], _EXACT


def _pinyin_patterns(name: str) -> Iterator[tuple[str, float]]:
    """Yield a Chinese name in pinyin, as devices and passports write it, in both orders."""
    syllables = lazy_pinyin(name)
    if not all(s.isascii() and s.isalpha() for s in syllables):
        return
    length = 2 if name[:2] in compound_surnames() else 1
    read = "|".join(s for s in (syllables[0], _AS_SURNAME.get(name[0], "")) if s)
    joint = r"[\s\-']?"
    surname = _umlaut(joint.join([f"(?:{read})", *syllables[1:length]]))
    given = _umlaut(joint.join(syllables[length:]))
    if given:
        for first, second in ((surname, given), (given, surname)):
            yield rf"(?<![A-Za-z]){first}[\s,^.·]{{0,3}}{second}(?![a-z])", _EXACT


_AS_SURNAME = dict(
    pair.split(":")
    for pair in "单:shan 曾:zeng 解:xie 仇:qiu 查:zha 任:ren 朴:piao 盖:ge 区:ou 覃:qin 缪:miao 种:chong 员:yun 尉:yu 万:mo 乐:yue 华:hua 宁:ning 洗:xian 冼:xian 召:shao 繁:po 翟:zhai 秘:bi 折:she".split()
)
"""How a character is read as a surname, where that differs from its usual reading."""


def _umlaut(pinyin: str) -> str:
    """Allow every way of writing the ü that a keyboard does not have (LV, LYU, LU, LÜ)."""
    return pinyin.replace("v", "(?:v|yu|u|ü)")


_BRANCHES = (
    ("第一", "一院"),
    ("第二", "二院"),
    ("第三", "三院"),
    ("第四", "四院"),
    ("第五", "五院"),
    ("第六", "六院"),
    ("妇幼", "妇幼"),
    ("妇产", "妇产"),
    ("儿童", "儿童"),
    ("眼科", "眼科"),
    ("口腔", "口腔"),
    ("肿瘤", "肿瘤"),
    ("中医", "中医院"),
    ("人民", "人医"),
    ("中心", "中心医院"),
)
_PLACE = re.compile(r"(?:[\u4e00-\u9fff]{2,3}省)?(?P<city>[\u4e00-\u9fff]{2,3})[市县区]?")
_LATIN_TAIL = re.compile(
    r"\s+(?:Hospital|Clinic|Medical Cent(?:er|re)|Health Cent(?:er|re))$", re.IGNORECASE
)


def _hospital_patterns(value: str) -> Iterator[tuple[str, float]]:
    """Yield a hospital's full name and the short ones that people make of it."""
    if len(value) > 3:
        yield _loose(value), _EXACT
    if value.isascii():
        short = _LATIN_TAIL.sub("", value)
        if short != value and len(short) > _SHORTEST_NUMBER:
            yield rf"(?<![A-Za-z]){re.escape(short)}(?![A-Za-z])", _EXACT
        return
    place = _PLACE.match(value)
    for long, short in _BRANCHES if place else ():
        if place and long in value[place.end("city") :]:
            yield re.escape(place["city"][:2]) + "[市县区]?" + re.escape(short), _EXACT
            yield re.escape(place["city"][:1] + short), _EXACT


def _loose(value: str) -> str:
    return _BETWEEN.join(re.escape(c) for c in value if not c.isspace())


def _name_patterns(value: str) -> Iterator[tuple[str, float]]:
    compact = "".join(value.split())
    if _HANZI_NAME.fullmatch(compact):
        yield _loose(compact), _EXACT
        yield from _pinyin_patterns(compact)
        surname = 2 if compact[:2] in compound_surnames() else int(compact[0] in surnames())
        given = compact[surname:]
        if surname and len(given) == 2 and given not in common() and not holds_sentence(given):
            yield re.escape(given), _GIVEN
    elif _LATIN_NAME.fullmatch(value):
        yield from _latin_patterns(value)
    elif _DOTTED_NAME.fullmatch(compact):
        yield _loose(compact), _EXACT
        for piece in re.split(_DOTS, compact):
            if len(piece) > 1 and piece not in common() and not holds_sentence(piece):
                yield re.escape(piece), _GIVEN
    elif len(compact) > 1 and compact.lower() not in _COMMON:
        letters = ("(?<![A-Za-z])", "(?![A-Za-z])") if compact.isascii() else ("", "")
        loose = _loose(value)
        if compact.isascii() and len(compact) < _SHORTEST_NUMBER:
            written = "|".join(map(re.escape, sorted(_capitalised(compact))))
            loose = rf"(?-i:{written})"
        yield letters[0] + loose + letters[1], _EXACT


def _latin_patterns(value: str) -> Iterator[tuple[str, float]]:
    """Yield a name in Latin letters in both orders, and its longer parts by themselves."""
    pieces = [p for p in re.split(r"[ ,^]+", value) if p.strip(".")]
    forward, backward = (r"[\s,^.]{1,3}".join(map(_latin, o)) for o in (pieces, pieces[::-1]))
    yield rf"(?<![A-Za-z]){forward}(?![A-Za-z])", _EXACT
    yield rf"(?<![A-Za-z]){backward}(?![A-Za-z])", _EXACT
    yield rf"(?<![A-Za-z]){''.join(map(_latin, pieces))}(?![A-Za-z])", _EXACT
    for piece in pieces:
        if len(piece) > 3 and piece.lower() not in _COMMON:
            written = "|".join(map(_latin, sorted(_capitalised(piece))))
            yield rf"(?<![A-Za-z])(?-i:{written})(?![A-Za-z])", _GIVEN


def _latin(piece: str) -> str:
    return re.escape(piece).replace("’", "'").replace("'", "['’]")


def _capitalised(piece: str) -> set[str]:
    """Return a part of a name as names are written: never in small letters, which are words."""
    small = piece.islower()
    return {piece.capitalize(), piece.upper(), piece.title(), *([] if small else [piece])}


def collect(parts: Sequence[TextPart], findings: Sequence[Finding]) -> list[Known]:
    """Return the values that certain findings give to the deny-list.

    Where two findings disagree about what a value is, the surer one is believed.
    """
    texts = {part.id: part.text for part in parts}
    values: dict[str, tuple[float, Kind]] = {}
    for finding in findings:
        where = finding.where
        sure = finding.score >= CERTAIN and finding.kind in _SPREADING
        if sure and isinstance(where, Span) and where.part in texts:
            value = texts[where.part][where.start : where.end].strip()
            claim = (finding.score, finding.kind)
            if _spreads(value, finding.kind) and claim > values.get(value, (0.0, finding.kind)):
                values[value] = claim
    return sorted((value, kind) for value, (_, kind) in values.items())


def _spreads(value: str, kind: Kind) -> bool:
    if kind in _NAMES:
        return len(value) > 1 and "*" not in value and "某" not in value and value not in words()
    return len(value) >= _SHORTEST_NUMBER
