"""Parses FROM: its tables, the columns that join them, and the conditions that only filter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from kbtui.nl2sql.catalogue import Edge
from kbtui.nl2sql.parse_scope import Names, Scope, Unreadable
from kbtui.nl2sql.query import Ref

_Pair = tuple[Any, Any]
"""Two columns of an equation."""


def tables_of(node: exp.Expr, outer: Scope | None, names: Names) -> tuple[Scope, list[Any]]:
    """The scope of a SELECT over tables, and the conditions that are not part of its joins.

    Raises:
        Unreadable: It reads something other than tables, or a kind of join that a `Query` cannot express.
    """

    where = node.args.get("where")
    filters = [where.this] if where is not None else []
    joins = list(node.args.get("joins") or ())
    scope = Scope(names, outer=outer)
    for table in [node.args["from_"].this, *(join.this for join in joins)]:
        _add_table(table, scope)
    for join in joins:
        is_supported = join.side.upper() in ("", "LEFT") and join.kind.upper() in ("", "INNER", "CROSS", "OUTER")
        if not is_supported or join.method:
            raise Unreadable(join.sql()[:80])
    anti_joins = [join for join in joins if join.side and _is_anti_join(join, where)]
    equations: list[_Pair] = []
    for join in joins:
        if join in anti_joins:
            continue
        pairs, other_conds = _equations(join.args.get("on"))
        equations += pairs
        filters += other_conds
    for join in anti_joins:
        filters = [_with_not_in(join, filters, scope)]
    for part in filters:
        equations += [pair for pair in _equations(part)[0] if _is_join(pair, scope)]
    _assign_roles(equations, scope)
    scope.pairs += [edge for edge in (_edge(pair, scope) for pair in equations) if edge.left != edge.right]
    for join in joins:
        scope.pairs += _using(join, scope)
        if join.side and join not in anti_joins and not _always_matches(join, scope):
            scope.outer_reference = _outer_reference(join, joins, where, scope)
    return scope, filters


def _add_table(table: Any, scope: Scope) -> None:
    if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier) or table.args.get("joins"):
        raise Unreadable(table.sql()[:80])
    table_names = scope.names.tables
    name = table_names.get(f"{table.db}.{table.name}".lower()) or table_names.get(table.name.lower())
    alias = table.alias_or_name.lower()
    if name is None or alias in scope.tables:
        raise Unreadable(table.sql()[:80])
    scope.tables[alias] = name


def _equations(node: Any) -> tuple[list[_Pair], list[Any]]:
    """The pairs of columns that a condition equates, and its other parts."""
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
    """Replace tables that occur several times by roles, according to the columns that refer to them."""
    edges = scope.names.catalogue.edges
    for first, second in equal:
        for referring, key in ((first, second), (second, first)):
            alias = key.table.lower()
            table = scope.tables.get(alias)
            other = scope.ref(referring) if referring.table else None
            if table is None or other is None:
                continue
            roles = scope.names.roles(table, other)
            edge_count = sum(edge.left.table == other.table and edge.right.table == table for edge in edges)
            is_ambiguous = edge_count > 1 or list(scope.tables.values()).count(table) > 1
            if roles and is_ambiguous and roles[0] not in scope.tables.values():
                scope.tables[alias] = roles[0]
    if len(set(scope.tables.values())) < len(scope.tables):
        raise Unreadable("a table joined to itself")


# ---- outer joins ----


def _is_anti_join(join: Any, where: Any) -> bool:
    """Whether WHERE keeps only rows without a match of an outer join (an anti-join)."""
    alias = join.this.alias_or_name.lower()
    parts = where.this.flatten() if where is not None and isinstance(where.this, exp.And) else []
    parts = [where.this] if where is not None and not parts else list(parts)
    return any(_is_null_test(part, alias) for part in parts)


def _is_null_test(part: Any, alias: str) -> bool:
    if not isinstance(part, exp.Is) or not isinstance(part.expression, exp.Null):
        return False
    return isinstance(part.this, exp.Column) and part.this.table.lower() == alias


def _with_not_in(join: Any, filters: Sequence[Any], scope: Scope) -> Any:
    """The conditions, with NOT IN in place of an anti-join."""
    alias = join.this.alias_or_name.lower()
    pairs, further = _equations(join.args.get("on"))
    if len(pairs) != 1:
        raise Unreadable(join.sql()[:80])
    outer_column, inner_column = pairs[0] if pairs[0][1].table.lower() == alias else pairs[0][::-1]
    if inner_column.table.lower() != alias:
        raise Unreadable(join.sql()[:80])
    inner = exp.select(inner_column.copy()).from_(join.this.copy())
    if further:
        inner = inner.where(*(part.copy() for part in further))
    other_conds = []
    for item in filters:
        parts = item.flatten() if isinstance(item, exp.And) else [item]
        other_conds += [part.copy() for part in parts if not _is_null_test(part, alias)]
    del scope.tables[alias]
    return exp.and_(exp.not_(exp.In(this=outer_column.copy(), query=inner.subquery())), *other_conds)


def _always_matches(join: Any, scope: Scope) -> bool:
    """Whether every row has a match in an outer join, because it refers to a key by a column without NULLs."""
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


def _outer_reference(join: Any, joins: Sequence[Any], where: Any, scope: Scope) -> Ref:
    """The column by which rows of an outer join refer to the rows that are kept.

    Raises:
        Unreadable: They refer to none, or WHERE is about them.
    """
    table = scope.tables[join.this.alias_or_name.lower()]
    edges = [edge for pair in scope.pairs for edge in (pair, Edge(*pair[::-1])) if edge.left.table == table]
    where_refs = [scope.ref(column) for column in where.find_all(exp.Column)] if where is not None else []
    is_filtered = any(ref is not None and ref.table == table for ref in where_refs)
    if len(joins) > 1 or is_filtered or len(edges) != 1 or edges[0] not in scope.names.catalogue.edges:
        raise Unreadable(join.sql()[:80])
    return edges[0].left
