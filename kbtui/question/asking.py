"""Reads a question to the documents once: its words, what it names, its kind. `understand` is what everybody asks."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from kbtui.domain.routing import QueryType, Signal
from kbtui.question.kinds import TalkKind, features, fitted, judged, strange, told
from kbtui.question.lexicon import words
from kbtui.question.mentions import Mention, find_mentions, masked
from kbtui.question.normalise import Language, clean, mend, question_language, strip_courtesies
from kbtui.text.language import simplified
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem

MOST_READ = 2000
"""Characters of a question that are read: whoever pastes more asks in the beginning."""

FRAME_WORDS = words("frame_words")
"""Words that frame a question without saying what it is about."""

_PLACE_WORDS: Final = words("place_words")
"""Words that ask where a name stands."""

_LONG: Final = 120
_RE: Final = Patterns("kbtui.question", "words/asking.toml")
_WEIGHT: Final = {"ticket": 1.15, "errorcode": 0.9, "identifier": 1.0, "flag": 0.8, "code": 0.7, "path": 0.4}
"""How much a literal name weighs where the reasons are told; others less."""

_NAME_OF: Final = {"errorcode": "error code", "quote": "quoted"}
_SURE: Final = 2.0
"""Margin of a wording above which nothing is more sure."""

_LEAST_TALK: Final = (0.0, 0.7, 0.9)
"""Share from which a text is small talk though so many of its words are in none; with more of them it never is."""


class Reading(Struct, frozen=True, kw_only=True):
    """A question before its kind is decided.

    Attributes:
        text: Cleaned, as typed.
        question: ``text`` without courtesies; itself where it is nothing else.
        mentions: With offsets into ``question``.
        read: ``question`` in lower case and simplified characters, mistypings mended, mentions masked; of a long one
            the sentences that ask.
        features: Of the model of `kinds`.
    """

    text: str
    question: str
    mentions: tuple[Mention, ...]
    read: str

    def features(self, known: frozenset[str]) -> frozenset[str]:
        """What the model sees, where ``known`` words may be features."""
        kinds = [mention.kind for mention in self.mentions]
        return features(self.read, words=known, mentions=kinds, courtesy=self.question != self.text)


class Understanding(Struct, frozen=True, kw_only=True):
    """A question as everybody behind it wants it.

    Attributes:
        query_type: The type that won.
        question: The question without courtesies; small talk as typed.
        masked: The same with its mentions masked, in lower case, mended.
        mentions: With offsets into ``question``.
        confidence: The winner's share, 0 to 1.
        signals: Why, strongest first.
        chitchat: The kind of small talk, for ``chitchat`` only.
    """

    query_type: QueryType
    question: str
    masked: str
    mentions: tuple[Mention, ...]
    language: Language
    confidence: float
    signals: tuple[Signal, ...]
    chitchat: TalkKind | None = None


@lru_cache(maxsize=2048)
def reading(query: str) -> Reading:
    """Cleans ``query`` (as typed) and finds what it names."""
    text = clean(query[:MOST_READ])
    question = strip_courtesies(text) or text
    mentions = find_mentions(question)
    read = _asking(mend(simplified(masked(question, mentions))))
    return Reading(text=text, question=question, mentions=mentions, read=read)


@lru_cache(maxsize=2048)
def understand(query: str) -> Understanding:
    """What ``query`` (as typed) asks."""
    found = reading(query)
    drawn = found.features(fitted().words)
    shares = judged(drawn)
    types = dict(shares.types)
    if not found.read.strip(" ?.!"):
        types = {"chitchat": 1.0}
    elif _asks_for_something(found, types["chitchat"]):
        types.pop("chitchat")
    winner = max(types, key=lambda name: types[name])
    if winner == "chitchat":
        return Understanding(
            query_type=winner,
            question=found.text,
            masked=found.text.lower(),
            mentions=(),
            language=question_language(found.text),
            confidence=round(types[winner], 3),
            signals=(Signal(name=shares.talk, detail=_shortened(found.text)),),
            chitchat=shares.talk,
        )
    return Understanding(
        query_type=winner,
        question=found.question,
        masked=found.read,
        mentions=found.mentions,
        language=question_language(found.text),
        confidence=round(types[winner] / sum(types.values()), 3),
        signals=tuple(_signals(found, drawn, winner)),
    )


def talk_kind(text: str, *, sure: bool = False) -> TalkKind | None:
    """The kind of small talk that ``text`` is; None where something is asked.

    Args:
        sure: Only where it has no word that no small talk is made of: "and Munich?" may go on with a question.
    """
    kind = understand(text).chitchat
    return None if sure and kind and strange(_spoken(clean(text[:MOST_READ]))) else kind


def _spoken(text: str) -> str:
    """A text as small talk is looked up; an apostrophe is typed in several ways."""
    return mend(simplified(re.sub(r"[’`´]", "'", text.lower())))


def _asks_for_something(found: Reading, talk: float) -> bool:
    """True where a question names something or holds words that small talk has no use for.

    Args:
        talk: Share of small talk by its wording.
    """
    if _RE.counts.search(found.text) or any(mention.kind != "name" for mention in find_mentions(found.text)):
        return True
    text = _spoken(found.text)
    content = strange(text)
    # A name inside a sentence counts twice.
    count = len(content) + sum(name.lower() in content for name in _RE.name_inside.findall(found.text))
    if not content or count < len(_LEAST_TALK):
        return talk < _LEAST_TALK[count] or len("".join(content)) == len(re.sub(r"\W", "", text)) > 0
    return True


def _asking(read: str) -> str:
    """The sentences of a long question that ask something: the story before them says little about what is wanted."""
    if len(read) <= _LONG:
        return read
    return " ".join(part for part in _RE.sentence_end.split(read) if part and _RE.asks.search(part)) or read


def _signals(found: Reading, drawn: frozenset[str], winner: QueryType) -> list[Signal]:
    """Why a type won: the wordings that speak for it, and what is named."""
    names = [
        Signal(
            name=_NAME_OF.get(mention.kind, mention.kind),
            detail=_shortened(mention.text),
            weight=round(_WEIGHT.get(mention.kind, 0.3) / 1.6, 2),
        )
        for mention in found.mentions
    ]
    wordings = [
        Signal(name="wording", detail=written, weight=round(min(weight / _SURE, 1.0), 2))
        for shown, weight in told(drawn, winner)
        if (written := _as_written(shown, found.question))
    ]
    both = [*names[:3], *wordings] if winner == "exact" else [*wordings, *names[:2]]
    return both[:5] or [Signal(name="no other sign", detail=_shortened(found.question), weight=0.35)]


def _as_written(shown: str, question: str) -> str:
    """A wording in the words of the question rather than their stems; empty where it has none."""
    written = {stem(word): word for word in map(str.lower, _RE.word.findall(question))}
    return " ".join(written.get(part, part) for part in shown.split()) if _RE.word.search(shown) else ""


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


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


def asks_for_places(question: str) -> bool:
    """True for a name alone, and for one beside words that only ask where it stands or what it is.

    What a quoted phrase of ordinary words is or means, sentences say; only where it stands, places do.
    """
    text = clean(question)
    rest = text
    mentions = find_mentions(text)
    for mention in mentions:
        rest = rest.replace(text[mention.start : mention.end], " ", 1)
    if not mentions:
        return False
    framing = [word.lower() for word in content_words(rest)]
    if all(mention.kind == "quote" and find_mentions(mention.text) == () for mention in mentions):
        return all(word in _PLACE_WORDS for word in framing)
    return all(word in FRAME_WORDS | _PLACE_WORDS for word in framing)
