"""Word lists under deid/data/lexicons (sources and licences: the README there)."""

from functools import cache
from importlib import resources


def _read(name: str) -> str:
    return resources.files("deid").joinpath("data", "lexicons", name).read_text("utf-8")


@cache
def surnames() -> frozenset[str]:
    """Return the surnames of one character."""
    return frozenset("".join(_read("surnames.txt").split()))


@cache
def compound_surnames() -> frozenset[str]:
    """Return the surnames of two characters and more."""
    return frozenset(_read("compound_surnames.txt").split())


@cache
def words() -> frozenset[str]:
    """Return ordinary and clinical words that begin like a name and are none."""
    return frozenset(_read("words.txt").split()) | frozenset(_read("clinical.txt").split())


@cache
def tails() -> frozenset[str]:
    """Return common words of two characters that end in a surname (检查, 经常)."""
    return frozenset(_read("tails.txt").split())


@cache
def common() -> frozenset[str]:
    """Return frequent words of two characters: no given name is searched for by one alone."""
    return frozenset(_read("common.txt").split())


@cache
def hospital_nicknames() -> tuple[str, ...]:
    """Return the short names of well-known hospitals, longest first."""
    return tuple(sorted(_read("hospitals.txt").split(), key=len, reverse=True))
