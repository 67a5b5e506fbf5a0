"""What kind of thing a document is about: nouns near its beginning (*this plugin*, 本模块), and where a site places it.

Which of them names a kind is decided over all documents (`kbtui.records.kinds`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.text.page_heads import breadcrumbs
from kbtui.text.stop_words import STOP_WORDS

KIND_WORD: Final = "file:called"
"""The relation of such a noun."""
PLACED: Final = "file:placed"
"""The relation of the part of a site that the way to a page from its start ends in: *Error codes*."""

_MAX_LINES: Final = 80
_MAX_LINE_CHARS: Final = 1000
_MAX_NOUNS: Final = 12
_ELEMENT: Final = re.compile(r"[a-z]{3,20}")
_NOUN_AFTER_THIS: Final = re.compile(r"\b[Tt]his\s+([a-z]{3,20})\b|本([\u4e00-\u9fff]{2})")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each noun after *this*, without duplicates, and for the part of a site that a page lies in."""
    if document.kind not in ("markdown", "rst", "text", "html"):
        return
    raw = document.text.split("\n")
    if document.kind == "html":
        own_names = {document.title.casefold(), *(heading.text.casefold() for heading in document.headings[:1])}
        way = [step for step in breadcrumbs(document.text) if step[0].casefold() not in own_names]
        # The first step is the site itself.
        for name, offset in way[1:][-1:]:
            yield relation_on(document, raw, PLACED, name, document.text.count("\n", 0, offset) + 1)
    seen: set[str] = set()
    if document.tree is not None:
        # The root element of XML says what the file describes.
        for word, node in list((document.tree.entries or {}).items())[:1]:
            if _ELEMENT.fullmatch(word):
                seen.add(word)
                yield relation_on(document, raw, KIND_WORD, word, node.line)
    for number, line in enumerate(raw[:_MAX_LINES], start=1):
        for match in _NOUN_AFTER_THIS.finditer(line[:_MAX_LINE_CHARS]):
            word = match[1] or match[2]
            if len(seen) < _MAX_NOUNS and word not in seen and word not in STOP_WORDS:
                seen.add(word)
                yield relation_on(document, raw, KIND_WORD, word, number, match.start())
