"""The word lists of the offline reasoner, from ``lexicon.toml``, where they can be read and added to."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files


def words(name: str) -> frozenset[str]:
    """A list as a set of words."""
    return frozenset(_lists()[name].split())


def groups(name: str) -> tuple[tuple[str, ...], ...]:
    """A list with one group of words a line."""
    return tuple(tuple(line.split()) for line in _lists()[name].split("\n") if line.strip())


@cache
def _lists() -> dict[str, str]:
    return tomllib.loads(files("kbtui.reasoning.offline").joinpath("lexicon.toml").read_text(encoding="utf-8"))
