import time

import pytest
from presidio_analyzer import AnalyzerEngine, Pattern, PatternRecognizer, RecognizerRegistry

from deid.detect.known import KnownValues, collect
from deid.presidio import PresidioText, ShadowNlpEngine, medveil_recognizers
from deid.schema import Finding, Kind, PartId, Span, TextPart

_TEXT = "姓名：虞测安，电话１３８００１３８０００"


def _part(text: str) -> TextPart:
    return TextPart(PartId("t0#text"), text)


def test_a_finding_names_its_recogniser_and_counts_in_the_original() -> None:
    found = PresidioText().detect([_part(_TEXT)])
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


def test_a_known_person_is_found_in_every_way_of_writing() -> None:
    known = KnownValues([("虞测安", Kind.NAME), ("13800138000", Kind.PHONE)])
    for written in (
        "虞测安",
        "虞 测 安",
        "测安",
        "Yu Cean",
        "YU CE AN",
        "１３８００１３８０００",
        "138 0013 8000",
    ):
        text = f"他说{written}好"
        found = known.detect([_part(text)])
        assert [text[f.where.start : f.where.end] for f in found if isinstance(f.where, Span)] == [
            written
        ]


@pytest.mark.parametrize("name", ["王健康", "李如果", "张明白", "刘头疼"])
def test_a_given_name_that_is_a_common_word_is_not_searched_for_alone(name: str) -> None:
    known = KnownValues([(name, Kind.NAME)])
    assert known.detect([_part(f"祝您{name[1:]}，{name[1:]}吗")]) == []
    assert len(known.detect([_part(f"{name}复诊")])) == 1


def test_only_certain_findings_feed_the_deny_list() -> None:
    part = _part("虞测安和柳试月")
    sure = Finding(Span(part.id, 0, 3), Kind.NAME, 0.95, "names")
    unsure = Finding(Span(part.id, 4, 7), Kind.NAME, 0.5, "names")
    keeper = Finding(Span(part.id, 0, 3), Kind.AGE, 0.95, "clinical")
    assert collect([part], [sure, unsure, keeper]) == [("虞测安", Kind.NAME)]


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
}


@pytest.mark.parametrize("piece", _HOSTILE.values(), ids=_HOSTILE)
def test_time_grows_no_faster_than_the_text_on_hostile_strings(piece: str) -> None:
    detector = PresidioText()

    def seconds(size: int) -> float:
        text = (piece * size)[:size] + "@"
        start = time.process_time()
        detector.detect([_part(text)])
        return time.process_time() - start

    seconds(1_000)
    small, large = seconds(5_000), seconds(50_000)
    assert large < 25 * small + 1
