"""The kinds of answer that a question asks for: a definition, a number, steps, a reason …

By the operators of ``words/asking_en.toml`` and ``words/asking_zh.toml``. A question may ask for
several kinds ("how do I get in, and for how long?"); the ranking of answers weighs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kbtui.question.cues import ASKING, read_cues
from kbtui.question.model import Question

KINDS: Final = (
    "definition", "how_to", "why", "number", "when", "who", "where", "yes_no", "list", "comparison", "overview",
    "error",
)  # fmt: skip


def answer_kind_scores(question: Question) -> Mapping[str, float]:
    """The scores of `KINDS`, above 0 to 1; kinds without a cue are left out."""
    scores: dict[str, float] = {}
    for cue in read_cues(question.tokens, question.numbers, ASKING, mends=False):
        scores[cue.op] = max(scores.get(cue.op, 0.0), cue.weight)
    return scores
