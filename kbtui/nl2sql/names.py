"""Words of names: ``customer_first_name``, ``BedType``, ``stuid``, ``实收(元)`` as the words that a question has."""

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

_PARTS: Final = late_patterns.pattern(rf"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[{CJK}]+|[^\W\d_]+|%|°[CF]?")
_BRACKETS: Final = late_patterns.pattern(r"\s*[(\[（【]([^)\]）】]*)[)\]）】]\s*")
_NO_HEADS: Final = frozenset(
    {"is", "in", "on", "at", "to", "by", "of", "no", "nr", "id", "as", "min", "max", "has", "was"}
)
_FUNCTION_WORDS: Final = frozenset({"on", "at", "by", "to", "in", "of", "from", "for"})
_TAILS: Final = (
    *("id", "name", "code", "type", "date", "number", "price", "time", "year", "no", "num", "desc", "details"),
    *("key", "amount", "status", "count", "rate", "group", "flag", "size", "cost", "total"),
)
_NAMES_ROW: Final = frozenset({"id", "name", "no", "num", "number", "type", "code", "status", "date"})
_DATES: Final = frozenset({"date", "dt", "time", "tm", "ts", "timestamp", "day", "on", "at"})
_DOERS: Final = ("er", "or", "ee")
_LONG_TAILS: Final = frozenset({"id", "name", "code", "type", "date", "number", "status", "amount", "price", "total"})


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    return toml_in("kbtui.nl2sql", "abbreviations.toml")


@lru_cache(maxsize=1)
def abbreviations() -> dict[str, tuple[str, ...]]:
    """Short forms of names with the words that they stand for."""
    return {short: tuple(words.split()) for short, words in _data()["words"].items()}


@lru_cache(maxsize=1)
def _dated() -> dict[str, tuple[str, ...]]:
    """Short forms before a word for a date, with what happened then."""
    return {short: tuple(words.split()) for short, words in _data()["dated"].items()}


def short_for(word: str) -> tuple[str, ...]:
    """The words that a short form or its plural stands for (``appt``, ``appts``); none for another word."""
    short = abbreviations()
    return short.get(word) or short.get(word.removesuffix("s"), ())


@lru_cache(maxsize=1)
def whole_words() -> frozenset[str]:
    """Words that are no short forms, though their letters may look so."""
    return frozenset(_data()["whole"]["words"].split())


@lru_cache(maxsize=20_000)
def name_words(name: str) -> tuple[str, ...]:
    """Lemmas of a name: split where case, digits and separators change, abbreviations written out.

    What stands in brackets is left out (see `bracketed`), unless nothing else is there.
    """
    bare = _BRACKETS.sub(" ", name).strip() or name
    short = abbreviations()
    whole = re.sub(r"[_\W]", "", bare).lower()
    if len(whole) > 3 and whole in short:
        return short[whole]
    words: list[str] = []
    parts = [part.lower() for part in _PARTS.findall(bare)]
    for word, behind in pairwise([*parts, ""]):
        dated = _dated().get(word) if behind in _DATES else None
        words.extend(dated or short.get(word) or _unglued(word))
    return tuple(words)


def bracketed(name: str) -> str:
    """The text in the brackets of a name, usually a unit: ``元`` of ``实收(元)``; else empty."""
    match = _BRACKETS.search(name)
    return match[1].strip() if match else ""


def _unglued(word: str) -> tuple[str, ...]:
    """``stuid`` is ``stu`` + ``id``: a common tail glued to a short head."""
    if word in whole_words() or lemma(word) in _TAILS or not word.isascii():
        return (lemma(word),)
    short = abbreviations()
    for tail in _TAILS:
        head = word[: -len(tail)]
        if not word.endswith(tail) or not head or len(word) < 5:
            continue
        if len(head) <= (12 if tail in _LONG_TAILS else 4) and (len(head) > 2 or head in short):
            dated = _dated().get(head) if tail in _DATES else None
            return (*(dated or short.get(head, (lemma(head),))), *short.get(tail, (lemma(tail),)))
    return (lemma(word),)


def prefixed(name: str, table: Sequence[str]) -> tuple[str, ...]:
    """Words of a name made of the first letters of its table and a tail: ``flno`` of flights, ``eid`` of employees."""
    whole, owner = name.lower(), "".join(table)
    for tail in _TAILS:
        head = whole[: -len(tail)]
        if head and whole.endswith(tail) and owner.startswith(head) and (len(head) > 1 or tail in _NAMES_ROW):
            return (*table, *abbreviations().get(tail, (lemma(tail),)))
    return ()


def shortens(short: str, word: str, least: int = 3) -> bool:
    """``dept`` stands for ``department``: same first letter, the letters in order, clearly shorter.

    Args:
        least: Letters that ``short`` has to have.
    """
    if short == word or not short or not word or short[0] != word[0] or len(short) > len(word) - 2:
        return False
    if len(short) < least:
        return False
    if word.startswith(short) and len(short) >= 3:
        return True
    rest = iter(word)
    return all(letter in rest for letter in short) and not set(short[1:]) & set("aeiou")


class NameWords(NamedTuple):
    """Words of a column's name; ``own`` are those that the name of its table does not say."""

    words: tuple[str, ...]
    own: tuple[str, ...]


def table_words(name: str, prefix: str = "") -> tuple[str, ...]:
    """Words of a table's name without the schema and without components that only say how the table is kept.

    Args:
        prefix: First component that all tables of the source share, see `shared_prefix`.
    """
    bare = name.rsplit(".", 1)[-1]
    for studio in _data()["prefixes"]["studio"].split():
        bare = bare.removeprefix(studio)
    parts = [part for part in re.split(r"[_\s\-.]+", bare) if part]
    fillers = frozenset(_data()["prefixes"]["table"].split()) | ({prefix} if prefix else set())
    while len(parts) > 1 and parts[0].lower() in fillers:
        parts = parts[1:]
    while len(parts) > 1 and parts[-1].lower() in ("table", "tbl", "dim", "fact", "export"):
        parts = parts[:-1]
    words = tuple(word for word in name_words("_".join(parts)) if word not in ("of", "and", "the", "in", "for", "to"))
    return words or name_words(bare) or (bare.lower(),)


def shared_prefix(names: Iterable[str]) -> str:
    """The short first component that nearly all ``names`` begin with (``wp`` of ``wp_posts``), in lower case."""
    firsts: dict[str, int] = {}
    total = 0
    for name in names:
        total += 1
        head, separator, rest = name.rsplit(".", 1)[-1].partition("_")
        if separator and rest and 0 < len(head) <= 4:
            firsts[head.lower()] = firsts.get(head.lower(), 0) + 1
    best = max(firsts, key=lambda head: firsts[head], default="")
    return best if best and total >= 4 and firsts[best] >= 0.8 * total else ""


def column_words(name: str, table: tuple[str, ...], prefix: str = "") -> NameWords:
    """Words of a column.

    Args:
        table: Words of its table.
        prefix: First component that all columns of the table share.
    """
    bare = name
    for studio in _data()["prefixes"]["studio"].split():
        bare = bare.removeprefix(studio)
    head, _, rest = bare.partition("_")
    if prefix and rest and head.lower() == prefix:
        bare = rest
    elif rest and head.isascii():
        # The first component may be short for the table: ``vol_id`` of volunteers is no volume.
        written = next((word for word in table if shortens(head.lower(), word, least=2)), "")
        if written and head.lower() not in _NO_HEADS:
            words = (written, *name_words(rest))
            return NameWords(words, _own(words, table))
    words = name_words(bare) or (name.lower(),)
    if len(words) == 1 and words != table:
        words = prefixed(bare, table) or words
    return NameWords(words, _own(words, table))


def _own(words: tuple[str, ...], table: tuple[str, ...]) -> tuple[str, ...]:
    said = {root(word) for word in table}
    if len(table) > 1:
        said.add("".join(word[0] for word in table))
    own = []
    for word in words:
        stripped = next((word[len(t) :] for t in table if not t.isascii() and word.startswith(t) and word != t), word)
        # An interviewer is nothing that the name of interviews says.
        doer = word.endswith(_DOERS) and word not in table
        if stripped is not word or doer or not any(root(word) == t or shortens(root(word), t) for t in said):
            own.append(stripped)
    return words if all(word in _FUNCTION_WORDS for word in own) else tuple(own)
