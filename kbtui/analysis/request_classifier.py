"""Classifies requests by type (spec 004, requirement 1).

The types:

- ``trivial``: answered from the clock or from arithmetic alone (time, date, sums, units): the quick path.
- ``simple``: small talk, thanks, who are you, a joke. Nothing is looked up and nothing is planned.
- ``data_query``: one statement over a source answers it, however it aggregates.
- ``visualization``: the same, and a chart is asked for.
- ``calculation``: a formula over the result, beyond what a statement does: statistics, growth, forecast, interest.
- ``consultation``: what could be analysed. Its Chinese keywords decide alone, as the specification has it.
- ``multi_step_analysis``: causes, several steps, whole reports; and questions of both data and documents.
- ``web_search``: the web is asked for, or only the web can answer (weather, news, rates).
- ``knowledge``: everything else, answered from the folder.

Without a source of data there are only quick answers, small talk, the web and the folder.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kbtui.analysis.hybrid_questions import split_hybrid_question
from kbtui.analysis.quick_path import normalise_query, quick_kind
from kbtui.analysis.request_cues import RequestCues
from kbtui.analysis.source_names import SourceNames, name_stems, word_stems
from kbtui.domain.analysis import Classified
from kbtui.domain.events import RequestType
from kbtui.domain.routing import Signal
from kbtui.question.normalise import clean, correct_typos, has_han
from kbtui.question.understanding import normalise_question, small_talk_kind, understand
from kbtui.reasoning.web_wishes import web_wish
from kbtui.text.glossary import translate

_ANALYSES: Final[tuple[RequestType, ...]] = ("consultation", "multi_step_analysis", "visualization", "calculation")
_MENTION_WEIGHTS: Final = {
    "document": 2.2,
    "ticket": 2.2,
    "error code": 1.2,
    "path": 1.2,
    "flag": 1.2,
    "code": 0.8,
    "identifier": 0.8,
}
_DOCUMENT_MENTIONS: Final = frozenset({"document", "ticket", "path"})
_FOLDER_PRIOR: Final = 0.7
"""Prior weight of the folder over the data."""
_MIN_DATA: Final = 0.5
_LITTLE_DATA: Final = 1.0
"""Weight of data cues that words such as "give me" reach alone."""
_MAX_DATA: Final = 3.6
_MAX_SHOWN: Final = 5
_MAX_DETAIL: Final = 40
_MAX_TERMS: Final = 2.6
_UNNAMED_FACTOR: Final = 0.75
"""Factor of data cues such as "how many" if the request says no name of the data."""
_UNNAMED_ANALYSIS_FACTOR: Final = 0.4
"""Factor of analysis cues such as "what led to" in such a request."""
_KEYWORDS: Final = re.compile(r"建议|分析方向|可以做什么分析|可以做哪些分析")
_DIGIT: Final = re.compile(r"\d")
_DATA_SOURCE: Final = re.compile(
    r"数据源|(?:[这本该]|这[份个些])(?:数据|库|表)"
    r"|\b(?:this|these|the|my|our)\s+(?:data(?:\s?sources?|\s?sets?|bases?)?|tables?)\b"
)
"""References to the open source of data."""
_NO_NAME: Final = re.compile(r"[\d/.:-]+|\S+@\S+")
"""Dates, numbers and addresses of people: values, not names of things in a folder."""


class RequestClassifier:
    """Classifies requests by their wording, without a model; deterministic.

    Args:
        sources: Names of the sources of data.
        source_terms: Names of tables and columns, as written in the source, by source.
        source_values: Sampled values by source. The names of a source listed here count as complete, so that a
            request without any of them is less likely to be about it.
    """

    def __init__(
        self,
        sources: Sequence[str],
        source_terms: Mapping[str, frozenset[str]] | None = None,
        source_values: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._sources = tuple(sources)
        values = source_values or {}
        self._terms = {
            source: SourceNames(terms, values.get(source, ()))
            for source, terms in (source_terms or {}).items()
            if source in self._sources
        }
        self._knows_all_names = bool(values) and set(values) >= set(self._sources)

    def classify(self, query: str, *, folder: bool = True, web: bool = True) -> Classified:
        """The type of ``query``, with the signals that decided.

        Args:
            folder: There are documents; without them every request that needs a source is about the data.
            web: Requests that only the web can answer are of type ``web_search`` even if they do not name it.
        """
        kind = quick_kind(query)
        if kind is not None and kind != "rates":
            return Classified(
                request_type="trivial", quick_path=True, signals=(Signal(name="quick path", detail=kind),)
            )
        text = correct_typos(normalise_query(query))
        cues = RequestCues(text, self._is_document_cue)
        mentions = self._document_mentions(query)
        if kind != "rates" and not mentions and (small := self._small_talk(query, text, cues)):
            return small
        source, terms = self._source_of(query, text)
        data = (self._weight("data", cues) if self._sources else 0.0) + sum(signal.weight for signal in terms)
        web_request = web_wish(query)
        if kind == "rates" or (web_request is not None and web_request.only):
            return _make_classified(
                "web_search", (Signal(name="web", detail=kind or "asked for"), *cues.get("web_search", ()))
            )
        if web and self._web_wins(cues, data, mentions):
            return _make_classified(
                "web_search", cues["web_search"], _confidence(self._weight("web_search", cues) - data / 2)
            )
        if not self._sources:
            return self._without_data(query, text, cues, mentions)
        return self._about_data(query, text, cues, terms, mentions, source, folder)

    def _without_data(
        self, query: str, text: str, cues: Mapping[str, list[Signal]], mentions: Sequence[Signal]
    ) -> Classified:
        """The type without a source: requests that need none, and those that explicitly ask about data."""
        if _KEYWORDS.search(text):
            # Required by the specification; without a reference to a source the documents may have the advice.
            details = {} if _DATA_SOURCE.search(text) and not mentions else {"folder": True}
            return _make_classified("consultation", cues.get("consultation", ()), details=details)
        if not mentions:
            if _DIGIT.search(query):
                # Imported late: most questions have no number.
                from kbtui.analysis.calculation import pure_calculation

                if (calculation := pure_calculation(query)) is not None:
                    return _make_classified("calculation", (Signal(name="calculated", detail=calculation[0]),))
            if self._weight("consultation", cues) >= _MIN_DECISIVE and (source_match := _DATA_SOURCE.search(text)):
                signals = (*cues.get("consultation", ()), Signal(name="data source", detail=source_match[0]))
                return _make_classified("consultation", signals)
        return _make_classified("knowledge", mentions or cues.get("knowledge", ()))

    def _about_data(
        self,
        query: str,
        text: str,
        cues: Mapping[str, list[Signal]],
        terms: Sequence[Signal],
        mentions: Sequence[Signal],
        source: str,
        folder: bool,
    ) -> Classified:
        """The type of a request that is neither small talk nor for the web."""
        names_document = any(signal.name in _DOCUMENT_MENTIONS for signal in mentions)
        if _KEYWORDS.search(text):
            of_document = {"folder": True} if names_document else {}
            return _make_classified("consultation", cues.get("consultation", ()), source=source, details=of_document)
        halves = split_hybrid_question(clean(query))
        data_weight = min(self._weight("data", cues), _MAX_DATA)
        if is_unnamed := self._names_nothing_known(text, terms):
            data_weight *= _UNNAMED_FACTOR
        data = data_weight + sum(signal.weight for signal in terms)
        if folder and halves is not None and data >= _MIN_DATA and self._asks_documents(cues):
            signals = (
                Signal(name="asked of the data", detail=halves.data),
                Signal(name="asked of the documents", detail=halves.knowledge),
            )
            details = {"knowledge": halves.knowledge, "data": halves.data}
            return _make_classified("multi_step_analysis", signals, source=source, details=details)
        knowledge = self._weight("knowledge", cues) + sum(signal.weight for signal in mentions) + _FOLDER_PRIOR
        weights: dict[RequestType, float] = {name: self._weight(name, cues) for name in _ANALYSES}
        if names_document:
            # A recommendation of a document is no advice on data.
            weights["consultation"] = 0.0
        best = max(_ANALYSES, key=lambda name: weights[name])
        calculates = sum(signal.name not in ("calculated", "analysed") for signal in cues.get(best, ()))
        # A chart, a correlation or advice on an analysis is itself evidence for data.
        certain = calculates and (data > 0 or best != "multi_step_analysis")
        evidence = data + weights[best] * (_UNNAMED_ANALYSIS_FACTOR if is_unnamed else 1 if certain else 0.5)
        if folder and evidence < max(knowledge, _MIN_DATA):
            reasons = (*mentions, *cues.get("knowledge", ()))
            return _make_classified("knowledge", reasons or (_NO_DATA,), _confidence(knowledge - evidence))
        request_type = self._analysis_type(weights, cues)
        signals = (*cues.get(request_type, ()), *terms, *cues.get("data", ()))
        margin = evidence - knowledge
        return _make_classified(request_type, signals, _confidence(margin), source=source)

    def _analysis_type(self, weights: Mapping[RequestType, float], cues: Mapping[str, list[Signal]]) -> RequestType:
        multi = {signal.name for signal in cues.get("multi_step_analysis", ())}
        if weights["consultation"] >= _MIN_DECISIVE and weights["consultation"] >= weights["multi_step_analysis"] - 1:
            return "consultation"
        if multi - {"analysed"} and not (
            multi <= {"why it changed", "analysed"} and weights["visualization"] >= _MIN_DECISIVE
        ):
            return "multi_step_analysis"
        if weights["visualization"] >= _MIN_DECISIVE:
            return "visualization"
        if weights["calculation"] >= _MIN_CALCULATION:
            return "calculation"
        if weights["consultation"] >= _MIN_DECISIVE:
            return "consultation"
        if weights["multi_step_analysis"] >= _MIN_ANALYSIS:
            return "multi_step_analysis"
        return "data_query"

    def _names_nothing_known(self, text: str, terms: Sequence[Signal]) -> bool:
        """Whether all names of the sources are known, in the script of the request, and it says none of them."""
        if terms or not self._knows_all_names:
            return False
        is_chinese = has_han(text)
        return all(names.chinese if is_chinese else names.latin for names in self._terms.values())

    @staticmethod
    def _asks_documents(cues: Mapping[str, list[Signal]]) -> bool:
        """Whether the request mentions documents, and no table is called so."""
        return any(signal.name == "documents" for signal in cues.get("knowledge", ()))

    @staticmethod
    def _weight(kind: str, cues: Mapping[str, list[Signal]]) -> float:
        return sum(signal.weight for signal in cues.get(kind, ()))

    def _web_wins(self, cues: Mapping[str, list[Signal]], data: float, mentions: Sequence[Signal]) -> bool:
        """Whether only the web can answer, unless the request is about the data or a document."""
        if "web_search" not in cues or mentions:
            return False
        names_web = any(signal.name == "on the web" for signal in cues["web_search"])
        # A chart of stock prices is drawn from the data.
        chart_weight = self._weight("visualization", cues) if self._sources else 0.0
        against = 0.0 if names_web or not self._sources else data + chart_weight
        return self._weight("web_search", cues) > against + (
            self._weight("knowledge", cues) / 2 if not names_web else 0.0
        )

    def _small_talk(self, query: str, text: str, cues: Mapping[str, list[Signal]]) -> Classified | None:
        """The classification of small talk; None for other requests."""
        if "simple" in cues and self._weight("data", cues) <= _LITTLE_DATA:
            return _make_classified("simple", cues["simple"])
        read = understand(query)
        if self._sources and "data" in cues and read.chitchat not in _SURE_SMALL_TALK:
            # A data cue outweighs the wording of small talk.
            return None
        if read.query_type != "chitchat" or web_wish(query) is not None or "web_search" in cues:
            return None
        if self._sources and small_talk_kind(query, only_known_words=True) is None:
            return None  # A word that does not occur in small talk may be a name of the data.
        # "what would you look at first here" addresses the assistant and is about the data.
        if (
            self._sources
            and read.chitchat == "smalltalk"
            and ("consultation" in cues or self._source_of(query, text)[1])
        ):
            return None
        return _make_classified(
            "simple", read.signals or (Signal(name=read.chitchat or "small talk"),), read.confidence
        )

    def _document_mentions(self, query: str) -> tuple[Signal, ...]:
        """Mentions that only the folder can have: documents, tickets, paths, identifiers that no source has."""
        signals: dict[str, Signal] = {}
        for mention in normalise_question(query).mentions:
            kind = "error code" if mention.kind == "errorcode" else mention.kind
            if (
                kind in _MENTION_WEIGHTS
                and not _NO_NAME.fullmatch(mention.text)
                and not self._is_source_name(mention.text)
            ):
                signals.setdefault(
                    kind, Signal(name=kind, detail=mention.text[:_MAX_DETAIL], weight=_MENTION_WEIGHTS[kind])
                )
        return tuple(signals.values())

    def _is_document_cue(self, kind: str, signal: Signal) -> bool:
        """False for a document word that is a name in the data, which makes it evidence for the data."""
        if kind != "knowledge" or signal.name != "documents":
            return True
        return not any(self._is_source_name(word) for word in signal.detail.split())

    def _is_source_name(self, name: str) -> bool:
        """Whether a source has the name: an identifier may be that of a column."""
        words = name_stems(name)
        return name in self._sources or any(names.has_name(words) for names in self._terms.values())

    def _source_of(self, query: str, text: str) -> tuple[str, tuple[Signal, ...]]:
        """The source of a request, with signals for the names of the source in it."""
        lowered = clean(query).lower()
        words = word_stems(text)
        translated = {stem for name in translate(clean(query)) for stem in word_stems(name.lower())}
        best: tuple[float, str, tuple[Signal, ...]] = (0.0, "", ())
        for source in self._sources:
            names = self._terms.get(source)
            signals = names.find_names(words, translated, lowered) if names else []
            if len(source) > 2 and re.search(rf"(?<!\w){re.escape(source.lower())}(?!\w)", lowered):
                signals.insert(0, Signal(name="source", detail=source, weight=1.5))
            total = sum(signal.weight for signal in signals)
            if total > best[0]:
                scale = min(1.0, _MAX_TERMS / total)
                scaled = (
                    Signal(name=one.name, detail=one.detail, weight=round(one.weight * scale, 2)) for one in signals
                )
                best = (total, source, tuple(scaled))
        only = self._sources[0] if len(self._sources) == 1 else ""
        return best[1] or only, best[2]


_NO_DATA: Final = Signal(name="no sign of the data", weight=0.3)
_MIN_DECISIVE: Final = 1.8
_MIN_CALCULATION: Final = 1.7
_MIN_ANALYSIS: Final = 1.5
_WEB_SIGNALS: Final = frozenset({"web", "on the web"})
_SURE_SMALL_TALK: Final = frozenset({"greeting", "thanks", "farewell", "identity"})


def asks_web(classified: Classified) -> bool:
    """Whether a request names the web, in contrast to one that only the web can answer."""
    return classified.request_type == "web_search" and any(signal.name in _WEB_SIGNALS for signal in classified.signals)


def _confidence(margin: float) -> float:
    return round(1 / (1 + math.exp(-1.4 * margin - 0.4)), 3)


def _make_classified(
    request_type: RequestType,
    signals: Sequence[Signal],
    confidence: float = 0.95,
    *,
    source: str = "",
    details: Mapping[str, Any] | None = None,
) -> Classified:
    capped = tuple(
        Signal(name=signal.name, detail=signal.detail, weight=round(min(signal.weight / 2.5, 1.0), 2))
        for signal in tuple(signals)[:_MAX_SHOWN]
    )
    return Classified(
        request_type=request_type, confidence=confidence, signals=capped, source=source, details=dict(details or {})
    )
