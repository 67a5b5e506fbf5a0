"""Markdown with ``[1]`` marks as links to sources, and highlighted ``[?]`` marks after unsupported statements."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content, Span, _FormattedLine
from textual.geometry import Region, Size
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from kbtui.ui.widgets.markdown_parts import CITE, Block, Part, make_parser, parse, parts_of
from kbtui.ui.widgets.matches import CURRENT_MATCH, Pattern, with_matches


class CitedMarkdown(Widget):
    """The text of an answer in a single widget, which draws only the visible lines.

    The text is parsed when it is next laid out, so that streaming costs nothing between frames; if text was appended,
    only the last block is parsed again.
    """

    COMPONENT_CLASSES = {"bullet", "code", "fence", "here", "h1", "h2", "h3", "h4", "h5", "h6"}  # noqa: RUF012
    DEFAULT_CSS = """
    CitedMarkdown {
        height: auto;
        width: 1fr;
        color: $foreground;
        & > .h1 { color: $markdown-h1-color; background: $markdown-h1-background; text-style: $markdown-h1-text-style; }
        & > .h2 { color: $markdown-h2-color; background: $markdown-h2-background; text-style: $markdown-h2-text-style; }
        & > .h3 { color: $markdown-h3-color; background: $markdown-h3-background; text-style: $markdown-h3-text-style; }
        & > .h4 { color: $markdown-h4-color; background: $markdown-h4-background; text-style: $markdown-h4-text-style; }
        & > .h5 { color: $markdown-h5-color; background: $markdown-h5-background; text-style: $markdown-h5-text-style; }
        & > .h6 { color: $markdown-h6-color; background: $markdown-h6-background; text-style: $markdown-h6-text-style; }
        & > .bullet { color: $text-primary; }
        & > .code { color: $text-warning 95%; background: $warning 10%; }
        & > .fence { background: black 10%; }
        &:light > .bullet { color: $text-secondary; }
        &:light > .code { color: $text-error 95%; background: $error 5%; }
        &:light > .fence { background: white 30%; }
        &:ansi > .code { background: ansi_default; }
        &:ansi > .fence { background: transparent; }
    }
    """

    class LinkClicked(Message):
        """A mark or a link was clicked."""

        def __init__(self, href: str) -> None:
            super().__init__()
            self.href = href

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._source = self._parsed = ""
        self._blocks: list[Block] = []
        self._parts: list[Part] = []
        self._cite = 0
        self._pattern: Pattern | None = None
        self._current_match = -1
        self._rows: tuple[int, list[Content]] = (-1, [])
        self._part_lines: list[range] = []
        self._cursor_part = -1

    @property
    def source(self) -> str:
        """The shown Markdown."""
        return self._source

    def show(self, markdown: str) -> None:
        """Show ``markdown``."""
        if markdown != self._source:
            self._source = markdown
            self._rows = (-1, [])
            self.refresh(layout=True)

    @property
    def parts(self) -> Sequence[Part]:
        """The parts of the text: paragraphs, headings, tables, code blocks and list items."""
        if self._parsed != self._source:
            is_extended = bool(self._blocks) and self._source.startswith(self._parsed)
            unchanged, start = (self._blocks[:-1], self._blocks[-1].line) if is_extended else ([], 0)
            self._blocks = [*unchanged, *parse(self._source, start)]
            self._parts = [part for block in self._blocks for part in block.parts]
            self._parsed = self._source
            if self._cite or self._pattern is not None:
                self._mark_parts()
        return self._parts

    # Marks

    def mark(self, n: int) -> None:
        """Highlight the marks ``[n]`` only; 0 for none."""
        if n != self._cite:
            self._cite = n
            self._mark_parts()

    def find(self, pattern: Pattern | None, current: int = -1) -> None:
        """Highlight the matches of ``pattern`` (None for none) and, more strongly, the one with index ``current``."""
        if (pattern, current) != (self._pattern, self._current_match):
            self._pattern, self._current_match = pattern, current
            self._mark_parts()

    def _mark_parts(self) -> None:
        """Highlight the marks of the chosen citation and the matches in the parsed texts."""
        match_count = 0
        for part in self.parts:
            marked: list[Content] = []
            for text in part.texts:
                for span in _marks_of(text, self._cite):
                    text = text.stylize("bold reverse", span.start, span.end)
                text, count = with_matches(text, self._pattern, self._current_match - match_count)
                match_count += count
                marked.append(text)
            part.show(marked)
        self._rows = (-1, [])
        self.refresh()

    def part_citing(self, n: int) -> int | None:
        """The index of the first part with the mark ``[n]``; None if there is none."""
        return next((at for at, part in enumerate(self.parts) if any(_marks_of(text, n) for text in part.texts)), None)

    @property
    def match_line(self) -> int | None:
        """The line of the current match; None if there is none."""
        rows = self._lay_out(self.content_size.width)
        return next((y for y, row in enumerate(rows) if any(span.style == CURRENT_MATCH for span in row.spans)), None)

    # The cursor

    def put_cursor(self, part: int | None) -> None:
        """Highlight the part under the cursor; None for none."""
        self._cursor_part = -1 if part is None else part
        self.refresh()

    def part_at(self, y: int) -> int | None:
        """The index of the part at a line of the screen; None if there is none."""
        line = y - self.content_region.y
        return next((part for part, place in enumerate(self._part_lines) if line in place), None)

    def region_of(self, part: int) -> Region:
        """The region of a part on the screen."""
        x, top, width, _ = self.content_region
        self._lay_out(width)
        place = self._part_lines[part] if part < len(self._part_lines) else range(0)
        return Region(x, top + place.start, width, len(place))

    # Drawing

    def get_content_width(self, container: Size, viewport: Size) -> int:
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._lay_out(width))

    def _lay_out(self, width: int) -> Sequence[Content]:
        parts = self.parts
        if self._rows[0] != width:
            rows: list[Content] = []
            self._part_lines = []
            margin = 0
            for part in parts if width > 0 else ():
                rows += [Content("")] * max(margin, part.above)
                lines, margin = part.lines(width), part.below
                self._part_lines.append(range(len(rows), len(rows) + len(lines)))
                rows += lines
            self._rows = (width, rows + [Content("")] * margin)
        return self._rows[1]

    def render_line(self, y: int) -> Strip:
        width = self.content_size.width
        rows = self._lay_out(width)
        if y >= len(rows):
            return Strip.blank(width, self.rich_style)
        row = rows[y]
        if 0 <= self._cursor_part < len(self._part_lines) and y in self._part_lines[self._cursor_part]:
            row = row.pad_right(max(0, width - row.cell_length)).stylize_before(".here")
        if self.text_selection is not None and (span := self.text_selection.get_span(y)) is not None:
            style = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            row = row.stylize(style, span[0], None if span[1] == -1 else span[1])
        # `Content` renders widgets in the same way; the line number is needed for selecting with the mouse.
        strip = Strip(*_FormattedLine(self._get_style, row, width, y=y).to_strip(self.visual_style))
        if not self.screen._selecting:
            strip = strip._apply_link_style(self.link_style)
        return strip.adjust_cell_length(width, self.rich_style)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text selected with the mouse; lines that were wrapped are joined."""
        rows = self._lay_out(self.content_size.width)
        text = ""
        for y, row in enumerate(rows):
            if (span := selection.get_span(y)) is None:
                continue
            piece = row.plain[span[0] : None if span[1] == -1 else span[1]].rstrip()
            is_continuation = any(y in place[1:] and self.parts[at].flows for at, place in enumerate(self._part_lines))
            text += (" " + piece.lstrip() if is_continuation else "\n" + piece) if text else piece
        return text, "\n"

    def action_link(self, href: str) -> None:
        """Post that a link was clicked."""
        self.post_message(self.LinkClicked(href))


def _marks_of(content: object, n: int) -> list[Span]:
    """The spans of the marks of citation ``n``, which excludes similar text in code."""
    action = f"link({f'{CITE}{n}'!r})"
    spans = content.spans if isinstance(content, Content) else []
    return [span for span in spans if isinstance(span.style, Style) and span.style.meta.get("@click") == action]


def block_texts(markdown: str) -> list[str]:
    """The text of every block as the widget shows it."""
    return [text.plain for part in parts_of(markdown) for text in part.texts]


def cited_in(markdown: str) -> set[int | None]:
    """The numbers of the cited sources, which excludes similar text in code."""
    inline = (child for token in make_parser().parse(markdown) for child in token.children or ())
    return {cited_number(str(token.attrs["href"])) for token in inline if token.type == "link_open"}


def cited_number(href: str) -> int | None:
    """The number of the source that a link cites; None for other links."""
    digits = href.removeprefix(CITE)
    return int(digits) if href.startswith(CITE) and digits.isdigit() else None
