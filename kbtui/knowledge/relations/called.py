"""What documents call what they are about: *this plugin*, *this role*, 本模块, near their beginning.

Which of the words is the name of a kind is known only where all documents are (`kbtui.records.kinds`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.stated import relation_on
from kbtui.text.stop_words import STOP_WORDS

CALLED: Final = "file:called"
"""The relation that holds such a word."""

_READ_LINES: Final = 80
_LONGEST_LINE: Final = 1000
_MOST: Final = 12
_THIS: Final = re.compile(r"\b[Tt]his\s+([a-z]{3,20})\b|本([\u4e00-\u9fff]{2})")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each noun behind *this*, once."""
    if document.kind not in ("markdown", "rst", "text", "html"):
        return
    raw = document.text.split("\n")
    seen: set[str] = set()
    for number, line in enumerate(raw[:_READ_LINES], start=1):
        for match in _THIS.finditer(line[:_LONGEST_LINE]):
            word = match[1] or match[2]
            if len(seen) < _MOST and word not in seen and word not in STOP_WORDS:
                seen.add(word)
                yield relation_on(document, raw, CALLED, word, number, match.start())
