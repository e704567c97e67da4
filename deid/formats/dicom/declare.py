"""Say truthfully in the header what was done to an object (PS3.15 E.1.1, PS3.16 CID 7050)."""

from collections.abc import Iterator

from pydicom.dataset import Dataset
from pydicom.sequence import Sequence

from deid.dicom_profile import EDITION
from deid.schema import Action, Decision, Kind, PartId, Plan, Tag

_PROFILE = ("113100", "Basic Application Confidentiality Profile")
_PIXELS = ("113101", "Clean Pixel Data Option")
_ALWAYS = (
    ("113103", "Clean Graphics Option"),
    ("113104", "Clean Structured Content Option"),
    ("113105", "Clean Descriptors Option"),
)
_FULL_DATES = ("113106", "Retain Longitudinal Temporal Information Full Dates Option")
_SHIFTED_DATES = ("113107", "Retain Longitudinal Temporal Information Modified Dates Option")
_PATIENT = ("113108", "Retain Patient Characteristics Option")
_UIDS = ("113110", "Retain UIDs Option")
_CHARACTERISTICS = frozenset({Kind.AGE, Kind.SEX, Kind.MEASUREMENT})


def declare(dataset: Dataset, plan: Plan, part: PartId, *, looked: bool, has_pixels: bool) -> None:
    """Write what the plan did to the object ``part``.

    ``looked`` says that every frame was shown to the detectors.  Without it, an object with pixels
    claims neither that its patient's identity is removed nor that nothing is burnt in.
    """
    tags = [d for d in plan.decisions if isinstance(d.where, Tag) and d.where.part == part]
    dates = _dates(tags)
    dataset.PatientIdentityRemoved = "YES" if looked or not has_pixels else "NO"
    dataset.DeidentificationMethod = f"MedVeil, PS3.15 {EDITION} Basic Profile"
    codes = [_PROFILE, *([_PIXELS] if looked and has_pixels else []), *_ALWAYS]
    codes += _retained(tags, dates)
    dataset.DeidentificationMethodCodeSequence = Sequence(_code(*code) for code in codes)
    dataset.LongitudinalTemporalInformationModified = dates
    if has_pixels and looked:
        dataset.BurnedInAnnotation = "NO"
    elif has_pixels and dataset.get("BurnedInAnnotation") == "NO":
        # Nobody looked: the claim of whoever sent it is not ours to repeat.
        del dataset.BurnedInAnnotation


def _dates(tags: list[Decision]) -> str:
    actions = {d.action for d in tags if d.kind is Kind.DATE}
    if Action.KEEP in actions:
        return "UNMODIFIED"
    return "MODIFIED" if Action.SHIFT in actions else "REMOVED"


def _retained(tags: list[Decision], dates: str) -> Iterator[tuple[str, str]]:
    if dates != "REMOVED":
        yield _FULL_DATES if dates == "UNMODIFIED" else _SHIFTED_DATES
    kept = {d.kind for d in tags if d.action is Action.KEEP}
    if kept & _CHARACTERISTICS:
        yield _PATIENT
    if Kind.UID in kept:
        yield _UIDS


def _code(value: str, meaning: str) -> Dataset:
    code = Dataset()
    code.CodeValue, code.CodingSchemeDesignator, code.CodeMeaning = value, "DCM", meaning
    return code
