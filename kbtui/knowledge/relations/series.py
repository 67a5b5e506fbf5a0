"""Headings of a document that are built alike: releases of a change log, entries of a journal, advisories.

A heading is read as a template with one variable slot: what stands before the slot, and a version, a day or an
identifier in it (``Version «1.1.16» (2021-03-23)``, ``## [«1.2.0»]``, ``«CVE-2024-1»: …``). Headings of one level with
the same template are siblings, and each is an *entry* with fields: those of its heading, a day that stands alone below
it, and ``Field: value`` lines with which its section begins. The title of a document is read the same way; whether
the titles beside it are built alike is known only where all documents are (`kbtui.records.series`).

An entry is a relation ``entry:`` (a title ``title:``), its fields are relations named ``entry:FIELD`` between its line
and that of the next; ``end:`` tells where what follows belongs to no entry. No field of a header is named like that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from string import ascii_letters
from typing import Final, Literal, NamedTuple

from kbtui.domain.document import Document, Heading, Relation
from kbtui.knowledge.relations.labels import file_labels, find_labels
from kbtui.knowledge.relations.stated import relation_on
from kbtui.text.days import find_day

ENTRY: Final = "entry:"
TITLED: Final = "title:"
END: Final = "end:"
LISTED: Final = "list:"
"""The relation that names a list of records in a file of data (`kbtui.knowledge.relations.listed`)."""
ITEM: Final = "item:"
"""How relations begin that state a record of it."""
QUOTED: Final = '"'
"""What the name of a field ends in that the text quotes: one of many quotations unless several entries have it."""
WRITTEN_IN: Final = "file:language"
"""The relation that says which language a document is written in, where that is not English."""
SERIES_RELATIONS: Final = (ENTRY, TITLED, LISTED, ITEM, END, WRITTEN_IN)
"""How relations begin that describe sections and titles instead of naming another thing."""

SlotKind = Literal["version", "date", "id"]

_FEWEST: Final = 2
"""Headings alike from which they are siblings; documents of one folder may hold few each."""
_DATED: Final = 0.5
"""Share of versions without a word before them that must have a day; without it they are numbers of sections."""
_MOST_WORDS: Final = 4
"""Words before a slot; more of them are a sentence."""
_BELOW: Final = 8
"""Lines below a heading in which the fields of its section may stand."""
_LONGEST_VALUE: Final = 120
_MOST_KEY_WORDS: Final = 3
_MOST_ENTRIES: Final = 2_000
_MOST_MENTIONS: Final = 200

_VERSION = re.compile(
    r"(?<![\w.#/-])(?:[vV]\.?\s?(?=\d))?(?P<value>\d+(?:\.\d+){1,4}(?:\.x)?"
    r"(?:[-._ ]?(?:alpha|beta|rc|dev|pre|post|preview|a|b|c|p)[-._ ]?\d*)?)(?![\w%]|\.\d)"
    r"|(?<![\w.#/-])[vV](?P<whole>\d+)(?![\w.%])",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?<![\w-])(?P<value>[A-Z]{2,10}-\d{1,6}(?:-\d{2,7})?)(?![\w-])")
_MARKS = re.compile(r"'{2,}|[\"“”`*_\[\](){}<>/|=~:：]+|(?<!\w)[-–—]+|[-–—]+(?!\w)")
_WORDS_OF_A_DAY = re.compile(
    r"(?i)\b(?:released?|dated?|published|updated|expected|on|of|in|as|at|the|mon|tues?|wed|thu(?:rs)?|fri|sat|sun|day"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|utc|gmt)\b|发布|日期|时间|于"
)
_FIELD = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*|__|:)?(?P<key>[^\W\d_][\w /-]{0,28}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?"
    r"\s+(?P<value>\S.*?)\s*$"
)
_SAMPLED: Final = 40_000
_HAN = re.compile(r"[\u3400-\u9fff]+")
_QUOTED_VALUE = re.compile(r"\b(?P<key>[a-z]{3,20})\s+[\"“](?P<value>[\w-]{2,20})[\"”]")


class Slot(NamedTuple):
    """The variable part of a heading.

    Attributes:
        before: What stands before it, in lower case and without mark-up; the template of the heading.
        kind: What it is.
        value: As it is compared: a version without its ``v``, a day in ISO form.
    """

    before: str
    kind: SlotKind
    value: str


class _Section(NamedTuple):
    heading: Heading
    slot: Slot
    last: int
    fields: tuple[tuple[str, str, int], ...]


def slot_of(text: str) -> Slot | None:
    """The first version, day or identifier of a heading with what stands before it; None without one."""
    found: list[tuple[int, SlotKind, str]] = []
    day = find_day(text)
    if day is not None:
        found.append((day.start, "date", day.day.isoformat()))
    if (match := _IDENTIFIER.search(text)) is not None:
        found.append((match.start(), "id", match["value"]))
    if (version := version_in(text)) is not None:
        found.append((version[0], "version", version[1]))
    if not found:
        return None
    start, kind, value = min(found)
    before = " ".join(_MARKS.sub(" ", text[:start]).casefold().split())
    return Slot(before, kind, value) if len(before.split()) <= _MOST_WORDS else None


def version_in(text: str) -> tuple[int, str] | None:
    """The first version of a text that is no day, with its offset."""
    day = find_day(text)
    for match in _VERSION.finditer(text):
        if day is None or not day.start <= match.start() < day.end:
            return match.start(), (match["value"] or match["whole"]).strip()
    return None


def extract(document: Document) -> Iterator[Relation]:
    """An entry with its fields for each heading that has siblings built alike, in file order, and one for the title."""
    if document.kind not in ("markdown", "rst", "text", "html"):
        return
    raw = document.text.split("\n")
    if _is_chinese(document.text):
        line = next(number for number, text in enumerate(raw, start=1) if _HAN.search(text))
        yield relation_on(document, raw, WRITTEN_IN, "zh", line)
    if not document.headings:
        return
    first = document.headings[0]
    slot = slot_of(first.text)
    sections = _series(document.headings, raw)
    titled = slot is not None and slot.kind != "id" and first.text == document.title
    if slot is not None and titled and (not sections or sections[0].heading != first) and not file_labels(document):
        yield from _told(document, raw, TITLED, _Section(first, slot, len(raw), _fields(first, slot, raw)))
    for at, section in enumerate(sections):
        yield from _told(document, raw, ENTRY, section)
        if at + 1 == len(sections) or section.last + 1 < sections[at + 1].heading.line - 1:
            yield relation_on(document, raw, END, "", min(section.last, len(raw)))


def _is_chinese(text: str) -> bool:
    """Whether a good part of the characters is Chinese; one is about a third of an English word."""
    beginning = text[:_SAMPLED]
    if beginning.isascii():
        return False
    # A letter is counted faster than found: most documents are in another script or hold few of this one.
    return 3 * sum(map(len, _HAN.findall(beginning))) > sum(map(beginning.count, ascii_letters))


def _told(document: Document, raw: Sequence[str], name: str, section: _Section) -> Iterator[Relation]:
    yield relation_on(document, raw, name, section.heading.text, section.heading.line)
    for key, value, line in section.fields:
        yield relation_on(document, raw, f"{name}{key}", value, line)
    if name == ENTRY:
        yield from _mentions(document, raw, section)


def _mentions(document: Document, raw: Sequence[str], section: _Section) -> Iterator[Relation]:
    """What the text of an entry names, each once: of a whole document that is taken elsewhere."""
    text = "\n".join(raw[section.heading.line - 1 : section.last])
    seen: dict[str, int] = {}
    for offset, label in find_labels(text):
        seen.setdefault(label, offset)
    for label, offset in list(seen.items())[:_MOST_MENTIONS]:
        yield relation_on(document, raw, f"{ENTRY}mentions", label, section.heading.line + text.count("\n", 0, offset))


def _series(headings: Sequence[Heading], raw: Sequence[str]) -> list[_Section]:
    """Headings with siblings, in file order; a heading inside the section of another of them belongs to that."""
    read = ((at, slot_of(heading.text)) for at, heading in enumerate(headings))
    # The identifier in the first heading is that of the document.
    slots = {at: slot for at, slot in read if slot is not None and (at or slot.kind != "id")}
    sections: dict[tuple[int, str, str], list[_Section]] = {}
    for at, slot in slots.items():
        heading = headings[at]
        below = headings[at + 1].line if at + 1 < len(headings) else len(raw) + 1
        section = _Section(heading, slot, _last_line(headings, at, raw), _fields(heading, slot, raw, below))
        sections.setdefault((heading.level, slot.before, slot.kind), []).append(section)
    kept = [section for group in sections.values() if _are_siblings(group) for section in group]
    found: list[_Section] = []
    for section in sorted(kept, key=lambda one: one.heading.line)[:_MOST_ENTRIES]:
        if not found or section.heading.line > found[-1].last:
            found.append(section)
    return found


def _are_siblings(group: Sequence[_Section]) -> bool:
    """Whether headings with one template are entries, not sections that are numbered."""
    if group[0].slot.kind == "id":
        return True
    if len(group) < _FEWEST or len({section.slot.value for section in group}) < len(group) * _DATED:
        return False
    if group[0].slot.kind != "version" or group[0].slot.before:
        return True
    dated = sum(any(key == "date" for key, _, _ in section.fields) for section in group)
    marked = sum(re.match(r"\W*(?:[vV]\d|\[)", section.heading.text) is not None for section in group)
    return dated + marked >= _DATED * len(group)


def _last_line(headings: Sequence[Heading], at: int, raw: Sequence[str]) -> int:
    """The last line of a section: before the next heading that is no deeper."""
    level = headings[at].level
    following = next((heading.line for heading in headings[at + 1 :] if heading.level <= level), len(raw) + 1)
    return following - 1


def _fields(heading: Heading, slot: Slot, raw: Sequence[str], below: int = 0) -> tuple[tuple[str, str, int], ...]:
    """Key, value and line of what an entry states: in its heading, alone below it, or as fields below it."""
    found: dict[str, tuple[str, int]] = {slot.kind: (slot.value, heading.line)}
    if slot.kind != "date" and (day := find_day(heading.text)) is not None:
        found["date"] = day.day.isoformat(), heading.line
    if slot.kind != "version" and (version := version_in(heading.text)) is not None:
        found["version"] = version[1], heading.line
    last = min(len(raw), heading.line + _BELOW, below - 1 if below else len(raw))
    for number in range(heading.line + 1, last + 1):
        line = raw[number - 1].strip()
        if not line or not re.search(r"\w", line):
            continue
        day = find_day(line) if len(line) <= _LONGEST_VALUE else None
        alone = day is not None and not re.search(r"\w", _WORDS_OF_A_DAY.sub("", line[: day.start] + line[day.end :]))
        if day is not None and alone:
            found.setdefault("date", (day.day.isoformat(), number))
            continue
        match = _FIELD.match(line) if len(line) <= _LONGEST_VALUE else None
        if match is None or len(match["key"].split()) > _MOST_KEY_WORDS:
            return (*_pairs(found), *_quoted(raw, number))
        found.setdefault(re.sub(r"[\W_]+", "-", match["key"].casefold()).strip("-"), (match["value"], number))
    return tuple(_pairs(found))


def _pairs(found: dict[str, tuple[str, int]]) -> Iterator[tuple[str, str, int]]:
    return ((key, value, line) for key, (value, line) in found.items())


def _quoted(raw: Sequence[str], first: int) -> Iterator[tuple[str, str, int]]:
    """Words in quotes behind what they are a value of, in one paragraph: ``an issue with severity "high"``."""
    paragraph = list(takewhile(str.strip, raw[first - 1 : first - 1 + _BELOW]))
    text = "\n".join(paragraph)
    for match in _QUOTED_VALUE.finditer(text):
        line = first + text.count("\n", 0, match.start("value"))
        yield f"{match['key']}{QUOTED}", match["value"], line
