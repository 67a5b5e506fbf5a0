"""A `Query` as a statement in a dialect: made as a syntax tree, so names and values are quoted as the engine wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kbtui.data.nl2sql.model import SchemaModel
from kbtui.data.nl2sql.query import Cond, Expr, Query, Ref

if TYPE_CHECKING:
    from sqlglot import exp


class Unjoinable(Exception):
    """No keys lead from one table of a query to another."""


def sql_of(query: Query, model: SchemaModel, headers: Sequence[str] = ()) -> str:
    """The statement; its columns are called as ``headers`` say where they say anything.

    Raises:
        Unjoinable: No keys join its tables.
    """
    from sqlglot import exp

    built = _Builder(model).query(query)
    if any(headers):
        named = built
        while not isinstance(named, exp.Select):
            named = named.this
        columns = [
            exp.alias_(column, name, quoted=True, copy=False) if name else column
            for column, name in zip(named.expressions, headers, strict=True)
        ]
        named.set("expressions", columns)
    return built.sql(dialect=model.schema.dialect, copy=False)


class _Builder:
    def __init__(self, model: SchemaModel) -> None:
        self._model = model
        self._depth = 0
        self._period: exp.Expr
        """What groups are put in order by, where one is compared with the one before."""

    def query(self, query: Query) -> exp.Query:
        from sqlglot import exp

        built: exp.Query = self._select(query)
        if query.set_op and query.other is not None:
            kinds = {"union": exp.Union, "intersect": exp.Intersect, "except": exp.Except}
            built = kinds[query.set_op](this=built, expression=self._select(query.other), distinct=True)
        return built

    def _select(self, query: Query) -> exp.Select:
        from sqlglot import exp

        tables = query.used_tables()
        edges = self._model.tree(tables)
        if edges is None:
            raise Unjoinable
        many = bool(edges)
        self._depth += 1
        if query.group:
            self._period = self._expr(query.group[0], many)
        select = exp.Select()
        select = select.select(*[self._expr(item, many) for item in query.select], copy=False)
        select = select.from_(self._table(edges[0].left.table if edges else tables[0]), copy=False)
        for edge in edges:
            on = exp.EQ(this=self._ref(edge.left, True), expression=self._ref(edge.right, True))
            select = select.join(self._table(edge.right.table), on=on, copy=False)
        if query.where:
            select = select.where(self._all(query.where, many), copy=False)
        if query.group:
            select = select.group_by(*[self._expr(item, many) for item in query.group], copy=False)
        if query.having:
            select = select.having(self._all(query.having, many), copy=False)
        if query.order:
            select = select.order_by(
                *[
                    exp.Ordered(this=self._expr(item, many), desc=desc, nulls_first=not desc)
                    for item, desc in query.order
                ],
                copy=False,
            )
        if query.limit is not None:
            select = select.limit(query.limit, copy=False)
        if query.distinct:
            select = select.distinct(copy=False)
        self._depth -= 1
        return select

    def _table(self, name: str) -> exp.Table:
        from sqlglot import exp

        role = self._model.roles.get(name)
        if role is not None:
            table = self._table(role.table)
            table.set("alias", exp.TableAlias(this=exp.to_identifier(name, quoted=True)))
            return table
        parts = [exp.to_identifier(part, quoted=True) for part in name.split(".")]
        return exp.Table(this=parts[-1], db=parts[-2] if len(parts) > 1 else None)

    def _ref(self, ref: Ref, many: bool, counted: bool = False) -> exp.Expr:
        from sqlglot import exp

        if ref.operator and ref.operand is not None:
            return self._computed(ref, Ref(*ref.operand), many)
        if ref.column == "*":
            if many and not counted:
                return exp.Column(this=exp.Star(), table=exp.to_identifier(ref.table.rsplit(".", 1)[-1], quoted=True))
            return exp.Star()
        name = exp.to_identifier(ref.column, quoted=True)
        if not many:
            return exp.Column(this=name)
        return exp.Column(this=name, table=exp.to_identifier(ref.table.rsplit(".", 1)[-1], quoted=True))

    def _computed(self, ref: Ref, other: Ref, many: bool) -> exp.Expr:
        from sqlglot import exp

        left, right = self._ref(ref.base, many), self._ref(other, many)
        if ref.operator == "-" and self._model.is_date(other):
            return exp.DateDiff(this=left, expression=right, unit=exp.var("DAY"))
        if ref.operator == "/":
            # Whole numbers divide to whole numbers in some engines, and nothing divides by nothing.
            left = exp.Mul(this=exp.Literal.number("1.0"), expression=left)
            right = exp.Nullif(this=right, expression=exp.Literal.number(0))
        kinds: dict[str, Any] = {"+": exp.Add, "-": exp.Sub, "*": exp.Mul, "/": exp.Div}
        return exp.paren(kinds[ref.operator](this=left, expression=right), copy=False)

    def _expr(self, item: Expr, many: bool) -> exp.Expr:
        from sqlglot import exp

        built: exp.Expr = self._ref(item.ref, many, bool(item.agg))
        if item.bucket:
            built = self._bucket(built, item.bucket)
        if item.agg:
            kinds: dict[str, Any] = {"count": exp.Count, "sum": exp.Sum, "avg": exp.Avg, "min": exp.Min, "max": exp.Max}
            built = kinds[item.agg](this=exp.Distinct(expressions=[built]) if item.distinct else built)
        return self._over(built, item.over) if item.over else built

    def _over(self, built: exp.Expr, over: str) -> exp.Expr:
        """Per cent of all groups together, or by which a group differs from the one before it."""
        from sqlglot import exp

        hundred = exp.Literal.number("100.0")
        if over == "share":
            whole: exp.Expr = exp.Window(this=exp.Sum(this=built.copy()))
            part = exp.Mul(this=hundred, expression=built)
        else:
            order = exp.Order(expressions=[exp.Ordered(this=self._period.copy())])
            whole = exp.Window(this=exp.Lag(this=built.copy()), order=order)
            part = exp.Mul(this=hundred, expression=exp.paren(exp.Sub(this=built, expression=whole.copy()), copy=False))
        return exp.Div(this=part, expression=exp.Nullif(this=whole, expression=exp.Literal.number(0)), typed=True)

    def _bucket(self, built: exp.Expr, bucket: str) -> exp.Expr:
        from sqlglot import exp

        dialect = self._model.schema.dialect
        if dialect == "sqlite":
            if bucket == "quarter":
                month = exp.cast(exp.Anonymous(this="strftime", expressions=[exp.Literal.string("%m"), built]), "INT")
                number = exp.IntDiv(this=exp.Paren(this=month + 2), expression=exp.Literal.number(3))
                year = exp.Anonymous(this="strftime", expressions=[exp.Literal.string("%Y"), built.copy()])
                return exp.DPipe(this=exp.DPipe(this=year, expression=exp.Literal.string("-Q")), expression=number)
            form = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}[bucket]
            return exp.Anonymous(this="strftime", expressions=[exp.Literal.string(form), built])
        if dialect == "mysql":
            if bucket == "quarter":
                calendar, part = exp.Anonymous(this="YEAR", expressions=[built]), exp.Quarter(this=built.copy())
                return exp.Anonymous(this="CONCAT", expressions=[calendar, exp.Literal.string("-Q"), part])
            form = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}[bucket]
            return exp.Anonymous(this="DATE_FORMAT", expressions=[built, exp.Literal.string(form)])
        return exp.Anonymous(this="date_trunc", expressions=[exp.Literal.string(bucket), built])

    def _all(self, conds: tuple[Cond, ...], many: bool) -> exp.Expr:
        from sqlglot import exp

        # Alternatives stand together before they are joined to what must hold as well.
        groups: list[list[exp.Expr]] = []
        for cond in conds:
            built = self._cond(cond, many)
            if cond.joined == "or" and groups:
                groups[-1].append(built)
            else:
                groups.append([built])
        parts = [exp.or_(*group) if len(group) > 1 else group[0] for group in groups]
        return exp.and_(*parts) if len(parts) > 1 else parts[0]

    def _cond(self, cond: Cond, many: bool) -> exp.Expr:
        from sqlglot import exp

        left = self._expr(cond.left, many)
        match cond.op:
            case "null":
                return exp.Is(this=left, expression=exp.Null())
            case "not null":
                return exp.Not(this=exp.Is(this=left, expression=exp.Null()))
            case "between":
                low, high = cond.right
                return exp.Between(this=left, low=exp.convert(low), high=exp.convert(high))
            case "in" | "not in":
                if isinstance(cond.right, Query):
                    asked = cond.right
                    if cond.op == "not in" and not asked.group:
                        # One missing value among them would leave nothing (SQL's three-valued logic).
                        present = Cond(asked.select[0], "not null")
                        asked = replace(asked, where=(*asked.where, present))
                    inner: exp.Expr = exp.In(this=left, query=exp.Subquery(this=self.query(asked)))
                else:
                    inner = exp.In(this=left, expressions=[exp.convert(value) for value in cond.right])
                return exp.Not(this=inner) if cond.op == "not in" else inner
            case "like" | "not like":
                like = exp.Like(this=left, expression=exp.convert(cond.right))
                return exp.Not(this=like) if cond.op == "not like" else like
        kinds: dict[str, Any] = {"=": exp.EQ, "!=": exp.NEQ, ">": exp.GT, ">=": exp.GTE, "<": exp.LT, "<=": exp.LTE}
        right: exp.Expr
        if isinstance(cond.right, Query):
            right = exp.Subquery(this=self.query(cond.right))
        elif isinstance(cond.right, Ref):
            right = self._ref(cond.right, many)
        else:
            right = exp.convert(cond.right)
        compared: exp.Expr = kinds[cond.op](this=left, expression=right)
        return compared
