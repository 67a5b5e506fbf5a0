"""Follow-up questions: what a question leaves to the conversation is put into words.

After an answer people seldom ask whole questions: "and for staging?", 为什么？, "who wrote it?". Everything behind this
works on one question at a time, so "who wrote it?" is turned into "who wrote PEP 484?" (`kbtui.question.leaning`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from kbtui.domain.conversation import Turn
from kbtui.domain.routing import Signal
from kbtui.question.normalise import clean
from kbtui.text.terminal import one_line

_SIGNAL_CHARS: Final = 80
_ANSWERED: Final = frozenset({"answered", "partial"})


class Condensed(Struct, frozen=True, kw_only=True):
    """A follow-up as a question of its own.

    Attributes:
        standalone: The question in full.
        signals: What was put in place of what.
    """

    standalone: str
    signals: tuple[Signal, ...] = ()


def condense(query: str, history: Sequence[Turn]) -> Condensed | None:
    """``query`` with what it means of ``history`` said in full; None where it stands alone, or where that is unsure.

    Args:
        query: As typed.
        history: What was asked and answered before, oldest first.
    """
    if not history or not (text := clean(query)):
        return None
    from kbtui.question.leaning import in_full
    from kbtui.question.said import said_in

    said = said_in(history)
    meant = in_full(text, said) if said is not None else None
    if meant is None or meant.text.casefold().rstrip("?？") == text.casefold().rstrip("?？"):
        return None
    was, means = one_line(meant.was), one_line(meant.means)
    detail = one_line(f"{was} = {means}" if meant.was else means, _SIGNAL_CHARS)
    return Condensed(standalone=meant.text, signals=(Signal(name="follow-up", detail=detail, weight=0.8),))


def bases(query: str, history: Sequence[Turn], is_of_one_kind: Callable[[Turn, Turn], bool]) -> tuple[Turn, ...]:
    """The turns of ``history`` that ``query`` can be a follow-up to, oldest first; the last is the likeliest.

    A refused question is asked again in other words or left behind: it is a base only for what cannot stand alone, a
    correction, and a fragment that no answered question of its kind comes before.

    Args:
        query: As typed.
        history: What was asked before, and what came of it, oldest first.
        is_of_one_kind: True where the same side (documents, data) was asked.
    """
    from kbtui.question.leaning import is_correction, is_cut_off

    answered = tuple(turn for turn in history if turn.outcome in _ANSWERED)
    if not history or history[-1].outcome in _ANSWERED:
        return answered
    refused = history[-1]
    is_first = not (answered and is_of_one_kind(answered[-1], refused))
    return (*answered, refused) if is_correction(query, refused) or (is_first and is_cut_off(query)) else answered
