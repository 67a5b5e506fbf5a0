"""What is known of a source and of a question, for a chat model; and what its statements say, read back."""

from __future__ import annotations

from typing import Final

from kbtui.domain.analysis import CutPeriod, Schema
from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.reading_order import without_reading_order
from kbtui.text.language import answered_in

_KINDS: Final = {
    "measure": "adds up",
    "rate": "does not add up",
    "date": "date",
    "category": "category",
    "flag": "yes or no",
    "code": "code",
    "name": "name",
}
_LIKELY: Final = 0.6
_MOST_EACH: Final = 2
_MOST: Final = 24
_MOST_VALUES: Final = 12


class ForModels:
    """See `kbtui.domain.analysis.SourceWords`.

    Args:
        reader: Reads the same questions without a model.
    """

    def __init__(self, reader: QuestionReader) -> None:
        self._reader = reader

    def column(self, table: str, column: str, schema: Schema) -> str:
        """What a column is, in a few words; empty where nothing says."""
        info = self._reader.catalogue(schema).tables.get(table)
        found = next((each for each in info.columns if each.ref.column == column), None) if info is not None else None
        return "" if found is None else "; ".join(filter(None, _described(found)))

    def links(self, question: str, schema: Schema) -> tuple[str, ...]:
        """What words of the question may stand for, the likeliest of each."""
        lattice = self._reader.lattice(self._reader.question(question), schema)
        found: dict[str, list[str]] = {}
        for mention in sorted(lattice.mentions, key=lambda mention: -mention.score):
            if mention.ref is None or mention.kind == "cue" or mention.score < _LIKELY:
                continue
            meant = found.setdefault(lattice.question.words(mention.span), [])
            if len(meant) < _MOST_EACH and (target := _target(mention)) not in meant:
                meant.append(target)
        lines = [f"{words}: {' or '.join(meant)}" for words, meant in found.items()]
        days = [f"{p.words}: {p.first or '…'} to {p.last or '…'}" for p in lattice.question.periods]
        return (*days, *lines)[:_MOST]

    def says(self, sql: str, question: str, schema: Schema) -> tuple[str, tuple[CutPeriod, ...]]:
        """A statement in words, in the language of the question, and the periods in it that the data do not fill."""
        catalogue, asked = self._reader.catalogue(schema), answered_in(question)
        query = query_of(sql, catalogue)
        if query is None:
            return "", ()
        return self._reader.stages.says(query, catalogue, asked), self._reader.cut(query, catalogue, asked)

    def agree(self, sql: str, other: str, schema: Schema) -> bool:
        """Whether two statements ask the same, however they are spelt."""
        catalogue = self._reader.catalogue(schema)
        query = query_of(sql, catalogue)
        known = query_of(other, catalogue)
        if query is None or known is None:
            return False
        return without_reading_order(query) == without_reading_order(known)


def _target(mention: Mention) -> str:
    assert mention.ref is not None
    table, column = mention.ref
    name = table if column == "*" else f"{table}.{column}"
    return f"{name} = {mention.values[0]!r}" if mention.values else name


def _described(info: ColumnInfo) -> tuple[str, ...]:
    values = ""
    if info.kind in ("category", "flag") and info.complete and len(info.values) <= _MOST_VALUES:
        values = "one of " + ", ".join(repr(value) for value, _ in info.values)
    days = f"{info.low} to {info.high}" if info.kind == "date" and info.low is not None else ""
    stored = "text that holds numbers" if info.encoding == "number" else ""
    return _KINDS.get(info.kind, ""), stored, info.unit, days, values
