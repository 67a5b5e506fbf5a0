"""A schema as the linker needs it: words of names, the graph of keys, what a row of a table is called."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kbtui.data.nl2sql.names import name_words, prefixed, shortens
from kbtui.data.nl2sql.query import Ref
from kbtui.data.nl2sql.value_index import ValueIndex
from kbtui.domain.analysis import Column, Schema, Table
from kbtui.text.inflection import root

_SURNAME: Final = frozenset({"last", "name"})
_NAMING: Final = ("name", "title", "label", "名称", "姓名", "名字", "标题")
_KEYS: Final = frozenset({"id", "key", "code", "number"})
_FURNITURE: Final = frozenset({"reference", "ref", "tbl", "table", "of", "and", "the", "in", "for", "with", "to", "by"})


class Role(NamedTuple):
    """A table as another (or the same) refers to it: the teams as home teams."""

    table: str
    referring: Ref


class Edge(NamedTuple):
    """Two columns that join two tables."""

    left: Ref
    right: Ref


@dataclass(slots=True)
class Named:
    """A table or column with the words of its name."""

    ref: Ref
    words: tuple[str, ...]
    roots: frozenset[str]
    own: frozenset[str]
    """Roots that the name of its table does not already say."""
    column: Column | None = None


@dataclass(slots=True)
class SchemaModel:
    """What is derived once from a schema."""

    schema: Schema
    values: ValueIndex
    tables: dict[str, Named] = field(default_factory=dict)
    columns: dict[Ref, Named] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    by_root: dict[str, list[Named]] = field(default_factory=dict)
    around: dict[str, list[Edge]] = field(default_factory=dict)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    joined: dict[tuple[str, frozenset[str]], tuple[Edge, ...] | None] = field(default_factory=dict)
    roles: dict[str, Role] = field(default_factory=dict)
    """Further names under which tables are joined, where one refers to another in several ways or to itself."""

    def __post_init__(self) -> None:
        for table in self.schema.tables:
            bare = table.name.rsplit(".", 1)[-1]
            words = tuple(word for word in name_words(bare) if word not in _FURNITURE) or name_words(bare)
            named = Named(Ref(table.name, "*"), words, frozenset(map(root, words)), frozenset())
            self.tables[table.name] = named
            self._index(named)
            for column in table.columns:
                ref = Ref(table.name, column.name)
                parts = name_words(column.name)
                if len(parts) == 1 and parts != words:
                    parts = prefixed(column.name, words) or parts
                roots = frozenset(map(root, parts))
                said = named.roots | {"".join(word[0] for word in words)} if len(words) > 2 else named.roots
                own = frozenset(r for r in roots if not any(r == t or shortens(r, t) for t in said))
                item = Named(ref, parts, roots, own or roots, column)
                self.columns[ref] = item
                self._index(item)
            self.keys[table.name] = tuple(c.name for c in table.columns if c.is_key)
        self.edges = [*self._edges(), *self._roles()]
        for edge in self.edges:
            self.around.setdefault(edge.left.table, []).append(edge)
            self.around.setdefault(edge.right.table, []).append(Edge(edge.right, edge.left))

    def _roles(self) -> Iterable[Edge]:
        for table in self.schema.tables:
            for key in table.foreign_keys:
                other = self.schema.table(key.referred_table)
                ways = [one for one in table.foreign_keys if one.referred_table == key.referred_table]
                if other is None or len(key.columns) != 1 or (len(ways) < 2 and other.name != table.name):
                    continue
                mine, theirs = table.column(key.columns[0]), self.key(other.name)
                if mine is None or theirs is None:
                    continue
                words = tuple(word for word in name_words(mine.name) if word not in _KEYS and word not in _FURNITURE)
                new = frozenset(map(root, words)) - self.tables[other.name].roots
                alias = "_".join(words)
                if not new or alias in self.tables:
                    continue
                self._named_role(alias, Role(other.name, Ref(table.name, mine.name)), words, new)
                yield Edge(Ref(table.name, mine.name), Ref(alias, theirs.column))

    def _named_role(self, alias: str, role: Role, words: tuple[str, ...], new: frozenset[str]) -> None:
        """A role is known by its own words alone: "name" stays the name of the table itself."""
        self.roles[alias] = role
        self.keys[alias] = self.keys[role.table]
        named = Named(Ref(alias, "*"), words, frozenset(map(root, words)), frozenset())
        self.tables[alias] = named
        held = [named]
        for column in self.table(role.table).columns:
            original = self.columns[Ref(role.table, column.name)]
            item = Named(Ref(alias, column.name), original.words, original.roots, original.own, column)
            self.columns[item.ref] = item
            held.append(item)
        for word in new:
            self.by_root.setdefault(word, []).extend(held)

    def _index(self, named: Named) -> None:
        for word in named.roots:
            self.by_root.setdefault(word, []).append(named)

    def table(self, name: str) -> Table:
        """The table of that name."""
        role = self.roles.get(name)
        found = self.schema.table(role.table if role else name)
        assert found is not None
        return found

    def column(self, ref: Ref) -> Column | None:
        """The column, or None for ``*``."""
        named = self.columns.get(ref)
        return named.column if named else None

    def is_number(self, ref: Ref) -> bool:
        """Whether sums and comparisons make sense; keys are no amounts."""
        if ref.operator:
            return True
        column = self.column(ref)
        return column is not None and column.kind in ("integer", "number") and not self.is_key(ref)

    def is_date(self, ref: Ref) -> bool:
        """Whether it is a point in time."""
        column = self.column(ref)
        return column is not None and column.kind in ("date", "datetime")

    def is_key(self, ref: Ref) -> bool:
        """Whether it only tells rows apart or refers to others."""
        named = self.columns.get(ref)
        return named is not None and (ref.column in self.keys[ref.table] or named.words[-1:] == ("id",))

    def key(self, table: str) -> Ref | None:
        """The column that tells its rows apart, when one does."""
        keys = self.keys[table]
        if len(keys) == 1:
            return Ref(table, keys[0])
        columns = self.table(table).columns
        if not keys and columns and name_words(columns[0].name)[-1:] == ("id",):
            return Ref(table, columns[0].name)
        return None

    def display(self, table: str) -> Ref:
        """The column by which people know a row: its name, else its details, else its first text, else its key."""
        best: tuple[float, Ref] | None = None
        own = self.tables[table].roots
        texts = self.table(table).columns
        # Of somebody with a last name the title is that of a post.
        person = any(set(self.columns[Ref(table, column.name)].words) >= _SURNAME for column in texts)
        for position, column in enumerate(texts):
            named = self.columns[Ref(table, column.name)]
            score = 0.0
            if person and named.words[-1:] == ("title",):
                score = 1.0
            elif any(word in _NAMING for word in named.words[-1:]) or any(word in column.name for word in _NAMING[3:]):
                score = 4.0 if len(named.own) == 1 else 3.0
                if "first" in named.words:
                    score = 3.5
                if "last" in named.words or "middle" in named.words:
                    score = 3.2
            elif named.words[-1:] == ("detail",):
                score = 2.6
            elif named.roots == own:
                score = 2.7
            elif named.words[-1:] == ("description",):
                score = 2.0
            elif column.kind == "text" and column.is_key and len(self.keys[table]) == 1:
                score = 1.3
            elif column.kind == "text" and not column.is_key:
                score = 1.0
            elif column.is_key:
                score = 0.5
            score -= position * 0.01
            if best is None or score > best[0]:
                best = (score, named.ref)
        return best[1] if best else Ref(table, "*")

    def _edges(self) -> Iterable[Edge]:
        seen: set[frozenset[Ref]] = set()
        linked: set[frozenset[str]] = set()
        for table in self.schema.tables:
            for key in table.foreign_keys:
                other = self.schema.table(key.referred_table)
                if other is None:
                    continue
                for column, referred in zip(key.columns[:1], key.referred_columns[:1] or ("",), strict=False):
                    mine, theirs = table.column(column), other.column(referred) or (self._first_key(other))
                    if mine is None or theirs is None:
                        continue
                    edge = Edge(Ref(table.name, mine.name), Ref(other.name, theirs.name))
                    if edge.left != edge.right and frozenset(edge) not in seen:
                        seen.add(frozenset(edge))
                        linked.add(frozenset((table.name, other.name)))
                        yield edge
        yield from self._inferred(linked)

    @staticmethod
    def _first_key(table: Table) -> Column | None:
        return next((column for column in table.columns if column.is_key), None)

    def _inferred(self, linked: set[frozenset[str]]) -> Iterable[Edge]:
        """Keys nobody declared: a column named as another table's key, or as that table with its key behind it."""
        for first, second in itertools.permutations(self.schema.tables, 2):
            if frozenset((first.name, second.name)) in linked:
                continue
            key = self.key(second.name)
            if key is None:
                continue
            wanted = {key.column.lower()} if len(name_words(key.column)) > 1 else set()
            bare = "_".join(self.tables[second.name].words)
            wanted |= {f"{bare}_id", f"{bare}id", f"{bare}_{key.column.lower()}"}
            for column in first.columns:
                if column.name.lower() in wanted:
                    linked.add(frozenset((first.name, second.name)))
                    yield Edge(Ref(first.name, column.name), key)
                    break

    def tree(self, tables: Sequence[str]) -> tuple[Edge, ...] | None:
        """Few edges that join all ``tables``; None where no keys lead from one to another.

        Nearest-table growth, the usual approximation of a Steiner tree (Takahashi and Matsuyama, 1980).
        """
        wanted = (tables[0], frozenset(tables))
        if wanted not in self.joined:
            self.joined[wanted] = self._grow(tuple(dict.fromkeys(tables)))
        return self.joined[wanted]

    def _grow(self, tables: tuple[str, ...]) -> tuple[Edge, ...] | None:
        inside = {tables[0]}
        left = [table for table in tables[1:] if table != tables[0]]
        edges: list[Edge] = []
        while left:
            path = self._nearest(inside, set(left))
            if path is None:
                return None
            edges.extend(path)
            inside.update(edge.right.table for edge in path)
            left = [table for table in left if table not in inside]
        return tuple(edges)

    def _nearest(self, inside: set[str], targets: set[str]) -> list[Edge] | None:
        before: dict[str, Edge | None] = dict.fromkeys(sorted(inside))
        queue = list(before)
        for table in queue:
            if table in targets:
                path: list[Edge] = []
                edge = before[table]
                while edge is not None:
                    path.append(edge)
                    edge = before[edge.left.table]
                return path[::-1]
            for edge in self.around.get(table, ()):
                if edge.right.table not in before:
                    before[edge.right.table] = edge
                    queue.append(edge.right.table)
        return None
