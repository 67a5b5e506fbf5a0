"""Cues of follow-ups: words that begin one, or refer to the previous answer."""

from __future__ import annotations

from typing import Final

from kbtui.question.cues import FOLLOW_UPS, read_cues
from kbtui.question.model import Cue, Question

_MAX_FRAGMENT: Final = 2.0
"""Content words of a fragment, at most; two Chinese characters count as one."""

_ASKING: Final = ("count", "how_much", "wh", "list", "truth", "exists", "duration", "most", "top", "avg", "sum")
"""Operators of complete questions: 各渠道卖了多少."""


def followup_cues(question: Question) -> tuple[Cue, ...]:
    """Operators of follow-ups, by the files ``words/follow_en.toml`` and ``words/follow_zh.toml``.

    ``opener`` (what about, 那…呢), ``lead`` (sort it, 只看), ``refer`` (them, 它们), ``partitive`` (of those, 其中),
    ``instead``, ``also``, ``all`` (for all, 不限), ``rest`` (the others), ``shift`` (the year before), ``reverse``,
    ``list`` (who are they).
    """
    return read_cues(question.tokens, question.numbers, FOLLOW_UPS)


def is_fragment(question: Question) -> bool:
    """Whether a question only changes an earlier one: "only bugs", "per customer", "the same for Ghent", 只看上海."""
    length = sum(0.5 if token.kind == "han" else 1.0 for token in question.tokens if token.content)
    if any(cue.op in _ASKING for cue in question.cues):
        return False
    changes = [cue.span.first for cue in question.cues if cue.op in ("only", "per")]
    changes += [cue.span.first for cue in followup_cues(question) if cue.op == "opener"]
    return 0 in changes and length <= _MAX_FRAGMENT
