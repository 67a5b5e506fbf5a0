"""Parses an answer's Markdown into parts, each of which is laid out in lines for a width.

Textual's Markdown widget creates a widget for every block and four for every list item: thousands for a long answer,
which are styled and arranged again with every change. Here a part is data, and a single widget draws the visible lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.tree import SyntaxTreeNode
from rich.cells import cell_len
from textual.content import Content, Span
from textual.style import Style

from kbtui.ui.highlighting import highlighted
from kbtui.ui.widgets.cells import lines_of

CITE = "cite:"
UNSUPPORTED = "[?]"
_MARK = re.compile(r"\[(\d{1,3})\](?!\()")
_BULLETS = "•▪‣⭑◦"
"""Bullets by depth of nested lists."""
_LISTS = ("bullet_list", "ordered_list")
_MIN_CELLS = 4
"""Width of text, at least, inside deeply nested lists and quotes."""

Texts = Iterator[Content]
Make = Callable[[Texts, int], list[Content]]
"""A layout: returns lines for a width, and takes the texts that it shows from the iterator in order."""


class Part:
    """A paragraph, heading, table, code block, quote or top-level list item.

    Attributes:
        source: Its Markdown.
        texts: Its texts in reading order.
        shown: Its texts with highlights.
        above, below: Margins in lines; neighbours share them.
        flows: Whether its lines are one wrapped text, which can be joined again.
    """

    def __init__(
        self, source: str, texts: Sequence[Content], make: Make, margins: tuple[int, int], *, flows: bool
    ) -> None:
        self.source, self.texts, self.flows = source, texts, flows
        self.above, self.below = margins
        self.shown = texts
        self._make = make
        self._lines: tuple[int, list[Content]] = (-1, [])

    def show(self, texts: Sequence[Content]) -> None:
        """Show ``texts``, which differ from the original ones only in their styles."""
        if any(new is not old for new, old in zip(texts, self.shown, strict=True)):
            self.shown, self._lines = texts, (-1, [])

    def lines(self, width: int) -> list[Content]:
        """The lines for a width, cached until the width changes."""
        if self._lines[0] != width:
            self._lines = (width, self._make(iter(self.shown), width))
        return self._lines[1]


class Block(NamedTuple):
    """A top-level block: a list with a part for each item, or another block with one part."""

    line: int
    parts: Sequence[Part]


# Parsing --------------------------------------------------------------------------------------------------------------


def _cite(state: StateInline, silent: bool) -> bool:
    """Inline rule that turns ``[n]``, unless it is a Markdown link, into a link to ``cite:n``."""
    match = _MARK.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        token = state.push("link_open", "a", 1)
        token.attrs = {"href": f"{CITE}{match[1]}"}
        state.push("text", "", 0).content = match[0]
        state.push("link_close", "a", -1)
    state.pos = match.end()
    return True


def _unsupported(state: StateInline, silent: bool) -> bool:
    """Inline rule that turns ``[?]``, unless it is a Markdown link, into a mark."""
    if not state.src.startswith(UNSUPPORTED, state.pos) or state.src.startswith("(", state.pos + len(UNSUPPORTED)):
        return False
    if not silent:
        state.push("unsupported", "", 0).content = UNSUPPORTED
    state.pos += len(UNSUPPORTED)
    return True


def make_parser() -> MarkdownIt:
    """A parser of GitHub's Markdown that shows HTML as text and does not guess links (``notes.md`` is not a host)."""
    parser = MarkdownIt("gfm-like", {"html": False, "linkify": False})
    parser.disable("reference")  # `[1]: text` is a claim or a source here, not a link definition
    parser.inline.ruler.before("link", "cite", _cite)
    parser.inline.ruler.before("link", "unsupported", _unsupported)
    return parser


def parse(markdown: str, start: int = 0) -> list[Block]:
    """The blocks of a text from line ``start`` on."""
    lines = markdown.split("\n")[start:]
    blocks: list[Block] = []
    for node in SyntaxTreeNode(make_parser().parse("\n".join(lines))).children:
        if node.type not in _LISTS:
            flows = node.type in ("paragraph", "heading")
            parts = [Part(_source(lines, node), _texts(node), _layout_of(node), _margins(node), flows=flows)]
        else:
            parts = [
                Part(
                    _source(lines, item),
                    _texts(item),
                    _item(item, bullet),
                    (0, int(item is node.children[-1])),
                    flows=len(item.children) == 1,
                )
                for item, bullet in _bullets(node)
            ]
        blocks.append(Block(start + (node.map[0] if node.map else 0), parts))
    return blocks


def parts_of(markdown: str) -> list[Part]:
    """The parts of a text."""
    return [part for block in parse(markdown) for part in block.parts]


def _source(lines: Sequence[str], node: SyntaxTreeNode) -> str:
    return "\n".join(lines[slice(*node.map)] if node.map else ()).strip()


def _texts(node: SyntaxTreeNode) -> list[Content]:
    if node.type in ("fence", "code_block"):
        lines = node.content.rstrip().expandtabs(4).split("\n")
        coloured = highlighted(lines, "", (node.info.split() or [""])[0] if node.type == "fence" else "", 1, len(lines))
        return [Content("\n").join(coloured)]
    if node.type == "inline":
        return [_inline(node.children)]
    return [text for child in node.children for text in _texts(child)]


_STYLES = {"em": "italic", "strong": "bold", "s": "strike"}


def _inline(nodes: Iterable[SyntaxTreeNode]) -> Content:
    """Styled inline text; a click on a link runs the widget's `action_link`."""
    content = Content("")
    for node in nodes:
        match node.type:
            case "text":
                content += Content(re.sub(r"\s+", " ", node.content))
            case "hardbreak":
                content += Content("\n")
            case "softbreak":
                content += Content(" ")
            case "code_inline":
                content += Content.styled(node.content, ".code")
            case "unsupported":
                content += Content.styled(UNSUPPORTED, "bold $text-warning")
            case "link":
                content += _linked(_inline(node.children), str(node.attrs.get("href", "")))
            case "image":
                alternative = f"({alt})" if (alt := node.attrs.get("alt", "")) else ""
                shown = f"🖼  {alternative}{node.content}"
                content += _linked(Content(shown), str(node.attrs.get("src", "")))
            case _:
                inner = _inline(node.children)
                content += inner.stylize(_STYLES[node.type]) if node.type in _STYLES else inner
    return content


def _linked(content: Content, href: str) -> Content:
    return content.add_spans([Span(0, len(content), Style.from_meta({"@click": f"link({href!r})"}))])


# Layout ---------------------------------------------------------------------------------------------------------------


def wrapped(content: Content, width: int) -> list[Content]:
    """Lines of at most ``width`` cells; text that fits, the usual case, is returned without wrapping."""
    width = max(width, _MIN_CELLS)
    return lines_of(content, width) if "\n" in content.plain or content.cell_length > width else [content]


def stacked(pieces: Iterable[tuple[int, int, list[Content]]]) -> list[Content]:
    """Pieces of lines one under the other; neighbours share their margins."""
    lines: list[Content] = []
    margin = 0
    for above, below, piece in pieces:
        lines += [Content("")] * max(margin, above)
        lines += piece
        margin = below
    return lines + [Content("")] * margin


def _margins(node: SyntaxTreeNode, *, inner: bool = False) -> tuple[int, int]:
    match node.type:
        case "heading":
            return (2 if node.tag in ("h1", "h2") else 1), 1
        case "fence" | "code_block" | "blockquote":
            return 1, 1
        case "paragraph" | "bullet_list" | "ordered_list" if inner:
            return 0, 0
        case _:
            return 0, 1


def _layout_of(node: SyntaxTreeNode) -> Make:
    match node.type:
        case "heading":
            return _heading(node.tag)
        case "fence" | "code_block":
            return _code
        case "hr":
            return lambda _texts, width: [Content.styled("─" * width, "$secondary")]
        case "blockquote":
            return _quote(_column(node.children))
        case "bullet_list" | "ordered_list":
            items = [_item(item, bullet) for item, bullet in _bullets(node)]
            return lambda texts, width: [line for item in items for line in item(texts, width)]
        case "table":
            return _table([len(row.children) for section in node.children for row in section.children])
        case _:
            return lambda texts, width: wrapped(next(texts), width)


def _column(nodes: Sequence[SyntaxTreeNode]) -> Make:
    """The layout of nested blocks, one under the other."""
    boxes = [(*_margins(node, inner=True), _layout_of(node)) for node in nodes]
    return lambda texts, width: stacked((above, below, box(texts, width)) for above, below, box in boxes)


def _heading(tag: str) -> Make:
    def lines(texts: Texts, width: int) -> list[Content]:
        made = [line.stylize_before(f".{tag}") for line in wrapped(next(texts), width)]
        return [line.center(width) for line in made] if tag == "h1" else made

    return lines


def _code(texts: Texts, width: int) -> list[Content]:
    """Code on a background with a margin; long lines are folded."""
    code = next(texts).split("\n", allow_blank=True)
    rows = [part for line in code for part in (line.fold(max(width - 4, _MIN_CELLS)) if line else [line])]
    padded = [Content(""), *rows, Content("")]
    return [_filled(Content("  ") + row, width).stylize_before(".fence") for row in padded]


def _quote(inner: Make) -> Make:
    bar = Content.styled("▌", "$text-primary 50%") + Content(" ")

    def lines(texts: Texts, width: int) -> list[Content]:
        return [_filled(bar + line, width).stylize_before("on $boost") for line in inner(texts, width - 3)]

    return lines


def _filled(line: Content, width: int) -> Content:
    return line.pad_right(max(0, width - line.cell_length))


def _bullets(node: SyntaxTreeNode) -> list[tuple[SyntaxTreeNode, str]]:
    """The items of a list, each with its bullet or number."""
    if node.type == "bullet_list":
        bullet = f"{_BULLETS[_depth(node) % len(_BULLETS)]} "
        return [(item, bullet) for item in node.children]
    first = int(node.attrs.get("start", 1))
    bullets = [f"{number}. " for number in range(first, first + len(node.children))]
    cells = max(map(len, bullets)) + 1
    return [(item, bullet.rjust(cells)) for item, bullet in zip(node.children, bullets, strict=True)]


def _depth(node: SyntaxTreeNode) -> int:
    """The nesting depth of a list."""
    parent = node.parent
    return 0 if parent is None else _depth(parent) + (parent.type in _LISTS)


def _item(node: SyntaxTreeNode, bullet: str) -> Make:
    column, cells = _column(node.children), cell_len(bullet)
    mark, indent = Content.styled(bullet, ".bullet"), Content(" " * cells)

    def lines(texts: Texts, width: int) -> list[Content]:
        made = column(texts, width - cells) or [Content("")]
        return [(indent if index else mark) + line for index, line in enumerate(made)]

    return lines


def _table(cells_of_rows: Sequence[int]) -> Make:
    """The layout of a table with ruled lines; if it is too wide, the widest columns are narrowed and wrapped."""

    def lines(texts: Texts, width: int) -> list[Content]:
        rows = [[next(texts) for _ in range(count)] for count in cells_of_rows]
        rows[0] = [cell.stylize_before("bold $primary") for cell in rows[0]]
        widths = [max(1, *(cell.cell_length for cell in column)) for column in zip(*rows, strict=True)]
        room = max(width - 3 * len(widths) - 1, len(widths) * _MIN_CELLS)
        while sum(widths) > room:
            widest = max(widths)
            next_widest = max((one for one in widths if one < widest), default=1)
            share = max(1, min(widest - next_widest, (sum(widths) - room) // widths.count(widest)))
            at = [index for index, one in enumerate(widths) if one == widest]
            for index in at[: sum(widths) - room]:
                widths[index] -= share
        return _ruled([[wrapped(cell, one) for cell, one in zip(row, widths, strict=True)] for row in rows], widths)

    return lines


def _ruled(rows: Sequence[Sequence[list[Content]]], widths: Sequence[int]) -> list[Content]:
    def rule(left: str, between: str, right: str) -> Content:
        return Content.styled(left + between.join("─" * (width + 2) for width in widths) + right, "$foreground 20%")

    bar = Content.styled("│", "$foreground 20%")
    lines = [rule("┌", "┬", "┐")]
    for number, row in enumerate(rows):
        if number:
            lines.append(rule("├", "┼", "┤"))
        for y in range(max(map(len, row))):
            cells = [
                Content(" ") + _filled(cell[y] if y < len(cell) else Content(""), width) + Content(" ")
                for cell, width in zip(row, widths, strict=True)
            ]
            lines.append(bar + bar.join(cells) + bar)
    return [*lines, rule("└", "┴", "┘")]
