"""Write the ordinary words that look like names: words.txt, tails.txt, common.txt (lexicons).

Source: the dictionary of jieba 0.42.1 (MIT).  Kept are words of two to four characters that begin
with a surname, or with 小, 老 or 阿, and that the dictionary does not call a person's name; the
frequent words of two characters that end in a surname; and the frequent words of two characters,
which are never searched for alone when they happen to be somebody's given name.

    python models/generate/guard_words.py path/to/jieba/dict.txt
"""

import sys
from pathlib import Path

LEXICONS = Path(__file__).resolve().parents[2] / "deid" / "data" / "lexicons"
_PERSON = ("nr", "nrt", "nrfg", "ns", "nt", "nz")
_ADDRESSED = ("教授", "医生", "大夫")
"""Behind a surname these make a person of the word, whatever the dictionary says."""
_PAIR, _LONGEST = 2, 4
_COMMON, _FREQUENT, _EVERYDAY = 10, 100, 700
"""Pairs of characters that are rarer than this are often halves of names.

The dictionary calls some everyday words names (明白): from the last figure on they are words."""


def main(dictionary: Path) -> None:
    """Read the dictionary and write the words, sorted, one a line."""
    first = set(LEXICONS.joinpath("surnames.txt").read_text("utf-8")) | set("小老阿")
    words, tails, pairs = set(), set(), set()
    for line in dictionary.read_text("utf-8").splitlines():
        word, count, part = line.split(" ")
        common = len(word) > _PAIR or int(count) >= _COMMON
        ordinary = not part.startswith(_PERSON) and word[1:] not in _ADDRESSED
        if word[0] in first and 1 < len(word) <= _LONGEST and ordinary and common:
            words.add(word)
        if ordinary and len(word) == _PAIR and word[1] in first and int(count) >= _FREQUENT:
            tails.add(word)
        if len(word) == _PAIR and int(count) >= (_FREQUENT if ordinary else _EVERYDAY):
            pairs.add(word)
    for name, found in (("words.txt", words), ("tails.txt", tails), ("common.txt", pairs)):
        LEXICONS.joinpath(name).write_text("\n".join(sorted(found)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
