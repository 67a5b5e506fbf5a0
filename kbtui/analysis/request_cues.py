"""The wordings of ``request_cues.toml``: what in a request speaks for which type."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from msgspec import Struct

from kbtui.domain.routing import Signal
from kbtui.text.patterns import sought
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

FILE: Final = "request_cues.toml"
_LONGEST: Final = 40


class Cue(Struct, frozen=True):
    """One wording, of those for one request type (or ``data``, or ``knowledge``), and how strongly it speaks for it."""

    name: str
    weight: float
    pattern: re.Pattern[str]


@cache
def _table() -> dict[str, Any]:
    return toml_in(__package__, FILE)


@cache
def everyday_names() -> frozenset[str]:
    """Stems of names that columns have everywhere, and that requests say whatever they are about."""
    return frozenset(stem(word) for word in _table()["everyday_names"].split())


@cache
def kinds() -> tuple[str, ...]:
    """What cues speak for, in the order of the file."""
    return tuple(dict.fromkeys(str(row["type"]) for row in _table()["cue"]))


@cache
def cues(kind: str) -> tuple[Cue, ...]:
    """The cues that speak for ``kind``, in the order of the file."""
    return tuple(
        Cue(row["name"], float(row["weight"]), sought(text, re.X))
        for row, text in pattern_texts()
        if row["type"] == kind
    )


@cache
def pattern_texts() -> tuple[tuple[Mapping[str, Any], str], ...]:
    """The rows of the file, each with its pattern in which all ``{words}`` are filled in."""
    words: dict[str, str] = _table()["words"]
    return tuple(
        (row, re.sub(r"\{([a-z_]+)\}", lambda name: words[name[1]], row["pattern"])) for row in _table()["cue"]
    )


class FoundCues(Mapping[str, list[Signal]]):
    """What a request holds, by what it speaks for; each kind is looked for when it is first asked about.

    Args:
        text: Lower case, simplified.
        keeps: Whether a signal of a kind counts; None where all do.
    """

    def __init__(self, text: str, keeps: Callable[[str, Signal], bool] | None = None) -> None:
        self._text = text
        self._keeps = keeps
        self._known: dict[str, list[Signal]] = {}

    def __getitem__(self, kind: str) -> list[Signal]:
        if kind not in self._known:
            signals = [
                Signal(name=cue.name, detail=_short(match[0]), weight=cue.weight)
                for cue in cues(kind)
                if (match := cue.pattern.search(self._text))
            ]
            self._known[kind] = [one for one in signals if self._keeps is None or self._keeps(kind, one)]
        if not self._known[kind]:
            raise KeyError(kind)
        return self._known[kind]

    def __iter__(self) -> Iterator[str]:
        return (kind for kind in kinds() if kind in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _short(matched: str) -> str:
    said = matched.strip(" ,，")
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"
