"""Numbers and quotes of citations: the narrowest lines that hold what is said, verbatim (spec 003, D4).

A passage whose path is a web address is cited as ``web``: what it quotes is what was fetched, since there is no file to
look into and the page may say something else tomorrow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.answer import Citation
from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError
from kbtui.text.terminal import one_line
from kbtui.text.web_urls import is_web_url


class ReadsLines(Protocol):
    """Lines of the files of the knowledge base as they are now."""

    def lines(self, path: str) -> Sequence[str]:
        """All lines of a file.

        Raises:
            KbtuiError: The file is gone or may not be read.
        """


@runtime_checkable
class LocatesLines(Protocol):
    """A reader that knows where lines stand in files that have pages, slides, cells, messages or members."""

    def locator(self, path: str, start_line: int, end_line: int) -> str:
        """``p.5``, ``slide 3``; empty where line numbers say it.

        Raises:
            KbtuiError: The file is gone or may not be read.
        """


class Excerpt(Struct, frozen=True):
    """Lines of a file, or of a page as it was fetched.

    Attributes:
        start_line: Number of the first of ``lines``.
        lead: Lines right before them, to tell by what they are (the middle of a code block looks like prose).
        stale: The file no longer holds what was indexed there.
    """

    path: str
    start_line: int
    lines: tuple[str, ...]
    lead: tuple[str, ...] = ()
    stale: bool = False

    @property
    def end_line(self) -> int:
        """Number of the last line."""
        return self.start_line + len(self.lines) - 1

    @property
    def text(self) -> str:
        """The lines joined by newlines."""
        return "\n".join(self.lines)


MOST_LEAD = 60
MOST_CONTEXT = 12
"""Lines a passage may grow on either side until its first and last sentence are whole."""


@dataclass(slots=True)
class Citations:
    """Hands out citation numbers in order of appearance; the same lines always get the same number."""

    source: ReadsLines | None
    stated: Mapping[str, Callable[[str], Citation]] = field(default_factory=dict)
    """By a path that no file has: given lines of a text that a tool worked out, what is cited for them, such as the
    statement for its rows, or the line of a file that one of them was made from."""
    _numbers: dict[tuple[str, int, int], int] = field(default_factory=dict)
    _made: list[Citation] = field(default_factory=list)

    def excerpt(self, hit: Hit, *, whole: bool = True) -> Excerpt:
        """The lines of a hit as the file has them now.

        Args:
            whole: Grow the passage to the blank lines around it, so that no sentence is cut.
        """
        if hit.path in self.stated:
            return Excerpt(hit.path, hit.start_line, tuple(hit.text.split("\n")))
        lines = self._lines(hit.path)
        if lines is None or hit.start_line > len(lines):
            indexed = tuple(hit.text.split("\n"))
            return Excerpt(
                hit.path, hit.start_line, indexed, stale=self.source is not None and not is_web_url(hit.path)
            )
        start, end = hit.start_line, min(hit.end_line, len(lines))
        # A passage may begin or end inside of a line.
        stale = hit.text not in "\n".join(lines[start - 1 : end])
        if whole:
            start, end = _grown(lines, start, end)
        lead = tuple(lines[max(0, start - 1 - MOST_LEAD) : start - 1]) if whole else ()
        return Excerpt(hit.path, start, tuple(lines[start - 1 : end]), lead, stale)

    def number(self, excerpt: Excerpt, start_line: int, end_line: int) -> int:
        """The number of these lines of an excerpt; a new one when they were not cited yet."""
        key = (excerpt.path, start_line, end_line)
        if (stated := self.stated.get(excerpt.path)) is not None:
            offset = excerpt.start_line
            stands_for = stated("\n".join(excerpt.lines[start_line - offset : end_line - offset + 1]))
            key = (stands_for.path or excerpt.path, stands_for.start_line or 0, stands_for.end_line or 0)
            if key not in self._numbers:
                self._numbers[key] = len(self._made) + 1
                self._made.append(replace(stands_for, n=len(self._made) + 1))
        if key not in self._numbers:
            offset = excerpt.start_line
            quote = "\n".join(excerpt.lines[start_line - offset : end_line - offset + 1])
            number = len(self._made) + 1
            self._numbers[key] = number
            if is_web_url(excerpt.path):
                self._made.append(Citation(n=number, kind="web", url=excerpt.path, quote=quote))
                return number
            self._made.append(
                Citation(
                    n=number,
                    path=excerpt.path,
                    start_line=start_line,
                    end_line=end_line,
                    quote=quote,
                    stale=excerpt.stale,
                    locator=self._locator(excerpt.path, start_line, end_line),
                )
            )
        return self._numbers[key]

    def known(self, path: str, start_line: int, end_line: int) -> int | None:
        """The number of these lines when they were cited already."""
        return self._numbers.get((path, start_line, end_line))

    @property
    def all(self) -> tuple[Citation, ...]:
        """The citations made so far, by number."""
        return tuple(self._made)

    def footer(self) -> str:
        """``---`` and one line a citation; empty when there are none.

        A path is what somebody called a file: what in it would be HTML, a link, an image or code is escaped.
        """
        if not self._made:
            return ""
        return "---\n" + "\n".join(f"[{c.n}] {_escaped(one_line(c.label))}" for c in self._made)

    def _locator(self, path: str, start_line: int, end_line: int) -> str | None:
        source: object = self.source
        if not isinstance(source, LocatesLines):
            return None
        try:
            return source.locator(path, start_line, end_line) or None
        except (KbtuiError, OSError):
            return None

    def _lines(self, path: str) -> Sequence[str] | None:
        if self.source is None or is_web_url(path):
            return None
        try:
            return self.source.lines(path)
        except (KbtuiError, OSError):
            return None


# An image begins with a bracket too; a backslash would take the one before the next character away.
_ACTIVE: Final = re.compile(r"[\\`*<>\[\]]|&(?=#?\w+;)")


def _escaped(label: str) -> str:
    return _ACTIVE.sub(r"\\\g<0>", label)


def _grown(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """A range widened to the blank lines around it, by at most `MOST_CONTEXT` lines on each side."""
    first, last = start, end
    while first > 1 and start - first < MOST_CONTEXT and lines[first - 1].strip() and lines[first - 2].strip():
        first -= 1
    while last < len(lines) and last - end < MOST_CONTEXT and lines[last - 1].strip() and lines[last].strip():
        last += 1
    return first, last
