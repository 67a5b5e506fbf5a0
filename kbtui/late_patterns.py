"""Regular expressions that are compiled when they are first used, for an ASCII text without their Chinese half.

Python compiles a character class of Han in a millisecond, and the alternatives of a word list in as long: a question in
English over one file waits for neither.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, cast

_WIDE: Final = r"^\x00-\u2e7f"
"""In brackets, what no ASCII character is equal to, whatever its case: a class is compiled character by character, and
those that are left out are fewer."""
_WIDE_OR_BLANK: Final = r"^\x00-\x08\x0e-\x1f!-\u2e7f"
_ESCAPE: Final = r"\\u(?:2[e-f]|[3-9a-f][0-9a-f])[0-9a-f]{2}|\\U[0-9a-f]{8}"
_RANGE: Final = rf"([{_WIDE}]|{_ESCAPE})-(?:[{_WIDE}]|{_ESCAPE})"
_PART: Final = (
    rf"(?s)\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<dead>(?:\|[{_WIDE_OR_BLANK}]*[{_WIDE}][{_WIDE_OR_BLANK}]*)+)(?=[|)]|\Z)"
)
_NOTHING: Final = re.compile(r"(?!)")

_compiled: Final = cache(re.compile)
"""Compiles `_RANGE` and `_PART` for the first text that needs them: together they cost as much as twenty others."""


def pattern(text: str, flags: int = 0, needles: Sequence[str] = ()) -> re.Pattern[str]:
    """``re.compile``, later: an error in ``text`` is raised at its first use.

    Args:
        needles: Strings one of which is in whatever it matches; without any of them a text costs no compilation.
    """
    return cast("re.Pattern[str]", LatePattern(text, flags, needles))


def ascii_form(text: str) -> str:
    """A pattern that finds in ASCII texts what ``text`` does, by the same groups.

    Ranges of wide characters become their first character, and alternatives of nothing else are left out.
    """
    if "(?(" in text or (text.isascii() and "\\u" not in text.lower()):
        return text
    wide: re.Pattern[str] = _compiled(_RANGE)
    part_of_pattern: re.Pattern[str] = _compiled(_PART)
    return part_of_pattern.sub(lambda part: "" if part["dead"] else wide.sub(r"\1", part[0]), text)


class LatePattern:
    """A pattern with the methods of `re.Pattern`."""

    __slots__ = ("_ascii", "_flags", "_needles", "_settled", "_whole", "pattern")

    def __init__(self, text: str, flags: int, needles: Sequence[str] = ()) -> None:
        self.pattern = text
        self._needles = needles
        self._flags = flags
        self._ascii: re.Pattern[str] | None = None
        self._whole: re.Pattern[str] | None = None
        # What matches any text, once compiled: asked for in place of `_for`, which a question calls a million times.
        self._settled: re.Pattern[str] | None = None

    def _for(self, string: str) -> re.Pattern[str]:
        if self._needles and not any(needle in string for needle in self._needles):
            return _NOTHING
        if self._whole is None and string.isascii():
            if self._ascii is None:
                self._ascii = re.compile(ascii_form(self.pattern), self._flags)
            return self._ascii
        return self.whole

    @property
    def whole(self) -> re.Pattern[str]:
        """The pattern for any text."""
        if self._whole is None:
            self._whole = re.compile(self.pattern, self._flags)
            self._settled = None if self._needles else self._whole
        return self._whole

    @property
    def flags(self) -> int:
        return self.whole.flags

    @property
    def groups(self) -> int:
        return self.whole.groups

    @property
    def groupindex(self) -> Any:
        return self.whole.groupindex

    def search(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        return (self._settled or self._for(string)).search(string, pos, endpos)

    def match(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        return (self._settled or self._for(string)).match(string, pos, endpos)

    def fullmatch(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> re.Match[str] | None:
        return (self._settled or self._for(string)).fullmatch(string, pos, endpos)

    def finditer(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return (self._settled or self._for(string)).finditer(string, pos, endpos)

    def findall(self, string: str, pos: int = 0, endpos: int = sys.maxsize) -> list[Any]:
        return (self._settled or self._for(string)).findall(string, pos, endpos)

    def split(self, string: str, maxsplit: int = 0) -> list[str | Any]:
        return (self._settled or self._for(string)).split(string, maxsplit)

    def sub(self, repl: str | Callable[[re.Match[str]], str], string: str, count: int = 0) -> str:
        return self.subn(repl, string, count)[0]

    def subn(self, repl: str | Callable[[re.Match[str]], str], string: str, count: int = 0) -> tuple[str, int]:
        found = self._settled or self._for(string)
        # ``repl`` may name groups, of which `_NOTHING` has none.
        return (string, 0) if found is _NOTHING else found.subn(repl, string, count)
