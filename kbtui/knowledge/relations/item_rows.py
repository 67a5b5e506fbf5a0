"""List items and lines of one shape as records: entries of logs, and lists whose items have the same parts.

``- 2026-05-01 — Ann — moved`` and, in a log without bullets, ``2026-05-01 09:10 pump 2: leaks`` are entries with their
day; ``- Chess (Mr Amadi): Tuesday, free, 14 places`` is a record among items of the same shape. A part has a key where
it begins or ends with a word that the same part of most items has (``14 places``), and is a *detail* otherwise.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.chats import whatsapp_messages
from kbtui.knowledge.relations.links import blank_code
from kbtui.knowledge.relations.rows import (
    BY,
    DETAIL,
    MAX_LINE_CHARS,
    MIN_SIBLINGS,
    Row,
    parts_of,
    plain,
    relations_of_rows,
    row,
)
from kbtui.knowledge.relations.text_lists import LEADING, is_task, may_be_person
from kbtui.text.days import FoundDay, find_day

_MIN_ENTRIES: Final = 2
"""Fewest items of a log in one section."""
_USUAL_SHARE: Final = 0.6
"""Least share of the items of a list that have a part, or a word in it, for all to be of one shape."""
_MAX_PART_CHARS: Final = 60
_MAX_NAME_CHARS: Final = 60
_ANY_ITEM: Final = re.compile(r"\n[ \t]*[-*+][ \t]+\S")
_LOG_ITEM: Final = re.compile(
    r"\s*[-*+]\s+(?:\*\*|\[)?(?P<when>[12]\d{3}[-/.年]\d{1,2}[-/.月]\d{1,2}日?|[0-2]?\d:[0-5]\d)(?:\*\*|\])?"
    r"(?:\s+(?:UTC|GMT|CES?T|h)\b)?\s*(?:[—–:：|,，-]|\s)\s*(?P<text>\S.*)"
)
_TIME: Final = re.compile(r"[\sT,]*(?P<time>[0-2]?\d:[0-5]\d)(?::[0-5]\d)?\S*\s*")
_ITEM: Final = re.compile(r"(?P<indent>\s*)[-*+]\s+(?P<text>\S.*)")
_SHAPE: Final = re.compile(
    r"(?P<name>[^:：()（）]{1,60}?)\s*(?:[(（](?P<bracket>[^()（）]{1,60})[)）])?\s*"
    r"(?:[:：](?!\S*//)|\s[–—-]{1,2}\s)\s*(?P<rest>\S.*)"
)
_FIRST_WORD: Final = re.compile(r"(?P<word>[^\W\d_]+)\s+(?P<value>\S.*)")
_LAST_WORD: Final = re.compile(r"(?P<value>.*\d.*)\s+(?P<word>[^\W\d_]+)")
_EDGES: Final = " \t:：-–—|,，"


class _Item(Struct, frozen=True):
    """An item of a list: its line, its name, what stands in brackets behind it, and its parts."""

    line: int
    name: str
    bracket: str
    parts: tuple[str, ...]


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each log or list of records, for each of its entries, and for each of their values."""
    if document.kind not in ("markdown", "rst", "text"):
        return
    raw = document.text.split("\n")
    if document.kind == "text" and not whatsapp_messages(raw):
        yield from relations_of_rows(document, raw, document.title, _lines_of_log(raw))
    if _ANY_ITEM.search(document.text):
        text = blank_code(document.text) if document.kind == "markdown" else document.text
        for name, rows in _lists(document, text.split("\n")):
            yield from relations_of_rows(document, raw, name, rows)


def _lists(document: Document, lines: Sequence[str]) -> Iterator[tuple[str, list[Row]]]:
    """Name and records of each list of a section; the name is the heading above it."""
    headings = {heading.line: heading.text for heading in document.headings}
    section, entries, items = document.title, list[Row](), list[_Item | None]()
    for number, line in enumerate((*lines, ""), 1):
        entry = _log_entry(line, number) if len(line) <= MAX_LINE_CHARS else None
        if entry is not None:
            entries.append(entry)
        elif _ITEM.match(line):
            items.append(_item(line, number))
        if number in headings or number > len(lines):
            if len(entries) >= _MIN_ENTRIES:
                yield section, entries
            elif not entries and (rows := _rows_of_one_shape(items)):
                yield section, rows
            section, entries, items = headings.get(number, section), [], []


# Logs


def is_log_entry(line: str) -> bool:
    """Whether a line is an item that begins with a day or a time."""
    return _log_entry(line, 1) is not None


def _log_entry(line: str, number: int) -> Row | None:
    match = _LOG_ITEM.match(line)
    if match is None or ((day := find_day(match["when"])) is None and ":" not in match["when"]):
        return None
    when = ("date", day.day.isoformat()) if day is not None else ("time", match["when"])
    text = match["text"]
    person = LEADING.match(text)
    if person is None or not may_be_person(person["name"]):
        return row(number, plain(text), [when])
    return row(number, plain(text[person.end() :]), [when, (BY, person["name"].strip())])


def _lines_of_log(lines: Sequence[str]) -> list[Row]:
    """The records of a text of which nearly every line begins with a day; none for other texts."""
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    dated = [(number, line, day) for number, line in filled if (day := _day_at_start(line)) is not None]
    if len(dated) < MIN_SIBLINGS or len(dated) < len(filled) - 1:
        return []
    rests = [line[day.end :] for _, line, day in dated]
    times = [_TIME.match(rest) for rest in rests]
    texts = [
        rest[time.end() if time is not None else 0 :].strip(_EDGES) for rest, time in zip(rests, times, strict=True)
    ]
    columns = [text.split() for text in texts]
    is_table = len({len(cells) for cells in columns}) == 1 and len(columns[0]) > 1
    rows = []
    for (number, _, day), time, text, cells in zip(dated, times, texts, columns, strict=True):
        fields = [("date", day.day.isoformat())]
        fields += [("time", time["time"])] if time is not None else []
        named = _SHAPE.fullmatch(text)
        if is_table:
            fields += [(DETAIL, part) for cell in cells for part in re.split(r"[:：]", cell) if part]
        elif named is not None:
            fields.append((DETAIL, named["name"]))
            fields += [(DETAIL, part) for part in parts_of(named["rest"])[:1] if len(part) <= _MAX_PART_CHARS]
        rows.append(row(number, text, fields))
    return rows


def _day_at_start(line: str) -> FoundDay | None:
    day = find_day(line[:40]) if len(line) <= MAX_LINE_CHARS else None
    return day if day is not None and not line[: day.start].strip(" [(") else None


# Items of one shape


def _item(line: str, number: int) -> _Item | None:
    """An item with a name and parts behind it; None for tasks, nested items and items of prose."""
    match = _ITEM.match(line)
    if match is None or len(line) > MAX_LINE_CHARS or is_task(line) or match["indent"]:
        return None
    shape = _SHAPE.fullmatch(match["text"].replace("**", ""))
    name = plain(shape["name"]) if shape is not None else ""
    if shape is None or not name:
        return None
    parts = tuple(plain(part) for part in parts_of(shape["rest"]))
    if any(len(part) > _MAX_PART_CHARS for part in parts):
        return None
    return _Item(number, name, shape["bracket"] or "", parts)


def _rows_of_one_shape(items: Sequence[_Item | None]) -> list[Row]:
    """The records of a list; none unless nearly all its items have a name and as many parts as most of them."""
    records = [item for item in items if item is not None]
    if len(records) < MIN_SIBLINGS or len(records) + 1 < len(items):
        return []
    usual, count = Counter(len(item.parts) for item in records).most_common(1)[0]
    has_brackets = sum(bool(item.bracket) for item in records) >= _USUAL_SHARE * len(records)
    # A name with one text behind it is a definition, or a field of the document.
    if count < _USUAL_SHARE * len(records) or usual + has_brackets < 2:
        return []
    keys = [_key_of([item.parts[at] for item in records if len(item.parts) > at]) for at in range(usual)]
    return [row(item.line, item.name, list(_fields(item, keys))) for item in records]


def _fields(item: _Item, keys: Sequence[str]) -> Iterator[tuple[str, str]]:
    if item.bracket:
        yield (BY if may_be_person(item.bracket) else DETAIL), item.bracket
    for at, part in enumerate(item.parts):
        key = keys[at] if at < len(keys) else ""
        first, last = _FIRST_WORD.fullmatch(part), _LAST_WORD.fullmatch(part)
        if key and first is not None and first["word"].casefold() == key:
            yield key, first["value"]
        elif key and last is not None and last["word"].casefold() == key:
            yield key, last["value"]
        elif not key and (day := find_day(part)) is not None and part[: day.start].strip():
            yield part[: day.start].strip().casefold(), day.day.isoformat()
        else:
            yield DETAIL, part


def _key_of(parts: Sequence[str]) -> str:
    """The word that most texts begin with, or end with behind a number; empty for none."""
    firsts = (match["word"] for part in parts if (match := _FIRST_WORD.fullmatch(part)) is not None)
    lasts = (match["word"] for part in parts if (match := _LAST_WORD.fullmatch(part)) is not None)
    counts = Counter(word.casefold() for word in firsts), Counter(word.casefold() for word in lasts)
    for words in counts:
        for word, count in words.most_common(1):
            if count >= _USUAL_SHARE * len(parts):
                return word
    return ""
