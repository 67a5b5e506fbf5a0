"""What kind of answer a question wants: a definition, a number, steps, a reason …

By the operators of ``words/asking_en.toml`` and ``words/asking_zh.toml``. Nothing is decided: a question may want
several things ("how do I get in, and for how long?"), and whoever chooses an answer weighs them.
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


def asked_for(question: Question) -> Mapping[str, float]:
    """How clearly each of `KINDS` is asked for, above 0 to 1; kinds that no word speaks for are left out."""
    found: dict[str, float] = {}
    for cue in read_cues(question.tokens, question.numbers, ASKING, mends=False):
        found[cue.op] = max(found.get(cue.op, 0.0), cue.weight)
    return found
