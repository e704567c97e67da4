"""One file of settings, ``medveil.toml``, read once and passed by hand.

Every default is here or in the policy file.  Unknown keys are refused by name.  The fingerprint of
what was read stands in every audit record; a run under other settings never continues an old one.
"""

import hashlib
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from deid.errors import ConfigError
from deid.policy import Policy, Rule
from deid.schema import Action, Kind

_STRICT = ConfigDict(extra="forbid")
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Detect:
    """Table ``[deid.detect]``: which detectors run, by the names of the back-end table.

    ``ocr``, ``faces`` and ``codes`` name back ends (see ``deid doctor``); "" switches one off and
    the report says so.  ``recognizers`` adds Presidio recognisers of your own, ``module:Class``.
    ``second_looks`` bounds how often a picture is read again and painted again after writing.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    ocr: str = "rapidocr"
    faces: tuple[str, ...] = ("centerface",)
    codes: str = "zxing"
    recognizers: tuple[str, ...] = ()
    second_looks: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Table ``[deid.weights]``: local files for back ends whose weights cannot be shipped."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    yunet: str = ""
    paddle_detection: str = ""
    paddle_recognition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Table ``[deid.run]``: workers (0: one per core, four at most) and the key.

    ``key_file`` holds the project's secret of 32 bytes or more, for pseudonyms that stay the same
    from run to run; "" makes a new one in the work folder.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    workers: int = 0
    key_file: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Table ``[deid.intake]``: what the export's columns mean where the header does not say.

    ``columns`` maps a header to a role of docs/guide.md ("name", "phone", "text", "keep", ...).
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    columns: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Table ``[deid]`` as a person writes it; ``policy`` is a shipped name or a TOML file."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    policy: str = "paper"
    detect: Detect = field(default_factory=Detect)
    weights: Weights = field(default_factory=Weights)
    run: Run = field(default_factory=Run)
    intake: Intake = field(default_factory=Intake)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSettings:
    """One line of a policy file's ``[rules]``."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    action: Action
    min_score: float = 0.0
    review_below: float = 0.0
    yields_to: tuple[Kind, ...] = ()
    pad: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicySettings:
    """A policy file as a person writes it."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: str
    version: str
    rules: dict[Kind, RuleSettings]
    numbered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Settings and policy, with one fingerprint over both (12 hexadecimal digits)."""

    settings: Settings
    policy: Policy
    fingerprint: str


def load_config(path: Path | None = None) -> Config:
    """Read ``medveil.toml`` (or take the defaults) and the policy that it names.

    Raises:
        ConfigError: unreadable file, bad TOML, unknown key, wrong type or value.
    """
    table: dict[str, Any] = {}
    if path is not None:
        # The other packages read their own tables of the same file.
        table = _toml(_bytes(path, "configuration file"), "configuration file").get("deid", {})
    settings = _checked(TypeAdapter(Settings), table, "configuration file")
    policy, raw = load_policy(settings.policy, base=path.parent if path else Path())
    digest = hashlib.sha256(repr(settings).encode() + b"\x00" + raw).hexdigest()[:12]
    return Config(settings=settings, policy=policy, fingerprint=digest)


def load_policy(name: str, base: Path | None = None) -> tuple[Policy, bytes]:
    """Return a shipped policy by name, or one from a TOML file (relative to ``base``)."""
    if name == "paper":
        raw = resources.files("deid").joinpath("data", "policy.toml").read_bytes()
    elif name.endswith(".toml"):
        raw = _bytes((base or Path()) / name, "policy file")
    else:
        raise ConfigError(
            f"There is no policy called {name!r}.",
            remedy='Use "paper" or the path of a policy file that ends in .toml.',
        )
    written = _checked(TypeAdapter(PolicySettings), _toml(raw, "policy file"), "policy file")
    shifted = [kind for kind, rule in written.rules.items() if rule.action is Action.SHIFT]
    if shifted:
        raise ConfigError(
            f"The policy file shifts {', '.join(shifted)}, which this version cannot do.",
            remedy='Use "generalise" (a date keeps its year) or "replace".',
        )
    rules = {
        kind: Rule(
            action=rule.action,
            min_score=rule.min_score,
            review_below=rule.review_below,
            yields_to=frozenset(rule.yields_to),
            pad=rule.pad,
        )
        for kind, rule in written.rules.items()
    }
    policy = Policy(
        name=written.name,
        version=written.version,
        rules=rules,
        fingerprint=hashlib.sha256(raw).hexdigest()[:12],
        numbered=written.numbered,
    )
    return policy, raw


def _bytes(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"The {what} cannot be read ({error.strerror}).",
            remedy="Check its path and its rights.",
        ) from None


def _toml(raw: bytes, what: str) -> dict[str, Any]:
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"The {what} is no TOML: {error}.", remedy="Mend that line.") from None


def _checked(adapter: TypeAdapter[_T], table: dict[str, Any], what: str) -> _T:
    try:
        return adapter.validate_python(table)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(str(step) for step in fault['loc'])}: {fault['msg']}"
            for fault in error.errors(include_url=False, include_input=False)
        )
        raise ConfigError(
            f"The {what} is not valid: {faults}.", remedy="See docs/guide.md, Configuration."
        ) from None
