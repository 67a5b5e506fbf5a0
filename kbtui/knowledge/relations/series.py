"""Series of headings with a common template: releases of a change log, entries of a journal, advisories.

A heading is read as a template with one variable slot: the text before the slot, and a version, a day or an identifier
in it (``Version «1.1.16» (2021-03-23)``, ``## [«1.2.0»]``, ``«CVE-2024-1»: …``). Headings of one level with the same
template are siblings, and each is an *entry* with fields: those of its heading, a day on a line of its own below it,
and the ``Field: value`` lines at the beginning of its section. The title of a document is read the same way; whether
titles of other documents have the same template is decided over all documents (`kbtui.records.series`).

An entry is a relation ``entry:`` (a title ``title:``), its fields are relations named ``entry:FIELD`` between its line
and that of the next one; ``end:`` is where text begins that belongs to no entry. Header fields have no such names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from string import ascii_letters
from typing import Final, Literal, NamedTuple

from kbtui.domain.document import Document, Heading, Relation
from kbtui.knowledge.relations.labels import file_labels, find_labels
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.text.days import find_day

ENTRY: Final = "entry:"
TITLED: Final = "title:"
END: Final = "end:"
LISTED: Final = "list:"
"""The relation that names a list of records in a data file (`kbtui.knowledge.relations.data_lists`)."""
LISTED_IN_TEXT: Final = "list:text"
"""The relation that names a list of records in a text (`kbtui.knowledge.relations.text_lists`)."""
ITEM: Final = "item:"
"""Prefix of the relations of a record of such a list."""
QUOTED: Final = '"'
"""Suffix of the name of a field whose value is quoted in the text; it counts where several entries have it."""
WRITTEN_IN: Final = "file:language"
"""The relation for the language of a document that is not English."""
SERIES_RELATIONS: Final = (ENTRY, TITLED, LISTED, ITEM, END, WRITTEN_IN)
"""Prefixes of relations that describe sections and titles instead of another thing."""

SlotKind = Literal["version", "date", "id"]

_MIN_SIBLINGS: Final = 2
"""Least number of headings with one template for them to be siblings."""
_MIN_DATED_SHARE: Final = 0.5
"""Least share of bare versions with a day for them to be entries; others are section numbers."""
_MAX_WORDS_BEFORE: Final = 4
"""Words before a slot; a heading with more is a sentence."""
_FIELD_LINES: Final = 8
"""Lines below a heading that are searched for fields."""
_MAX_VALUE_CHARS: Final = 120
_MAX_KEY_WORDS: Final = 3
_MAX_ENTRIES: Final = 2_000
_MAX_MENTIONS: Final = 200

_VERSION = re.compile(
    r"(?<![\w.#/-])(?:[vV]\.?\s?(?=\d))?(?P<value>\d+(?:\.\d+){1,4}(?:\.x)?"
    r"(?:[-._ ]?(?:alpha|beta|rc|dev|pre|post|preview|a|b|c|p)[-._ ]?\d*)?)(?![\w%]|\.\d)"
    r"|(?<![\w.#/-])[vV](?P<whole>\d+)(?![\w.%])",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(r"(?<![\w-])(?P<value>[A-Z]{2,10}-\d{1,6}(?:-\d{2,7})?)(?![\w-])")
_MARKS = re.compile(r"'{2,}|[\"“”`*_\[\](){}<>/|=~:：]+|(?<!\w)[-–—]+|[-–—]+(?!\w)")
_DATE_WORDS = re.compile(
    r"(?i)\b(?:released?|dated?|published|updated|expected|on|of|in|as|at|the|mon|tues?|wed|thu(?:rs)?|fri|sat|sun|day"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|utc|gmt)\b|发布|日期|时间|于"
)
_FIELD = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*|__|:)?(?P<key>[^\W\d_][\w /-]{0,28}?)(?:\*\*|__)?\s*[:：](?:\*\*|__)?"
    r"\s+(?P<value>\S.*?)\s*$"
)
_SAMPLE_CHARS: Final = 40_000
_HAN = re.compile(r"[\u3400-\u9fff]+")
_QUOTED_VALUE = re.compile(r"\b(?P<key>[a-z]{3,20})\s+[\"“](?P<value>[\w-]{2,20})[\"”]")


class Slot(NamedTuple):
    """The variable part of a heading.

    Attributes:
        before: The text before it in lower case without mark-up, which is the template of the heading.
        kind: Kind of the value.
        value: Normalised value: a version without its ``v``, a day in ISO form.
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
    """The slot of a heading: its first version, day or identifier; None where it has none."""
    candidates: list[tuple[int, SlotKind, str]] = []
    day = find_day(text)
    if day is not None:
        candidates.append((day.start, "date", day.day.isoformat()))
    if (match := _IDENTIFIER.search(text)) is not None:
        candidates.append((match.start(), "id", match["value"]))
    if (version := version_in(text)) is not None:
        candidates.append((version[0], "version", version[1]))
    if not candidates:
        return None
    start, kind, value = min(candidates)
    before = " ".join(_MARKS.sub(" ", text[:start]).casefold().split())
    return Slot(before, kind, value) if len(before.split()) <= _MAX_WORDS_BEFORE else None


def version_in(text: str) -> tuple[int, str] | None:
    """Offset and text of the first version in a text that is not part of a day; None where there is none."""
    day = find_day(text)
    for match in _VERSION.finditer(text):
        if day is None or not day.start <= match.start() < day.end:
            return match.start(), (match["value"] or match["whole"]).strip()
    return None


def extract(document: Document) -> Iterator[Relation]:
    """An entry with its fields for each heading with siblings, in file order, and one for the title."""
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
    sections = _sections_of_series(document.headings, raw)
    is_series_title = slot is not None and slot.kind != "id" and first.text == document.title
    if (
        slot is not None
        and is_series_title
        and (not sections or sections[0].heading != first)
        and not file_labels(document)
    ):
        yield from _section_relations(document, raw, TITLED, _Section(first, slot, len(raw), _fields(first, slot, raw)))
    for index, section in enumerate(sections):
        yield from _section_relations(document, raw, ENTRY, section)
        if index + 1 == len(sections) or section.last + 1 < sections[index + 1].heading.line - 1:
            yield relation_on(document, raw, END, "", min(section.last, len(raw)))


def _is_chinese(text: str) -> bool:
    """Whether a text is Chinese: a Chinese character counts as three letters, about a third of an English word each."""
    beginning = text[:_SAMPLE_CHARS]
    if beginning.isascii():
        return False
    # Counting single letters is faster than a pattern that finds them.
    return 3 * sum(map(len, _HAN.findall(beginning))) > sum(map(beginning.count, ascii_letters))


def _section_relations(document: Document, raw: Sequence[str], name: str, section: _Section) -> Iterator[Relation]:
    yield relation_on(document, raw, name, section.heading.text, section.heading.line)
    for key, value, line in section.fields:
        yield relation_on(document, raw, f"{name}{key}", value, line)
    if name == ENTRY:
        yield from _mentions(document, raw, section)


def _mentions(document: Document, raw: Sequence[str], section: _Section) -> Iterator[Relation]:
    """The labels in the text of an entry, without duplicates; `mentions` extracts those of the whole document."""
    text = "\n".join(raw[section.heading.line - 1 : section.last])
    seen: dict[str, int] = {}
    for offset, label in find_labels(text):
        seen.setdefault(label, offset)
    for label, offset in list(seen.items())[:_MAX_MENTIONS]:
        yield relation_on(document, raw, f"{ENTRY}mentions", label, section.heading.line + text.count("\n", 0, offset))


def _sections_of_series(headings: Sequence[Heading], raw: Sequence[str]) -> list[_Section]:
    """Sections of headings with siblings, in file order; one within the section of another is left out."""
    all_slots = ((index, slot_of(heading.text)) for index, heading in enumerate(headings))
    # An identifier in the first heading is that of the document.
    slots = {index: slot for index, slot in all_slots if slot is not None and (index or slot.kind != "id")}
    sections: dict[tuple[int, str, str], list[_Section]] = {}
    for index, slot in slots.items():
        heading = headings[index]
        below = headings[index + 1].line if index + 1 < len(headings) else len(raw) + 1
        section = _Section(heading, slot, _last_line(headings, index, raw), _fields(heading, slot, raw, below))
        sections.setdefault((heading.level, slot.before, slot.kind), []).append(section)
    siblings = [section for group in sections.values() if _are_siblings(group) for section in group]
    top_level: list[_Section] = []
    for section in sorted(siblings, key=lambda section: section.heading.line)[:_MAX_ENTRIES]:
        if not top_level or section.heading.line > top_level[-1].last:
            top_level.append(section)
    return top_level


def _are_siblings(group: Sequence[_Section]) -> bool:
    """Whether headings with one template are entries, and not numbered sections."""
    if group[0].slot.kind == "id":
        return True
    if len(group) < _MIN_SIBLINGS or len({section.slot.value for section in group}) < len(group) * _MIN_DATED_SHARE:
        return False
    if group[0].slot.kind != "version" or group[0].slot.before:
        return True
    dated = sum(any(key == "date" for key, _, _ in section.fields) for section in group)
    marked = sum(re.match(r"\W*(?:[vV]\d|\[)", section.heading.text) is not None for section in group)
    return dated + marked >= _MIN_DATED_SHARE * len(group)


def _last_line(headings: Sequence[Heading], index: int, raw: Sequence[str]) -> int:
    """The last line of a section, which ends before the next heading of the same or a higher level."""
    level = headings[index].level
    following = next((heading.line for heading in headings[index + 1 :] if heading.level <= level), len(raw) + 1)
    return following - 1


def _fields(heading: Heading, slot: Slot, raw: Sequence[str], below: int = 0) -> tuple[tuple[str, str, int], ...]:
    """Key, value and line of each field of an entry: in its heading, a day below it, or field lines below it."""
    fields: dict[str, tuple[str, int]] = {slot.kind: (slot.value, heading.line)}
    if slot.kind != "date" and (day := find_day(heading.text)) is not None:
        fields["date"] = day.day.isoformat(), heading.line
    if slot.kind != "version" and (version := version_in(heading.text)) is not None:
        fields["version"] = version[1], heading.line
    last = min(len(raw), heading.line + _FIELD_LINES, below - 1 if below else len(raw))
    for number in range(heading.line + 1, last + 1):
        line = raw[number - 1].strip()
        if not line or not re.search(r"\w", line):
            continue
        day = find_day(line) if len(line) <= _MAX_VALUE_CHARS else None
        # The name of the entry itself may stand beside its day: ``:2.0.3: 2009-12-14``.
        is_date_line = day is not None and not re.search(
            r"\w", _DATE_WORDS.sub("", (line[: day.start] + line[day.end :]).replace(slot.value, "", 1))
        )
        if day is not None and is_date_line:
            fields.setdefault("date", (day.day.isoformat(), number))
            continue
        match = _FIELD.match(line) if len(line) <= _MAX_VALUE_CHARS else None
        if match is None or len(match["key"].split()) > _MAX_KEY_WORDS:
            return (*_field_tuples(fields), *_quoted_values(raw, number))
        fields.setdefault(re.sub(r"[\W_]+", "-", match["key"].casefold()).strip("-"), (match["value"], number))
    return tuple(_field_tuples(fields))


def _field_tuples(fields: dict[str, tuple[str, int]]) -> Iterator[tuple[str, str, int]]:
    return ((key, value, line) for key, (value, line) in fields.items())


def _quoted_values(raw: Sequence[str], first: int) -> Iterator[tuple[str, str, int]]:
    """Key, value and line of quoted words after a noun, in one paragraph: ``an issue with severity "high"``."""
    paragraph = list(takewhile(str.strip, raw[first - 1 : first - 1 + _FIELD_LINES]))
    text = "\n".join(paragraph)
    for match in _QUOTED_VALUE.finditer(text):
        line = first + text.count("\n", 0, match.start("value"))
        yield f"{match['key']}{QUOTED}", match["value"], line
