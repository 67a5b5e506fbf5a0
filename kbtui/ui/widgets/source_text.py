"""Numbered lines of a file with the cited ones highlighted; long lines are wrapped."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from kbtui.i18n import _
from kbtui.text.terminal import clean
from kbtui.ui.highlighting import highlighted
from kbtui.ui.messages import bubble
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.matches import Pattern, with_matches
from kbtui.ui.widgets.scrolling import BarAtOffset

WINDOW = 400
"""Lines shown before and after the cited ones, few enough to be laid out at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """A part of a file, ready for display.

    Attributes:
        first: Number of the first line of ``lines``, from 1.
        lines: Styled text of the lines.
        total: Number of lines of the file.
        start_line: First cited line.
        end_line: Last cited line, inclusive; 0 for a statement, which has no cited lines.
    """

    first: int
    lines: tuple[Content, ...]
    total: int
    start_line: int
    end_line: int


def make_excerpt(text: str, path: str, language: str, start_line: int, end_line: int) -> Excerpt:
    """The highlighted lines around ``start_line`` to ``end_line``; slow for a long file."""
    lines = clean(text).expandtabs(4).split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    start = min(max(1, start_line), len(lines))
    end = min(max(start, end_line), len(lines))
    first, last = max(1, start - WINDOW), min(len(lines), end + WINDOW)
    return Excerpt(
        first=first,
        lines=tuple(highlighted(lines, path, language, first, last)),
        total=len(lines),
        start_line=start,
        end_line=end,
    )


class SourceText(BarAtOffset, ScrollView, can_focus=True):
    """Shows an `Excerpt`; a click on a cited line posts `LineChosen`."""

    ALLOW_SELECT = False

    pointed = reactive(0)
    """The cited line under the mouse; 0 for none."""

    class LineChosen(Message):
        """A cited line, or a line of a statement, was clicked."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._excerpt: Excerpt | None = None
        self._rows: list[tuple[int, Content]] = []
        self._wrapped_at = 0
        self._cited_top = 0
        self._pattern: Pattern | None = None
        self._current_match = -1
        self._pressed_line = 0

    def find(self, pattern: Pattern | None, current: int = -1) -> None:
        """Highlight matches; more strongly the one with index ``current`` among those in the cited lines."""
        if (pattern, current) != (self._pattern, self._current_match):
            self._pattern, self._current_match = pattern, current
            if self._excerpt is not None:
                self._wrap()

    def show(self, excerpt: Excerpt) -> None:
        """Show an excerpt, scrolled to its cited lines."""
        self._excerpt = excerpt
        self._wrap()
        self.call_after_refresh(self.show_cited)

    def clear(self) -> None:
        """Show nothing."""
        self._excerpt, self._rows = None, []
        self.virtual_size = Size(0, 0)
        self.refresh()

    def show_cited(self) -> None:
        """Scroll so that the cited lines are in the upper part."""
        if self._excerpt is None:
            return
        start = self._excerpt.start_line
        y = next((y for y, (number, _) in enumerate(self._rows) if number == start), 0)
        self._cited_top = min(max(0, y - self.size.height // 4), self.max_scroll_y)
        self.scroll_to(y=self._cited_top, animate=False)

    def on_resize(self, event: events.Resize) -> None:
        if self._excerpt is None:
            return
        top = self.scroll_offset.y
        number = self._line_at(top)
        if is_rewrapped := self._text_width() != self._wrapped_at:
            self._wrap()
        if top in (0, self._cited_top):
            # The user has not scrolled, so the cited lines are shown again in the new layout.
            self.call_after_refresh(self.show_cited)
        elif is_rewrapped:
            y = next((y for y in range(len(self._rows)) if self._line_at(y) >= number), 0)
            self.call_after_refresh(self.scroll_to, y=y, animate=False)

    def _line_at(self, y: int) -> int:
        """The line number of row ``y``; 0 for a row about omitted lines."""
        number = self._rows[min(y, len(self._rows) - 1)][0]
        return number if number >= 0 else -number - 1

    def _cited_at(self, event: events.MouseEvent) -> int:
        """The line under the mouse if it is cited; else 0."""
        excerpt, row = self._excerpt, event.y + self.scroll_offset.y
        if excerpt is None or row >= len(self._rows):
            return 0
        line = self._line_at(row)
        # A statement has no cited lines; all its lines count as cited.
        is_cited = not excerpt.end_line or excerpt.start_line <= line <= excerpt.end_line
        return line if is_cited else 0

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self.pointed = self._cited_at(event)

    def on_leave(self) -> None:
        self.pointed = 0

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._pressed_line = self._cited_at(event) if event.button == 1 else 0

    def on_click(self, event: events.Click) -> None:
        """Choose the line if the button was also pressed over it; else the mouse was dragged."""
        line, self._pressed_line = self._pressed_line, 0
        if line and line == self._cited_at(event):
            bubble(self, self.LineChosen(line))

    def _gutter(self) -> int:
        return len(str(self._excerpt.total)) if self._excerpt else 1

    def _text_width(self) -> int:
        return max(8, self.scrollable_content_region.width - self._gutter() - 3)

    def _wrap(self) -> None:
        """Lay out the lines for the current width, as rows of line number (negative for a continuation) and text."""
        excerpt = self._excerpt
        assert excerpt is not None
        width = self._wrapped_at = self._text_width()
        rows: list[tuple[int, Content]] = []
        if excerpt.first > 1:
            rows.append((-1, Content.styled("… " + _("{count:,} lines above", count=excerpt.first - 1), MUTED)))
        match_count = 0
        for number, text in enumerate(excerpt.lines, start=excerpt.first):
            # A statement has no cited lines; all its lines count as cited.
            is_cited = not excerpt.end_line or excerpt.start_line <= number <= excerpt.end_line
            line, count = with_matches(text, self._pattern, self._current_match - match_count if is_cited else -1)
            match_count += count if is_cited else 0
            parts = line.wrap(width) if line.cell_length > width else [line]
            rows += [(number if index == 0 else -number - 1, part) for index, part in enumerate(parts or [line])]
        lines_below = excerpt.total - (excerpt.first + len(excerpt.lines) - 1)
        if lines_below > 0:
            rows.append((-1, Content.styled("… " + _("{count:,} lines below", count=lines_below), MUTED)))
        self._rows = rows
        self.virtual_size = Size(self.scrollable_content_region.width, len(rows))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        if self._excerpt is None or index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        number, text = self._rows[index]
        line = self._line_at(index)
        is_cited = self._excerpt.start_line <= line <= self._excerpt.end_line
        shown = str(number) if number > 0 else ""
        content = Content.assemble(
            (f"{shown:>{self._gutter()}} ", "$foreground" if is_cited else MUTED),
            ("▌ " if is_cited else "  ", "$accent"),
            text,
        )
        content = content.truncate(width, pad=True)
        if is_cited or line == self.pointed > 0:
            content = content.stylize_before(f"on $accent {24 if line == self.pointed else 14}%")
        return Visual.to_strips(self, content, width, 1, self.visual_style, apply_selection=False, pad=True)[0]
