"""Adjusts the scores of mentions by their context in the question."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import is_kind
from kbtui.question.model import Cue, Question, TokenSpan
from kbtui.question.words import words

MIN_TABLE_SCORE: Final = 0.7
"""Score from which words name a table."""
_IN_PERIOD: Final = 0.6
_IN_COUNT: Final = 0.6
"""Factor for identifying columns in words of counting: “number of flights” is no flight number."""
_SURE_CUE: Final = 0.8
_MONEY_COUNTED: Final = 0.7
"""Factor for money if the question asks for a number of things."""
_MONEY_WORDS: Final = frozenset("元块钱角分")
_ADJACENT_TABLE: Final = 0.2
"""Bonus for columns of the table that is named next to the words, penalty for columns of other tables: for “the oldest
student” the birth date of students.
"""
_MAX_ADJUSTED: Final = 0.9


class Weights(Struct, frozen=True):
    """Adjusts mentions by their context.

    Attributes:
        counts: Spans that ask how many.
        with_columns: Tables named by words that begin or end next to a token, by the token's position.
        counts_things: Whether the question asks for a number of things, not for an amount; 多少 alone may mean either.
    """

    question: Question
    catalogue: Catalogue
    counts: tuple[TokenSpan, ...]
    with_columns: dict[int, set[str]]
    counts_things: bool

    @classmethod
    def of(cls, question: Question, catalogue: Catalogue, tables: Sequence[Mention]) -> Weights:
        """The weights for a question and the tables it mentions."""
        tables_by_token: dict[int, set[str]] = defaultdict(set)
        for table in tables:
            if table.ref is not None and table.score >= MIN_TABLE_SCORE:
                tables_by_token[table.span.first - 1].add(table.ref.table)
                tables_by_token[table.span.last].add(table.ref.table)
        count_cues = [cue for cue in question.cues if cue.op in ("count", "how_much") and cue.weight >= _SURE_CUE]
        counts = tuple(cue.span for cue in count_cues if cue.op == "count")
        return cls(
            question, catalogue, counts, tables_by_token, any(_counts_things(question, cue) for cue in count_cues)
        )

    def __call__(self, mention: Mention) -> Mention:
        """The mention with its adjusted score."""
        factor = 1.0
        is_in_period = any(mention.span.within(p.span) and mention.span != p.span for p in self.question.periods)
        if is_in_period:
            factor = _IN_PERIOD
        column = self.catalogue.column(mention.ref) if mention.kind == "column" and mention.ref is not None else None
        if column is None:
            return mention if factor == 1.0 else replace(mention, score=mention.score * factor)
        is_figure = column.kind in ("measure", "rate")
        if not is_figure and any(count.first <= mention.span.first < count.last for count in self.counts):
            factor *= _IN_COUNT
        if mention.how == "concept" and self.counts_things and is_figure and is_kind(column.concepts, "money"):
            factor *= _MONEY_COUNTED
        bonus = 0.0
        if mention.how == "concept" and not is_in_period and (mention.order or column.kind == "date"):
            at = mention.span
            adjacent_tables = {*self.with_columns.get(at.last - 1, ()), *self.with_columns.get(at.first, ())}
            bonus = (
                _ADJACENT_TABLE if column.ref.table in adjacent_tables else -_ADJACENT_TABLE if adjacent_tables else 0.0
            )
        score = mention.score * factor
        score = min(max(_MAX_ADJUSTED, score), score + bonus)
        return mention if score == mention.score else replace(mention, score=score)


def _counts_things(question: Question, cue: Cue) -> bool:
    """Whether “how many” is English, or has a measure word in or after it: 卖了多少本, 几个."""
    tokens = question.tokens[cue.span.first : cue.span.last + 1]
    if tokens[0].kind == "word":
        return cue.op == "count"
    return any(token.text in words().measures - _MONEY_WORDS for token in tokens)
