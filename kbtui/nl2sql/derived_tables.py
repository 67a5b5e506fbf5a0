"""Derived tables below a grouping, for figures that one grouping cannot make."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kbtui.nl2sql.expressions import Expressions, Scope
from kbtui.nl2sql.query import Agg, AnyOf, Expr, Query, Ref, aggregates, aggregates_in, counts_rows

if TYPE_CHECKING:
    from sqlglot import exp

_WITHOUT_PERCENTILES: Final = frozenset({"sqlite", "mysql"})
"""Dialects whose engines of all versions in use have no such aggregates; ranks take their place."""
_ALIAS: Final = "t"


def prepared(query: Query, scope: Scope, select: exp.Select, write: Expressions) -> tuple[Scope, exp.Select]:
    """Put a derived table below the grouping where a figure needs one.

    Of a row that the join repeats only the first copy in its group may add to a sum; percentiles of SQLite and
    MySQL come from ranks of the values; a standard deviation of SQLite from distances to the mean of the group.
    """
    from sqlglot import exp

    found = dict.fromkeys(agg for item in _outer(query) for agg in aggregates_in(item))
    once = {agg for agg in found if agg.fn != "count" and write.repeated(agg, scope)}
    ranked = {agg for agg in found if _needs_ranks(agg, write.dialect)}
    if not once and not ranked:
        return scope, select
    keys = [exp.alias_(write.shown(item, scope), f"g{i}", quoted=True) for i, item in enumerate(query.group)]
    bare = _bare(query)
    rest = [exp.alias_(write.shown(item, scope), f"b{i}", quoted=True) for i, item in enumerate(bare)]
    items: list[exp.Expr] = []
    for index, agg in enumerate(found):
        items.append(exp.alias_(write.argument(agg, scope), f"a{index}", quoted=True))
        if agg in once:
            within = [key.unalias().copy() for key in keys]
            within.append(write.column(_once_key(agg, scope, write), scope))
            if agg.where:
                flag = exp.Case().when(write.all_of(agg.where, scope), exp.Literal.number(1))
                within.append(flag)
            copy = exp.Window(this=exp.RowNumber(), partition_by=within)
            items.append(exp.alias_(copy, f"n{index}", quoted=True))
    below = select.select(*keys, *rest, *items, copy=False)
    outside = Scope(group=scope.group, per=scope.per, flat=True)
    outside.replaced = {item: derived(f"g{index}") for index, item in enumerate(query.group)}
    outside.replaced |= {item: derived(f"b{index}") for index, item in enumerate(bare)}
    arguments = {agg: _first_copy(index, agg in once) for index, agg in enumerate(found)}
    if ranked:
        below = _with_ranks(below, query, found, ranked, arguments)
    for index, agg in enumerate(found):
        key = write.counted_key(agg, scope)
        distinct = (agg.distinct and not counts_rows(agg)) or key is not None
        outside.replaced[agg] = (
            _from_ranks(agg, index) if agg in ranked else write.figure(agg, arguments[agg], distinct=distinct)
        )
    return outside, exp.Select().from_(as_derived(below), copy=False)


def _outer(query: Query) -> list[Expr]:
    """The expressions above the grouping."""
    found = [*query.select, *(item.expr for item in query.order)]
    for cond in (item for some in query.having for item in (some.conds if isinstance(some, AnyOf) else (some,))):
        found.append(cond.left)
        if isinstance(cond.right, Expr):
            found.append(cond.right)
    return found


def _bare(query: Query) -> list[Expr]:
    """Columns above the grouping that are not grouped by."""
    outer = [*_outer(query), *query.per]
    return list(dict.fromkeys(item for item in outer if not aggregates(item) and item not in query.group))


def _needs_ranks(agg: Agg, dialect: str) -> bool:
    if agg.fn == "stddev":
        return dialect == "sqlite"
    return agg.fn in ("median", "percentile") and dialect in _WITHOUT_PERCENTILES


def _once_key(agg: Agg, scope: Scope, write: Expressions) -> Ref:
    key = write.key_of(write.repeated(agg, scope))
    assert key is not None
    return key


def _first_copy(index: int, once: bool) -> exp.Expr:
    from sqlglot import exp

    item = derived(f"a{index}")
    if not once:
        return item
    first = exp.EQ(this=derived(f"n{index}"), expression=exp.Literal.number(1))
    return exp.Case().when(first, item, copy=False)


def _with_ranks(
    below: exp.Select,
    query: Query,
    found: dict[Agg, None],
    ranked: set[Agg],
    arguments: dict[Agg, exp.Expr],
) -> exp.Select:
    """Beside each value its rank among those of its group, how many there are, and its distance to the mean."""
    from sqlglot import exp

    columns: list[exp.Expr] = [exp.Star()]
    for index, agg in enumerate(found):
        if agg not in ranked:
            continue
        value = arguments[agg]
        within: list[exp.Expr] = [derived(f"g{i}") for i in range(len(query.group))]
        if agg.fn == "stddev":
            mean = exp.Window(this=exp.Avg(this=value.copy()), partition_by=within)
            columns.append(exp.alias_(exp.Sub(this=value.copy(), expression=mean), f"d{index}", quoted=True))
            continue
        # Values alone are ranked: what is missing makes a partition of its own.
        within = [*within, exp.Is(this=value.copy(), expression=exp.Null())]
        order = exp.Order(expressions=[exp.Ordered(this=value.copy(), nulls_first=True)])
        rank = exp.Window(this=exp.RowNumber(), partition_by=[w.copy() for w in within], order=order)
        count = exp.Window(this=exp.Count(this=exp.Star()), partition_by=within)
        columns.append(exp.alias_(value.copy(), f"v{index}", quoted=True))
        columns.append(exp.alias_(rank, f"r{index}", quoted=True))
        columns.append(exp.alias_(count, f"m{index}", quoted=True))
    return from_derived(columns, below)


def _from_ranks(agg: Agg, index: int) -> exp.Expr:
    """A percentile between the two values around its place, as PERCENTILE_CONT has it; or a standard deviation."""
    from sqlglot import exp

    one = exp.Literal.number(1)
    if agg.fn == "stddev":
        gap = derived(f"d{index}")
        squares = exp.Sum(this=exp.Mul(this=gap, expression=gap.copy()))
        spare = exp.Sub(this=exp.Count(this=gap.copy()), expression=one)
        mean = exp.Div(this=squares, expression=exp.Nullif(this=spare, expression=exp.Literal.number(0)), typed=True)
        return exp.Sqrt(this=mean)
    value, rank, count = derived(f"v{index}"), derived(f"r{index}"), derived(f"m{index}")
    if agg.fn == "median" or agg.level == 0.5:
        # The middle one, or the two in the middle: twice its rank is the count, one or two more.
        low = exp.Between(this=exp.Mul(this=rank, expression=exp.Literal.number(2)), low=count, high=count + 2)
        return exp.Avg(this=exp.Case().when(low, value, copy=False))
    place = exp.Mul(this=exp.paren(count - 1), expression=exp.Literal.number(repr(float(agg.level))))
    distance = exp.Abs(this=exp.Sub(this=exp.paren(rank - 1), expression=place))
    weight = exp.paren(exp.Sub(this=one, expression=distance), copy=False)
    near = exp.LT(this=distance.copy(), expression=one.copy())
    return exp.Sum(this=exp.Case().when(near, exp.Mul(this=value, expression=weight), copy=False))


def derived(name: str) -> exp.Expr:
    """A column of a derived table."""
    from sqlglot import exp

    return exp.Column(this=exp.to_identifier(name, quoted=True))


def as_derived(inner: exp.Query) -> exp.Subquery:
    """A query to select from."""
    from sqlglot import exp

    return exp.Subquery(this=inner, alias=exp.TableAlias(this=exp.to_identifier(_ALIAS)))


def from_derived(columns: Sequence[exp.Expr], inner: exp.Query) -> exp.Select:
    """Columns of a query that is selected from."""
    from sqlglot import exp

    return exp.Select().select(*columns, copy=False).from_(as_derived(inner), copy=False)
