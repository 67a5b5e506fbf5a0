"""What the fitted confidence of a reading does not know about whoever asks.

Readings that differ in the order of their columns alone are one reading to a person. The ranking keeps them apart, as a
program that compares rows would; each then gets a part of the probability, and a question that is understood looks
doubtful. And the ranking was fitted on English: Chinese words that were taken for nothing count too little in it, and
so do the few words for figures that the rules do not compute: an answer without the "growth" of a question is none.
Nor does it know what a wrong sum costs whoever believes it: development sets hold sums over rows that a join repeats.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from kbtui.domain.analysis import Reading, Readings, Schema, SqlWriter
from kbtui.text.inflection import lemma
from kbtui.text.word_lists import rows_in

_SUREST: Final = 0.99
_UNREAD_CHINESE: Final = 0.6
"""What is left of a confidence where Chinese words of the question were taken for nothing."""
_UNREAD_FIGURE: Final = 0.5
"""Likewise where a word for a figure was."""
_COUNTED_TWICE: Final = 0.5
"""And of that of a sum that counts a row once for each row of another table."""
_HAN = re.compile(r"[\u3400-\u9fff]{2,}")


class OrderlessWriter:
    """A writer whose readings are joined where only the order of columns tells them apart; the likeliest stays."""

    def __init__(self, inner: SqlWriter) -> None:
        self._inner = inner

    def read(self, question: str, schema: Schema, *, failed: Sequence[tuple[str, str]] = ()) -> Readings:
        """See `SqlWriter`."""
        found = self._inner.read(question, schema, failed=failed)
        joined: dict[Any, Reading] = {}
        for reading in found.readings:
            key = _without_order(reading.sql, schema.dialect)
            known = joined.get(key)
            if known is None:
                joined[key] = reading
            else:
                joined[key] = replace(known, confidence=min(_SUREST, known.confidence + reading.confidence))
        doubted = (_doubted(reading, schema) for reading in joined.values())
        readings = sorted(doubted, key=lambda reading: -reading.confidence)
        return replace(found, readings=tuple(readings))


def _doubted(reading: Reading, schema: Schema) -> Reading:
    confidence = reading.confidence
    if any(_HAN.search(word) for word in reading.unlinked):
        confidence *= _UNREAD_CHINESE
    if any(lemma(word) in _figures() for word in reading.unlinked):
        confidence *= _UNREAD_FIGURE
    if _counts_twice(reading.sql, schema):
        confidence *= _COUNTED_TWICE
    return reading if confidence == reading.confidence else replace(reading, confidence=confidence)


@lru_cache(maxsize=1)
def _figures() -> frozenset[str]:
    return frozenset(word.strip() for (word,) in rows_in(__package__, "figures.tsv"))


def _parsed(sql: str, dialect: str) -> Any:
    """The statement as a tree; None for what is no single SELECT."""
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError:
        return None
    return tree if isinstance(tree, exp.Select) else None


def _without_order(sql: str, dialect: str) -> Any:
    """What two statements share that bring the same columns, in whatever order they name them and their tables."""
    from sqlglot import exp

    tree = _parsed(sql, dialect)
    if tree is None:
        return sql
    columns = tuple(sorted(column.sql() for column in tree.expressions))
    joins = tree.args.get("joins") or []
    tables: frozenset[str] = frozenset()
    sides: frozenset[frozenset[str]] = frozenset()
    # Only inner joins read the same from either side.
    if joins and all(isinstance(join.args.get("on"), exp.EQ) and not join.args.get("side") for join in joins):
        tables = frozenset((tree.find(exp.From).this.sql(), *(join.this.sql() for join in joins)))
        sides = frozenset(frozenset((join.args["on"].this.sql(), join.args["on"].expression.sql())) for join in joins)
        tree.find(exp.From).pop()
        tree.set("joins", [])
    tree.set("expressions", [])
    return columns, tables, sides, tree.sql()


def _counts_twice(sql: str, schema: Schema) -> bool:
    """Whether a sum or mean is taken over rows that a join repeats: an order's total once for each of its lines."""
    from sqlglot import exp

    tree = _parsed(sql, schema.dialect)
    if tree is None:
        return False
    joins = tree.args.get("joins") or []
    if not joins:
        return False
    joined = [tree.find(exp.From).this, *(join.this for join in joins)]
    named = {table.alias_or_name: table.name for table in joined if isinstance(table, exp.Table)}
    held = [table for name in set(named.values()) if (table := schema.table(name)) is not None]
    repeated = {key.referred_table for table in held for key in table.foreign_keys if key.referred_table != table.name}
    for figure in tree.find_all(exp.Sum, exp.Avg):
        if figure.find_ancestor(exp.Select) is not tree:
            continue
        of = {named.get(column.table, column.table) for column in figure.find_all(exp.Column)}
        if of and of <= repeated:
            return True
    return False
