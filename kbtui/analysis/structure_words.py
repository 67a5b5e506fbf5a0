"""The phrases of an answer about structure, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from kbtui.text.word_lists import toml_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrases:
    """Templates and titles; ``kinds`` names the kinds of columns."""

    empty: str
    one_table: str
    tables: str
    left: str
    table: str
    rows: str
    columns: str
    view: str
    table_head: str
    column: str
    kind: str
    such_as: str
    key: str
    sample: str
    counted: str
    profile: str
    filled: str
    different: str
    least: str
    most: str
    average: str
    kinds: Mapping[str, str]


@cache
def phrases_of(language: str) -> Phrases:
    """The phrases of ``zh``, or else of English."""
    return Phrases(**toml_in(__package__, "structure_words.toml")["zh" if language == "zh" else "en"])
