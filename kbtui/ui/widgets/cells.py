"""Text measured in terminal cells (a Chinese character is two): elision, bars, rows with figures at the right."""

from __future__ import annotations

from rich.cells import cell_len, set_cell_size
from textual.content import Content

from kbtui.i18n import _

_NEVER_FIRST = frozenset("，。、；：！？）」』】》〉”’…,.;:!?)]}%")
_NEVER_LAST = frozenset("（「『【《〈“‘([{")
"""Of Chinese punctuation, what begins no line and what ends none."""
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


def lines_of(content: Content, width: int) -> list[Content]:
    """``content`` in lines of at most ``width`` cells, Chinese broken between its characters.

    Textual breaks lines at blanks, so it would push a whole Chinese sentence to the next line, or cut it where the line
    ends, before a full stop or not.
    """
    if content.plain.isascii() or not any(map(_is_wide, content.plain)):
        return content.wrap(width)
    return [part for line in content.split("\n", allow_blank=True) for part in _broken(line, width)]


def _broken(line: Content, width: int) -> list[Content]:
    text = line.plain
    breaks: list[int] = []
    start = room = 0
    # Where the line being filled can be broken last.
    last = 0
    for at, character in enumerate(text):
        if at > start and _can_break(text[at - 1], character):
            last = at
        room += cell_len(character)
        if room > width and not character.isspace() and at > start:
            start = last if last > start else at
            breaks.append(start)
            room = cell_len(text[start : at + 1])
    return [part.rstrip() for part in line.divide(breaks)] if breaks else [line]


def _can_break(before: str, after: str) -> bool:
    """True where a line may end between two characters."""
    if after.isspace():
        return False
    if before.isspace():
        return True
    return (_is_wide(before) or _is_wide(after)) and after not in _NEVER_FIRST and before not in _NEVER_LAST


def _is_wide(character: str) -> bool:
    return character > "\u10ff" and cell_len(character) == 2


def wrapped(content: Content, width: int, *, lines: int | None = None, indent: int = 0) -> list[Content]:
    """``content`` in lines of at most ``width`` cells; later ones are indented; past ``lines`` an ellipsis."""
    if width <= indent + 2:
        return [content.truncate(max(1, width), ellipsis=True)]
    parts = lines_of(content, width - indent)
    if lines is not None and len(parts) > lines:
        kept = parts[: lines - 1]
        rest = Content(" ").join(part.rstrip() for part in parts[lines - 1 :])
        parts = [*kept, rest.truncate(width - indent, ellipsis=True)]
    return [part if index == 0 else Content(" " * indent) + part for index, part in enumerate(parts)]
