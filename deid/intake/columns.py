"""What an export's column or JSON key means: a header vocabulary, then cautious guesses.

Evidence for the vocabulary: public layouts of Chinese internet hospitals, HIS and LIS exports
(docs/guide.md, Layouts).  A header that nobody understands is scanned as free text, and a value
under it that looks like an opaque number is treated as a record number.
"""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import resources

from deid.schema import Kind

_KEEP = "keep"
"""Role that a mapping may give: the value stays as it is."""

_GUESSES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(项目|药品|检查|疾病|诊断|科室|检验|商品|套餐|手术|症状)名称?$"), "clinical"),
    (re.compile(r"科室|department|dept"), "department"),
    (re.compile(r"性别$|gender$"), "sex"),
    (re.compile(r"年龄$"), "age"),
    (re.compile(r"电话|手机|phone|mobile|tel$|传真"), "phone"),
    (re.compile(r"身份证|idcard|证件号"), "resident_id"),
    (re.compile(r"邮箱|email"), "email"),
    (re.compile(r"地址|住址|address|addr$"), "address"),
    (re.compile(r"医保|社保|insurance"), "insurance_number"),
    (re.compile(r"微信|openid|unionid|userid|账号|wxid|account"), "account"),
    (
        re.compile(
            r"(医生|医师|护士|药师|检验者|审核者|报告者|送检者|doctor|physician)(姓名|name)?$"
        ),
        "doctor_name",
    ),
    (re.compile(r"(家属|监护人|父亲|母亲|配偶|guardian|kin)(姓名|name)?$"), "relative_name"),
    (
        re.compile(r"姓名$|人名$|昵称$|(patient|user|real|full|nick|contact|first|last)name$"),
        "name",
    ),
    (re.compile(r"医院|hospital|clinic"), "hospital"),
    (re.compile(r"(dept|section|file|type)name$"), "technical"),
    (
        re.compile(
            r"(project|item|drug|medicine|disease|test|product|goods|symptom|unit|diagnosis)name$"
        ),
        "clinical",
    ),
    # Any other English name: better masked than shown.
    (re.compile(r"name$"), "name"),
    (re.compile(r"工作单位|学校|employer|company"), "institution"),
    (re.compile(r"日期|时间|date$|time$|birth|(created|updated|sent|paid|finished)at$"), "date"),
    (re.compile(r"订单|快递|orderno|orderid"), "order_id"),
    (re.compile(r"url$|链接|网址|avatar|头像"), "url"),
    (re.compile(r"(标本|样本|条码|条形码)"), "specimen_number"),
    (re.compile(r"(编号|号码|号|(?<![a-z])id|[a-z]id|no|number|sn|uuid|guid)$"), "record_number"),
)
_OPAQUE = re.compile(r"(?=[^\s]*\d)[A-Za-z0-9_-]{8,}|\d{7,}|[0-9a-f]{16,}")
_CHANGED = re.compile(r"[\s_\-./:：()（）\[\]【】*#]+")
_OURS = frozenset(kind.value for kind in Kind)


@cache
def _roles() -> Mapping[str, str]:
    """Return the vocabulary, header to role (deid/data/columns.toml)."""
    text = resources.files("deid").joinpath("data", "columns.toml").read_text("utf-8")
    return {h: role for role, headers in tomllib.loads(text).items() for h in headers.split()}


def normal(header: str) -> str:
    """Return a header without case, width, spaces, punctuation and remarks in brackets."""
    bare = re.sub(r"[(（\[【][^)）\]】]*[)）\]】]", "", header)
    text = unicodedata.normalize("NFKC", bare or header).lower()
    return _CHANGED.sub("", text).removeprefix("$")


def role_of(header: str, overrides: Mapping[str, str] | None = None) -> str | None:
    """Return the role of a header, or None where nobody understands it.

    ``overrides`` (the mapping of the configuration) wins.  A dotted header (``doctor.name``) is
    read by its last step, and by the one before it where that says whose it is.
    """
    if overrides and header in overrides:
        return overrides[header]
    *owners, last = (normal(step) for step in header.split("."))
    owner = owners[-1] if owners else ""
    if "doctor" in owner or "医生" in owner:
        if last in {"name", "姓名", "realname"}:
            return "doctor_name"
    elif last in {"id", "oid"} and ("patient" in owner or "患者" in owner):
        return "patient_id"
    known = _roles().get(last)
    if known:
        return known
    return next((role for pattern, role in _GUESSES if pattern.search(last)), None)


def kind_of(header: str, value: str, overrides: Mapping[str, str] | None = None) -> Kind | None:
    """Return what a whole value under ``header`` is; None means free text to be scanned.

    Structural roles that carry identity (ids of case and patient) count as record numbers.
    """
    role = role_of(header, overrides)
    if role in _OURS:
        return Kind(role)
    if role in {"case_id", "patient_id"}:
        return Kind.RECORD_NUMBER
    if role == "sent_at":
        return Kind.DATE
    if role == _KEEP:
        return Kind.TECHNICAL
    if role is None and _OPAQUE.fullmatch(value.strip()):
        return Kind.RECORD_NUMBER
    return None


def roles() -> list[str]:
    """Return every role that a mapping may name."""
    return sorted({*_roles().values(), _KEEP})
