"""How far a chat model is trusted.

The drafts of a model are evidence about it: one that keeps to its lines is seldom sent sentences back, one that invents
is sent some in most of its drafts and gives them back reworded. A `Record` adds this up over runs. It decides what
becomes of the sentences of which lines tell too little:

    reliable     only what lines refute is marked
    unknown      what lines refute, and what they do not say
    unreliable   all that is not close to the words of its lines (`closeness`), too: what such a model adds to lines is
                 mostly false, and built of their own words, so that a comparison of words does not find it

The figures in ``trust.toml`` are fitted by ``benchmarks/fit_trust.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal

from kbtui.text.word_lists import toml_in

Trust = Literal["reliable", "unknown", "unreliable"]
MAX_ODDS: Final = 6.0
"""Most log-odds of a record, so that a model that has become another one is soon seen to be."""

SURE: Final = 2.0
"""Log-odds from which a model is reliable or unreliable."""


@dataclass(frozen=True, slots=True)
class Record:
    """What the drafts of a model have shown.

    Attributes:
        odds: Log-odds that it invents; 0 if nothing is known of it.
    """

    odds: float = 0.0

    def after(self, *, is_doubted: bool, was_sent_back: bool = False) -> Record:
        """The record with one more draft.

        Args:
            is_doubted: A sentence of it is doubted.
            was_sent_back: It was written after sentences of another one were sent back.
        """
        outcome = ("mended", "repeated") if was_sent_back else ("clean", "doubted")
        odds = self.odds + float(figures()["drafts"][outcome[is_doubted]])
        return Record(max(-MAX_ODDS, min(MAX_ODDS, odds)))

    def trust(self, *, has_orders: bool = False) -> Trust:
        """How far the model is trusted.

        Args:
            has_orders: A text that it was given has orders to a model, which it may obey: it is not reliable now.
        """
        if self.odds >= SURE:
            return "unreliable"
        return "reliable" if self.odds <= -SURE and not has_orders else "unknown"


@cache
def figures() -> Mapping[str, Any]:
    """The fitted figures, by what they are of (``drafts``, ``lines``)."""
    return toml_in(__package__, "trust.toml")
