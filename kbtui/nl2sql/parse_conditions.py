"""Parses conditions of SQL to those of a `Query`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace
from sqlglot import exp

from kbtui.nl2sql.date_formats import EPOCHS, has_time
from kbtui.nl2sql.parse_scope import Unreadable
from kbtui.nl2sql.parse_terms import Terms, counts_from_sunday, number_in, without_parens
from kbtui.nl2sql.query import INVERSE, SWAPPED, AnyOf, Col, Cond, Expr, Operator, Part, Ref

_COMPARISONS: Final[dict[str, Operator]] = {"EQ": "=", "NEQ": "!=", "GT": ">", "GTE": ">=", "LT": "<", "LTE": "<="}
_MAX_CLAUSES: Final = 16
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")

Clauses = list[list[Cond]]
"""Conditions in conjunctive normal form: all of the lists must hold, and of each list any condition."""


class Conditions(Terms):
    """Parses expressions and conditions of one SELECT."""

    def conditions(self, node: exp.Expr) -> list[Cond | AnyOf]:
        """The conditions of a node, which must all hold."""
        clauses = self._clauses(node, negated=False)
        merged = _merged_ranges([clause[0] if len(clause) == 1 else AnyOf(tuple(clause)) for clause in clauses])
        return list(dict.fromkeys(merged))

    def _clauses(self, node: Any, *, negated: bool) -> Clauses:
        node = without_parens(node)
        if isinstance(node, exp.Not):
            return self._clauses(node.this, negated=not negated)
        if isinstance(node, exp.And | exp.Or):
            parts = [self._clauses(side, negated=negated) for side in (node.this, node.expression)]
            if isinstance(node, exp.And) != negated:
                return parts[0] + parts[1]
            clauses = [[*first, *second] for first in parts[0] for second in parts[1]]
            if len(clauses) > _MAX_CLAUSES:
                raise Unreadable(node.sql())
            return clauses
        condition = self._condition(node)
        if condition is None:
            if negated:
                raise Unreadable(node.sql())
            return []
        negated = negated != bool(node.args.get("negate"))
        return _negated(condition) if negated else [[condition]]

    def _condition(self, node: Any) -> Cond | None:
        """One condition; None if it only joins two tables."""
        match node:
            case exp.Is():
                if not isinstance(node.expression, exp.Null):
                    raise Unreadable(node.sql())
                return Cond(self.expr(node.this), "null")
            case exp.Like() | exp.ILike():
                left, fold = self._folded(node.this)
                right = self.value(_uncollated(node.expression))
                return self._with_period(Cond(left, "like", right, fold or isinstance(node, exp.ILike)))
            case exp.Between():
                left, fold = self._folded(node.this)
                ends = (self.value(node.args["low"]), self.value(node.args["high"]))
                return self._with_dates(Cond(left, "between", ends, fold))
            case exp.In():
                return self._membership(node)
            case exp.Exists():
                return self._exists(node)
        op = _COMPARISONS.get(type(node).__name__)
        if op is None:
            raise Unreadable(node.sql())
        return self._comparison(op, node)

    def _membership(self, node: Any) -> Cond:
        left, fold = self._folded(node.this)
        query = node.args.get("query")
        if query is not None:
            return Cond(left, "in", self.subquery(query.unnest(), self.scope))
        values = tuple(self.value(item) for item in node.expressions)
        if not values:
            raise Unreadable(node.sql())
        if counts_from_sunday(node.this):
            return Cond(left, "in", tuple(map(_weekday, values)))
        return self._with_dates(Cond(left, "in", values, fold))

    def _exists(self, node: Any) -> Cond:
        """EXISTS with a correlated subquery, as IN."""
        select = node.this.unnest() if hasattr(node.this, "unnest") else node.this
        where = select.args.get("where") if isinstance(select, exp.Select) else None
        if where is None:
            raise Unreadable(node.sql())
        parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
        correlated = [part for part in parts if isinstance(part, exp.EQ) and self._crosses(part, select)]
        if len(correlated) != 1:
            raise Unreadable(node.sql())
        first, second = correlated[0].this, correlated[0].expression
        outer_column, inner_column = (
            (first, second)
            if self._own_ref(first) is not None and not self._is_inside(first, select)
            else (second, first)
        )
        inner = select.copy()
        other_parts = [part.copy() for part in parts if part is not correlated[0]]
        inner.set("expressions", [inner_column.copy()])
        inner.set("where", exp.Where(this=exp.and_(*other_parts)) if other_parts else None)
        return Cond(self.expr(outer_column), "in", self.subquery(inner, self.scope))

    def _crosses(self, node: Any, select: Any) -> bool:
        sides = (node.this, node.expression)
        if not all(isinstance(side, exp.Column) for side in sides):
            return False
        return self._is_inside(sides[0], select) != self._is_inside(sides[1], select)

    def _is_inside(self, column: Any, select: Any) -> bool:
        tables = {table.alias_or_name.lower(): table.name.lower() for table in select.find_all(exp.Table)}
        if column.table:
            return column.table.lower() in tables
        names = self.scope.names
        return any((names.tables.get(table, ""), column.name.lower()) in names.columns for table in tables.values())

    def _own_ref(self, column: Any) -> Ref | None:
        try:
            return self.scope.ref(column)
        except Unreadable:
            return None

    def _comparison(self, op: Operator, node: Any) -> Cond | None:
        first, second = without_parens(node.this), without_parens(node.expression)
        if self._is_value(first) or isinstance(first, exp.Subquery | exp.Select):
            first, second, op = second, first, SWAPPED[op]
        left, fold = self._folded(first)
        if isinstance(second, exp.Subquery | exp.Select):
            return Cond(left, op, self.subquery(second, self.scope))
        if self._is_value(_unfolded(second)):
            if counts_from_sunday(first):
                return Cond(left, op, _weekday(self.value(second)))
            return self._with_dates(Cond(left, op, self.value(_unfolded(second)), fold))
        right, _ = self._folded(second)
        if op == "=" and isinstance(left, Col) and isinstance(right, Col) and self.scope.joins(left.ref, right.ref):
            return None
        return Cond(left, op, right, fold)

    def _folded(self, node: Any) -> tuple[Expr, bool]:
        node = without_parens(node)
        return self.expr(_uncollated(_unfolded(node))), _unfolded(node) is not node or _uncollated(node) is not node

    # ---- literals ----

    def _is_value(self, node: Any) -> bool:
        node = _uncollated(without_parens(node))
        if isinstance(node, exp.Column):
            # SQLite reads a double-quoted name of no column as text.
            quoted = isinstance(node.this, exp.Identifier) and node.this.quoted and not node.table
            return quoted and self._own_ref(node) is None and self._is_text(node)
        if isinstance(node, exp.Cast | exp.Date | exp.TsOrDsToDate):
            return isinstance(node.this, exp.Literal)
        return isinstance(node, exp.Literal | exp.Boolean) or (
            isinstance(node, exp.Neg) and number_in(node) is not None
        )

    def _is_text(self, node: Any) -> bool:
        return self.scope.names.catalogue.dialect in ("sqlite", "mysql") and node.name.lower() not in self.scope.outputs

    def value(self, node: Any) -> Any:
        """The value of a literal.

        Raises:
            Unreadable: It is no literal.
        """
        node = _uncollated(_unfolded(without_parens(node)))
        if not self._is_value(node):
            raise Unreadable(node.sql())
        if isinstance(node, exp.Column):
            return node.name
        if isinstance(node, exp.Boolean):
            return bool(node.this)
        if isinstance(node, exp.Cast | exp.Date | exp.TsOrDsToDate):
            return node.this.name
        number = number_in(node)
        return number if number is not None else node.name

    def _with_dates(self, cond: Cond) -> Cond:
        """The condition with ISO text as dates, if it then means the same."""
        if not self.is_date(cond.left) or cond.fold:
            return cond
        info = self.scope.names.catalogue.column(cond.left.ref) if isinstance(cond.left, Col) else None
        is_text = info is not None and info.date_format != "" and info.date_format not in EPOCHS
        if info is None or (has_time(info) and cond.op not in (">=", "<")) or is_text:
            return cond
        right: Any = tuple(map(_day, cond.right)) if isinstance(cond.right, tuple) else _day(cond.right)
        items = right if isinstance(right, tuple) else (right,)
        return replace(cond, right=right) if all(isinstance(item, date) for item in items) else cond

    def _with_period(self, cond: Cond) -> Cond:
        """A date LIKE ``2025%`` as an equality of its year."""
        text = cond.right
        if not self.is_date(cond.left) or not isinstance(text, str) or not re.fullmatch(r"\d{4}(-\d\d)?-?%", text):
            return cond
        stem = text.rstrip("%-")
        return Cond(Part("year" if len(stem) == 4 else "month", cond.left), "=", stem)


def _unfolded(node: Any) -> Any:
    return without_parens(node.this) if isinstance(node, exp.Lower | exp.Upper) else node


def _uncollated(node: Any) -> Any:
    return node.this if isinstance(node, exp.Collate) else node


def _day(value: Any) -> Any:
    if isinstance(value, str) and _DAY.fullmatch(value):
        try:
            return date.fromisoformat(value)
        except ValueError:
            return value
    return value


def _weekday(value: Any) -> int:
    """A weekday from 0 for Sunday, converted to 0 for Monday."""
    text = str(value)
    if text not in tuple("0123456"):
        raise Unreadable(text)
    return (int(text) + 6) % 7


def _negated(cond: Cond) -> Clauses:
    if cond.op == "between":
        ends: Any = cond.right
        return [[replace(cond, op="<", right=ends[0]), replace(cond, op=">", right=ends[1])]]
    return [[replace(cond, op=INVERSE[cond.op])]]


def _merged_ranges(items: Sequence[Cond | AnyOf]) -> Iterable[Cond | AnyOf]:
    """Merge a lower and an upper bound of one date to BETWEEN."""
    merged: list[Cond | AnyOf] = []
    for item in items:
        position = next((index for index, other in enumerate(merged) if _is_start(other, item)), None)
        if position is None or not isinstance(item, Cond) or not isinstance(item.right, date):
            merged.append(item)
            continue
        start: Any = merged[position]
        last = item.right - timedelta(days=1) if item.op == "<" else item.right
        merged[position] = Cond(item.left, "between", (start.right, last))
    return merged


def _is_start(first: Cond | AnyOf, second: Cond | AnyOf) -> bool:
    if isinstance(first, AnyOf) or isinstance(second, AnyOf) or first.left != second.left:
        return False
    are_dates = isinstance(first.right, date) and isinstance(second.right, date)
    return are_dates and first.op == ">=" and second.op in ("<", "<=")
