"""Text measured in terminal cells (a Chinese character is two): elision, bars, rows with figures at the right."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from kbtui.i18n import _

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def elide(text: str, width: int) -> str:
    """``text`` cut at the end to ``width`` cells, with an ellipsis when something was cut."""
    if cell_len(text) <= width:
        return text
    return "" if width <= 0 else set_cell_size(text, width - 1).rstrip() + "…"


def padded(text: str, width: int) -> str:
    """``text`` with blanks behind it, at least ``width`` cells together."""
    return text + " " * (width - cell_len(text))


def flush_right(text: str, width: int) -> str:
    """``text`` with blanks before it, at least ``width`` cells together."""
    return " " * (width - cell_len(text)) + text


def elide_middle(text: str, width: int) -> str:
    """``text`` with its middle left out, keeping a little more of the end: a path's name says more than its root."""
    if cell_len(text) <= width:
        return text
    if width < 3:
        return elide(text, width)
    tail_width = (width - 1) * 2 // 3
    tail = ""
    for character in reversed(text):
        if cell_len(character + tail) > tail_width:
            break
        tail = character + tail
    head = set_cell_size(text, width - 1 - cell_len(tail)).rstrip()
    return f"{head}…{tail}"


def bar(value: float, width: int) -> str:
    """A horizontal bar for a value from 0 to 1, in eighths of a cell, padded to ``width`` cells."""
    eighths = round(max(0.0, min(1.0, value)) * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)


def low_bar(value: float, width: int) -> str:
    """A bar of about half the height of a line for a value from 0 to 1, ``▃▃▃▁``; lines of them stay apart."""
    full = round(max(0.0, min(1.0, value)) * width)
    return "▃" * full + "▁" * (width - full)


def score(value: float) -> str:
    """A score from 0 to 1 as ``.88``; 1 as ``1.0``: three cells, always."""
    return "1.0" if value >= 0.995 else f"{max(0.0, value):.2f}"[1:]


def duration(seconds: float) -> str:
    """A duration as people read it: ``38 ms``, ``0.21 s``, ``12.4 s``, ``2 min 05 s``."""
    if seconds < 0.0995:
        return _("{n:.0f} ms", n=seconds * 1000)
    if seconds < 9.995:
        return _("{n:.2f} s", n=seconds)
    if seconds < 59.95:
        return _("{n:.1f} s", n=seconds)
    minutes, rest = divmod(round(seconds), 60)
    return _("{minutes} min {seconds:02d} s", minutes=minutes, seconds=rest)


def row(left: Content, right: Content, width: int) -> Content:
    """``left`` and ``right`` on one line of exactly ``width`` cells; ``left`` gives way."""
    room = width - right.cell_length
    if right.cell_length and room < 8:
        return left.truncate(width, ellipsis=True, pad=True)
    gap = 1 if right.cell_length else 0
    return left.truncate(room - gap, ellipsis=True, pad=True) + Content(" " * gap) + right


def wrapped(content: Content, width: int, *, lines: int | None = None, indent: int = 0) -> list[Content]:
    """``content`` in lines of at most ``width`` cells; later ones are indented; past ``lines`` an ellipsis."""
    if width <= indent + 2:
        return [content.truncate(max(1, width), ellipsis=True)]
    parts = content.wrap(width - indent)
    if lines is not None and len(parts) > lines:
        kept = parts[: lines - 1]
        rest = Content(" ").join(part.rstrip() for part in parts[lines - 1 :])
        parts = [*kept, rest.truncate(width - indent, ellipsis=True)]
    return [part if index == 0 else Content(" " * indent) + part for index, part in enumerate(parts)]
