"""What kind of request is it? (spec 004, requirement 1)

The boundary this draws:

- ``trivial``: answered from the clock or from arithmetic alone (time, date, sums, units): the quick path.
- ``simple``: small talk, thanks, who are you, a joke. Nothing is looked up and nothing is planned.
- ``data_query``: one statement over a source answers it, however it aggregates.
- ``visualization``: the same, and a chart is asked for.
- ``calculation``: a formula over the result, beyond what a statement does: statistics, growth, forecast, interest.
- ``consultation``: what could be analysed. Its Chinese keywords decide alone, as the specification has it.
- ``multi_step_analysis``: causes, several steps, whole reports; and questions of both data and documents.
- ``web_search``: the web is asked for, or only it can know (weather, news, rates).
- ``knowledge``: everything else, asked of the folder.

Without a source of data only quick answers, small talk, the web and the folder are left.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from kbtui.analysis.quick_path import as_read, kind_of
from kbtui.analysis.request_cues import FoundCues
from kbtui.analysis.source_names import SourceNames, name_stems, words_of
from kbtui.analysis.two_halves import two_halves
from kbtui.domain.analysis import Classified
from kbtui.domain.events import RequestType
from kbtui.domain.routing import Signal
from kbtui.question.normalise import clean, correct_typos, has_han
from kbtui.question.understanding import normalise_question, small_talk_kind, understand
from kbtui.reasoning.web_wishes import web_wish
from kbtui.text.glossary import translate

_ANALYSES: Final[tuple[RequestType, ...]] = ("consultation", "multi_step_analysis", "visualization", "calculation")
_LITERAL: Final = {
    "document": 2.2,
    "ticket": 2.2,
    "error code": 1.2,
    "path": 1.2,
    "flag": 1.2,
    "code": 0.8,
    "identifier": 0.8,
}
_WHOLE: Final = frozenset({"document", "ticket", "path"})
_FOLDER_PRIOR: Final = 0.7
"""What is not clearly about the data is asked of the folder."""
_LEAST_DATA: Final = 0.5
_LITTLE_DATA: Final = 1.0
"""Words such as "give me" or "that is" alone say nothing of data."""
_MOST_DATA: Final = 3.6
_MOST_SHOWN: Final = 5
_MOST_DETAIL: Final = 40
_MOST_TERMS: Final = 2.6
_UNHEARD: Final = 0.75
"""What "how many" and the like say of the data where nothing in them is named."""
_UNHEARD_ANALYSIS: Final = 0.4
"""And what "what led to" says of an analysis."""
_KEYWORDS: Final = re.compile(r"建议|分析方向|可以做什么分析|可以做哪些分析")
_DIGIT: Final = re.compile(r"\d")
_A_SOURCE: Final = re.compile(
    r"数据源|(?:[这本该]|这[份个些])(?:数据|库|表)"
    r"|\b(?:this|these|the|my|our)\s+(?:data(?:\s?sources?|\s?sets?|bases?)?|tables?)\b"
)
"""How the open data are spoken of."""
_NO_NAME: Final = re.compile(r"[\d/.:-]+|\S+@\S+")
"""Dates, numbers and addresses of people: values, not names of things in a folder."""


class RequestClassifier:
    """Classifies requests by what they say, without a model; the same request always gets the same type.

    Args:
        sources: Names of the sources of data there are.
        source_terms: By source, the names in it: tables and columns, as they are written there.
        source_values: By source, some of the values in it. Where a source is named here, its names are taken to be
            all there are, and what says none of them is less likely to be about it.
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
        self._known_whole = bool(values) and set(values) >= set(self._sources)

    def classify(self, query: str, *, folder: bool = True, web: bool = True) -> Classified:
        """The type of ``query``, with what decided.

        Args:
            folder: Documents can be asked too; without them everything that needs to be looked up is asked of the data.
            web: What only the web is likely to know is asked of it, though it was not named.
        """
        kind = kind_of(query)
        if kind is not None and kind != "rates":
            return Classified(
                request_type="trivial", quick_path=True, signals=(Signal(name="quick path", detail=kind),)
            )
        text = correct_typos(as_read(query))
        found = FoundCues(text, self._counts)
        literal = self._literal(query)
        if kind != "rates" and not literal and (small := self._small(query, text, found)):
            return small
        source, terms = self._source_of(query, text)
        data = (self._sum("data", found) if self._sources else 0.0) + sum(signal.weight for signal in terms)
        wish = web_wish(query)
        if kind == "rates" or (wish is not None and wish.only):
            return _classified(
                "web_search", (Signal(name="web", detail=kind or "asked for"), *found.get("web_search", ()))
            )
        if web and self._web_wins(found, data, literal):
            return _classified(
                "web_search", found["web_search"], _confidence(self._sum("web_search", found) - data / 2)
            )
        if not self._sources:
            return self._without_data(query, text, found, literal)
        return self._about_data(query, text, found, terms, literal, source, folder)

    def _without_data(
        self, query: str, text: str, found: Mapping[str, list[Signal]], literal: Sequence[Signal]
    ) -> Classified:
        """The type where there is no source: what needs none, and what asks outright about one that is not there."""
        if _KEYWORDS.search(text):
            # The specification has it so; where no source is spoken of, the documents may hold the advice.
            details = {} if _A_SOURCE.search(text) and not literal else {"folder": True}
            return _classified("consultation", found.get("consultation", ()), details=details)
        if not literal:
            if _DIGIT.search(query):
                # Most questions hold no number, and a cold start need not load what calculates with them.
                from kbtui.analysis.calculation import pure_calculation

                if (pure := pure_calculation(query)) is not None:
                    return _classified("calculation", (Signal(name="calculated", detail=pure[0]),))
            if self._sum("consultation", found) >= _DECIDES and (named := _A_SOURCE.search(text)):
                signals = (*found.get("consultation", ()), Signal(name="data source", detail=named[0]))
                return _classified("consultation", signals)
        return _classified("knowledge", literal or found.get("knowledge", ()))

    def _about_data(
        self,
        query: str,
        text: str,
        found: Mapping[str, list[Signal]],
        terms: Sequence[Signal],
        literal: Sequence[Signal],
        source: str,
        folder: bool,
    ) -> Classified:
        """The type of a request that is neither small talk nor for the web."""
        whole = any(signal.name in _WHOLE for signal in literal)
        if _KEYWORDS.search(text):
            of_document = {"folder": True} if whole else {}
            return _classified("consultation", found.get("consultation", ()), source=source, details=of_document)
        halves = two_halves(clean(query))
        said = min(self._sum("data", found), _MOST_DATA)
        if unheard := self._is_unheard(text, terms):
            said *= _UNHEARD
        data = said + sum(signal.weight for signal in terms)
        if folder and halves is not None and data >= _LEAST_DATA and self._asks_documents(found):
            signals = (
                Signal(name="asked of the data", detail=halves.data),
                Signal(name="asked of the documents", detail=halves.knowledge),
            )
            details = {"knowledge": halves.knowledge, "data": halves.data}
            return _classified("multi_step_analysis", signals, source=source, details=details)
        knowledge = self._sum("knowledge", found) + sum(signal.weight for signal in literal) + _FOLDER_PRIOR
        sums: dict[RequestType, float] = {name: self._sum(name, found) for name in _ANALYSES}
        if whole:
            # What a document recommends is no advice on data.
            sums["consultation"] = 0.0
        best = max(_ANALYSES, key=lambda name: sums[name])
        calculates = sum(signal.name not in ("calculated", "analysed") for signal in found.get(best, ()))
        # What is done with data is a sign of data itself: a chart, a correlation, advice on an analysis.
        certain = calculates and (data > 0 or best != "multi_step_analysis")
        evidence = data + sums[best] * (_UNHEARD_ANALYSIS if unheard else 1 if certain else 0.5)
        if folder and evidence < max(knowledge, _LEAST_DATA):
            reasons = (*literal, *found.get("knowledge", ()))
            return _classified("knowledge", reasons or (_no_sign(),), _confidence(knowledge - evidence))
        request_type = self._kind(sums, found)
        signals = (*found.get(request_type, ()), *terms, *found.get("data", ()))
        margin = evidence - knowledge
        return _classified(request_type, signals, _confidence(margin), source=source)

    def _kind(self, sums: Mapping[RequestType, float], found: Mapping[str, list[Signal]]) -> RequestType:
        multi = {signal.name for signal in found.get("multi_step_analysis", ())}
        if sums["consultation"] >= _DECIDES and sums["consultation"] >= sums["multi_step_analysis"] - 1:
            return "consultation"
        if multi - {"analysed"} and not (multi <= {"why it changed", "analysed"} and sums["visualization"] >= _DECIDES):
            return "multi_step_analysis"
        if sums["visualization"] >= _DECIDES:
            return "visualization"
        if sums["calculation"] >= _DECIDES_CALCULATION:
            return "calculation"
        if sums["consultation"] >= _DECIDES:
            return "consultation"
        if sums["multi_step_analysis"] >= _DECIDES_ANALYSIS:
            return "multi_step_analysis"
        return "data_query"

    def _is_unheard(self, text: str, terms: Sequence[Signal]) -> bool:
        """True where all names of the sources are known, in the script of the request, and it says none of them."""
        if terms or not self._known_whole:
            return False
        is_chinese = has_han(text)
        return all(names.chinese if is_chinese else names.latin for names in self._terms.values())

    @staticmethod
    def _asks_documents(found: Mapping[str, list[Signal]]) -> bool:
        """True where documents are spoken of, and no table is called so."""
        return any(signal.name == "documents" for signal in found.get("knowledge", ()))

    @staticmethod
    def _sum(kind: str, found: Mapping[str, list[Signal]]) -> float:
        return sum(signal.weight for signal in found.get(kind, ()))

    def _web_wins(self, found: Mapping[str, list[Signal]], data: float, literal: Sequence[Signal]) -> bool:
        """True for what only the web can know, unless it is said of the data or of a document."""
        if "web_search" not in found or literal:
            return False
        outright = any(signal.name == "on the web" for signal in found["web_search"])
        # A chart of stock prices is drawn from data, whoever else knows the price of today.
        drawn = self._sum("visualization", found) if self._sources else 0.0
        against = 0.0 if outright or not self._sources else data + drawn
        return self._sum("web_search", found) > against + (self._sum("knowledge", found) / 2 if not outright else 0.0)

    def _small(self, query: str, text: str, found: Mapping[str, list[Signal]]) -> Classified | None:
        """Small talk: nothing is asked of anything."""
        if "simple" in found and self._sum("data", found) <= _LITTLE_DATA:
            return _classified("simple", found["simple"])
        read = understand(query)
        if self._sources and "data" in found and read.chitchat not in _SURE_SMALL_TALK:
            # Whatever its wording, it is asked of the data.
            return None
        if read.query_type != "chitchat" or web_wish(query) is not None or "web_search" in found:
            return None
        if self._sources and small_talk_kind(query, only_known_words=True) is None:
            return None  # A word that no small talk has may be one of the data.
        # "what would you look at first here" is said to the assistant, and of the data.
        if (
            self._sources
            and read.chitchat == "smalltalk"
            and ("consultation" in found or self._source_of(query, text)[1])
        ):
            return None
        return _classified("simple", read.signals or (Signal(name=read.chitchat or "small talk"),), read.confidence)

    def _literal(self, query: str) -> tuple[Signal, ...]:
        """What the folder alone could hold: documents, tickets, paths, identifiers that no source has."""
        found: dict[str, Signal] = {}
        for mention in normalise_question(query).mentions:
            kind = "error code" if mention.kind == "errorcode" else mention.kind
            if kind in _LITERAL and not _NO_NAME.fullmatch(mention.text) and not self._is_known(mention.text):
                found.setdefault(kind, Signal(name=kind, detail=mention.text[:_MOST_DETAIL], weight=_LITERAL[kind]))
        return tuple(found.values())

    def _counts(self, kind: str, signal: Signal) -> bool:
        """False for a word for documents that is a name in the data: it speaks for the data."""
        if kind != "knowledge" or signal.name != "documents":
            return True
        return not any(self._is_known(word) for word in signal.detail.split())

    def _is_known(self, name: str) -> bool:
        """True for a name that a source has: what looks like an identifier may be a column."""
        words = name_stems(name)
        return name in self._sources or any(names.has(words) for names in self._terms.values())

    def _source_of(self, query: str, text: str) -> tuple[str, tuple[Signal, ...]]:
        """The source a request is about, and which of its names it says."""
        lowered = clean(query).lower()
        words = words_of(text)
        translated = {stem for name in translate(clean(query)) for stem in words_of(name.lower())}
        best: tuple[float, str, tuple[Signal, ...]] = (0.0, "", ())
        for source in self._sources:
            names = self._terms.get(source)
            signals = names.said(words, translated, lowered) if names else []
            if len(source) > 2 and re.search(rf"(?<!\w){re.escape(source.lower())}(?!\w)", lowered):
                signals.insert(0, Signal(name="source", detail=source, weight=1.5))
            total = sum(signal.weight for signal in signals)
            if total > best[0]:
                scale = min(1.0, _MOST_TERMS / total)
                weighed = (
                    Signal(name=one.name, detail=one.detail, weight=round(one.weight * scale, 2)) for one in signals
                )
                best = (total, source, tuple(weighed))
        only = self._sources[0] if len(self._sources) == 1 else ""
        return best[1] or only, best[2]


_DECIDES: Final = 1.8
_DECIDES_CALCULATION: Final = 1.7
_DECIDES_ANALYSIS: Final = 1.5
_OUTRIGHT: Final = frozenset({"web", "on the web"})
_SURE_SMALL_TALK: Final = frozenset({"greeting", "thanks", "farewell", "identity"})


def asks_web(classified: Classified) -> bool:
    """True for a request of the web in so many words, not for one that the web alone is thought to know."""
    return classified.request_type == "web_search" and any(one.name in _OUTRIGHT for one in classified.signals)


def _no_sign() -> Signal:
    return Signal(name="no sign of the data", weight=0.3)


def _confidence(margin: float) -> float:
    return round(1 / (1 + math.exp(-1.4 * margin - 0.4)), 3)


def _classified(
    request_type: RequestType,
    signals: Sequence[Signal],
    confidence: float = 0.95,
    *,
    source: str = "",
    details: Mapping[str, Any] | None = None,
) -> Classified:
    capped = tuple(
        Signal(name=signal.name, detail=signal.detail, weight=round(min(signal.weight / 2.5, 1.0), 2))
        for signal in tuple(signals)[:_MOST_SHOWN]
    )
    return Classified(
        request_type=request_type, confidence=confidence, signals=capped, source=source, details=dict(details or {})
    )
