"""How far a chat model is trusted: the chance that it invents, by the drafts that it wrote so far.

A draft is *doubted* if a sentence of it is refuted or not said by its lines, *loose* if all are said but one is far
from their words (`closeness`), else *close*. A `Record` adds up over runs how much likelier each outcome is with a
model that invents. A sentence is marked if the chance that the model invents, times the chance that such a sentence of
such a model is false, is large enough: of a model that keeps to its lines only what they refute, of one that invents
also what is not close to them.

The figures in ``trust.toml`` are fitted by ``benchmarks/fit_trust.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import exp
from typing import Any, Final, Literal

from kbtui.text.word_lists import toml_in

Outcome = Literal["close", "loose", "doubted"]
Trust = Literal["reliable", "unknown", "unreliable"]

MAX_ODDS: Final = 6.0
"""Most log-odds of a record, so that a model that has become another one is soon seen to be."""

UNKNOWN: Final = -1.5
"""Log-odds that a model of which nothing is known invents: one such draft has it doubted, a few clear it."""

SURE: Final = 2.0
"""Log-odds gained or lost from which a model is called unreliable or reliable."""

MARKED: Final = 0.2
"""Chance from which a sentence is marked."""

CONTRARY: Final = 0.05
"""Chance from which a sentence is marked that the words of its lines are against."""

LOOSE: Final = 0.4
"""Chance that a sentence of a model that invents is false, from which it is far from its lines."""


@dataclass(frozen=True, slots=True)
class Record:
    """What the drafts of a model have shown.

    Attributes:
        odds: Log-odds that it invents.
    """

    odds: float = UNKNOWN

    def after(self, outcome: Outcome | None, *, was_sent_back: bool = False) -> Record:
        """The record with one more draft.

        Args:
            outcome: What the check of it showed; None if it had nothing to check.
            was_sent_back: It was written after sentences of another one were sent back.
        """
        if outcome is None:
            return self
        odds = self.odds + float(figures()["redone" if was_sent_back else "first"][outcome])
        return Record(max(-MAX_ODDS, min(MAX_ODDS, odds)))

    def chance(self, *, has_orders: bool = False) -> float:
        """The chance that the model invents, 0 to 1.

        Args:
            has_orders: A text that it was given has orders to a model, which it may obey: it is not reliable now.
        """
        return chance_of(max(self.odds, 0.0) if has_orders else self.odds)

    @property
    def trust(self) -> Trust:
        """How far the model is trusted, in a word."""
        if abs(self.odds - UNKNOWN) < SURE:
            return "unknown"
        return "unreliable" if self.odds > UNKNOWN else "reliable"


def chance_of(odds: float) -> float:
    """The chance with these log-odds."""
    return 1.0 / (1.0 + exp(-odds))


@cache
def figures() -> Mapping[str, Any]:
    """The fitted figures, by what they are of (``first``, ``redone``, ``lines``, ``rows``, ``doubts``)."""
    return toml_in(__package__, "trust.toml")
