"""Pictures over the drawings of charts, in terminals that show pictures (Kitty's protocol, sixel).

A picture covers the area between the axes of a drawing in cells, which stays below it: where the terminal cannot show
the picture, or something covers a part of it, the cells are seen. After each frame, pictures that were drawn over are
written again, and those that may no longer be seen are removed.
"""

from __future__ import annotations

import fcntl
import struct
import sys
import termios
from base64 import standard_b64encode
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from textual.geometry import Region

if TYPE_CHECKING:
    from textual.screen import Screen
    from textual.widget import Widget

    from kbtui.view.drawing.picture import Colours
    from kbtui.view.drawing.plane import Plane

PictureProtocol = Literal["", "kitty", "sixel"]
_CHUNK: Final = 4096
"""Characters of a picture in one sequence of Kitty's protocol, at most."""
_FIRST_ID: Final = 0x6B62


class Pictured(Protocol):
    """A widget with a drawing that a picture can cover."""

    @property
    def plane(self) -> Plane | None:
        """The drawing; None if no picture can cover it."""

    @property
    def plane_region(self) -> Region:
        """The region of the screen that the picture covers."""

    @property
    def picture_colours(self) -> Colours:
        """The colours of the picture."""


def picture_protocol(setting: str, known: str, has_sixel: bool) -> PictureProtocol:
    """The protocol for pictures; empty if charts stay in cells.

    Args:
        setting: The setting ``ui.pictures``.
        known: The protocol of a terminal that the environment names, ``cells`` for none; empty for an unknown terminal.
        has_sixel: Whether the terminal said that it shows sixels.
    """
    if setting == "auto":
        setting = known or ("sixel" if has_sixel else "cells")
    if setting == "kitty" and find_spec("resvg_py") is not None:
        return "kitty"
    if setting == "sixel" and find_spec("resvg_py") is not None and find_spec("PIL") is not None:
        return "sixel"
    return ""


class Pictures:
    """The pictures on the terminal.

    Args:
        write: Writes an escape sequence.
        protocol: The protocol of the terminal; empty for no pictures.
        cell: The size of a cell in pixels; None if the terminal does not tell it.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        protocol: PictureProtocol = "",
        cell: Callable[[], tuple[int, int] | None] = lambda: cell_size(),
    ) -> None:
        self._write = write
        self.protocol: PictureProtocol = protocol
        self._cell = cell
        self._widgets: dict[Widget, int] = {}
        self._shown: dict[Widget, Region] = {}
        self._encoded: dict[Widget, tuple[tuple[object, ...], str]] = {}
        self._next_id = _FIRST_ID

    def add(self, widget: Widget) -> None:
        """Show a picture over a widget with a drawing (`Pictured`), whenever all of it is in sight."""
        self._widgets[widget] = self._next_id
        self._next_id += 1

    def remove(self, widget: Widget) -> None:
        """Forget a widget."""
        self._hide(widget)
        self._widgets.pop(widget, None)
        self._encoded.pop(widget, None)

    def use(self, protocol: PictureProtocol) -> None:
        """Apply a changed setting."""
        self.hide()
        self._encoded.clear()
        self.protocol = protocol

    def forget(self) -> None:
        """Send each picture anew: leaving the alternate screen removes pictures with their data."""
        self._shown.clear()
        self._encoded.clear()

    def hide(self) -> None:
        """Remove all pictures, because another screen covers them."""
        for widget in [*self._shown]:
            self._hide(widget)

    def after_frame(self, screen: Screen[Any], redrawn: Iterable[Region]) -> None:
        """Bring the pictures up to date after the regions ``redrawn`` of ``screen`` were written."""
        cell = self._cell() if self.protocol and self._widgets else None
        if cell is None:
            return
        for widget in self._widgets:
            region = visible_region(screen, widget)
            if not region:
                self._hide(widget)
            elif self._shown.get(widget) != region or any(region.overlaps(other) for other in redrawn):
                with suppress(ValueError):
                    self._show(widget, region, cell)

    def _show(self, widget: Widget, region: Region, cell: tuple[int, int]) -> None:
        pictured: Pictured = widget  # type: ignore[assignment]
        plane, colours = pictured.plane, pictured.picture_colours
        assert plane is not None
        key = (plane, cell, colours)
        known, encoded = self._encoded.get(widget, ((), ""))
        if known != key:
            encoded = self._encode(widget, plane, cell, colours)
            self._encoded[widget] = (key, encoded)
        if self.protocol == "kitty":
            # A placement with the same numbers moves.
            encoded = f"\x1b_Ga=p,i={self._widgets[widget]},p=1,c={region.width},r={region.height},C=1,q=2\x1b\\"
        self._shown[widget] = region
        self._write(f"\x1b7\x1b[{region.y + 1};{region.x + 1}H{encoded}\x1b8")

    def _encode(self, widget: Widget, plane: Plane, cell: tuple[int, int], colours: Colours) -> str:
        """The picture as a sixel sequence; with Kitty's protocol it is sent to the terminal, which keeps it."""
        from kbtui.view.drawing.picture import png, sixel

        picture = png(plane, cell, colours)
        if self.protocol == "sixel":
            return sixel(picture)
        data = standard_b64encode(picture).decode()
        pieces = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]
        head = f"a=t,f=100,i={self._widgets[widget]},q=2,"
        for number, piece in enumerate(pieces, 1):
            self._write(f"\x1b_G{head if number == 1 else ''}m={int(number < len(pieces))};{piece}\x1b\\")
        return ""

    def _hide(self, widget: Widget) -> None:
        # The cells that are drawn where a sixel picture was remove it.
        if self._shown.pop(widget, None) is not None and self.protocol == "kitty":
            self._write(f"\x1b_Ga=d,d=i,i={self._widgets[widget]},q=2\x1b\\")


def visible_region(screen: Screen[Any], widget: Widget) -> Region:
    """The region of the picture over a widget; empty unless all of it is in sight."""
    pictured: Pictured = widget  # type: ignore[assignment]
    placed = screen._compositor.visible_widgets
    if widget not in placed or pictured.plane is None:
        return Region()
    region = pictured.plane_region
    if not placed[widget][1].contains_region(region):
        return Region()
    for other, (other_region, clip) in placed.items():  # from the front
        if other is widget:
            break
        if other_region.intersection(clip).overlaps(region):
            return Region()
    return region


def cell_size() -> tuple[int, int] | None:
    """Width and height of a cell in pixels; None if the terminal does not tell them."""
    with suppress(OSError, ValueError, AttributeError):
        answer = fcntl.ioctl(sys.__stdout__.fileno(), termios.TIOCGWINSZ, b"\0" * 8)  # type: ignore[union-attr]
        rows, columns, width, height = struct.unpack("HHHH", answer)
        if rows and columns and width >= columns and height >= rows:
            return width // columns, height // rows
    return None
