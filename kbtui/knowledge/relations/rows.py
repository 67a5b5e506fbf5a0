"""Records that repeat one shape in a text: what they have in common, whatever the shape is.

Readers of shapes (`text_lists`, `table_rows`, `item_rows`, `block_rows`) give rows with a name and fields; here they
become the relations of lists in data files (`kbtui.knowledge.relations.data_lists`), but below ``list:text``: such
records are things even where their documents state fields of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.fields import values_of
from kbtui.knowledge.relations.labels import file_labels
from kbtui.knowledge.relations.series import END, ITEM, LISTED_IN_TEXT
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.knowledge.relations.trees import FieldLines
from kbtui.knowledge.relations.vocabulary import relation_name
from kbtui.text.days import days_in, with_years

MAX_RECORDS: Final = 2_000
"""Most records of one list."""
MAX_LINE_CHARS: Final = 2_000
MIN_SIBLINGS: Final = 3
"""Fewest records in a row of one shape where nothing but the shape makes them records."""
BY: Final = "by"
"""Field of the person that an entry names."""
DETAIL: Final = "detail"
"""Field of the values that a record states without a key."""

_UNTOUCHED: Final = frozenset({"todo", "to do"})
_YEAR: Final = re.compile(r"(?<![\d.])(?:19|20)\d\d(?![\d.])")
_YEAR_CHARS: Final = 40_000
_EMPHASIS: Final = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}")
_WIKI_LINK: Final = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_LINK: Final = re.compile(r"!?\[(?P<text>[^\[\]]*)\]\([^()]*\)")
_GROUPED: Final = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")


class Row(NamedTuple):
    """A record of a list.

    Attributes:
        line: Its first line.
        name: What it is called.
        fields: Its fields, each with its lines.
        last: Its last line; 0 where that is the first one.
    """

    line: int
    name: str
    fields: tuple[FieldLines, ...]
    last: int = 0


def row(line: int, name: str, fields: Sequence[tuple[str, str]]) -> Row:
    """A record on one line, of pairs of key and value."""
    return Row(line, name, tuple(FieldLines(key, ((line, value),)) for key, value in fields))


def relations_of_rows(document: Document, raw: Sequence[str], name: str, rows: Sequence[Row]) -> Iterator[Relation]:
    """A relation for a list, for each of its records, and for each of their values, in file order.

    Args:
        raw: The lines of the document.
        name: What the list is called.
    """
    own_labels, year = file_labels(document), year_of(document)
    for index, record in enumerate(rows[:MAX_RECORDS]):
        if not index:
            yield relation_on(document, raw, LISTED_IN_TEXT, name, record.line)
        yield relation_on(document, raw, ITEM, record.name, record.line)
        for field in record.fields:
            items = list(values_of(field, document.path, own_labels)) or list(_untouched(field))
            for relation, line, item in items:
                offset = max(0, raw[line - 1].find(item))
                yield relation_on(document, raw, f"{ITEM}{relation}", with_years(item, year), line, offset)
    if rows:
        yield relation_on(document, raw, END, "", rows[-1].last or rows[-1].line)


def _untouched(field: FieldLines) -> Iterator[tuple[str, int, str]]:
    """*To do* as the state of a row, which in the header of a document only says that the field is to be filled."""
    for line, text in field.lines:
        if text.strip().casefold() in _UNTOUCHED:
            yield relation_name(field.key), line, text.strip()


def year_of(document: Document) -> int | None:
    """The year of days that a document writes without one: that in its path or title, else its only year."""
    for text in (document.path, document.title, document.text[:_YEAR_CHARS]):
        years = {int(year) for year in _YEAR.findall(text)}
        if years:
            return years.pop() if len(years) == 1 else None
    return None


def plain(text: str) -> str:
    """A text without emphasis, and with the words of links only."""
    return " ".join(_EMPHASIS.sub("", unlinked(text)).split()).strip(" \t,;，；、-–—")


def unlinked(text: str) -> str:
    """A text with the words of links only."""
    return _WIKI_LINK.sub(r"\1", _LINK.sub(lambda match: match["text"], text))


def parts_of(text: str) -> list[str]:
    """The parts of a text between commas and semicolons, English or Chinese, that group no digits and end no day."""
    kept = [(day.start, day.end) for day in days_in(text)]
    kept += [(match.start() - 1, match.end() + 1) for match in _GROUPED.finditer(text)]
    parts, start = list[str](), 0
    for match in re.finditer(r"[,;，；、|]\s*", text):
        if not any(first < match.start() < end for first, end in kept):
            parts.append(text[start : match.start()].strip())
            start = match.end()
    return [part for part in (*parts, text[start:].strip()) if part]
