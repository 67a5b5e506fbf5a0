"""Long plain text under headings, such as prompts and logs, wrapped and with highlighted matches.

Only the visible rows are drawn, and the text is never interpreted as markup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from kbtui.i18n import _
from kbtui.text.terminal import clean
from kbtui.ui.widgets.scrolling import BarAtOffset

MAX_CHARS = 200_000
"""Characters shown of a piece of text, at most."""

_PIECE_CHARS = 2_000
"""Longer lines are split before wrapping, because wrapping takes more than linear time."""
_MATCH_STYLE = "bold reverse"


class LongText(BarAtOffset, ScrollView, can_focus=True):
    """Shows pieces of text, each with a heading, which may be empty."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pieces: tuple[tuple[str, str], ...] = ()
        self._pattern: re.Pattern[str] | None = None
        self._rows: list[Content] = []
        self._hits: list[int] = []
        self._starts: list[int] = []
        self._wrapped_at = 0

    @property
    def hits(self) -> int:
        """The number of rows with a match."""
        return len(self._hits)

    def show(self, pieces: Sequence[tuple[str, str]], query: str = "") -> None:
        """Show pieces of text from the top, or from the first row that contains ``query``, ignoring case."""
        self._pieces = tuple(pieces)
        self._pattern = re.compile(re.escape(query), re.IGNORECASE) if query else None
        self._wrap()
        self.scroll_to(y=0, animate=False, force=True)
        if self._hits:
            self.call_after_refresh(self._scroll_to_hit, self._hits[0])

    def step(self, by: int) -> None:
        """Scroll to the next or previous row with a match, wrapping around."""
        if not self._hits:
            return
        top = round(self.scroll_target_y) + self._rows_above()
        if by > 0:
            y = next((hit for hit in self._hits if hit > top), self._hits[0])
        else:
            y = next((hit for hit in reversed(self._hits) if hit < top), self._hits[-1])
        self._scroll_to_hit(y)

    def step_piece(self, by: int) -> None:
        """Scroll to the next or previous piece, wrapping around; a heading alone introduces that after it."""
        top, starts = round(self.scroll_target_y), [min(y, self.max_scroll_y) for y in self._starts]
        if by > 0:
            y = next((start for start in starts if start > top), 0)
        else:
            y = next((start for start in reversed(starts) if start < top), starts[-1] if starts else 0)
        self.scroll_to(y=y, animate=False, force=True)

    def _scroll_to_hit(self, y: int) -> None:
        self.scroll_to(y=max(0, y - self._rows_above()), animate=False, force=True)

    def _rows_above(self) -> int:
        """The number of rows shown above a row with a match."""
        return self.size.height // 4

    def on_resize(self, event: events.Resize) -> None:
        if self.scrollable_content_region.width != self._wrapped_at:
            self._wrap()

    def _wrap(self) -> None:
        width = self._wrapped_at = self.scrollable_content_region.width
        rows: list[Content] = []
        self._starts = []
        is_introduction = False
        for heading, text in self._pieces:
            if rows:
                rows.append(Content(""))
            if not is_introduction:
                self._starts.append(len(rows))
            is_introduction = not text
            if heading:
                rows.append(Content.styled(clean(heading, keep_newlines=False), "bold $accent"))
            for line in _lines(text) if text else ():
                content = self._highlighted(line)
                rows += content.wrap(width) if width > 2 and content.cell_length > width else [content]
        self._rows = rows
        self._hits = [y for y, row in enumerate(rows) if any(span.style == _MATCH_STYLE for span in row.spans)]
        self.virtual_size = Size(width, len(rows))
        self.refresh()

    def _highlighted(self, line: str) -> Content:
        content = Content(line)
        for match in self._pattern.finditer(line) if self._pattern is not None else ():
            content = content.stylize(_MATCH_STYLE, match.start(), match.end())
        return content

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        if index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[index].truncate(width, pad=True)
        return Visual.to_strips(self, row, width, 1, self.visual_style, apply_selection=False, pad=True)[0]


def _lines(text: str) -> Iterator[str]:
    shown = clean(text[:MAX_CHARS]).expandtabs(4)
    for line in shown.split("\n"):
        for start in range(0, max(1, len(line)), _PIECE_CHARS):
            yield line[start : start + _PIECE_CHARS]
    if len(text) > MAX_CHARS:
        yield "… " + _("{count:,} more characters", count=len(text) - MAX_CHARS)
