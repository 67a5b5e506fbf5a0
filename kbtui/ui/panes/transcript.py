"""The conversation: every turn of the sitting, the one that is read marked, streamed in place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual import events
from textual.containers import VerticalScroll
from textual.geometry import Region, Size
from textual.widget import Widget

from kbtui.i18n import _
from kbtui.ui.commands import bindings
from kbtui.ui.finding import Hit
from kbtui.ui.messages import CiteChosen, OpenRequested, TurnChosen, bubble
from kbtui.ui.panes.blocks import Block
from kbtui.ui.panes.turn import Turn
from kbtui.ui.taking import claim_text, rows_text
from kbtui.ui.widgets.chart_view import ChartView
from kbtui.ui.widgets.matches import Pattern
from kbtui.ui.widgets.table_view import TableView
from kbtui.view.view_state import RunView

_UNFOLDED = 12
"""Turns before the current one that stay unfolded by themselves; older ones are one line until they are opened."""


class Transcript(VerticalScroll, can_focus=True):
    """Turns in the order asked; the current one is followed while it grows, with its question in sight."""

    BINDINGS = bindings("transcript")

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, classes="scope-transcript")
        self.turns: list[Turn] = []
        self._position = 0
        self._following = True
        self._cursor: Block | None = None
        self._copied: Block | None = None
        self._unfolded: Turn | None = None
        self._goes_to_hit = False

    @property
    def position(self) -> int:
        """Which turn is the current one."""
        return self._position

    @property
    def views(self) -> list[RunView]:
        """The runs of all turns."""
        return [turn.view for turn in self.turns]

    @property
    def current(self) -> Turn | None:
        """The turn that is read: its stages and sources are shown beside the conversation."""
        return self.turns[self._position] if self._position < len(self.turns) else None

    def show(self, views: Sequence[RunView], position: int, now: str = "") -> None:
        """Render the runs; ``position`` is the current one."""
        if position != self._position or len(views) != len(self.turns):
            self._go_to(position, len(views))
        # With every event of a run only the turn that it belongs to has something new to show.
        for turn, view in zip(self.turns, views, strict=True):
            is_live = bool(now) and turn is self.current
            if is_live or turn.view is not view:
                turn.show(view, now if is_live else "")

    def _go_to(self, position: int, count: int) -> None:
        """Have as many turns, and read the one at ``position``; those long before it are folded."""
        for turn in self.turns[count:]:
            turn.remove()
        added = [Turn() for _ in range(len(self.turns), count)]
        if added:
            self.mount_all(added)
        self.turns, self._position = [*self.turns[:count], *added], position
        for index, turn in enumerate(self.turns):
            turn.set_class(index == position, "-current")
            turn.set_last(index == count - 1)
            if index < position - _UNFOLDED and not turn.kept_open:
                turn.fold(True)
        if self.current is not None:
            self.current.fold(False)
        self._following = True
        self.call_after_refresh(self._follow)

    def tick(self, now: str) -> None:
        """Let the elapsed time of a live run go on between events."""
        if self.current is not None:
            self.current.tick(now)

    # Scrolling

    def watch_virtual_size(self, _old: Size, _new: Size) -> None:
        """The text grew: stay with the current turn, unless the user has gone elsewhere."""
        self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        turn = self.current
        if self._following and turn is not None:
            self.scroll_to(y=turn.virtual_region.y, animate=False, force=True)

    def on_mouse_scroll_up(self, _event: events.MouseScrollUp) -> None:
        self._following = False

    def on_mouse_scroll_down(self, _event: events.MouseScrollDown) -> None:
        self._following = False

    def page(self, by: int) -> None:
        """Scroll by a screenful, down or up (-1)."""
        self._following = False
        (self.scroll_page_down if by > 0 else self.scroll_page_up)(animate=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in ("up", "down", "pageup", "pagedown", "home", "end"):
            self._following = False

    # Citations

    def action_step_cite(self, by: int) -> None:
        """The next or the previous source of the current turn, round the end."""
        turn = self.current
        if turn is None or not turn.spots:
            self.notify(_("This answer has no source to go to."), markup=False)
            return
        numbers = [spot.n for spot in turn.spots]
        if turn.cite not in numbers:
            at = 0 if by > 0 else -1
        else:
            at = (numbers.index(turn.cite) + by) % len(numbers)
        bubble(self, CiteChosen(numbers[at]))

    def mark(self, n: int) -> None:
        """Have the marks of source ``n`` stand out in the current turn, the first of them in sight; 0 for none."""
        for turn in self.turns:
            turn.mark(n if turn is self.current else 0)
        block = self.current.block_citing(n) if self.current is not None else None
        if block is not None:
            self._following = False
            self._bring_into_sight(block.region)
            if self.block is not None:
                self._place(block)

    # Blocks

    @property
    def block(self) -> Block | None:
        """The focused table or chart, else where the cursor is; None while it is nowhere."""
        blocks = self.current.blocks if self.current is not None else []
        focused = next((block for block in blocks if block.has_focus), None)
        return focused or (self._cursor if self._cursor in blocks else None)

    def _place(self, block: Block | None) -> None:
        """Put the cursor on a block, or nowhere."""
        if self._cursor is not None:
            self._cursor.put_cursor(False)
        self._cursor, self._copied = block, None
        if block is not None:
            block.put_cursor(True)
        self.refresh_bindings()

    def action_move(self, by: int) -> None:
        """To the next block or the one before, over all turns; of one higher than the screen, first all of it."""
        if self.current is None:
            return
        self._following = False
        blocks, view = self.current.blocks, self.content_region
        if self.block is None and not blocks[0].region.overlaps(view):
            self._place(next((block for block in blocks if block.region.overlaps(view)), blocks[0]))
            return
        at = self.block or blocks[0]
        hidden = at.region.bottom - view.bottom if by > 0 else view.y - at.region.y
        if hidden > 0 and at.region.overlaps(view):
            self.scroll_relative(y=by * min(hidden, max(1, view.height - 2)), animate=False)
            return
        index = blocks.index(at) + by
        if 0 <= index < len(blocks):
            self._go_to_block(blocks[index])
        elif 0 <= self._position + by < len(self.turns):
            bubble(self, TurnChosen(self._position + by))
            self._following = False
            self._go_to_block(self.current.blocks[0 if by > 0 else -1])
        else:
            self.scroll_relative(y=by, animate=False)

    def _go_to_block(self, block: Block) -> None:
        self._place(block)
        if block.region:
            self._bring_into_sight(block.region)
        else:  # its turn was folded until now
            self.call_after_refresh(lambda: self._bring_into_sight(block.region))

    def _bring_into_sight(self, region: Region) -> None:
        """Have a part of the screen in sight."""
        self.scroll_to_region(region.translate(self.scroll_offset - self.content_region.offset), animate=False)

    def jumps(self) -> list[tuple[Widget, Callable[[], None]]]:
        """The questions."""
        return [(turn.question, partial(self._read_turn, turn)) for turn in self.turns]

    def _read_turn(self, turn: Turn) -> None:
        """Read this turn from its question on."""
        self.focus()
        turn.fold(False)
        bubble(self, TurnChosen(self.turns.index(turn)))
        self._following = False
        self._go_to_block(Block(turn.question))

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there, in whatever turn it is."""
        turn = next((turn for turn in self.turns if event.widget is not None and turn in event.widget.ancestors), None)
        if turn is None:
            return
        if turn is not self.current:
            bubble(self, TurnChosen(self.turns.index(turn)))
            self._following = False
        self._place(turn.block_at(event.widget, event.screen_y))

    def action_copy_block(self) -> None:
        """Copy the block of the cursor: a claim with its sources; rows for spreadsheets, then as Markdown."""
        turn, block = self.current, self.block
        if turn is None or block is None:
            return
        if isinstance(block.widget, TableView | ChartView):
            again = self._copied == block
            part = block.widget.table if isinstance(block.widget, TableView) else block.widget.event
            text = rows_text(part, as_markdown=again)
            said = _("The rows are in the clipboard for spreadsheets; again copies them as Markdown.")
            if again:
                said = _("The rows are in the clipboard as Markdown.")
            self._copied = None if again else block
        else:
            text = claim_text(turn.source_of(block), turn.spots)
            said = _("This part is in the clipboard, with its sources.")
        self.app.copy_to_clipboard(text)
        self.notify(said, markup=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """On the question, and while the cursor is nowhere, the whole answer is copied."""
        if action == "copy_block":
            return self.block is not None and self.current is not None and self.block != self.current.blocks[0]
        return True

    # What is looked for

    def find(self, pattern: Pattern | None, hit: Hit | None) -> None:
        """Have what is looked for stand out in all turns, and ``hit`` be in sight; its turn is the current one."""
        if pattern is None and self.current is not None and (place := self.current.hit_place) is not None:
            widget, line = place
            self._place(self.current.block_at(widget, widget.content_region.y + line))
        for index, turn in enumerate(self.turns):
            turn.find(pattern, hit if hit is not None and hit.turn == index else None)
        if hit is None:
            self._goes_to_hit = False
            if pattern is None:
                # What was unfolded to show a place stays so: the reader is there.
                self._unfolded = None
            return
        turn = self.turns[hit.turn]
        was_folded = turn.folded
        if turn is not self.current:
            bubble(self, TurnChosen(hit.turn))
        if self._unfolded is not None and self._unfolded is not turn:
            self._unfolded.fold(True)
            self._unfolded = None
        if was_folded:
            self._unfolded = turn
            turn.fold(False)
        self._goes_to_hit, self._following = True, False
        self.call_after_refresh(self._go_to_hit)

    def _go_to_hit(self) -> None:
        """Scroll to the hit, once its turn has its text."""
        place = self.current.hit_place if self._goes_to_hit and self.current is not None else None
        if place is not None:
            self._goes_to_hit = False
            widget, line = place
            y = self.scroll_offset.y + widget.region.y - self.content_region.y + line
            height = self.scrollable_content_region.height
            if not self.scroll_offset.y <= y < self.scroll_offset.y + height - 1:
                self.scroll_to(y=max(0, y - height // 3), animate=False)

    def action_open(self) -> None:
        """Open the source that is shown in the editor; without one, show the first."""
        turn = self.current
        if turn is None or turn.cite:
            bubble(self, OpenRequested())
        else:
            self.action_step_cite(1)

    def action_fold(self) -> None:
        """Show only the question of the current turn, or all of it again."""
        if self.current is not None:
            self.current.toggle()
