"""Candidates for fields that documents state in sentences of one form: ``Written by Ada Moor; 2007.``

The first sentences of the first and last paragraphs of a document are kept: there it says what it is itself. Whether
the documents of a folder share a form is decided over all of them (`kbtui.records.sentence_forms`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.domain.document import EXTRACTED, Document, Relation
from kbtui.knowledge.relations.statement_text import relation_on
from kbtui.knowledge.relations.structure import structure_of
from kbtui.text.blocks import document_blocks
from kbtui.text.sentences import sentence_ends

SENTENCE: Final = "sentence:"
"""The relation of such a sentence."""

_PARAGRAPHS: Final = 10
"""Paragraphs at either end of a document whose first sentences are kept."""
_MAX_CHARS: Final = 160
_MIN_WORDS: Final = 3
MAX_LINES: Final = 3
"""Lines of a paragraph that are joined to find the end of its first sentence."""

_KEY = re.compile(r"[\w-]{1,40}: (?=\S)")
"""The name of the element in front of its text in XML."""
WORDS = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")
VALUE = re.compile(r"[“\"'‘「《`(]?[^\W_a-z]")
"""The beginning of a word that may be a value: a capital letter, a digit, or a quotation."""


def extract(document: Document) -> Iterator[Relation]:
    """A relation for the first sentence of each paragraph near an end of a document, if it may contain a value."""
    if document.kind not in ("markdown", "rst", "text"):
        return
    if document.tree is None and structure_of(document) is not None:
        return
    raw = document.text.split("\n")
    paragraphs = [block for block in document_blocks(document.text, document.kind) if block.kind == "prose"]
    if len(paragraphs) > 2 * _PARAGRAPHS:
        paragraphs = paragraphs[:_PARAGRAPHS] + paragraphs[-_PARAGRAPHS:]
    for block in paragraphs:
        lines = raw[block.start : min(block.end + 1, block.start + MAX_LINES)]
        if any(line.lstrip().startswith("|") for line in lines):
            # The facts of a box are fields already.
            continue
        text = " ".join(map(str.strip, lines))
        if document.encoding == EXTRACTED:
            text = _KEY.sub("", text, count=1)
        sentence = text[: next(iter(sentence_ends(text)), len(text))].strip()[:_MAX_CHARS]
        words = WORDS.findall(sentence)
        if len(words) >= _MIN_WORDS and any(VALUE.match(word) for word in words[1:]):
            yield relation_on(document, raw, SENTENCE, sentence, block.start + 1)
