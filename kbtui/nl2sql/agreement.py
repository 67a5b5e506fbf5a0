"""Compares the cues of a question with the operators of a statement: which match, which are missing or uncalled for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kbtui.nl2sql.shape import Shape
from kbtui.question.model import Cue
from kbtui.text.word_lists import toml_in

_TABLES: Final = toml_in(__package__, "agreement.toml")
CALLS: Final[Mapping[str, list[str]]] = _TABLES["calls"]
"""For each cue the operators that it may stand for; any of these satisfies it."""
_ALLOWED: Final[Mapping[str, list[str]]] = _TABLES["also"]
"""For each operator the cues that allow it without calling for it."""
_UNMARKED: Final = frozenset(("single", "list", "star", "inner", "amount", "arithmetic", "first", "period", "order"))
"""Operators that need no cue."""


def _callers_by_operator() -> dict[str, frozenset[str]]:
    callers: dict[str, set[str]] = {}
    for source in (CALLS, {cue: (op,) for op, cues in _ALLOWED.items() for cue in cues}):
        for cue, operators in source.items():
            for operator in operators:
                callers.setdefault(operator, set()).add(cue)
    for operator, cues in _ALLOWED.items():
        callers.setdefault(operator, set()).update(cues)
    return {operator: frozenset(cues) for operator, cues in callers.items()}


CALLED_BY: Final = _callers_by_operator()


def agreement(cues: Sequence[Cue], shape: Shape, *, amount: bool) -> dict[str, float]:
    """Features of how the cues of a question match the operators of a statement, name to value.

    Args:
        amount: Whether the statement shows a measure or rate as it is, which answers "how much" too.
    """
    operators = shape.operators | {"amount"} if amount else shape.operators
    weight_by_op: dict[str, float] = {}
    for cue in cues:
        weight_by_op[cue.op] = max(weight_by_op.get(cue.op, 0.0), cue.weight)
    features: dict[str, float] = {}
    missing = matched = 0.0
    for op, weight in weight_by_op.items():
        if op not in CALLS:
            continue
        if operators.isdisjoint(CALLS[op]):
            features[f"missing_{op}"] = weight
            missing += weight
        else:
            matched += weight
    uncalled = 0
    for operator in operators - _UNMARKED:
        if CALLED_BY.get(operator, frozenset()).isdisjoint(weight_by_op):
            features[f"uncalled_{operator.replace(' ', '_')}"] = 1.0
            uncalled += 1
    features |= {"cues_missing": missing, "cues_met": matched, "operators_uncalled": float(uncalled)}
    return features
