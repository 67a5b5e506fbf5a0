"""What the words of a question may stand for in a catalogue: mentions over spans of tokens, nothing decided yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import force_setattr

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.query import Cond, Ref
from kbtui.question.model import Cue, NumberMention, Period, Question, TokenSpan

MentionKind = Literal["column", "table", "value", "state", "number", "period", "cue"]
How = Literal["exact", "stem", "part", "abbreviation", "typo", "concept", "gloss", "prefix", "quoted", "read"]
"""What a link rests on; ``read`` for numbers, periods and cues, which the question alone decides."""


class Mention(Struct, frozen=True, kw_only=True):
    """One thing that a span of tokens may stand for.

    Attributes:
        ref: The column; of a table ``Ref(table, "*")``; of a value its column.
        values: Of a value, the literals as the column has them: several where they differ in case or are forms of one.
        cond: Of a state, the condition itself.
        score: How well the words fit, 0 to 1: 1 for the same words.
        order: The words also rank (``cheapest`` is price, ``asc``) or compare (``older than``): ``asc`` or ``desc``.
        comparative: They compare (``cheaper``) and do not rank (``cheapest``).
        shared: How many other mentions of the same kind the same span has with an equal score.
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
        mentions: By first token, then the longest, then the best.
    """

    question: Question
    catalogue: Catalogue
    mentions: tuple[Mention, ...]
    starting: dict[int, list[Mention]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        starting: dict[int, list[Mention]] = {}
        for mention in self.mentions:
            starting.setdefault(mention.span.first, []).append(mention)
        force_setattr(self, "starting", starting)

    def at(self, token: int) -> Sequence[Mention]:
        """Mentions whose first token this is."""
        return self.starting.get(token, ())
