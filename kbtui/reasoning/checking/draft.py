"""A model's answer taken apart: what it says, sentence by sentence, and where marks stand or may be put.

The wording is never touched: the parts put together again, with the slots filled, are the text, except for its marks.
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
        kind: What it is.
        text: Plain, on one line, without marks and mark-up; code keeps its lines.
        marked: As the model wrote it, for facts that mark-up shows (`` `code` ``); without marks.
        targets: What its own marks point at.
        block: Number of its block; sentences of one paragraph share it.
        columns: Of a row, the cells of the row that heads its table.
    """

    kind: PieceKind
    text: str
    marked: str
    targets: tuple[Target, ...] = ()
    block: int = 0
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A place for marks.

    Attributes:
        piece: Index of the piece it belongs to.
        targets: What the model's own mark there points at; none where the model put no mark.
        lead: What stands before the marks when there are any.
        tail: What stands after them.
    """

    piece: int
    targets: tuple[Target, ...] = ()
    lead: str = " "
    tail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An answer in parts.

    Attributes:
        parts: Text as it stands, and slots.
        pieces: What it says, in order.
        labels: What the model's own list of sources says of each number.
    """

    parts: tuple[str | Slot, ...]
    pieces: tuple[Piece, ...]
    labels: dict[int, str] = field(default_factory=dict)

    def rendered(self, fill: Callable[[Slot], str]) -> str:
        """The text with each slot filled; one that is filled with nothing leaves nothing behind."""
        out = []
        for part in self.parts:
            if isinstance(part, str):
                out.append(part)
            elif marks_there := fill(part):
                out.append(f"{part.lead}{marks_there}{part.tail}")
        return "".join(out)


def draft(text: str, known: frozenset[int], is_place: Callable[[Place], bool]) -> Draft:
    """Take an answer apart.

    Args:
        text: Markdown, cleaned, ``\\n`` line ends.
        known: Numbers the model was shown.
        is_place: Whether a named place is one of the sources.
    """
    code = _code_lines(text.split("\n"))
    below = footer(text.split("\n"), code)
    lines = [line for index, line in enumerate(text.split("\n")) if index not in below.lines]
    body = "\n".join(lines).rstrip()
    return _Reader(body, known, is_place).read(dict(below.labels))


@dataclass(slots=True)
class _Found:
    """A piece with its place: it stands at ``start`` up to ``end``, and new marks go to ``put``."""

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
                start, end = self._extent(block)
                masked[start:end] = ["\n" if c == "\n" else "\0" for c in masked[start:end]]
        for match in _CODE_SPAN.finditer("".join(masked)) if "`" in body else ():
            masked[match.start() : match.end()] = ["\n" if c == "\n" else "\0" for c in match[0]]
        self.masked = "".join(masked)
        self.marks = marks(self.masked, known, is_place)

    def read(self, labels: dict[int, str]) -> Draft:
        found: list[_Found] = []
        for number, block in enumerate(self.blocks):
            found += self._pieces(number, block)
        self._hand_out(found)
        return self._assembled(found, labels)

    def _extent(self, block: Block) -> tuple[int, int]:
        return self.offsets[block.start], min(self.offsets[block.end + 1] - 1, len(self.body))

    def _pieces(self, number: int, block: Block) -> Iterator[_Found]:
        start, end = self._extent(block)
        match block.kind:
            case "rule":
                return
            case "code":
                follows = end + 1 < len(self.body) and self.body[end + 1] != "\n"
                yield _Found("code", start, end, number, end, "\n\n" + " " * block.indent, "\n" if follows else "")
            case "heading":
                yield _Found("heading", start, end, number, end)
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
                yield _Found(kind, start, end, number, put)
            case "list_item" | "field":
                bullet = _BULLET.match(self.body, start, end) if block.kind == "list_item" else None
                yield from self._sentences(number, bullet.end() if bullet else start, end, "list_item")
            case "prose":
                yield from self._sentences(number, start, end, "sentence")

    def _sentences(self, number: int, start: int, end: int, kind: PieceKind) -> Iterator[_Found]:
        """The sentences of a block, cut where they end once the marks are taken out."""
        kept, places = self._without_marks(start, end)
        position = 0
        for stop in (*(stop for stop in sentence_ends(kept)), len(kept)):
            piece = kept[position:stop]
            stripped = piece.rstrip(_TAIL)
            if stripped.strip(_TAIL + ">"):
                first = position + len(piece) - len(piece.lstrip(_TAIL))
                last = position + len(stripped)
                yield _Found(kind, places[first], places[last - 1] + 1, number, places[last - 1] + 1)
            position = stop

    def _without_marks(self, start: int, end: int) -> tuple[str, list[int]]:
        """The masked text without its marks, and where each of its characters stands."""
        kept: list[str] = []
        places: list[int] = []
        at = start
        for mark in self._marks_in(start, end):
            kept.append(self.masked[at : mark.start])
            places += range(at, mark.start)
            at = max(at, mark.end)
        kept.append(self.masked[at:end])
        places += range(at, end)
        return "".join(kept), places

    def _marks_in(self, start: int, end: int) -> Sequence[Mark]:
        first = bisect_right(self.marks, start - 1, key=lambda mark: mark.start)
        last = bisect_right(self.marks, end, key=lambda mark: mark.start)
        return [mark for mark in self.marks[first:last] if mark.end > start]

    def _hand_out(self, found: list[_Found]) -> None:
        """Each mark to the sentence it stands in or behind."""
        starts = [one.start for one in found]
        for mark in self.marks:
            at = bisect_right(starts, mark.start) - 1
            after = at + 1
            if at < 0 or (mark.start >= found[at].end and self._leads(mark, found, after)):
                at = after
            if 0 <= at < len(found):
                found[at].marks.append(mark)

    def _leads(self, mark: Mark, found: list[_Found], after: int) -> bool:
        """Whether a mark before a sentence belongs to it: at the start of a block, text following on its line."""
        if after >= len(found):
            return False
        following = found[after]
        before = self.body[self.body.rfind("\n", 0, mark.start) + 1 : mark.start] + mark.lead
        first = _QUOTE.sub("", _BULLET.sub("", before)).strip() == ""
        same_line = "\n" not in self.body[mark.end : following.start] and following.start >= mark.end
        if first:
            return same_line
        # In a paragraph that begins with a mark and does not end with one, all marks stand before their sentences.
        block = self.blocks[following.block]
        start, end = self._extent(block)
        inside = self._marks_in(start, end)
        return (
            same_line
            and bool(inside)
            and inside[0].start <= start + 1
            and bool(self.body[max(m.end for m in inside) : end].strip(" .。\n"))
        )

    def _assembled(self, found: list[_Found], labels: dict[int, str]) -> Draft:
        pieces, cuts = [], []
        columns: tuple[str, ...] = ()
        for index, one in enumerate(found):
            raw, plain = self._texts(one)
            if one.kind == "heading":
                columns = cells(raw)
            targets = tuple(dict.fromkeys(target for mark in one.marks for target in mark.targets))
            pieces.append(
                Piece(
                    kind=one.kind,
                    text=plain,
                    marked=raw,
                    targets=targets,
                    block=one.block,
                    columns=columns if one.kind == "table_row" else (),
                )
            )
            put = one.put
            for mark in one.marks:
                before = self.body[mark.start - 1] if mark.start else "\n"
                lead = mark.lead or (" " if before.isascii() and before not in "\n|" else "")
                cuts.append((mark.start, mark.end, Slot(piece=index, targets=mark.targets, lead=lead)))
            inside = next((m for m in one.marks if m.start < put < m.end), None)
            put = inside.end if inside else put
            behind = [m for m in one.marks if m.start == put]
            put = max([put, *(m.end for m in behind)])
            cuts.append((put, put, Slot(piece=index, lead=one.lead, tail=one.tail)))
        cuts.sort(key=lambda cut: (cut[0], cut[1]))
        parts: list[str | Slot] = []
        at = 0
        for start, end, slot in cuts:
            if start > at:
                parts.append(self.body[at:start])
            parts.append(slot)
            at = max(at, end)
        parts.append(self.body[at:])
        return Draft(parts=tuple(parts), pieces=tuple(pieces), labels=labels)

    def _texts(self, one: _Found) -> tuple[str, str]:
        """The text of a piece without its marks, as written and plain."""
        kept, at = [], one.start
        for mark in self._marks_in(one.start, one.end):
            kept.append(self.body[at : mark.start])
            at = max(at, mark.end)
        kept.append(self.body[at : one.end])
        raw = "".join(kept)
        if one.kind == "code":
            inner = raw.split("\n")
            if _FENCE.match(inner[0]):
                inner = inner[1:-1] if len(inner) > 1 and _FENCE.match(inner[-1]) else inner[1:]
            return raw, "\n".join(inner)
        return raw, plain(raw, is_row=one.kind == "table_row")


def plain(raw: str, *, is_row: bool = False) -> str:
    """Markdown of one sentence as it reads."""
    text = _QUOTE.sub("", raw)
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
    """The cells of a row of a table as they read, empty ones among them."""
    return tuple(plain(cell) for cell in row.strip().strip("|").split("|"))


def _code_lines(lines: Sequence[str]) -> frozenset[int]:
    if not any("```" in line or "~~~" in line or line.startswith(("    ", "\t")) for line in lines):
        return frozenset()
    found = blocks(lines, "markdown", whole=False)
    return frozenset(at for block in found if block.kind == "code" for at in range(block.start, block.end + 1))


__all__ = ["Draft", "Piece", "PieceKind", "Slot", "cells", "draft", "plain"]
