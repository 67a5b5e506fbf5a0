"""Where a replay stands: a track with a tick where each stage begins, the time, the speed, and which event it is."""

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
_HERE = "●"
_LEAST_TRACK = 16


class PositionBar(Widget):
    """Two lines: names over ticks are too much for a short screen, so the names go first. A click goes there."""

    class Sought(Message):
        """Go to this position of the recording."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

    def __init__(self, player: Player, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._player = player

    def show(self) -> None:
        """Draw where the player stands now."""
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
        if room >= _LEAST_TRACK + 2 + _times_width(player):
            after += Content.styled(f"  {padded(times, _times_width(player))}", MUTED)
        return before, after

    def _span(self) -> tuple[int, int]:
        """First and last position of the run that is shown."""
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
        """Cells where a stage is entered; the first of several in one cell names it."""
        start, stop = self._span()
        ticks: dict[int, StageName] = {}
        for mark in self._player.marks:
            if start < mark.position <= stop:
                ticks.setdefault(self._cell(mark.position, track), mark.stage)
        return ticks

    def _track(self, track: int) -> Content:
        start, stop = self._span()
        here = self._cell(min(max(self._player.position, start), stop), track)
        ticks = self._ticks(track)
        done = "".join(_TICK_DONE if cell in ticks else _DONE for cell in range(here))
        ahead = "".join(_TICK if cell in ticks else _TRACK for cell in range(here + 1, track))
        return Content.assemble((done, "$accent"), (_HERE, "bold $accent"), (ahead, "$foreground 45%"))

    def _names(self, track: int, indent: int, width: int) -> Content:
        """The stages over their ticks, as many as fit; the one being shown stands out."""
        line = Content(" " * indent)
        reached = self._player.position
        start, stop = self._span()
        passed = [mark for mark in self._player.marks if start < mark.position <= min(reached, stop)]
        now = self._cell(passed[-1].position, track) if passed else -1
        for cell, stage in sorted(self._ticks(track).items()):
            name = _(_NAMES[stage])
            room = indent + cell - line.cell_length
            if room < 0 or indent + cell + cell_len(name) > width:
                continue
            style = "$accent" if cell == now else MUTED
            line += Content(" " * room) + Content.styled(name, style) + Content(" ")
        return line.truncate(width)

    def on_click(self, event: events.Click) -> None:
        """Go to the place that was clicked on."""
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
    """Room for the longest time, so that the track does not move while it plays."""
    longest = max((duration(player.run_length_s), duration(0.1)), key=cell_len)
    return cell_len(_("{time} of {whole}", time=longest, whole=longest))
