"""What speaks against a name: characters that no given name holds, and words that run through it.

Surnames such as 于, 时 or 那 are function words too.  What they begin is a name only where nothing
of the sentence shows in it.
"""

import re

from deid.detect.lexicons import tails

_NEVER = frozenset(
    "的了吗呢吧啊么呀哦嘛哈是没说问给让叫请您你我他她它们这那哪怎样就都也还要该把被吃喝很太更最已刚着过"
    "疼痛痒疱咨询诉查诊疗病药调缓减轻院腔腺肝肾肺胃肠胆脾髂髋膝腰腹颈胸腿臂腕踝脉血尿便癌瘤炎症疮疹片粒胶囊丸"
    "膏霉菌毒酸钠钙钾铂酮醇胺肽唑啶嗪但且则并泻咳烧肿胀麻晕检针疫剂罩套穴灶鼻吸"
)
"""Characters of function words, complaints and drugs that no given name holds."""
_SELDOM = frozenset(
    "不有在去对向和与跟及来以便告知判断善整重作为从使用各每另只再又越正将得地所因如果虽然或者而非后前间里内外"
    "上下左右可会能处理解适建议完什应常通过需想看见听找买卖做写发打开拿带认觉感什样当其些点只早先多少大小比较"
    "够持进出起始始终助借好像抚观察照顾护保担心"
)
"""Characters that a given name may hold, but a sentence holds far more often."""
SOFT = frozenset(
    "于时和来都那但况由师信应经从向通能管相全容后加又就首可别还谢对与同跟及况完有须过自因终种得更祝干令当且常越应公祝"
)
"""Surnames that are words of a sentence far more often."""
_PHRASE = re.compile(
    r"专业|管床|基层|结果|遵循|解答|解疑|许可|主治|接诊|首诊|值班|家庭|社区|全科|其他|心理|口罩|情况|一般|而且|这里|那里"
)
_NO_SURNAME = frozenset("由但和向且别还又与同跟及就可那都因自过须完更得有令后况")
"""Surnames too rare to be believed in front of a title, when the sentence explains them."""
_DRUG_TAIL = frozenset("药物剂液片囊铂醇胺素酯钠钙肽酸钾酮唑啶嗪苷定平林星康宁油膏丸散")
_LETTERED = re.compile(r"[0-9A-Za-z]")


def holds_sentence(given: str) -> bool:
    """Say whether a given name holds a character that no given name holds."""
    return any(c in _NEVER for c in given) or bool(_PHRASE.search(given))


def reads_on(source: str, start: int, end: int, surname: int) -> bool:
    """Say whether what stands at start..end of a sentence is rather a piece of that sentence.

    ``surname`` is the length of its surname.  A surname that is a function word, or that ends a
    word which began before it (及时, 对于), needs a given name without any word of a sentence.
    """
    given = source[start + surname : end]
    if holds_sentence(given):
        return True
    soft = surname == 1 and source[start] in SOFT
    inside = start > 0 and "\u4e00" <= source[start - 1] <= "\u9fff"
    doubts = sum(c in _SELDOM for c in given)
    if doubts > 1 or (soft and (doubts or (inside and not given))):
        return True
    if not given and source[start] in _NO_SURNAME:
        return True
    return (soft or doubts > 0) and inside and source[start - 1 : start + 1] in tails()


def is_weak(source: str, start: int, end: int, surname: int) -> bool:
    """Say whether a name in front of a word that is seldom a title (宝宝, 总) is none.

    Such a word follows any verb: there the name must be free of what a sentence may hold.
    """
    given = source[start + surname : end]
    doubtful = not given and source[start] in SOFT
    return doubtful or any(c in _SELDOM for c in given) or source[start] in _NO_SURNAME


def is_brand(source: str, start: int, end: int) -> bool:
    """Say whether something in brackets is a drug's trade name: 紫杉醇(安素泰), 艾恒)120mg."""
    return source[max(0, start - 2) : start - 1] in _DRUG_TAIL or bool(
        _LETTERED.match(source, end + 1)
    )
