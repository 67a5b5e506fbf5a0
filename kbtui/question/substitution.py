"""The previous question with one phrase substituted: what about PEP 8, and for staging, 那网关呢, 换成队列呢."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from msgspec.structs import replace

from kbtui.question.dialogue import Dialogue
from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import has_han
from kbtui.question.noun_phrases import (
    NounPhrase,
    is_base_verb,
    is_command,
    joined_noun_phrases,
    noun_phrases,
    tagged_words,
    words_of_kind,
)
from kbtui.question.reader import read
from kbtui.question.referents import action_in, singular_referent
from kbtui.question.rewrite import RE, Rewrite, make_rewrite, replace_at

_REFERENCE_DAY: Final = date(2020, 1, 1)
_MAX_WORDS: Final = 8
_MAX_HAN: Final = 24
_SELF_CONTAINED_WORDS: Final = 3
_MIN_LIKENESS: Final = 1.75
_SIMILAR_PREPOSITIONS: Final = {
    "to": ("for", "in"), "for": ("to", "in"), "in": ("at", "on", "to"), "at": ("in", "on"), "on": ("in", "at")
}  # fmt: skip
"""Prepositions that people use for one another: "deploy to production", "and for staging?"."""


def is_fragment(text: str, dialogue: Dialogue) -> bool:
    """Whether ``text`` is a phrase that cannot stand alone as a question."""
    words = tagged_words(text)
    if has_han(text):
        return len(text) <= _MAX_HAN and not any(word.role == "question" for word in words)
    if not words or len(words) > _MAX_WORDS or any(word.role in ("mark", "auxiliary") for word in words):
        return False
    first = words[0]
    if first.role in ("question", "clause") or first.lower in ("i", "we", "you") or is_command(first.lower):
        return False
    return not (first.role == "verb" and is_base_verb(first.lower) and len(words) > 1) or bool(dialogue.items)


def substitute(fragment: str, dialogue: Dialogue) -> Rewrite | None:
    """The previous question with ``fragment`` in place of the most similar phrase; None if that is unclear."""
    question = dialogue.question
    if (rewrite := _replace_period(fragment, question)) is not None:
        return rewrite
    phrases = noun_phrases(question)
    leading = RE.leading.match(fragment)
    if leading is not None:
        return _replace_after_preposition(
            leading["preposition"] or leading["word"], leading["thing"] or leading["what"], fragment, question
        )
    core = fragment.removesuffix("的")
    replacement = _fragment_phrase(core)
    candidates = [
        phrase
        for phrase in phrases
        if phrase.text != core and (not phrase.is_asked_for or _has_same_head(phrase, replacement))
    ]
    if not candidates:
        return None
    if replacement.is_attribute and not action_in(question) and not any(phrase.is_attribute for phrase in candidates):
        owner = singular_referent(dialogue)
        if not owner:
            return None
        article = "" if replacement.determiner else "the "
        new_question = (
            f"{owner}的{core}是什么" if dialogue.language == "zh" else f"What is {article}{fragment} of {owner}"
        )
        return make_rewrite(new_question, "", owner)
    score, place = max(
        (_likeness(phrase, replacement, fragment, question), -at) for at, phrase in enumerate(candidates)
    )
    if not has_han(fragment) and len(fragment.split()) > _SELF_CONTAINED_WORDS and score < _MIN_LIKENESS:
        # "What about the failure modes of the queue?" is complete: it names its own topic.
        return None
    return _replace_phrase(question, candidates[-place], core)


def _replace_period(fragment: str, question: str) -> Rewrite | None:
    """ "And in 2021?", "and next week?": the previous question with another period."""
    new, old = (read(text, today=_REFERENCE_DAY) for text in (fragment, question))
    if not new.periods or not old.periods:
        return None
    old_span, new_span = old.periods[-1].span, new.periods[0].span
    if any(token.content for at, token in enumerate(new.tokens) if not new_span.first <= at < new_span.last):
        return None
    return replace_at(question, old.tokens[old_span.first].start, old.tokens[old_span.last - 1].end, fragment)


def replace_verb_or_description(fragment: str, dialogue: Dialogue) -> Rewrite | None:
    """ "And delete one?", "and the red one?": the previous question with another verb or description."""
    return _replace_verb(fragment, dialogue) or _replace_description(fragment, dialogue.question)


def _replace_verb(fragment: str, dialogue: Dialogue) -> Rewrite | None:
    """ "And delete one?" after how to create a user, 那回滚呢: another verb in front of the same object."""
    doing, words = action_in(dialogue.question), tagged_words(dialogue.question)
    if has_han(fragment):
        fragment_words = tagged_words(f"怎么{fragment}")
        verb = next((word for word in words if word.role == "verb"), None)
        if verb is None or len(fragment_words) != 2 or fragment_words[1].role != "verb":
            return None
        return make_rewrite(
            dialogue.question[: verb.start] + fragment + dialogue.question[verb.end :].removeprefix("到"),
            verb.text,
            fragment,
        )
    match = RE.deed.match(fragment)
    phrase = (
        next((phrase for phrase in noun_phrases(doing) if not phrase.preposition), None) if doing and match else None
    )
    if match is None or phrase is None or not is_base_verb(match["verb"].lower()):
        return None
    frame = dialogue.question[: dialogue.question.rindex(doing)]
    return make_rewrite(f"{frame}{match['verb']} {doing[phrase.start :]}", doing.split(maxsplit=1)[0], match["verb"])


def _replace_description(fragment: str, question: str) -> Rewrite | None:
    """ "And the red one?" after where the green button is: another description of the same noun."""
    match = RE.one.match(fragment)
    if match is None or match["which"].lower() in words_of_kind("en", "ordinals"):
        return None
    for phrase in reversed(noun_phrases(question)):
        if phrase.mention is None and len(phrase.without_determiner.split()) > 1:
            text = f"{match['article'] or phrase.determiner} {match['which']} {phrase.text.split()[-1]}".strip()
            return make_rewrite(question[: phrase.start] + text + question[phrase.end :], phrase.text, text)
    return None


def _replace_after_preposition(preposition: str, core: str, fragment: str, question: str) -> Rewrite | None:
    """``core`` in place of the phrase after the same preposition in the question, or after a similar one."""
    preposition = preposition.lower()
    phrases = [phrase for phrase in noun_phrases(question) if not phrase.is_asked_for]
    ends = re.compile(rf"{preposition}\s*$" if has_han(preposition) else rf"\b{preposition}\s*$", re.I)
    if at := [phrase for phrase in phrases if ends.search(question[: phrase.start])]:
        return _replace_phrase(question, at[-1], core)
    if has_han(fragment):
        new_question = re.sub(r"^(怎么|如何|怎样)", rf"\1{fragment}", question)
        return make_rewrite(new_question, "", fragment) if new_question != question else None
    last = phrases[-1] if phrases else None
    if (
        last is not None
        and last.preposition in _SIMILAR_PREPOSITIONS.get(preposition, ())
        and last.end == len(question)
        and not last.determiner
    ):
        start = question.lower().rindex(last.preposition, 0, last.start)
        return make_rewrite(f"{question[:start]}{fragment}", question[start:], fragment)
    return make_rewrite(f"{question} {fragment}", "", fragment) if last is not None else None


def _fragment_phrase(core: str) -> NounPhrase:
    """A fragment as one noun phrase."""
    phrases = noun_phrases(core)
    determiner = phrases[0].determiner if phrases and phrases[0].start == 0 else ""
    mention = next((phrase.mention for phrase in phrases if phrase.mention is not None), None)
    return NounPhrase(text=core, start=0, determiner=determiner, mention=mention)


def _has_same_head(phrase: NounPhrase, new: NounPhrase) -> bool:
    return phrase.head.removesuffix("s") == new.head.removesuffix("s")


def _likeness(phrase: NounPhrase, new: NounPhrase, fragment: str, question: str) -> float:
    """The score of ``new`` as a substitute for ``phrase``; higher is likelier."""
    same_series = phrase.mention and new.mention and _series(phrase.mention) == _series(new.mention)
    score = (
        _agreement_score(phrase.mention is not None, new.mention is not None, 6.0 if same_series else 3.5, -1.0)
        + _agreement_score(_has_number(phrase), _has_number(new), 4.0, -2.0)
        + _agreement_score(phrase.is_attribute, new.is_attribute, 2.5, -3.0)
        + 3.0 * (phrase.is_name and new.is_name)
        - 1.0 * (has_han(phrase.text) != has_han(new.text))
        - 1.0 * phrase.is_asked_for
    )
    if has_han(new.text):
        alike = next((size for size in (2, 1) if phrase.text[-size:] == new.text[-size:]), 0)
        owns = fragment.endswith("的") and question[phrase.end : phrase.end + 1] == "的"
        return score + alike + 2.0 * owns
    same_article = bool(phrase.determiner) == bool(new.determiner)
    # Of two equally similar phrases the later one wins; the same grammatical number adds half a point.
    late = phrase.start / max(len(question), 1) / 10
    return (
        score
        + 2.0 * _has_same_head(phrase, new)
        + 1.0 * same_article
        + 0.5 * (phrase.is_plural == new.is_plural)
        + late
    )


def _agreement_score(first: bool, second: bool, reward: float, penalty: float) -> float:
    """``reward`` if both have a property, ``penalty`` if one has it, 0 if neither has."""
    return 0.0 if not (first or second) else reward if first and second else penalty


def _has_number(phrase: NounPhrase) -> bool:
    return re.search(r"\d", phrase.text) is not None and phrase.mention is None


def _series(mention: Mention) -> tuple[str, str]:
    return mention.kind, re.sub(r"[^A-Za-z].*", "", mention.text, flags=re.S).lower()


def _replace_phrase(question: str, phrase: NounPhrase, core: str) -> Rewrite:
    """``question`` with ``core`` in the place of ``phrase``."""
    if has_han(core) and has_han(question):
        # 仓库的钥匙 stands for 锅炉房的钥匙, not for 钥匙 alone; of 审计日志保留 only 审计日志 is replaced.
        if "的" in core:
            phrase = next(
                (joined for joined in joined_noun_phrases(question) if joined.start <= phrase.start < joined.end),
                phrase,
            )
        shared = next((core[-size:] for size in range(len(core), 1, -1) if core[-size:] in phrase.text), "")
        if shared:
            phrase = replace(phrase, text=phrase.text[: phrase.text.index(shared) + len(shared)])
        return make_rewrite(question[: phrase.start] + core + question[phrase.end :], phrase.text, core)
    own_determiner = _fragment_phrase(core).determiner
    is_named = find_mentions(core) or core[:1].isupper() or core[:1].isdigit() or phrase.is_name
    keeps_determiner = phrase.is_asked_for or (
        phrase.determiner.lower() in ("the", "our", "my", "a", "an") and not is_named
    )
    determiner = f"{phrase.determiner} " if keeps_determiner and not own_determiner else ""
    return make_rewrite(question[: phrase.start] + determiner + core + question[phrase.end :], phrase.text, core)
