"""Follow-up questions are condensed into standalone questions.

After an answer people seldom ask complete questions: "and for staging?", 为什么？, "who wrote it?". Retrieval works on
one question at a time, so "who wrote it?" becomes "who wrote PEP 484?" (`kbtui.question.followup_resolution`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from kbtui.domain.conversation import Turn
from kbtui.domain.routing import Signal
from kbtui.question.normalise import clean
from kbtui.text.terminal import one_line

_MAX_SIGNAL_CHARS: Final = 80
_ANSWERED_OUTCOMES: Final = frozenset({"answered", "partial"})


class Condensed(Struct, frozen=True, kw_only=True):
    """A follow-up as a standalone question.

    Attributes:
        standalone: The standalone question.
        signals: What was replaced by what.
    """

    standalone: str
    signals: tuple[Signal, ...] = ()


def condense(query: str, history: Sequence[Turn]) -> Condensed | None:
    """The standalone form of ``query``; None if it stands alone, or if its meaning is uncertain.

    Args:
        query: As typed.
        history: What was asked and answered before, oldest first.
    """
    if not history or not (text := clean(query)):
        return None
    from kbtui.question.dialogue import dialogue_of
    from kbtui.question.followup_resolution import resolve_followup

    dialogue = dialogue_of(history)
    rewrite = resolve_followup(text, dialogue) if dialogue is not None else None
    if rewrite is None or rewrite.text.casefold().rstrip("?？") == text.casefold().rstrip("?？"):
        return None
    replaced, replacement = one_line(rewrite.replaced), one_line(rewrite.replacement)
    detail = one_line(f"{replaced} = {replacement}" if rewrite.replaced else replacement, _MAX_SIGNAL_CHARS)
    return Condensed(standalone=rewrite.text, signals=(Signal(name="follow-up", detail=detail, weight=0.8),))


def base_turns(query: str, history: Sequence[Turn], is_of_one_kind: Callable[[Turn, Turn], bool]) -> tuple[Turn, ...]:
    """The turns of ``history`` that ``query`` can be a follow-up to, oldest first; the last is the likeliest.

    A refused question is asked again in other words or left behind: it is a base only for what cannot stand alone, a
    correction, and a fragment that no answered question of its kind comes before.

    Args:
        query: As typed.
        history: What was asked before, and what came of it, oldest first.
        is_of_one_kind: True where the same side (documents, data) was asked.
    """
    from kbtui.question.refused_followups import is_correction, is_cut_off

    answered = tuple(turn for turn in history if turn.outcome in _ANSWERED_OUTCOMES)
    if not history or history[-1].outcome in _ANSWERED_OUTCOMES:
        return answered
    refused = history[-1]
    is_first = not (answered and is_of_one_kind(answered[-1], refused))
    return (*answered, refused) if is_correction(query, refused) or (is_first and is_cut_off(query)) else answered
