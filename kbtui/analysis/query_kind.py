"""What kind of statement a question will need, from its words: the expectation that a plan states (spec 004, 6.3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from kbtui.domain.analysis import QueryKind

_ANY_DAY: Final = date(2000, 1, 1)
"""Which days a period means is of no account."""
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
"""The most telling kind first."""


def expected_kind(text: str, tables_named: int = 1) -> QueryKind:
    """The kind that the wording suggests.

    Args:
        tables_named: How many tables of the source the question names; two that are only listed are a join.
    """
    from kbtui.question.reader import read

    question = read(text, today=_ANY_DAY)
    operators = {cue.op for cue in question.cues}
    if "null" in operators:
        # Without a value in a column, not without a row of another table.
        operators.discard("never")
    found = next((kind for kind, known in _OPERATORS.items() if known & operators), None)
    if found is None and (question.numbers or question.periods or question.quoted):
        found = "filter"
    if tables_named > 1 and found in (None, "filter"):
        return "join"
    return found or "detail"
