"""The phrases of a consultation, in each language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from kbtui.text.word_lists import toml_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Templates; ``dimension`` has one for each kind of table."""

    about: str
    more: str
    sized: str
    comma: str
    empty: str
    dimensions: str
    charts: str
    queries: str
    note: str
    keys: str
    key: str
    amount: str
    category: str
    day: str
    by_category: str
    over_time_of: str
    spread_of: str
    ask_total: str
    ask_top: str
    ask_monthly: str
    ask_average: str
    dimension: Mapping[str, str]
    together: str
    over_time: str
    ranked: str
    shares: str
    counted: str
    spread: str
    ask_over_time: str
    ask_most: str
    ask_per: str
    ask_without: str
    ask_count: str


@cache
def advice_of(language: str) -> Advice:
    """The phrases of ``zh``, or else of English."""
    return Advice(**toml_in(__package__, "advice.toml")["zh" if language == "zh" else "en"])
