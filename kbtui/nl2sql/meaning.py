"""Whether a statement is about what the words name: the sum, the event, the date, the thing that is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from datetime import date
from typing import Final

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.lexicon import is_kind, lexicon
from kbtui.nl2sql.query import Agg, Cond, Part, Query, Ref, aggregates, aggregates_in, refs_of
from kbtui.nl2sql.shape import literals_of, main_table, nested, plain_ref
from kbtui.nl2sql.topic import MEANT, heads, numbered, tables_by_span
from kbtui.question.model import TokenSpan

_NAMED: Final = ("exact", "stem", "part", "abbreviation", "typo")
"""Links by the words of a name, not by their meaning."""
_SHORT: Final = 2
"""Letters of a value that may be any word."""
_SUPERLATIVES: Final = ("most", "top", "common")
_PER_ROW: Final = ("avg", "median", "min", "max", "stddev", "percentile")
"""Functions whose figure is another one for the lines of bills than for bills."""
_ALL: Final = re.compile(r"(?:\ball(?: of)?(?: the)?\b|所有的?|全部的?)\s*")
"""Words behind which things stand together: the average age of all students is one figure."""
_LIFE: Final = frozenset(("birth", "death", "married_on", "graduated"))
"""Dates of a life, which nothing but their own words asks for."""
_RIVAL: Final = 0.15
"""How much worse a column of the main table may fit the words of one elsewhere and still be meant."""


class Meaning:
    """What the words of one question name in its catalogue."""

    def __init__(self, lattice: Lattice) -> None:
        self._catalogue: Catalogue = lattice.catalogue
        self._tables = tables_by_span(lattice)
        columns = [m for m in lattice.mentions if m.kind == "column" and m.ref is not None]
        self._dates = {m.ref: max(m.score, 0.0) for m in sorted(columns, key=lambda m: m.score) if self._is_date(m.ref)}
        # A date that ends before the period is not the one that is meant, whatever its name.
        self._dates = {ref: score for ref, score in self._dates.items() if self._reaches(ref, lattice)} or self._dates
        self._named = {m.ref for m in columns if m.how in _NAMED and m.score >= MEANT}
        superlatives = [cue for cue in lattice.question.cues if cue.op in _SUPERLATIVES]
        cues = {cue.span for cue in superlatives}
        self._ranked_concepts = {str(cue.args["concept"]) for cue in superlatives if "concept" in cue.args}
        self._ranked = {m.ref for m in columns if m.order and (m.span in cues or not m.comparative)}
        names = [m for m in lattice.mentions if m.kind in ("table", "column") and m.how in _NAMED]
        self._ops = frozenset(cue.op for cue in lattice.question.cues)
        self._today = lattice.question.today
        self._name_scores = {m.span: m.score for m in sorted(names, key=lambda m: m.score)}
        self._heads = {self._catalogue.without_role(name) for name in heads(lattice)}
        self._by_words = _by_span(columns)
        self._numbered = numbered(lattice)
        ends = {match.end() for match in _ALL.finditer(lattice.question.text.lower())}
        self._behind_all = {at for at, token in enumerate(lattice.question.tokens) if token.start in ends}
        self._common = any(cue.op == "common" and cue.weight >= MEANT for cue in lattice.question.cues)

    def features(self, query: Query, uses: Sequence[Use]) -> dict[str, float]:
        """Features of one candidate."""
        queries = list(nested(query))
        tables = {self._catalogue.without_role(table) for each in queries for table in each.used_tables()}
        missed = [names for names in self._tables.values() if not names & tables]
        found = {"things_missed": float(len(missed)), "things_met": float(len(self._tables) - len(missed))}
        for name, value in self._facts(query, queries, uses):
            found[name] = found.get(name, 0.0) + value
        return found

    def _facts(self, query: Query, queries: Sequence[Query], uses: Sequence[Use]) -> Iterator[tuple[str, float]]:
        aggregates = {agg for expr in query.expressions() for agg in aggregates_in(expr)}
        yield from self._amounts(aggregates)
        yield from self._counts(aggregates)
        yield from self._numbers(queries)
        yield from self._lines(queries)
        yield from self._rows_ranked(query, uses)
        yield from self._periods(queries)
        yield from self._dated(query, queries)
        yield from self._buckets(query)
        yield from self._values(uses)
        yield from self._things(query, uses)
        everything = [use for use in uses if use.role == "group" and use.mention.span.first in self._behind_all]
        yield "groups_all", float(bool(query.group and everything))
        yield from self._unshown(query, uses)
        yield "asks_to_write", float("write" in self._ops)
        yield "asks_ahead", float("future" in self._ops and not self._reaches_ahead(queries))
        if self._ranked and query.order:
            ref = plain_ref(query.order[0].expr)
            yield "ranks_named", float(ref in self._ranked)
            yield "ranks_other", float(ref not in self._ranked)

    def _reaches(self, ref: Ref | None, lattice: Lattice) -> bool:
        days = [day for each in lattice.question.periods for day in (each.first, each.last) if day is not None]
        column = self._catalogue.column(ref) if ref is not None else None
        return column is None or not days or not column.is_beyond(days)

    def _is_date(self, ref: Ref | None) -> bool:
        column = self._catalogue.column(ref) if ref is not None else None
        return column is not None and column.kind == "date"

    def _amounts(self, aggregates: Set[Agg]) -> Iterator[tuple[str, float]]:
        """Sums of money in the figures: that which rows are about, or another one that no word names."""
        for aggregate in aggregates:
            for ref in set(refs_of(aggregate)):
                info = self._catalogue.tables.get(ref.table)
                if info is None or info.amount is None or aggregate.fn == "count":
                    continue
                yield "amount_main", float(info.amount == ref)
                yield "amount_other", float(info.amount != ref and ref not in self._named)
                column = self._catalogue.column(ref)
                yield "amount_calculated", float(column is not None and column.formula is not None)

    def _counts(self, aggregates: Set[Agg]) -> Iterator[tuple[str, float]]:
        """Rows counted: of a table that is named, or of another one though some are."""
        named = set().union(*self._tables.values())
        for aggregate in aggregates:
            ref = self._counted(aggregate)
            if ref is not None and named:
                yield "counts_named", float(self._catalogue.without_role(ref.table) in named)
                yield "counts_unnamed", float(self._catalogue.without_role(ref.table) not in named)

    def _counted(self, aggregate: Agg) -> Ref | None:
        """What is counted: rows of a table, or what they are lines of."""
        ref = plain_ref(aggregate.arg) if aggregate.fn == "count" else None
        info = self._catalogue.tables.get(ref.table) if ref is not None else None
        is_grain = info is not None and aggregate.distinct and info.grain == ref
        return ref if ref is not None and (is_grain or ref.column == "*") else None

    def _numbers(self, queries: Sequence[Query]) -> Iterator[tuple[str, float]]:
        """Conditions with the number of some things (more than 3 sales): on how many they are, or on something else."""
        if not self._numbered:
            return
        for cond in (cond for each in queries for cond in each.conditions()):
            tables = set[str]().union(
                *(self._numbered.get(value, ()) for value in literals_of(cond) if _is_number(value))
            )
            if not tables:
                continue
            aggregates = list(aggregates_in(cond.left))
            refs = [self._counted(aggregate) for aggregate in aggregates]
            rows = any(ref is not None and self._catalogue.without_role(ref.table) in tables for ref in refs)
            yield "number_counts_things", float(rows)
            yield "number_of_things_elsewhere", float(all(aggregate.fn != "count" for aggregate in aggregates))

    def _lines(self, queries: Sequence[Query]) -> Iterator[tuple[str, float]]:
        """Figures of lines though what they are lines of is spoken of, and figures of that: the median bill."""
        named = set().union(*self._tables.values()) | {ref.table for ref in self._named if ref is not None}
        expressions = [expr for each in queries for expr in each.expressions()]
        aggregates = {agg for expr in expressions for agg in aggregates_in(expr)}
        grouped = {plain_ref(expr) for each in queries for expr in each.group}
        for name in {self._catalogue.without_role(table) for each in queries for table in each.used_tables()} & named:
            info = self._catalogue.tables.get(name)
            if info is None or info.grain is None:
                continue
            met = info.grain in grouped or any(agg.distinct and plain_ref(agg.arg) == info.grain for agg in aggregates)
            of_lines = [agg for agg in aggregates if (ref := plain_ref(agg.arg)) is not None and ref.table == name]
            yield "grain_met", float(met)
            yield "lines_averaged", float(not met and any(agg.fn in _PER_ROW for agg in of_lines))
            yield "lines_counted", float(not met and any(agg.fn == "count" for agg in of_lines))

    def _rows_ranked(self, query: Query, uses: Sequence[Use]) -> Iterator[tuple[str, float]]:
        """Rows ranked by a column that no word names and a superlative does not mean: no height is the busiest."""
        if query.group or query.limit is None or not query.order or not self._ranked_concepts:
            return
        ref = plain_ref(query.order[0].expr)
        column = self._catalogue.column(ref) if ref is not None and not aggregates(query.order[0].expr) else None
        if column is None:
            return
        named = any(use.mention.ref == ref for use in uses)
        meant = any(_is_meant(concept, column) for concept in self._ranked_concepts)
        yield "ranks_off_concept", float(not named and not meant)

    def _periods(self, queries: Sequence[Query]) -> Iterator[tuple[str, float]]:
        """Conditions on dates: on the one that a word names, or on another though one is named."""
        conds = [cond for each in queries for cond in each.conditions()]
        conds += [c for each in queries for expr in each.select for agg in aggregates_in(expr) for c in agg.where]
        states = {plain_ref(cond.left) for cond in conds if cond.op in ("null", "not null")}
        states = {ref for ref in states if self._is_date(ref)}
        for cond in filter(_is_period, conds):
            ref = plain_ref(cond.left)
            if ref is not None and states:
                yield "period_off_state", float(ref not in states)
            if ref is None or not self._dates:
                continue
            mine, best = self._dates.get(ref, 0.0), max(self._dates.values())
            yield "date_named", float(mine >= MEANT)
            yield "date_behind", best - mine

    def _dated(self, query: Query, queries: Sequence[Query]) -> Iterator[tuple[str, float]]:
        """Dates of periods and groups: two different ones in a statement, one of a life that no word names."""
        figures = (aggregate for expr in query.select for aggregate in aggregates_in(expr))
        conds = [cond for each in queries for cond in each.conditions()]
        conds += [cond for aggregate in figures for cond in aggregate.where]
        periods = {ref for cond in filter(_is_period, conds) if (ref := plain_ref(cond.left)) is not None}
        buckets = {ref for expr in query.group if isinstance(expr, Part) and (ref := plain_ref(expr)) is not None}
        yield "bucket_off_period", float(bool(periods and buckets) and periods.isdisjoint(buckets))
        used = [info for ref in periods | buckets if (info := self._catalogue.column(ref)) is not None]
        unnamed = [info for info in used if self._dates.get(info.ref, 0.0) < MEANT]
        yield "date_of_life", float(sum(not _LIFE.isdisjoint(info.concepts) for info in unnamed))

    def _buckets(self, query: Query) -> Iterator[tuple[str, float]]:
        """Groups by parts of a date: of the one that a word names, or of another though one is named."""
        for ref in {ref for expr in query.group if isinstance(expr, Part) and (ref := plain_ref(expr)) is not None}:
            if self._dates:
                mine, best = self._dates.get(ref, 0.0), max(self._dates.values())
                yield "bucket_named", float(mine >= MEANT)
                yield "bucket_behind", best - mine

    def _things(self, query: Query, uses: Sequence[Use]) -> Iterator[tuple[str, float]]:
        """Whose rows are listed or left over: those of the thing asked for, or of one that only describes it."""
        main = main_table(query)
        if not main:
            return
        main = self._catalogue.without_role(main)
        if self._heads and not query.group:
            off = float(main not in self._heads)
            yield "head_not_listed", off * (not any(map(aggregates, query.select)))
            anti = any(cond.op == "not in" and isinstance(cond.right, Query) for cond in query.conditions())
            yield "head_not_left_over", off * anti
        ranked = plain_ref(query.order[0].expr) if query.order and not aggregates(query.order[0].expr) else None
        # The busiest ward is not the one with the most beds.
        yield "common_by_attribute", float(self._common and ranked is not None and query.limit is not None)
        for mention in (use.mention for use in uses if use.mention.kind == "column" and use.mention.ref is not None):
            rivals = self._by_words.get(mention.span, {})
            own = max(
                (score for ref, score in rivals.items() if self._catalogue.without_role(ref.table) == main), default=0.0
            )
            passed = mention.ref is not None and self._catalogue.without_role(mention.ref.table) != main
            yield "own_column_passed", float(passed and own >= mention.score - _RIVAL)

    def _unshown(self, query: Query, uses: Sequence[Use]) -> Iterator[tuple[str, float]]:
        """Things listed with others of which no column is shown: books with their author."""
        if query.group or any(map(aggregates, query.select)):
            return
        shown = {self._catalogue.without_role(ref.table) for expr in query.select for ref in refs_of(expr)}
        named = [use.mention.ref for use in uses if use.role == "subject" and use.mention.ref is not None]
        hidden = [ref for ref in named if self._catalogue.without_role(ref.table) not in shown]
        yield "beside_unshown", float(len(hidden))

    def _reaches_ahead(self, queries: Sequence[Query]) -> bool:
        """Whether rows are asked for that are dated ahead, as appointments and due dates are."""
        days = (day for each in queries for cond in each.conditions() for day in literals_of(cond))
        return any(isinstance(day, date) and day > self._today for day in days)

    def _values(self, uses: Sequence[Use]) -> Iterator[tuple[str, float]]:
        """Values whose words are the name of a table or column as well, and values of a letter or two."""
        for mention in (use.mention for use in uses if use.mention.kind == "value"):
            yield "value_is_name", self._name_scores.get(mention.span, 0.0)
            texts = [value for value in mention.values if isinstance(value, str)]
            short = bool(texts) and all(len(text) <= _SHORT and text.isascii() for text in texts)
            yield "value_short", float(short and mention.how != "quoted")
            yield "value_in_part", float(mention.how == "part")


def _is_meant(concept: str, column: ColumnInfo) -> bool:
    """Whether a superlative of a concept can rank by a column."""
    if concept == "time" or column.kind == "date":
        return concept == "time" and column.kind == "date"
    if concept in ("money", "sales"):
        return is_kind(column.concepts, "money") or (concept == "sales" and "quantity" in column.concepts)
    return not column.concepts.isdisjoint((concept, *lexicon().near.get(concept, ())))


def _by_span(columns: Iterable[Mention]) -> dict[TokenSpan, dict[Ref, float]]:
    found: dict[TokenSpan, dict[Ref, float]] = {}
    for mention in columns:
        if mention.ref is not None:
            scores = found.setdefault(mention.span, {})
            scores[mention.ref] = max(mention.score, scores.get(mention.ref, 0.0))
    return found


def _is_period(cond: Cond) -> bool:
    literals = literals_of(cond)
    return bool(literals) and isinstance(literals[0], date)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float)
