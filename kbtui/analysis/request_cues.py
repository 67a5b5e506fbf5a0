"""The cues of request types: wordings of ``request_cues.toml``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

from msgspec import Struct

from kbtui.domain.routing import Signal
from kbtui.text.patterns import needle_pattern
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import toml_in

FILE: Final = "request_cues.toml"
_MAX_LENGTH: Final = 40


class Cue(Struct, frozen=True):
    """A wording for a request type (or for ``data`` or ``knowledge``), with its weight."""

    name: str
    weight: float
    pattern: re.Pattern[str]


@cache
def _table() -> dict[str, Any]:
    return toml_in(__package__, FILE)


@cache
def everyday_names() -> frozenset[str]:
    """Stems of names that columns often have and any request may say."""
    return frozenset(stem(word) for word in _table()["everyday_names"].split())


@cache
def kinds() -> tuple[str, ...]:
    """The types that have cues, in the order of the file."""
    return tuple(dict.fromkeys(str(row["type"]) for row in _table()["cue"]))


@cache
def cues(kind: str) -> tuple[Cue, ...]:
    """The cues for ``kind``, in the order of the file."""
    return tuple(
        Cue(row["name"], float(row["weight"]), needle_pattern(text, re.X))
        for row, text in pattern_texts()
        if row["type"] == kind
    )


@cache
def pattern_texts() -> tuple[tuple[Mapping[str, Any], str], ...]:
    """The rows of the file, each with its pattern, ``{words}`` substituted."""
    words: dict[str, str] = _table()["words"]
    return tuple(
        (row, re.sub(r"\{([a-z_]+)\}", lambda name: words[name[1]], row["pattern"])) for row in _table()["cue"]
    )


class RequestCues(Mapping[str, list[Signal]]):
    """The cues of a request by type; each type is matched on first access.

    Args:
        text: Lower case, simplified.
        keeps: Whether a signal of a type counts; all do if it is None.
    """

    def __init__(self, text: str, keeps: Callable[[str, Signal], bool] | None = None) -> None:
        self._text = text
        self._is_relevant = keeps
        self._signals: dict[str, list[Signal]] = {}

    def __getitem__(self, kind: str) -> list[Signal]:
        if kind not in self._signals:
            signals = [
                Signal(name=cue.name, detail=_shortened(match[0]), weight=cue.weight)
                for cue in cues(kind)
                if (match := cue.pattern.search(self._text))
            ]
            self._signals[kind] = [
                signal for signal in signals if self._is_relevant is None or self._is_relevant(kind, signal)
            ]
        if not self._signals[kind]:
            raise KeyError(kind)
        return self._signals[kind]

    def __iter__(self) -> Iterator[str]:
        return (kind for kind in kinds() if kind in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _shortened(matched: str) -> str:
    text = matched.strip(" ,，")
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 1]}…"
