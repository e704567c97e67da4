"""Names in Latin letters: by label, title, introduction, degree and kinship.

Two capitalised words that nothing else explains are taken for a name where the text is Chinese:
there they hardly ever are anything else.
"""

import re
from collections.abc import Iterator

from deid.detect.match import Match
from deid.schema import Kind

_LATIN = r"[A-Z][A-Za-zÀ-ÿ'’\-]{1,30}"
_PARTICLE = r"(?:van|von|de|da|del|di|la|le|bin|al|der|den|dos|O')"
_LATIN_NAME = rf"{_LATIN}(?:[ ,]{{1,2}}(?:{_PARTICLE} )?(?:{_LATIN}|[A-Z]\.?(?![A-Za-z]))){{0,3}}"
_EN_STOP = re.compile(
    r"(?:[ ,]{0,2}(?:DOB|Age|Aged|Sex|Gender|MRN|ID|Date|Phone|Tel|Address|Male|Female|Ward|Room|Bed|Dept|Department|Diagnosis|Hospital|Clinic|Patient|Doctor|Dr|"
    r"No|Number|Email|Fax|SSN|Occupation|Reason|Referred|And|The|Who|With|Has|Is|Was|For|Chief|Complaint|Signature|Signed)\b.*)$"
)
_EN_LABEL = re.compile(
    r"(?<![A-Za-z])(?P<label>(?:patient(?:'s)?(?: full)? name|full name|first name|last name|given name|family name|surname|patient|pt|name|contact(?: person)?|"
    r"emergency contact|next of kin|guardian|mother|father|spouse|husband|wife|"
    r"(?:attending|referring|ordering|primary care|treating|consulting|reporting)? ?(?:physician|doctor|clinician|provider|surgeon|radiologist|pathologist|nurse)|"
    r"(?:electronically )?signed(?: by)?|ordering|technologist|reported by|verified by|approved by|reviewed by|dictated by|technician|operator|requested by|collected by))"
    r"(?:\s?[:=]\s{0,3}|\s{2,4})(?P<v>[A-Z\u00c0-\u00dc][^\n:;|()]{1,48})",
    re.IGNORECASE,
)
_EN_TITLE = re.compile(
    rf"(?<![A-Za-z])(?P<t>Mr|Mrs|Ms|Miss|Mx|Dr|Doctor|Prof|Professor|Nurse|Sister|Sir|Madam|Aunt|Uncle)\.?\s(?P<v>{_LATIN_NAME})"
)
_EN_SELF = re.compile(
    rf"(?i:my name(?:'s| is)|name is|this is|i am|i'm|called|named|regards,|sincerely,|thanks,)\s+(?P<v>{_LATIN_NAME})"
)
_EN_DEGREE = re.compile(
    rf"(?<![A-Za-z])(?P<v>{_LATIN}(?: [A-Z]\.)?(?: {_LATIN}){{1,2}}),? (?:M\.?D|D\.?O|R\.?N|Ph\.?D|N\.?P|P\.?A|MBBS|FRCP)\b"
)
_EN_KIN = re.compile(
    rf"(?i:(?:my|his|her|their|our) (?:son|daughter|wife|husband|mother|father|mom|dad|brother|sister|friend|grandmother|grandfather|aunt|uncle|partner|child|boy|girl|flatmate|roommate|housemate|colleague|boss|neighbou?r|boyfriend|girlfriend|fiancée?|carer|nephew|niece|cousin|grandson|granddaughter),?) (?P<v>{_LATIN}(?: {_LATIN})?)"
)
_FOREIGNER = re.compile(
    r"(?<![A-Za-z.\-])(?P<v>[A-Z][a-z]{2,14} [A-Z][a-z]{2,14})(?![A-Za-z\-])(?! ?(?:syndrome|disease|test|sign|score))"
)
NAME = re.compile(_LATIN_NAME)
"""A whole name."""
_EN_COMMON = frozenset(
    "I The This That He She It We You They My His Her Is Was Has Had Have And But For Not Fine Good Very Also Please Hello Hi Dear Thank Thanks Sorry Doctor Dr Patient Sure Currently Taking Having Feeling Allergic Diabetic Pregnant Worried Still Really Just Here There Now Today Chinese American English CT MRI ECG ICU ER GP Male Female".split()
)


_HANZI = re.compile(r"[\u4e00-\u9fff]")


def find(source: str) -> Iterator[Match]:
    """Yield names written in Latin letters."""
    for found in _EN_LABEL.finditer(source):
        value = _EN_STOP.sub("", found.group("v")).rstrip(" ,.-")
        value = re.split(r"\s{2,}|\d", value)[0].rstrip(" ,.-")
        bare = found.group("label").lower() in {
            "patient",
            "pt",
            "mother",
            "father",
            "husband",
            "wife",
            "spouse",
            "nurse",
            "doctor",
        }
        if value and (value[0].isupper() or not bare) and value.split()[0] not in _EN_COMMON:
            kind = (
                Kind.DOCTOR_NAME
                if re.search(
                    r"phys|doct|clinic|prov|surg|radio|path|nurse|sign|by$|tech|oper",
                    found.group("label"),
                    re.IGNORECASE,
                )
                else Kind.NAME
            )
            yield Match(found.start("v"), found.start("v") + len(value), kind, 0.9)
    for pattern, kind, score in (
        (_EN_TITLE, Kind.NAME, 0.9),
        (_EN_SELF, Kind.NAME, 0.8),
        (_EN_DEGREE, Kind.DOCTOR_NAME, 0.9),
        (_EN_KIN, Kind.RELATIVE_NAME, 0.8),
    ):
        for found in pattern.finditer(source):
            value = _EN_STOP.sub("", found.group("v")).rstrip(" ,")
            if value and value.split()[0].rstrip(".,") not in _EN_COMMON:
                doctor = pattern is _EN_TITLE and found.group("t") in {
                    "Dr",
                    "Doctor",
                    "Prof",
                    "Professor",
                    "Nurse",
                    "Sister",
                }
                start = found.start("v")
                yield Match(start, start + len(value), Kind.DOCTOR_NAME if doctor else kind, score)
    if _HANZI.search(source):
        for found in _FOREIGNER.finditer(source):
            if not any(piece in _EN_COMMON for piece in found.group("v").split()):
                yield Match(found.start("v"), found.end("v"), Kind.NAME, 0.5)
