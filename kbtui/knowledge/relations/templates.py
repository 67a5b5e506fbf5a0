"""Candidates for fields that documents state by a common template: short sections, and files with a single value.

``## Deciders`` above three names, ``License`` above one line, ``type.txt`` in the folder of each package. Whether such
a section or file is a field is decided over all documents (`kbtui.records.templates`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.fields import read_item
from kbtui.knowledge.relations.folder_descriptions import SMALL_FILE
from kbtui.knowledge.relations.item_rows import is_log_entry
from kbtui.knowledge.relations.labels import file_labels
from kbtui.knowledge.relations.opening_sentences import SENTENCE
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.knowledge.relations.structure import structure_of
from kbtui.knowledge.relations.text_lists import is_task

SECTION: Final = "section:"
"""Prefix of relations for the values of a short section; the rest is the heading."""
LONG_SECTION: Final = "section-text:"
"""Prefix for a section with other text than values; the targets are its first paragraphs, cut to a greatest length."""
LABEL: Final = "label:"
"""Prefix for a value behind a label near the end of a document: ``[Maintainer] Ada Moor``; the rest is the label."""
CONTENT: Final = "file:content"
"""The relation for a value of a file that contains little else."""
CANDIDATES: Final = (SECTION, LONG_SECTION, LABEL, CONTENT, SENTENCE)

_MAX_SECTIONS: Final = 40
_MAX_HEADING_WORDS: Final = 4
_MAX_ITEMS: Final = 8
_MAX_WORDS: Final = 12
_MAX_NAME_WORDS: Final = 2
_MAX_VALUE_CHARS: Final = 120
_MAX_PARAGRAPH_CHARS: Final = 200
_MAX_PARAGRAPHS: Final = 6
_SHORT_SECTION: Final = 20
"""Lines of a section up to which more than its first paragraph is taken."""
_MAX_CONTENT_CHARS: Final = 400
"""Characters of a line in a file of values."""

_LAST_LINES: Final = 40

_LABELLED = re.compile(
    r"\s*(?:[\[【](?P<bracketed>[^\[\]【】|]{2,24})[\]】](?![(:])"
    r"|(?P<key>[\u4e00-\u9fff]{2,8}|[A-Z][a-z]+(?: [A-Za-z]+){0,2})[:：])"
    r"\s*(?P<value>\S.*?)?\s*"
)
_RULE = re.compile(r"\s*(?:[-=~^\"'#*+.:`_]{3,}|[-*_](?:\s+[-*_]){2,})\s*")
_COMMENT = re.compile(r"\s*(?:<!--.*-->|\.\. .*|//.*)")
_BULLET = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s+")
_COLUMNS = re.compile(r"\S(?:\s{3,}|\t)\S(?!.*\]\()")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_ADDRESS = re.compile(r"\W*<?https?://\S+\W*")
_END_OF_SENTENCE = ".。!！?？:："


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each value of each short section, and for each value of a small file without headings."""
    if document.kind not in ("markdown", "rst", "text"):
        return
    if document.tree is None and structure_of(document) is not None:
        # A file of keys and values has no sections.
        return
    raw = document.text.split("\n")
    yield from _labels(document, raw)
    if document.kind == "text" and not document.headings and len(raw) <= SMALL_FILE:
        yield from _values(document, raw, CONTENT, _only_paragraph(raw))
    ends = (*(heading.line for heading in document.headings), len(raw) + 1)
    sections = zip(document.headings, pairwise(ends), strict=True)
    field_like = ((h.text, span) for h, span in sections if _may_name(h.text, document.title))
    for text, (line, following) in islice(field_like, _MAX_SECTIONS):
        numbers = _body(raw, line, following)
        if any(is_task(raw[number - 1]) or is_log_entry(raw[number - 1]) for number in numbers):
            # Tasks and entries of logs are things of their own.
            continue
        values = list(_values(document, raw, SECTION + text, numbers)) if len(numbers) <= _MAX_ITEMS else []
        yield from values
        if numbers and not values:
            # The section may be short in other documents, so its presence is recorded here too.
            max_paragraphs = _MAX_PARAGRAPHS if following - line <= _SHORT_SECTION else 1
            for number, paragraph in islice(_paragraphs(raw, numbers[0], following), max_paragraphs):
                yield relation_on(document, raw, LONG_SECTION + text, paragraph, number)


def _labels(document: Document, raw: Sequence[str]) -> Iterator[Relation]:
    """The values behind labels in the last lines of a document; a label in brackets may have its value below it."""
    own_labels = file_labels(document)
    for number in range(max(1, len(raw) - _LAST_LINES + 1), len(raw) + 1):
        match = _LABELLED.fullmatch(raw[number - 1])
        if match is None:
            continue
        key, value = match["bracketed"] or match["key"], match["value"]
        if not value and match["bracketed"] and number < len(raw) and not _LABELLED.fullmatch(raw[number]):
            number, value = number + 1, raw[number].strip()
        if value and _is_value(value, _MAX_VALUE_CHARS, _MAX_WORDS) and not _ADDRESS.fullmatch(value):
            for item in _items(value, document.path, own_labels):
                yield relation_on(document, raw, LABEL + key, item, number, max(0, raw[number - 1].find(item)))


def _paragraphs(raw: Sequence[str], first: int, following: int) -> Iterator[tuple[int, str]]:
    """Line and text of the first paragraph of a section, and of others with something in code quotes.

    Each item of a list below a paragraph is one text, with the paragraph in front of it.
    """
    number, lead = first, ""
    while number < following:
        lines = list(takewhile(lambda line_number: raw[line_number - 1].strip(), range(number, following)))
        if not lines:
            number += 1
            continue
        paragraph = " ".join(raw[at - 1].strip() for at in lines)
        if lead and _BULLET.match(raw[number - 1]):
            yield from (
                (line, f"{lead} {_BULLET.sub('', raw[line - 1]).strip()}"[:_MAX_PARAGRAPH_CHARS]) for line in lines
            )
        elif number == first and _BULLET.match(raw[number - 1]):
            yield from ((line, _BULLET.sub("", raw[line - 1]).strip()[:_MAX_PARAGRAPH_CHARS]) for line in lines)
        elif number == first or ("`" in paragraph and len(paragraph) <= _MAX_VALUE_CHARS):
            quoted_lines = [line for line in lines if "`" in raw[line - 1]]
            yield quoted_lines[-1] if quoted_lines else number, paragraph[:_MAX_PARAGRAPH_CHARS]
        lead = paragraph if paragraph.endswith((":", "：")) and len(paragraph) <= _MAX_VALUE_CHARS else ""
        number = lines[-1] + 1


def _only_paragraph(raw: Sequence[str]) -> list[int]:
    """Line numbers of the only paragraph of a file, up to a rule; empty where there are several."""
    indexes = list(takewhile(lambda index: not _RULE.fullmatch(raw[index]), range(len(raw))))
    filled = [index + 1 for index in indexes if raw[index].strip()]
    return filled if filled and filled[-1] - filled[0] == len(filled) - 1 else []


def _may_name(heading: str, title: str) -> bool:
    return heading != title and len(heading.split()) <= _MAX_HEADING_WORDS


def _body(raw: Sequence[str], line: int, following: int) -> list[int]:
    """Numbers of the lines of a section with text, up to one more than a list of values may have."""
    numbers: list[int] = []
    for number in range(line + 1, following):
        text = raw[number - 1]
        if text.strip() and not _RULE.fullmatch(text) and not _COMMENT.fullmatch(text):
            numbers.append(number)
        if len(numbers) > _MAX_ITEMS:
            break
    return numbers


def _values(document: Document, raw: Sequence[str], relation: str, numbers: Sequence[int]) -> Iterator[Relation]:
    """The values, line by line; none where a line is part of a sentence, code or a row of a table."""
    lines = {number: _BULLET.sub("", raw[number - 1], count=1).strip() for number in numbers}
    values = {number: text for number, text in lines.items() if not _ADDRESS.fullmatch(text)} or lines
    longest, most_words = (
        (_MAX_VALUE_CHARS, _MAX_WORDS) if relation != CONTENT else (_MAX_CONTENT_CHARS, _MAX_CONTENT_CHARS)
    )
    if any(not _is_value(text, longest, most_words) for text in values.values()):
        return
    own_labels = file_labels(document)
    for number, text in values.items():
        for item in [text] if relation == CONTENT else _items(text, document.path, own_labels):
            yield relation_on(document, raw, relation, item, number, max(0, raw[number - 1].find(item)))


def _is_value(text: str, longest: int, most_words: int) -> bool:
    if len(text) > longest or text[0] in "|`>{" or _COLUMNS.search(text):
        return False
    words = _LINK.sub(r"\1", text).split()
    return len(words) <= most_words and (len(words) <= 2 or text[-1] not in _END_OF_SENTENCE)


def _items(text: str, path: str, own: tuple[str, ...]) -> Iterator[str]:
    """The names on one line, separated by commas; a longer value is not split."""
    parts = [part for part in re.split(r"[,;、，；]", text) if part.strip()]
    for part in parts if all(len(part.split()) <= _MAX_NAME_WORDS for part in parts) else [text]:
        yield from read_item(part, path, own)
