"""The kind of statement that a question needs, from its words; plans state it (spec 004, 6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from kbtui.domain.analysis import QueryKind

_ANY_DAY: Final = date(2000, 1, 1)
"""Any day, because the days of periods are not used."""
_OPERATORS: Final[Mapping[QueryKind, frozenset[str]]] = {
    "nested": frozenset(("above_average", "never")),
    "set": frozenset(("both",)),
    "top_n": frozenset(("most", "top", "max", "min")),
    "group": frozenset(("per", "bucket", "trend")),
    "aggregation": frozenset(
        ("count", "how_much", "sum", "avg", "median", "percentile", "stddev", "distinct", "share")
    ),
    "filter": frozenset(("compare", "contains", "starts", "ends", "not", "null", "only", "or", "weekend")),
}
"""Operators of kinds of statements, the most specific kind first."""


def expected_kind(text: str, tables_named: int = 1) -> QueryKind:
    """The kind of statement that the wording suggests.

    Args:
        tables_named: How many tables of the source the question names; two that are only listed are a join.
    """
    from kbtui.question.reader import read

    question = read(text, today=_ANY_DAY)
    operators = {cue.op for cue in question.cues}
    if "null" in operators:
        # Rows without a value, not rows without a match in another table.
        operators.discard("never")
    matching = next((kind for kind, kind_operators in _OPERATORS.items() if kind_operators & operators), None)
    if matching is None and (question.numbers or question.periods or question.quoted):
        matching = "filter"
    if tables_named > 1 and matching in (None, "filter"):
        return "join"
    return matching or "detail"
