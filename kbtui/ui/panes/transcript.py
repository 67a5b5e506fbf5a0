"""The transcript: all turns of the conversation, with the current one marked and updated while it streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual import events
from textual.containers import VerticalScroll
from textual.geometry import Region, Size
from textual.widget import Widget

from kbtui.i18n import _
from kbtui.ui.clipboard import claim_text, rows_text
from kbtui.ui.commands import bindings, shown_keys
from kbtui.ui.finding import Hit
from kbtui.ui.messages import CiteChosen, OpenRequested, TurnChosen, bubble
from kbtui.ui.panes.turn import Block, Turn
from kbtui.ui.widgets.chart_view import ChartView
from kbtui.ui.widgets.matches import Pattern
from kbtui.ui.widgets.scrolling import BarAtOffset
from kbtui.ui.widgets.table_view import TableView
from kbtui.view.view_state import RunView

_MAX_UNFOLDED = 12
"""Turns before the current one that stay unfolded; older ones are folded to one line unless the user opens them."""


class Transcript(BarAtOffset, VerticalScroll, can_focus=True):
    """Turns in the order asked; scrolls with the current turn while it grows, keeping its question visible.

    Attributes:
        position: Index of the current turn.
    """

    BINDINGS = bindings("transcript")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="scope-transcript")
        self.turns: list[Turn] = []
        self.position = 0
        self._is_following = True
        self._cursor: Block | None = None
        self._copied_block: Block | None = None
        self._unfolded: Turn | None = None
        self._is_hit_pending = False

    @property
    def views(self) -> list[RunView]:
        """The runs of all turns."""
        return [turn.view for turn in self.turns]

    @property
    def current(self) -> Turn | None:
        """The current turn, whose stages and sources are shown beside the conversation."""
        return self.turns[self.position] if self.position < len(self.turns) else None

    def show(self, views: Sequence[RunView], position: int, now: str = "") -> None:
        """Render the runs; ``position`` is the index of the current one."""
        if position != self.position or len(views) != len(self.turns):
            self._go_to(position, len(views))
        # An event of a run changes only the turn of that run.
        for turn, view in zip(self.turns, views, strict=True):
            is_live = bool(now) and turn is self.current
            if is_live or turn.view is not view:
                turn.show(view, now if is_live else "")

    def _go_to(self, position: int, count: int) -> None:
        """Have ``count`` turns and make the one at ``position`` current; turns long before it are folded."""
        for turn in self.turns[count:]:
            turn.remove()
        added = [Turn() for _ in range(len(self.turns), count)]
        if added:
            self.mount_all(added)
        self.turns, self.position = [*self.turns[:count], *added], position
        for index, turn in enumerate(self.turns):
            turn.set_class(index == position, "-current")
            turn.set_last(index == count - 1)
            if index < position - _MAX_UNFOLDED and not turn.is_kept_open:
                turn.fold(True)
        if self.current is not None:
            self.current.fold(False)
        self._is_following = True
        self.call_after_refresh(self._follow)

    def tick(self, now: str) -> None:
        """Update the elapsed time of a live run between events."""
        if self.current is not None:
            self.current.tick(now)

    # Scrolling

    def watch_virtual_size(self, _old: Size, _new: Size) -> None:
        """Scroll to the current turn when the text grows, unless the user has scrolled elsewhere."""
        self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        turn = self.current
        if self._is_following and turn is not None:
            self.scroll_to(y=turn.virtual_region.y, animate=False, force=True, immediate=True)

    def on_mouse_scroll_up(self, _event: events.MouseScrollUp) -> None:
        self._is_following = False

    def on_mouse_scroll_down(self, _event: events.MouseScrollDown) -> None:
        self._is_following = False

    def page(self, by: int) -> None:
        """Scroll by a screenful, down or up (-1)."""
        self._is_following = False
        (self.scroll_page_down if by > 0 else self.scroll_page_up)(animate=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("up", "down", "pageup", "pagedown", "home", "end"):
            self._is_following = False

    # Citations

    def action_step_cite(self, by: int) -> None:
        """Show the next or previous source of the current turn, wrapping around."""
        turn = self.current
        if turn is None or not turn.spots:
            message = _("This answer has no source to go to.")
            if turn is not None and turn is not self.turns[0] and (keys := shown_keys(self.app, "earlier_run")):
                message = f"{message} {_('Answers before it: {keys}', keys=keys)}"
            self.notify(message, markup=False)
            return
        numbers = [spot.n for spot in turn.spots]
        if turn.cite not in numbers:
            at = 0 if by > 0 else -1
        else:
            at = (numbers.index(turn.cite) + by) % len(numbers)
        bubble(self, CiteChosen(numbers[at]))

    def mark(self, n: int) -> None:
        """Highlight the marks of source ``n`` in the current turn and scroll to the first; 0 for none."""
        for turn in self.turns:
            turn.mark(n if turn is self.current else 0)
        block = self.current.block_citing(n) if self.current is not None else None
        if block is not None:
            self._is_following = False
            self._scroll_into_view(block.region)
            if self.block is not None:
                self._set_cursor(block)

    # Blocks

    @property
    def block(self) -> Block | None:
        """The focused table or chart, else the block under the cursor; None if there is none."""
        blocks = self.current.blocks if self.current is not None else []
        focused = next((block for block in blocks if block.has_focus), None)
        return focused or (self._cursor if self._cursor in blocks else None)

    def _set_cursor(self, block: Block | None) -> None:
        """Move the cursor to a block, or remove it."""
        if self._cursor is not None:
            self._cursor.put_cursor(False)
        self._cursor, self._copied_block = block, None
        if block is not None:
            block.put_cursor(True)
        self.refresh_bindings()

    def action_move(self, by: int) -> None:
        """Move to the next or previous block of all turns; a block higher than the screen is scrolled through first."""
        if self.current is None:
            return
        self._is_following = False
        blocks, view = self.current.blocks, self.content_region
        if self.block is None and not blocks[0].region.overlaps(view):
            self._set_cursor(next((block for block in blocks if block.region.overlaps(view)), blocks[0]))
            return
        block = self.block or blocks[0]
        hidden = block.region.bottom - view.bottom if by > 0 else view.y - block.region.y
        if hidden > 0 and block.region.overlaps(view):
            self.scroll_relative(y=by * min(hidden, max(1, view.height - 2)), animate=False)
            return
        index = blocks.index(block) + by
        if 0 <= index < len(blocks):
            self._go_to_block(blocks[index])
        elif 0 <= self.position + by < len(self.turns):
            bubble(self, TurnChosen(self.position + by))
            self._is_following = False
            self._go_to_block(self.current.blocks[0 if by > 0 else -1])
        else:
            self.scroll_relative(y=by, animate=False)

    def _go_to_block(self, block: Block) -> None:
        self._set_cursor(block)
        if block.region:
            self._scroll_into_view(block.region)
        else:  # its turn was folded and is not laid out yet
            self.call_after_refresh(lambda: self._scroll_into_view(block.region))

    def _scroll_into_view(self, region: Region) -> None:
        """Scroll so that a region of the screen is visible."""
        self.scroll_to_region(region.translate(self.scroll_offset - self.content_region.offset), animate=False)

    def jumps(self) -> list[tuple[Widget, Callable[[], None]]]:
        """The questions as jump targets."""
        return [(turn.question, partial(self._read_turn, turn)) for turn in self.turns]

    def _read_turn(self, turn: Turn) -> None:
        """Make a turn current and move the cursor to its question."""
        self.focus()
        turn.fold(False)
        bubble(self, TurnChosen(self.turns.index(turn)))
        self._is_following = False
        self._go_to_block(Block(turn.question))

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the clicked block, in any turn."""
        turn = next((turn for turn in self.turns if event.widget is not None and turn in event.widget.ancestors), None)
        if turn is None:
            return
        if turn is not self.current:
            bubble(self, TurnChosen(self.turns.index(turn)))
            self._is_following = False
        self._set_cursor(turn.block_at(event.widget, event.screen_y))

    def action_copy_block(self) -> None:
        """Copy the block under the cursor: a claim with its sources, or rows for spreadsheets, then as Markdown."""
        turn, block = self.current, self.block
        if turn is None or block is None:
            return
        if isinstance(block.widget, TableView | ChartView):
            is_repeated = self._copied_block == block
            part = block.widget.table if isinstance(block.widget, TableView) else block.widget.event
            text = rows_text(part, as_markdown=is_repeated)
            message = _("The rows are in the clipboard for spreadsheets; again copies them as Markdown.")
            if is_repeated:
                message = _("The rows are in the clipboard as Markdown.")
            self._copied_block = None if is_repeated else block
        else:
            text = claim_text(turn.source_of(block), turn.spots)
            message = _("This part is in the clipboard, with its sources.")
        self.app.copy_to_clipboard(text)
        self.notify(message, markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable copying a block on the question and without a cursor, where the whole answer is copied."""
        if action == "copy_block":
            return self.block is not None and self.current is not None and self.block != self.current.blocks[0]
        return True

    # Find

    def find(self, pattern: Pattern | None, hit: Hit | None) -> None:
        """Highlight matches in all turns, make the turn of ``hit`` current and scroll to the hit."""
        if pattern is None and self.current is not None and (place := self.current.hit_place) is not None:
            widget, line = place
            self._set_cursor(self.current.block_at(widget, widget.content_region.y + line))
        for index, turn in enumerate(self.turns):
            turn.find(pattern, hit if hit is not None and hit.turn == index else None)
        if hit is None:
            self._is_hit_pending = False
            if pattern is None:
                # A turn that was unfolded to show a hit stays unfolded, because the user is reading it.
                self._unfolded = None
            return
        turn = self.turns[hit.turn]
        was_folded = turn.is_folded
        if turn is not self.current:
            bubble(self, TurnChosen(hit.turn))
        if self._unfolded is not None and self._unfolded is not turn:
            self._unfolded.fold(True)
            self._unfolded = None
        if was_folded:
            self._unfolded = turn
            turn.fold(False)
        self._is_hit_pending, self._is_following = True, False
        self.call_after_refresh(self._go_to_hit)

    def _go_to_hit(self) -> None:
        """Scroll to the hit, once the text of its turn is laid out."""
        place = self.current.hit_place if self._is_hit_pending and self.current is not None else None
        if place is not None:
            self._is_hit_pending = False
            widget, line = place
            y = self.scroll_offset.y + widget.region.y - self.content_region.y + line
            height = self.scrollable_content_region.height
            if not self.scroll_offset.y <= y < self.scroll_offset.y + height - 1:
                self.scroll_to(y=max(0, y - height // 3), animate=False)

    def action_open(self) -> None:
        """Open the shown source in the editor, or show the first source."""
        turn = self.current
        if turn is None or turn.cite:
            bubble(self, OpenRequested())
        else:
            self.action_step_cite(1)

    def action_fold(self) -> None:
        """Fold or unfold the current turn."""
        if self.current is not None:
            self.current.toggle()
