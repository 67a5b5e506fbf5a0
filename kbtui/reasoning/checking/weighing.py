"""What lines say of a statement beyond their words: records that refute or show it, numbers worked out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kbtui.reasoning.checking.cells import confirmed, refuted
from kbtui.reasoning.checking.passages import Window
from kbtui.reasoning.checking.reckoning import reckoned, without
from kbtui.reasoning.checking.standing import Claim, Known

_SHOWN: Final = 2.0
"""Log-odds for lines that give a number of the statement though no line holds it, or say its relation in a field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What is known of a statement.

    Attributes:
        claim: It without the numbers that were worked out, where there are any.
        refuted: The lines say something else in the place of what it says.
        odds: What speaks for it, in log-odds.
    """

    claim: Claim | None = None
    refuted: bool = False
    odds: float = 0.0


UNWEIGHED: Final = Weighed()


def weighed(claim: Claim, windows: Sequence[Window], known: Known) -> Weighed:
    """What the passages of some lines say of a statement."""
    cited = list({id(one.passage): one.passage for one in windows}.values())
    worked_out = reckoned(claim, cited)
    is_refuted = bool(worked_out.wrong) or refuted(
        claim, list({id(one): one for one in (*cited, *known.shown)}.values())
    )
    is_shown = bool(worked_out.right) or confirmed(claim, cited)
    return Weighed(
        claim=without(claim, worked_out.right) if worked_out.right else None,
        refuted=is_refuted,
        odds=_SHOWN if is_shown and not is_refuted else 0.0,
    )
