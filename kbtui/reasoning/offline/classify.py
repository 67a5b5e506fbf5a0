"""Decides which of the five types a question is, and says why."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from kbtui import late_patterns
from kbtui.domain.routing import QueryType, Signal
from kbtui.reasoning.offline.chitchat import ChitchatKind, chitchat_kind
from kbtui.reasoning.offline.cues import cues, fitted, judged, told
from kbtui.reasoning.offline.lexicon import words
from kbtui.reasoning.offline.mentions import Mention, find_mentions, masked
from kbtui.reasoning.offline.normalise import Language, clean, mend, question_language, strip_courtesies
from kbtui.text.language import simplified
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in


class Rule(Struct, frozen=True):
    """One reason.

    Attributes:
        name: For the intent pane.
        weight: Added to the score of ``query_type`` when the pattern is found.
    """

    name: str
    query_type: QueryType
    weight: float
    pattern: re.Pattern[str]


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order of the file."""
    table = toml_in(__package__, "rules.toml")
    words: dict[str, str] = {}
    for name, body in table["words"].items():
        words[name] = _filled(body, words)
    return tuple(
        Rule(row["name"], row["type"], row["weight"], late_patterns.pattern(_filled(row["pattern"], words), re.X))
        for row in table["rule"]
    )


def _filled(pattern: str, words: dict[str, str]) -> str:
    """The pattern with each ``{name}`` replaced by its list of words; counts like ``{0,4}`` stay."""
    return re.sub(r"\{([a-z_]+)\}", lambda match: words[match[1]], pattern)


_MENTION_WEIGHT = {
    "ticket": 1.15, "errorcode": 0.9, "identifier": 1.0, "flag": 0.8, "code": 0.7, "quote": 0.3, "path": 0.4,
    "name": 0.3, "document": 0.1,
}  # fmt: skip
_PRIOR = 0.35
"""Shown beside a question that no rule and no wording decided."""

FRAME_WORDS = words("frame_words")
"""Words that frame a question without saying what it is about."""

_BARE_WEIGHT = 0.8
_RE: Final = Patterns(__package__, "classify.toml")

_GENERIC = frozenset({"what", "when, who, which", "quantity", "是什么", "怎么"})
_LITERAL = frozenset({"ticket", "errorcode", "identifier", "flag"})
"""Beside these a bare question word asks for the thing itself, not for an explanation."""

_ENTITY_WEIGHT = {"document": 1.5, "ticket": 1.5, "path": 1.5, "code": 0.9, "identifier": 1.0, "name": 0.8}
"""A relation word next to something that can have relations: "which RFCs refer to RFC 1228" asks for no files."""

_ORDER: tuple[QueryType, ...] = ("relational", "file_discovery", "exact", "conceptual", "chitchat")


class Understanding(Struct, frozen=True, kw_only=True):
    """A question as the other offline rooms want it.

    Attributes:
        query_type: The type that won.
        question: The question without courtesies.
        masked: The same with its mentions masked, as the rules read it.
        mentions: With offsets into ``question``.
        chitchat: The kind of small talk, for ``chitchat`` only.
        confidence: The winner's share, 0 to 1.
        signals: Why, strongest first.
    """

    query_type: QueryType
    question: str
    masked: str
    mentions: tuple[Mention, ...]
    language: Language
    confidence: float
    signals: tuple[Signal, ...]
    chitchat: str = ""


MOST_READ = 2000
"""Characters of a question that are read: whoever pastes more asks in the beginning."""


class Reading(Struct, frozen=True, kw_only=True):
    """A question before anything is decided: what the cues are drawn from."""

    text: str
    question: str
    mentions: tuple[Mention, ...]
    read: str
    kind: ChitchatKind | None
    sums: dict[QueryType, float]
    reasons: dict[QueryType, list[Signal]]

    def cues(self, words: Collection[str]) -> dict[str, float]:
        """All cues of the question; see `cues.cues`."""
        return cues(
            self.read,
            words=words,
            kinds=[mention.kind for mention in self.mentions],
            sums=self.sums,
            small_talk=self.kind is not None,
            courtesy=self.question != self.text,
        )


class Opening(Struct, frozen=True):
    """What is told of a question before the rules are asked.

    Attributes:
        question: ``text`` without courtesies.
        mentions: With offsets into ``question``.
        kind: Of small talk, where it is nothing but that.
    """

    text: str
    question: str
    mentions: tuple[Mention, ...]
    kind: ChitchatKind | None


@lru_cache(maxsize=2048)
def opening(query: str) -> Opening:
    """Cleans ``query`` and finds its mentions."""
    text = clean(query[:MOST_READ])
    kind = None
    if not any(mention.kind != "name" for mention in find_mentions(text)):
        kind = chitchat_kind(simplified(text))
    question = strip_courtesies(text) or text
    return Opening(text, question, find_mentions(question), kind)


def reading(query: str) -> Reading:
    """Reads ``query`` and sums up the rules."""
    opened = opening(query)
    text, question, mentions, kind = opened.text, opened.question, opened.mentions, opened.kind
    read = _asking(mend(simplified(masked(question, mentions))))
    sums: dict[QueryType, float] = {"conceptual": 0.0, "exact": 0.0, "relational": 0.0, "file_discovery": 0.0}
    reasons: dict[QueryType, list[Signal]] = {name: [] for name in _ORDER}
    for mention in mentions:
        weight = _MENTION_WEIGHT[mention.kind]
        # Two identifiers are no more literal than one.
        sums["exact"] = max(sums["exact"], weight)
        reasons["exact"].append(
            Signal(name=_MENTION_NAME.get(mention.kind, mention.kind), detail=mention.text, weight=weight)
        )
    fired: set[tuple[QueryType, str]] = set()
    for rule in rules():
        if (rule.query_type, rule.name) in fired:
            continue
        match = rule.pattern.search(read)
        if match is None:
            continue
        fired.add((rule.query_type, rule.name))
        weight = rule.weight
        if rule.name in _GENERIC and any(mention.kind in _LITERAL for mention in mentions):
            weight /= 2
        sums[rule.query_type] += weight
        reasons[rule.query_type].append(Signal(name=rule.name, detail=_detail(match.group(), mentions), weight=weight))
    if sums["relational"] and mentions:
        sums["relational"] += max(_ENTITY_WEIGHT.get(mention.kind, 0.0) for mention in mentions)
    elif mentions and not sums["relational"] and not sums["file_discovery"] and _is_bare(read):
        sums["exact"] += _BARE_WEIGHT
        reasons["exact"].append(Signal(name="nothing else asked", detail=_shortened(question), weight=_BARE_WEIGHT))
    return Reading(text=text, question=question, mentions=mentions, read=read, kind=kind, sums=sums, reasons=reasons)


_LONG = 120


def _asking(read: str) -> str:
    """The sentences of a long question that ask something: the story before them says little about what is wanted."""
    if len(read) <= _LONG:
        return read
    return " ".join(part for part in _RE.sentence_end.split(read) if part and _RE.asks.search(part)) or read


@lru_cache(maxsize=2048)
def understand(query: str) -> Understanding:
    """Classify ``query`` (as typed)."""
    found = reading(query)
    if found.kind is not None:
        return _small_talk(found, found.kind, 1.0, (Signal(name=found.kind, detail=_shortened(found.text)),))
    drawn = found.cues(fitted().words)
    shares = judged(drawn)
    is_social = "small talk" in drawn or "courtesy" in drawn or told(drawn, "chitchat")
    if found.mentions or re.search(r"\d", found.text) or not is_social:
        # Whatever is named is asked of the documents, however casually; and so are words that say nothing social.
        shares.pop("chitchat")
    winner = max(shares, key=lambda name: shares[name])
    confidence = round(shares[winner] / sum(shares.values()), 3)
    signals = sorted(found.reasons[winner], key=lambda signal: -signal.weight)[:3]
    read_already = " ".join(signal.detail.lower() for signal in signals)
    signals += [
        Signal(name="wording", detail=written, weight=weight)
        for shown, weight in told(drawn, winner)
        if (written := _as_written(shown, found.question)) and written not in read_already
    ][: 4 - len(signals)]
    if winner == "chitchat":
        return _small_talk(found, "smalltalk", confidence, tuple(_capped(signal) for signal in signals))
    if winner != "exact":
        signals += [signal for signal in found.reasons["exact"] if signal.name in _NAMED][:2]
    if not signals:
        signals = [Signal(name="no other sign", detail=_shortened(found.question), weight=_PRIOR)]
    return Understanding(
        query_type=winner,
        question=found.question,
        masked=found.read,
        mentions=found.mentions,
        language=question_language(found.text),
        confidence=confidence,
        signals=tuple(_capped(signal) for signal in signals[:5]),
    )


def _as_written(shown: str, question: str) -> str:
    """A wording in the words of the question rather than their stems; empty where it has none."""
    written = {stem(word): word for word in map(str.lower, _RE.word.findall(question))}
    return " ".join(written.get(part, part) for part in shown.split()) if _RE.word.search(shown) else ""


def _small_talk(found: Reading, kind: ChitchatKind, confidence: float, signals: tuple[Signal, ...]) -> Understanding:
    return Understanding(
        query_type="chitchat",
        question=found.text,
        masked=found.text.lower(),
        mentions=(),
        language=question_language(found.text),
        confidence=confidence,
        signals=signals,
        chitchat=kind,
    )


_WHOLE_KINDS = frozenset({"document", "ticket", "path"})


def asks_field(question: str) -> bool:
    """True when a question asks a document or ticket for one of its fields, which the graph knows: its status, say."""
    return _RE.field_of.search(understand(question).masked) is not None


def asks_relation(question: str) -> bool:
    """True when what the graph states answers a question: a relation between things, or a field of one."""
    return understand(question).query_type == "relational" or asks_field(question)


def is_overview(question: str) -> bool:
    """True when a question asks what one document is, and nothing more particular: ``What is PEP 518?``."""
    found = understand(question)
    if len(found.mentions) != 1 or found.mentions[0].kind not in _WHOLE_KINDS or not _RE.overview.search(found.masked):
        return False
    mention = found.mentions[0]
    rest = found.question[: mention.start] + " " + found.question[mention.end :]
    return all(word.lower() in FRAME_WORDS for word in content_words(_RE.overview.sub(" ", rest.lower())))


_MENTION_NAME: Final = {"errorcode": "error code", "quote": "quoted"}
_NAMED: Final = frozenset(_MENTION_NAME.get(kind, kind) for kind in _MENTION_WEIGHT)


def _is_bare(read: str) -> bool:
    """True when next to the mention stand at most three words and none of them asks anything."""
    rest = re.sub(r"‹\w+›", " ", read)
    words = re.findall(r"[a-z']+|[\u4e00-\u9fff]+", rest)
    asks = {"how", "why", "what", "who", "which", "when", "compare", "list", "explain", "and", "or"}
    return len(words) <= 3 and not asks.intersection(words) and not re.search(r"[\u4e00-\u9fff]{3,}", rest)


def _detail(matched: str, mentions: tuple[Mention, ...]) -> str:
    """The matched words with the mentions put back."""
    text = matched.strip()
    for mention in mentions:
        text = text.replace(f"‹{mention.kind}›", mention.text, 1)
    return _shortened(text)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


def _capped(signal: Signal) -> Signal:
    return Signal(name=signal.name, detail=signal.detail, weight=round(min(signal.weight / 1.6, 1.0), 2))
