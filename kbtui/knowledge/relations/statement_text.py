"""Makes relations with an excerpt of the line that states them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kbtui.domain.document import Document, Relation

MAX_CHARS: Final = 1000
"""Longest excerpt, since a line of a minified file may have megabytes and hundreds of relations."""

_CHARS_BEFORE: Final = MAX_CHARS // 3
"""Characters of the excerpt before a statement that is not near the beginning of the line."""


def statement_excerpt(line: str, start: int) -> str:
    """``line``; of one longer than `MAX_CHARS`, the part around offset ``start``, cut between words."""
    if len(line) <= MAX_CHARS:
        return line
    first = 0 if start <= MAX_CHARS - _CHARS_BEFORE else max(0, min(start - _CHARS_BEFORE, len(line) - MAX_CHARS))
    last = min(first + MAX_CHARS, len(line))
    if first and (gap := line.find(" ", first, start)) >= 0:
        first = gap + 1
    if last < len(line) and start < (gap := line.rfind(" ", start, last)):
        last = gap
    return line[first:last]


def relation_on(
    document: Document, raw: Sequence[str], relation: str, target: str, line: int, start: int = 0
) -> Relation:
    """The relation that a line of a document states at offset ``start``."""
    text = statement_excerpt(raw[line - 1], start)
    return Relation(source_path=document.path, relation=relation, target=target, line=line, text=text)
