"""The terms of a question: what to look for of it in a text of either script, and how much finding each says.

Where question and text are in different scripts, the terms are those of the question's translation
(`SubQuestion.translated`); what could not be translated cannot be found, and says nothing either way.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from kbtui.domain.routing import SubQuestion
from kbtui.question.asking import FRAME_WORDS
from kbtui.question.keywords import telling
from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import clean, has_han
from kbtui.text.tokenise import STOP_WORDS, content_words, tokens

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""How rare tokens are in the folder, 0 (everywhere) to 1 (nowhere); a token it does not know counts as rare."""

_NAME_WEIGHT = 3.0
"""What a literal mention says, in plain words."""

_CHARACTER_WEIGHT = 0.4
"""What a single Chinese character says that was translated: it means many things."""

_NUMBERED = re.compile(r"([a-z]{2,12})[\s_#-]*0*(\d{1,7})(?!\d)", re.I)
_HAN_PAIR = re.compile(r"[\u3400-\u9fff]{2}")
_HAN_ONE = re.compile(r"[\u3400-\u9fff]\Z")


@dataclass(frozen=True, slots=True)
class Term:
    """Something of the question to look for.

    Attributes:
        forms: Tokens any of which stands for it.
        weight: How much finding it says.
    """

    forms: frozenset[str]
    weight: float


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """A question prepared for looking at passages of one script.

    Attributes:
        named: Literal mentions, each as the forms it may take.
        known: Share of the question's terms that can be looked for at all.
        plain: All tokens of a Chinese one, single characters and function words too, with how much finding each says.
        runs: Its Chinese words, each character with how much finding it says.
    """

    terms: tuple[Term, ...]
    named: tuple[frozenset[str], ...]
    known: float
    plain: tuple[tuple[str, float], ...] = ()
    runs: tuple[tuple[tuple[str, float], ...], ...] = ()


def question_terms(question: SubQuestion, passage_is_han: bool, rarity: Rarity | None = None) -> QuestionTerms:
    """The terms of ``question`` as they would stand in a passage of the given script.

    Args:
        rarity: What is rare in the folder then counts more; without it the shape of a word says what it is worth.
    """
    if question.translated and has_han(question.semantic_intent) != passage_is_han:
        found = _translated_terms(question, passage_is_han)
    else:
        found = _question_terms(question.semantic_intent, passage_is_han)
    if rarity is None:
        return found
    characters = [character for run in found.runs for character, _ in run]
    forms = [form for term in found.terms for form in sorted(term.forms)]
    rare = rarity([*forms, *characters, *(token for token, _ in found.plain)])
    # A term with several names is as common as the most common of them.
    weighed = tuple(
        replace(term, weight=term.weight * min((rare.get(form, 1.0) for form in term.forms), default=1.0))
        for term in found.terms
    )
    runs = tuple(tuple((character, rare.get(character, 1.0)) for character, _ in run) for run in found.runs)
    plain = tuple((token, rare.get(token, 1.0)) for token, _ in found.plain)
    return replace(found, terms=weighed, plain=plain, runs=runs)


@lru_cache(maxsize=256)
def _question_terms(intent: str, passage_is_han: bool) -> QuestionTerms:
    text = clean(intent)
    mentions = find_mentions(text)
    named = tuple(_forms_of(mention) for mention in mentions)
    rest = text
    for mention in mentions:
        rest = rest.replace(text[mention.start : mention.end], " ", 1)
    terms: dict[frozenset[str], float] = {forms: _NAME_WEIGHT for forms in named if forms}
    known = total = _NAME_WEIGHT * len(named)
    han = [word for word in telling(content_words(rest)) if has_han(word)]
    for word in han:
        if passage_is_han:
            for pair in tokens(word):
                if _HAN_PAIR.fullmatch(pair) or (_HAN_ONE.match(pair) and len(word) == 1):
                    terms.setdefault(frozenset([pair]), 1.0)
    for position, word in enumerate(content_words(rest)):
        if has_han(word):
            continue
        weight = _word_weight(word, position)
        found = tokens(word)
        # "two-step" is also said as "in two steps".
        parts = found[1:] if len(found) > 1 and "-" in word else found[:1]
        for token in parts:
            terms.setdefault(frozenset([token]), weight / len(parts))
        known, total = known + weight, total + weight
    if not passage_is_han:
        # A word of two characters, as most are, that nobody has translated.
        total += sum(len(word) / 2 for word in han)
    if not terms:
        for token in tokens(rest):
            terms.setdefault(frozenset([token]), 1.0)
    return QuestionTerms(
        terms=tuple(Term(forms, weight) for forms, weight in terms.items()),
        named=named,
        known=min(known / total, 1.0) if total else 1.0,
        plain=tuple((token, 1.0) for token in dict.fromkeys(tokens(text))) if passage_is_han else (),
        runs=tuple(tuple((character, 1.0) for character in word) for word in han) if passage_is_han else (),
    )


@lru_cache(maxsize=256)
def _translated_terms(question: SubQuestion, passage_is_han: bool) -> QuestionTerms:
    """The terms of a question by their names in the language of a passage, of which any one counts."""
    text = english_text(question) if not passage_is_han else " ".join(one.names[0] for one in question.translated)
    found = _question_terms(text, passage_is_han)
    passed = [term for term in found.terms if term.forms in found.named]
    terms: dict[frozenset[str], float] = {term.forms: term.weight for term in passed}
    for one in question.translated:
        forms = frozenset(token for name in one.names for token in _named_by(name))
        if forms and not any(forms & named for named in found.named):
            single = len(one.word) == 1 and has_han(one.word)
            weight = _CHARACTER_WEIGHT if single else _word_weight(one.word, 0)
            terms[forms] = max(weight, terms.get(forms, 0.0))
    return replace(
        found,
        terms=tuple(Term(forms, weight) for forms, weight in terms.items()) or found.terms,
        known=question.translated_share,
    )


def _named_by(name: str) -> Sequence[str]:
    """The tokens of a name: of a Chinese word its pairs, for a single character of it says little."""
    found = tokens(name)
    pairs = [token for token in found if _HAN_PAIR.fullmatch(token)]
    return pairs or found


def _forms_of(mention: Mention) -> frozenset[str]:
    """The tokens that stand for a literal mention: the whole of it, never a part."""
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
    """The question as an English model can read it; empty where it is Chinese and nobody has translated it."""
    if not has_han(question.semantic_intent):
        return question.semantic_intent
    return " ".join(one.names[0] for one in question.translated)
