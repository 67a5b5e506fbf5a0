"""The wordings of ``request_cues.toml``: what in a request speaks for which type."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from kbtui.domain.routing import Signal
from kbtui.text.tokenise import stem


@dataclass(frozen=True, slots=True)
class Cue:
    """One wording: what it speaks for (a request type, or ``data``), and how strongly."""

    kind: str
    name: str
    weight: float
    pattern: re.Pattern[str]


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("kbtui.analysis").joinpath("request_cues.toml").read_text(encoding="utf-8"))


@cache
def everyday_names() -> frozenset[str]:
    """Stems of names that columns have everywhere, and that requests say whatever they are about."""
    return frozenset(stem(word) for word in _table()["everyday_names"].split())


@cache
def cues() -> tuple[Cue, ...]:
    """All cues, in the order of the file."""
    table = _table()
    words: dict[str, str] = table["words"]

    def compiled(pattern: str) -> re.Pattern[str]:
        for name, listed in words.items():
            pattern = pattern.replace(f"{{{name}}}", listed)
        return re.compile(pattern, re.X)

    return tuple(Cue(row["type"], row["name"], float(row["weight"]), compiled(row["pattern"])) for row in table["cue"])


def found_cues(text: str) -> dict[str, list[Signal]]:
    """What ``text`` (lower case, simplified) holds, by what it speaks for."""
    found: dict[str, list[Signal]] = {}
    for cue in cues():
        if match := cue.pattern.search(text):
            said = match[0].strip(" ,，")
            detail = said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"
            found.setdefault(cue.kind, []).append(Signal(name=cue.name, detail=detail, weight=cue.weight))
    return found


_LONGEST = 40
