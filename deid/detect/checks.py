"""Check characters: they raise a score and never gate, for invented and mistyped ids are ids too."""

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CHECKS = "10X98765432"
_LUHN_DOUBLE = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)


def resident_check(number: str) -> bool:
    """Say whether the check character of an 18-character resident id is right (GB 11643)."""
    digits = [c for c in number.upper().replace("×", "X") if c.isdecimal() or c == "X"]
    if len(digits) != len(_WEIGHTS) + 1 or "X" in digits[:-1]:
        return False
    total = sum(int(d) * w for d, w in zip(digits, _WEIGHTS, strict=False))
    return _CHECKS[total % len(_CHECKS)] == digits[-1]


def luhn(number: str) -> bool:
    """Say whether a card number passes the Luhn check (ISO/IEC 7812-1)."""
    digits = [int(c) for c in number if c.isdecimal()]
    doubled = (_LUHN_DOUBLE[d] for d in digits[-2::-2])
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0
