"""How the tables of a source join: declared keys, keys that names and values give away, and roles.

A role is a further name under which a table is joined: the teams as home teams, an employee as the manager of another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct, field

from kbtui.domain.analysis import Schema, Table
from kbtui.nl2sql.catalogue import Edge
from kbtui.nl2sql.column_statistics import Measured, Source
from kbtui.nl2sql.names import shortens
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.references import FILLERS, KEY_ENDS, KEY_WORDS, Named, References
from kbtui.text.inflection import root


class Role(NamedTuple):
    """``table`` as the column ``referring`` names it; joined under ``name``."""

    name: str
    table: str
    words: tuple[str, ...]
    edge: Edge


class Keys(Struct):
    """Keys of every table, how tables join, and roles."""

    key: dict[str, Ref] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)


def key_of(table: Table, named: Named, measured: Mapping[str, Measured]) -> Ref | None:
    """The column that tells rows apart: declared, else the first that is unique and called like a key."""
    declared = [column for column in table.columns if column.is_key]
    if len(declared) == 1:
        return Ref(table.name, declared[0].name)
    if table.is_view:
        return None
    referring = {name for key in table.foreign_keys for name in key.columns}
    for position, column in enumerate(table.columns):
        ref = Ref(table.name, column.name)
        words = named.columns[ref]
        if column.name in referring or not _is_key_name(words, named.tables[table.name], first=position == 0):
            continue
        found = measured[column.name]
        if found.distinct is None:
            # Nothing was counted: only the plain name of a key in the first place is believed.
            if position == 0 and not declared and words[-1] == "id" and not found.rows:
                return ref
        elif found.distinct >= found.rows > 0:
            return ref
    return None


def _is_key_name(words: Sequence[str], table: Sequence[str], *, first: bool) -> bool:
    if not words[-1].isascii():
        head = next((words[-1].removesuffix(end) for end in KEY_ENDS if words[-1].endswith(end)), None)
        return head is not None and (first or head in ("", *table))
    if words[-1] not in KEY_WORDS:
        return False
    return first or all(word in table for word in words[:-1])


def keys_of(schema: Schema, named: Named, measured: Mapping[str, dict[str, Measured]], source: Source) -> Keys:
    """Keys, edges and roles of a source; edges that are declared come first."""
    keys = Keys()
    for table in schema.tables:
        key = key_of(table, named, measured[table.name])
        if key is not None:
            keys.key[table.name] = key
    edges = dict.fromkeys(_declared(schema, keys))
    references = References(schema, named, measured, source, keys.key)
    edges |= dict.fromkeys(references.edges(tuple(edges)))
    columns = (Ref(table.name, column.name) for table in schema.tables for column in table.columns)
    places = {ref: position for position, ref in enumerate(columns)}
    edges = dict.fromkeys(sorted(edges, key=lambda edge: places[edge.left]))
    keys.edges = [edge for edge in edges if edge.left.table != edge.right.table]
    keys.roles = list(_roles(list(edges), named))
    keys.edges += [role.edge for role in keys.roles]
    return keys


def _declared(schema: Schema, keys: Keys) -> Iterable[Edge]:
    for table in schema.tables:
        for foreign in table.foreign_keys:
            other = schema.table(foreign.referred_table)
            if other is None:
                continue
            # Of keys over several columns only the last tells more than the keys before it do.
            referred = foreign.referred_columns or ("",)
            mine = table.column(foreign.columns[-1])
            theirs = other.column(referred[min(len(foreign.columns), len(referred)) - 1])
            right = Ref(other.name, theirs.name) if theirs else keys.key.get(other.name)
            if mine is not None and right is not None and Ref(table.name, mine.name) != right:
                yield Edge(Ref(table.name, mine.name), right)


def _roles(edges: Sequence[Edge], named: Named) -> Iterable[Role]:
    ways: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in edges:
        ways[edge.left.table, edge.right.table].append(edge)
    taken: set[str] = set(named.tables)
    for (mine, theirs), between in ways.items():
        if len(between) < 2 and mine != theirs:
            continue
        for edge in between:
            words = _role_words(named.columns[edge.left], named.tables[theirs])
            if words == named.tables[theirs] and mine != theirs:
                # That one is the table itself.
                continue
            name = f"{theirs}__{'_'.join(words)}"
            if name in taken:
                name = f"{name}_{'_'.join(named.tables[mine])}"
            if name in taken:
                continue
            taken.add(name)
            yield Role(name, theirs, words, Edge(edge.left, Ref(name, edge.right.column)))


def _role_words(words: tuple[str, ...], table: tuple[str, ...]) -> tuple[str, ...]:
    """``home_team_id`` is the home team; ``寄件网点`` stays whole."""
    said = {root(word) for word in table}
    words = tuple(next((whole for whole in table if shortens(word, whole, least=2)), word) for word in words)
    kept = tuple(word for word in words if word not in KEY_WORDS and word not in FILLERS) or words
    if any(root(word) not in said for word in kept):
        return kept
    # Whom something goes to is in a role all the same: ``to_staff_id``.
    return tuple(word for word in words if word not in KEY_WORDS) or words
