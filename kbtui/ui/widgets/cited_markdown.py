"""Markdown whose ``[1]`` marks are links to the sources, and whose ``[?]`` marks stand out: no source supports what is
before them. Nothing else in it can be clicked by accident or run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from textual.content import Content, Span, _FormattedLine
from textual.geometry import Region, Size
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from kbtui.domain.answer import Citation
from kbtui.ui.widgets.markdown_parts import CITE, Block, Part, make_parser, parse, parts_of
from kbtui.ui.widgets.matches import CURRENT_MATCH, Pattern, with_matches

_FOOTER_LINE = re.compile(r"\s*(?:[-*]\s+)?\[(\d{1,3})\]:?\s+\S")


class CitedMarkdown(Widget):
    """The answer's text, one widget however long it is: it is laid out by parts, and only the lines in sight are drawn.

    What `show` is given is parsed when it is next asked for, so that a text that streams in costs nothing between
    frames; of a text that grew, only the last block is parsed again.
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
        self._places: list[range] = []
        self._here = -1

    @property
    def source(self) -> str:
        """The Markdown that is shown."""
        return self._source

    def show(self, markdown: str) -> None:
        """Show this text from now on."""
        if markdown != self._source:
            self._source = markdown
            self._rows = (-1, [])
            self.refresh(layout=True)

    @property
    def parts(self) -> Sequence[Part]:
        """The parts that a reader goes through: paragraphs, headings, tables, code, and the items of lists."""
        if self._parsed != self._source:
            grew = bool(self._blocks) and self._source.startswith(self._parsed)
            kept, start = (self._blocks[:-1], self._blocks[-1].line) if grew else ([], 0)
            self._blocks = [*kept, *parse(self._source, start)]
            self._parts = [part for block in self._blocks for part in block.parts]
            self._parsed = self._source
            if self._cite or self._pattern is not None:
                self._mark_parts()
        return self._parts

    # Marks

    def mark(self, n: int) -> None:
        """Have the marks ``[n]`` stand out, and no others; 0 for none."""
        if n != self._cite:
            self._cite = n
            self._mark_parts()

    def find(self, pattern: Pattern | None, current: int = -1) -> None:
        """Have what is looked for stand out, and match number ``current`` most; None for nothing."""
        if (pattern, current) != (self._pattern, self._current_match):
            self._pattern, self._current_match = pattern, current
            self._mark_parts()

    def _mark_parts(self) -> None:
        """Style the marks of the chosen citation and what is looked for, on top of the text as it was parsed."""
        before = 0
        for part in self.parts:
            shown: list[Content] = []
            for text in part.texts:
                for span in _marks_of(text, self._cite):
                    text = text.stylize("bold reverse", span.start, span.end)
                text, count = with_matches(text, self._pattern, self._current_match - before)
                before += count
                shown.append(text)
            part.show(shown)
        self._rows = (-1, [])
        self.refresh()

    def part_citing(self, n: int) -> int | None:
        """The first part with the mark ``[n]``."""
        return next((at for at, part in enumerate(self.parts) if any(_marks_of(text, n) for text in part.texts)), None)

    @property
    def match_line(self) -> int | None:
        """The line of the match that stands out most, while there is one."""
        rows = self._lay_out(self.content_size.width)
        return next((y for y, row in enumerate(rows) if any(span.style == CURRENT_MATCH for span in row.spans)), None)

    # The cursor

    def put_cursor(self, part: int | None) -> None:
        """Have a part stand out as the one where the cursor is; None for none."""
        self._here = -1 if part is None else part
        self.refresh()

    def part_at(self, y: int) -> int | None:
        """The part that a line of the screen belongs to."""
        line = y - self.content_region.y
        return next((part for part, place in enumerate(self._places) if line in place), None)

    def region_of(self, part: int) -> Region:
        """Where a part is on the screen."""
        x, top, width, _ = self.content_region
        self._lay_out(width)
        place = self._places[part] if part < len(self._places) else range(0)
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
            self._places = []
            below = 0
            for part in parts if width > 0 else ():
                rows += [Content("")] * max(below, part.above)
                lines, below = part.lines(width), part.below
                self._places.append(range(len(rows), len(rows) + len(lines)))
                rows += lines
            self._rows = (width, rows + [Content("")] * below)
        return self._rows[1]

    def render_line(self, y: int) -> Strip:
        width = self.content_size.width
        rows = self._lay_out(width)
        if y >= len(rows):
            return Strip.blank(width, self.rich_style)
        row = rows[y]
        if 0 <= self._here < len(self._places) and y in self._places[self._here]:
            row = row.pad_right(max(0, width - row.cell_length)).stylize_before(".here")
        if self.text_selection is not None and (span := self.text_selection.get_span(y)) is not None:
            style = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            row = row.stylize(style, span[0], None if span[1] == -1 else span[1])
        # What `Content` does with the lines of a widget, for this one: the mouse finds its place by the line's number.
        strip = Strip(*_FormattedLine(self._get_style, row, width, y=y).to_strip(self.visual_style))
        if not self.screen._selecting:
            strip = strip._apply_link_style(self.link_style)
        return strip.adjust_cell_length(width, self.rich_style)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """What was selected with the mouse; lines that are one text only by the width of the screen are joined."""
        rows = self._lay_out(self.content_size.width)
        text = ""
        for y, row in enumerate(rows):
            if (span := selection.get_span(y)) is None:
                continue
            piece = row.plain[span[0] : None if span[1] == -1 else span[1]].rstrip()
            goes_on = any(y in place[1:] and self.parts[at].flows for at, place in enumerate(self._places))
            text += (" " + piece.lstrip() if goes_on else "\n" + piece) if text else piece
        return text, "\n"

    def action_link(self, href: str) -> None:
        """Tell whoever shows this text that a link was clicked."""
        self.post_message(self.LinkClicked(href))


def _marks_of(content: object, n: int) -> list[Span]:
    """Where the mark of citation ``n`` stands; what looks like one in code is none."""
    action = f"link({f'{CITE}{n}'!r})"
    spans = content.spans if isinstance(content, Content) else []
    return [span for span in spans if isinstance(span.style, Style) and span.style.meta.get("@click") == action]


def block_texts(markdown: str) -> list[str]:
    """The text of every block, as the widget shows it, without making one."""
    return [text.plain for part in parts_of(markdown) for text in part.texts]


def cited_in(markdown: str) -> set[int | None]:
    """The sources that its marks lead to; what looks like a mark in code is none."""
    inline = (child for token in make_parser().parse(markdown) for child in token.children or ())
    return {cited_number(str(token.attrs["href"])) for token in inline if token.type == "link_open"}


def cited_number(href: str) -> int | None:
    """The source a link points at, if it is a citation."""
    digits = href.removeprefix(CITE)
    return int(digits) if href.startswith(CITE) and digits.isdigit() else None


def without_footer(markdown: str, citations: Iterable[Citation]) -> str:
    """The answer without its list of sources, which the screen shows as a list of its own."""
    known = {citation.n for citation in citations}
    lines = markdown.rstrip().split("\n")
    end = len(lines)
    while end and (not lines[end - 1].strip() or _is_source(lines[end - 1], known)):
        end -= 1
    if end == len(lines):
        return markdown
    while end and re.fullmatch(r"\s*(?:-{3,}|[#*\s]*(?:Sources|来源|出处)\W*)?\s*", lines[end - 1]):
        end -= 1
    return "\n".join(lines[:end]) if end else markdown


def _is_source(line: str, known: set[int]) -> bool:
    match = _FOOTER_LINE.match(line)
    return match is not None and int(match[1]) in known
