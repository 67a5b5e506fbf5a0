"""Understands a question about documents: its normalised text, mentions and query type. See `understand`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from kbtui.domain.routing import QueryType, Signal
from kbtui.question.lexicon import word_set
from kbtui.question.mentions import Mention, find_mentions, mask_mentions
from kbtui.question.normalise import Language, clean, correct_typos, question_language, strip_courtesies
from kbtui.question.query_type_model import (
    TalkKind,
    features,
    fitted_weights,
    strongest_wordings,
    type_probabilities,
    words_outside_small_talk,
)
from kbtui.text.language import simplified
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem

MAX_CHARS = 2000
"""Characters of a question that are read; in longer texts the question is at the beginning."""

FRAME_WORDS = word_set("frame_words")
"""Words that frame a question and do not belong to its topic."""

_PLACE_WORDS: Final = word_set("place_words")
"""Words that ask for the places of a name."""

_LONG_QUESTION: Final = 120
_RE: Final = Patterns("kbtui.question", "words/asking.toml")
_MENTION_WEIGHTS: Final = {"ticket": 1.15, "errorcode": 0.9, "identifier": 1.0, "flag": 0.8, "code": 0.7, "path": 0.4}
"""Weights of mentions as signals, by kind; other kinds have a lower one."""

_MENTION_LABELS: Final = {"errorcode": "error code", "quote": "quoted"}
_FULL_WEIGHT_MARGIN: Final = 2.0
"""Margin from which a wording has the full signal weight of 1."""

_MIN_TALK_SHARE: Final = (0.0, 0.7, 0.9)
"""Minimal probability of small talk by its number of unknown words; a text with more of them is no small talk."""


class NormalisedQuestion(Struct, frozen=True, kw_only=True):
    """A question normalised for the query type model.

    Attributes:
        text: Cleaned, as typed.
        question: ``text`` without courtesies; itself where it is nothing else.
        mentions: With offsets into ``question``.
        read: ``question`` in lower case and simplified characters, typos corrected, mentions masked; of a long one
            only the sentences that ask.
    """

    text: str
    question: str
    mentions: tuple[Mention, ...]
    read: str

    def features(self, known: frozenset[str]) -> frozenset[str]:
        """The features of the question.

        Args:
            known: Stems that may be features.
        """
        kinds = [mention.kind for mention in self.mentions]
        return features(self.read, known_stems=known, mentions=kinds, courtesy=self.question != self.text)


class Understanding(Struct, frozen=True, kw_only=True):
    """A question with its query type.

    Attributes:
        query_type: The most probable type.
        question: The question without courtesies; small talk as typed.
        masked: ``question`` in lower case, mentions masked, typos corrected.
        mentions: With offsets into ``question``.
        confidence: The probability of ``query_type``, 0 to 1.
        signals: Reasons for ``query_type``, strongest first.
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
def normalise_question(query: str) -> NormalisedQuestion:
    """Normalises ``query`` (as typed) and finds its mentions."""
    text = clean(query[:MAX_CHARS])
    question = strip_courtesies(text) or text
    mentions = find_mentions(question)
    read = _asking_sentences(correct_typos(simplified(mask_mentions(question, mentions))))
    return NormalisedQuestion(text=text, question=question, mentions=mentions, read=read)


@lru_cache(maxsize=2048)
def understand(query: str) -> Understanding:
    """The query type, mentions and language of ``query`` (as typed)."""
    normalised = normalise_question(query)
    feature_set = normalised.features(fitted_weights().words)
    probabilities = type_probabilities(feature_set)
    types = dict(probabilities.types)
    if not normalised.read.strip(" ?.!"):
        types = {"chitchat": 1.0}
    elif _asks_for_something(normalised, types["chitchat"]):
        types.pop("chitchat")
    if _RE.which_is_the.search(normalised.read):
        # What something is stands in a document, also where a word for documents is asked for: "which protocol".
        types.pop("file_discovery", None)
    winner = max(types, key=lambda name: types[name])
    if winner == "chitchat":
        return Understanding(
            query_type=winner,
            question=normalised.text,
            masked=normalised.text.lower(),
            mentions=(),
            language=question_language(normalised.text),
            confidence=round(types[winner], 3),
            signals=(Signal(name=probabilities.talk, detail=_shortened(normalised.text)),),
            chitchat=probabilities.talk,
        )
    return Understanding(
        query_type=winner,
        question=normalised.question,
        masked=normalised.read,
        mentions=normalised.mentions,
        language=question_language(normalised.text),
        confidence=round(types[winner] / sum(types.values()), 3),
        signals=tuple(_signals(normalised, feature_set, winner)),
    )


def small_talk_kind(text: str, *, only_known_words: bool = False) -> TalkKind | None:
    """The kind of small talk that ``text`` is; None if it asks something.

    Args:
        only_known_words: None too if ``text`` has a word that does not occur in small talk: "and Munich?".
    """
    kind = understand(text).chitchat
    return (
        None
        if only_known_words and kind and words_outside_small_talk(_small_talk_form(clean(text[:MAX_CHARS])))
        else kind
    )


def _small_talk_form(text: str) -> str:
    """A text in the form that small talk is looked up by: lower case, one kind of apostrophe, typos corrected."""
    return correct_typos(simplified(re.sub(r"[’`´]", "'", text.lower())))


def _asks_for_something(normalised: NormalisedQuestion, talk_share: float) -> bool:
    """Whether a text has mentions, numbers or words that small talk does not have.

    Args:
        talk: Share of small talk by its wording.
    """
    if _RE.counts.search(normalised.text) or any(mention.kind != "name" for mention in find_mentions(normalised.text)):
        return True
    text = _small_talk_form(normalised.text)
    content = words_outside_small_talk(text)
    # A name inside a sentence counts twice.
    count = len(content) + sum(name.lower() in content for name in _RE.name_inside.findall(normalised.text))
    if not content or count < len(_MIN_TALK_SHARE):
        return talk_share < _MIN_TALK_SHARE[count] or len("".join(content)) == len(re.sub(r"\W", "", text)) > 0
    return True


def _asking_sentences(read: str) -> str:
    """The sentences of a long question that ask something; the narrative around them says little about its type."""
    if len(read) <= _LONG_QUESTION:
        return read
    return " ".join(part for part in _RE.sentence_end.split(read) if part and _RE.asks.search(part)) or read


def _signals(normalised: NormalisedQuestion, feature_set: frozenset[str], winner: QueryType) -> list[Signal]:
    """The reasons for a query type: wordings and mentions."""
    names = [
        Signal(
            name=_MENTION_LABELS.get(mention.kind, mention.kind),
            detail=_shortened(mention.text),
            weight=round(_MENTION_WEIGHTS.get(mention.kind, 0.3) / 1.6, 2),
        )
        for mention in normalised.mentions
    ]
    wordings = [
        Signal(name="wording", detail=written, weight=round(min(weight / _FULL_WEIGHT_MARGIN, 1.0), 2))
        for shown, weight in strongest_wordings(feature_set, winner)
        if (written := _wording_as_typed(shown, normalised.question))
    ]
    signals = [*names[:3], *wordings] if winner == "exact" else [*wordings, *names[:2]]
    return signals[:5] or [Signal(name="no other sign", detail=_shortened(normalised.question), weight=0.35)]


def _wording_as_typed(shown: str, question: str) -> str:
    """A wording in the words of the question rather than their stems; empty where it has none."""
    written = {stem(word): word for word in map(str.lower, _RE.word.findall(question))}
    return " ".join(written.get(part, part) for part in shown.split()) if _RE.word.search(shown) else ""


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


_DOCUMENT_MENTIONS = frozenset({"document", "ticket", "path"})


def asks_field(question: str) -> bool:
    """Whether a question asks for a field of a document or ticket, such as its status, which the graph has."""
    return _RE.field_of.search(understand(question).masked) is not None


def asks_relation(question: str) -> bool:
    """Whether the graph can answer a question: it asks for a relation, or for a field."""
    return understand(question).query_type == "relational" or asks_field(question)


def asks_overview(question: str) -> bool:
    """Whether a question asks what one document is, and nothing more specific: ``What is PEP 518?``."""
    understanding = understand(question)
    if (
        len(understanding.mentions) != 1
        or understanding.mentions[0].kind not in _DOCUMENT_MENTIONS
        or not _RE.overview.search(understanding.masked)
    ):
        return False
    mention = understanding.mentions[0]
    rest = understanding.question[: mention.start] + " " + understanding.question[mention.end :]
    return all(word.lower() in FRAME_WORDS for word in content_words(_RE.overview.sub(" ", rest.lower())))


def asks_for_places(question: str) -> bool:
    """Whether a question is a name alone, or a name beside words that only ask where or what it is.

    For a quoted phrase of ordinary words only "where" asks for places; what it means is stated in sentences.
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
