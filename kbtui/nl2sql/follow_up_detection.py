"""Whether a question is about the statement that was answered before it, or stands alone."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from kbtui.nl2sql.candidate import Candidate
from kbtui.question.follow_words import follow_cues
from kbtui.question.model import Question

FOLLOWS_FROM: Final = 0.5
"""Probability from which a question is taken for a follow-up."""

WEIGHTS_FILE: Final = Path(__file__).with_name("following.json")
"""Weights of the features, fitted by benchmarks/fit_follow_ups.py."""

_ASKING: Final = ("count", "how_much", "wh", "list", "truth", "exists", "duration")
_RANKING: Final = ("most", "top", "common")
_HEADS: Final = ("measure", "subject", "shown")
_CHANGING: Final = ("instead", "also", "all", "rest", "shift", "reverse")
_LONG: Final = 12.0
_FEW: Final = 2.0
_ALSO_ALONE: Final = ("all", "list")
"""Operators of follow-ups that whole questions have as well."""
_LONGEST: Final = 9.0
"""Words of a follow-up at most."""


def features(question: Question, edited: Sequence[Candidate], alone: Sequence[Candidate]) -> dict[str, float]:
    """What speaks for a follow-up and against it.

    Args:
        edited: What it may do to the statement before, best first; see `kbtui.nl2sql.edits`.
        alone: What it may mean by itself, best first.
    """
    found = dict.fromkeys((cue.op for cue in follow_cues(question)), 1.0)
    ops = {cue.op for cue in question.cues}
    values = {
        "bias": 1.0,
        "opener": found.get("opener", 0.0),
        "lead": found.get("lead", 0.0),
        "refer": found.get("refer", 0.0),
        "rows": found.get("list", 0.0),
        "changing": float(any(op in found for op in _CHANGING)),
        "length": min(_LONG, _length(question)),
        "asks": float(bool(ops & set(_ASKING))),
        "ranks_only": float(bool(ops & set(_RANKING)) and not ops & set(_ASKING)),
        "grouped_only": float(bool(ops & {"per", "bucket"}) and not ops & set(_ASKING)),
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
        values["alone_head"] = float(any(use.role in _HEADS and use.mention.kind != "cue" for use in best.uses))
        values["alone_uses"] = float(sum(use.mention.kind != "cue" for use in best.uses))
    if edited and alone:
        gap = edited[0].prior - alone[0].prior
        values["gap"] = max(-3.0, min(3.0, gap))
    return values


@cache
def _weights() -> Mapping[str, float]:
    weights: dict[str, float] = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    return weights


def probability(values: Mapping[str, float], weights: Mapping[str, float] | None = None) -> float:
    """That it is a follow-up, 0 to 1; by the shipped weights where none are given."""
    weights = _weights() if weights is None else weights
    odds = sum(weights.get(name, 0.0) * value for name, value in values.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))


def may_follow(question: Question) -> bool:
    """False for what is too long to leave anything to the statement before it; needs no source."""
    return _length(question) <= _LONGEST


def _length(question: Question) -> float:
    """Words that something has to account for; two Chinese characters are one."""
    return sum(0.5 if token.kind == "han" else 1.0 for token in question.tokens if token.content)


def points_back(question: Question) -> bool:
    """Whether a word of it means something of the answer before it."""
    return any(cue.op not in _ALSO_ALONE for cue in follow_cues(question))


def leans(question: Question) -> bool:
    """Whether it may mean something of the question before it, in any way: a chat model is worth asking."""
    return _length(question) <= _FEW or points_back(question)
