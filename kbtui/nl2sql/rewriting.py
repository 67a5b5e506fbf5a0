"""Rewrites queries: replaces expressions and conditions anywhere in the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Over, Part, Query, Years, aggregates_in

ChangeExpr = Callable[[Expr], Expr]
ChangeCond = Callable[[Cond], Cond | None]


def map_expr(expr: Expr, change: ChangeExpr) -> Expr:
    """The expression with ``change`` applied to its parts, innermost first, and then to itself."""
    match expr:
        case Part(arg=arg) | Years(arg=arg):
            expr = replace(expr, arg=map_expr(arg, change))
        case Arith(left=left, right=right):
            other = right if isinstance(right, int | float) else map_expr(right, change)
            expr = replace(expr, left=map_expr(left, change), right=other)
        case Agg(arg=arg, where=where):
            conds = tuple(replace(cond, left=map_expr(cond.left, change)) for cond in where)
            expr = replace(expr, arg=map_expr(arg, change), where=conds)
        case Over(arg=arg):
            inner = map_expr(arg, change)
            expr = replace(expr, arg=inner) if isinstance(inner, Agg) else inner
        case Col():
            pass
    return change(expr)


def map_exprs(query: Query, change: ChangeExpr) -> Query:
    """The query with ``change`` applied to every expression of this SELECT, parts first."""

    def changed(exprs: Iterable[Expr]) -> tuple[Expr, ...]:
        return tuple(dict.fromkeys(map_expr(expr, change) for expr in exprs))

    def changed_cond(cond: Cond) -> Cond:
        right = cond.right
        if isinstance(right, Expr):
            right = map_expr(right, change)
        return replace(cond, left=map_expr(cond.left, change), right=right)

    return replace(
        query,
        select=changed(query.select),
        group=changed(query.group),
        per=changed(query.per),
        where=_conds(query.where, changed_cond),
        having=_conds(query.having, changed_cond),
        order=tuple(replace(item, expr=map_expr(item.expr, change)) for item in query.order),
    )


def map_conds(query: Query, change: ChangeCond) -> Query:
    """The query with ``change`` applied to every condition, including those of aggregates and nested queries.

    Args:
        change: Returns the condition to use instead; None removes it.
    """

    def changed_cond(cond: Cond) -> Cond | None:
        if isinstance(cond.right, Query):
            cond = replace(cond, right=map_conds(cond.right, change))
        return change(cond)

    def changed_agg(expr: Expr) -> Expr:
        if isinstance(expr, Agg) and expr.where:
            return replace(expr, where=tuple(new for cond in expr.where if (new := changed_cond(cond)) is not None))
        return expr

    query = replace(query, where=_conds(query.where, changed_cond), having=_conds(query.having, changed_cond))
    return replace(
        map_exprs(query, changed_agg),
        inner=None if query.inner is None else map_conds(query.inner, change),
        other=None if query.other is None else map_conds(query.other, change),
    )


def all_conds(query: Query) -> Iterator[Cond]:
    """All conditions in the tree."""
    seen: list[Cond] = []

    def note(cond: Cond) -> Cond:
        seen.append(cond)
        return cond

    map_conds(query, note)
    yield from seen


def with_replaced_conds(query: Query, old: Sequence[Cond], new: Cond) -> Query:
    """The query with the last of the old conditions replaced by the new one, and the others removed."""
    return map_conds(query, lambda cond: new if cond == old[-1] else None if cond in old else cond)


def with_cond(query: Query, cond: Cond | AnyOf) -> Query:
    """The query with a further condition on the rows of its figures."""
    if query.inner is not None:
        return replace(query, inner=with_cond(query.inner, cond))
    other = None if query.other is None else with_cond(query.other, cond)
    return replace(query, where=(*query.where, cond), other=other)


def aggs_of(query: Query) -> tuple[Agg, ...]:
    """The distinct aggregates in SELECT, including those inside formulas and windows."""
    return tuple(dict.fromkeys(agg for expr in query.select for agg in aggregates_in(expr)))


def _conds(items: Iterable[Cond | AnyOf], change: ChangeCond) -> tuple[Cond | AnyOf, ...]:
    changed: dict[Cond | AnyOf, None] = {}
    for item in items:
        if isinstance(item, Cond):
            if (new := change(item)) is not None:
                changed[new] = None
            continue
        conds = tuple(dict.fromkeys(new for cond in item.conds if (new := change(cond)) is not None))
        if conds:
            changed[conds[0] if len(conds) == 1 else AnyOf(conds)] = None
    return tuple(changed)
