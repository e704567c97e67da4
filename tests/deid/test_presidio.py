import time

import pytest
from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer, RecognizerRegistry
from presidio_analyzer.nlp_engine import NlpArtifacts

from deid.presidio import PresidioText, ShadowNlpEngine, medveil_recognizers
from deid.schema import Kind, PartId, Span, TextPart

_TEXT = "姓名：虞测安，电话１３８００１３８０００"


def _part(text: str) -> TextPart:
    return TextPart(PartId("t0#text"), text)


def test_a_finding_names_its_recogniser_and_counts_in_the_original(
    text_tools: PresidioText,
) -> None:
    found = text_tools.detect([_part(_TEXT)])
    phones = [f for f in found if f.kind is Kind.PHONE]
    assert {f.where for f in phones} == {Span(PartId("t0#text"), 9, 20)}
    assert "numbers" in {f.detector for f in phones}
    assert {f.detector for f in found if f.kind is Kind.NAME} == {"names"}


def test_our_recognisers_work_in_an_analyzer_of_somebody_else() -> None:
    registry = RecognizerRegistry(supported_languages=["zh"])
    for recognizer in medveil_recognizers():
        registry.add_recognizer(recognizer)
    engine = AnalyzerEngine(
        registry=registry, nlp_engine=ShadowNlpEngine(), supported_languages=["zh"]
    )
    plain = [r.analyze(_TEXT, []) for r in medveil_recognizers()]
    assert ("NAME", 3, 6) in {(r.entity_type, r.start, r.end) for rs in plain for r in rs}
    assert ("PHONE", 9, 20) in {
        (r.entity_type, r.start, r.end) for r in engine.analyze(_TEXT, language="zh")
    }


def test_a_recogniser_of_a_hospital_becomes_a_detector() -> None:
    pattern = Pattern("badge", r"工牌[A-Z]{2}[0-9]{3}", 0.8)
    badge = PatternRecognizer(supported_entity="BADGE", patterns=[pattern], name="badge")
    found = PresidioText(extra=[badge]).detect([_part("他的工牌QX123丢了")])
    assert (Kind.UNKNOWN, "badge") in {(f.kind, f.detector) for f in found}


_HOSTILE = {
    "a.": "a.",
    "brackets": "(",
    "nested": "（【",
    "digits": "1",
    "spaced digits": "6 6 ",
    "letters": "A",
    "Latin words": "John ",
    "Hanzi": "路",
    "surnames": "张",
    "labels": "姓名：",
    "hospitals": "医院",
    "dots": "阿·",
    "at": "x@",
    "stars": "张*",
    "blank": " ",
    "lines": "\n",
    "towns": "西湖区",
    "tails": "中国有限",
    "spelt": "QQ 1-",
    "spelt records": "住院号 1 2 ",
    "e-mails": "邮箱a.",
    "spaced e-mails": "a . ",
    "named dots": "a(dot)",
    "starred cards": "6228 ",
    "spelt years": "二〇",
    "spaced years": "二 ",
    "listed hospitals": "霁海二院、",
    "marks": "1\u0336",
    "emoji": "👩\u200d",
    "surrogates": "\ud800",
}


@pytest.mark.parametrize("piece", _HOSTILE.values(), ids=_HOSTILE)
def test_time_grows_no_faster_than_the_text_on_hostile_strings(
    piece: str, text_tools: PresidioText
) -> None:

    def seconds(size: int) -> float:
        text = (piece * size)[:size] + "@"
        start = time.process_time()
        text_tools.detect([_part(text)])
        return time.process_time() - start

    seconds(1_000)
    small, large = seconds(5_000), seconds(50_000)
    assert large < 25 * small + 1


def test_offsets_count_code_points_of_the_original_whatever_stands_in_front(
    text_tools: PresidioText,
) -> None:
    for front in ("😷👩\u200d⚕️", "𠮷", "\r\n", "ﬁ㎎½", "1\ufe0f\u20e3，", "\ud800", "\u200b\ufeff"):
        text = f"{front}电话：13800138000。"
        at = text.index("138")
        spans = {f.where for f in text_tools.detect([_part(text)]) if f.kind is Kind.PHONE}
        assert Span(PartId("t0#text"), at, at + 11) in spans


class _Tokenised(ShadowNlpEngine):
    """Gives plain artifacts, as the engine of somebody else does: no shadow in them."""

    def process_text(self, text: str, language: str) -> NlpArtifacts:
        return self._doc_to_nlp_artifact(self.nlp[language](text), language)


def test_our_recognisers_need_no_shadow_in_the_artifacts_and_no_download() -> None:
    registry = RecognizerRegistry(supported_languages=["zh"])
    for recognizer in medveil_recognizers():
        registry.add_recognizer(recognizer)
    engine = AnalyzerEngine(registry=registry, nlp_engine=_Tokenised(), supported_languages=["zh"])
    text = f"😷𠮷{_TEXT}"
    found = {(r.entity_type, r.start, r.end) for r in engine.analyze(text, language="zh")}
    assert {("NAME", 5, 8), ("PHONE", 11, 22)} <= found


def test_only_the_entities_asked_for_come_back() -> None:
    found = [r for f in medveil_recognizers() for r in f.analyze(_TEXT, ["PHONE"])]
    assert {r.entity_type for r in found} == {"PHONE"}


@pytest.mark.parametrize(
    ("entity", "kind"),
    [
        ("PERSON", Kind.NAME),
        ("US_SSN", Kind.GOVERNMENT_ID),
        ("HOSPITAL", Kind.HOSPITAL),
        ("X", Kind.UNKNOWN),
    ],
)
def test_an_entity_type_of_somebody_else_becomes_our_kind(entity: str, kind: Kind) -> None:
    pattern = Pattern("badge", r"牌[A-Z]{2}[0-9]{3}", 0.8)
    other = PatternRecognizer(supported_entity=entity, patterns=[pattern], name="other")
    found = PresidioText(extra=[other]).detect([_part("😷𠮷牌QX123")])
    theirs = [f for f in found if f.detector == "other"]
    assert [(f.kind, f.where, f.score) for f in theirs] == [
        (kind, Span(PartId("t0#text"), 2, 8), 0.8)
    ]


def test_each_part_has_findings_of_its_own_and_an_empty_one_has_none(
    text_tools: PresidioText,
) -> None:
    ids = [PartId("a"), PartId("b"), PartId("c")]
    texts = ["电话13800138000", "", "好的"]
    parts = [TextPart(i, t) for i, t in zip(ids, texts, strict=True)]
    found = [f.where for f in text_tools.detect(parts) if f.kind is Kind.PHONE]
    assert {w.part for w in found if isinstance(w, Span)} == {ids[0]}
