"""Presidio carries the text side: our families as its recognisers, its recognisers as ours.

One `AnalyzerEngine` runs a handful of family recognisers, each one pass over the shadow text that
our own NlpEngine leaves in the artifacts.  Nothing is downloaded: the pipeline is a blank one,
into which a name model can be put as a component.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import spacy
from presidio_analyzer import AnalyzerEngine, EntityRecognizer, RecognizerRegistry, RecognizerResult
from presidio_analyzer.context_aware_enhancers import ContextAwareEnhancer
from presidio_analyzer.nlp_engine import NlpArtifacts, SpacyNlpEngine

from deid.detect import clinical, dates, identifiers, names, numbers, places
from deid.detect.match import Family
from deid.detect.shadow import shadow
from deid.schema import Finding, Kind, Span, TextPart
from deid.spans import Shadow

_FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "identifiers": identifiers.find,
        "numbers": numbers.find,
        "dates": dates.find,
        "places": places.find,
        "names": names.find,
        "clinical": clinical.find,
    }
)
"""Each family is one recogniser and one pass; a recogniser per pattern would cost a pass each."""

_FOREIGN: Mapping[str, Kind] = MappingProxyType(
    {
        "PERSON": Kind.NAME,
        "PHONE_NUMBER": Kind.PHONE,
        "EMAIL_ADDRESS": Kind.EMAIL,
        "LOCATION": Kind.ADDRESS,
        "ORGANIZATION": Kind.INSTITUTION,
        "DATE_TIME": Kind.DATE,
        "CREDIT_CARD": Kind.BANK_CARD,
        "IP_ADDRESS": Kind.IP_ADDRESS,
        "MEDICAL_LICENSE": Kind.LICENCE,
        "IBAN_CODE": Kind.BANK_CARD,
        "US_SSN": Kind.GOVERNMENT_ID,
        "US_PASSPORT": Kind.PASSPORT,
        "US_DRIVER_LICENSE": Kind.LICENCE,
        "NRP": Kind.UNKNOWN,
    }
)
"""Presidio's own entity types; one that is in neither table is of unknown kind, and removed."""
_OURS: Mapping[str, Kind] = MappingProxyType({kind.upper(): kind for kind in Kind})
_LANGUAGE = "zh"


class FamilyRecognizer(EntityRecognizer):  # type: ignore[misc]  # Presidio ships no types
    """One family of our rules as a Presidio recogniser."""

    def __init__(self, family: str, language: str = _LANGUAGE) -> None:
        """Take the family of that name."""
        self._find = _FAMILIES[family]
        super().__init__(supported_entities=sorted(_OURS), name=family, supported_language=language)

    def load(self) -> None:
        """Need nothing."""

    def analyze(
        self, text: str, entities: Sequence[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        """Return what the family finds, in code points of the original text."""
        view = getattr(nlp_artifacts, "shadow", None) or shadow(text)
        results = []
        for match in self._find(view):
            start, end = view.original(match.start, match.end)
            kind = match.kind.upper()
            if not entities or kind in entities:
                results.append(self._result(kind, start, end, match.score))
        return results

    def _result(self, entity: str, start: int, end: int, score: float) -> RecognizerResult:
        mark = {
            RecognizerResult.RECOGNIZER_NAME_KEY: self.name,
            RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: self.id,
        }
        return RecognizerResult(entity, start, end, score, recognition_metadata=mark)


class ShadowArtifacts(NlpArtifacts):  # type: ignore[misc]  # Presidio ships no types
    """Presidio's artifacts with the shadow text of our families."""

    def __init__(self, view: Shadow, engine: SpacyNlpEngine) -> None:
        """Hold no tokens: our families need none, and tokenising costs more than they do."""
        blank = engine.nlp[_LANGUAGE].make_doc("")
        super().__init__(
            entities=[],
            tokens=blank,
            tokens_indices=[],
            lemmas=[],
            nlp_engine=engine,
            language=_LANGUAGE,
        )
        self.shadow = view


class ShadowNlpEngine(SpacyNlpEngine):  # type: ignore[misc]  # Presidio ships no types
    """A blank spaCy pipeline; without this Presidio tries to download a model."""

    def __init__(self) -> None:
        """Set the pipeline by hand."""
        super().__init__(models=[{"lang_code": _LANGUAGE, "model_name": "blank"}])
        self.load()

    def load(self) -> None:
        """Make the pipeline."""
        self.nlp = {_LANGUAGE: spacy.blank(_LANGUAGE)}

    def is_loaded(self) -> bool:
        """Say that there is nothing to load."""
        return True

    def process_text(self, text: str, language: str) -> NlpArtifacts:
        """Return the shadow as artifacts."""
        del language
        return ShadowArtifacts(shadow(text), self)


class _NoContext(ContextAwareEnhancer):  # type: ignore[misc]  # Presidio ships no types
    """Leaves scores alone: our rules read their own context, and Presidio's matches substrings."""

    def __init__(self) -> None:
        super().__init__(
            context_similarity_factor=0,
            min_score_with_context_similarity=0,
            context_prefix_count=0,
            context_suffix_count=0,
        )

    def enhance_using_context(
        self, text: str, raw_results: list[RecognizerResult], *rest: object, **more: object
    ) -> list[RecognizerResult]:
        del text, rest, more
        return raw_results


def medveil_recognizers(language: str = _LANGUAGE) -> list[EntityRecognizer]:
    """Return our recognisers for a Presidio registry of your own.

    They work in a plain ``AnalyzerEngine(supported_languages=["zh"])`` too, where each makes its
    own shadow of the text.
    """
    return [FamilyRecognizer(family, language) for family in _FAMILIES]


class PresidioText:
    """A `deid.ports.TextDetector`: one analyzer with our recognisers and the caller's."""

    name = "presidio"

    def __init__(self, extra: Sequence[EntityRecognizer] = ()) -> None:
        """Build the analyzer; ``extra`` recognisers need no support for Chinese of their own."""
        registry = RecognizerRegistry(supported_languages=[_LANGUAGE])
        for recognizer in (*medveil_recognizers(), *extra):
            recognizer.supported_language = _LANGUAGE
            registry.add_recognizer(recognizer)
        # Presidio logs at warning level what it finds odd about a registry; texts never reach it.
        logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
        self._analyzer = AnalyzerEngine(
            registry=registry,
            nlp_engine=ShadowNlpEngine(),
            supported_languages=[_LANGUAGE],
            context_aware_enhancer=_NoContext(),
            default_score_threshold=0,
        )

    def detect(self, parts: Sequence[TextPart]) -> list[Finding]:
        """Return the findings of every recogniser in every part."""
        return [finding for part in parts if part.text for finding in self._found(part)]

    def _found(self, part: TextPart) -> Iterator[Finding]:
        for result in self._analyzer.analyze(part.text, language=_LANGUAGE):
            mark = result.recognition_metadata or {}
            source = str(mark.get(RecognizerResult.RECOGNIZER_NAME_KEY, self.name))
            kind = _OURS.get(result.entity_type) or _FOREIGN.get(result.entity_type, Kind.UNKNOWN)
            score = min(max(float(result.score), 0.0), 1.0)
            if result.start < result.end:
                yield Finding(Span(part.id, result.start, result.end), kind, score, source)
