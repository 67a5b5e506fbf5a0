"""Parses SQL to a `Query`, so that it can be described in words and compared with other readings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlglot
from msgspec.structs import replace
from sqlglot import exp
from sqlglot.errors import SqlglotError

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.joins import Unjoinable, joins_of
from kbtui.nl2sql.outer_joins import without_zeros
from kbtui.nl2sql.parse_conditions import Conditions
from kbtui.nl2sql.parse_from import tables_of
from kbtui.nl2sql.parse_scope import Names, Scope, Unreadable, names_of, partition
from kbtui.nl2sql.query import INNER, Col, Expr, Order, Query, Ref


def query_of(sql: str, catalogue: Catalogue) -> Query | None:
    """The statement as a query; None if it has parts that a `Query` cannot express."""
    try:
        tree = sqlglot.parse_one(sql, read=catalogue.dialect)
        return _Parser(names_of(catalogue)).query(tree, None)
    except (SqlglotError, Unreadable, Unjoinable, RecursionError):
        return None


class _Parser:
    def __init__(self, names: Names) -> None:
        self._names = names
        self._catalogue = names.catalogue
        self._parts: dict[str, Any] = {}

    def query(self, node: Any, outer: Scope | None) -> Query:
        """A query of any kind."""
        self._remember_ctes(node)
        if isinstance(node, exp.Subquery) and not _has(node, "where", "order", "limit", "joins"):
            return self.query(node.this, outer)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, outer)
        if not isinstance(node, exp.Select) or _has(node, "offset", "qualify", "windows", "laterals"):
            raise Unreadable(node.sql()[:80])
        return self._select(node, outer)

    def _remember_ctes(self, node: Any) -> None:
        """Remember the parts of a WITH, which are read where they are used."""
        with_clause = node.args.get("with_")
        if with_clause is None:
            return
        if with_clause.args.get("recursive"):
            raise Unreadable("recursive")
        for part in with_clause.expressions:
            self._parts[part.alias.lower()] = part.this

    def _set_operation(self, node: Any, outer: Scope | None) -> Query:
        kinds: dict[type, Any] = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}
        if not node.args.get("distinct") or _has(node, "offset"):
            raise Unreadable(node.sql()[:80])
        first, second = self.query(node.this, outer), self.query(node.expression, outer)
        if first.set_op:
            first = Query(select=_columns(first), inner=first)
        combined = replace(first, set_op=kinds[type(node)], other=second)
        order, limit = node.args.get("order"), node.args.get("limit")
        if order is None and limit is None:
            return combined
        # An order after a set operation applies to its result.
        scope = self._derived_scope(combined, node.left if isinstance(node.left, exp.Select) else None, outer)
        result = Query(select=_columns(combined), inner=combined)
        return self._ordered(result, node, scope, Conditions(scope, self.query))

    # ---- one SELECT ----

    def _select(self, node: Any, outer: Scope | None) -> Query:
        source = node.args.get("from_")
        if source is None:
            return self._truth(node, outer)
        derived = source.this
        if isinstance(derived, exp.Table) and derived.name.lower() in self._parts and not derived.args.get("db"):
            derived = exp.Subquery(this=self._parts[derived.name.lower()].copy())
        if isinstance(derived, exp.Subquery):
            return self._over_derived(node, derived, outer)
        scope, where = tables_of(node, outer, self._names)
        query = self._read(node, scope, where)
        if scope.outer_reference is None:
            return self._joined(query, scope)
        query_with_zeros = without_zeros(query, scope.outer_reference, self._catalogue)
        if query_with_zeros is None:
            raise Unreadable("an outer join")
        return query_with_zeros

    def _truth(self, node: Any, outer: Scope | None) -> Query:
        """SELECT EXISTS (SELECT …)."""
        items = [item.unalias() for item in node.expressions]
        if len(items) != 1 or not isinstance(items[0], exp.Exists):
            raise Unreadable(node.sql()[:80])
        inner = items[0].this.copy()
        inner = inner.this if isinstance(inner, exp.Subquery) else inner
        if isinstance(inner, exp.Select) and all(isinstance(item, exp.Literal) for item in inner.expressions):
            inner.set("expressions", [exp.Star()])
        return replace(self.query(inner, outer), truth=True)

    def _over_derived(self, node: Any, derived: Any, outer: Scope | None) -> Query:
        if _has(node, "joins"):
            raise Unreadable(node.sql()[:80])
        select = derived.this
        if (ranked := self._ranked(node, select, outer)) is not None:
            return ranked
        inner = self.query(select, outer)
        return self._read_derived(node, inner, select, outer)

    def _read_derived(self, node: Any, inner: Query, select: Any, outer: Scope | None) -> Query:
        scope = self._derived_scope(inner, select, outer)
        where = node.args.get("where")
        query = self._read(node, scope, [where.this] if where is not None else [])
        return replace(query, inner=inner)

    def _derived_scope(self, inner: Query, select: Any, outer: Scope | None) -> Scope:
        scope = Scope(self._names, inner=inner, outer=outer)
        while select is not None and not isinstance(select, exp.Select):
            select = select.this
        columns: dict[str, int] = {}
        for index, item in enumerate(select.expressions if select is not None else ()):
            if item.alias_or_name:
                columns.setdefault(item.alias_or_name.lower(), index)
        scope.inner_columns = columns
        return scope

    def _ranked(self, node: Any, select: Any, outer: Scope | None) -> Query | None:
        """The first rows of each group: SELECT … FROM (SELECT …, ROW_NUMBER() OVER (…) AS n …) WHERE n <= 3."""
        where = node.args.get("where")
        if where is None or not isinstance(select, exp.Select) or _has(node, "group", "having", "limit", "distinct"):
            return None
        numbers = [
            item for item in select.expressions if isinstance(item.unalias(), exp.Window)
            and isinstance(item.unalias().this, exp.RowNumber)
        ]  # fmt: skip
        test = where.this
        if len(numbers) != 1 or not isinstance(test, exp.LTE | exp.LT | exp.EQ) or not test.expression.is_int:
            return None
        window = numbers[0].unalias()
        if test.this.name.lower() != numbers[0].alias.lower() or not window.args.get("partition_by"):
            return None
        limit = int(test.expression.name) - isinstance(test, exp.LT)
        if isinstance(test, exp.EQ) and limit != 1:
            return None
        by_name = {item.alias_or_name.lower(): item.unalias() for item in select.expressions}
        inside = select.copy()
        shown = [by_name.get(item.unalias().name.lower()) for item in node.expressions]
        if any(item is None or item is window for item in shown):
            return None
        inside.set("expressions", [item.copy() for item in shown if item is not None])
        scope, filters = tables_of(inside, outer, self._names)
        query = self._read(inside, scope, filters)
        terms = Conditions(scope, self.query)
        per = tuple(terms.expr(item) for item in window.args["partition_by"])
        order = self._orders(window.args.get("order"), scope, terms)
        return self._joined(replace(query, per=per, order=order, limit=limit), scope)

    def _read(self, node: Any, scope: Scope, where: Sequence[Any]) -> Query:
        """A SELECT whose tables are known."""
        terms = Conditions(scope, self.query)
        scope.outputs = {item.alias.lower(): item.this for item in node.expressions if isinstance(item, exp.Alias)}
        truth = False
        items = list(node.expressions)
        if len(items) == 1 and isinstance(test := items[0].unalias(), exp.GT) and _is_zero(test.expression):
            # SELECT COUNT(*) > 0
            items, truth = [test.this], True
        select = tuple(shown for item in items for shown in self._shown(item, scope, terms))
        group = node.args.get("group")
        if group is not None and _has(group, "rollup", "cube", "grouping_sets"):
            raise Unreadable(group.sql())
        query = Query(
            select=select,
            where=tuple(cond for part in where for cond in terms.conditions(part)),
            group=tuple(
                terms.expr(self._resolved(item, node, scope, columns_first=True))
                for item in (group.expressions if group is not None else ())
            ),
            distinct=bool(node.args.get("distinct")),
            truth=truth,
        )
        if (distinct := node.args.get("distinct")) is not None and distinct.args.get("on"):
            raise Unreadable(node.sql()[:80])
        having = node.args.get("having")
        if having is not None:
            query = replace(query, having=tuple(terms.conditions(self._inlined(having.this, scope))))
        return self._ordered(query, node, scope, terms)

    def _shown(self, item: Any, scope: Scope, terms: Conditions) -> list[Expr]:
        if not isinstance(item, exp.Star):
            return [terms.expr(item.unalias())]
        if scope.inner is not None:
            return list(_columns(scope.inner))
        return [Col(Ref(table, "*")) for table in dict.fromkeys(scope.tables.values())]

    def _ordered(self, query: Query, node: Any, scope: Scope, terms: Conditions) -> Query:
        limit = node.args.get("limit")
        number = None
        if limit is not None:
            if not limit.expression.is_int:
                raise Unreadable(limit.sql())
            number = int(limit.expression.name)
        order = self._orders(node.args.get("order"), scope, terms, node)
        return replace(query, order=order, limit=number)

    def _orders(self, order: Any, scope: Scope, terms: Conditions, node: Any = None) -> tuple[Order, ...]:
        items = order.expressions if order is not None else ()
        if scope.inner is not None:
            # After a set operation, a number stands for a column.
            columns = {str(index + 1): f"c{index}" for index in range(len(scope.inner.select))}
            scope.inner_columns = {**{name: int(name[1:]) for name in columns.values()}, **scope.inner_columns}
            items = [item.copy() for item in items]
            for item in items:
                if item.this.is_int and item.this.name in columns:
                    item.set("this", exp.column(columns[item.this.name]))
        return tuple(Order(terms.expr(self._resolved(i.this, node, scope)), bool(i.args.get("desc"))) for i in items)

    def _resolved(self, item: Any, node: Any, scope: Scope, *, columns_first: bool = False) -> Any:
        """The expression that an alias or a number stands for."""
        if isinstance(item, exp.Literal) and item.is_int and node is not None:
            index = int(item.name) - 1
            if not 0 <= index < len(node.expressions):
                raise Unreadable(item.sql())
            return node.expressions[index].unalias()
        if isinstance(item, exp.Column) and not item.table:
            output = scope.outputs.get(item.name.lower())
            if output is not None and not (columns_first and scope.ref(item) is not None):
                return output
        return self._inlined(item, scope)

    def _inlined(self, node: Any, scope: Scope) -> Any:
        """The node with aliases of the SELECT replaced by their expressions, unless a column has the same name."""

        def inlined(part: Any) -> Any:
            if isinstance(part, exp.Column) and not part.table and scope.ref(part) is None:
                output = scope.outputs.get(part.name.lower())
                return output.copy() if output is not None else part
            return part

        return node.copy().transform(inlined) if scope.outputs else node

    def _joined(self, query: Query, scope: Scope) -> Query:
        """The query with the tables that its joins need; they must join them as the statement does."""
        join_groups = partition(scope.pairs)
        tables = tuple(dict.fromkeys(scope.tables.values()))
        used = query.used_tables()
        missing = tuple(table for table in tables if table not in used)
        for extra in ((), missing) if missing else ((),):
            attempt = replace(query, tables=extra, flat=len(tables) > 1)
            if not attempt.used_tables():
                continue
            edges = joins_of(self._catalogue).tree(attempt.used_tables())
            joined = (
                {table for edge in edges for table in (edge.left.table, edge.right.table)} or set(used) or set(extra)
            )
            if partition(edges) == join_groups and joined == set(tables):
                return self._without_flat(attempt)
        raise Unreadable("joined otherwise")

    def _without_flat(self, query: Query) -> Query:
        """The query without ``flat``, if that gives the same SQL."""
        not_flat = replace(query, flat=False)
        if not query.flat:
            return not_flat
        is_same = sql_of(not_flat, self._catalogue) == sql_of(query, self._catalogue)
        return not_flat if is_same else query


def _has(node: Any, *parts: str) -> bool:
    return any(node.args.get(part) for part in parts)


def _columns(inner: Query) -> tuple[Expr, ...]:
    return tuple(Col(Ref(INNER, f"c{index}")) for index in range(len(inner.select)))


def _is_zero(node: Any) -> bool:
    return bool(node.is_int) and int(node.name) == 0
