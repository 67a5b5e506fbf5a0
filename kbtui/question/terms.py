"""The terms of a question that are looked for in a text of either script, with their weights.

Where question and text are in different scripts, the terms are those of the question's translation
(`SubQuestion.translated`); an untranslated word cannot be found and counts neither for nor against a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kbtui.domain.routing import SubQuestion
from kbtui.question.keywords import topic_words
from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import clean, has_han
from kbtui.question.understanding import FRAME_WORDS
from kbtui.text.tokenise import STOP_WORDS, content_words, tokens

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""The rarity of tokens in the folder, 0 (in all passages) to 1 (in none); missing tokens count as rare."""

_NAME_WEIGHT = 3.0
"""Weight of a mention; a plain word has about 1."""

_CHARACTER_WEIGHT = 0.4
"""Weight of a translated single Chinese character, which has many senses."""

_NUMBERED = re.compile(r"([a-z]{2,12})[\s_#-]*0*(\d{1,7})(?!\d)", re.I)
_HAN_PAIR = re.compile(r"[\u3400-\u9fff]{2}")
_HAN_ONE = re.compile(r"[\u3400-\u9fff]\Z")


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a question.

    Attributes:
        forms: Tokens of which any one counts as the term.
        weight: Its importance, above 0.
    """

    forms: frozenset[str]
    weight: float


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The terms of a question for passages of one script.

    Attributes:
        named: Mentions, each as the tokens of which any one counts as it.
        known: Share of the terms that can be looked for in that script, 0 to 1.
        plain: All tokens of a Chinese question with their rarities, including single characters and function words.
        runs: Its Chinese words as characters with their rarities.
    """

    terms: tuple[Term, ...]
    named: tuple[frozenset[str], ...]
    known: float
    plain: tuple[tuple[str, float], ...] = ()
    runs: tuple[tuple[tuple[str, float], ...], ...] = ()


def question_terms(question: SubQuestion, passage_is_han: bool, rarity: Rarity | None = None) -> QuestionTerms:
    """The terms of ``question`` as they would stand in a passage of the given script.

    Args:
        rarity: Multiplies the weights; without it they depend on the form of the words alone.
    """
    if question.translated and has_han(question.semantic_intent) != passage_is_han:
        terms = _translated_terms(question, passage_is_han)
    else:
        terms = _question_terms(question.semantic_intent, passage_is_han)
    if rarity is None:
        return terms
    characters = [character for run in terms.runs for character, _ in run]
    forms = [form for term in terms.terms for form in sorted(term.forms)]
    rarities = rarity([*forms, *characters, *(token for token, _ in terms.plain)])
    # A term with several names is as common as the most common of them.
    weighted_terms = tuple(
        replace(term, weight=term.weight * min((rarities.get(form, 1.0) for form in term.forms), default=1.0))
        for term in terms.terms
    )
    runs = tuple(tuple((character, rarities.get(character, 1.0)) for character, _ in run) for run in terms.runs)
    plain = tuple((token, rarities.get(token, 1.0)) for token, _ in terms.plain)
    return replace(terms, terms=weighted_terms, plain=plain, runs=runs)


@lru_cache(maxsize=256)
def _question_terms(intent: str, passage_is_han: bool) -> QuestionTerms:
    text = clean(intent)
    mentions = find_mentions(text)
    mention_forms = tuple(_mention_forms(mention) for mention in mentions)
    rest = text
    for mention in mentions:
        rest = rest.replace(text[mention.start : mention.end], " ", 1)
    terms: dict[frozenset[str], float] = {forms: _NAME_WEIGHT for forms in mention_forms if forms}
    known_weight = total_weight = _NAME_WEIGHT * len(mention_forms)
    han = [word for word in topic_words(content_words(rest)) if has_han(word)]
    for word in han:
        if passage_is_han:
            for pair in tokens(word):
                if _HAN_PAIR.fullmatch(pair) or (_HAN_ONE.match(pair) and len(word) == 1):
                    terms.setdefault(frozenset([pair]), 1.0)
    for position, word in enumerate(content_words(rest)):
        if has_han(word):
            continue
        weight = _word_weight(word, position)
        word_tokens = tokens(word)
        # Texts also write "two-step" as "in two steps".
        parts = word_tokens[1:] if len(word_tokens) > 1 and "-" in word else word_tokens[:1]
        for token in parts:
            terms.setdefault(frozenset([token]), weight / len(parts))
        known_weight, total_weight = known_weight + weight, total_weight + weight
    if not passage_is_han:
        # Untranslated words, of two characters each, as most are.
        total_weight += sum(len(word) / 2 for word in han)
    if not terms:
        for token in tokens(rest):
            terms.setdefault(frozenset([token]), 1.0)
    return QuestionTerms(
        terms=tuple(Term(forms, weight) for forms, weight in terms.items()),
        named=mention_forms,
        known=min(known_weight / total_weight, 1.0) if total_weight else 1.0,
        plain=tuple((token, 1.0) for token in dict.fromkeys(tokens(text))) if passage_is_han else (),
        runs=tuple(tuple((character, 1.0) for character in word) for word in han) if passage_is_han else (),
    )


@lru_cache(maxsize=256)
def _translated_terms(question: SubQuestion, passage_is_han: bool) -> QuestionTerms:
    """The terms of a translated question; each translation of a word is a form of its term."""
    text = english_text(question) if not passage_is_han else " ".join(word.names[0] for word in question.translated)
    base = _question_terms(text, passage_is_han)
    mention_terms = [term for term in base.terms if term.forms in base.named]
    terms: dict[frozenset[str], float] = {term.forms: term.weight for term in mention_terms}
    for word in question.translated:
        forms = frozenset(token for name in word.names for token in _name_tokens(name))
        if forms and not any(forms & named for named in base.named):
            single = len(word.word) == 1 and has_han(word.word)
            weight = _CHARACTER_WEIGHT if single else _word_weight(word.word, 0)
            terms[forms] = max(weight, terms.get(forms, 0.0))
    return replace(
        base,
        terms=tuple(Term(forms, weight) for forms, weight in terms.items()) or base.terms,
        known=question.translated_share,
    )


def _name_tokens(name: str) -> Sequence[str]:
    """The tokens of a name; character pairs of a Chinese one, since single characters say little."""
    name_tokens = tokens(name)
    pairs = [token for token in name_tokens if _HAN_PAIR.fullmatch(token)]
    return pairs or name_tokens


def _mention_forms(mention: Mention) -> frozenset[str]:
    """The tokens that count as a mention; parts of it do not."""
    if mention.kind == "path":
        path = mention.text.strip("/").lower()
        return frozenset([path, path.rsplit("/", 1)[-1]])
    match = _NUMBERED.fullmatch(mention.text.strip())
    if match:
        return frozenset([f"{match[1].lower().removesuffix('s')}-{int(match[2])}", mention.text.lower()])
    found = tokens(mention.text)
    return frozenset(found[:1])


def _word_weight(word: str, position: int) -> float:
    lowered = word.lower()
    if lowered in FRAME_WORDS or lowered in STOP_WORDS:
        return 0.3
    if any(character.isdigit() for character in word):
        return 2.0
    if any(character.isupper() for character in word[1:]) or (position > 0 and word[0].isupper()):
        return 1.6
    return 1.0 + 0.08 * min(max(len(word) - 5, 0), 5)


def english_text(question: SubQuestion) -> str:
    """The question in English; empty if it is Chinese and has no translation."""
    if not has_han(question.semantic_intent):
        return question.semantic_intent
    return " ".join(word.names[0] for word in question.translated)
