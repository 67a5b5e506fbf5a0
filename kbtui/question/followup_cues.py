"""Cues of follow-ups: words that begin one, or refer to the previous answer."""

from __future__ import annotations

from kbtui.question.cues import FOLLOW_UPS, read_cues
from kbtui.question.model import Cue, Question


def followup_cues(question: Question) -> tuple[Cue, ...]:
    """Operators of follow-ups, by the files ``words/follow_en.toml`` and ``words/follow_zh.toml``.

    ``opener`` (what about, 那…呢), ``lead`` (sort it, 只看), ``refer`` (them, 它们), ``partitive`` (of those, 其中),
    ``instead``, ``also``, ``all`` (for all, 不限), ``rest`` (the others), ``shift`` (the year before), ``reverse``,
    ``list`` (who are they).
    """
    return read_cues(question.tokens, question.numbers, FOLLOW_UPS)
