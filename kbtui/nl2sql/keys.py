"""Finds the keys of tables, the edges between them, and roles.

Keys and edges are declared or inferred from names and values. A role is a further name under which a table is joined:
teams as home teams, an employee as the manager of another.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from kbtui.domain.analysis import Schema, Table
from kbtui.nl2sql.catalogue import Edge
from kbtui.nl2sql.column_statistics import ColumnStatistics, Source
from kbtui.nl2sql.names import shortens
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.references import FILLERS, KEY_ENDS, KEY_WORDS, References, SourceWords
from kbtui.text.inflection import root

_NUMBERED: Final = re.compile(r"[A-Za-z]{1,5}[-_/.]?\d{2,}")
_MIN_NUMBERED: Final = 20
"""Rows from which distinct numbers are no coincidence."""


class Role(NamedTuple):
    """A role of ``table`` for the column ``edge.left``; it is joined under ``name``."""

    name: str
    table: str
    words: tuple[str, ...]
    edge: Edge


class Keys(Struct):
    """Keys by table, edges between tables, and roles."""

    key: dict[str, Ref] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)


_BOOKINGS: Final = ("订单", "单据", "交易", "流水", "工单", "凭证", "票据", "单", "业务")
"""What exports number row by row, in whatever column the number stands."""


def key_of(table: Table, source_words: SourceWords, by_column: Mapping[str, ColumnStatistics]) -> Ref | None:
    """The key column of a table: declared, else the first unique column that is named like a key; None if unknown."""
    declared = [column for column in table.columns if column.is_key]
    if len(declared) == 1:
        return Ref(table.name, declared[0].name)
    if table.is_view:
        return None
    referring = {name for key in table.foreign_keys for name in key.columns}
    for position, column in enumerate(table.columns):
        ref = Ref(table.name, column.name)
        words = source_words.columns[ref]
        statistics = by_column[column.name]
        is_named_key = _is_key_name(words, source_words.tables[table.name], first=position == 0)
        if column.name in referring or not (is_named_key or (position == 0 and _numbers_rows(statistics))):
            continue
        if statistics.distinct is None:
            # Without counts, only “id” as the first column is accepted.
            if position == 0 and not declared and words[-1] == "id" and not statistics.rows:
                return ref
        elif statistics.distinct >= statistics.rows > 0:
            return ref
    return None


def _numbers_rows(statistics: ColumnStatistics) -> bool:
    """Whether text numbers the rows, whatever the name: ``W-07001``, ``W-07002`` for each ticket."""
    texts = [value for value, _ in statistics.values if isinstance(value, str)]
    is_unique = statistics.distinct is not None and statistics.distinct >= statistics.rows >= _MIN_NUMBERED
    return is_unique and bool(texts) and all(map(_NUMBERED.fullmatch, texts))


def _is_key_name(words: Sequence[str], table: Sequence[str], *, first: bool) -> bool:
    if not words[-1].isascii():
        head = next((words[-1].removesuffix(end) for end in KEY_ENDS if words[-1].endswith(end)), None)
        return head is not None and (first or head in ("", *table) or head.endswith(_BOOKINGS))
    if words[-1] not in KEY_WORDS:
        return False
    return first or all(word in table for word in words[:-1])


def keys_of(
    schema: Schema, source_words: SourceWords, statistics: Mapping[str, dict[str, ColumnStatistics]], source: Source
) -> Keys:
    """The keys, edges and roles of a source; edges are in the order of their columns."""
    keys = Keys()
    for table in schema.tables:
        key = key_of(table, source_words, statistics[table.name])
        if key is not None:
            keys.key[table.name] = key
    edges = dict.fromkeys(_declared_edges(schema, keys))
    references = References(schema, source_words, statistics, source, keys.key)
    edges |= dict.fromkeys(references.edges(tuple(edges)))
    columns = (Ref(table.name, column.name) for table in schema.tables for column in table.columns)
    places = {ref: position for position, ref in enumerate(columns)}
    edges = dict.fromkeys(sorted(edges, key=lambda edge: places[edge.left]))
    keys.edges = [edge for edge in edges if edge.left.table != edge.right.table]
    keys.roles = list(_roles(list(edges), source_words))
    keys.edges += [role.edge for role in keys.roles]
    return keys


def _declared_edges(schema: Schema, keys: Keys) -> Iterable[Edge]:
    for table in schema.tables:
        for foreign in table.foreign_keys:
            referred_table = schema.table(foreign.referred_table)
            if referred_table is None:
                continue
            # The last column of a composite key is the specific one.
            referred = foreign.referred_columns or ("",)
            column = table.column(foreign.columns[-1])
            key = referred_table.column(referred[min(len(foreign.columns), len(referred)) - 1])
            right = Ref(referred_table.name, key.name) if key else keys.key.get(referred_table.name)
            if column is not None and right is not None and Ref(table.name, column.name) != right:
                yield Edge(Ref(table.name, column.name), right)


def _roles(edges: Sequence[Edge], source_words: SourceWords) -> Iterable[Role]:
    edges_by_pair: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in edges:
        edges_by_pair[edge.left.table, edge.right.table].append(edge)
    used_names: set[str] = set(source_words.tables)
    for (child, parent), pair_edges in edges_by_pair.items():
        if len(pair_edges) < 2 and child != parent:
            continue
        for edge in pair_edges:
            words = _role_words(source_words.columns[edge.left], source_words.tables[parent])
            if words == source_words.tables[parent] and child != parent:
                # The plain reference joins the table itself.
                continue
            name = f"{parent}__{'_'.join(words)}"
            if name in used_names:
                name = f"{name}_{'_'.join(source_words.tables[child])}"
            if name in used_names:
                continue
            used_names.add(name)
            yield Role(name, parent, words, Edge(edge.left, Ref(name, edge.right.column)))


def _role_words(words: tuple[str, ...], table: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a role: ``home_team_id`` gives home team; ``寄件网点`` stays whole."""
    table_roots = {root(word) for word in table}
    words = tuple(next((full for full in table if shortens(word, full, least=2)), word) for word in words)
    role_words = tuple(word for word in words if word not in KEY_WORDS and word not in FILLERS) or words
    if any(root(word) not in table_roots for word in role_words):
        return role_words
    # Only words of the table are left: fillers tell the role, as in ``to_staff_id``.
    return tuple(word for word in words if word not in KEY_WORDS) or words
