"""Derived tables below a GROUP BY, for figures that a single grouping cannot calculate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sqlglot import exp

from kbtui.nl2sql.expressions import Expressions, Scope
from kbtui.nl2sql.query import Agg, Expr, Query, Ref, aggregates, aggregates_in, counts_rows

_WITHOUT_PERCENTILES: Final = frozenset({"sqlite", "mysql"})
"""Dialects without percentiles in some versions in use; ranks replace them."""
_ALIAS: Final = "t"


def with_derived_table(query: Query, scope: Scope, select: exp.Select, write: Expressions) -> tuple[Scope, exp.Select]:
    """The scope and the SELECT, with a derived table below the grouping if a figure needs one.

    If the join repeats a row, only the first copy in its group may add to a sum. Percentiles of SQLite and MySQL are
    calculated from ranks of the values, standard deviations of SQLite from distances to the mean of the group.
    """
    aggs_found = dict.fromkeys(agg for item in _outer(query) for agg in aggregates_in(item))
    once = {agg for agg in aggs_found if agg.fn != "count" and write.repeated(agg, scope)}
    ranked = {agg for agg in aggs_found if _needs_ranks(agg, write.dialect)}
    if not once and not ranked:
        return scope, select
    keys = [exp.alias_(write.shown(item, scope), f"g{i}", quoted=True) for i, item in enumerate(query.group)]
    ungrouped = _ungrouped(query)
    ungrouped_columns = [exp.alias_(write.shown(item, scope), f"b{i}", quoted=True) for i, item in enumerate(ungrouped)]
    items: list[exp.Expr] = []
    for index, agg in enumerate(aggs_found):
        items.append(exp.alias_(write.argument(agg, scope), f"a{index}", quoted=True))
        if agg in once:
            partition = [key.unalias().copy() for key in keys]
            partition.append(write.column(_key_of_copies(agg, scope, write), scope))
            if agg.where:
                flag = exp.Case().when(write.all_of(agg.where, scope), exp.Literal.number(1))
                partition.append(flag)
            copy = exp.Window(this=exp.RowNumber(), partition_by=partition)
            items.append(exp.alias_(copy, f"n{index}", quoted=True))
    inner_select = select.select(*keys, *ungrouped_columns, *items, copy=False)
    outer_scope = Scope(group=scope.group, per=scope.per, flat=True)
    outer_scope.replaced = {item: derived(f"g{index}") for index, item in enumerate(query.group)}
    outer_scope.replaced |= {item: derived(f"b{index}") for index, item in enumerate(ungrouped)}
    arguments = {agg: _first_copy(index, agg in once) for index, agg in enumerate(aggs_found)}
    if ranked:
        inner_select = _with_ranks(inner_select, query, aggs_found, ranked, arguments)
    for index, agg in enumerate(aggs_found):
        key = write.counted_key(agg, scope)
        distinct = (agg.distinct and not counts_rows(agg)) or key is not None
        outer_scope.replaced[agg] = (
            _from_ranks(agg, index) if agg in ranked else write.figure(agg, arguments[agg], distinct=distinct)
        )
    return outer_scope, exp.Select().from_(as_derived(inner_select), copy=False)


def _outer(query: Query) -> list[Expr]:
    """The expressions above the grouping."""
    exprs = (*query.select, *(item.expr for item in query.order))
    return Query(select=exprs, having=query.having).expressions()


def _ungrouped(query: Query) -> list[Expr]:
    """Columns above the grouping that are not grouped by."""
    outer = [*_outer(query), *query.per]
    return list(dict.fromkeys(item for item in outer if not aggregates(item) and item not in query.group))


def _needs_ranks(agg: Agg, dialect: str) -> bool:
    if agg.fn == "stddev":
        return dialect == "sqlite"
    return agg.fn in ("median", "percentile") and dialect in _WITHOUT_PERCENTILES


def _key_of_copies(agg: Agg, scope: Scope, write: Expressions) -> Ref:
    key = write.key_of(write.repeated(agg, scope))
    assert key is not None
    return key


def _first_copy(index: int, once: bool) -> exp.Expr:
    item = derived(f"a{index}")
    if not once:
        return item
    first = exp.EQ(this=derived(f"n{index}"), expression=exp.Literal.number(1))
    return exp.Case().when(first, item, copy=False)


def _with_ranks(
    below: exp.Select, query: Query, aggs: dict[Agg, None], ranked: set[Agg], arguments: dict[Agg, exp.Expr]
) -> exp.Select:
    """Adds to each value its rank in its group, the number of values, and its distance to the mean."""
    columns: list[exp.Expr] = [exp.Star()]
    for index, agg in enumerate(aggs):
        if agg not in ranked:
            continue
        value = arguments[agg]
        partition: list[exp.Expr] = [derived(f"g{i}") for i in range(len(query.group))]
        if agg.fn == "stddev":
            mean = exp.Window(this=exp.Avg(this=value.copy()), partition_by=partition)
            columns.append(exp.alias_(exp.Sub(this=value.copy(), expression=mean), f"d{index}", quoted=True))
            continue
        # NULLs are ranked in a partition of their own.
        partition = [*partition, exp.Is(this=value.copy(), expression=exp.Null())]
        order = exp.Order(expressions=[exp.Ordered(this=value.copy(), nulls_first=True)])
        rank = exp.Window(this=exp.RowNumber(), partition_by=[w.copy() for w in partition], order=order)
        count = exp.Window(this=exp.Count(this=exp.Star()), partition_by=partition)
        columns.append(exp.alias_(value.copy(), f"v{index}", quoted=True))
        columns.append(exp.alias_(rank, f"r{index}", quoted=True))
        columns.append(exp.alias_(count, f"m{index}", quoted=True))
    return from_derived(columns, below)


def _from_ranks(agg: Agg, index: int) -> exp.Expr:
    """A percentile interpolated between two values like PERCENTILE_CONT, or a standard deviation."""
    one = exp.Literal.number(1)
    if agg.fn == "stddev":
        deviation = derived(f"d{index}")
        squares = exp.Sum(this=exp.Mul(this=deviation, expression=deviation.copy()))
        degrees_of_freedom = exp.Sub(this=exp.Count(this=deviation.copy()), expression=one)
        mean = exp.Div(
            this=squares, expression=exp.Nullif(this=degrees_of_freedom, expression=exp.Literal.number(0)), typed=True
        )
        return exp.Sqrt(this=mean)
    value, rank, count = derived(f"v{index}"), derived(f"r{index}"), derived(f"m{index}")
    if agg.fn == "median" or agg.level == 0.5:
        # The middle value or the two middle values: twice their rank is the count, or one or two more.
        is_middle = exp.Between(this=exp.Mul(this=rank, expression=exp.Literal.number(2)), low=count, high=count + 2)
        return exp.Avg(this=exp.Case().when(is_middle, value, copy=False))
    position = exp.Mul(this=exp.paren(count - 1), expression=exp.Literal.number(repr(float(agg.level))))
    distance = exp.Abs(this=exp.Sub(this=exp.paren(rank - 1), expression=position))
    weight = exp.paren(exp.Sub(this=one, expression=distance), copy=False)
    is_neighbour = exp.LT(this=distance.copy(), expression=one.copy())
    return exp.Sum(this=exp.Case().when(is_neighbour, exp.Mul(this=value, expression=weight), copy=False))


def derived(name: str) -> exp.Expr:
    """A column of a derived table."""
    return exp.Column(this=exp.to_identifier(name, quoted=True))


def as_derived(inner: exp.Query) -> exp.Subquery:
    """A query as a derived table."""
    return exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(_ALIAS)))


def from_derived(columns: Sequence[exp.Expr], inner: exp.Query) -> exp.Select:
    """A SELECT of columns from a derived table."""
    return exp.Select().select(*columns, copy=False).from_(as_derived(inner), copy=False)
