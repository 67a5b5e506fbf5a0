"""Which operators of a statement the cues of a question call for, and which stand there uncalled or are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kbtui.nl2sql.query import Query
from kbtui.nl2sql.shape import Shape
from kbtui.question.model import Cue

CALLS: Final[Mapping[str, tuple[str, ...]]] = {
    "count": ("count", "sum", "superlative", "than count"),
    "how_much": ("sum", "avg", "min", "max", "median", "amount"),
    "sum": ("sum", "count"),
    "avg": ("avg", "than avg"),
    "median": ("median",),
    "stddev": ("stddev",),
    "percentile": ("percentile",),
    "min": ("min", "superlative", "than min"),
    "max": ("max", "superlative", "than max"),
    "distinct": ("distinct", "group"),
    "most": ("superlative", "max", "min", "than max", "than min"),
    "top": ("superlative", "first"),
    "per": ("group", "each"),
    "bucket": ("bucket",),
    "trend": ("bucket", "group"),
    "compare": ("compare", "having", "nested", "period"),
    "versus": ("group", "or", "conditional", "union"),
    "share": ("share", "conditional", "arithmetic"),
    "growth": ("change", "change_year"),
    "running": ("running",),
    "above_average": ("than avg",),
    "never": ("never", "except", "not", "null"),
    "not": ("not", "never", "except", "null"),
    "or": ("or", "union"),
    "both": ("intersect", "or"),
    "other": ("not", "never", "except"),
    "truth": ("truth",),
    "list": ("list", "group", "distinct"),
    "order": ("order", "superlative"),
    "weekend": ("part filter", "bucket"),
    "workday": ("part filter", "bucket"),
    "weekday": ("part filter", "bucket"),
    "daytime": ("part filter",),
    "duration": ("difference", "amount", "avg", "sum", "min", "max", "superlative"),
    "common": ("superlative", "max"),
    "null": ("null", "never"),
    "starts": ("like",),
    "ends": ("like",),
    "contains": ("like",),
    "all_columns": ("star",),
}
"""What a cue may become; any of these accounts for it."""
_ALSO: Final[Mapping[str, tuple[str, ...]]] = {
    "group": ("most", "top", "common", "share", "trend", "bucket", "growth", "running", "count"),
    "count": ("how_much", "most", "common", "top", "per", "share", "compare", "never", "truth"),
    "bucket": ("growth", "common", "running", "per", "most"),
    "having": ("compare", "above_average"),
    "order": ("trend", "bucket", "growth"),
    "period": ("trend",),
}
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


def agreement(cues: Sequence[Cue], query: Query, shape: Shape, *, amount: bool) -> dict[str, float]:
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
    features["conflicts"] = (
        _direction_conflict(cues, query) + _operator_conflict(cues, shape) + _unit_conflict(cues, shape)
    )
    return features


def _direction_conflict(cues: Sequence[Cue], query: Query) -> float:
    wanted = {str(cue.args["direction"]) for cue in cues if "direction" in cue.args and cue.weight >= 0.5}
    if len(wanted) != 1 or not query.order:
        return 0.0
    return float(("desc" in wanted) != query.order[0].desc)


def _operator_conflict(cues: Sequence[Cue], shape: Shape) -> float:
    wanted = {str(cue.args["op"]) for cue in cues if cue.op == "compare" and "op" in cue.args}
    return float(bool(wanted and shape.comparisons) and wanted.isdisjoint(shape.comparisons))


def _unit_conflict(cues: Sequence[Cue], shape: Shape) -> float:
    wanted = {str(cue.args["unit"]) for cue in cues if cue.op == "bucket" and "unit" in cue.args}
    return float(bool(wanted and shape.units) and wanted.isdisjoint(shape.units))
