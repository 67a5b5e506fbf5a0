"""Tells whether a question is a follow-up of the previous statement or stands alone."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from kbtui.nl2sql.candidate import Candidate
from kbtui.question.followup_cues import followup_cues
from kbtui.question.model import Question

MIN_PROBABILITY: Final = 0.5
"""Probability from which a question counts as a follow-up."""

WEIGHTS_FILE: Final = Path(__file__).with_name("following.json")
"""Weights of the features, fitted by benchmarks/fit_follow_ups.py."""

_QUESTION_CUES: Final = ("count", "how_much", "wh", "list", "truth", "exists", "duration")
_RANKING_CUES: Final = ("most", "top", "common")
_HEAD_ROLES: Final = ("measure", "subject", "shown")
_CHANGE_CUES: Final = ("instead", "also", "all", "rest", "shift", "reverse")
_RESTRICTION_CUES: Final = ("only", "other", "not")
_MAX_LENGTH_FEATURE: Final = 12.0
_SHORT: Final = 2.0
_GENERAL_CUES: Final = ("all", "list")
"""Operators of follow-ups that complete questions have too."""
_MAX_LENGTH: Final = 9.0
"""Content words of a follow-up, at most."""


def features(question: Question, edited: Sequence[Candidate], alone: Sequence[Candidate]) -> dict[str, float]:
    """Features for and against a follow-up: name to value.

    Args:
        edited: Edits of the previous statement, best first; see `kbtui.nl2sql.edits`.
        alone: Readings of the question alone, best first.
    """
    follow_ops = dict.fromkeys((cue.op for cue in followup_cues(question)), 1.0)
    ops = {cue.op for cue in question.cues}
    values = {
        "bias": 1.0,
        "opener": follow_ops.get("opener", 0.0),
        "lead": follow_ops.get("lead", 0.0),
        "refer": follow_ops.get("refer", 0.0),
        "partitive": follow_ops.get("partitive", 0.0),
        "rows": follow_ops.get("list", 0.0),
        "changing": float(any(op in follow_ops for op in _CHANGE_CUES)),
        "length": min(_MAX_LENGTH_FEATURE, _length(question)),
        "asks": float(bool(ops & set(_QUESTION_CUES))),
        "ranks_only": float(bool(ops & set(_RANKING_CUES)) and not ops & set(_QUESTION_CUES)),
        "grouped_only": float(bool(ops & {"per", "bucket"}) and not ops & set(_QUESTION_CUES)),
        "restricts": float(_begins_with(question, _RESTRICTION_CUES)),
        "no_edit": float(not edited),
        "no_reading": float(not alone),
    }
    if edited:
        values["edit_unread"] = float(len(edited[0].unread))
        values["edit_changes"] = float(sum(name.startswith("edit_") for name in edited[0].traits))
        values["chart_only"] = float("edit_chart" in edited[0].traits)
    if alone:
        best = alone[0]
        values["alone_unread"] = float(len(best.unread))
        values["alone_defaults"] = float(any(name.startswith("default_") for name in best.traits))
        values["alone_head"] = float(any(use.role in _HEAD_ROLES and use.mention.kind != "cue" for use in best.uses))
        values["alone_uses"] = float(sum(use.mention.kind != "cue" for use in best.uses))
    if edited and alone:
        gap = edited[0].prior - alone[0].prior
        values["gap"] = max(-3.0, min(3.0, gap))
    return values


def _begins_with(question: Question, operators: Sequence[str]) -> bool:
    """Whether the first content word, not counting an ``and``, belongs to one of these operators."""
    conjunctions = {token for cue in question.cues if cue.op == "and" for token in range(*cue.span)}
    content = (at for at, token in enumerate(question.tokens) if token.content and at not in conjunctions)
    first = next(content, -1)
    return any(cue.op in operators and first in range(*cue.span) for cue in question.cues)


@cache
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return weights


def probability(values: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    """The probability of a follow-up, 0 to 1, by the shipped weights if none are given."""
    weights = _weights() if weights is None else weights
    odds = sum(weights.get(name, 0.0) * value for name, value in values.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def may_follow(question: Question) -> bool:
    """Whether a question is short enough for a follow-up; needs no source."""
    return _length(question) <= _MAX_LENGTH


def _length(question: Question) -> float:
    """Number of content words; two Chinese characters count as one."""
    return sum(0.5 if token.kind == "han" else 1.0 for token in question.tokens if token.content)


def refers_back(question: Question) -> bool:
    """Whether a word refers to the previous answer."""
    return any(cue.op not in _GENERAL_CUES for cue in followup_cues(question))


def may_depend_on_previous(question: Question) -> bool:
    """Whether a question is short or refers back, so that asking a chat model about it may pay off."""
    return _length(question) <= _SHORT or refers_back(question)
