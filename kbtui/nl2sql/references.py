"""Infers undeclared references: columns whose names and values match the key of another table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from kbtui.domain.analysis import Column, Schema
from kbtui.nl2sql.catalogue import Edge
from kbtui.nl2sql.column_statistics import ColumnStatistics, Source, contained
from kbtui.nl2sql.lexicon import concepts_of, is_kind
from kbtui.nl2sql.name_hints import is_count_of, suggested, word_lists
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.table_names import TableName
from kbtui.text.inflection import lemma

KEY_WORDS: Final = frozenset({"id", "key", "code", "number", "no", "uuid", "guid"})
_STAFF_NUMBER: Final = "工号"
KEY_ENDS: Final = ("编号", "编码", "代码", "号", "码", "id", "ID")
FILLERS: Final = frozenset({"fk", "by", "of", "to", "the", "ref", "reference"})
_TABLE_ENDS: Final = KEY_WORDS | {"type", "list", "master"}
_TABLE_ENDS_ZH: Final = ("档案", "信息", "资料", "列表", "目录", "名单", "名录", "清单", "主数据", "字典", "表", "册")
_MAX_CHECKS: Final = 60
"""Statements that compare values with those of keys, at most."""
_MAX_TABLES: Final = 60
"""Number of tables from which columns are only compared by name."""
_NAMED_SHARE: Final = 0.3
"""Share of rows whose value must be in the key if the name matches; parents may be missing."""
_UNNAMED_SHARE: Final = 0.95
_AGENT_ENDINGS: Final = ("er", "or", "ee")
"""Endings of agent nouns: a handler, an assignee."""
_MIN_VALUES: Final = 3
_SPARSE: Final = 5
"""Range of integer keys relative to their number from which matching values are no coincidence."""
_NUMERIC: Final = ("integer", "number")


class SourceWords(NamedTuple):
    """The words of the tables and columns of a source."""

    tables: Mapping[str, tuple[str, ...]]
    columns: Mapping[Ref, tuple[str, ...]]
    names: Mapping[str, TableName]


class References:
    """Infers undeclared references.

    Args:
        statistics: Statistics of the columns, by table and column.
        keys: Keys by table.
    """

    def __init__(
        self,
        schema: Schema,
        source_words: SourceWords,
        statistics: Mapping[str, Mapping[str, ColumnStatistics]],
        source: Source,
        keys: Mapping[str, Ref],
    ) -> None:
        self._schema, self._source_words, self._statistics_by_table, self._source = (
            schema,
            source_words,
            statistics,
            source,
        )
        self._keys = keys
        self._checks = 0
        self._kinds = {Ref(table.name, column.name): column.kind for table in schema.tables for column in table.columns}
        self._by_words: dict[str, list[Ref]] = defaultdict(list)
        self._by_rest: dict[str, list[Ref]] = defaultdict(list)
        self._by_name: dict[str, list[Ref]] = defaultdict(list)
        self._declared: dict[str, list[Ref]] = defaultdict(list)
        self._values: dict[Ref, frozenset[str]] = {}
        for table, key in keys.items():
            self._by_name[key.column.lower()].append(key)
            words = source_words.tables[table]
            self._by_words[_joined(words)].append(key)
            self._by_rest[_joined(source_words.names[table].rest)].append(key)
            if len(words) > 1 and words[-1] in _TABLE_ENDS:
                self._by_words[_joined(words[:-1])].append(key)
            if not words[0].isascii():
                for end in (*KEY_ENDS, *_TABLE_ENDS_ZH):
                    if words[0].endswith(end) and words[0] != end:
                        self._by_words[words[0].removesuffix(end)].append(key)

    def edges(self, declared: Collection[Edge]) -> Iterable[Edge]:
        """An edge for every column that refers to a key and has no edge among those ``declared``.

        Columns with a declared reference to a table outside of the schema get none.
        """
        declared_refs = {edge.left for edge in declared}
        keys = ((table.name, key) for table in self._schema.tables for key in table.foreign_keys)
        declared_refs |= {
            Ref(table, k.columns[-1]) for table, k in keys if self._schema.table(k.referred_table) is None
        }
        for edge in declared:
            name = edge.left.column.lower()
            if name not in KEY_WORDS and edge.right not in self._declared[name]:
                self._declared[name].append(edge.right)
        for table in self._schema.tables:
            for column in table.columns:
                ref = Ref(table.name, column.name)
                if ref in declared_refs or (self._keys.get(table.name) == ref and not self._refers_by_key(ref)):
                    continue
                target = self._target(ref, column)
                if target is not None:
                    yield Edge(ref, target)

    def _refers_by_key(self, ref: Ref) -> bool:
        """Whether a key is named after another table (``customer_id`` of customer details), to which it then refers."""
        bare = _joined([word for word in self._source_words.columns[ref] if word not in KEY_WORDS])
        return bare in self._by_words and bare != _joined(self._source_words.tables[ref.table])

    def _target(self, ref: Ref, column: Column) -> Ref | None:
        if column.kind not in ("integer", "text", "number", "other") or is_count_of(self._source_words.columns[ref]):
            return None
        tried = {ref}
        for target, is_clear in self._candidates(ref, column):
            if target in tried or not self._comparable(ref, target):
                continue
            tried.add(target)
            share = self._contained(ref, target)
            if (share is None and is_clear) or (share or 0.0) >= (_NAMED_SHARE if is_clear else _UNNAMED_SHARE):
                return target
        return self._by_values(ref, column)

    def _candidates(self, ref: Ref, column: Column) -> Iterable[tuple[Ref, bool]]:
        """Keys that the name of a column may mean, with whether it does so clearly."""
        words = self._source_words.columns[ref]
        for key in self._by_name.get(column.name.lower(), ()):
            is_generic = len(self._source_words.columns[key]) == 1 and words[-1] in KEY_WORDS | {"name"}
            if key.table != ref.table and not is_generic:
                yield key, True
        name_words = [word for word in words if word not in KEY_WORDS and word not in FILLERS]
        has_key_word = len(name_words) < len(words)
        if name_words and not name_words[-1].isascii():
            yield from self._chinese_candidates(name_words[-1])
        else:
            # ``home_team_id`` means teams: shorter and shorter ends of its words. ``status_id`` of issues may
            # mean issue statuses.
            owner = self._source_words.tables[ref.table]
            is_clear = has_key_word or column.kind == "text"
            # A plural without a key word is a number of things: home games are no reference to games.
            phrases = (
                [name_words[start:] for start in range(len(name_words))]
                if is_clear or not column.name.lower().endswith("s")
                else []
            )
            for ends in (*phrases, [*owner, *name_words]):
                for key in self._by_words.get(_joined(ends), ()):
                    if key.table != ref.table or self._may_be_parent(ref, ends, name_words):
                        yield key, is_clear
            if has_key_word:
                yield from self._without_head(ref, phrases)
        yield from self._by_role(ref, column, words, keyed=has_key_word)

    def _may_be_parent(self, ref: Ref, ends: Sequence[str], name_words: Sequence[str]) -> bool:
        """Whether a column may refer to the key of its own table.

        The number of a post in its topic does not, and neither does the number of the post that it replies to.
        """
        siblings = (name for name in self._statistics_by_table[ref.table] if name != self._keys[ref.table].column)
        column = ref.column.lower()
        return len(ends) < len(name_words) and not any(
            column.endswith(f"_{sibling.lower()}") for sibling in siblings if "_" in sibling
        )

    def _without_head(self, ref: Ref, phrases: Iterable[Sequence[str]]) -> Iterable[tuple[Ref, bool]]:
        """Keys of tables whose name has one more component in front: ``order_id`` of a line means a sale order.

        Tables of the same part of the application come first, and only they are meant clearly.
        """
        head = self._source_words.names[ref.table].head or ref.table.lower()
        for ends in phrases:
            others = [key for key in self._by_rest.get(_joined(ends), ()) if key.table != ref.table]
            near = [key for key in others if lemma(self._source_words.names[key.table].head) == lemma(head)]
            yield from ((key, True) for key in near)
            if len(others) == 1:
                yield others[0], False

    def _chinese_candidates(self, word: str) -> Iterable[tuple[Ref, bool]]:
        stripped = next((word.removesuffix(end) for end in KEY_ENDS if word.endswith(end)), "") or word
        tables = [table for table in self._by_words if table and not table.isascii() and stripped.endswith(table)]
        for name in sorted(tables, key=len, reverse=True):
            for key in self._by_words[name]:
                yield key, True

    def _by_role(self, ref: Ref, column: Column, words: Sequence[str], *, keyed: bool) -> Iterable[tuple[Ref, bool]]:
        """Keys by role: a parent in the same table, a person by an agent noun, ``super_ssn``."""
        lists = word_lists()["people"]
        own_key = self._keys.get(ref.table)
        ends = (_STAFF_NUMBER, *KEY_ENDS)
        stem = next((words[-1].removesuffix(end) for end in ends if words[-1].endswith(end)), words[-1])
        by = next((word for word in reversed(words) if word not in KEY_WORDS), "") == "by"
        # An appointment is not referred by another one.
        may_be_parent = not by or is_kind(concepts_of(self._source_words.tables[ref.table]), "person")
        if own_key is not None and (
            (may_be_parent and lists["parents"] & set(words)) or stem.endswith(lists["parents_zh"])
        ):
            yield own_key, keyed
        stem, is_agent = lists["roles"] & set(words), words[-1] in lists["roles"] and words[-1].endswith(_AGENT_ENDINGS)
        if by or is_agent or (stem and keyed):
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
        kind, target_kind = self._kinds[ref], self._kinds[target]
        return kind == target_kind or (kind in _NUMERIC and target_kind in _NUMERIC)

    def _statistics(self, ref: Ref) -> ColumnStatistics:
        return self._statistics_by_table[ref.table][ref.column]

    def _value_set(self, ref: Ref) -> frozenset[str]:
        if ref not in self._values:
            self._values[ref] = frozenset(str(value) for value, _ in self._statistics(ref).values)
        return self._values[ref]

    def _contained(self, ref: Ref, target: Ref) -> float | None:
        """Share of rows whose value is in the key, 0 to 1; None if unknown."""
        statistics = self._statistics(ref)
        if not statistics.values or not statistics.rows:
            return None
        if self._statistics(target).complete:
            keys = self._value_set(target)
            # Frequent values weigh more; values of deleted parents are many and rare.
            counts = [(str(value) in keys, count or 1) for value, count in statistics.values]
            return sum(count for is_in_key, count in counts if is_in_key) / sum(count for _, count in counts)
        if self._checks >= _MAX_CHECKS:
            return None
        self._checks += 1
        return contained(self._source, ref, target)

    def _by_values(self, ref: Ref, column: Column) -> Ref | None:
        """The key that contains the values of a column, whatever its name.

        Integers often match keys by coincidence, so only sparse keys count.
        """
        if not self._statistics(ref).rows or len(self._schema.tables) > _MAX_TABLES:
            return None
        if column.kind == "text":
            values = self._value_set(ref)
            others = (key for key in self._keys.values() if key.table != ref.table)
            similar = (key for key in others if self._is_similar_in_size(key, len(values)))
            return next((k for k in similar if len(values & self._value_set(k)) >= _UNNAMED_SHARE * len(values)), None)
        if column.kind == "integer" and not self._is_quantity(ref):
            sparse = (key for key in self._keys.values() if key.table != ref.table and self._is_sparse(key))
            enclosing = (key for key in sparse if self._within(ref, key))
            return next((key for key in enclosing if (self._contained(ref, key) or 0.0) >= _UNNAMED_SHARE), None)
        return None

    def _is_similar_in_size(self, key: Ref, values: int) -> bool:
        """Whether a text key has a similar number of values as a column."""
        statistics = self._statistics(key)
        if self._kinds[key] != "text" or not statistics.complete or values < _MIN_VALUES:
            return False
        return len(statistics.values) <= 4 * values + 20

    def _is_quantity(self, ref: Ref) -> bool:
        words = self._source_words.columns[ref]
        return any(suggested(words, kind) for kind in ("measure", "rate", "date", "ordinal", "flag", "code"))

    def _is_sparse(self, key: Ref) -> bool:
        statistics = self._statistics(key)
        if self._kinds[key] != "integer" or not statistics.filled or not isinstance(statistics.low, int):
            return False
        return statistics.low > 0 and statistics.high - statistics.low > _SPARSE * statistics.filled

    def _within(self, ref: Ref, key: Ref) -> bool:
        statistics, key_statistics = self._statistics(ref), self._statistics(key)
        return isinstance(statistics.low, int) and bool(
            key_statistics.low <= statistics.low <= statistics.high <= key_statistics.high
        )


def _joined(words: Sequence[str]) -> str:
    return " ".join(lemma(word) for word in words)
