"""Nouns by which documents refer to their subject near their beginning: *this plugin*, *this role*, 本模块.

Which of them names a kind is decided over all documents (`kbtui.records.kinds`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.text.stop_words import STOP_WORDS

KIND_WORD: Final = "file:called"
"""The relation of such a noun."""

_MAX_LINES: Final = 80
_MAX_LINE_CHARS: Final = 1000
_MAX_NOUNS: Final = 12
_NOUN_AFTER_THIS: Final = re.compile(r"\b[Tt]his\s+([a-z]{3,20})\b|本([\u4e00-\u9fff]{2})")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each noun after *this*, without duplicates."""
    if document.kind not in ("markdown", "rst", "text", "html"):
        return
    raw = document.text.split("\n")
    seen: set[str] = set()
    for number, line in enumerate(raw[:_MAX_LINES], start=1):
        for match in _NOUN_AFTER_THIS.finditer(line[:_MAX_LINE_CHARS]):
            word = match[1] or match[2]
            if len(seen) < _MAX_NOUNS and word not in seen and word not in STOP_WORDS:
                seen.add(word)
                yield relation_on(document, raw, KIND_WORD, word, number, match.start())
