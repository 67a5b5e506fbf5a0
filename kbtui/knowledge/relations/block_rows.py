"""Blocks with the same keys as records: sections, or paragraphs, that begin with ``Key: value`` lines.

Below ``## Aisha``, ``## Bjorn`` and ``## Chen`` stand ``Role:`` and ``Reports to:`` — three persons; so are paragraphs
of a text that begin with the same key. Sections of a series (`kbtui.knowledge.relations.series`) are entries of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import PurePosixPath
from typing import Final, NamedTuple

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.rows import MAX_LINE_CHARS, MIN_SIBLINGS, Row, plain, relations_of_rows
from kbtui.knowledge.relations.series import slot_of
from kbtui.knowledge.relations.trees import FieldLines

_MIN_KEYS: Final = 2
"""Fewest keys that blocks have in common."""
_USUAL_SHARE: Final = 0.6
"""Least share of the blocks that have a key for it to be common."""
_MAX_KEY_WORDS: Final = 4
_KEY_CHARS: Final = 40
_HAN_KEY_CHARS: Final = 8
_FIELD: Final = re.compile(
    r"\s*(?:[-*+]\s+)?(?:\*\*|__)?(?P<key>[^\W\d_][^:：*|\n]{0,39}?)(?:\*\*|__)?\s*"
    r"(?::(?:\*\*|__)?(?=\s)|：(?:\*\*|__)?)\s*(?P<value>\S.*?)\s*"
)


class _Block(NamedTuple):
    name: str
    line: int
    last: int
    fields: tuple[FieldLines, ...]


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each group of blocks, for each block, and for each of its values."""
    if document.kind not in ("markdown", "rst", "text") or not (":" in document.text or "：" in document.text):
        return
    raw = document.text.split("\n")
    for name, blocks in (*_sections(document, raw), *_paragraphs(document, raw)):
        keys = Counter(field.key.casefold() for block in blocks for field in block.fields)
        common = [key for key, count in keys.items() if count >= _USUAL_SHARE * len(blocks)]
        if len(blocks) >= MIN_SIBLINGS and len(common) >= _MIN_KEYS:
            rows = [Row(block.line, block.name, block.fields, block.last) for block in blocks]
            yield from relations_of_rows(document, raw, name, rows)


def _sections(document: Document, raw: Sequence[str]) -> Iterator[tuple[str, list[_Block]]]:
    """The blocks of the sections below one heading, with that heading or the title for a name."""
    ends = [*(heading.line - 1 for heading in document.headings[1:]), len(raw)]
    parents: dict[int, str] = {}
    blocks: dict[tuple[int, str], list[_Block]] = {}
    for heading, last in zip(document.headings, ends, strict=False):
        parents = {level: text for level, text in parents.items() if level < heading.level}
        above = parents[max(parents)] if parents else document.title
        parents[heading.level] = heading.text
        fields = _fields(raw, heading.line + 1, last)
        if len(fields) >= _MIN_KEYS and slot_of(heading.text) is None:
            blocks.setdefault((heading.level, above), []).append(
                _Block(plain(heading.text), heading.line, last, fields)
            )
    return ((above, group) for (_, above), group in blocks.items())


def _paragraphs(document: Document, raw: Sequence[str]) -> Iterator[tuple[str, list[_Block]]]:
    """The blocks of the paragraphs of a text without sections: its file names them, its first value names each."""
    if len(document.headings) > 1:
        return
    numbered = [(number, line) for number, line in enumerate(raw, 1)]
    groups = [list(group) for filled, group in groupby(numbered, key=lambda pair: bool(pair[1].strip())) if filled]
    blocks = []
    for group in groups:
        fields = _fields(raw, group[0][0], group[-1][0])
        if len(fields) == len(group) >= _MIN_KEYS:
            blocks.append(_Block(plain(fields[0].lines[0][1]), group[0][0], group[-1][0], fields))
    if blocks and all(first.fields[0].key == second.fields[0].key for first, second in pairwise(blocks)):
        yield PurePosixPath(document.path).stem, blocks


def _fields(raw: Sequence[str], start: int, last: int) -> tuple[FieldLines, ...]:
    """The fields on the first lines of a block, blank lines aside."""
    fields: dict[str, FieldLines] = {}
    for number in range(start, last + 1):
        line = raw[number - 1]
        if not line.strip():
            if fields:
                break
            continue
        match = _FIELD.fullmatch(line) if len(line) <= MAX_LINE_CHARS else None
        if match is None or not _is_key(match["key"]) or match["key"] in fields:
            break
        fields[match["key"]] = FieldLines(match["key"], ((number, match["value"]),))
    return tuple(fields.values())


def _is_key(key: str) -> bool:
    return len(key.split()) <= _MAX_KEY_WORDS and len(key) <= (_KEY_CHARS if key.isascii() else _HAN_KEY_CHARS)
