"""Relations with the part of a line that they keep as their statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kbtui.domain.document import Document, Relation

MAX_TEXT: Final = 1000
"""Characters that a relation keeps of its line: a minified file may state hundreds on one line of megabytes."""

_BEFORE: Final = MAX_TEXT // 3
"""Of them, those before the statement where it does not stand near the beginning of the line."""


def stating_part(line: str, start: int) -> str:
    """``line``, or of a longer one than `MAX_TEXT` the part around the statement at ``start``, cut between words."""
    if len(line) <= MAX_TEXT:
        return line
    first = 0 if start <= MAX_TEXT - _BEFORE else max(0, min(start - _BEFORE, len(line) - MAX_TEXT))
    last = min(first + MAX_TEXT, len(line))
    if first and (gap := line.find(" ", first, start)) >= 0:
        first = gap + 1
    if last < len(line) and start < (gap := line.rfind(" ", start, last)):
        last = gap
    return line[first:last]


def relation_on(
    document: Document, raw: Sequence[str], relation: str, target: str, line: int, start: int = 0
) -> Relation:
    """What a line of a document states; ``start`` is where on the line."""
    text = stating_part(raw[line - 1], start)
    return Relation(source_path=document.path, relation=relation, target=target, line=line, text=text)
