"""Statements rebuilt with some of their parts replaced, wherever in the tree those are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Over, Part, Query, Years, aggregates_in

ChangeExpr = Callable[[Expr], Expr]
ChangeCond = Callable[[Cond], Cond | None]


def map_expr(expr: Expr, change: ChangeExpr) -> Expr:
    """The expression with ``change`` applied to each of its parts, the innermost first, and to itself."""
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
    """The statement with every expression of this SELECT itself changed, each of its parts too."""

    def changed(exprs: Iterable[Expr]) -> tuple[Expr, ...]:
        return tuple(dict.fromkeys(map_expr(expr, change) for expr in exprs))

    def compared(cond: Cond) -> Cond:
        right = cond.right
        if isinstance(right, Expr):
            right = map_expr(right, change)
        return replace(cond, left=map_expr(cond.left, change), right=right)

    return replace(
        query,
        select=changed(query.select),
        group=changed(query.group),
        per=changed(query.per),
        where=_conds(query.where, compared),
        having=_conds(query.having, compared),
        order=tuple(replace(item, expr=map_expr(item.expr, change)) for item in query.order),
    )


def map_conds(query: Query, change: ChangeCond) -> Query:
    """The statement with every condition changed, those of aggregates and of nested statements too.

    Args:
        change: Gives the condition that takes its place; None takes it out.
    """

    def nested(cond: Cond) -> Cond | None:
        if isinstance(cond.right, Query):
            cond = replace(cond, right=map_conds(cond.right, change))
        return change(cond)

    def within(expr: Expr) -> Expr:
        if isinstance(expr, Agg) and expr.where:
            return replace(expr, where=tuple(new for cond in expr.where if (new := nested(cond)) is not None))
        return expr

    query = replace(query, where=_conds(query.where, nested), having=_conds(query.having, nested))
    return replace(
        map_exprs(query, within),
        inner=None if query.inner is None else map_conds(query.inner, change),
        other=None if query.other is None else map_conds(query.other, change),
    )


def all_conds(query: Query) -> Iterator[Cond]:
    """Every condition in the tree."""
    seen: list[Cond] = []

    def note(cond: Cond) -> Cond:
        seen.append(cond)
        return cond

    map_conds(query, note)
    yield from seen


def exchanged(query: Query, old: Sequence[Cond], new: Cond) -> Query:
    """The new condition in place of the last of the old ones; the others are gone."""
    return map_conds(query, lambda cond: new if cond == old[-1] else None if cond in old else cond)


def with_cond(query: Query, cond: Cond | AnyOf) -> Query:
    """With one more condition on the rows that its figures are made of."""
    if query.inner is not None:
        return replace(query, inner=with_cond(query.inner, cond))
    other = None if query.other is None else with_cond(query.other, cond)
    return replace(query, where=(*query.where, cond), other=other)


def aggs_of(query: Query) -> tuple[Agg, ...]:
    """The aggregates that this SELECT shows, also those inside formulas and windows, each once."""
    return tuple(dict.fromkeys(agg for expr in query.select for agg in aggregates_in(expr)))


def with_cond_inside(query: Query, cond_for: Callable[[Query], Cond | AnyOf | None]) -> Query | None:
    """With one more condition in each statement that a condition nests; None where none of them takes one.

    Args:
        cond_for: Gives the condition for a nested statement.
    """

    def grown(old: Cond) -> Cond:
        cond = cond_for(old.right) if isinstance(old.right, Query) else None
        if cond is None or not isinstance(old.right, Query):
            return old
        return replace(old, right=replace(old.right, where=(*old.right.where, cond)))

    changed = map_conds(query, grown)
    return changed if changed != query else None


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
