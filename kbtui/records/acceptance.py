"""Type checks on the rows of a statement: a question with *when* needs a date, one with *who* a person."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kbtui.knowledge.relations.words import word_set
from kbtui.records.kind_names import WORDS
from kbtui.records.typed import are_persons
from kbtui.records.wording import wants_day, wants_person
from kbtui.text.days import day_of
from kbtui.text.tokenise import stem

if TYPE_CHECKING:
    from kbtui.records.members import TracedRows
    from kbtui.records.tables import FieldTable

IDENTIFYING_COLUMNS: Final = frozenset({"title", "number", "path"})
"""Columns that identify the thing of a row."""
PERSON_NOUNS: Final = frozenset(WORDS["roles"]["persons"].split())
"""Nouns for kinds of things that are persons."""
_BY_TITLE: Final = re.compile(r"""WHERE "title" = '(?P<title>(?:[^']|'')*)'$""")
"""A statement that has no other condition than the title of a thing."""
_WHAT_IS: Final = re.compile(
    r"\W*(?:(?:and\s+)?what(?:['’]?s|\s+(?:is|are|was|were))|什么是)?\W*(?:(?:the|an?)\W+)?|\W*(?:是(?:什么|啥)|about)?\W*"
)
"""What a question has around the name of the thing that it asks about, and nothing else of."""
_MOST: Final = re.compile(r" HAVING COUNT\([^()]*\) <=? (\d+)")
_RANKED_BY: Final = re.compile(r"""ORDER BY (?:"[^"]+"\.)?"(?P<column>[^"]+)"(?: ASC| DESC)? LIMIT""")
_BEGINNING_STEMS: Final = frozenset(map(stem, word_set(WORDS["roles"]["beginning"])))
_CHANGE_STEMS: Final = frozenset(map(stem, word_set(WORDS["roles"]["changing"])))


def is_echo(question: str, result: TracedRows, sql: str) -> bool:
    """Whether the rows only repeat the name of the one thing that the question names, or all that a table says of it.

    *What is ADR-6?* is answered by its document, not by the status in a list of all.
    """
    if result.is_figure or len(result.rows) != 1:
        return False
    if (by_title := _BY_TITLE.search(sql)) is not None:
        before, _, after = question.casefold().partition(by_title["title"].replace("''", "'").casefold())
        asks_nothing = all(_WHAT_IS.fullmatch(part) for part in (before, after))
        if result.is_details or asks_nothing:
            return True
    return not result.fields and set(result.columns) <= IDENTIFYING_COLUMNS


def is_empty_condition(sql: str, thing_count: int) -> bool:
    """Whether a statement keeps counts below a number that none can reach: a year, then, not a count."""
    bound = _MOST.search(sql)
    return bound is not None and int(bound[1]) > thing_count


def is_ranked_by_text(sql: str, places: Mapping[tuple[str, str], FieldTable]) -> bool:
    """Whether a statement takes the first by a text: *the most severe* are not the last in the alphabet.

    Args:
        places: The fields, by table and column.
    """
    ranked = _RANKED_BY.search(sql)
    if ranked is None:
        return False
    types = {column: place.type for (_, column), place in places.items()}
    return types.get(ranked["column"]) == "text"


def is_of_type(question: str, result: TracedRows) -> bool:
    """Whether the rows hold the type of value the question asks for: a date, a person, or any value at all."""
    fields = [field for field in result.fields if field.column in result.columns]
    dated = {field.column for field in fields if field.type in ("date", "year")}
    has_date = any(
        cell is not None
        for row in result.rows
        for name, cell in zip(result.columns, row.cells, strict=False)
        if name in dated
    )
    days = (day_of(str(cell)) for row in result.rows[:1] for cell in row.cells)
    if wants_day(question) and not result.is_figure and not has_date and not any(days):
        return False
    stems = {stem(word) for word in re.findall(r"[a-z]+", question.lower())}
    if (
        wants_day(question)
        and stems & _CHANGE_STEMS
        and fields
        and all(_is_beginning_field(field.field) for field in fields)
    ):
        return False
    names_persons = any(not PERSON_NOUNS.isdisjoint((field.kind.name, *field.kind.words)) for field in fields)
    states_no_person = not (persons_of(result) if result.is_details else any(field.type == "text" for field in fields))
    if wants_person(question) and not names_persons and states_no_person:
        return False
    if len(result.rows) != 1 or result.is_figure or result.is_details or not fields:
        return True
    columns = {field.column for field in fields}
    pairs = zip(result.columns, result.rows[0].cells, strict=False)
    return any(cell is not None for column, cell in pairs if column in columns)


def persons_of(result: TracedRows) -> list[str]:
    """The fields of the things of a result that state persons."""
    facts = [thing.facts for row in result.rows for thing in row.things]
    stated = {name: [fact.value for own in facts for fact in own.get(name, ())] for own in facts for name in own}
    return [name for name, values in stated.items() if are_persons(name, values)]


def _is_beginning_field(field: str) -> bool:
    """Whether a date field states when something began (``created``), which does not answer when it changed."""
    return not _BEGINNING_STEMS.isdisjoint(map(stem, field.split("-")))
