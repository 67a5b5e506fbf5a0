"""Whether a statement is about what the words name: the things, the sum that rows are about, whole bills or lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from datetime import date
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import Agg, Query, aggregates_in, refs_of
from kbtui.nl2sql.shape import literals_of, nested, plain_ref
from kbtui.question.model import TokenSpan

_NAMED: Final = ("exact", "stem", "part", "abbreviation", "typo")
"""Links by the words of a name, not by their meaning."""
_MEANT: Final = 0.6
"""Score from which words name a table or a column."""
_PER_ROW: Final = ("avg", "median", "min", "max", "stddev", "percentile")
"""Functions whose figure is another one for the lines of bills than for bills."""


class Meaning:
    """What the words of one question name in its catalogue."""

    def __init__(self, lattice: Lattice) -> None:
        self._catalogue: Catalogue = lattice.catalogue
        self._tables = _tables_by_span(lattice)
        columns = [m for m in lattice.mentions if m.kind == "column" and m.ref is not None]
        self._named = {m.ref for m in columns if m.how in _NAMED and m.score >= _MEANT}
        self._ops = frozenset(cue.op for cue in lattice.question.cues)
        self._today = lattice.question.today

    def features(self, query: Query) -> dict[str, float]:
        """Features of one statement."""
        queries = list(nested(query))
        tables = {self._catalogue.without_role(table) for each in queries for table in each.used_tables()}
        missed = [names for names in self._tables.values() if not names & tables]
        features = {
            "things_missed": float(len(missed)),
            "things_met": float(len(self._tables) - len(missed)),
            "amount_main": float(sum(map(self._is_main_amount, _aggregates((query,))))),
            "asks_to_write": float("write" in self._ops),
            "asks_ahead": float("future" in self._ops and not self._reaches_ahead(queries)),
        }
        for name, value in self._lines(queries, tables):
            features[name] = features.get(name, 0.0) + value
        return features

    def _is_main_amount(self, aggregate: Agg) -> bool:
        """Whether a figure is of the sum of money that rows are about."""
        tables = ((ref, self._catalogue.tables.get(ref.table)) for ref in refs_of(aggregate))
        return aggregate.fn != "count" and any(info is not None and info.amount == ref for ref, info in tables)

    def _lines(self, queries: Sequence[Query], tables: Set[str]) -> Iterator[tuple[str, float]]:
        """Figures of lines though what they are lines of is spoken of, and figures of that: the median bill."""
        named = set().union(*self._tables.values()) | {ref.table for ref in self._named if ref is not None}
        aggregates = _aggregates(queries)
        grouped = {plain_ref(expr) for each in queries for expr in each.group}
        for name in tables & named:
            info = self._catalogue.tables.get(name)
            if info is None or info.grain is None:
                continue
            met = info.grain in grouped or any(agg.distinct and plain_ref(agg.arg) == info.grain for agg in aggregates)
            of_lines = [agg for agg in aggregates if (ref := plain_ref(agg.arg)) is not None and ref.table == name]
            yield "grain_met", float(met)
            yield "lines_averaged", float(not met and any(agg.fn in _PER_ROW for agg in of_lines))
            yield "lines_counted", float(not met and any(agg.fn == "count" for agg in of_lines))

    def _reaches_ahead(self, queries: Sequence[Query]) -> bool:
        """Whether rows are asked for that are dated ahead, as appointments and due dates are."""
        days = (day for each in queries for cond in each.conditions() for day in literals_of(cond))
        return any(isinstance(day, date) and day > self._today for day in days)


def _tables_by_span(lattice: Lattice) -> dict[TokenSpan, set[str]]:
    """Tables by the words that name them."""
    tables: dict[TokenSpan, set[str]] = {}
    for mention in lattice.mentions:
        if mention.kind == "table" and mention.score >= _MEANT and mention.ref is not None:
            tables.setdefault(mention.span, set()).add(mention.ref.table)
    return tables


def _aggregates(queries: Sequence[Query]) -> set[Agg]:
    return {aggregate for each in queries for expr in each.expressions() for aggregate in aggregates_in(expr)}
