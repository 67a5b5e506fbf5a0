"""Describes columns, links and statements for chat models that write SQL."""

from __future__ import annotations

from typing import Final

from kbtui.domain.analysis import CutPeriod, Schema
from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.lattice import Mention
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
_MIN_SCORE: Final = 0.6
_MAX_TARGETS: Final = 2
_MAX_LINES: Final = 24
_MAX_VALUES: Final = 12


class ForModels:
    """See `kbtui.domain.analysis.SourceWords`.

    Args:
        reader: Reads the same questions without a model.
    """

    def __init__(self, reader: QuestionReader) -> None:
        self._reader = reader

    def column(self, table: str, column: str, schema: Schema) -> str:
        """A short description of a column; empty if nothing is known."""
        table_info = self._reader.catalogue(schema).tables.get(table)
        column_info = (
            next((candidate for candidate in table_info.columns if candidate.ref.column == column), None)
            if table_info is not None
            else None
        )
        return "" if column_info is None else "; ".join(filter(None, _description_parts(column_info)))

    def links(self, question: str, schema: Schema) -> tuple[str, ...]:
        """Lines of what words of the question may stand for, periods first; the most likely targets of each."""
        lattice = self._reader.lattice(self._reader.question(question), schema)
        targets_by_words: dict[str, list[str]] = {}
        for mention in sorted(lattice.mentions, key=lambda mention: -mention.score):
            if mention.ref is None or mention.kind == "cue" or mention.score < _MIN_SCORE:
                continue
            targets = targets_by_words.setdefault(lattice.question.words(mention.span), [])
            if len(targets) < _MAX_TARGETS and (target := _target(mention)) not in targets:
                targets.append(target)
        lines = [f"{words}: {' or '.join(targets)}" for words, targets in targets_by_words.items()]
        days = [f"{p.words}: {p.first or '…'} to {p.last or '…'}" for p in lattice.question.periods]
        return (*days, *lines)[:_MAX_LINES]

    def says(self, sql: str, question: str, schema: Schema) -> tuple[str, tuple[CutPeriod, ...]]:
        """A statement in the words of the question's language, and its periods that the data do not cover."""
        from kbtui.nl2sql.parse import query_of

        catalogue, language = self._reader.catalogue(schema), answered_in(question)
        query = query_of(sql, catalogue)
        if query is None:
            return "", ()
        return self._reader.stages.says(query, catalogue, language), self._reader.cut(query, catalogue, language)

    def agree(self, sql: str, other: str, schema: Schema) -> bool:
        """Whether two statements are the same query, regardless of how they are written."""
        from kbtui.nl2sql.parse import query_of

        catalogue = self._reader.catalogue(schema)
        query = query_of(sql, catalogue)
        other_query = query_of(other, catalogue)
        if query is None or other_query is None:
            return False
        return without_reading_order(query) == without_reading_order(other_query)


def _target(mention: Mention) -> str:
    assert mention.ref is not None
    table, column = mention.ref
    name = table if column == "*" else f"{table}.{column}"
    return f"{name} = {mention.values[0]!r}" if mention.values else name


def _description_parts(info: ColumnInfo) -> tuple[str, ...]:
    values = ""
    if info.kind in ("category", "flag") and info.complete and len(info.values) <= _MAX_VALUES:
        values = "one of " + ", ".join(repr(value) for value, _ in info.values)
    date_range = f"{info.low} to {info.high}" if info.kind == "date" and info.low is not None else ""
    encoding = "text that holds numbers" if info.encoding == "number" else ""
    return _KINDS.get(info.kind, ""), encoding, info.unit, date_range, values
