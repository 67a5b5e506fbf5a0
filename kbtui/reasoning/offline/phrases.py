"""The fixed phrases of offline answers, English and Chinese, and how relations are put into words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kbtui.question.normalise import Language
from kbtui.text.word_lists import toml_once

_tables = partial(toml_once, __package__, "phrases.toml")


def phrase(name: str, language: Language, **values: object) -> str:
    """A fixed phrase with its values filled in."""
    return str(_tables()[language]["phrases"][name]).format(**values)


def chitchat(kind: str, language: Language) -> str:
    """A short friendly reply that says what one can ask."""
    words = _tables()[language]
    replies: dict[str, str] = words["chitchat"]
    return replies.get(kind, replies["smalltalk"]).format(examples=words["examples"])


def chitchat_suggestions(language: Language) -> tuple[str, ...]:
    """Questions that make sense in any folder."""
    return tuple(_tables()[language]["suggestions"])


def relation_intro(relation: str, entity: str, *, reverse: bool, language: Language) -> str:
    """The sentence above a list of related items, in the words of the relation: ``PEP 509 was superseded by:``."""
    tables = _tables()
    forms: list[str] | None = tables[language]["relations"].get(tables["same"].get(relation, relation))
    if forms is not None:
        return forms[1 if reverse else 0].format(entity=entity)
    spoken = relation.replace("-", " ")
    if reverse:
        return (
            f"以 {entity} 为 {spoken} 的有："
            if language == "zh"
            else f"{entity} is the {spoken.removesuffix(' of')} of:"
        )
    return f"{entity} 的 {spoken}：" if language == "zh" else f"{entity}, {spoken}:"


def listed_terms(terms: tuple[str, ...], language: Language) -> str:
    """Search terms for a sentence."""
    return ("、" if language == "zh" else ", ").join(terms)


def read_as(pairs: Sequence[tuple[str, str]], language: Language) -> str:
    """What misspelt words were read as, each with its reading; empty without any."""
    words = [phrase("read_as", language, written=written, read=read) for written, read in pairs]
    return f"*{phrase('spelling', language, words=listed_terms(tuple(words), language))}*" if words else ""
