"""How the tables of a source join: declared keys, keys that names and values give away, and roles.

A role is a further name under which a table is joined: the teams as home teams, an employee as the manager of another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kbtui.domain.analysis import Column, Schema, Table
from kbtui.nl2sql.catalogue import Edge
from kbtui.nl2sql.measured import Measured, Source, contained
from kbtui.nl2sql.names import lemma, root
from kbtui.nl2sql.query import Ref

KEY_WORDS: Final = frozenset({"id", "key", "code", "number", "no", "uuid", "guid"})
_KEY_ENDS: Final = ("编号", "编码", "代码", "号", "码", "id", "ID")
_FILLERS: Final = frozenset({"fk", "by", "of", "to", "the", "ref", "reference"})
_MOST_CHECKS: Final = 60
"""Statements at most that check whether values are those of a key."""
_MOST_TABLES: Final = 60
"""Of more tables, columns whose names say nothing of a key are not compared by their values."""
_NAMED_SHARE: Final = 0.3
"""Share of values that must be there where the name says whose key it is: parents may be missing."""
_UNNAMED_SHARE: Final = 0.95
_LEAST_VALUES: Final = 3


class Role(NamedTuple):
    """``table`` as the column ``referring`` names it; joined under ``name``."""

    name: str
    table: str
    words: tuple[str, ...]
    edge: Edge


@dataclass(slots=True)
class Keys:
    """Keys of every table, how tables join, and roles."""

    key: dict[str, Ref] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)


@dataclass(slots=True)
class Named:
    """The words of a source: of its tables, and of each column."""

    tables: Mapping[str, tuple[str, ...]]
    columns: Mapping[Ref, tuple[str, ...]]


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
        head = next((words[-1].removesuffix(end) for end in _KEY_ENDS if words[-1].endswith(end)), None)
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
    taken = {edge.left for edge in edges}
    inferred = _Inference(schema, named, measured, source, keys)
    edges |= dict.fromkeys(inferred.edges(taken))
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


class _Inference:
    """Finds references that are declared nowhere."""

    def __init__(
        self, schema: Schema, named: Named, measured: Mapping[str, dict[str, Measured]], source: Source, keys: Keys
    ) -> None:
        self._schema, self._named, self._measured, self._source = schema, named, measured, source
        self._keys = keys
        self._checks = 0
        self._by_words: dict[str, list[Ref]] = defaultdict(list)
        self._by_name: dict[str, list[Ref]] = defaultdict(list)
        self._values: dict[Ref, frozenset[str]] = {}
        for table, ref in keys.key.items():
            self._by_name[ref.column.lower()].append(ref)
            self._by_words[_joined(named.tables[table])].append(ref)
            if len(named.tables[table]) > 1 and named.tables[table][-1] in (
                *KEY_WORDS,
                "code",
                "type",
                "list",
                "master",
            ):
                self._by_words[_joined(named.tables[table][:-1])].append(ref)
            if not named.tables[table][0].isascii():
                for end in _KEY_ENDS:
                    stripped = named.tables[table][0].removesuffix(end)
                    if stripped:
                        self._by_words[stripped].append(ref)

    def edges(self, taken: set[Ref]) -> Iterable[Edge]:
        """An edge for every column that refers to a key and is not ``taken``."""
        for table in self._schema.tables:
            for column in table.columns:
                ref = Ref(table.name, column.name)
                if ref in taken or (self._keys.key.get(table.name) == ref and not self._of_another(ref)):
                    continue
                target = self._target(ref, column)
                if target is not None:
                    yield Edge(ref, target)

    def _of_another(self, ref: Ref) -> bool:
        """A key called after another table (``customer_id`` of customer details) refers to that one row for row."""
        bare = _joined([word for word in self._named.columns[ref] if word not in KEY_WORDS])
        return bare in self._by_words and bare != _joined(self._named.tables[ref.table])

    def _target(self, ref: Ref, column: Column) -> Ref | None:
        if column.kind not in ("integer", "text", "number", "other"):
            return None
        for target, sure in self._candidates(ref, column):
            if target.table == ref.table and target.column == ref.column:
                continue
            if not self._comparable(column, target):
                continue
            share = self._contained(ref, target)
            if share is None:
                if sure:
                    return target
            elif share >= (_NAMED_SHARE if sure else _UNNAMED_SHARE):
                return target
        return self._by_values(ref, column)

    def _candidates(self, ref: Ref, column: Column) -> Iterable[tuple[Ref, bool]]:
        """Keys that the name speaks of, and whether it does so clearly."""
        words = self._named.columns[ref]
        seen: set[Ref] = set()
        for key in self._by_name.get(column.name.lower(), ()):
            plain = len(self._named.columns[key]) == 1 and words[-1] in KEY_WORDS | {"name"}
            if key.table != ref.table and not plain and key not in seen:
                seen.add(key)
                yield key, True
        bare = [word for word in words if word not in KEY_WORDS and word not in _FILLERS]
        keyed = len(bare) < len(words)
        if bare and not bare[-1].isascii():
            stripped = next((bare[-1].removesuffix(e) for e in _KEY_ENDS if bare[-1].endswith(e)), "")
            keyed, bare = bool(stripped), [stripped or bare[-1]]
            bare = [t for t in self._by_words if t and not t.isascii() and bare[0].endswith(t)] or bare
            for name in sorted(bare, key=len, reverse=True):
                for key in self._by_words.get(name, ()):
                    if key not in seen:
                        seen.add(key)
                        yield key, True
            return
        # ``home_team_id`` speaks of teams: shorter and shorter ends of its words.
        for start in range(len(bare)):
            for key in self._by_words.get(_joined(bare[start:]), ()):
                if key not in seen:
                    seen.add(key)
                    yield key, keyed or column.kind == "text"

    def _comparable(self, column: Column, target: Ref) -> bool:
        table = self._schema.table(target.table)
        key = table.column(target.column) if table else None
        numeric = ("integer", "number")
        return key is not None and (key.kind == column.kind or (key.kind in numeric and column.kind in numeric))

    def _of(self, ref: Ref) -> Measured:
        return self._measured[ref.table][ref.column]

    def _known(self, ref: Ref) -> frozenset[str]:
        if ref not in self._values:
            self._values[ref] = frozenset(str(value) for value, _ in self._of(ref).values)
        return self._values[ref]

    def _contained(self, ref: Ref, target: Ref) -> float | None:
        mine = self._known(ref)
        if not mine or not self._of(ref).rows:
            return None
        if self._of(target).complete:
            return len(mine & self._known(target)) / len(mine)
        if self._checks >= _MOST_CHECKS:
            return None
        self._checks += 1
        return contained(self._source, ref, target)

    def _by_values(self, ref: Ref, column: Column) -> Ref | None:
        """A text column all of whose values are keys of one other table, whatever it is called."""
        if column.kind != "text" or len(self._schema.tables) > _MOST_TABLES:
            return None
        mine = self._known(ref)
        if len(mine) < _LEAST_VALUES or not self._of(ref).rows:
            return None
        for table, key in self._keys.key.items():
            other = self._of(key)
            if table == ref.table or not other.complete or len(other.values) > 4 * len(mine) + 20:
                continue
            kind = self._schema.table(table)
            if kind is None or (found := kind.column(key.column)) is None or found.kind != "text":
                continue
            if len(mine & self._known(key)) >= _UNNAMED_SHARE * len(mine):
                return key
        return None


def _joined(words: Sequence[str]) -> str:
    return " ".join(lemma(word) for word in words)


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
    kept = tuple(word for word in words if word not in KEY_WORDS and word not in _FILLERS) or words
    new = tuple(word for word in kept if root(word) not in said)
    return kept if new else words
