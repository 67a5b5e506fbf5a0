"""References that are declared nowhere: columns that names, and then values, show to refer to the key of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kbtui.domain.analysis import Column, Schema
from kbtui.nl2sql.catalogue import Edge
from kbtui.nl2sql.column_statistics import ColumnStatistics, Source, contained
from kbtui.nl2sql.kinds import is_count_of, suggested, word_lists
from kbtui.nl2sql.query import Ref
from kbtui.text.inflection import lemma

KEY_WORDS: Final = frozenset({"id", "key", "code", "number", "no", "uuid", "guid"})
_STAFF_NUMBER: Final = "工号"
KEY_ENDS: Final = ("编号", "编码", "代码", "号", "码", "id", "ID")
FILLERS: Final = frozenset({"fk", "by", "of", "to", "the", "ref", "reference"})
_TABLE_ENDS: Final = KEY_WORDS | {"type", "list", "master"}
_TABLE_ENDS_ZH: Final = ("档案", "信息", "资料", "列表", "目录", "名单", "名录", "清单", "主数据", "字典", "表", "册")
_MOST_CHECKS: Final = 60
"""Statements at most that check whether values are those of a key."""
_MOST_TABLES: Final = 60
"""Of more tables, columns whose names say nothing of a key are not compared by their values."""
_NAMED_SHARE: Final = 0.3
"""Share of rows whose value must be there where the name says whose key it is: parents may be missing."""
_UNNAMED_SHARE: Final = 0.95
_DOERS: Final = ("er", "or", "ee")
"""How the name of somebody ends by what he or she does: a handler, an assignee."""
_LEAST_VALUES: Final = 3
_SPARSE: Final = 5
"""Whole numbers that lie this many times further apart than they would in a row are no numbers by chance."""
_NUMERIC: Final = ("integer", "number")


class Named(NamedTuple):
    """The words of a source: of its tables, and of each column."""

    tables: Mapping[str, tuple[str, ...]]
    columns: Mapping[Ref, tuple[str, ...]]


class References:
    """Finds references that are declared nowhere.

    Args:
        measured: Figures of the columns, by table and column.
        keys: The key of each table that has one.
    """

    def __init__(
        self,
        schema: Schema,
        named: Named,
        measured: Mapping[str, Mapping[str, ColumnStatistics]],
        source: Source,
        keys: Mapping[str, Ref],
    ) -> None:
        self._schema, self._named, self._measured, self._source = schema, named, measured, source
        self._keys = keys
        self._checks = 0
        self._kinds = {Ref(table.name, column.name): column.kind for table in schema.tables for column in table.columns}
        self._by_words: dict[str, list[Ref]] = defaultdict(list)
        self._by_name: dict[str, list[Ref]] = defaultdict(list)
        self._declared: dict[str, list[Ref]] = defaultdict(list)
        self._values: dict[Ref, frozenset[str]] = {}
        for table, key in keys.items():
            self._by_name[key.column.lower()].append(key)
            words = named.tables[table]
            self._by_words[_joined(words)].append(key)
            if len(words) > 1 and words[-1] in _TABLE_ENDS:
                self._by_words[_joined(words[:-1])].append(key)
            if not words[0].isascii():
                for end in (*KEY_ENDS, *_TABLE_ENDS_ZH):
                    if words[0].endswith(end) and words[0] != end:
                        self._by_words[words[0].removesuffix(end)].append(key)

    def edges(self, declared: Collection[Edge]) -> Iterable[Edge]:
        """An edge for every column that refers to a key and is not among those ``declared``.

        A column that is declared to refer to a table that is not read, of a source with many, refers to no other.
        """
        taken = {edge.left for edge in declared}
        keys = ((table.name, key) for table in self._schema.tables for key in table.foreign_keys)
        taken |= {Ref(name, key.columns[-1]) for name, key in keys if self._schema.table(key.referred_table) is None}
        for edge in declared:
            name = edge.left.column.lower()
            if name not in KEY_WORDS and edge.right not in self._declared[name]:
                self._declared[name].append(edge.right)
        for table in self._schema.tables:
            for column in table.columns:
                ref = Ref(table.name, column.name)
                if ref in taken or (self._keys.get(table.name) == ref and not self._of_another(ref)):
                    continue
                target = self._target(ref, column)
                if target is not None:
                    yield Edge(ref, target)

    def _of_another(self, ref: Ref) -> bool:
        """A key called after another table (``customer_id`` of customer details) refers to that one row for row."""
        bare = _joined([word for word in self._named.columns[ref] if word not in KEY_WORDS])
        return bare in self._by_words and bare != _joined(self._named.tables[ref.table])

    def _target(self, ref: Ref, column: Column) -> Ref | None:
        if column.kind not in ("integer", "text", "number", "other") or is_count_of(self._named.columns[ref]):
            return None
        seen = {ref}
        for target, sure in self._candidates(ref, column):
            if target in seen or not self._comparable(ref, target):
                continue
            seen.add(target)
            share = self._contained(ref, target)
            if (share is None and sure) or (share or 0.0) >= (_NAMED_SHARE if sure else _UNNAMED_SHARE):
                return target
        return self._by_values(ref, column)

    def _candidates(self, ref: Ref, column: Column) -> Iterable[tuple[Ref, bool]]:
        """Keys that the name speaks of, and whether it does so clearly."""
        words = self._named.columns[ref]
        for key in self._by_name.get(column.name.lower(), ()):
            plain = len(self._named.columns[key]) == 1 and words[-1] in KEY_WORDS | {"name"}
            if key.table != ref.table and not plain:
                yield key, True
        bare = [word for word in words if word not in KEY_WORDS and word not in FILLERS]
        keyed = len(bare) < len(words)
        if bare and not bare[-1].isascii():
            yield from self._chinese(bare[-1])
        else:
            # ``home_team_id`` speaks of teams: shorter and shorter ends of its words. ``status_id`` of issues may
            # speak of issue statuses.
            owner = self._named.tables[ref.table]
            sure = keyed or column.kind == "text"
            # A plural that no word calls a key is a number of things: home games are no reference to games.
            said = [bare[start:] for start in range(len(bare))] if sure or not column.name.lower().endswith("s") else []
            for ends in (*said, [*owner, *bare]):
                for key in self._by_words.get(_joined(ends), ()):
                    yield key, sure
        yield from self._by_role(ref, column, words, keyed=keyed)

    def _chinese(self, word: str) -> Iterable[tuple[Ref, bool]]:
        stripped = next((word.removesuffix(end) for end in KEY_ENDS if word.endswith(end)), "") or word
        tables = [table for table in self._by_words if table and not table.isascii() and stripped.endswith(table)]
        for name in sorted(tables, key=len, reverse=True):
            for key in self._by_words[name]:
                yield key, True

    def _by_role(self, ref: Ref, column: Column, words: Sequence[str], *, keyed: bool) -> Iterable[tuple[Ref, bool]]:
        """Keys that no name speaks of: the parent in the same table, a person by what he or she does, ``super_ssn``."""
        lists = word_lists()["people"]
        own = self._keys.get(ref.table)
        ends = (_STAFF_NUMBER, *KEY_ENDS)
        said = next((words[-1].removesuffix(end) for end in ends if words[-1].endswith(end)), words[-1])
        if own is not None and (lists["parents"] & set(words) or said.endswith(lists["parents_zh"])):
            yield own, keyed
        said, doer = lists["roles"] & set(words), words[-1] in lists["roles"] and words[-1].endswith(_DOERS)
        if words[-1] == "by" or doer or (said and keyed):
            for name in (*lists["en"], *lists["roles"]):
                for key in self._by_words.get(name, ()):
                    yield key, keyed
        short = column.name.lower()
        for target in self._declared.get(short, ()):
            yield target, True
        for start in range(1, len(short) - 2):
            if short[start:] not in KEY_WORDS:
                for key in self._by_name.get(short[start:], ()):
                    yield key, False

    def _comparable(self, ref: Ref, target: Ref) -> bool:
        mine, theirs = self._kinds[ref], self._kinds[target]
        return mine == theirs or (mine in _NUMERIC and theirs in _NUMERIC)

    def _of(self, ref: Ref) -> ColumnStatistics:
        return self._measured[ref.table][ref.column]

    def _known(self, ref: Ref) -> frozenset[str]:
        if ref not in self._values:
            self._values[ref] = frozenset(str(value) for value, _ in self._of(ref).values)
        return self._values[ref]

    def _contained(self, ref: Ref, target: Ref) -> float | None:
        """Share of the rows whose value is one of the key's; None where nothing tells."""
        found = self._of(ref)
        if not found.values or not found.rows:
            return None
        if self._of(target).complete:
            keys = self._known(target)
            # Values of many rows weigh more: those of parents that are gone are many and rare.
            counts = [(str(value) in keys, count or 1) for value, count in found.values]
            return sum(count for there, count in counts if there) / sum(count for _, count in counts)
        if self._checks >= _MOST_CHECKS:
            return None
        self._checks += 1
        return contained(self._source, ref, target)

    def _by_values(self, ref: Ref, column: Column) -> Ref | None:
        """The key whose values a column has, whatever it is called.

        Whole numbers are often keys by chance: of them only those that lie far apart are believed.
        """
        if not self._of(ref).rows or len(self._schema.tables) > _MOST_TABLES:
            return None
        if column.kind == "text":
            mine = self._known(ref)
            others = (key for key in self._keys.values() if key.table != ref.table)
            near = (key for key in others if self._is_near(key, len(mine)))
            return next((key for key in near if len(mine & self._known(key)) >= _UNNAMED_SHARE * len(mine)), None)
        if column.kind == "integer" and not self._counts(ref):
            apart = (key for key in self._keys.values() if key.table != ref.table and self._is_sparse(key))
            around = (key for key in apart if self._within(ref, key))
            return next((key for key in around if (self._contained(ref, key) or 0.0) >= _UNNAMED_SHARE), None)
        return None

    def _is_near(self, key: Ref, values: int) -> bool:
        """Whether a text key has about so many values that they can be those of a column."""
        found = self._of(key)
        if self._kinds[key] != "text" or not found.complete or values < _LEAST_VALUES:
            return False
        return len(found.values) <= 4 * values + 20

    def _counts(self, ref: Ref) -> bool:
        words = self._named.columns[ref]
        return any(suggested(words, kind) for kind in ("measure", "rate", "date", "ordinal", "flag", "code"))

    def _is_sparse(self, key: Ref) -> bool:
        found = self._of(key)
        if self._kinds[key] != "integer" or not found.filled or not isinstance(found.low, int):
            return False
        return found.low > 0 and found.high - found.low > _SPARSE * found.filled

    def _within(self, ref: Ref, key: Ref) -> bool:
        found, other = self._of(ref), self._of(key)
        return isinstance(found.low, int) and bool(other.low <= found.low <= found.high <= other.high)


def _joined(words: Sequence[str]) -> str:
    return " ".join(lemma(word) for word in words)
