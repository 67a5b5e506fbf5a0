"""Adjusts the scores of mentions by their context in the question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import TIMES, Catalogue, ColumnInfo
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import is_kind
from kbtui.question.model import Cue, Question, TokenSpan
from kbtui.question.words import words

MIN_TABLE_SCORE: Final = 0.7
"""Score from which words name a table."""
_MIN_FIGURE_SCORE: Final = 0.9
_IN_PERIOD: Final = 0.6
_IN_COUNT: Final = 0.6
"""Factor for identifying columns in words of counting: “number of flights” is no flight number."""
_SURE_CUE: Final = 0.8
_AMOUNT_COUNTED: Final = 0.7
"""Factor for money and for parts of names of measured quantities if the question asks for a number of things."""
_MONEY_WORDS: Final = frozenset("元块钱角分")
_ADJACENT_TABLE: Final = 0.2
"""Bonus for columns of the table that is named next to the words, penalty for columns of other tables: for “the oldest
student” the birth date of students.
"""
_MAX_ADJUSTED: Final = 0.9
_OF_EVENTS: Final = frozenset(("sales", "money"))
"""Concepts of superlatives whose figures are those of events, which seldom stand in the table of the thing itself."""
_OTHER_FIGURE: Final = 0.6
"""Factor for the column of an adjective if the next words name another column of figures."""
_OTHER_SIZE: Final = 0.8
"""Factor for other columns than the area if an adjective of size ranks rows that have an area: the largest state."""


class Weights(Struct, frozen=True):
    """Adjusts mentions by their context.

    Attributes:
        counts: Spans that ask how many.
        with_columns: Tables named by words that begin or end next to a token, by the token's position.
        counts_things: Whether the question asks for a number of things, not for an amount; 多少 alone may mean either.
        sizes: First tokens of adjectives of size.
        figures: First tokens of words that name a column of figures.
        events: Spans of superlatives of what happened to a thing: the product that *sold the most*.
    """

    question: Question
    catalogue: Catalogue
    counts: tuple[TokenSpan, ...]
    with_columns: dict[int, set[str]]
    counts_things: bool
    sizes: frozenset[int]
    figures: frozenset[int]
    events: frozenset[TokenSpan]

    @classmethod
    def of(cls, question: Question, catalogue: Catalogue, names: Sequence[Mention]) -> Weights:
        """The weights for a question and the tables and columns that it mentions."""
        tables_by_token: dict[int, set[str]] = defaultdict(set)
        for table in names:
            if table.kind == "table" and table.ref is not None and table.score >= MIN_TABLE_SCORE:
                tables_by_token[table.span.first - 1].add(table.ref.table)
                tables_by_token[table.span.last].add(table.ref.table)
        count_cues = [cue for cue in question.cues if cue.op in ("count", "how_much") and cue.weight >= _SURE_CUE]
        counts = tuple(cue.span for cue in count_cues if cue.op == "count")
        counts_things = any(_counts_things(question, cue) for cue in count_cues)
        sizes = frozenset(cue.span.first for cue in question.cues if cue.args.get("concept") == "size")
        figures = frozenset(name.span.first for name in names if _names_figure(name, catalogue))
        events = frozenset(cue.span for cue in question.cues if cue.args.get("concept") in _OF_EVENTS)
        return cls(question, catalogue, counts, tables_by_token, counts_things, sizes, figures, events)

    def __call__(self, mention: Mention) -> Mention:
        """The mention with its adjusted score."""
        factor = 1.0
        is_in_period = any(mention.span.within(p.span) and mention.span != p.span for p in self.question.periods)
        if is_in_period:
            factor = _IN_PERIOD
        column = self.catalogue.column(mention.ref) if mention.kind == "column" and mention.ref is not None else None
        if column is None:
            return mention if factor == 1.0 else replace(mention, score=mention.score * factor)
        if not _is_figure(column) and any(count.first <= mention.span.first < count.last for count in self.counts):
            factor *= _IN_COUNT
        if self.counts_things and _is_figure(column) and _is_no_number(mention, column):
            factor *= _AMOUNT_COUNTED
        bonus = 0.0
        has_owner = (mention.order and mention.span not in self.events) or column.kind == "date"
        if mention.how == "concept" and not is_in_period and has_owner:
            at = mention.span
            adjacent_tables = {*self.with_columns.get(at.last - 1, ()), *self.with_columns.get(at.first, ())}
            bonus = (
                _ADJACENT_TABLE if column.ref.table in adjacent_tables else -_ADJACENT_TABLE if adjacent_tables else 0.0
            )
        score = mention.score * factor
        score = min(max(_MAX_ADJUSTED, score), score + bonus)
        if mention.order and mention.how == "concept":
            score *= self._adjective_factor(mention, column)
        return mention if score == mention.score else replace(mention, score=score)

    def _adjective_factor(self, mention: Mention, column: ColumnInfo) -> float:
        """The factor for an adjective that is read as a column: areas do not matter for the largest *population*."""
        if mention.span.last in self.figures:
            return _OTHER_FIGURE
        return _OTHER_SIZE if mention.span.first in self.sizes and self._has_other_area(column) else 1.0

    def _has_other_area(self, column: ColumnInfo) -> bool:
        """Whether another column of the table is an area."""
        columns = self.catalogue.tables[column.ref.table].columns
        return "area" not in column.concepts and any("area" in other.concepts for other in columns if _is_figure(other))


def _names_figure(name: Mention, catalogue: Catalogue) -> bool:
    column = catalogue.column(name.ref) if name.kind == "column" and name.ref is not None else None
    is_named = name.how in ("exact", "stem") and not name.order and name.score >= _MIN_FIGURE_SCORE
    return is_named and column is not None and _is_figure(column)


def _is_figure(column: ColumnInfo) -> bool:
    """Whether a column holds figures."""
    return column.kind in ("measure", "rate")


def _is_no_number(mention: Mention, column: ColumnInfo) -> bool:
    """Whether a column holds money, or a quantity with a unit that the words leave open: the minutes of 迟到分钟."""
    if mention.how == "part":
        return column.unit in TIMES
    return mention.how == "concept" and is_kind(column.concepts, "money")


def _counts_things(question: Question, cue: Cue) -> bool:
    """Whether “how many” is English, or has a measure word in or after it: 卖了多少本, 几个."""
    tokens = question.tokens[cue.span.first : cue.span.last + 1]
    if tokens[0].kind == "word":
        return cue.op == "count"
    return any(token.text in words().measures - _MONEY_WORDS for token in tokens)
