"""Labels over all visible targets of a screen that can be jumped to.

Targets are focusable widgets (except lists), rows of lists, links in texts (citations) and the targets that a widget
declares (`Jumpable`). Of targets that begin at the same cell, the last kind wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol, runtime_checkable

from textual import events
from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static

from kbtui.ui.commands import bindings
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.key_hints import KeyHints

_LETTERS: Final = "asdfghjklqwertyuiopzxcvbnm"
"""Letters for labels, those of the home row first."""
_MIN_DISTANCE: Final = 3
"""Cells between two targets in a line, at least, so that their labels are distinguishable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A target to jump to.

    Attributes:
        place: Its first cell on the screen.
        go: Jumps to it.
        kind: A focusable widget (``part``), a row of a list, or another place.
    """

    place: Offset
    go: Callable[[], object]
    kind: Literal["part", "place", "row"] = "place"


@runtime_checkable
class Jumpable(Protocol):
    """A widget with targets that are neither rows nor links."""

    def jumps(self) -> Iterable[tuple[Widget, Callable[[], object]]]:
        """The widgets that are targets, each with the function that jumps to it."""


def targets(screen: Screen[object]) -> list[Target]:
    """The visible targets of a screen from top to bottom, with rows of lists last."""
    by_offset: dict[Offset, Target] = {}
    visible = screen._compositor.visible_widgets
    for widget, (region, clip) in visible.items():
        visible_region = region.intersection(clip)
        if visible_region and widget.focusable and not isinstance(widget, OptionList):
            by_offset[visible_region.offset] = Target(place=visible_region.offset, go=widget.focus, kind="part")
    for widget, (region, clip) in visible.items():
        visible_region = region.intersection(clip)
        if visible_region and (isinstance(widget, OptionList) or not widget.is_container):
            for target in _line_targets(widget, visible_region, visible_region.offset - region.offset):
                by_offset[target.place] = target
    for widget in visible:
        for part, go in widget.jumps() if isinstance(widget, Jumpable) else ():
            if part in visible and (visible_region := visible[part][0].intersection(visible[part][1])):
                by_offset[visible_region.offset] = Target(place=visible_region.offset, go=go)
    for x, y in [place for place, target in by_offset.items() if target.kind == "part"]:
        # The labels of adjacent targets would look like one label.
        if any((x + by, y) in by_offset for by in range(1, _MIN_DISTANCE)):
            del by_offset[Offset(x, y)]
    return sorted(by_offset.values(), key=lambda target: (target.kind == "row", target.place.y, target.place.x))


def labels(count: int) -> list[str]:
    """Labels of one letter, and of two if there are too few letters; no label is a prefix of another."""
    size = len(_LETTERS)
    prefixes = next((prefixes for prefixes in range(size) if size - prefixes + prefixes * size >= count), size)
    pairs = (first_letter + second_letter for first_letter in _LETTERS[size - prefixes :] for second_letter in _LETTERS)
    return [*_LETTERS[: size - prefixes], *pairs][:count]


def _line_targets(widget: Widget, visible_region: Region, shift: Offset) -> Iterator[Target]:
    """Rows and links of a widget, found by the click metadata of its cells."""
    lines = widget.render_lines(Region(shift.x, shift.y, visible_region.width, visible_region.height))
    previous: object = None
    for y, line in enumerate(lines):
        x = 0
        for segment in line:
            meta = segment.style.meta if segment.style is not None else {}
            action, row = meta.get("@click"), meta.get("option")
            place = visible_region.offset + Offset(x, y)
            if isinstance(widget, OptionList) and isinstance(row, int):
                if row != previous and not widget.get_option_at_index(row).disabled:
                    yield Target(place=place, go=partial(_go_to_row, widget, row), kind="row")
                previous = row
            elif isinstance(action, str) and action != previous:
                yield Target(place=place, go=partial(_follow, widget, action))
            if not isinstance(widget, OptionList):
                previous = action
            x += segment.cell_length


def _go_to_row(widget: OptionList, row: int) -> None:
    widget.focus()
    if row < widget.option_count:
        widget.highlighted = row


async def _follow(widget: Widget, action: str) -> None:
    await widget.app.run_action(action, default_namespace=widget)


class JumpScreen(Dialog[Target | None], inherit_bindings=False):
    """Returns the target whose label was typed, or None."""

    SCOPE = "jump"
    BINDINGS = bindings("jump")

    def __init__(self, targets: Sequence[Target]) -> None:
        super().__init__()
        self._targets = dict(zip(labels(len(targets)), targets, strict=True))
        self._typed = ""
        self._last_size: Size | None = None

    def compose(self) -> ComposeResult:
        for letters, target in self._targets.items():
            label = Static(Content(letters), classes="jump")
            label.styles.offset = target.place
            yield label
        yield KeyHints(classes="hints")

    def on_key(self, event: events.Key) -> None:
        """Jump to the target of the typed label; characters that continue no label are ignored."""
        typed = self._typed + (event.character or "")
        if typed in self._targets:
            event.stop()
            self.dismiss(self._targets[typed])
        elif event.character and any(letters.startswith(typed) for letters in self._targets):
            event.stop()
            self._typed = typed
            for label in self.query(".jump").results(Static):
                label.display = str(label.content).startswith(typed)

    def on_resize(self, event: events.Resize) -> None:
        """Close if the size changes, because the targets move."""
        previous, self._last_size = self._last_size, event.size
        if previous not in (None, event.size):
            self.dismiss(None)

    def action_back(self) -> None:
        """Take back the first of two letters, or close."""
        if not self._typed:
            self.dismiss(None)
            return
        self._typed = ""
        self.query(".jump").set(display=True)


def jump(app: App[Any]) -> None:
    """Show labels over the screen and jump to the chosen target."""

    def jump_to(target: Target | None) -> None:
        if target is not None:
            app.call_later(target.go)

    app.push_screen(JumpScreen(targets(app.screen)), jump_to)
