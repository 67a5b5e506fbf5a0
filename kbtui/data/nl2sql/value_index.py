"""Which column holds a word of a question: the different values of text columns, read once per structure, in memory.

Values are data of people: they stay in this process and go to no log and no file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from kbtui.data.nl2sql.query import Ref
from kbtui.domain.analysis import Schema
from kbtui.errors import KbtuiError

Ask = Callable[[str], Sequence[Sequence[Any]]]
"""Given a statement, its rows; raises a KbtuiError when it fails or takes too long."""

_MOST_VALUES: Final = 3000
_MOST_COLUMNS: Final = 300
_LONGEST: Final = 60
_BREAKS: Final = re.compile(r"[\s\-_/,.:;'\"()&!?]+")


def normal(text: str) -> str:
    """As values are compared: lower case, one space for anything between words."""
    return _BREAKS.sub(" ", text.lower()).strip()


class ValueIndex:
    """Values of text columns by how they read.

    Args:
        schema: Detailed.
        ask: Reads the values; without it the samples of the schema are all there is.
        quote: Writes an identifier in the source's dialect.
    """

    def __init__(self, schema: Schema, ask: Ask | None, quote: Callable[[str], str]) -> None:
        self._found: dict[str, list[tuple[Ref, Any]]] = {}
        self.longest_words = 1
        self.domains: dict[Ref, frozenset[str]] = {}
        columns = 0
        for table in schema.tables:
            for column in table.columns:
                if column.kind not in ("text", "other") and column.kind != "boolean":
                    continue
                columns += 1
                values: Sequence[Any] = column.samples
                if ask is not None and columns <= _MOST_COLUMNS:
                    name = quote(column.name)
                    # A bounded look at the first rows: what is behind them is found by the literal as it was typed.
                    inner = f"SELECT {name} FROM {quote(table.name)} LIMIT {_MOST_VALUES * 10}"
                    sql = f"SELECT DISTINCT {name} FROM ({inner}) AS seen LIMIT {_MOST_VALUES}"
                    try:
                        values = [row[0] for row in ask(sql)]
                    except KbtuiError:
                        values = column.samples
                self._add(Ref(table.name, column.name), values)

    def _add(self, ref: Ref, values: Sequence[Any]) -> None:
        short = []
        for value in values:
            if not isinstance(value, str) or not value.strip() or len(value) > _LONGEST:
                continue
            key = normal(value)
            if not key:
                continue
            short.append(key)
            self._found.setdefault(key, []).append((ref, value))
            self.longest_words = max(self.longest_words, min(8, key.count(" ") + 1))
        if 0 < len(short) <= 40:
            self.domains[ref] = frozenset(short)

    def find(self, text: str) -> list[tuple[Ref, Any]]:
        """Columns that hold ``text`` as a whole value, each with the value as it is stored."""
        return self._found.get(normal(text), [])

    def within(self, text: str) -> list[tuple[Ref, Any]]:
        """Values of columns in which a Chinese question may name them without spaces around."""
        return [(ref, value) for key, hits in self._found.items() if key in text for ref, value in hits]
