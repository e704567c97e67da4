"""Stand-ins for what is taken away: placeholders, pseudonyms, date shifts, UIDs.

Keyed stand-ins are a function of a secret key and the value (HMAC-SHA256), so that the same thing
gets the same stand-in within a project and another one under another key, without a stored table.
The key is the way back: while it exists the output is pseudonymous, not anonymous (PIPL art. 4).
"""

import base64
import hmac
from collections.abc import Mapping
from types import MappingProxyType

from deid.schema import CaseId, Kind, PatientKey

LABELS: Mapping[Kind, str] = MappingProxyType(
    {
        Kind.NAME: "NAME",
        Kind.DOCTOR_NAME: "NAME",
        Kind.RELATIVE_NAME: "NAME",
        Kind.RESIDENT_ID: "ID",
        Kind.PERMIT: "ID",
        Kind.PASSPORT: "ID",
        Kind.MILITARY_ID: "ID",
        Kind.LICENCE: "ID",
        Kind.GOVERNMENT_ID: "ID",
        Kind.ORGANISATION_CODE: "ORGANISATION_CODE",
        Kind.INSTITUTION: "ORGANISATION",
        Kind.IP_ADDRESS: "IP",
        Kind.UNKNOWN: "REMOVED",
        Kind.METADATA: "REMOVED",
    }
)
"""Placeholder words that differ from the kind's own name (paper A.2: [NAME], [PHONE], ...)."""


def placeholder(kind: Kind, number: int | None = None) -> str:
    """Return the typed placeholder of a kind, ``[NAME]`` or numbered ``[NAME_2]``."""
    word = LABELS.get(kind, kind.upper())
    return f"[{word}]" if number is None else f"[{word}_{number}]"


def generalised(kind: Kind, text: str) -> str:
    """Return a coarser value for ``text``; what has no coarser form becomes its placeholder.

    Ages from 90 on become "90+" (HIPAA 164.514(b)(2)(i)(C)); a date keeps its four-digit year.
    """
    if kind is Kind.AGE_OVER_89:
        return "90+"
    if kind is Kind.DATE:
        digits = "".join(str(int(c)) for c in text if c.isdecimal())
        if len(digits) >= 4 and digits[:2] in {"19", "20"}:  # noqa: PLR2004 - four digits of a year
            return f"{int(digits[:4])}年" if "年" in text else digits[:4]
    return placeholder(kind)


def _digest(key: bytes, scope: str, value: str) -> bytes:
    return hmac.digest(key, f"{scope}\x1f{value}".encode("utf-8", "surrogatepass"), "sha256")


def pseudonym(key: bytes, scope: str, value: str, length: int = 12) -> str:
    """Return ``length`` (at most 52) lower-case base-32 characters that stand for ``value``."""
    return base64.b32encode(_digest(key, scope, value)).decode("ascii").lower()[:length]


def case_id(key: bytes, source: str) -> CaseId:
    """Return the pseudonymous identifier of the case that the export calls ``source``."""
    return CaseId(f"c-{pseudonym(key, 'case', source)}")


def patient_key(key: bytes, source: str) -> PatientKey:
    """Return the pseudonymous identifier of the patient that the export calls ``source``."""
    return PatientKey(f"p-{pseudonym(key, 'patient', source)}")


def day_shift(key: bytes, patient: str, most: int) -> int:
    """Return a patient's own date shift in days: not 0, between -``most`` and ``most`` >= 1."""
    number = int.from_bytes(_digest(key, "shift", patient)[:8], "big") % (2 * most)
    return number - most if number < most else number - most + 1


def uid(key: bytes, value: str) -> str:
    """Return the stand-in of a DICOM UID under the 2.25 root (PS3.5 B.2), 44 characters at most."""
    number = int.from_bytes(_digest(key, "uid", value)[:16], "big")
    return f"2.25.{number}"
