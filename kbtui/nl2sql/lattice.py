"""The lattice of a question: everything its spans may stand for in a catalogue, without any decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import force_setattr

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import Cond, Ref
from kbtui.question.model import Cue, NumberMention, Period, Question, TokenSpan

MentionKind = Literal["column", "table", "value", "state", "number", "period", "cue"]
How = Literal[
    "exact", "stem", "part", "abbreviation", "typo", "concept", "gloss", "prefix", "quoted", "negated", "read"
]
"""What a link is based on; ``negated`` for the opposite of a name (``unexcused``), ``read`` for numbers, periods and
cues, which need no catalogue."""


class Mention(Struct, frozen=True, kw_only=True):
    """One meaning of a span of tokens.

    Attributes:
        ref: The column of a column or value mention; ``Ref(table, "*")`` for a table.
        values: Literals of a value mention as the column has them; several if they differ in case or are forms of one.
        cond: The condition of a state mention.
        score: How well the words match, 0 to 1.
        order: ``asc`` or ``desc`` if the words also rank (``cheapest``: price, ``asc``) or compare (``older than``).
        comparative: Whether the words compare (``cheaper``) and do not rank (``cheapest``).
        shared: Number of other mentions of the span with the same kind and score.
    """

    span: TokenSpan
    kind: MentionKind
    score: float = 1.0
    how: How = "read"
    ref: Ref | None = None
    values: tuple[Any, ...] = ()
    cond: Cond | None = None
    cue: Cue | None = None
    number: NumberMention | None = None
    period: Period | None = None
    order: Literal["", "asc", "desc"] = ""
    comparative: bool = False
    shared: int = 0


class Lattice(Struct, frozen=True, kw_only=True):
    """All mentions of one question.

    Attributes:
        mentions: Sorted by first token, then longest first, then best first.
    """

    question: Question
    catalogue: Catalogue
    mentions: tuple[Mention, ...]
    by_first_token: dict[int, list[Mention]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        by_first_token: dict[int, list[Mention]] = {}
        for mention in self.mentions:
            by_first_token.setdefault(mention.span.first, []).append(mention)
        force_setattr(self, "by_first_token", by_first_token)

    def at(self, token: int) -> Sequence[Mention]:
        """Mentions that begin at a token."""
        return self.by_first_token.get(token, ())
