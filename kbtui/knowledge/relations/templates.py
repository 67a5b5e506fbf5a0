"""Values that documents state by a shape they share: short sections of a template, and files that hold one value.

``## Deciders`` over three names, ``License`` over one line, ``type.txt`` in the folder of each package. Whether such a
shape is a field is known only where all documents are (`kbtui.records.templates`): here its values are candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.described import SMALL_FILE
from kbtui.knowledge.relations.fields import read_item
from kbtui.knowledge.relations.labels import file_labels
from kbtui.knowledge.relations.stated import relation_on

SECTION: Final = "section:"
"""How relations begin that hold the values of a short section; the rest is the heading."""
LONG_SECTION: Final = "section-text:"
"""The same of a section that holds more than values; its targets are its first paragraphs, cut at some length."""
CONTENT: Final = "file:content"
"""The relation that holds a value of a file with little else in it."""
CANDIDATES: Final = (SECTION, LONG_SECTION, CONTENT)

_MOST_SECTIONS: Final = 40
_MOST_HEADING_WORDS: Final = 4
_MOST_ITEMS: Final = 8
_MOST_WORDS: Final = 12
_MOST_NAME_WORDS: Final = 2
_LONGEST: Final = 120
_LONGEST_PARAGRAPH: Final = 200
_MOST_PARAGRAPHS: Final = 6
_SHORT_SECTION: Final = 20
"""Lines of a section of which more than the first paragraph may be built like that of others."""
_LONGEST_LISTING: Final = 400
"""Characters of a line of a file that holds nothing but values."""

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
    raw = document.text.split("\n")
    if document.kind == "text" and not document.headings and len(raw) <= SMALL_FILE:
        yield from _values(document, raw, CONTENT, _only_paragraph(raw))
    ends = (*(heading.line for heading in document.headings), len(raw) + 1)
    sections = zip(document.headings, pairwise(ends), strict=True)
    named = ((h.text, span) for h, span in sections if _may_name(h.text, document.title))
    for text, (line, following) in islice(named, _MOST_SECTIONS):
        numbers = _body(raw, line, following)
        values = list(_values(document, raw, SECTION + text, numbers)) if len(numbers) <= _MOST_ITEMS else []
        yield from values
        if numbers and not values:
            # In other documents the section may be short: there is one here, whatever it says.
            most = _MOST_PARAGRAPHS if following - line <= _SHORT_SECTION else 1
            for number, said in islice(_paragraphs(raw, numbers[0], following), most):
                yield relation_on(document, raw, LONG_SECTION + text, said, number)


def _paragraphs(raw: Sequence[str], first: int, following: int) -> Iterator[tuple[int, str]]:
    """Line and text of the first paragraph of a section, and of others that name something in code quotes.

    What a list under a paragraph names stands behind the words above it, an item a text.
    """
    number, above = first, ""
    while number < following:
        lines = list(takewhile(lambda at: raw[at - 1].strip(), range(number, following)))
        if not lines:
            number += 1
            continue
        said = " ".join(raw[at - 1].strip() for at in lines)
        if above and _BULLET.match(raw[number - 1]):
            yield from ((at, f"{above} {_BULLET.sub('', raw[at - 1]).strip()}"[:_LONGEST_PARAGRAPH]) for at in lines)
        elif number == first or ("`" in said and len(said) <= _LONGEST):
            quoted = [at for at in lines if "`" in raw[at - 1]]
            yield quoted[-1] if quoted else number, said[:_LONGEST_PARAGRAPH]
        above = said if said.endswith((":", "：")) and len(said) <= _LONGEST else ""
        number = lines[-1] + 1


def _only_paragraph(raw: Sequence[str]) -> list[int]:
    """Numbers of the lines of a file with one paragraph, a rule and what follows it aside; else empty."""
    said = list(takewhile(lambda at: not _RULE.fullmatch(raw[at]), range(len(raw))))
    filled = [at + 1 for at in said if raw[at].strip()]
    return filled if filled and filled[-1] - filled[0] == len(filled) - 1 else []


def _may_name(heading: str, title: str) -> bool:
    return heading != title and len(heading.split()) <= _MOST_HEADING_WORDS


def _body(raw: Sequence[str], line: int, following: int) -> list[int]:
    """Numbers of the lines of a section that say something, up to one more than a list of values may have."""
    numbers: list[int] = []
    for number in range(line + 1, following):
        text = raw[number - 1]
        if text.strip() and not _RULE.fullmatch(text) and not _COMMENT.fullmatch(text):
            numbers.append(number)
        if len(numbers) > _MOST_ITEMS:
            break
    return numbers


def _values(document: Document, raw: Sequence[str], relation: str, numbers: Sequence[int]) -> Iterator[Relation]:
    """Values line by line; none where a line is a sentence, a part of one, code or a row of a table."""
    lines = {number: _BULLET.sub("", raw[number - 1], count=1).strip() for number in numbers}
    values = {number: text for number, text in lines.items() if not _ADDRESS.fullmatch(text)} or lines
    longest, most_words = (_LONGEST, _MOST_WORDS) if relation != CONTENT else (_LONGEST_LISTING, _LONGEST_LISTING)
    if any(not _is_value(text, longest, most_words) for text in values.values()):
        return
    own = file_labels(document)
    for number, text in values.items():
        for item in [text] if relation == CONTENT else _items(text, document.path, own):
            yield relation_on(document, raw, relation, item, number, max(0, raw[number - 1].find(item)))


def _is_value(text: str, longest: int, most_words: int) -> bool:
    if len(text) > longest or text[0] in "|`>{" or _COLUMNS.search(text):
        return False
    words = _LINK.sub(r"\1", text).split()
    return len(words) <= most_words and (len(words) <= 2 or text[-1] not in _END_OF_SENTENCE)


def _items(text: str, path: str, own: tuple[str, ...]) -> Iterator[str]:
    """Names on one line with commas between them; a longer value may have commas of its own."""
    parts = [part for part in re.split(r"[,;、，；]", text) if part.strip()]
    for part in parts if all(len(part.split()) <= _MOST_NAME_WORDS for part in parts) else [text]:
        yield from read_item(part, path, own)
