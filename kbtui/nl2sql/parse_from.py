"""FROM of SQL: its tables, the columns that join them, and the conditions that only filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kbtui.nl2sql.catalogue import Edge
from kbtui.nl2sql.parse_scope import Names, Scope, Unreadable
from kbtui.nl2sql.query import Ref

if TYPE_CHECKING:
    from sqlglot import exp

_Pair = tuple[Any, Any]
"""Two columns of an equation."""


def tables_of(node: exp.Expr, outer: Scope | None, names: Names) -> tuple[Scope, list[Any]]:
    """The scope of a SELECT over tables, and its conditions beside those of its joins.

    Raises:
        Unreadable: It reads something else than tables, or joins them in a way that has no type.
    """

    where = node.args.get("where")
    filters = [where.this] if where is not None else []
    joins = list(node.args.get("joins") or ())
    scope = Scope(names, outer=outer)
    for table in [node.args["from_"].this, *(join.this for join in joins)]:
        _add_table(table, scope)
    for join in joins:
        inner = join.side.upper() in ("", "LEFT") and join.kind.upper() in ("", "INNER", "CROSS", "OUTER")
        if not inner or join.method:
            raise Unreadable(join.sql()[:80])
    missing = [join for join in joins if join.side and _wants_none(join, where)]
    equal: list[_Pair] = []
    for join in joins:
        if join in missing:
            continue
        pairs, further = _equations(join.args.get("on"))
        equal += pairs
        filters += further
    for join in missing:
        filters = [_without(join, filters, scope)]
    for part in filters:
        equal += [pair for pair in _equations(part)[0] if _is_join(pair, scope)]
    _assign_roles(equal, scope)
    scope.pairs += [edge for edge in (_edge(pair, scope) for pair in equal) if edge.left != edge.right]
    for join in joins:
        scope.pairs += _using(join, scope)
        if join.side and join not in missing and not _finds_partners(join, scope):
            scope.kept = _kept_by(join, joins, where, scope)
    return scope, filters


def _add_table(table: Any, scope: Scope) -> None:
    from sqlglot import exp

    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier) or table.args.get("joins"):
        raise Unreadable(table.sql()[:80])
    named = scope.names.tables
    name = named.get(f"{table.db}.{table.name}".lower()) or named.get(table.name.lower())
    alias = table.alias_or_name.lower()
    if name is None or alias in scope.tables:
        raise Unreadable(table.sql()[:80])
    scope.tables[alias] = name


def _equations(node: Any) -> tuple[list[_Pair], list[Any]]:
    """The columns that a condition makes equal, and what else it says."""
    from sqlglot import exp

    if node is None or (isinstance(node, exp.Boolean) and node.this):
        return [], []
    pairs, others = [], []
    node = node.this if isinstance(node, exp.Paren) else node
    for part in node.flatten() if isinstance(node, exp.And) else [node]:
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column) and isinstance(part.expression, exp.Column):
            pairs.append((part.this, part.expression))
        else:
            others.append(part)
    return pairs, others


def _edge(pair: _Pair, scope: Scope) -> Edge:
    left, right = scope.ref(pair[0]), scope.ref(pair[1])
    if left is None or right is None:
        raise Unreadable(pair[0].sql())
    return Edge(left, right)


def _is_join(pair: _Pair, scope: Scope) -> bool:
    """Whether an equation of WHERE joins two tables."""
    aliases = {column.table.lower() if column.table else _alias_of(column, scope) for column in pair}
    return len(aliases) == 2 and None not in aliases and all(scope.ref(column) is not None for column in pair)


def _alias_of(column: Any, scope: Scope) -> str | None:
    name = column.name.lower()
    aliases = [alias for alias, table in scope.tables.items() if (table, name) in scope.names.columns]
    return aliases[0] if len(aliases) == 1 else None


def _using(join: Any, scope: Scope) -> list[Edge]:
    alias = join.this.alias_or_name.lower()
    columns = scope.names.columns
    edges = []
    for item in join.args.get("using") or ():
        name = item.name.lower()
        others = [table for other, table in scope.tables.items() if other != alias and (table, name) in columns]
        if not others or (scope.tables[alias], name) not in columns:
            raise Unreadable(join.sql()[:80])
        edges.append(Edge(columns[others[0], name], columns[scope.tables[alias], name]))
    return edges


def _assign_roles(equal: Sequence[_Pair], scope: Scope) -> None:
    """Tables that stand several times in a statement are roles, by the columns that refer to them."""
    edges = scope.names.catalogue.edges
    for first, second in equal:
        for referring, key in ((first, second), (second, first)):
            alias = key.table.lower()
            table = scope.tables.get(alias)
            other = scope.ref(referring) if referring.table else None
            if table is None or other is None:
                continue
            roles = scope.names.roles(table, other)
            ways = sum(edge.left.table == other.table and edge.right.table == table for edge in edges)
            several = ways > 1 or list(scope.tables.values()).count(table) > 1
            if roles and several and roles[0] not in scope.tables.values():
                scope.tables[alias] = roles[0]
    if len(set(scope.tables.values())) < len(scope.tables):
        raise Unreadable("a table joined to itself")


# ---- outer joins ----


def _wants_none(join: Any, where: Any) -> bool:
    """Whether the statement keeps just the rows for which an outer join brings nothing."""
    from sqlglot import exp

    alias = join.this.alias_or_name.lower()
    parts = where.this.flatten() if where is not None and isinstance(where.this, exp.And) else []
    parts = [where.this] if where is not None and not parts else list(parts)
    return any(_is_none(part, alias) for part in parts)


def _is_none(part: Any, alias: str) -> bool:
    from sqlglot import exp

    if not isinstance(part, exp.Is) or not isinstance(part.expression, exp.Null):
        return False
    return isinstance(part.this, exp.Column) and part.this.table.lower() == alias


def _without(join: Any, filters: Sequence[Any], scope: Scope) -> Any:
    """The conditions with NOT IN for a LEFT JOIN whose rows have to be missing."""
    from sqlglot import exp

    alias = join.this.alias_or_name.lower()
    pairs, further = _equations(join.args.get("on"))
    if len(pairs) != 1:
        raise Unreadable(join.sql()[:80])
    own, other = pairs[0] if pairs[0][1].table.lower() == alias else pairs[0][::-1]
    if other.table.lower() != alias:
        raise Unreadable(join.sql()[:80])
    inner = exp.select(other.copy()).from_(join.this.copy())
    if further:
        inner = inner.where(*(part.copy() for part in further))
    kept = []
    for item in filters:
        parts = item.flatten() if isinstance(item, exp.And) else [item]
        kept += [part.copy() for part in parts if not _is_none(part, alias)]
    del scope.tables[alias]
    return exp.and_(exp.not_(exp.In(this=own.copy(), query=inner.subquery())), *kept)


def _finds_partners(join: Any, scope: Scope) -> bool:
    """Whether each row finds a partner in an outer join: it refers to a key by a column that is always given."""
    table = scope.tables[join.this.alias_or_name.lower()]
    catalogue = scope.names.catalogue
    for left, right in scope.pairs:
        edge = Edge(left, right) if right.table == table else Edge(right, left)
        if edge.right.table != table:
            continue
        column = catalogue.column(edge.left)
        if edge not in catalogue.edges or column is None or column.nulls > 0:
            return False
    return True


def _kept_by(join: Any, joins: Sequence[Any], where: Any, scope: Scope) -> Ref:
    """The column by which rows of an outer join refer to those that are kept, of which nothing else is asked.

    Raises:
        Unreadable: They refer to none, or WHERE is about them.
    """
    from sqlglot import exp

    table = scope.tables[join.this.alias_or_name.lower()]
    edges = [edge for pair in scope.pairs for edge in (pair, Edge(*pair[::-1])) if edge.left.table == table]
    asked = [scope.ref(column) for column in where.find_all(exp.Column)] if where is not None else []
    own = any(ref is not None and ref.table == table for ref in asked)
    if len(joins) > 1 or own or len(edges) != 1 or edges[0] not in scope.names.catalogue.edges:
        raise Unreadable(join.sql()[:80])
    return edges[0].left
