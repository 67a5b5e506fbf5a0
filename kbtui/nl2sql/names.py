"""Splits names into words: ``customer_first_name``, ``BedType``, ``stuid``, ``实收(元)``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

from kbtui import late_patterns
from kbtui.text.inflection import lemma, root
from kbtui.text.language import CJK
from kbtui.text.word_lists import toml_in

_CHINESE_NAME: Final = late_patterns.pattern(rf"[{CJK}](?:[{CJK}/、]|\d+(?=[{CJK}]))*[{CJK}]")
"""A Chinese name, whose digits and slashes inside do not divide it: 收/支, 上班1打卡时间."""
_PARTS: Final = late_patterns.pattern(rf"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[{CJK}]+|[^\W\d_]+|%|°[CF]?")
_BRACKETS: Final = late_patterns.pattern(r"\s*[(\[（【]([^)\]）】]*)[)\]）】]\s*")
_NUMBER_SIGN: Final = re.compile(r"\s*#$")
_NON_ABBREVIATIONS: Final = frozenset(
    {"is", "in", "on", "at", "to", "by", "of", "no", "nr", "id", "as", "min", "max", "has", "was"}
)
_FUNCTION_WORDS: Final = frozenset({"on", "at", "by", "to", "in", "of", "from", "for"})
_ENDINGS: Final = (
    *("id", "name", "code", "type", "date", "number", "price", "time", "year", "no", "num", "desc", "details"),
    *("key", "amount", "status", "count", "rate", "group", "flag", "size", "cost", "total"),
)
_NAMES_ROW: Final = frozenset({"id", "name", "no", "num", "number", "type", "code", "status", "date"})
_DATES: Final = frozenset({"date", "dt", "time", "tm", "ts", "timestamp", "day", "on", "at"})
_AGENT_ENDINGS: Final = ("er", "or", "ee")
_LONG_ENDINGS: Final = frozenset({"id", "name", "code", "type", "date", "number", "status", "amount", "price", "total"})


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return toml_in("kbtui.nl2sql", "abbreviations.toml")


@lru_cache(maxsize=1)
def abbreviations() -> dict[str, tuple[str, ...]]:
    """Expansions of abbreviations, in words."""
    return {short: tuple(words.split()) for short, words in _data()["words"].items()}


@lru_cache(maxsize=1)
def _date_expansions() -> dict[str, tuple[str, ...]]:
    """Expansions of abbreviations before a word for a date."""
    return {short: tuple(words.split()) for short, words in _data()["dated"].items()}


def expansion_of(word: str) -> tuple[str, ...]:
    """The words that an abbreviation or its plural stands for (``appt``, ``appts``); empty for other words."""
    short = abbreviations()
    return short.get(word) or short.get(word.removesuffix("s"), ())


def name_prefixes() -> dict[str, str]:
    """First components of names that say how something is kept, separated by spaces: of ``table``, of ``studio``."""
    prefixes: dict[str, str] = _data()["prefixes"]
    return prefixes


@lru_cache(maxsize=1)
def whole_words() -> frozenset[str]:
    """Words that are no abbreviations although they look like some."""
    return frozenset(_data()["whole"]["words"].split())


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """The lemmas of a name, split at changes of case, digits and separators, with abbreviations expanded.

    Text in brackets is left out (see `bracketed`) unless there is nothing else.
    """
    bare = _NUMBER_SIGN.sub(" number", _BRACKETS.sub(" ", name).strip() or name)
    if _CHINESE_NAME.fullmatch(bare):
        return (re.sub(r"[/、]", "", bare),)
    short = abbreviations()
    whole = re.sub(r"[_\W]", "", bare).lower()
    if len(whole) > 3 and whole in short:
        return short[whole]
    words: list[str] = []
    parts = [part.lower() for part in _PARTS.findall(bare)]
    for word, next_word in pairwise([*parts, ""]):
        dated = _date_expansions().get(word) if next_word in _DATES else None
        words.extend(dated or short.get(word) or _split_compound(word))
    return tuple(words)


def bracketed(name: str) -> str:
    """The text in the brackets of a name, usually a unit: ``元`` for ``实收(元)``; else empty."""
    match = _BRACKETS.search(name)
    return match[1].strip() if match else ""


def _split_compound(word: str) -> tuple[str, ...]:
    """The words of a compound such as ``stuid``: a short head and a common ending."""
    if word in whole_words() or lemma(word) in _ENDINGS or not word.isascii():
        return (lemma(word),)
    short = abbreviations()
    for tail in _ENDINGS:
        head = word[: -len(tail)]
        if not word.endswith(tail) or not head or len(word) < 5:
            continue
        if len(head) <= (12 if tail in _LONG_ENDINGS else 4) and (len(head) > 2 or head in short):
            dated = _date_expansions().get(head) if tail in _DATES else None
            return (*(dated or short.get(head, (lemma(head),))), *short.get(tail, (lemma(tail),)))
    return (lemma(word),)


def words_from_initials(name: str, table: Sequence[str]) -> tuple[str, ...]:
    """The words of a name from initials of its table and an ending: ``flno`` for flights, ``eid`` for employees."""
    whole, owner = name.lower(), "".join(table)
    for tail in _ENDINGS:
        head = whole[: -len(tail)]
        if head and whole.endswith(tail) and owner.startswith(head) and (len(head) > 1 or tail in _NAMES_ROW):
            return (*table, *abbreviations().get(tail, (lemma(tail),)))
    return ()


def shortens(short: str, word: str, least: int = 3) -> bool:
    """Whether ``short`` abbreviates ``word``: same first letter, letters in order, clearly shorter.

    Args:
        least: Minimum number of letters of ``short``.
    """
    if short == word or not short or not word or short[0] != word[0] or len(short) > len(word) - 2:
        return False
    if len(short) < least:
        return False
    if word.startswith(short) and len(short) >= 3:
        return True
    remaining = iter(word)
    return all(letter in remaining for letter in short) and not set(short[1:]) & set("aeiou")


ENTITY_ENDS: Final = frozenset({"id", "name", "code", "number", "no", "key"})
"""Last words of columns that name or number a thing."""
_MIN_COMPOUND: Final = 2


class NameWords(NamedTuple):
    """The words of a column name; ``own`` are those that are not in the name of its table."""

    words: tuple[str, ...]
    own: tuple[str, ...]


def shared_prefix(names: Iterable[str]) -> str:
    """The short first component of nearly all ``names`` (``cust`` for ``cust_city``) in lower case; else empty."""
    counts: dict[str, int] = {}
    total = 0
    for name in names:
        total += 1
        head, separator, rest = name.rsplit(".", 1)[-1].partition("_")
        if separator and rest and 0 < len(head) <= 4:
            counts[head.lower()] = counts.get(head.lower(), 0) + 1
    best = max(counts, key=lambda head: counts[head], default="")
    return best if best and total >= 4 and counts[best] >= 0.8 * total else ""


def column_words(name: str, table: tuple[str, ...], prefix: str = "") -> NameWords:
    """The words of a column name.

    Args:
        table: Words of its table.
        prefix: First component that all columns of the table share.
    """
    bare = name
    for studio in name_prefixes()["studio"].split():
        bare = bare.removeprefix(studio)
    head, _, rest = bare.partition("_")
    if prefix and rest and head.lower() == prefix:
        bare = rest
    elif rest and head.isascii():
        # The first component may abbreviate the table: ``vol_id`` of volunteers is no volume.
        table_word = next((word for word in table if shortens(head.lower(), word, least=2)), "")
        if table_word and head.lower() not in _NON_ABBREVIATIONS:
            words = (table_word, *name_words(rest))
            return NameWords(words, _own(words, table))
    words = name_words(bare) or (name.lower(),)
    if len(words) == 1 and words != table:
        words = words_from_initials(bare, table) or words
    return NameWords(words, _own(words, table))


def _own(words: tuple[str, ...], table: tuple[str, ...]) -> tuple[str, ...]:
    table_roots = {root(word) for word in table}
    if len(table) > 1:
        table_roots.add("".join(word[0] for word in table))
    own = []
    for word in words:
        remainder = next((word[len(t) :] for t in table if not t.isascii() and word.startswith(t) and word != t), word)
        # The name of interviews does not include interviewers.
        is_agent = word.endswith(_AGENT_ENDINGS) and word not in table
        if (
            remainder is not word
            or is_agent
            or not any(root(word) == t or shortens(root(word), t) for t in table_roots)
        ):
            own.append(remainder)
    if _names_modifier(words, own, table):
        return words
    return words if all(word in _FUNCTION_WORDS for word in own) else tuple(own)


def _names_modifier(words: Sequence[str], own: Sequence[str], table: Sequence[str]) -> bool:
    """Whether a column names what the rows of its table belong to: ``ward_name`` of ward stays is the ward."""
    if len(table) < _MIN_COMPOUND or len(words) < _MIN_COMPOUND or not words[0].isascii():
        return False
    modifiers = {root(word) for word in table[:-1]}
    return set(own) <= ENTITY_ENDS and all(root(word) in modifiers for word in words if word not in own)
