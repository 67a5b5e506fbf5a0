"""Tags in the text of notes, as Obsidian and Logseq write them: ``#area/infra``, lines of tags, ``#[[deep work]]``.

A paragraph such as ``Tags: type/fun, slow``, with which wikis end their pages, is the same.
A single ``#word`` in a sentence may be a channel, a colour or a directive, so it counts only on a line of nothing but
tags.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.fields import levels_above
from kbtui.knowledge.relations.links import blank_code
from kbtui.knowledge.relations.mentions import field_lines
from kbtui.knowledge.relations.statement_text import statement_excerpt

RELATION: Final = "tags"
_WORD: Final = r"[^\W\d][\w-]{0,60}"
_TAG: Final = re.compile(
    rf"(?<![\w/#&\[(`\\])#(?:\[\[(?P<words>[^\[\]\n]{{1,80}})\]\]|(?P<tag>{_WORD}(?:/[\w-]{{1,60}}){{0,5}})(?![\w/(]))"
)
_TAGS_ALONE: Final = re.compile(
    rf"\s*(?:[-*+>]\s+)?(?:tags?\s*[:：]{{1,2}}\s*)?#{_WORD}(?:/[\w-]{{1,60}}){{0,5}}(?:[\s,，、]+#{_WORD}(?:/[\w-]{{1,60}}){{0,5}})*\s*",
    re.IGNORECASE,
)  # fmt: skip
_PARAGRAPH: Final = re.compile(
    r"(?:tags?|categor(?:y|ies)|keywords?|标签|分类|关键词)\s*[:：]\s*(?P<tags>[^\s#,，、;].*)", re.IGNORECASE
)
_BETWEEN: Final = re.compile(r"\s*[,，、;]\s*")
_MAX_WORDS: Final = 3
_MAX_TAGS: Final = 200
_MAX_LINE_CHARS: Final = 4_000


def extract(document: Document) -> Iterator[Relation]:
    """A relation ``tags`` for each tag and each level above it: ``area/infra`` is ``area``, too."""
    if document.kind not in ("markdown", "rst", "text"):
        return
    raw, in_fields = document.text.split("\n"), field_lines(document)
    yield from _paragraphs(document, raw, in_fields)
    if document.kind != "markdown" or "#" not in document.text:
        return
    # Blanking keeps the length, so lines and columns stay valid.
    prose = blank_code(document.text).split("\n")
    count = 0
    for number, line in enumerate(prose, 1):
        if "#" not in line or number in in_fields or len(line) > _MAX_LINE_CHARS:
            continue
        is_alone = _TAGS_ALONE.fullmatch(line) is not None
        for match in _TAG.finditer(line):
            name = (match["words"] or match["tag"]).strip()
            if not name or not (is_alone or match["words"] or "/" in name):
                continue
            yield from _levels(document, raw, number, name, match.start())
            count += 1
            if count >= _MAX_TAGS:
                return


def _paragraphs(document: Document, raw: Sequence[str], in_fields: Collection[int]) -> Iterator[Relation]:
    for number, line in enumerate(raw, 1):
        match = _PARAGRAPH.fullmatch(line.strip()) if len(line) <= _MAX_LINE_CHARS else None
        if (
            match is None
            or number in in_fields
            or any(text.strip() for text in (*raw[number - 2 : number - 1], *raw[number : number + 1]))
        ):
            continue
        names = [name for name in _BETWEEN.split(match["tags"].rstrip(".。")) if name]
        if all(len(name.split()) <= _MAX_WORDS for name in names):
            for name in names[:_MAX_TAGS]:
                yield from _levels(document, raw, number, name, max(0, line.find(name)))


def _levels(document: Document, raw: Sequence[str], number: int, name: str, column: int) -> Iterator[Relation]:
    """A relation for a tag and for each level above it."""
    text = statement_excerpt(raw[number - 1], column)
    for level in (name, *levels_above(name)):
        yield Relation(source_path=document.path, relation=RELATION, target=level, line=number, text=text)
