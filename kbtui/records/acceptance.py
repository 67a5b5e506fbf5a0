"""Whether the rows of a statement are of the kind that was asked for: a day for *when*, somebody for *who*, a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from kbtui.knowledge.relations.words import word_set
from kbtui.records.kinds import WORDS
from kbtui.records.wording import wants_day, wants_person
from kbtui.text.days import day_of
from kbtui.text.tokenise import stem

if TYPE_CHECKING:
    from kbtui.records.members import Traced

NAMING: Final = frozenset({"title", "number", "path"})
"""Columns that say which thing a row is."""
_BEGUN: Final = frozenset(map(stem, word_set(WORDS["roles"]["beginning"])))
_CHANGED: Final = frozenset(map(stem, word_set(WORDS["roles"]["changing"])))


def is_echo(result: Traced) -> bool:
    """Whether the rows say no more than the question: the name of the one thing that it names."""
    if result.is_figure or result.fields or len(result.rows) != 1:
        return False
    return set(result.columns) <= NAMING


def is_of_type(asked: str, result: Traced) -> bool:
    """Whether it tells a day where a day is asked for, somebody where *who* is, and a value at all."""
    shown = [place for place in result.fields if place.column in result.columns]
    days = (day_of(str(cell)) for row in result.rows[:1] for cell in row.cells)
    if wants_day(asked) and not result.is_figure and not any(place.type == "date" for place in shown) and not any(days):
        return False
    asked_words = {stem(word) for word in re.findall(r"[a-z]+", asked.lower())}
    if wants_day(asked) and asked_words & _CHANGED and shown and all(_tells_beginning(place.field) for place in shown):
        return False
    if wants_person(asked) and (result.is_details or not any(place.type == "text" for place in shown)):
        return False
    if len(result.rows) != 1 or result.is_figure or result.is_details or not shown:
        return True
    columns = {place.column for place in shown}
    pairs = zip(result.columns, result.rows[0].cells, strict=False)
    return any(cell is not None for name, cell in pairs if name in columns)


def _tells_beginning(field: str) -> bool:
    """Whether it says when something began, which is not when it was changed."""
    return not _BEGUN.isdisjoint(map(stem, field.split("-")))
