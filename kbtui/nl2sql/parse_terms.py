"""Parses expressions of SQL to those of a `Query`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR, date
from typing import Any, Final

from msgspec.structs import replace
from sqlglot import exp

from kbtui.nl2sql.date_formats import has_time
from kbtui.nl2sql.date_units import DAYS_OF_YEAR
from kbtui.nl2sql.epochs import epoch_in
from kbtui.nl2sql.hundredths import as_stored, divided
from kbtui.nl2sql.parse_scope import Scope, Unreadable
from kbtui.nl2sql.query import (
    INNER,
    Agg,
    AnyOf,
    Arith,
    Col,
    Cond,
    Expr,
    Function,
    Operation,
    Over,
    Part,
    Query,
    Ref,
    Unit,
    Years,
    aggregates,
)

_FORMATS: Final[dict[str, Unit]] = {
    **{"%Y": "year", "%Y-%m": "month", "%Y-%m-%d": "day", "%m": "month_of_year", "%H": "hour"},
    **{"%w": "weekday", "%u": "weekday", "YYYY": "year", "YYYY-MM": "month", "YYYY-MM-DD": "day"},
}
_FIELDS: Final[dict[str, Unit]] = {
    **{"YEAR": "year", "MONTH": "month_of_year", "HOUR": "hour", "DAYOFWEEK": "weekday", "ISODOW": "weekday"}
}
_CUTS: Final[dict[str, Unit]] = {
    **{"YEAR": "year", "QUARTER": "quarter", "MONTH": "month", "WEEK": "week", "DAY": "day"}
}
_FIGURES: Final[dict[str, Function]] = {
    **{"Sum": "sum", "Avg": "avg", "Min": "min", "Max": "max", "Median": "median"},
    **{"Stddev": "stddev", "StddevSamp": "stddev"},
}
_ARITHMETIC: Final[dict[str, Operation]] = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/"}


class Terms(ABC):
    """Parses expressions of one SELECT.

    Args:
        subquery: Parses a query inside a condition.
    """

    def __init__(self, scope: Scope, subquery: Callable[[exp.Query, Scope], Query]) -> None:
        self.scope = scope
        self.subquery = subquery

    # ---- expressions ----

    def expr(self, node: exp.Expr) -> Expr:
        """The expression of a node.

        Raises:
            Unreadable: A `Query` cannot express it.
        """
        kind = type(node).__name__
        if kind in ("Paren", "Alias", "Round", "Nullif"):
            return self.expr(node.this)
        if kind == "Column":
            return self._column(node)
        if kind in ("Lower", "Upper") and isinstance(inner := self.expr(node.this), Col):
            return Col(inner.ref, fold=True)
        if kind in ("Cast", "TryCast"):
            return self._cast(node)
        if kind in _ARITHMETIC:
            return self._arithmetic(node, _ARITHMETIC[kind])
        if kind in ("Count", "Filter", "PercentileCont", "Quantile", "WithinGroup", *_FIGURES):
            return self._aggregate(node)
        if kind == "Window":
            return self._window(node)
        if kind == "Replace" and (column := self._cast_column(node)) is not None:
            return column
        if kind == "Case" and node.this is not None:
            return self._weekday_by_name(node)
        if (epoch := epoch_in(node)) is not None:
            return self._epoch(*epoch)
        if (part := self._part(node)) is not None:
            return part
        raise Unreadable(node.sql()[:80])

    def _epoch(self, node: exp.Column, form: str) -> Expr:
        """The column of a timestamp since 1970, or the part of it in a strftime format."""
        column = self._column(node)
        if not self.is_date(column) or (form and form not in _FORMATS):
            raise Unreadable(node.sql())
        return Part(_FORMATS[form], column) if form else column

    def _column(self, node: Any) -> Expr:
        if isinstance(node.this, exp.Star):
            table = self.scope.tables.get(node.table.lower())
            if table is None:
                raise Unreadable(node.sql())
            return Col(Ref(table, "*"))
        ref = self.scope.ref(node)
        if ref is None:
            raise Unreadable(node.sql())
        return as_stored(Col(ref), node, self.scope.names.catalogue)

    def _cast(self, node: Any) -> Expr:
        inner = self.expr(node.this)
        kind = node.args["to"].this
        if kind in (exp.DType.DATE, exp.DType.DATE32) and isinstance(inner, Col):
            info = self.scope.names.catalogue.column(inner.ref)
            return inner if info is not None and not has_time(info) else Part("day", inner)
        return inner

    def _cast_column(self, node: Any) -> Expr | None:
        """The column inside an expression that casts its text to a number or a date; None for other expressions."""
        columns = list(node.find_all(exp.Column))
        refs = {self.scope.ref(column) for column in columns}
        if len(refs) != 1 or None in refs:
            return None
        ref = refs.pop()
        info = self.scope.names.catalogue.column(ref) if ref is not None else None
        return Col(info.ref) if info is not None and info.encoding else None

    def _arithmetic(self, node: Any, op: Operation) -> Expr:
        left, right = without_parens(node.this), without_parens(node.expression)
        if op == "-" and (days := self._days(left, right)) is not None:
            return days
        if op == "/" and (share := self._share(left, right)) is not None:
            return share
        first, second = number_in(left), number_in(right)
        if op == "/" and second == DAYS_OF_YEAR and (years := self._years(without_parens(left))) is not None:
            return years
        if first is not None and second is not None:
            raise Unreadable(node.sql())
        if first is not None:
            if op == "-" and first == int(first) and MINYEAR <= first <= MAXYEAR:
                return Years(self.expr(right), date(int(first), 12, 31))
            if op not in ("+", "*"):
                raise Unreadable(node.sql())
            left, first, second = right, None, first
        return self._with_number(op, self.expr(left), second) if second is not None else self._binary(op, left, right)

    @staticmethod
    def _with_number(op: Operation, left: Expr, number: float) -> Expr:
        if op == "/" and (money := divided(left, number)) is not None:
            return money
        # A factor of one only prevents integer division.
        return left if op in ("*", "/") and number == 1 else Arith(op, left, number)

    def _binary(self, op: Operation, left: Any, right: Any) -> Expr:
        first, second = self.expr(left), self.expr(right)
        if op == "/" and isinstance(first, Arith) and first.op == "*" and isinstance(first.right, int | float):
            # 100 * part / whole is a hundred times the quotient.
            return Arith("*", Arith("/", first.left, second), first.right)
        return Arith(op, first, second)

    def _days(self, left: Any, right: Any) -> Expr | None:
        ends = [
            side.expressions[0] if side.name.lower() == "julianday" and len(side.expressions) == 1 else None
            for side in (left, right)
        ]
        if ends[0] is None or ends[1] is None:
            return None
        return Arith("-", self.expr(ends[0]), self.expr(ends[1]))

    def _years(self, node: Any) -> Expr | None:
        """Years from a date to a day that is a literal."""
        sides = (node.this, node.expression) if isinstance(node, exp.Sub) else ()
        ends = [side.expressions[0] for side in sides if side.name.lower() == "julianday" and side.expressions]
        if len(ends) != 2 or not isinstance(ends[0], exp.Literal):
            return None
        try:
            return Years(self.expr(ends[1]), date.fromisoformat(ends[0].name))
        except ValueError:
            return None

    def _share(self, left: Any, right: Any) -> Expr | None:
        """An aggregate divided by its sum over all groups."""
        if isinstance(right, exp.Nullif):
            right = without_parens(right.this)
        if not isinstance(right, exp.Window) or right.args.get("order") or not isinstance(right.this, exp.Sum):
            return None
        factor = 1.0
        if isinstance(left, exp.Mul):
            numbers = [number_in(without_parens(left.this)), number_in(without_parens(left.expression))]
            factor = next((number for number in numbers if number is not None), 1.0)
            left = without_parens(left.expression if numbers[0] is not None else left.this)
        figure, total = self.expr(left), self.expr(right.this.this)
        if figure != total or not isinstance(figure, Agg) or right.args.get("partition_by"):
            raise Unreadable(right.sql())
        return Over("share", figure) if factor == 1 else Arith("*", Over("share", figure), factor)

    def _window(self, node: Any) -> Expr:
        if isinstance(node.this, exp.Sum) and node.args.get("order") and not node.args.get("spec"):
            inner = self.expr(node.this.this)
            if isinstance(inner, Agg) and not node.args.get("partition_by"):
                return Over("running", inner)
        raise Unreadable(node.sql())

    def _weekday_by_name(self, case: Any) -> Expr:
        """CASE that names weekdays."""
        inner = self.expr(case.this)
        has_names = all(branch.args["true"].is_string for branch in case.args["ifs"])
        if isinstance(inner, Part) and inner.unit == "weekday" and has_names:
            return inner
        raise Unreadable(case.sql())

    # ---- dates ----

    def _part(self, node: Any) -> Expr | None:
        unit: Unit | None = None
        arg = node.this
        match node:
            case exp.TimeToStr() | exp.ToChar():
                unit = _FORMATS.get(node.args["format"].name) if node.args.get("format") is not None else None
            case exp.Extract():
                unit, arg = _FIELDS.get(node.this.name.upper()), node.expression
            case exp.Year():
                unit = "year"
            case exp.Month():
                unit = "month_of_year"
            case exp.Hour():
                unit = "hour"
            case exp.DayOfWeekIso() | exp.DayOfWeek():
                unit = "weekday"
            case exp.Date() | exp.TsOrDsToDate():
                unit = "day"
            case exp.DateTrunc() | exp.TimestampTrunc():
                unit = _CUTS.get(str(node.args["unit"].name).upper())
            case exp.Substring() | exp.Left():
                return self._date_prefix(node)
        if unit is None or not isinstance(arg, exp.Expr) or len(node.expressions) > 0:
            return None
        return Part(unit, self._date_argument(arg))

    def _date_argument(self, node: Any) -> Expr:
        while isinstance(node, exp.TsOrDsToTimestamp | exp.TsOrDsToDate | exp.Cast | exp.Paren):
            node = node.this
        return self.expr(node)

    def _date_prefix(self, node: Any) -> Expr | None:
        """The first characters of an ISO 8601 date."""
        length = node.expression if isinstance(node, exp.Left) else node.args.get("length")
        start = 1 if isinstance(node, exp.Left) else number_in(node.args["start"])
        inner = self.expr(node.this)
        unit_by_length: dict[float, Unit] = {4: "year", 7: "month", 10: "day"}
        part_unit = unit_by_length.get(number_in(length) or 0) if length is not None else None
        if start != 1 or part_unit is None or not self.is_date(inner):
            return None
        return Part(part_unit, inner)

    def is_date(self, expr: Expr) -> bool:
        """Whether an expression is a date column."""
        info = self.scope.names.catalogue.column(expr.ref) if isinstance(expr, Col) else None
        return info is not None and info.kind == "date"

    # ---- aggregates ----

    def _aggregate(self, node: Any) -> Expr:
        if isinstance(node, exp.Filter):
            inner = self.expr(node.this)
            if not isinstance(inner, Agg):
                raise Unreadable(node.sql())
            return replace(inner, where=(*inner.where, *self._single_conditions(node.expression.this)))
        if isinstance(node, exp.WithinGroup):
            ordered = node.expression.expressions[0].this
            return self._percentile(ordered, node.this.this)
        if isinstance(node, exp.PercentileCont | exp.Quantile):
            return self._percentile(node.this, node.args.get("quantile") or node.expression)
        fn: Function = "count" if isinstance(node, exp.Count) else _FIGURES[type(node).__name__]
        arg = node.this
        distinct = isinstance(arg, exp.Distinct)
        if distinct:
            if len(arg.expressions) != 1:
                raise Unreadable(node.sql())
            arg = arg.expressions[0]
        arg = without_parens(arg)
        if fn == "count" and (isinstance(arg, exp.Star) or number_in(arg) is not None):
            return Agg("count", self.rows())
        if isinstance(arg, exp.Case | exp.If):
            return self._conditional_aggregate(fn, arg, distinct)
        if fn in ("sum", "avg") and isinstance(arg, exp.Predicate | exp.And | exp.Or | exp.Not):
            return self._aggregated_condition(fn, self._single_conditions(arg))
        inner = self.expr(arg)
        if aggregates(inner):
            raise Unreadable(node.sql())
        return Agg(fn, inner, distinct)

    def _percentile(self, item: Any, level: Any) -> Expr:
        number = number_in(level)
        if number is None:
            raise Unreadable(item.sql())
        inner = self.expr(item)
        return Agg("median", inner) if number == 0.5 else Agg("percentile", inner, level=number)

    def rows(self) -> Col:
        """The rows of the SELECT, as a column ``*``."""
        if self.scope.inner is not None:
            return Col(Ref(INNER, "*"))
        return Col(Ref(self.scope.finest(), "*"))

    def _aggregated_condition(self, fn: Function, conds: tuple[Cond, ...]) -> Expr:
        """The sum or the average of a condition as 1 or 0."""
        matching = Agg("count", self.rows(), where=conds)
        return Arith("/", matching, Agg("count", self.rows())) if fn == "avg" else matching

    def _conditional_aggregate(self, fn: Function, case: Any, distinct: bool) -> Expr:
        """An aggregate of CASE WHEN … THEN … END: of the rows that meet a condition."""
        if isinstance(case, exp.If):
            test, chosen, default = case.this, case.args["true"], case.args.get("false")
        else:
            if case.this is not None or len(case.args["ifs"]) != 1:
                raise Unreadable(case.sql())
            test, chosen, default = case.args["ifs"][0].this, case.args["ifs"][0].args["true"], case.args.get("default")
        if number_in(chosen) == 0 and default is not None and number_in(default) is None:
            # CASE WHEN … THEN 0 ELSE x END aggregates the rows that do not meet the condition.
            test, chosen, default = exp.Not(this=test.copy()), default, chosen
        zero = default is not None and number_in(default) == 0
        if default is not None and not zero and not isinstance(default, exp.Null):
            raise Unreadable(case.sql())
        conds = self._single_conditions(test)
        is_number = number_in(chosen) is not None
        if is_number and number_in(chosen) == 1 and (fn == "sum" or (fn == "avg" and zero)):
            return self._aggregated_condition(fn, conds)
        if fn == "count" and not zero:
            return Agg("count", self.rows() if is_number else self.expr(chosen), distinct, where=conds)
        if is_number or (zero and fn != "sum"):
            raise Unreadable(case.sql())
        return Agg(fn, self.expr(chosen), distinct, where=conds)

    def _single_conditions(self, node: Any) -> tuple[Cond, ...]:
        conds = self.conditions(node)
        single_conds = tuple(cond for cond in conds if isinstance(cond, Cond))
        if len(single_conds) != len(conds):
            raise Unreadable(node.sql())
        return single_conds

    @abstractmethod
    def conditions(self, node: exp.Expr) -> list[Cond | AnyOf]:
        """The conditions of a node, which must all hold."""


def counts_from_sunday(node: Any) -> bool:
    """Whether a node is a weekday counted from 0 for Sunday, as in SQLite."""
    node = node.this if isinstance(node, exp.Cast | exp.Paren) else node
    return isinstance(node, exp.TimeToStr) and node.args["format"].name == "%w"


def without_parens(node: Any) -> Any:
    """The node without parentheses."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node


def number_in(node: Any) -> float | None:
    """The number of a literal; None for other nodes."""
    node = without_parens(node)
    if isinstance(node, exp.Neg):
        inner = number_in(node.this)
        return None if inner is None else -inner
    if not isinstance(node, exp.Literal) or node.is_string:
        return None
    number = float(node.name)
    return int(number) if number.is_integer() and "." not in node.name else number
