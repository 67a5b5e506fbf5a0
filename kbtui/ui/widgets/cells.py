"""Text measured in terminal cells (a Chinese character takes two): truncation, bars, and rows with two ends."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from kbtui.i18n import _

_NEVER_FIRST = frozenset("，。、；：！？）」』】》〉”’…,.;:!?)]}%")
_NEVER_LAST = frozenset("（「『【《〈“‘([{")
"""Punctuation that must not begin a line, and that must not end one."""
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def elide(text: str, width: int) -> str:
    """``text`` truncated to ``width`` cells, with an ellipsis if it was truncated."""
    if cell_len(text) <= width:
        return text
    return "" if width <= 0 else set_cell_size(text, width - 1).rstrip() + "…"


def byte_size(size: int) -> str:
    """A number of bytes, such as ``16 kB`` or ``14.3 MB``."""
    return f"{size} B" if size < 1000 else f"{size / 1e3:.0f} kB" if size < 999_500 else f"{size / 1e6:,.1f} MB"


def padded(text: str, width: int) -> str:
    """``text`` padded on the right to at least ``width`` cells."""
    return text + " " * (width - cell_len(text))


def flush_right(text: str, width: int) -> str:
    """``text`` padded on the left to at least ``width`` cells."""
    return " " * (width - cell_len(text)) + text


def elide_middle(text: str, width: int) -> str:
    """``text`` with its middle left out; more of the end is kept, which is the more telling part of a path."""
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
    full, eighth = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[eighth] if eighth else "")).ljust(width)


def low_bar(value: float, width: int) -> str:
    """A bar of about half a line's height for a value from 0 to 1, such as ``▃▃▃▁``, so that bars do not touch."""
    full = round(max(0.0, min(1.0, value)) * width)
    return "▃" * full + "▁" * (width - full)


def score(value: float) -> str:
    """A score from 0 to 1 in three cells: ``.88``, ``1.0``."""
    return "1.0" if value >= 0.995 else f"{max(0.0, value):.2f}"[1:]


def duration(seconds: float) -> str:
    """A duration in readable units: ``38 ms``, ``0.21 s``, ``12.4 s``, ``2 min 05 s``."""
    if seconds < 0.0995:
        return _("{n:.0f} ms", n=seconds * 1000)
    if seconds < 9.995:
        return _("{n:.2f} s", n=seconds)
    if seconds < 59.95:
        return _("{n:.1f} s", n=seconds)
    minutes, remaining = divmod(round(seconds), 60)
    return _("{minutes} min {seconds:02d} s", minutes=minutes, seconds=remaining)


def row(left: Content, right: Content, width: int) -> Content:
    """``left`` and ``right`` on a line of exactly ``width`` cells; ``left`` is truncated if needed."""
    left_width = width - right.cell_length
    if right.cell_length and left_width < 8:
        return left.truncate(width, ellipsis=True, pad=True)
    gap = 1 if right.cell_length else 0
    return left.truncate(left_width - gap, ellipsis=True, pad=True) + Content(" " * gap) + right


def lines_of(content: Content, width: int) -> list[Content]:
    """``content`` in lines of at most ``width`` cells; Chinese text may be broken between any characters.

    Textual breaks lines at blanks only, so it would move a whole Chinese sentence to the next line, or break it at the
    end of the line even before punctuation.
    """
    if content.plain.isascii() or not any(map(_is_wide, content.plain)):
        return content.wrap(width)
    return [part for line in content.split("\n", allow_blank=True) for part in _broken_lines(line, width)]


def _broken_lines(line: Content, width: int) -> list[Content]:
    text = line.plain
    breaks: list[int] = []
    start = cells = 0
    # The last position where the current line can be broken.
    last_break = 0
    for at, character in enumerate(text):
        if at > start and _can_break(text[at - 1], character):
            last_break = at
        cells += cell_len(character)
        if cells > width and not character.isspace() and at > start:
            start = last_break if last_break > start else at
            breaks.append(start)
            cells = cell_len(text[start : at + 1])
    return [part.rstrip() for part in line.divide(breaks)] if breaks else [line]


def _can_break(previous: str, following: str) -> bool:
    """Whether a line may be broken between two characters."""
    if following.isspace():
        return False
    if previous.isspace():
        return True
    return (_is_wide(previous) or _is_wide(following)) and following not in _NEVER_FIRST and previous not in _NEVER_LAST


def _is_wide(character: str) -> bool:
    return character > "\u10ff" and cell_len(character) == 2


def wrapped(content: Content, width: int, *, lines: int | None = None, indent: int = 0) -> list[Content]:
    """At most ``lines`` lines of at most ``width`` cells, truncated with an ellipsis and indented after the first."""
    if width <= indent + 2:
        return [content.truncate(max(1, width), ellipsis=True)]
    parts = lines_of(content, width - indent)
    if lines is not None and len(parts) > lines:
        head = parts[: lines - 1]
        tail = Content(" ").join(part.rstrip() for part in parts[lines - 1 :])
        parts = [*head, tail.truncate(width - indent, ellipsis=True)]
    return [part if index == 0 else Content(" " * indent) + part for index, part in enumerate(parts)]
