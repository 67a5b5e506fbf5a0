"""Divides a document into sections, and each section into units that should not be cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.document import ChunkKind, Document, Heading
from kbtui.text.blocks import Block, BlockKind, Dialect, document_blocks


class Unit(Struct, frozen=True):
    """Lines ``start`` to ``stop`` (indexes, exclusive) that belong together; the units of a section leave no gap.

    Attributes:
        glued: Whether it introduces the next unit (a heading, ``for example:``) and should not be separated from it.
        group: Number of its table or list, which should stay whole; 0 outside of one.
        columns: Column names of the table, for a row of one.
    """

    start: int
    stop: int
    kind: ChunkKind
    glued: bool = False
    group: int = 0
    columns: str = ""


class Section(Struct, frozen=True):
    """The text under one heading up to the next; ``path`` has the headings above it and its own."""

    path: tuple[str, ...]
    units: tuple[Unit, ...]


_DIALECTS: dict[str, Dialect] = {"markdown": "markdown", "rst": "rst", "text": "text"}
_KINDS: dict[BlockKind, ChunkKind] = {
    "heading": "prose",
    "prose": "prose",
    "rule": "prose",
    "field": "prose",
    "list_item": "list",
    "code": "code",
    "table_row": "table",
}
_INTRODUCES = re.compile(r"[:：]\s*(?:</\w{1,20}>\s*){0,5}$")
_HTML_GROUP = re.compile(r"<(/?)(?:table|ul|ol|dl)\b", re.IGNORECASE)
_ABOVE_DEFINITION = re.compile(r"\s*(?:@|#|//|/\*|\*|--|;|%|\[|'''|\"\"\")")
_MAX_COLUMN_CHARS = 300
_CELL_GAP = re.compile(r"\s*\|\s*|\s{2,}")
_CODE_START = re.compile(r"\s*[A-Za-z_@]")


def sections(document: Document, lines: Sequence[str]) -> list[Section]:
    """The sections of ``document``; together their units cover every line once, in order."""
    dialect = _DIALECTS.get(document.kind)
    if dialect is not None:
        return _prose(document, lines, document_blocks(document.text, dialect))
    if document.kind == "code":
        return list(_code(document, lines))
    return list(_data(document, lines))


def _prose(document: Document, lines: Sequence[str], blocks: Sequence[Block]) -> list[Section]:
    result: list[Section] = []
    header = _header_stop(blocks)
    if header:
        start = blocks[header].start if header < len(blocks) else len(lines)
        result.append(Section((), (Unit(0, start, "header"),)))
    texts = {heading.line: heading.text for heading in document.headings}
    outline = _Outline(document.title)
    for block in blocks[:header]:
        if block.kind == "heading":
            outline.enter(block.level, _text_of(block, texts))
    groups = _groups(blocks, lines)
    units: list[Unit] = []
    path = outline.path
    first = blocks[header].start if 0 < header < len(blocks) else 0
    for index in range(header, len(blocks)):
        block = blocks[index]
        if block.kind == "heading":
            if units:
                result.append(Section(path, tuple(units)))
                units = []
            path = outline.enter(block.level, _text_of(block, texts))
        start = first if index == header else block.start
        stop = blocks[index + 1].start if index + 1 < len(blocks) else len(lines)
        group, columns = groups.get(index, (0, ""))
        kind: ChunkKind = "table" if columns else _KINDS[block.kind]
        units.append(Unit(start, stop, kind, _is_glued(block, lines), group, columns))
    if not blocks and lines:
        units.append(Unit(0, len(lines), "prose"))
    if units:
        result.append(Section(path, tuple(units)))
    return result


def _groups(blocks: Sequence[Block], lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """By index of each block of a table or list: the number of the group and, below the header, its column names."""
    groups: dict[int, tuple[int, str]] = {}
    group, columns = 0, ""
    for index, block in enumerate(blocks):
        previous = blocks[index - 1] if index else None
        is_adjacent = previous is not None and previous.end + 1 == block.start
        if block.kind == "table_row" and not (is_adjacent and index - 1 in groups):
            # Rules that draw a table belong to it, including the one above its first row.
            group, columns = index + 1, ""
            if is_adjacent and previous is not None and previous.kind == "rule":
                groups[index - 1] = (group, "")
        elif (
            block.kind == "rule"
            and is_adjacent
            and index - 1 in groups
            and previous is not None
            and previous.kind == "table_row"
        ):
            if not columns:
                columns = ", ".join(filter(None, _CELL_GAP.split(lines[previous.start].strip())))[:_MAX_COLUMN_CHARS]
                groups[index] = (group, "")
                continue
        elif block.kind == "list_item":
            if previous is None or previous.kind != "list_item":
                group, columns = index + 1, ""
        elif block.kind != "table_row":
            continue
        groups[index] = (group, columns)
    return groups


def _header_stop(blocks: Sequence[Block]) -> int:
    """Number of the first blocks that form the header: fields, their fences, and a title above them."""
    stop = 0
    fields = False
    for index, block in enumerate(blocks):
        if block.kind == "field":
            fields = True
            stop = index + 1
        elif block.kind == "rule":
            # The closing fence of front matter directly follows its last field.
            if fields and block.start == blocks[index - 1].end + 1:
                stop = index + 1
        elif block.kind != "heading" or fields or index > 1:
            break
    return stop if fields else 0


def _text_of(block: Block, texts: dict[int, str]) -> str:
    return next((texts[line] for line in range(block.start + 1, block.end + 2) if line in texts), block.text)


def _is_glued(block: Block, lines: Sequence[str]) -> bool:
    return block.kind == "heading" or (
        block.kind in ("prose", "list_item") and _INTRODUCES.search(lines[block.end]) is not None
    )


class _Outline:
    """The headings above the current line, without the title of the document."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.stack: list[tuple[int, str]] = []
        self.fresh = True

    def enter(self, level: int, text: str) -> tuple[str, ...]:
        while self.stack and self.stack[-1][0] >= level:
            self.stack.pop()
        self.stack.append((level, "" if self.fresh and text == self.title else text))
        self.fresh = False
        return self.path

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(text for _, text in self.stack if text)


def _code(document: Document, lines: Sequence[str]) -> Iterator[Section]:
    """Definitions with the comments and decorators directly above; later code at their level is its own section."""
    starts: list[tuple[int, int, Heading]] = []
    last = -1
    for heading in document.headings:
        line_index = heading.line - 1
        start = line_index
        while start - 1 > last and lines[start - 1].strip() and _ABOVE_DEFINITION.match(lines[start - 1]):
            start -= 1
        if line_index <= last:
            continue
        starts.append((start, line_index, heading))
        last = line_index
    above: list[tuple[int, int, str]] = []
    stops = [*(start for start, _, _ in starts[1:]), len(lines)][: len(starts)]
    first = starts[0][0] if starts else len(lines)
    if first > 0:
        yield Section((), tuple(_paragraphs(lines, 0, first, "code")))
    levels = [*(heading.level for _, _, heading in starts[1:]), 0][: len(starts)]
    for (start, line_index, heading), stop, level_after in zip(starts, stops, levels, strict=True):
        above = [entry for entry in above if entry[0] < heading.level]
        above.append((heading.level, _indent(lines[line_index]), heading.text))
        path = tuple(text for _, _, text in above)
        end = _definition_end(lines, line_index, stop)
        body = list(_paragraphs(lines, start, end, "definition"))
        # The first line of a class is glued to what follows, since it is hard to understand by itself.
        if len(body) == 1 and end == stop and level_after > heading.level:
            body = [replace(body[0], glued=True)]
        yield Section(path, tuple(body))
        if end < stop:
            outer_path = tuple(text for _, indent, text in above if indent < _indent(lines[end]))
            yield Section(outer_path, tuple(_paragraphs(lines, end, stop, "code")))


def _definition_end(lines: Sequence[str], line_index: int, stop: int) -> int:
    """Index of the line after a blank one at which code returns to the level of the definition; else ``stop``."""
    level = _indent(lines[line_index])
    for index in range(line_index + 2, stop):
        line = lines[index]
        if not lines[index - 1].strip() and _CODE_START.match(line) and _indent(line) <= level:
            return index
    return stop


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.lstrip().expandtabs(4))


def _paragraphs(lines: Sequence[str], start: int, stop: int, kind: ChunkKind) -> Iterator[Unit]:
    begin = start
    for index in range(start + 1, stop):
        if lines[index].strip() and not lines[index - 1].strip():
            yield Unit(begin, index, kind)
            begin = index
    if begin < stop:
        yield Unit(begin, stop, kind)


def _data(document: Document, lines: Sequence[str]) -> Iterator[Section]:
    """Sections of HTML and data files: each line is a unit; headings, and fields outside of one, begin a section."""
    kind: ChunkKind = "table" if document.kind == "csv" else "prose" if document.kind == "html" else "code"
    entries: dict[int, Heading | None] = {}
    for heading in document.headings:
        entries.setdefault(heading.line - 1, heading)
    if document.kind in ("json", "yaml", "toml"):
        for field in document.fields:
            entries.setdefault(field.start_line - 1, None)
    outline = _Outline(document.title if document.kind == "html" else "")
    path: tuple[str, ...] = ()
    starts = sorted(index for index in entries if 0 < index < len(lines))
    if 0 in entries and (heading_at_top := entries[0]) is not None:
        path = outline.enter(heading_at_top.level, heading_at_top.text)
    for start, stop in zip([0, *starts], [*starts, len(lines)], strict=True):
        if start:
            entry = entries[start]
            path = outline.enter(entry.level, entry.text) if entry is not None else ()
        units = (Unit(index, index + 1, kind) for index in range(start, stop))
        yield Section(path, tuple(_html_groups(units, lines) if document.kind == "html" else units))


def _html_groups(units: Iterable[Unit], lines: Sequence[str]) -> Iterator[Unit]:
    """``units`` (lines of HTML) with those of a table or list marked, and lines that introduce one glued."""
    depth = group = 0
    for unit in units:
        line = lines[unit.start]
        tags = _HTML_GROUP.findall(line) if "<" in line else []
        if tags and not depth:
            group = unit.start + 1
        is_inside = bool(tags or depth)
        depth = max(0, depth + sum(-1 if closing else 1 for closing in tags))
        yield replace(
            unit, group=group if is_inside else 0, glued=not is_inside and _INTRODUCES.search(line) is not None
        )
