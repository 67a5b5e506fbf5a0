"""What the fitted confidence of a reading does not know about whoever asks.

Readings that differ in the order of their columns alone are one reading to a person. The ranking keeps them apart, as a
program that compares rows would; each then gets a part of the probability, and a question that is understood looks
doubtful. And the ranking was fitted on English: Chinese words that were taken for nothing count too little in it, and
so do the few words for figures that the rules do not compute: an answer without the "growth" of a question is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from kbtui.data.nl2sql.names import lemma
from kbtui.domain.analysis import Reading, Readings, Schema, SqlWriter

_SUREST: Final = 0.99
_UNREAD_CHINESE: Final = 0.6
"""What is left of a confidence where Chinese words of the question were taken for nothing."""
_UNREAD_FIGURE: Final = 0.5
"""Likewise where a word for a figure was."""
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
        readings = sorted(map(_doubted, joined.values()), key=lambda reading: -reading.confidence)
        return replace(found, readings=tuple(readings))


def _doubted(reading: Reading) -> Reading:
    confidence = reading.confidence
    if any(_HAN.search(word) for word in reading.unlinked):
        confidence *= _UNREAD_CHINESE
    if any(lemma(word) in _figures() for word in reading.unlinked):
        confidence *= _UNREAD_FIGURE
    return reading if confidence == reading.confidence else replace(reading, confidence=confidence)


@lru_cache(maxsize=1)
def _figures() -> frozenset[str]:
    text = resources.files(__package__).joinpath("figures.tsv").read_text("utf-8")
    return frozenset(line.strip() for line in text.split("\n") if line.strip() and not line.startswith("#"))


def _without_order(sql: str, dialect: str) -> Any:
    """What two statements share that bring the same columns, in whatever order."""
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError:
        return sql
    if not isinstance(tree, exp.Select):
        return sql
    columns = tuple(sorted(column.sql() for column in tree.expressions))
    tree.set("expressions", [])
    return columns, tree.sql()
