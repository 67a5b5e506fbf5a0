"""Parses a model's answer into sentences and slots for citation marks.

The wording never changes: joining the parts with filled slots gives the original text, except for its marks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from kbtui.reasoning.checking.footer import footer
from kbtui.reasoning.checking.marks import Mark, Place, Target, marks
from kbtui.text.blocks import Block, blocks
from kbtui.text.markup import strip_html
from kbtui.text.sentences import sentence_ends

PieceKind = Literal["sentence", "list_item", "table_row", "heading", "code"]

_FENCE: Final = re.compile(r"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})")
_CODE_SPAN: Final = re.compile(r"(?<!`)(`{1,3})(?!`)(?:[^`\n]|\n(?!\n)){1,2000}?(?<!`)\1(?!`)")
_BULLET: Final = re.compile(
    r"(?:[ \t]*>)?\s*(?:(?:[-*+•◦‣·]|\d{1,9}[.)]|[A-Za-z][)]|\([A-Za-z0-9]{1,3}\))(?:\s+|$)(?:\[[ xX]\]\s+)?"
    r"|(?:\d{1,3}、|[一二三四五六七八九十]{1,3}、|（[\d一二三四五六七八九十]{1,3}）)\s*)"
)
_TABLE_RULE: Final = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_QUOTE: Final = re.compile(r"^[ \t]*>[ \t>]*", re.M)
_LINK: Final = re.compile(r"!?\[([^\[\]]{0,400})\]\((?:[^()\s]|\([^()\s]{0,100}\)){0,600}(?:\s+\"[^\"\n]{0,200}\")?\)")
_EMPHASIS: Final = re.compile(r"(\*{1,3}|(?<!\w)_{1,3}|~~)(?=\S)(.{1,2000}?)(?<=\S)\1(?!(?<=_)\w)", re.S)
_SPACE: Final = re.compile(r"\s+")
_TAIL: Final = " \t\u00a0\u3000\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One sentence, item, row, heading or block of code.

    Attributes:
        kind: Type of the piece.
        text: Plain text on one line, without marks and markup; code keeps its lines.
        marked: Markdown as the model wrote it, without marks; code spans in it show identifiers.
        targets: Targets of its marks.
        block: Number of its block; sentences of one paragraph share it.
        columns: For a table row, the cells of the header row.
    """

    kind: PieceKind
    text: str
    marked: str
    targets: tuple[Target, ...] = ()
    block: int = 0
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place for citation marks.

    Attributes:
        piece: Index of the piece it belongs to.
        targets: Targets of the model's mark in this place; empty for a place without one.
        lead: Text before the marks, if there are any.
        tail: Text after the marks.
    """

    piece: int
    targets: tuple[Target, ...] = ()
    lead: str = " "
    tail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An answer in parts.

    Attributes:
        parts: Text and slots in order.
        pieces: The sentences, items, rows, headings and code blocks in order.
        labels: Entry for each number in the model's list of sources.
    """

    parts: tuple[str | Slot, ...]
    pieces: tuple[Piece, ...]
    labels: dict[int, str] = field(default_factory=dict)

    def rendered(self, fill: Callable[[Slot], str]) -> str:
        """The text with each slot filled; an empty filling leaves neither lead nor tail."""
        out = []
        for part in self.parts:
            if isinstance(part, str):
                out.append(part)
            elif marks_there := fill(part):
                out.append(f"{part.lead}{marks_there}{part.tail}")
        return "".join(out)


def draft(text: str, known: frozenset[int], is_place: Callable[[Place], bool]) -> Draft:
    """Parse an answer.

    Args:
        text: Markdown, cleaned, ``\\n`` line ends.
        known: Source numbers that the model was shown.
        is_place: Whether a named place is one of the sources.
    """
    code = _code_lines(text.split("\n"))
    source_list = footer(text.split("\n"), code)
    lines = [line for index, line in enumerate(text.split("\n")) if index not in source_list.lines]
    body = "\n".join(lines).rstrip()
    return _Reader(body, known, is_place).read(dict(source_list.labels))


@dataclass(slots=True)
class _Span:
    """A piece with its span, ``start`` to ``end``; new marks are inserted at ``put``."""

    kind: PieceKind
    start: int
    end: int
    block: int
    put: int
    lead: str = " "
    tail: str = ""
    marks: list[Mark] = field(default_factory=list)


class _Reader:
    def __init__(self, body: str, known: frozenset[int], is_place: Callable[[Place], bool]) -> None:
        self.body = body
        self.lines = body.split("\n")
        self.offsets = [0]
        for line in self.lines:
            self.offsets.append(self.offsets[-1] + len(line) + 1)
        self.blocks = blocks(self.lines, "markdown", whole=False)
        masked = list(body)
        for block in self.blocks:
            if block.kind == "code":
                start, end = self._span_of(block)
                masked[start:end] = ["\n" if c == "\n" else "\0" for c in masked[start:end]]
        for match in _CODE_SPAN.finditer("".join(masked)) if "`" in body else ():
            masked[match.start() : match.end()] = ["\n" if c == "\n" else "\0" for c in match[0]]
        self.masked = "".join(masked)
        self.marks = marks(self.masked, known, is_place)

    def read(self, labels: dict[int, str]) -> Draft:
        spans: list[_Span] = []
        for number, block in enumerate(self.blocks):
            spans += self._spans_of_block(number, block)
        self._assign_marks(spans)
        return self._assemble(spans, labels)

    def _span_of(self, block: Block) -> tuple[int, int]:
        return self.offsets[block.start], min(self.offsets[block.end + 1] - 1, len(self.body))

    def _spans_of_block(self, number: int, block: Block) -> Iterator[_Span]:
        start, end = self._span_of(block)
        match block.kind:
            case "rule":
                return
            case "code":
                follows = end + 1 < len(self.body) and self.body[end + 1] != "\n"
                yield _Span("code", start, end, number, end, "\n\n" + " " * block.indent, "\n" if follows else "")
            case "heading":
                yield _Span("heading", start, end, number, end)
            case "table_row":
                is_header = block.end + 1 < len(self.lines) and _TABLE_RULE.match(self.lines[block.end + 1])
                put = end
                while put > start and self.body[put - 1] in " \t":
                    put -= 1
                if put > start and self.body[put - 1] == "|":
                    put -= 1
                    while put > start and self.body[put - 1] in " \t":
                        put -= 1
                kind: PieceKind = "heading" if is_header else "table_row"
                yield _Span(kind, start, end, number, put)
            case "list_item" | "field":
                bullet = _BULLET.match(self.body, start, end) if block.kind == "list_item" else None
                yield from self._sentences(number, bullet.end() if bullet else start, end, "list_item")
            case "prose":
                yield from self._sentences(number, start, end, "sentence")

    def _sentences(self, number: int, start: int, end: int, kind: PieceKind) -> Iterator[_Span]:
        """The sentences of a block, split as if the marks were not there."""
        kept, offsets = self._without_marks(start, end)
        position = 0
        for stop in (*(stop for stop in sentence_ends(kept)), len(kept)):
            piece = kept[position:stop]
            stripped = piece.rstrip(_TAIL)
            if stripped.strip(_TAIL + ">"):
                first = position + len(piece) - len(piece.lstrip(_TAIL))
                last = position + len(stripped)
                yield _Span(kind, offsets[first], offsets[last - 1] + 1, number, offsets[last - 1] + 1)
            position = stop

    def _without_marks(self, start: int, end: int) -> tuple[str, list[int]]:
        """The masked text without its marks, and the offset of each of its characters."""
        kept: list[str] = []
        offsets: list[int] = []
        position = start
        for mark in self._marks_in(start, end):
            kept.append(self.masked[position : mark.start])
            offsets += range(position, mark.start)
            position = max(position, mark.end)
        kept.append(self.masked[position:end])
        offsets += range(position, end)
        return "".join(kept), offsets

    def _marks_in(self, start: int, end: int) -> Sequence[Mark]:
        first = bisect_right(self.marks, start - 1, key=lambda mark: mark.start)
        last = bisect_right(self.marks, end, key=lambda mark: mark.start)
        return [mark for mark in self.marks[first:last] if mark.end > start]

    def _assign_marks(self, spans: list[_Span]) -> None:
        """Assign each mark to the span it is in or follows."""
        starts = [span.start for span in spans]
        for mark in self.marks:
            index = bisect_right(starts, mark.start) - 1
            after = index + 1
            if index < 0 or (mark.start >= spans[index].end and self._is_leading(mark, spans, after)):
                index = after
            if 0 <= index < len(spans):
                spans[index].marks.append(mark)

    def _is_leading(self, mark: Mark, spans: list[_Span], after: int) -> bool:
        """Whether a mark belongs to the sentence after it: at the start of a block, with text on the same line."""
        if after >= len(spans):
            return False
        following = spans[after]
        before = self.body[self.body.rfind("\n", 0, mark.start) + 1 : mark.start] + mark.lead
        is_first = _QUOTE.sub("", _BULLET.sub("", before)).strip() == ""
        is_same_line = "\n" not in self.body[mark.end : following.start] and following.start >= mark.end
        if is_first:
            return is_same_line
        # If a paragraph begins with a mark and does not end with one, all its marks precede their sentences.
        block = self.blocks[following.block]
        start, end = self._span_of(block)
        inside = self._marks_in(start, end)
        return (
            is_same_line
            and bool(inside)
            and inside[0].start <= start + 1
            and bool(self.body[max(m.end for m in inside) : end].strip(" .。\n"))
        )

    def _assemble(self, spans: list[_Span], labels: dict[int, str]) -> Draft:
        pieces, cuts = [], []
        columns: tuple[str, ...] = ()
        for index, span in enumerate(spans):
            marked, plain = self._texts(span)
            if span.kind == "heading":
                columns = cells(marked)
            targets = tuple(dict.fromkeys(target for mark in span.marks for target in mark.targets))
            pieces.append(
                Piece(
                    kind=span.kind,
                    text=plain,
                    marked=marked,
                    targets=targets,
                    block=span.block,
                    columns=columns if span.kind == "table_row" else (),
                )
            )
            put = span.put
            for mark in span.marks:
                before = self.body[mark.start - 1] if mark.start else "\n"
                lead = mark.lead or (" " if before.isascii() and before not in "\n|" else "")
                cuts.append((mark.start, mark.end, Slot(piece=index, targets=mark.targets, lead=lead)))
            inside = next((m for m in span.marks if m.start < put < m.end), None)
            put = inside.end if inside else put
            adjacent = [m for m in span.marks if m.start == put]
            put = max([put, *(m.end for m in adjacent)])
            cuts.append((put, put, Slot(piece=index, lead=span.lead, tail=span.tail)))
        cuts.sort(key=lambda cut: (cut[0], cut[1]))
        parts: list[str | Slot] = []
        position = 0
        for start, end, slot in cuts:
            if start > position:
                parts.append(self.body[position:start])
            parts.append(slot)
            position = max(position, end)
        parts.append(self.body[position:])
        return Draft(parts=tuple(parts), pieces=tuple(pieces), labels=labels)

    def _texts(self, span: _Span) -> tuple[str, str]:
        """The text of a span without its marks, as Markdown and plain."""
        kept, position = [], span.start
        for mark in self._marks_in(span.start, span.end):
            kept.append(self.body[position : mark.start])
            position = max(position, mark.end)
        kept.append(self.body[position : span.end])
        marked = "".join(kept)
        if span.kind == "code":
            inner = marked.split("\n")
            if _FENCE.match(inner[0]):
                inner = inner[1:-1] if len(inner) > 1 and _FENCE.match(inner[-1]) else inner[1:]
            return marked, "\n".join(inner)
        return marked, plain(marked, is_row=span.kind == "table_row")


def plain(marked: str, *, is_row: bool = False) -> str:
    """The plain text of one sentence of Markdown."""
    text = _QUOTE.sub("", marked)
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if is_row:
        text = " | ".join(filter(None, (cell.strip() for cell in text.strip().strip("|").split("|"))))
    for _ in range(2):
        text = _EMPHASIS.sub(r"\2", text) if "*" in text or "_" in text or "~~" in text else text
    text = text.replace("`", "")
    if "<" in text or "&" in text:
        text = strip_html(text)
    return _SPACE.sub(" ", text).strip()


def cells(row: str) -> tuple[str, ...]:
    """The plain text of the cells of a table row, including empty ones."""
    return tuple(plain(cell) for cell in row.strip().strip("|").split("|"))


def _code_lines(lines: Sequence[str]) -> frozenset[int]:
    if not any("```" in line or "~~~" in line or line.startswith(("    ", "\t")) for line in lines):
        return frozenset()
    all_blocks = blocks(lines, "markdown", whole=False)
    return frozenset(
        index for block in all_blocks if block.kind == "code" for index in range(block.start, block.end + 1)
    )


__all__ = ["Draft", "Piece", "PieceKind", "Slot", "cells", "draft", "plain"]
