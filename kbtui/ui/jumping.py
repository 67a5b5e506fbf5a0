"""Jumping: what can be seen and gone to, each with letters that lead there.

Four kinds of things: parts of the screen that take the focus (a list is its rows), rows of lists, links in a text
(citations), and what a widget names itself (`Jumpable`). Where two begin in one place the last kind is meant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, Protocol, runtime_checkable

from textual.geometry import Offset, Region
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList

_LETTERS: Final = "asdfghjklqwertyuiopzxcvbnm"
"""Those under the fingers first."""
_APART: Final = 3
"""Cells from one to the next that are to be told apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Something to go to.

    Attributes:
        place: Where it begins on the screen.
        go: Goes there.
        kind: A part of the screen, one of many rows in it, or another place.
    """

    place: Offset
    go: Callable[[], object]
    kind: Literal["part", "place", "row"] = "place"


@runtime_checkable
class Jumpable(Protocol):
    """A widget that knows places in it which are neither rows nor links."""

    def jumps(self) -> Iterable[tuple[Widget, Callable[[], object]]]:
        """What is gone to, and what goes there."""


def targets(screen: Screen[object]) -> list[Target]:
    """What can be seen and gone to, from above to below; rows come after all else."""
    found: dict[Offset, Target] = {}
    visible = screen._compositor.visible_widgets
    for widget, (region, clip) in visible.items():
        seen = region.intersection(clip)
        if seen and widget.focusable and not isinstance(widget, OptionList):
            found[seen.offset] = Target(place=seen.offset, go=widget.focus, kind="part")
    for widget, (region, clip) in visible.items():
        seen = region.intersection(clip)
        if seen and (isinstance(widget, OptionList) or not widget.is_container):
            for target in _in_lines(widget, seen, seen.offset - region.offset):
                found[target.place] = target
    for widget in visible:
        for part, go in widget.jumps() if isinstance(widget, Jumpable) else ():
            if part in visible and (seen := visible[part][0].intersection(visible[part][1])):
                found[seen.offset] = Target(place=seen.offset, go=go)
    for x, y in [place for place, target in found.items() if target.kind == "part"]:
        # The letters of two things side by side would look like those of one.
        if any((x + by, y) in found for by in range(1, _APART)):
            del found[Offset(x, y)]
    return sorted(found.values(), key=lambda target: (target.kind == "row", target.place.y, target.place.x))


def labels(count: int) -> list[str]:
    """As many labels, none the beginning of another: one letter each as far as they go, two for the rest."""
    size = len(_LETTERS)
    first = next((first for first in range(size) if size - first + first * size >= count), size)
    pairs = (one + other for one in _LETTERS[size - first :] for other in _LETTERS)
    return [*_LETTERS[: size - first], *pairs][:count]


def _in_lines(widget: Widget, seen: Region, shift: Offset) -> Iterator[Target]:
    """Rows and links, from what the cells of a widget lead to when they are clicked."""
    lines = widget.render_lines(Region(shift.x, shift.y, seen.width, seen.height))
    before: object = None
    for y, line in enumerate(lines):
        x = 0
        for segment in line:
            meta = segment.style.meta if segment.style is not None else {}
            action, row = meta.get("@click"), meta.get("option")
            place = seen.offset + Offset(x, y)
            if isinstance(widget, OptionList) and isinstance(row, int):
                if row != before and not widget.get_option_at_index(row).disabled:
                    yield Target(place=place, go=partial(_go_to_row, widget, row), kind="row")
                before = row
            elif isinstance(action, str) and action != before:
                yield Target(place=place, go=partial(_follow, widget, action))
            if not isinstance(widget, OptionList):
                before = action
            x += segment.cell_length


def _go_to_row(widget: OptionList, row: int) -> None:
    widget.focus()
    if row < widget.option_count:
        widget.highlighted = row


async def _follow(widget: Widget, action: str) -> None:
    await widget.app.run_action(action, default_namespace=widget)
