"""Writes a `Query` in an SQL dialect: built as a syntax tree, so that names and values are quoted correctly."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec.structs import replace
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from kbtui.nl2sql.calculated import expanded
from kbtui.nl2sql.catalogue import Catalogue, Edge
from kbtui.nl2sql.derived_tables import as_derived, derived, from_derived, with_derived_table
from kbtui.nl2sql.expressions import Expressions, Scope
from kbtui.nl2sql.joins import JoinGraph, Unjoinable, joins_of
from kbtui.nl2sql.outer_joins import outer_join, with_zeros
from kbtui.nl2sql.query import (
    Agg,
    AnyOf,
    Col,
    Cond,
    Expr,
    Function,
    Order,
    Part,
    Query,
    Ref,
    aggregates,
    cond_tables,
    refs_of,
)
from kbtui.nl2sql.words import WEEKDAYS

__all__ = ["Unjoinable", "sql_of"]

_NULLS_LAST: Final = frozenset({"duckdb", "postgres", "oracle", "snowflake"})
"""Dialects that sort NULL last unless a statement says otherwise."""
_SORT_FUNCTIONS: Final[dict[bool, Function]] = {False: "min", True: "max"}
"""The aggregate by which a group is sorted, by whether the order is descending."""


def sql_of(query: Query, catalogue: Catalogue, headers: Sequence[str] = ()) -> str:
    """The statement as SQL text.

    Args:
        headers: Aliases of its columns in order; an empty one leaves the column as it is.

    Raises:
        Unjoinable: No keys join its tables.
    """
    built = _Builder(catalogue).statement(expanded(query, catalogue), headers)
    return built.sql(dialect=_dialect(catalogue.dialect), copy=False)


@lru_cache(maxsize=16)
def _dialect(name: str) -> Any:
    return Dialect.get_or_raise(name)


class _Builder:
    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._dialect = catalogue.dialect
        self._joins: JoinGraph = joins_of(catalogue)
        self._write = Expressions(catalogue, self._joins, self._inside)

    # ---- statements ----

    def statement(self, query: Query, headers: Sequence[str]) -> exp.Query:
        """The outermost statement."""
        if query.truth:
            return self._truth(query)
        built = self.query(query, outer=True)
        if any(headers):
            select: Any = built
            while not isinstance(select, exp.Select):
                select = select.this
            select.set(
                "expressions",
                [
                    exp.alias_(item.unalias(), name, quoted=True, copy=False) if name else item
                    for item, name in zip(select.expressions, headers, strict=False)
                ]
                + select.expressions[len(headers) :],
            )
        return built

    def query(self, query: Query, *, outer: bool = False, alias: bool = False) -> exp.Query:
        """A query with its set operation.

        Args:
            outer: Whether it is the outermost query, which shows weekdays by name instead of by number.
            alias: Whether its columns are named c0, c1, … for an enclosing query.
        """
        if not query.set_op or query.other is None:
            return self._select(query, outer=outer, alias=alias)
        kinds = {"union": exp.Union, "intersect": exp.Intersect, "except": exp.Except}
        first = self._operand(replace(query, set_op="", other=None), alias)
        second = self._operand(query.other, alias)
        return kinds[query.set_op](this=first, expression=second, distinct=True)

    def _operand(self, query: Query, alias: bool) -> exp.Query:
        if query.limit is None and not query.set_op:
            return self._select(replace(query, order=()), alias=alias)
        # The order and the limit of an operand belong to it alone, so it is a derived table.
        inner = self.query(query, alias=True)
        columns = [derived(f"c{index}") for index in range(len(query.select))]
        if alias:
            columns = [exp.alias_(column, column.name, quoted=True) for column in columns]
        return from_derived(columns, inner)

    def _inside(self, query: Query, present: bool) -> exp.Query:
        """A query inside a condition; ``present`` leaves out NULLs, a single one of which would empty NOT IN."""
        if query.limit is None:
            query = replace(query, order=())
        is_plain = not query.set_op and query.limit is None and not aggregates(query.select[0])
        if present and is_plain:
            query = replace(query, where=(*query.where, Cond(query.select[0], "not null")))
        if (present and not is_plain) or (query.limit is not None and self._dialect == "mysql"):
            # MySQL accepts no LIMIT directly inside IN.
            outside = from_derived([derived("c0")], self.query(query, alias=True))
            if present:
                is_present = exp.Not(this=exp.Is(this=derived("c0"), expression=exp.Null()))
                outside = outside.where(is_present, copy=False)
            return outside
        return self.query(query)

    def _truth(self, query: Query) -> exp.Query:
        """A statement of one row with one number: above zero for yes."""
        query = replace(query, truth=False, order=() if query.limit is None else query.order)
        rows_only = not query.group and not query.having and not query.set_op
        figures = any(aggregates(item) for item in query.select)
        if rows_only and figures and len(query.select) == 1:
            return self.query(query, outer=True)
        is_plain = rows_only and not figures and not query.distinct and query.limit is None and query.inner is None
        if query.having and not query.group and not query.set_op:
            scope, select = self._rows(query)
            case = exp.Case().when(self._write.all_of(query.having, scope), exp.Literal.number(1))
            return select.select(case.else_(exp.Literal.number(0)), copy=False)
        tables = {ref.table for item in query.select for ref in refs_of(item)}
        if is_plain and (query.flat or len(tables) == 1):
            count = Agg("count", Col(Ref(next(refs_of(query.select[0])).table, "*")))
            return self._select(
                replace(query, select=(count,), tables=query.used_tables() if query.flat else query.tables)
            )
        inner = self.query(query, alias=not any(_is_star(item) for item in query.select))
        return from_derived([exp.Count(this=exp.Star())], inner)

    # ---- one SELECT ----

    def _select(self, query: Query, *, outer: bool = False, alias: bool = False) -> exp.Select:
        if self._dialect != "sqlite":
            query = _strictly_sorted(query)
        if query.outer:
            query = with_zeros(query, self._catalogue)
        if query.per and query.limit is not None:
            return self._top_per_group(query, outer=outer, alias=alias)
        scope, select = self._rows(query)
        for index, item in enumerate(query.select):
            select = select.select(self._column(item, index, scope, outer=outer, alias=alias), copy=False)
        select = self._grouped(query, scope, select)
        if query.order:
            select = select.order_by(*(self._ordered(item, scope, query) for item in query.order), copy=False)
        if query.limit is not None:
            select = select.limit(exp.Literal.number(query.limit), copy=False)
        return select.distinct(copy=False) if query.distinct else select

    def _column(self, item: Expr, index: int, scope: Scope, *, outer: bool, alias: bool) -> exp.Expr:
        built = self._write.shown(item, scope)
        if outer and isinstance(item, Part) and item.unit == "weekday":
            built = self._weekday_name(built)
        if alias and not _is_star(item):
            return exp.alias_(built, f"c{index}", quoted=True, copy=False)
        if item in scope.replaced and isinstance(item, Col):
            return exp.alias_(built, item.ref.column, quoted=True, copy=False)
        return built

    def _weekday_name(self, number: exp.Expr) -> exp.Expr:
        case = exp.Case(this=number)
        for index, name in enumerate(WEEKDAYS):
            case = case.when(exp.Literal.number(index), exp.Literal.string(name), copy=False)
        return case

    def _grouped(self, query: Query, scope: Scope, select: exp.Select) -> exp.Select:
        keys = [self._write.shown(item, scope) for item in query.group]
        if query.group and self._dialect != "sqlite":
            # Other engines require all columns of SELECT to be grouped by or aggregated.
            ungrouped = [item for item in query.select if not aggregates(item) and item not in query.group]
            keys += [self._write.shown(item, scope) for item in ungrouped]
        if keys:
            select = select.group_by(*keys, copy=False)
        if query.having:
            select = select.having(self._write.all_of(query.having, scope), copy=False)
        return select

    def _ordered(self, item: Order, scope: Scope, query: Query) -> exp.Expr:
        built = self._write.sorted_by(item.expr, scope)
        nulls_last = self._dialect in _NULLS_LAST
        # A missing value is neither the highest nor the lowest, so it comes last.
        wants_last = item.desc or (query.limit is not None and not query.per)
        if not self._write.may_be_null(item.expr):
            wants_last = nulls_last != (item.desc and self._dialect != "duckdb")
        return exp.Ordered(this=built, desc=item.desc, nulls_first=not wants_last)

    def _top_per_group(self, query: Query, *, outer: bool, alias: bool) -> exp.Select:
        """The first rows of each group: a derived table numbers its rows, and the outer query keeps low numbers."""
        scope, select = self._rows(query)
        columns = []
        for index, item in enumerate(query.select):
            name = item.ref.column if isinstance(item, Col) and not alias else f"c{index}"
            if name in columns:
                name = f"c{index}"
            columns.append(name)
            built = self._column(item, index, scope, outer=outer, alias=False).unalias()
            select = select.select(exp.alias_(built, name, quoted=True, copy=False), copy=False)
        for index, item in enumerate(query.per):
            built = self._write.sorted_by(item, scope)
            select = select.select(exp.alias_(built, f"per{index}", quoted=True, copy=False), copy=False)
        order = [self._ordered(item, scope, replace(query, per=())) for item in query.order]
        place = exp.Window(
            this=exp.RowNumber(),
            partition_by=[self._write.shown(item, scope) for item in query.per],
            order=exp.Order(expressions=order) if order else None,
        )
        select = select.select(exp.alias_(place, "place", quoted=True, copy=False), copy=False)
        select = self._grouped(replace(query, select=(*query.select, *query.per)), scope, select)
        ranked = from_derived([derived(name) for name in columns], select)
        limit = exp.LTE(this=derived("place"), expression=exp.Literal.number(query.limit))
        ranked = ranked.where(limit, copy=False)
        order_by = [derived(f"per{index}") for index in range(len(query.per))]
        return ranked.order_by(*order_by, derived("place"), copy=False)

    # ---- FROM and WHERE ----

    def _rows(self, query: Query) -> tuple[Scope, exp.Select]:
        """The FROM and WHERE of a SELECT: tables joined, filtered, and derived tables added where figures need them."""
        scope = Scope(flat=query.flat, group=query.group, per=query.per if query.limit is None else ())
        select = exp.Select()
        tables = query.used_tables()
        if query.inner is not None:
            if tables:
                raise Unjoinable(", ".join(tables))
            inner = self.query(query.inner, alias=True)
            select = select.from_(as_derived(inner), copy=False)
            if query.where:
                select = select.where(self._write.all_of(query.where, scope), copy=False)
            return with_derived_table(query, scope, select, self._write)
        if not tables:
            raise Unjoinable("no table")
        join_conds: list[Cond | AnyOf] = []
        if query.outer:
            joined, filters, join_conds = outer_join(query, self._catalogue)
        else:
            joined, filters = self._filters(query, tables)
        scope.edges = joined
        scope.qualify = bool(joined) or any(not isinstance(item, Cond | AnyOf) for item in filters)
        joined_tables = dict.fromkeys(ref.table for edge in joined for ref in edge)
        scope.names = self._aliases(tuple(joined_tables) or self._main_tables(query, tables)[:1])
        select = select.from_(self._table(next(iter(scope.names)), scope), copy=False)
        for edge in joined:
            left, right = (self._write.column(ref, scope) for ref in edge)
            on: exp.Expr = exp.EQ(this=left, expression=right)
            on = exp.and_(on, self._write.all_of(tuple(join_conds), scope), copy=False) if join_conds else on
            side = "LEFT" if query.outer else ""
            select = select.join(self._table(edge.right.table, scope), on=on, join_type=side, copy=False)
        scope.qualify = bool(joined)
        if filters:
            select = select.where(self._write.all_of(tuple(filters), scope), copy=False)
        return with_derived_table(query, scope, select, self._write)

    def _main_tables(self, query: Query, tables: tuple[str, ...]) -> tuple[str, ...]:
        """Tables whose rows the SELECT is about: those that it uses outside of its conditions."""
        if query.flat:
            return tables
        unfiltered = replace(query, where=())
        return unfiltered.used_tables() or tables[:1]

    def _filters(self, query: Query, tables: tuple[str, ...]) -> tuple[tuple[Edge, ...], list[Cond | AnyOf]]:
        """The edges to join, and the conditions of WHERE.

        A condition whose join would repeat rows of the SELECT becomes IN over a subquery; conditions on the same table
        stay in one subquery, since they are about the same row.
        """
        if len(tables) == 1:
            return (), list(query.where)
        main_tables = self._main_tables(query, tables)
        joined = self._joins.tree(main_tables)
        inside = {main_tables[0], *(edge.right.table for edge in joined)}
        other_edges = self._joins.grow(frozenset(inside), tuple(table for table in tables if table not in inside))
        filters: list[Cond | AnyOf] = list(query.where)
        for branch in _branches(other_edges, inside):
            names = {edge.right.table for edge in branch}
            branch_conds = [item for item in filters if names & cond_tables(item)]
            is_separate = all(cond_tables(item) <= names for item in branch_conds)
            if query.flat or not is_separate or not any(map(self._joins.multiplies, branch)):
                joined = (*joined, *branch)
                continue
            root = branch[0]
            other_tables = tuple(name for name in names if name != root.right.table)
            subquery = Query(select=(Col(root.right),), where=tuple(branch_conds), tables=other_tables, flat=True)
            position = filters.index(branch_conds[0])
            filters = [item for item in filters if item not in branch_conds]
            filters.insert(position, Cond(Col(root.left), "in", subquery))
        return joined, filters

    def _parts(self, name: str) -> list[str]:
        """The schema and the table of a name; SQLite has no schemas, and its names may contain dots."""
        return [name] if self._dialect == "sqlite" else name.split(".")

    def _table(self, name: str, scope: Scope) -> exp.Table:
        info = self._catalogue.tables.get(name)
        stored = info.role_of if info is not None and info.role_of else name
        parts = [exp.to_identifier(part, quoted=True) for part in self._parts(stored)]
        table = exp.Table(this=parts[-1], db=parts[-2] if len(parts) > 1 else None)
        alias = scope.names[name]
        if alias != parts[-1].name:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(alias, quoted=True)))
        return table

    def _aliases(self, tables: Sequence[str]) -> dict[str, str]:
        """The alias of each table in FROM: its name without the schema, with it where two would be the same."""
        short_names = [self._parts(table)[-1] for table in tables]
        return {
            table: name if short_names.count(name) == 1 else table.replace(".", "_")
            for table, name in zip(tables, short_names, strict=True)
        }


def _strictly_sorted(query: Query) -> Query:
    """The query for engines that sort groups and distinct rows only by expressions with one value for each."""
    distinct = query.distinct and not query.group and not any(map(aggregates, query.select))
    free_items = [item for item in query.order if not aggregates(item.expr) and item.expr not in query.group]
    if distinct and any(item.expr not in query.select for item in free_items):
        query = replace(query, distinct=False, group=query.select)
    elif not query.group:
        return query
    known_exprs = {*query.group, *query.select}
    order = [
        item
        if aggregates(item.expr) or item.expr in known_exprs
        else replace(item, expr=Agg(_SORT_FUNCTIONS[item.desc], item.expr))
        for item in query.order
    ]
    return replace(query, order=tuple(order))


def _branches(edges: tuple[Edge, ...], inside: set[str]) -> list[tuple[Edge, ...]]:
    """Edges beyond the joined tables, grouped by the edge that connects each branch with them."""
    branches: dict[str, list[Edge]] = {}
    branch_of_table: dict[str, str] = {}
    for edge in edges:
        start = branch_of_table.get(edge.left.table, edge.right.table)
        if edge.left.table in inside:
            start = edge.right.table
        branch_of_table[edge.right.table] = start
        branches.setdefault(start, []).append(edge)
    return [tuple(branch) for branch in branches.values()]


def _is_star(item: Expr) -> bool:
    return isinstance(item, Col) and item.ref.column == "*"
