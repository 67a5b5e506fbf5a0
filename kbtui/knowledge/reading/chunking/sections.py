"""Where a document may be cut: its sections, and in each the units that should stay whole."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.document import ChunkKind, Document, Heading
from kbtui.text.blocks import Block, BlockKind, Dialect, document_blocks


class Unit(Struct, frozen=True):
    """Lines ``start`` up to ``stop`` (indexes, exclusive) that belong together; units of a section leave no gap.

    Attributes:
        glued: It announces what follows (a heading, ``for example:``) and should not be parted from it.
        group: Names the table or list it is a part of, which should stay whole; 0 outside of one.
        columns: The columns of the table whose row it is, as its first row names them.
    """

    start: int
    stop: int
    kind: ChunkKind
    glued: bool = False
    group: int = 0
    columns: str = ""


class Section(Struct, frozen=True):
    """What stands under one heading, up to the next. ``path`` is the headings above it and its own."""

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
_ANNOUNCES = re.compile(r"[:：]\s*(?:</\w{1,20}>\s*){0,5}$")
_HTML_GROUP = re.compile(r"<(/?)(?:table|ul|ol|dl)\b", re.IGNORECASE)
_ABOVE_DEFINITION = re.compile(r"\s*(?:@|#|//|/\*|\*|--|;|%|\[|'''|\"\"\")")
_MOST_COLUMN_CHARS = 300
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


def _prose(document: Document, lines: Sequence[str], found: Sequence[Block]) -> list[Section]:
    result: list[Section] = []
    header = _header_stop(found)
    if header:
        start = found[header].start if header < len(found) else len(lines)
        result.append(Section((), (Unit(0, start, "header"),)))
    texts = {heading.line: heading.text for heading in document.headings}
    outline = _Outline(document.title)
    for block in found[:header]:
        if block.kind == "heading":
            outline.enter(block.level, _text_of(block, texts))
    groups = _groups(found, lines)
    units: list[Unit] = []
    path = outline.path
    first = found[header].start if 0 < header < len(found) else 0
    for at in range(header, len(found)):
        block = found[at]
        if block.kind == "heading":
            if units:
                result.append(Section(path, tuple(units)))
                units = []
            path = outline.enter(block.level, _text_of(block, texts))
        start = first if at == header else block.start
        stop = found[at + 1].start if at + 1 < len(found) else len(lines)
        group, columns = groups.get(at, (0, ""))
        kind: ChunkKind = "table" if columns else _KINDS[block.kind]
        units.append(Unit(start, stop, kind, _glued(block, lines), group, columns))
    if not found and lines:
        units.append(Unit(0, len(lines), "prose"))
    if units:
        result.append(Section(path, tuple(units)))
    return result


def _groups(found: Sequence[Block], lines: Sequence[str]) -> dict[int, tuple[int, str]]:
    """For each block of a table or list the number of that, and the names of its columns below the row with them."""
    groups: dict[int, tuple[int, str]] = {}
    group, columns = 0, ""
    for at, block in enumerate(found):
        before = found[at - 1] if at else None
        touches = before is not None and before.end + 1 == block.start
        if block.kind == "table_row" and not (touches and at - 1 in groups):
            # The lines that draw a table belong to it, also the one above its first row.
            group, columns = at + 1, ""
            if touches and before is not None and before.kind == "rule":
                groups[at - 1] = (group, "")
        elif (
            block.kind == "rule" and touches and at - 1 in groups and before is not None and before.kind == "table_row"
        ):
            if not columns:
                columns = ", ".join(filter(None, _CELL_GAP.split(lines[before.start].strip())))[:_MOST_COLUMN_CHARS]
                groups[at] = (group, "")
                continue
        elif block.kind == "list_item":
            if before is None or before.kind != "list_item":
                group, columns = at + 1, ""
        elif block.kind != "table_row":
            continue
        groups[at] = (group, columns)
    return groups


def _header_stop(found: Sequence[Block]) -> int:
    """How many of the first blocks are the header: fields, what fences them, and a title above them."""
    stop = 0
    fields = False
    for at, block in enumerate(found):
        if block.kind == "field":
            fields = True
            stop = at + 1
        elif block.kind == "rule":
            # The closing fence of front matter touches its last field.
            if fields and block.start == found[at - 1].end + 1:
                stop = at + 1
        elif block.kind != "heading" or fields or at > 1:
            break
    return stop if fields else 0


def _text_of(block: Block, texts: dict[int, str]) -> str:
    return next((texts[line] for line in range(block.start + 1, block.end + 2) if line in texts), block.text)


def _glued(block: Block, lines: Sequence[str]) -> bool:
    return block.kind == "heading" or (
        block.kind in ("prose", "list_item") and _ANNOUNCES.search(lines[block.end]) is not None
    )


class _Outline:
    """The headings above the current line, without the document's title."""

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
    """Definitions with the comments and decorators right above them; what follows at their own level is outside."""
    starts: list[tuple[int, int, Heading]] = []
    last = -1
    for heading in document.headings:
        at = heading.line - 1
        start = at
        while start - 1 > last and lines[start - 1].strip() and _ABOVE_DEFINITION.match(lines[start - 1]):
            start -= 1
        if at <= last:
            continue
        starts.append((start, at, heading))
        last = at
    above: list[tuple[int, int, str]] = []
    stops = [*(start for start, _, _ in starts[1:]), len(lines)][: len(starts)]
    first = starts[0][0] if starts else len(lines)
    if first > 0:
        yield Section((), tuple(_paragraphs(lines, 0, first, "code")))
    levels = [*(heading.level for _, _, heading in starts[1:]), 0][: len(starts)]
    for (start, at, heading), stop, level_after in zip(starts, stops, levels, strict=True):
        above = [entry for entry in above if entry[0] < heading.level]
        above.append((heading.level, _indent(lines[at]), heading.text))
        path = tuple(text for _, _, text in above)
        end = _definition_end(lines, at, stop)
        body = list(_paragraphs(lines, start, end, "definition"))
        # The line of a class is little without what follows in it.
        if len(body) == 1 and end == stop and level_after > heading.level:
            body = [replace(body[0], glued=True)]
        yield Section(path, tuple(body))
        if end < stop:
            outside = tuple(text for _, indent, text in above if indent < _indent(lines[end]))
            yield Section(outside, tuple(_paragraphs(lines, end, stop, "code")))


def _definition_end(lines: Sequence[str], at: int, stop: int) -> int:
    """Where code comes back to the level of the definition at ``at`` after a blank line; ``stop`` if it does not."""
    level = _indent(lines[at])
    for index in range(at + 2, stop):
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
    """HTML and data files: each line a unit, a new section at each heading and at each field outside of one."""
    kind: ChunkKind = "table" if document.kind == "csv" else "prose" if document.kind == "html" else "code"
    entries: dict[int, Heading | None] = {}
    for heading in document.headings:
        entries.setdefault(heading.line - 1, heading)
    if document.kind in ("json", "yaml", "toml"):
        for field in document.fields:
            entries.setdefault(field.start_line - 1, None)
    outline = _Outline(document.title if document.kind == "html" else "")
    path: tuple[str, ...] = ()
    starts = sorted(at for at in entries if 0 < at < len(lines))
    if 0 in entries and (heading_at_top := entries[0]) is not None:
        path = outline.enter(heading_at_top.level, heading_at_top.text)
    for start, stop in zip([0, *starts], [*starts, len(lines)], strict=True):
        if start:
            entry = entries[start]
            path = outline.enter(entry.level, entry.text) if entry is not None else ()
        units = (Unit(index, index + 1, kind) for index in range(start, stop))
        yield Section(path, tuple(_html_groups(units, lines) if document.kind == "html" else units))


def _html_groups(units: Iterable[Unit], lines: Sequence[str]) -> Iterator[Unit]:
    """``units``, each a line of HTML, with those of a table or list marked as such, and what announces one glued."""
    depth = group = 0
    for unit in units:
        line = lines[unit.start]
        tags = _HTML_GROUP.findall(line) if "<" in line else []
        if tags and not depth:
            group = unit.start + 1
        inside = bool(tags or depth)
        depth = max(0, depth + sum(-1 if closing else 1 for closing in tags))
        yield replace(unit, group=group if inside else 0, glued=not inside and _ANNOUNCES.search(line) is not None)
