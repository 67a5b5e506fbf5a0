"""Writes expressions and conditions of a `Query` as sqlglot syntax trees, in the scope of one SELECT."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

from msgspec import Struct, field
from sqlglot import exp

from kbtui.nl2sql import windows
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Edge
from kbtui.nl2sql.column_casts import cast_number
from kbtui.nl2sql.date_casts import cast_date
from kbtui.nl2sql.date_formats import has_time
from kbtui.nl2sql.date_units import are_days, comparison, days_between, figure_of, label_of, years_until
from kbtui.nl2sql.hundredths import in_main_unit
from kbtui.nl2sql.joins import JoinGraph
from kbtui.nl2sql.query import (
    INNER,
    Agg,
    AnyOf,
    Arith,
    Col,
    Cond,
    Expr,
    Over,
    Part,
    Query,
    Ref,
    Years,
    has_one_row,
    refs_of,
)  # fmt: skip


class Scope(Struct):
    """The context of expressions in one SELECT.

    Attributes:
        names: Alias of each table in FROM.
        edges: The joined edges.
        qualify: Whether columns are written with their table.
        flat: See `Query.flat`.
        group: Expressions of GROUP BY.
        per: Expressions that windows are partitioned by.
        replaced: Expressions that a derived table has calculated, with the columns they are read from.
    """

    names: dict[str, str] = field(default_factory=dict)
    edges: tuple[Edge, ...] = ()
    qualify: bool = False
    flat: bool = False
    group: tuple[Expr, ...] = ()
    per: tuple[Expr, ...] = ()
    replaced: dict[Expr, exp.Expr] = field(default_factory=dict)


class Expressions:
    """Writes expressions and conditions.

    Args:
        subquery: Writes a query inside a condition; its second argument is whether NULLs are left out.
    """

    def __init__(self, catalogue: Catalogue, joins: JoinGraph, subquery: Callable[[Query, bool], exp.Query]) -> None:
        self._catalogue = catalogue
        self._joins = joins
        self._subquery = subquery
        self.dialect = catalogue.dialect

    # ---- expressions ----

    def shown(self, expr: Expr, scope: Scope) -> exp.Expr:
        """The expression for SELECT and GROUP BY; encoded numbers and dates stay text."""
        if expr in scope.replaced:
            return scope.replaced[expr].copy()
        match expr:
            case Col(ref, fold):
                return exp.Lower(this=self.column(ref, scope)) if fold else self.column(ref, scope)
            case Part(unit, arg):
                return label_of(self.value(arg, scope), unit, self.dialect)
            case Arith():
                return self._arith(expr, scope)
            case Years(arg, until) if not self.is_date(arg):
                return exp.paren(exp.Sub(this=self.literal(until.year), expression=self.value(arg, scope)), copy=False)
            case Years(arg, until):
                return years_until(self.literal(until), self.value(arg, scope), self.dialect)
            case Agg():
                return self._aggregate(expr, scope)
            case Over():
                return self._window(expr, scope)

    def value(self, expr: Expr, scope: Scope) -> exp.Expr:
        """The expression for calculations and comparisons; encoded numbers and dates are cast."""
        if isinstance(expr, Col) and not expr.fold and expr not in scope.replaced:
            return self._cast(expr.ref, self.column(expr.ref, scope))
        if isinstance(expr, Part) and expr not in scope.replaced:
            return figure_of(self.value(expr.arg, scope), expr.unit, self.dialect)
        return self.shown(expr, scope)

    def sorted_by(self, expr: Expr, scope: Scope) -> exp.Expr:
        """The expression for ORDER BY; labels of dates sort as text."""
        return self.shown(expr, scope) if isinstance(expr, Part) else self.value(expr, scope)

    def column(self, ref: Ref, scope: Scope) -> exp.Expr:
        """The column, or ``*``."""
        name = scope.names.get(ref.table)
        table = exp.to_identifier(name, quoted=True) if scope.qualify and name else None
        this = exp.Star() if ref.column == "*" else exp.to_identifier(ref.column, quoted=True)
        return this if ref.column == "*" and table is None else exp.Column(this=this, table=table)

    def _cast(self, ref: Ref, column: exp.Expr) -> exp.Expr:
        info = self._catalogue.column(ref)
        if info is None or not info.encoding:
            return column
        if info.encoding == "hundredths":
            return in_main_unit(column)
        return (cast_number if info.encoding == "number" else cast_date)(column, info, self.dialect)

    def _arith(self, expr: Arith, scope: Scope) -> exp.Expr:
        left = self.value(expr.left, scope)
        if isinstance(expr.right, int | float):
            right = self.literal(expr.right)
        else:
            if expr.op == "-" and self.is_date(expr.left) and self.is_date(expr.right):
                timed = self._has_time(expr.left) or self._has_time(expr.right)
                return days_between(
                    self._as_date(expr.left, scope), self._as_date(expr.right, scope), timed, self.dialect
                )
            right = self.value(expr.right, scope)
        if expr.op == "/":
            # Some engines divide integers to integers, and division by zero must give NULL.
            return windows.ratio(left, right)
        kinds: dict[str, Any] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul}
        return exp.paren(kinds[expr.op](this=left, expression=right), copy=False)

    def _as_date(self, expr: Expr, scope: Scope) -> exp.Expr:
        """The expression as a date, even if it is cut to a day."""
        if isinstance(expr, Part) and self.dialect != "sqlite":
            return exp.cast(self.value(expr.arg, scope), "DATE")
        return self.value(expr, scope)

    # ---- aggregates ----

    def argument(self, agg: Agg, scope: Scope) -> exp.Expr:
        """The argument of an aggregate; NULL for rows that do not meet its conditions."""
        counts_all = isinstance(agg.arg, Col) and agg.arg.ref.column == "*"
        if counts_all:
            key = self.counted_key(agg, scope)
            item = self.column(key, scope) if key is not None else exp.Literal.number(1)
        elif agg.fn == "count":
            item = self._counted_item(agg, scope)
        else:
            item = self.value(agg.arg, scope)
        if not agg.where:
            return item
        case = exp.Case().when(self.all_of(agg.where, scope), item, copy=False)
        return case.else_(exp.Literal.number(0)) if agg.fn == "sum" else case

    def _counted_item(self, agg: Agg, scope: Scope) -> exp.Expr:
        """The column to count; if the join repeats rows, the key of the rows with a value."""
        item = self.shown(agg.arg, scope)
        key = self.counted_key(agg, scope)
        if key is None or (isinstance(agg.arg, Col) and agg.arg.ref == key):
            return item
        present = exp.Not(this=exp.Is(this=item, expression=exp.Null()))
        return exp.Case().when(present, self.column(key, scope), copy=False)

    def counted_key(self, agg: Agg, scope: Scope) -> Ref | None:
        """The key whose distinct values are counted because the join repeats rows; None if it does not."""
        table = self.repeated(agg, scope)
        return self.key_of(table) if table and agg.fn == "count" else None

    def key_of(self, table: str) -> Ref | None:
        """The key of a table or role; None if it has none."""
        info = self._catalogue.tables.get(table)
        return Ref(table, info.key.column) if info is not None and info.key is not None else None

    def repeated(self, agg: Agg, scope: Scope) -> str:
        """The table whose rows are repeated by the join but must count once; empty if there is none."""
        counts_all = isinstance(agg.arg, Col) and agg.arg.ref.column == "*"
        if scope.flat or agg.fn in ("min", "max") or (agg.distinct and not counts_all):
            return ""
        tables = list(dict.fromkeys(ref.table for ref in refs_of(agg.arg) if ref.table != INNER))
        if not tables or not all(self._joins.multiplied(table, scope.edges) for table in tables):
            return ""
        return tables[0] if self.key_of(tables[0]) is not None else ""

    def _aggregate(self, agg: Agg, scope: Scope) -> exp.Expr:
        counts_all = isinstance(agg.arg, Col) and agg.arg.ref.column == "*"
        key = self.counted_key(agg, scope)
        if counts_all and key is None and not agg.where:
            return exp.Count(this=exp.Star())
        distinct = agg.distinct and not counts_all
        return self.figure(agg, self.argument(agg, scope), distinct=distinct or key is not None)

    def figure(self, agg: Agg, item: exp.Expr, *, distinct: bool) -> exp.Expr:
        """The aggregate function applied to an expression."""
        kinds: dict[str, type[exp.Expr]] = {
            **{"count": exp.Count, "sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max},
            "stddev": exp.StddevSamp,
        }
        if agg.fn in kinds:
            return kinds[agg.fn](this=exp.Distinct(expressions=[item]) if distinct else item)
        level = exp.Literal.number("0.5" if agg.fn == "median" else repr(float(agg.level)))
        if self.dialect == "duckdb":
            return exp.Anonymous(this="quantile_cont", expressions=[item, level])
        order = exp.Order(expressions=[exp.Ordered(this=item, nulls_first=False)])
        return exp.WithinGroup(this=exp.PercentileCont(this=level), expression=order)

    def _window(self, expr: Over, scope: Scope) -> exp.Expr:
        """A window over groups: within `Query.per`, or over earlier periods of the same group."""
        figure = self.shown(expr.arg, scope)
        if expr.kind == "share":
            return windows.share(figure, [self.shown(item, scope) for item in scope.per])
        period = next((item for item in scope.group if isinstance(item, Part)), scope.group[0] if scope.group else None)
        if period is None:
            # A single group has no group before it.
            return figure if expr.kind == "running" else windows.null()
        partition = [self.shown(item, scope) for item in scope.group if item != period]
        order = self.sorted_by(period, scope)
        if expr.kind == "running":
            return windows.running(figure, partition, order)
        if expr.kind == "change":
            return windows.change(figure, partition, order)
        return windows.change_year(figure, partition, order, period.unit if isinstance(period, Part) else "year")

    # ---- conditions ----

    def all_of(self, conds: tuple[Cond | AnyOf, ...], scope: Scope) -> exp.Expr:
        """The conjunction of conditions."""
        parts = [self.condition(cond, scope) for cond in conds]
        return exp.and_(*parts, copy=False) if len(parts) > 1 else parts[0]

    def condition(self, cond: Cond | AnyOf, scope: Scope) -> exp.Expr:
        """One condition, or a disjunction."""
        if isinstance(cond, AnyOf):
            return exp.or_(*(self.condition(item, scope) for item in cond.conds), copy=False)
        if cond.op in ("null", "not null"):
            return self._null_condition(cond, scope)
        if isinstance(cond.right, Query):
            return self._subquery_condition(cond, cond.right, scope)
        if are_days(cond.right) and not isinstance(cond.left, Part) and self._has_time(cond.left):
            return self._day_condition(cond, scope)
        left = self._left_side(cond, scope)
        literal = self._literal_writer(cond.fold)
        values: Any = cond.right
        match cond.op:
            case "between":
                return exp.Between(this=left, low=literal(values[0]), high=literal(values[1]))
            case "in" | "not in":
                listed = exp.In(this=left, expressions=[literal(item) for item in values])
                return exp.Not(this=listed) if cond.op == "not in" else listed
            case "like" | "not like":
                like = exp.Like(this=left, expression=literal(cond.right))
                return exp.Not(this=like) if cond.op == "not like" else like
        right = self.value(cond.right, scope) if isinstance(cond.right, Expr) else literal(cond.right)
        return comparison(cond.op, left, right)

    def _left_side(self, cond: Cond, scope: Scope) -> exp.Expr:
        """The left side in the type of the right side: text for text, numbers for numbers."""
        right = cond.right
        sample = next((item for item in right if item is not None), None) if isinstance(right, tuple) else right
        if isinstance(sample, Expr):
            return self.value(cond.left, scope)
        if isinstance(sample, str):
            text = self.shown(cond.left, scope)
            return exp.Lower(this=text) if cond.fold else text
        if isinstance(cond.left, Part) and isinstance(sample, date):
            return self.shown(cond.left, scope)
        return self.value(cond.left, scope)

    def _literal_writer(self, fold: bool) -> Callable[[Any], exp.Expr]:
        def literal(value: Any) -> exp.Expr:
            sql_literal = self.literal(value)
            return exp.Lower(this=sql_literal) if fold and isinstance(value, str) else sql_literal

        return literal

    def literal(self, value: Any) -> exp.Expr:
        """A literal of the dialect."""
        if isinstance(value, date):
            text = value.isoformat(sep=" ", timespec="seconds") if isinstance(value, datetime) else value.isoformat()
            sql_literal = exp.Literal.string(text)
            if self.dialect in ("sqlite", "duckdb", "postgres", "mysql"):
                return sql_literal
            return exp.cast(sql_literal, "TIMESTAMP" if isinstance(value, datetime) else "DATE")
        if isinstance(value, str | bool | int | float) or value is None:
            return exp.convert(value)
        return exp.convert(float(value))

    def _null_condition(self, cond: Cond, scope: Scope) -> exp.Expr:
        """Whether a value is missing; empty text counts as missing if the column has it."""
        item = self.shown(cond.left, scope)
        empty: exp.Expr = exp.Is(this=item, expression=exp.Null())
        info = self._info(cond.left) if isinstance(cond.left, Col) else None
        if info is not None and any(value == "" for value, _ in info.values):
            blank = exp.EQ(this=item.copy(), expression=exp.Literal.string(""))
            empty = exp.paren(exp.or_(empty, blank, copy=False), copy=False)
        return exp.Not(this=empty) if cond.op == "not null" else empty

    def _day_condition(self, cond: Cond, scope: Scope) -> exp.Expr:
        """Timestamps compared with whole days, of which the last one is included."""
        item = self.value(cond.left, scope)

        def at(op: str, day: date, later: int = 0) -> exp.Expr:
            return comparison(op, item.copy(), self.literal(day + timedelta(days=later)))

        def within(first: date, last: date) -> exp.Expr:
            return exp.paren(exp.and_(at(">=", first), at("<", last, 1), copy=False), copy=False)

        right: Any = cond.right
        match cond.op:
            case "between":
                return exp.and_(at(">=", right[0]), at("<", right[1], 1), copy=False)
            case "=":
                return exp.and_(at(">=", right), at("<", right, 1), copy=False)
            case "!=":
                return exp.paren(exp.or_(at("<", right), at(">=", right, 1), copy=False), copy=False)
            case ">":
                return at(">=", right, 1)
            case "<=":
                return at("<", right, 1)
            case "in" | "not in":
                days = exp.paren(exp.or_(*(within(day, day) for day in right), copy=False), copy=False)
                return exp.Not(this=days) if cond.op == "not in" else days
        return at(cond.op, right)

    def _subquery_condition(self, cond: Cond, query: Query, scope: Scope) -> exp.Expr:
        op = cond.op
        if op in ("=", "!=") and not has_one_row(query):
            op = "in" if op == "=" else "not in"
        plain = isinstance(cond.left, Col) or cond.left in scope.replaced
        left = self.shown(cond.left, scope) if plain and op in ("in", "not in") else self.value(cond.left, scope)
        if op in ("in", "not in"):
            inner = self._subquery(query, op == "not in")
            listed = exp.In(this=left, query=exp.Subquery(this=inner))
            return exp.Not(this=listed) if op == "not in" else listed
        return comparison(op, left, exp.Subquery(this=self._subquery(query, False)))

    # ---- what a column is ----

    def _info(self, expr: Expr) -> ColumnInfo | None:
        ref = next(refs_of(expr), None)
        return self._catalogue.column(ref) if ref is not None else None

    def is_date(self, expr: Expr) -> bool:
        """Whether the expression is a date or timestamp."""
        if isinstance(expr, Agg):
            return expr.fn in ("min", "max") and self.is_date(expr.arg)
        info = self._info(expr) if isinstance(expr, Col) else None
        return (isinstance(expr, Part) and expr.unit == "day") or (info is not None and info.kind == "date")

    def _has_time(self, expr: Expr) -> bool:
        info = self._info(expr) if self.is_date(expr) and not isinstance(expr, Part) else None
        return info is not None and has_time(info)

    def may_be_null(self, expr: Expr) -> bool:
        """Whether the expression may be NULL for some rows or groups."""
        match expr:
            case Col():
                info = self._info(expr)
                return info is None or info.nulls > 0 or info.encoding in ("number", "date")
            case Part(arg=arg) | Years(arg=arg):
                return self.may_be_null(arg)
            case Agg(fn=fn, arg=arg):
                return fn != "count" and (bool(expr.where) or self.may_be_null(arg))
        return True
