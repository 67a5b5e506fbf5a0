"""The columns that a list of rows shows: names that identify a row to a reader, then the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kbtui.nl2sql.catalogue import Catalogue, TableInfo
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.row_facts import is_named

_MAX_COLUMNS: Final = 12
_MIN_LINKED: Final = 2
_READABLE: Final = frozenset(("code", "category", "text", "key"))
_TRAILING_KINDS: Final = frozenset(("reference", "text", "other"))
"""Kinds of columns that come last in a list."""


def row_names(catalogue: Catalogue, table: TableInfo) -> tuple[Ref, ...]:
    """The columns that identify a row to a reader; any readable column if there are none."""
    return catalogue.once(_row_names, table.name)


def _row_names(catalogue: Catalogue, name: str) -> tuple[Ref, ...]:
    table = catalogue.tables[name]
    if _is_named(catalogue, table):
        return table.naming
    # A product with only a model number may have its name in a table of descriptions.
    for other in _detail_tables(catalogue, table):
        if other.naming and (not table.naming or _is_named(catalogue, other)):
            return other.naming
    for other in _general_tables(catalogue, table):
        return other.naming
    if linked_names := _linked_names(catalogue, table):
        return linked_names
    if table.naming:
        return table.naming
    readable = [column for column in table.columns if column.kind in _READABLE] or table.columns
    return tuple(column.ref for column in readable[:1])


def _is_named(catalogue: Catalogue, table: TableInfo) -> bool:
    """Whether a naming column is called a name."""
    infos = (catalogue.column(ref) for ref in table.naming)
    return any(info is not None and is_named(info) for info in infos)


def _detail_tables(catalogue: Catalogue, table: TableInfo) -> Iterator[TableInfo]:
    """Tables with one row for each row of this one, such as descriptions."""
    for left, right in catalogue.edges:
        other, info = catalogue.tables[left.table], catalogue.column(left)
        if right == table.key and info is not None and info.distinct >= other.rows > 0:
            yield other


def _general_tables(catalogue: Catalogue, table: TableInfo) -> Iterator[TableInfo]:
    """Tables with names of which every row of this one is a row: the people that jurors are."""
    is_key_only = table.key is not None and set(table.naming) <= {table.key}
    are_people = is_kind(table.concepts, "person")
    for left, right in catalogue.leaving(table.name):
        other, info = catalogue.tables[right.table], catalogue.column(left)
        is_one_to_one = info is not None and info.distinct >= table.rows > 1 and not info.nulls
        is_same_thing = (is_key_only and left == table.key) or (are_people and is_kind(other.concepts, "person"))
        if (
            is_one_to_one
            and is_same_thing
            and other.name != table.name
            and not other.role_of
            and _is_named(catalogue, other)
        ):
            yield other


def _linked_names(catalogue: Catalogue, table: TableInfo) -> tuple[Ref, ...]:
    """The names of the rows that a junction table links: a row of ``directed_by`` is a film and its director.

    Empty for tables with a readable column of their own, and for tables that link rows of one table.
    """
    own = [column for column in table.columns if column.ref != table.key]
    if any(column.kind not in ("reference", "key") for column in own):
        return ()
    linked = {left: catalogue.tables[right.table] for left, right in catalogue.leaving(table.name)}
    names = [other.naming for other in linked.values() if other.name != table.name and not other.role_of]
    if len(names) < _MIN_LINKED or len(set(names)) < len(linked) or not all(names):
        return ()
    return tuple(ref for naming in names for ref in naming[:1])


def row_columns(catalogue: Catalogue, table: TableInfo) -> tuple[Ref, ...]:
    """The columns of a list of rows, at most twelve: names, the key, then the others."""
    return catalogue.once(_row_columns, table.name)


def _row_columns(catalogue: Catalogue, name: str) -> tuple[Ref, ...]:
    table = catalogue.tables[name]
    refs = dict.fromkeys(row_names(catalogue, table))
    refs |= dict.fromkeys([] if table.key is None else [table.key])
    refs |= dict.fromkeys(c.ref for c in sorted(table.columns, key=lambda c: c.kind in _TRAILING_KINDS))
    return tuple(refs)[:_MAX_COLUMNS]
