"""What rows of a table show to a reader: the names that say which row it is, then its other columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue, TableInfo
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.row_facts import is_named

_MOST_COLUMNS: Final = 12
_READABLE: Final = frozenset(("code", "category", "text", "key"))
_LAST: Final = frozenset(("reference", "text", "other"))
"""Kinds of columns that a list shows last."""


def row_names(catalogue: Catalogue, table: TableInfo) -> tuple[Ref, ...]:
    """The columns that say which row it is; any readable column where none does."""
    return catalogue.once(_row_names, table.name)


def _row_names(catalogue: Catalogue, name: str) -> tuple[Ref, ...]:
    table = catalogue.tables[name]
    if _is_named(catalogue, table):
        return table.naming
    # A product that has a model number alone may have its name among its descriptions.
    for other in _beside(catalogue, table):
        if other.naming and (not table.naming or _is_named(catalogue, other)):
            return other.naming
    for other in _of_which_each_is_one(catalogue, table):
        return other.naming
    if table.naming:
        return table.naming
    readable = [column for column in table.columns if column.kind in _READABLE] or table.columns
    return tuple(column.ref for column in readable[:1])


def _is_named(catalogue: Catalogue, table: TableInfo) -> bool:
    """Whether what tells its rows apart is called a name."""
    infos = (catalogue.column(ref) for ref in table.naming)
    return any(info is not None and is_named(info) for info in infos)


def _beside(catalogue: Catalogue, table: TableInfo) -> Iterator[TableInfo]:
    """Tables with one row for each row of this one, such as its descriptions."""
    for left, right in catalogue.edges:
        other, info = catalogue.tables[left.table], catalogue.column(left)
        if right == table.key and info is not None and info.distinct >= other.rows > 0:
            yield other


def _of_which_each_is_one(catalogue: Catalogue, table: TableInfo) -> Iterator[TableInfo]:
    """Tables with names, of which every row of this one is a row: the people that its jurors are."""
    own = table.key is not None and set(table.naming) <= {table.key}
    are_people = is_kind(table.concepts, "person")
    for left, right in catalogue.leaving(table.name):
        other, info = catalogue.tables[right.table], catalogue.column(left)
        single = info is not None and info.distinct >= table.rows > 1 and not info.nulls
        same = (own and left == table.key) or (are_people and is_kind(other.concepts, "person"))
        if single and same and other.name != table.name and not other.role_of and _is_named(catalogue, other):
            yield other


def row_columns(catalogue: Catalogue, table: TableInfo) -> tuple[Ref, ...]:
    """The columns of a list of rows: names, the key, then the others, at most twelve."""
    return catalogue.once(_row_columns, table.name)


def _row_columns(catalogue: Catalogue, name: str) -> tuple[Ref, ...]:
    table = catalogue.tables[name]
    refs = dict.fromkeys(row_names(catalogue, table))
    refs |= dict.fromkeys([] if table.key is None else [table.key])
    refs |= dict.fromkeys(column.ref for column in sorted(table.columns, key=lambda column: column.kind in _LAST))
    return tuple(refs)[:_MOST_COLUMNS]
