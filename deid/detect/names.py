"""Names of people: by label, title, introduction, kinship, signature and row, Chinese and English.

Names never yield to keepers, so precision is decided here: a candidate that is, or begins with, an
ordinary or clinical word (deid/data/lexicons) is none, unless a label says that it is a name.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from deid.detect import names_english
from deid.detect import names_labels as labels
from deid.detect.lexicons import compound_surnames, surnames, tails, words
from deid.detect.match import Match
from deid.detect.names_guard import SOFT, holds_sentence, is_brand, is_weak, reads_on
from deid.detect.rules import spaced
from deid.schema import Kind
from deid.spans import Shadow

_H = r"\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0003134f"
_HANZI = re.compile(rf"[{_H}]")
_LONGEST = 4

_WEAK_TITLES = frozenset("宝宝 总 家长 处长 小朋友 老师 同学 导 老人 工 客服".split())
_TITLE = re.compile(
    rf"(?P<doctor>{spaced(labels.DOCTOR_TITLES)})|(?P<person>{spaced(labels.PERSON_TITLES)})|(?P<short>{spaced(labels.SHORT_TITLES)})(?![{_H}]{{0,1}}[姐哥夫子母父]|程|(?<=总)[体是之结共数量的算会觉分胆蛋有在而感]|(?<=导)[致管尿电师向航联丝弹入出引热])"
)
_FUNCTION = frozenset("谢师向于和从时经由应常对与跟同及都那但来能可况首相别还后")
"""Function words that are surnames too: in front of a surname they belong to the sentence."""
_NOT_LAST = frozenset(
    "科院家位名个任级种类性型期的了吗呢吧啊门诊主副男女老大小中西各每该贵本全见找问看做给让叫请谢与和是有在说去"
)
_KIN = (
    r"(?:女儿|儿子|老公|老婆|丈夫|妻子|妈妈|爸爸|母亲|父亲|婆婆|公公|奶奶|爷爷|外婆|外公|姥姥|姥爷|姐姐|哥哥|弟弟|妹妹|"
    r"孩子|小孩|宝宝|孙子|孙女|外孙女?|爱人|媳妇|家属|监护人|女朋友|男朋友|女友|男友|对象|侄子|侄女|外甥女?|"
    r"[表堂][姐哥弟妹]|阿姨|舅舅|舅妈|姑姑|姑妈|叔叔|婶婶|岳母|岳父|闺女|女婿|儿媳|嫂子|姐夫|妹夫|"
    r"朋友|室友|舍友|同学|同事|邻居|闺蜜|老乡|领导|助理|保姆|护工|(?<=[我他她你])[爸妈哥姐弟妹爷奶舅姑姨叔])"
)
_NAMED = r"(?:的?(?:姓名|名字|大名|小名|乳名))?(?:叫做|名叫|叫|唤作|就是|是|:|为)"
_BOUNDARY = rf"(?![{_H}A-Za-z])"

_INTRODUCED = re.compile(
    rf"(?:(?:我|本人|俺|咱|患者|病人|他|她|小孩|本名|真名)?(?:的?(?:名字|姓名|全名|大名))?(?<![又种也俗学个称所就])(?:叫做|名叫|叫)|我的?(?:名字|姓名)是|名字[:是为]|本人(?![在已现是有从自想也])(?=[{_H}]{{2,4}}[，,。])|"
    rf"我是(?=[{_H}]{{2,4}}(?:[，,。.!！;；\s]|$|\d{{7}}|的?(?:家属|妈妈|爸爸|女儿|儿子|爱人|老公|老婆|丈夫|妻子)))|免贵姓|我姓|贵姓[?？]?|敝姓|单名一个|单名)[\s:“\"「']{{0,2}}"
)
_SINGLE = re.compile(rf"单名(?:一个|是|叫)?[“\"「']?(?P<v>[{_H}])(?=字|[，,。.\s”\"」']|$)")
_KINDRED = re.compile(rf"(?P<kin>{_KIN}){_NAMED}[\s“\"「']{{0,2}}")
_KINDRED_BARE = re.compile(rf"(?P<kin>{_KIN})[\s:（(]{{0,2}}(?=[{_H}])")
_CONTEXT = re.compile(
    r"(?:值班|接诊的?|主刀的?|管床的?|当班|科班|由|(?<![神曾已痛闭])经|联系|通知|转告|咨询|预约|挂了?|挂号|找了?|请|问过?|看的?是?|@)[\s:]{0,1}(?=[\u4e00-\u9fff])"
)
_SIGNED = re.compile(
    r"(?:[—-]{2,}|落款[:：]?|此致[，,。\s]*(?:敬礼)?[!！。\s]*)\s{0,3}(?=[\u4e00-\u9fff])"
)
_PROFILE = re.compile(
    rf"(?P<v>[{_H}]{{2,4}})[\s]{{0,2}}[，,、;；(（/|]?[\s]{{0,2}}(?=(?:性别[:：]?)?[男女][性]?[\s]{{0,2}}[，,、;；/|]?[\s]{{0,2}}(?:年龄[:：]?)?[0-9]{{1,3}}(?:岁|$|[，,]))"
)
_AGED = re.compile(
    rf"(?:(?<=^)|(?<=[。；;，,\n\s：:“\"]))(?P<v>[{_H}]{{2,4}}?)(?=[，,（(\s]?(?:是|为)?(?:一?[位名个]|今年|现年|年龄)?[男女性，,\s]{{0,3}}[0-9]{{1,3}}(?:岁|周岁))",
    re.MULTILINE,
)
_MASKED = re.compile(
    rf"(?P<s>[{_H}])(?P<m>(?:[*＊•●○]|×(?!\d)){{1,3}}[{_H}]?(?![A-Za-z0-9])|某{{1,2}}|[Xx]{{2}}(?![A-Za-z]))"
)
_FAMILIAR = re.compile(
    rf"(?:(?<![{_H}])|(?<=[说和跟找问请是叫给让的到我你他她见]))(?P<v>[小老阿](?P<s>[{_H}]{{1,2}}))(?=[，,。.!！?？;；:：、\s]|$|说|的|给|帮|和|跟|你|您|那|来|也|在|去|今)"
)
_DOTTED = re.compile(rf"[{_H}]{{1,8}}(?:[·•・][{_H}]{{1,10}}){{1,4}}")
_SPELT = re.compile(rf"(?:姓)(?P<v>[{_H}])(?=[，,。.\s]|名|$)")
_ROW = re.compile(r"[^\n]+")
_CELL = re.compile(
    rf"(?:(?<=^)|(?<=[，,、;；|\t\s:]))(?P<v>[{_H}]{{2,4}})(?=$|[，,、;；|\t\s])", re.MULTILINE
)
_NUMBERED_ROW = re.compile(r"(?<!\d)\d{7,}|(?<![一-龥])[男女](?![一-龥])")
_BRACKETED = re.compile(rf"[（(【\[“\"]\s?(?P<v>[{_H}]{{2,4}})(?=本人|家属|的|[)）】\]”\"])")


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    score: float


def find(text: Shadow) -> Iterator[Match]:
    """Yield names; doctors and relatives have kinds of their own where that is clear."""
    source = text.text
    if _HANZI.search(source):
        for family in _CHINESE:
            yield from family(source)
    yield from names_english.find(source)


def _by_label(source: str) -> Iterator[Match]:
    spoken = len(_TURN.findall(source)) > 1
    for pattern, kind in _LABELS:
        for found in pattern.finditer(source):
            if spoken and found.group("label") in _SPEAKERS and _TURN.match(source, found.start()):
                yield from _addressed(source, found.end(), kind)
                continue
            # In a chat "患者：" and "医生：" say who speaks, not what somebody is called.
            # A value on the next line may just be the next thing on the page.
            bare = not found.group("sep").strip() or "\n" in found.group("sep")
            strict = bare or found.group("label") in _SPEAKERS
            sure = kind is not Kind.NAME or found.group("label") not in _COMPLAINING
            name = _value(source, found.end(), strict=strict, staff=sure)
            if name is not None:
                yield Match(name.start, name.end, kind, name.score)


def _addressed(source: str, at: int, kind: Kind) -> Iterator[Match]:
    """Yield a name that is all that stands behind a speaker's label of a transcript."""
    alone = _ALONE.match(source, at)
    if alone and _plausible(alone.group("v")) and alone.group("v")[0] not in SOFT:
        yield Match(*alone.span("v"), kind, 0.5)


_TURN = re.compile(r"(?:患者|病人|医生|医师|大夫|护士|药师|家属|客服)[ \t]{0,2}:", re.MULTILINE)
"""A speaker of a transcript; two of them make one."""
_ALONE = re.compile(rf"(?P<v>[{_H}]{{2,4}})(?=[ \t]*(?:$|\n|[,，;；|]))", re.MULTILINE)


def _label(words_of: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<label>{words_of})(?:\((?:签名|签字|签章|盖章)\)|签名|签字|签章)?(?P<sep>[\s|]{{0,4}}[:=是为]?[\s|:_]{{0,6}})(?=[{_H}])"
    )


_SPEAKERS = frozenset(
    "患者 病人 医生 医师 护士 药师 客户 家属 家长 名字 审核 复核 核对 发药 记录 书写 调配".split()
)
_COMPLAINING = frozenset("患者 病人 患儿 受检者 受检人 被检者 客户 名字 姓 名".split())
"""Behind these words a complaint follows as often as a name."""
_LABELS = (
    (_label(labels.PATIENT_LABEL), Kind.NAME),
    (_label(labels.RELATIVE_LABEL), Kind.RELATIVE_NAME),
    (_label(labels.DOCTOR_LABEL), Kind.DOCTOR_NAME),
)
_STOP_RE = re.compile(labels.STOP)
_LONG_STOP = re.compile(rf"(?=[{_H}] ?[{_H}]){labels.STOP}(?<=[{_H}][{_H}])")


def _value(source: str, at: int, *, strict: bool, staff: bool = False) -> _Found | None:
    """Return the name that stands behind a label.

    With a colon anything of two to four characters is a name.  Without one (``strict``) it must
    begin with a surname, be no word, and end where a name may end; behind a word for ``staff`` it
    may begin like a word (金志明), which behind "patient" is more often a complaint.
    """
    dotted = _DOTTED.match(source, at)
    if dotted and _dotted(dotted)[1] > at:
        return _Found(at, _dotted(dotted)[1], 0.95)
    run, ends = _hanzi_run(source, at)
    if not run or (_STOP_RE.match(run) and not _is_surname_start(run, len(run))):
        return None
    surname = _surname_length(run)
    if surname == 0:
        stop = _STOP_RE.search(run, 1)
        length = stop.start() if stop else len(run)
        usable = not strict and 2 <= length <= _LONGEST and run[:length] not in words()
        return _Found(at, ends[length - 1], 0.8) if usable else None
    length, closed = _extent(run, surname)
    if run[length - 1] in "男女" and _AGE_BEHIND.match(source, ends[length - 1]):
        length -= 1
    word = run[:length] in words() if staff else _is_word(run, length)
    if strict and (not closed or length <= surname or word):
        return None
    if (strict or not staff) and reads_on(source, at, ends[length - 1], surname):
        return None
    return _Found(at, ends[length - 1], 0.9 if strict else 0.95)


_VERBS = re.compile(
    r"为[其他她它患病我您]|给[其他她患病我您予]|对[其他她患]|建议|认为|诊断|开具|开了|表示|指导|说|的指|的建|告知|嘱|根据|考虑|安排|进行|初步|会诊|负责|接诊|看诊|跟进"
)
_AGE_BEHIND = re.compile(r"性|[\s,，、]{0,3}[0-9]{1,3} ?(?:岁|$|[\s,，])")


def _extent(run: str, surname: int) -> tuple[int, bool]:
    """Return how many characters of a run are the name, and whether something ends it there.

    A given name has two characters, or one where a word of the form follows it; 月, 年 or 于 may be
    part of a name, so a word behind the second character is looked for first.
    """
    if len(run) <= surname + 2:
        stop = _LONG_STOP.search(run, surname)
        return (stop.start() if stop else len(run)), True
    if _VERBS.match(run, surname + 1):
        return surname + 1, True
    for length in (surname + 2, surname + 1, surname):
        ends = _STOP_RE.match(run, length) if length > surname else _LONG_STOP.match(run, length)
        if ends or (length == surname + 2 and _VERBS.match(run, length)):
            return length, True
    return surname + 2, False


def _is_surname_start(run: str, whole: int) -> bool:
    """Say whether a run that begins with a stop word is a name after all (于, 年, 时 are both)."""
    return 2 <= whole <= 3 and run[0] in surnames() and run not in words()


def _hanzi_run(source: str, at: int) -> tuple[str, list[int]]:
    """Return the Hanzi from ``at`` on (single spaces of OCR bridged) and each one's end."""
    run: list[str] = []
    ends: list[int] = []
    index = at
    while index < len(source) and len(run) <= _LONGEST + 6:
        character = source[index]
        if _HANZI.match(character):
            run.append(character)
            ends.append(index + 1)
        elif not (character == " " and run and _bridged(source, index, run)):
            break
        index += 1
    return "".join(run), ends


def _bridged(source: str, index: int, run: list[str]) -> bool:
    """Say whether a single space lies inside a name (虞 测安), not between two cells."""
    after = source[index + 1 : index + 2]
    return len(run) <= 2 and bool(after) and bool(_HANZI.match(after)) and run[0] in surnames()


def _surname_length(run: str) -> int:
    if run[:2] in compound_surnames() and len(run) > 2:
        return 2
    if run[:4] in compound_surnames():
        return 4
    return 1 if run[:1] in surnames() else 0


def _is_word(run: str, length: int) -> bool:
    """Say whether a candidate is an ordinary word, or begins with one (not with its surname)."""
    candidate = run[:length]
    known = words()
    if candidate in known or run[: length + 1] in known or run[: length + 2] in known:
        return True
    least = 3 if run[:2] in compound_surnames() else 2
    return any(candidate[:n] in known for n in range(least, length))


def _by_title(source: str) -> Iterator[Match]:
    for found in _TITLE.finditer(source):
        short = found.lastgroup == "short"
        name = _before(source, found.start(), most=2 if short else 3, short=short)
        weak = found.group() in _WEAK_TITLES
        if name is not None and not (weak and is_weak(source, name.start, name.end, 1)):
            kind = Kind.DOCTOR_NAME if found.lastgroup == "doctor" else Kind.NAME
            yield Match(name.start, name.end, kind, name.score)


def _before(source: str, end: int, *, most: int, short: bool) -> _Found | None:
    """Return the name that ends where a title begins: the longest that begins with a surname."""
    best: _Found | None = None
    for length in range(1, most + 2):
        start = end - length
        if start < 0 or not _HANZI.match(source[start]):
            break
        run = source[start:end]
        if run in compound_surnames():
            best = _Found(start, end, 0.9)
            continue
        surname = _surname_length(run)
        if surname == 0 or length > surname + 2 or (length > 1 and run[-1] in _NOT_LAST):
            continue
        taken = length > 1 and run[0] in _FUNCTION and best is not None
        if not taken and not _ordinary(source, start, end) and _apart(source, start, end, short):
            best = _Found(start, end, 0.7 if short else 0.9)
    return best


def _ordinary(source: str, start: int, end: int) -> bool:
    """Say whether what stands in front of a title is a word, or a piece of the sentence."""
    length, run = end - start, source[start:end]
    around = source[start : end + 2]
    least = length if length == _WHOLE and _clear(source, start) else 2
    sizes = range(least, min(length + 3, len(around) + 1))
    word = run in words() or any(around[:n] in words() for n in sizes)
    if source[max(0, start - 1) : end] in _JOBS:
        return True
    return word or reads_on(source, start, end, _surname_length(run))


_JOBS = frozenset("开单 下单 接单 填单 处方 开方 配方 责任 前任 现任".split())
"""Words in front of a title that say what somebody does (开单医生), and end in a surname."""


def _apart(source: str, start: int, end: int, short: bool) -> bool:  # noqa: FBT001 - one caller
    """Say whether a surname alone, or one before a title of one character, ends no other word."""
    if not (start and _HANZI.match(source[start - 1])):
        return source[start:end] != "那" and not (short and end - start > 1)
    if short:
        return end - start == 1 and source[start - 1] in "和跟找问请是叫给让的到"
    if end - start > 1:
        return True
    return source[start] not in _FUNCTION and source[start - 1 : end] not in tails()


_WHOLE = 3
"""A surname and a given name of two characters."""


def _clear(source: str, start: int) -> bool:
    """Say whether a name of three characters may begin like a word here (高大伟 at a boundary)."""
    inside = start > 0 and bool(_HANZI.match(source[start - 1]))
    return not inside and not is_weak(source, start + 1, start + _WHOLE, 1)


def _by_introduction(source: str) -> Iterator[Match]:
    for found in _INTRODUCED.finditer(source):
        cue = found.group().rstrip()
        strict = cue.endswith("我是") or cue in _CALLED
        name = _introduced(source, found.end(), strict=strict, only_surname=cue.endswith("姓"))
        if name is not None:
            yield Match(name.start, name.end, Kind.NAME, name.score)
    for found in _SINGLE.finditer(source):
        yield Match(found.start("v"), found.end("v"), Kind.NAME, 0.9)
    for pattern in (_KINDRED, _KINDRED_BARE):
        for found in pattern.finditer(source):
            equated = found.group().rstrip().endswith(("是", "为"))
            strict = pattern is _KINDRED_BARE or equated
            name = _introduced(source, found.end(), strict=strict)
            if name is not None:
                yield Match(name.start, name.end, Kind.RELATIVE_NAME, name.score)


_CALLED = frozenset({"叫", "叫做"})
"""Said of things as often as of people, where nobody is named in front."""
_AFTER_NAME = re.compile(
    r"[，,。.!！?？;；:、\s)）”\"」']|$|今年|今天|男|女|的|是|在|有|于|因|患|得|来|现|刚|最近|已|一直|从|也|和|跟|\d"
)


def _introduced(
    source: str, at: int, *, strict: bool = False, only_surname: bool = False
) -> _Found | None:
    latin = names_english.NAME.match(source[at : at + 40])
    if latin:
        return _Found(at, at + latin.end(), 0.85)
    dotted = _DOTTED.match(source, at)
    if dotted and _dotted(dotted)[1] > at:
        return _Found(at, _dotted(dotted)[1], 0.9)
    run, ends = _hanzi_run(source, at)
    if not run:
        return None
    if only_surname:
        length = _surname_length(run) or (2 if run[:2] in compound_surnames() else 0)
        named = bool(length) and bool(_AFTER_NAME.match(source, ends[length - 1]))
        return _Found(at, ends[length - 1], 0.9) if named else None
    surname = _surname_length(run)
    longest = min(len(run), surname + 2 if surname else 3)
    for length in range(longest, surname or 1, -1):
        doubled = length == 2 and run[0] == run[1] and not strict
        # A full name of a relative may run on into the sentence; a shorter one must end there.
        full = strict and surname and length == surname + 2 and run[0] not in _FUNCTION | SOFT
        if not full and not _AFTER_NAME.match(source, ends[length - 1]):
            continue
        if (_is_word(run, length) and not doubled) or holds_sentence(run[surname:length]):
            continue
        if strict and reads_on(source, at, ends[length - 1], surname):
            continue
        if surname or (not strict and length >= 2):
            return _Found(at, ends[length - 1], 0.9 if surname else 0.6)
    return None


def _by_context(source: str) -> Iterator[Match]:
    for found in _CONTEXT.finditer(source):
        name = _acting(source, found.end())
        if name is not None:
            yield Match(name.start, name.end, Kind.DOCTOR_NAME, name.score)
    for found in _SIGNED.finditer(source):
        name = _value(source, found.end(), strict=True)
        if name is not None:
            yield Match(name.start, name.end, Kind.NAME, name.score)


_ACTS = re.compile(
    r"于|已|今[日天]|接诊|主刀|查房|值班|会诊|手术|看诊|诊治|出诊|坐诊|医生|医师|大夫|主任|教授|护士|处理|负责|[，,。\s]|$"
)


def _acting(source: str, at: int) -> _Found | None:
    """Return a full name behind a verb that people are the object of."""
    run, ends = _hanzi_run(source, at)
    surname = _surname_length(run) if run else 0
    if surname == 0 or (run[0] in _FUNCTION):
        return None
    for length in (surname + 2, surname + 1):
        if (
            length <= len(run)
            and _ACTS.match(source, ends[length - 1])
            and not _is_word(run, length)
            and not reads_on(source, at, ends[length - 1], surname)
        ):
            return _Found(at, ends[length - 1], 0.75)
    return None


def _by_shape(source: str) -> Iterator[Match]:
    """Yield names that stand where only a name stands: before sex or age, or in brackets."""
    for pattern, score in ((_PROFILE, 0.9), (_AGED, 0.85), (_BRACKETED, 0.75)):
        for found in pattern.finditer(source):
            candidate = found.group("v")
            bracketed = pattern is _BRACKETED
            clear = not bracketed and _surname_length(candidate) > 0
            if holds_sentence(candidate[1:]) or (bracketed and is_brand(source, *found.span("v"))):
                continue
            if _plausible(candidate) or (clear and candidate not in words()):
                yield _match(found, Kind.NAME, score)


def _by_form(source: str) -> Iterator[Match]:
    """Yield names by their own form: starred, dotted, familiar, foreign."""
    for found in _MASKED.finditer(source):
        if found.group("s") in surnames() and found.group("s") not in _FUNCTION:
            yield Match(found.start(), found.end(), Kind.NAME, 0.8)
    for found in _DOTTED.finditer(source):
        start, end = _dotted(found)
        if start < end:
            yield Match(start, end, Kind.NAME, 0.7)
    for found in _FAMILIAR.finditer(source):
        known = found.group("s") in surnames() or found.group("s") in compound_surnames()
        if known and found.group("v") not in words():
            yield _match(found, Kind.NAME, 0.55)


def _by_row(source: str) -> Iterator[Match]:
    """Yield cells that look like a name in rows that hold a long number or a sex."""
    for row in _ROW.finditer(source):
        if _NUMBERED_ROW.search(row.group()):
            for found in _CELL.finditer(row.group()):
                if _plausible(found.group("v")):
                    start, end = (row.start() + n for n in found.span("v"))
                    yield Match(start, end, Kind.NAME, 0.6)


def _dotted(found: re.Match[str]) -> tuple[int, int]:
    """Return a dotted name without the sentence around it; an empty interval if it is none."""
    pieces = re.split("[·•・]", found.group())
    leads = [lead.end() for lead in _CUT.finditer(pieces[0])]
    first = leads[-1] if leads else 0
    cut = _CUT.search(pieces[-1], 1) or _TITLE.search(pieces[-1], 1)
    end = found.end() - (len(pieces[-1]) - cut.start() if cut else 0)
    ordinary = any(piece[:3] in words() for piece in pieces)
    clear = first < len(pieces[0]) and not ordinary and not any(map(_CUT.search, pieces[1:-1]))
    return (found.start() + first, end) if clear else (end, end)


_CUT = re.compile(
    r"[为由经在是者和与及向找于从对因现年岁男女住来出完后的了您你说被诊病药症痛让请给叫]|姓名"
)
"""Where the sentence around a dotted name begins again."""


def _match(found: re.Match[str], kind: Kind, score: float) -> Match:
    return Match(*found.span("v"), kind, score)


def _plausible(candidate: str) -> bool:
    """Say whether two to four Hanzi that stand by themselves can be nothing but a name."""
    surname = _surname_length(candidate)
    if surname == 0 or not surname < len(candidate) <= surname + 2:
        return False
    return not _is_word(candidate, len(candidate)) and candidate[-1] not in _NOT_LAST


_ROMAN = re.compile(
    r"(?:姓名|患者|病人|联系人|收件人|名字)[ ]{0,2}:[ ]{0,2}(?P<v>[A-Za-z]{2,15}(?:[ .'\-]{1,2}[A-Za-z]{1,15}){0,3})"
)


def _by_roman(source: str) -> Iterator[Match]:
    """Yield names in Latin letters behind a Chinese label, whatever their case."""
    for found in _ROMAN.finditer(source):
        yield _match(found, Kind.NAME, 0.85)


_CHINESE: tuple[Callable[[str], Iterator[Match]], ...] = (
    _by_label,
    _by_title,
    _by_introduction,
    _by_context,
    _by_shape,
    _by_form,
    _by_row,
    _by_roman,
)
