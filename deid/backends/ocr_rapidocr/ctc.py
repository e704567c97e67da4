"""From the recogniser's time steps to characters and where each stands along its line.

The recogniser gives, for each step of eight pixels, a probability for every character and for
"blank" (connectionist temporal classification, Graves et al. 2006).  A character's step is close to
its middle; its edges follow from the distance to its neighbours and from how wide it usually is.
All positions here are in steps from the left end of the line.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

_BLANK = 0
_NARROW = frozenset("ijltf1I.,:;'`|!()[]-·")
_WIDE_SHARE, _LATIN_SHARE, _NARROW_SHARE = 1.0, 0.56, 0.36
_ROOM = 1.3
"""How far a character may reach beyond its usual width where no neighbour limits it."""
_SPACE_SEEN = 0.12
"""Probability from which an unchosen space between Latin letters or digits is one."""
_SPACE_GAP = 0.75
"""An empty stretch of this share of a Hanzi's width is a space."""
_SINGLE = 4.5
"""Steps of a Hanzi where a line has no second character to measure by."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character with its extent ``start`` to ``end`` and the probability of its step."""

    text: str
    start: float
    end: float
    score: float


@dataclass(frozen=True, slots=True)
class _Peak:
    text: str
    middle: float
    score: float


def glyphs_of(steps: NDArray[np.float32], alphabet: Sequence[str], length: float) -> list[Glyph]:
    """Return the characters of a line of ``length`` steps, from left to right, spaces included.

    ``steps`` holds one row of probabilities per step; column 0 is "blank" and column n the
    character ``alphabet[n]``.  Steps beyond ``length`` are padding.
    """
    peaks = _peaks(steps[: max(1, int(np.ceil(length)))], alphabet)
    if not peaks:
        return []
    pitch = _pitch(peaks)
    return _placed(_spaced(peaks, steps, alphabet, pitch), pitch, length)


def _peaks(steps: NDArray[np.float32], alphabet: Sequence[str]) -> list[_Peak]:
    """Return each run of one best character as one character, in the middle of its run."""
    best = steps.argmax(axis=1)
    edges = [0, *(np.nonzero(np.diff(best))[0] + 1).tolist(), len(best)]
    return [
        _Peak(alphabet[best[start]], (start + end) / 2, float(steps[start:end, best[start]].max()))
        for start, end in pairwise(edges)
        if best[start] != _BLANK
    ]


def _width(text: str) -> float:
    """Return how wide a character usually is, as a share of a Hanzi."""
    if unicodedata.east_asian_width(text[0]) in "WF":
        return _WIDE_SHARE
    return _NARROW_SHARE if text[0] in _NARROW else _LATIN_SHARE


def _pitch(peaks: Sequence[_Peak]) -> float:
    """Return the steps that a Hanzi takes in this line."""
    found = [
        (b.middle - a.middle) / ((_width(a.text) + _width(b.text)) / 2)
        for a, b in pairwise(peaks)
        if not a.text.isspace() and not b.text.isspace()
    ]
    return median(found) if found else _SINGLE


def _spaced(
    peaks: Sequence[_Peak], steps: NDArray[np.float32], alphabet: Sequence[str], pitch: float
) -> list[_Peak]:
    """Put a space where the recogniser half saw one, or where nothing stands."""
    space = next((n for n in range(len(alphabet) - 1, 0, -1) if alphabet[n] == " "), None)
    found = list(peaks[:1])
    for before, after in pairwise(peaks):
        if not before.text.isspace() and not after.text.isspace():
            between = steps[int(before.middle) : int(after.middle) + 1]
            seen = float(between[:, space].max()) if space is not None and len(between) else 0.0
            latin = before.text.isascii() and after.text.isascii()
            gap = after.middle - before.middle
            gap -= pitch * (_width(before.text) + _width(after.text)) / 2
            if (latin and seen > _SPACE_SEEN) or gap > _SPACE_GAP * pitch:
                found.append(_Peak(" ", (before.middle + after.middle) / 2, max(seen, 0.5)))
        found.append(after)
    return found


def _placed(peaks: Sequence[_Peak], pitch: float, length: float) -> list[Glyph]:
    """Give each character its edges: the neighbour's, or its usual width where none is near."""
    cuts = [
        a.middle + (b.middle - a.middle) * _width(a.text) / (_width(a.text) + _width(b.text))
        for a, b in pairwise(peaks)
    ]
    placed = []
    for number, peak in enumerate(peaks):
        reach = pitch * _width(peak.text) / 2 * _ROOM
        left = 0.0 if number == 0 else cuts[number - 1]
        right = length if number == len(peaks) - 1 else cuts[number]
        if not peak.text.isspace():
            left = left if peak.middle - left < reach + pitch / 2 else peak.middle - reach
            right = right if right - peak.middle < reach + pitch / 2 else peak.middle + reach
        placed.append(Glyph(peak.text, max(left, 0.0), max(min(right, length), left), peak.score))
    return placed
