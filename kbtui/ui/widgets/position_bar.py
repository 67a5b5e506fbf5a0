"""The position of a replay: a track with ticks at the starts of stages, speed, number of events and time."""

from __future__ import annotations

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from kbtui.i18n import N_, _
from kbtui.ui.panes.base import MUTED
from kbtui.ui.widgets.cells import duration, padded
from kbtui.view.player import MAX_SPEED, Player
from kbtui.view.view_state import StageName

_NAMES: dict[StageName, str] = {
    "intent": N_("intent"),
    "sub_questions": N_("parts"),
    "plan_steps": N_("plan"),
    "tool_calls": N_("tools"),
    "evidence": N_("evidence"),
    "answer": N_("answer"),
}
_TRACK = "─"
_DONE = "━"
_TICK = "┴"
_TICK_DONE = "┻"
_POSITION = "●"
_MIN_TRACK = 16


class PositionBar(Widget):
    """The track below the names of stages, which are left out on short screens; a click moves the position."""

    class Sought(Message):
        """Move to a position of the recording."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

    def __init__(self, player: Player, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._player = player

    def show(self) -> None:
        """Draw the player's current position."""
        self.refresh()

    def render(self) -> Content:
        width, height = self.content_size
        before, after = self._sides()
        track = self._track_width()
        line = before + self._track(track) + after
        if height < 2:
            return line
        return Content("\n").join([self._names(track, before.cell_length, width), line])

    def _sides(self) -> tuple[Content, Content]:
        player = self._player
        start, stop = self._span()
        sign = "▶" if player.playing else "‖"
        before = Content.assemble((sign, "$accent"), (f" {padded(speed_text(player.speed), 5)} ", "bold"))
        shown = max(0, player.position - start)
        total = stop - start
        times = _times(player.elapsed_s, player.run_length_s)
        after = Content(f"  {shown:>{len(str(total))}}/{total}")
        room = self.content_size.width - before.cell_length - after.cell_length
        if room >= _MIN_TRACK + 2 + _times_width(player):
            after += Content.styled(f"  {padded(times, _times_width(player))}", MUTED)
        return before, after

    def _span(self) -> tuple[int, int]:
        """The first and last position of the current run."""
        if not self._player.runs:
            return 0, 0
        span = self._player.runs[self._player.run]
        return span.start, span.stop

    def _track_width(self) -> int:
        before, after = self._sides()
        return max(1, self.content_size.width - before.cell_length - after.cell_length)

    def _cell(self, position: int, track: int) -> int:
        start, stop = self._span()
        return round((position - start) * (track - 1) / max(1, stop - start))

    def _ticks(self, track: int) -> dict[int, StageName]:
        """The stages by the cell of the track where they begin; of several in a cell, the first."""
        start, stop = self._span()
        ticks: dict[int, StageName] = {}
        for mark in self._player.marks:
            if start < mark.position <= stop:
                ticks.setdefault(self._cell(mark.position, track), mark.stage)
        return ticks

    def _track(self, track: int) -> Content:
        start, stop = self._span()
        current = self._cell(min(max(self._player.position, start), stop), track)
        ticks = self._ticks(track)
        done = "".join(_TICK_DONE if cell in ticks else _DONE for cell in range(current))
        remaining = "".join(_TICK if cell in ticks else _TRACK for cell in range(current + 1, track))
        return Content.assemble((done, "$accent"), (_POSITION, "bold $accent"), (remaining, "$foreground 45%"))

    def _names(self, track: int, indent: int, width: int) -> Content:
        """The names of stages over their ticks, as many as fit, with the current one highlighted."""
        line = Content(" " * indent)
        position = self._player.position
        start, stop = self._span()
        entered = [mark for mark in self._player.marks if start < mark.position <= min(position, stop)]
        current = self._cell(entered[-1].position, track) if entered else -1
        for cell, stage in sorted(self._ticks(track).items()):
            name = _(_NAMES[stage])
            gap = indent + cell - line.cell_length
            if gap < 0 or indent + cell + cell_len(name) > width:
                continue
            style = "$accent" if cell == current else MUTED
            line += Content(" " * gap) + Content.styled(name, style) + Content(" ")
        return line.truncate(width)

    def on_click(self, event: events.Click) -> None:
        """Move to the clicked position."""
        offset = event.get_content_offset(self)
        if offset is None:
            return
        start, stop = self._span()
        track = self._track_width()
        cell = min(max(0, offset.x - self._sides()[0].cell_length), track - 1)
        self.post_message(self.Sought(start + round(cell * (stop - start) / max(1, track - 1))))


def speed_text(speed: float) -> str:
    """``0.25×``, ``1×``, ``max``."""
    return _("max") if speed == MAX_SPEED else f"{speed:g}×"


def _times(elapsed_s: float, length_s: float) -> str:
    return _("{time} of {whole}", time=duration(elapsed_s), whole=duration(length_s))


def _times_width(player: Player) -> int:
    """The width of the longest time, reserved so that the track does not move during playback."""
    longest = max((duration(player.run_length_s), duration(0.1)), key=cell_len)
    return cell_len(_("{time} of {whole}", time=longest, whole=longest))
