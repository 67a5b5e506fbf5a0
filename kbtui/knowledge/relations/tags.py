"""Tags in the text of notes, as Obsidian and Logseq write them: ``#area/infra``, lines of tags, ``#[[deep work]]``.

A single ``#word`` in a sentence may be a channel, a colour or a directive, so it counts only on a line of nothing but
tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from kbtui.domain.document import Document, Relation
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
_MAX_TAGS: Final = 200
_MAX_LINE_CHARS: Final = 4_000


def extract(document: Document) -> Iterator[Relation]:
    """A relation ``tags`` for each tag and each level above it: ``area/infra`` is ``area``, too."""
    if document.kind != "markdown" or "#" not in document.text:
        return
    raw, in_fields = document.text.split("\n"), field_lines(document)
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
            levels = [name, *(name[: slash.start()] for slash in re.finditer("/", name))]
            text = statement_excerpt(raw[number - 1], match.start())
            for level in levels:
                yield Relation(source_path=document.path, relation=RELATION, target=level, line=number, text=text)
            count += 1
            if count >= _MAX_TAGS:
                return
