"""Pages of plain text under headings, wrapped to the width, with what is looked for marked. Made for prompts and logs:
only the rows on the screen are drawn, and nothing in the text is mark-up."""

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

MOST_CHARS = 200_000
"""Of one piece of text; more is for files, not for reading on a screen."""

_PIECE_CHARS = 2_000
"""Longer lines are cut before they are wrapped: wrapping takes more than linear time."""
_FOUND = "bold reverse"


class LongText(ScrollView, can_focus=True):
    """Shows pieces of text, each a heading (may be empty) and its text."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pieces: tuple[tuple[str, str], ...] = ()
        self._sought: re.Pattern[str] | None = None
        self._rows: list[Content] = []
        self._hits: list[int] = []
        self._wrapped_at = 0

    @property
    def hits(self) -> int:
        """How many rows hold what is looked for."""
        return len(self._hits)

    def show(self, pieces: Sequence[tuple[str, str]], sought: str = "") -> None:
        """Show these, from the top or from the first row that holds ``sought`` (in any case of letters)."""
        self._pieces = tuple(pieces)
        self._sought = re.compile(re.escape(sought), re.IGNORECASE) if sought else None
        self._wrap()
        self.scroll_to(y=0, animate=False, force=True)
        if self._hits:
            self.call_after_refresh(self._scroll_to_hit, self._hits[0])

    def step(self, by: int) -> None:
        """To the next or the previous row that holds what is looked for, round the end."""
        if not self._hits:
            return
        top = round(self.scroll_target_y) + self._lead()
        if by > 0:
            y = next((hit for hit in self._hits if hit > top), self._hits[0])
        else:
            y = next((hit for hit in reversed(self._hits) if hit < top), self._hits[-1])
        self._scroll_to_hit(y)

    def _scroll_to_hit(self, y: int) -> None:
        self.scroll_to(y=max(0, y - self._lead()), animate=False, force=True)

    def _lead(self) -> int:
        """Rows shown above a row that was found."""
        return self.size.height // 4

    def on_resize(self, event: events.Resize) -> None:
        if self.scrollable_content_region.width != self._wrapped_at:
            self._wrap()

    def _wrap(self) -> None:
        width = self._wrapped_at = self.scrollable_content_region.width
        rows: list[Content] = []
        for heading, text in self._pieces:
            if rows:
                rows.append(Content(""))
            if heading:
                rows.append(Content.styled(clean(heading, keep_newlines=False), "bold $accent"))
            for line in _lines(text) if text else ():
                marked = self._marked(line)
                rows += marked.wrap(width) if width > 2 and marked.cell_length > width else [marked]
        self._rows = rows
        self._hits = [y for y, row in enumerate(rows) if any(span.style == _FOUND for span in row.spans)]
        self.virtual_size = Size(width, len(rows))
        self.refresh()

    def _marked(self, line: str) -> Content:
        content = Content(line)
        for found in self._sought.finditer(line) if self._sought is not None else ():
            content = content.stylize(_FOUND, found.start(), found.end())
        return content

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        if index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[index].truncate(width, pad=True)
        return Visual.to_strips(self, row, width, 1, self.visual_style, apply_selection=False, pad=True)[0]


def _lines(text: str) -> Iterator[str]:
    shown = clean(text[:MOST_CHARS]).expandtabs(4)
    for line in shown.split("\n"):
        for start in range(0, max(1, len(line)), _PIECE_CHARS):
            yield line[start : start + _PIECE_CHARS]
    if len(text) > MOST_CHARS:
        yield "… " + _("{count:,} more characters", count=len(text) - MOST_CHARS)
