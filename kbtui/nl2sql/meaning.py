"""Features of whether a statement uses what the words name: the amount, the event, the date, the subject."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from datetime import date
from typing import Final

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Agg, Part, Query, Ref, aggregates, aggregates_in, refs_of
from kbtui.nl2sql.shape import literals_of, main_table, nested, plain_ref
from kbtui.question.followup_cues import is_fragment
from kbtui.question.model import TokenSpan

_NAME_LINKS: Final = ("exact", "stem", "part", "abbreviation", "typo")
"""Links by the words of a name, not by meaning."""
_MAX_SHORT: Final = 2
"""Letters of a value that may be any word."""
_SUPERLATIVES: Final = ("most", "top", "common")
_PER_ROW: Final = ("avg", "median", "min", "max", "stddev", "percentile")
"""Functions whose result differs between the lines of invoices and whole invoices."""
_ALL_PHRASE: Final = re.compile(r"(?:\ball(?: of)?(?: the)?\b|所有的?|全部的?)\s*")
"""Words before things that are meant together: the average age of all students is one figure."""


class Meaning:
    """The tables, columns and dates that the words of one question name."""

    def __init__(self, lattice: Lattice) -> None:
        self._catalogue: Catalogue = lattice.catalogue
        self._tables = tables_by_span(lattice)
        columns = [m for m in lattice.mentions if m.kind == "column" and m.ref is not None]
        self._named_columns = {m.ref for m in columns if m.how in _NAME_LINKS and m.score >= MIN_SCORE}
        self._dates = {m.ref: max(m.score, 0.0) for m in sorted(columns, key=lambda m: m.score) if self._is_date(m.ref)}
        # A date column that ends before the period is not meant, whatever its name.
        self._dates = {ref: score for ref, score in self._dates.items() if self._reaches(ref, lattice)} or self._dates
        superlatives = {cue.span for cue in lattice.question.cues if cue.op in _SUPERLATIVES}
        self._ranked = {m.ref for m in columns if m.order and (m.span in superlatives or not m.comparative)}
        names = [m for m in lattice.mentions if m.kind in ("table", "column") and m.how in _NAME_LINKS]
        self._name_scores = {m.span: m.score for m in sorted(names, key=lambda m: m.score)}
        self._heads = {self._catalogue.without_role(name) for name in head_tables(lattice)}
        ends = {match.end() for match in _ALL_PHRASE.finditer(lattice.question.text.lower())}
        self._after_all = {at for at, token in enumerate(lattice.question.tokens) if token.start in ends}
        self._ops = frozenset(cue.op for cue in lattice.question.cues)
        self._today = lattice.question.today
        self._is_fragment = is_fragment(lattice.question)

    def features(self, query: Query, uses: Sequence[Use]) -> dict[str, float]:
        """Features of one candidate: name to value."""
        queries = list(nested(query))
        tables = {self._catalogue.without_role(table) for subquery in queries for table in subquery.used_tables()}
        unread_tables = [names for names in self._tables.values() if not names & tables]
        figures = _aggregates((query,))
        all_groups = [use for use in uses if use.role == "group" and use.mention.span.first in self._after_all]
        features = {
            "things_missed": float(len(unread_tables)),
            "things_met": float(len(self._tables) - len(unread_tables)),
            "amount_main": float(sum(map(self._is_main_amount, figures))),
            "groups_all": float(bool(query.group and all_groups)),
            "head_not_listed": float(self._lists_other_table(query)),
            "fragment": float(self._is_fragment),
            "asks_to_write": float("write" in self._ops),
            "asks_ahead": float("future" in self._ops and not self._reaches_ahead(queries)),
        }
        if self._ranked and query.order:
            is_named = plain_ref(query.order[0].expr) in self._ranked
            features |= {"ranks_named": float(is_named), "ranks_other": float(not is_named)}
        for name, value in (
            *self._count_features(figures),
            *self._grain_features(queries, tables),
            *self._date_part_features(query),
            *self._value_features(uses),
        ):
            features[name] = features.get(name, 0.0) + value
        return features

    def _lists_other_table(self, query: Query) -> bool:
        """Whether rows of another table are listed than the question asks for, such as one that only describes it."""
        main = main_table(query)
        if not main or not self._heads or query.group or any(map(aggregates, query.select)):
            return False
        return self._catalogue.without_role(main) not in self._heads

    def _reaches(self, ref: Ref | None, lattice: Lattice) -> bool:
        days = [day for period in lattice.question.periods for day in (period.first, period.last) if day is not None]
        column = self._catalogue.column(ref) if ref is not None else None
        return column is None or not days or not column.is_beyond(days)

    def _is_date(self, ref: Ref | None) -> bool:
        column = self._catalogue.column(ref) if ref is not None else None
        return column is not None and column.kind == "date"

    def _count_features(self, aggregates: Set[Agg]) -> Iterator[tuple[str, float]]:
        """Counted rows of mentioned tables, or of others although some are mentioned."""
        mentioned = set().union(*self._tables.values())
        for aggregate in aggregates:
            ref = self._counted(aggregate)
            if ref is not None and mentioned:
                yield "counts_named", float(self._catalogue.without_role(ref.table) in mentioned)
                yield "counts_unnamed", float(self._catalogue.without_role(ref.table) not in mentioned)

    def _counted(self, aggregate: Agg) -> Ref | None:
        """The column that is counted: rows of a table, or of what they are lines of; None for other aggregates."""
        ref = plain_ref(aggregate.arg) if aggregate.fn == "count" else None
        info = self._catalogue.tables.get(ref.table) if ref is not None else None
        is_grain = info is not None and aggregate.distinct and info.grain == ref
        return ref if ref is not None and (is_grain or ref.column == "*") else None

    def _is_main_amount(self, aggregate: Agg) -> bool:
        """Whether an aggregate is of the amount of a table."""
        tables = ((ref, self._catalogue.tables.get(ref.table)) for ref in refs_of(aggregate))
        return aggregate.fn != "count" and any(info is not None and info.amount == ref for ref, info in tables)

    def _grain_features(self, queries: Sequence[Query], tables: Set[str]) -> Iterator[tuple[str, float]]:
        """Aggregates over lines if the question mentions the whole that they are parts of: the median invoice."""
        mentioned = set().union(*self._tables.values()) | {ref.table for ref in self._named_columns if ref is not None}
        aggregates = _aggregates(queries)
        group_refs = {plain_ref(expr) for query in queries for expr in query.group}
        for name in tables & mentioned:
            info = self._catalogue.tables.get(name)
            if info is None or info.grain is None:
                continue
            uses_grain = info.grain in group_refs or any(
                agg.distinct and plain_ref(agg.arg) == info.grain for agg in aggregates
            )
            line_aggregates = [a for a in aggregates if (ref := plain_ref(a.arg)) is not None and ref.table == name]
            yield "grain_met", float(uses_grain)
            yield "lines_averaged", float(not uses_grain and any(agg.fn in _PER_ROW for agg in line_aggregates))
            yield "lines_counted", float(not uses_grain and any(agg.fn == "count" for agg in line_aggregates))

    def _date_part_features(self, query: Query) -> Iterator[tuple[str, float]]:
        """Groups by parts of a date: of the date that a word names, or of another."""
        for ref in {ref for expr in query.group if isinstance(expr, Part) and (ref := plain_ref(expr)) is not None}:
            if self._dates:
                score, best = self._dates.get(ref, 0.0), max(self._dates.values())
                yield "bucket_named", float(score >= MIN_SCORE)
                yield "bucket_behind", best - score

    def _reaches_ahead(self, queries: Sequence[Query]) -> bool:
        """Whether a condition requires dates in the future, such as appointments and due dates."""
        days = (day for query in queries for cond in query.conditions() for day in literals_of(cond))
        return any(isinstance(day, date) and day > self._today for day in days)

    def _value_features(self, uses: Sequence[Use]) -> Iterator[tuple[str, float]]:
        """Values whose words are also a name, and values of one or two letters."""
        for mention in (use.mention for use in uses if use.mention.kind == "value"):
            yield "value_is_name", self._name_scores.get(mention.span, 0.0)
            texts = [value for value in mention.values if isinstance(value, str)]
            is_short = bool(texts) and all(len(text) <= _MAX_SHORT and text.isascii() for text in texts)
            yield "value_short", float(is_short and mention.how != "quoted")
            yield "value_in_part", float(mention.how == "part")


def _aggregates(queries: Sequence[Query]) -> set[Agg]:
    return {aggregate for query in queries for expr in query.expressions() for aggregate in aggregates_in(expr)}


MIN_SCORE: Final = 0.6
"""Score from which words name a table or a date."""
_MIN_VALUE_SCORE: Final = 0.85
"""Score from which a value may be the head noun: “rabbits seen in may”."""
_MIN_CUE_WEIGHT: Final = 0.5
"""Weight from which a cue takes its words."""


def tables_by_span(lattice: Lattice) -> dict[TokenSpan, set[str]]:
    """Tables by the spans that name them."""
    tables: dict[TokenSpan, set[str]] = {}
    for mention in lattice.mentions:
        if mention.kind == "table" and mention.score >= MIN_SCORE and mention.ref is not None:
            tables.setdefault(mention.span, set()).add(mention.ref.table)
    return tables


def head_tables(lattice: Lattice) -> set[str]:
    """The tables that the head noun may mean; empty if unknown.

    The head noun follows ``which`` and ``is there any``; else it is first in English (tickets of a customer), last in
    Chinese (客户的工单).
    """
    tables = tables_by_span(lattice)
    nouns = {span: names for span, names in tables.items() if not _is_inside(span, tables)}
    is_chinese = lattice.question.language == "zh"
    if not is_chinese:
        for mention in _free_values(lattice):
            if mention.ref is not None and not any(mention.span.overlaps(span) for span in tables):
                nouns.setdefault(mention.span, set()).add(mention.ref.table)
    if not nouns:
        return set()
    order = sorted(nouns)
    cues = [cue.span for cue in lattice.question.cues if cue.op in ("wh", "truth") and cue.weight >= _MIN_CUE_WEIGHT]
    after_cue = [span for span in order if any(cue.first <= span.first <= cue.last for cue in cues)]
    return nouns[after_cue[0] if after_cue else order[-1] if is_chinese else order[0]]


def _free_values(lattice: Lattice) -> Iterator[Mention]:
    """Values whose words belong to no cue, period or number."""
    question = lattice.question
    used_spans = [cue.span for cue in question.cues if cue.weight >= _MIN_CUE_WEIGHT]
    used_spans += [period.span for period in question.periods]
    used_spans += [number.span for number in question.numbers]
    for mention in lattice.mentions:
        if (
            mention.kind == "value"
            and mention.score >= _MIN_VALUE_SCORE
            and not any(mention.span.overlaps(span) for span in used_spans)
        ):
            yield mention


def _is_inside(span: TokenSpan, others: dict[TokenSpan, set[str]]) -> bool:
    return any(span != other and span.within(other) for other in others)
