"""Regular expressions kept beside the code that uses them, as TOML: words of a language are data."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Final

from kbtui import late_patterns
from kbtui.text.built_tables import Section, built_table
from kbtui.text.word_lists import filled, toml_in

NEEDLES: Final = "needles.table"
"""Of patterns by `pattern_key`, strings one of which is in whatever they match; ``benchmarks/make_tables.py`` finds
them. What has changed since has none, and is compiled for every text."""


def needle_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern of many that are tried in turn: compiled when it first meets a text with one of its needles."""
    return late_patterns.pattern(text, flags, _needles().get(pattern_key(text, flags), ()))


def pattern_key(text: str, flags: int) -> str:
    """The key of a pattern in `NEEDLES`."""
    return f"{zlib.crc32(text.encode()):08x} {len(text)} {flags}"


@cache
def _needles() -> Mapping[str, tuple[str, ...]]:
    return Section(built_table(__package__, NEEDLES), "", tuple[str, ...])


class Patterns:
    """The ``[patterns]`` of a TOML file by name, each compiled when it is first used: most questions need few.

    ``<NAME>`` in a pattern stands for the entry ``name`` of ``[parts]``; lines are joined. Flags stand in the pattern.

    Args:
        package: The package that holds the file.
        name: The file's name in it.
        parts: More of them, which are not written down.
    """

    def __init__(self, package: str, name: str, **parts: str) -> None:
        self._file = package, name
        self._given = parts

    @cached_property
    def _texts(self) -> dict[str, str]:
        table = toml_in(*self._file)
        parts = dict(self._given)
        for name, text in table.get("parts", {}).items():
            parts[name.upper()] = filled(text, parts)
        rows = table["patterns"].items()
        return {name: filled(text, parts) for name, text in rows if isinstance(text, str)} | {
            f"{name} {number}": filled(text, parts)
            for name, texts in rows
            if isinstance(texts, list)
            for number, text in enumerate(texts)
        }

    def all_of(self, name: str) -> list[re.Pattern[str]]:
        """The patterns that are listed under one name, in their order."""
        return [getattr(self, key) for key in self._texts if key.partition(" ")[0] == name]

    def __getattr__(self, name: str) -> re.Pattern[str]:
        if name not in self._texts:
            raise AttributeError(name)
        pattern = late_patterns.pattern(self._texts[name])
        setattr(self, name, pattern)
        return pattern


def unframed(text: str, before: Sequence[re.Pattern[str]], after: Sequence[re.Pattern[str]]) -> str:
    """``text`` without the words around a request, such as "what is … please?".

    Args:
        before: Matched at its beginning, as often as they do; ``after`` are searched, and end it.
    """
    known = ""
    while text != known:
        known = text
        for pattern in before:
            if match := pattern.match(text):
                text = text[match.end() :]
        for pattern in after:
            if match := pattern.search(text):
                text = text[: match.start()]
        text = text.strip(" ,")
    return text
