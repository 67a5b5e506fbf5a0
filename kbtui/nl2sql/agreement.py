"""Which operators of a statement the cues of a question call for, and which stand there uncalled or are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kbtui.nl2sql.shape import Shape
from kbtui.question.model import Cue
from kbtui.text.word_lists import toml_in

_TABLES: Final = toml_in(__package__, "agreement.toml")
CALLS: Final[Mapping[str, list[str]]] = _TABLES["calls"]
"""What a cue may become; any of these accounts for it."""
_ALSO: Final[Mapping[str, list[str]]] = _TABLES["also"]
"""Cues under which an operator is no surprise, though they do not ask for it by themselves."""
_SILENT: Final = frozenset(("single", "list", "star", "inner", "amount", "arithmetic", "first", "period", "order"))
"""Operators that need no cue."""


def _called_by() -> dict[str, frozenset[str]]:
    callers: dict[str, set[str]] = {}
    for source in (CALLS, {cue: (op,) for op, cues in _ALSO.items() for cue in cues}):
        for cue, operators in source.items():
            for operator in operators:
                callers.setdefault(operator, set()).add(cue)
    for operator, cues in _ALSO.items():
        callers.setdefault(operator, set()).update(cues)
    return {operator: frozenset(cues) for operator, cues in callers.items()}


CALLED_BY: Final = _called_by()


def agreement(cues: Sequence[Cue], shape: Shape, *, amount: bool) -> dict[str, float]:
    """Features of how the cues of a question and the operators of a statement fit.

    Args:
        amount: A measure or rate is shown as it stands, which answers "how much" too.
    """
    operators = shape.operators | {"amount"} if amount else shape.operators
    said: dict[str, float] = {}
    for cue in cues:
        said[cue.op] = max(said.get(cue.op, 0.0), cue.weight)
    features: dict[str, float] = {}
    missing = met = 0.0
    for op, weight in said.items():
        if op not in CALLS:
            continue
        if operators.isdisjoint(CALLS[op]):
            features[f"missing_{op}"] = weight
            missing += weight
        else:
            met += weight
    uncalled = 0
    for operator in operators - _SILENT:
        if CALLED_BY.get(operator, frozenset()).isdisjoint(said):
            features[f"uncalled_{operator.replace(' ', '_')}"] = 1.0
            uncalled += 1
    features |= {"cues_missing": missing, "cues_met": met, "operators_uncalled": float(uncalled)}
    return features
