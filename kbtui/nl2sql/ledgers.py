"""Ledgers: tables whose rows are of opposite directions under one amount, such as what was spent and received.

A sum over both directions means nothing, so a verb of one (spent, 花了, 卖了) is a condition on the rows, besides the
amount that it names. Directions are kept as states of a table (see `states.states_of`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, State, TableInfo
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.query import Col, Cond, Ref, equals
from kbtui.question.model import Question
from kbtui.question.words import words as spoken
from kbtui.text.word_lists import toml_in

_MAX_VALUES: Final = 12
"""Distinct values of a column of directions, at most."""
_NAME_LINKS: Final = ("exact", "stem", "part")
_FIGURES: Final = ("how_much", "sum", "avg", "median", "max", "min", "count", "share", "growth", "yoy", "mom")
_AS_VALUE: Final = 0.75
_STATE: Final = "ledger "
"""What the names of these states begin with, so that no word of a question links to them by itself."""
_MONEY: Final = (f"{_STATE}spent", f"{_STATE}received")


class _Direction(NamedTuple):
    opposite: str
    values: frozenset[str]
    begins: tuple[str, ...]
    zh: tuple[str, ...]
    en: frozenset[str]


class _Words(NamedTuple):
    directions: dict[str, _Direction]
    other: re.Pattern[str]
    """Chinese words that only look like one of a direction."""


@lru_cache(maxsize=1)
def _words() -> _Words:
    raw: dict[str, dict[str, str]] = toml_in(__package__, "ledgers.toml")
    other = raw.pop("other")
    directions = {
        name: _Direction(
            entry["opposite"],
            frozenset(entry["values"].split()),
            tuple(entry.get("begins", "").split()),
            tuple(entry["zh"].split()),
            frozenset(entry["en"].split()),
        )
        for name, entry in raw.items()
    }
    words = "|".join(sorted({word for entry in directions.values() for word in entry.zh}, key=len, reverse=True))
    before, after = ("|".join(other[side].split()) for side in ("before", "after"))
    return _Words(directions, re.compile(rf"(?:{before})(?:{words})|(?:{words})(?:{after})"))


def direction_states(table: TableInfo) -> Iterator[State]:
    """The directions of a ledger as states, for the first column whose values name two opposite ones."""
    for column in table.columns:
        if column.kind not in ("category", "code", "flag") or not 2 <= len(column.values) <= _MAX_VALUES:
            continue
        values = {name: values for name in _words().directions if (values := _values_of(column, name))}
        opposite = [name for name in values if _words().directions[name].opposite in values]
        if opposite:
            for name in opposite:
                yield State(concept=_STATE + name, cond=equals(column.ref, values[name]))
            return


def _values_of(column: ColumnInfo, direction: str) -> tuple[str, ...]:
    """The values of a column that name a direction; of those that begin with it none that gives the goods back."""
    entry = _words().directions[direction]
    texts = [value for value, _ in column.values if isinstance(value, str)]
    return tuple(
        text
        for text in texts
        if "_".join(text.lower().split()) in entry.values
        or (entry.begins and text.startswith(entry.begins) and "退" not in text)
    )


def direction_conds(table: TableInfo, question: Question, mentions: Sequence[Mention]) -> tuple[Cond, ...]:
    """The condition of the one direction that a question asks for, if the table is a ledger; else empty.

    Args:
        mentions: The mentions of one cover. Words of values are no verbs, nor are words of the name of a column; a
            mentioned value of the column of directions leaves nothing to add.
    """
    states = {
        state.concept.removeprefix(_STATE): state.cond for state in table.states if state.concept.startswith(_STATE)
    }
    refs = {cond.left.ref for cond in states.values() if isinstance(cond.left, Col)}
    if not states or any(m.ref in refs and m.kind in ("value", "state", "column") for m in mentions):
        return ()
    named = {
        at
        for m in mentions
        if m.kind == "value" or (m.kind == "column" and m.how in _NAME_LINKS) or m.kind == "state"
        for at in range(*m.span)
    }
    words = tuple(" " if at in named else token.norm for at, token in enumerate(question.tokens))
    stated = _stated_directions(words) & states.keys()
    return tuple(states[name] for name in stated) if len(stated) == 1 else ()


@lru_cache(maxsize=256)
def _stated_directions(words: tuple[str, ...]) -> frozenset[str]:
    """The directions that words of a question mean."""
    chinese = _words().other.sub(" ", "".join(words))
    return frozenset(
        name
        for name, entry in _words().directions.items()
        if not entry.en.isdisjoint(words) or any(word in chinese for word in entry.zh)
    )


def as_amounts(values: Sequence[Mention], question: Question, catalogue: Catalogue) -> list[Mention]:
    """The mentions of values, with a lower score for the one of money spent or received where a figure is asked for.

    总支出 is a sum of money, and `direction_conds` adds the condition: 有几笔支出 counts rows of that value.
    """
    money = catalogue.once(_money_directions)
    stated_values = {mention.values for mention in values if mention.ref in money and mention.how == "exact"}
    cues = [cue for cue in question.cues if cue.op in _FIGURES]
    if (
        len(stated_values) != 1
        or not cues
        or any(_counts_rows(question.words(cue.span)) for cue in cues if cue.op == "count")
    ):
        return list(values)
    return [
        replace(mention, score=_AS_VALUE * mention.score)
        if mention.ref in money and mention.values in stated_values
        else mention
        for mention in values
    ]


def _money_directions(catalogue: Catalogue) -> frozenset[Ref]:
    """The columns that tell money spent from money received."""
    return frozenset(
        cond.left.ref
        for table in catalogue.tables.values()
        for state in table.states
        if state.concept in _MONEY and isinstance((cond := state.cond).left, Col)
    )


def _counts_rows(words: str) -> bool:
    return "多少" not in words or words[-1:] in spoken().measures
