"""Numbers however they are written: spelt in Hanzi, spaced, split over lines, dotted, keyed as O or l.

One pattern finds runs of digits with short gaps; what a run says is decided on its bare digits, so
that no rule needs to know the ways of hiding a number.  A run with gaps must look like one number
(the same gap throughout, single digits or a usual grouping), because lab values stand in rows too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deid.detect.checks import luhn, resident_check
from deid.detect.match import Match
from deid.schema import Kind
from deid.spans import Shadow

_WRITTEN = {
    **{c: c for c in "0123456789"},
    **dict(zip("零一二三四五六七八九", "0123456789", strict=True)),
    **dict(zip("〇壹贰叁肆伍陆柒捌玖", "0123456789", strict=True)),
    **dict(zip("洞幺两参伍拐捌勾貳陸", "0123578926", strict=True)),
    **dict(zip("OoIl", "0011", strict=True)),
}
_D = "0-9零〇一二三四五六七八九壹贰貳叁参肆伍陆陸柒捌玖洞幺两拐勾"
_GAP = r" \t\n.,\-·/_、—–~|()"
_RUN = re.compile(rf"(?<![{_D}])[{_D}](?:[{_GAP}]{{0,3}}[{_D}OoIl]){{8,}}(?:[{_GAP}]{{0,3}}[Xx×])?")
_GROUP = re.compile(rf"[{_D}OoIlXx×]+")
_DIALLED = re.compile(r"[ \-–()]")
"""Between the groups of a number in any mixture: 0 1 0 - 6 2 3 4."""
_SHORTEST, _LONGEST = 10, 19
_AREA = r"0(?:10|2[0-9]|[3-9][0-9]{2})"
_LANDLINE = re.compile(rf"{_AREA}[2-9][0-9]{{6,7}}|[48]00[0-9]{{7}}")
_MOBILE = re.compile(r"(?:(?:00)?86)?1[3-9][0-9]{9}")
_BIRTH = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
_RESIDENT = re.compile(rf"[1-9][0-9]{{5}}(?:18|19|20)[0-9]{{2}}{_BIRTH}[0-9]{{3}}[0-9X]")
_RESIDENT_OLD = re.compile(rf"[1-9][0-9]{{5}}[0-9]{{2}}{_BIRTH}[0-9]{{3}}")
_CARD = re.compile(r"(?:62|4|5[1-5]|35|37|9)[0-9]{11,17}")
_MOBILE_GROUPS = frozenset(
    {(3, 4, 4), (4, 4, 3), (4, 3, 4), (3, 3, 5), (3, 8), (7, 4), (3, 4, 2, 2), (1, 10), (11,)}
)

_SHAPES = (
    (_RESIDENT, 2, Kind.RESIDENT_ID, 0.85),
    (_CARD, 3, Kind.BANK_CARD, 0.8),
    (_MOBILE, _LONGEST, Kind.PHONE, 0.85),
    (_RESIDENT_OLD, 3, Kind.RESIDENT_ID, 0.6),
    (_LANDLINE, _LONGEST, Kind.PHONE, 0.75),
)
"""What bare digits may be, with the smallest group that they may be written in (19: no groups)."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A group of digits: where it stands in the shadow, and what it says."""

    start: int
    end: int
    digits: str


def find(text: Shadow) -> Iterator[Match]:
    """Yield resident ids, phones and cards, however their digits are written."""
    for run in _RUN.finditer(text.text):
        pieces = [
            _Piece(run.start() + g.start(), run.start() + g.end(), _bare(g.group()))
            for g in _GROUP.finditer(run.group())
        ]
        at = 0
        while at < len(pieces):
            end, match = _longest(text.text, pieces, at)
            if match is not None:
                yield match
            at = end


def _bare(group: str) -> str:
    return "".join("X" if c in "Xx×" else _WRITTEN[c] for c in group)


def _longest(source: str, pieces: Sequence[_Piece], at: int) -> tuple[int, Match | None]:
    """Return the longest number that begins with piece ``at``, and the piece behind it."""
    best: tuple[int, Match | None] = (at + 1, None)
    digits = ""
    gap: str | None = None
    for index in range(at, len(pieces)):
        if index > at:
            between = _DIALLED.sub("", source[pieces[index - 1].end : pieces[index].start])
            gap = between if gap is None else gap
            if between != gap:
                break
        digits += pieces[index].digits
        if len(digits) > _LONGEST:
            break
        if len(digits) >= _SHORTEST:
            groups = tuple(len(piece.digits) for piece in pieces[at : index + 1])
            found = _read(digits, groups, gap or "")
            if found is not None:
                kind, score = found
                match = Match(pieces[at].start, pieces[index].end, kind, score)
                best = (index + 1, match)
    return best


def _read(digits: str, groups: tuple[int, ...], gap: str) -> tuple[Kind, float] | None:
    """Say what a run of bare digits is: nothing unless shape and grouping speak for it."""
    single = set(groups) == {1}
    least = _LONGEST if single or len(groups) == 1 else min(groups)
    split = "\n" in gap and len(groups) == 2 and least >= 2
    for shape, smallest, kind, score in _SHAPES:
        grouped = least >= smallest or split or (kind is Kind.PHONE and groups in _MOBILE_GROUPS)
        if grouped and shape.fullmatch(digits) and (kind is not Kind.BANK_CARD or luhn(digits)):
            return kind, 0.99 if kind is Kind.RESIDENT_ID and resident_check(digits) else score
    return None
