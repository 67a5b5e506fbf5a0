"""What mentions weigh by what stands beside them in the question."""

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

MENTIONED: Final = 0.7
"""Score from which words name a table."""
_IN_PERIOD: Final = 0.6
_IN_COUNT: Final = 0.6
"""What words that ask how many weigh as a column that says which one: the number of flights is no flight number."""
_SURE_CUE: Final = 0.8
_MONEY_COUNTED: Final = 0.7
"""What money weighs where the question asks how many."""
_OF_MONEY: Final = frozenset("元块钱角分")
_BESIDE: Final = 0.2
"""What a column of the table that is named beside the words gains, and one of another table loses: the oldest student
was born first, whatever else is dated."""
_OF_NEIGHBOUR: Final = 0.9


class Weights(Struct, frozen=True):
    """Weighs mentions by what stands beside them.

    Attributes:
        counts: Spans that ask how many.
        beside: Tables by the tokens before and behind the words that name them.
        things: They ask for things, not for an amount: 多少 alone may ask for either.
    """

    question: Question
    catalogue: Catalogue
    counts: tuple[TokenSpan, ...]
    with_columns: dict[int, set[str]]
    things: bool

    @classmethod
    def of(cls, question: Question, catalogue: Catalogue, tables: Sequence[Mention]) -> Weights:
        """For one question and the tables that it names."""
        beside: dict[int, set[str]] = defaultdict(set)
        for table in tables:
            if table.ref is not None and table.score >= MENTIONED:
                beside[table.span.first - 1].add(table.ref.table)
                beside[table.span.last].add(table.ref.table)
        asking = [cue for cue in question.cues if cue.op in ("count", "how_much") and cue.weight >= _SURE_CUE]
        counts = tuple(cue.span for cue in asking if cue.op == "count")
        return cls(question, catalogue, counts, beside, any(_counts_things(question, cue) for cue in asking))

    def __call__(self, mention: Mention) -> Mention:
        """The mention with its weight in this question."""
        scale = 1.0
        inside = any(mention.span.within(p.span) and mention.span != p.span for p in self.question.periods)
        if inside:
            scale = _IN_PERIOD
        column = self.catalogue.column(mention.ref) if mention.kind == "column" and mention.ref is not None else None
        if column is None:
            return mention if scale == 1.0 else replace(mention, score=mention.score * scale)
        is_figure = column.kind in ("measure", "rate")
        if not is_figure and any(count.first <= mention.span.first < count.last for count in self.counts):
            scale *= _IN_COUNT
        if mention.how == "concept" and self.things and is_figure and is_kind(column.concepts, "money"):
            scale *= _MONEY_COUNTED
        worth = 0.0
        if mention.how == "concept" and not inside and (mention.order or column.kind == "date"):
            at = mention.span
            beside = {*self.with_columns.get(at.last - 1, ()), *self.with_columns.get(at.first, ())}
            worth = _BESIDE if column.ref.table in beside else -_BESIDE if beside else 0.0
        score = mention.score * scale
        score = min(max(_OF_NEIGHBOUR, score), score + worth)
        return mention if score == mention.score else replace(mention, score=score)


def _counts_things(question: Question, cue: Cue) -> bool:
    """Whether "how many" is English, or has a measure word in or behind it: 卖了多少本, 几个."""
    tokens = question.tokens[cue.span.first : cue.span.last + 1]
    if tokens[0].kind == "word":
        return cue.op == "count"
    return any(token.text in words().measures - _OF_MONEY for token in tokens)
