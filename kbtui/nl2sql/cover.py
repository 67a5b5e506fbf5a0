"""Sets of mentions that together read a question: a beam over the lattice, from the first token to the last."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from msgspec import Struct

from kbtui.nl2sql.lattice import Lattice, Mention, MentionKind

_BEAM: Final = 48
_SKIP: Final = 0.55
"""Cost of a content token that nothing reads."""
_SKIP_CUE: Final = 0.25
"""Cost of an operator that is left out though its words are ordinary ones, for each unit of its weight."""
_EACH: Final = 0.04
"""Cost of a mention, so that one over three tokens is preferred to three."""
_SAME_TABLE: Final = 0.12
_OTHER_TABLE: Final = 0.1
_SHARED: Final = 0.02
_FUNCTION_WORD: Final = 0.15
"""Worth of a function word inside of a mention, beside that of a content word: ``from lisbon`` is an origin."""


class Cover(Struct, frozen=True):
    """Mentions whose spans do not overlap, in the order of the question.

    Attributes:
        skipped: Indexes of content tokens that none of them reads.
        score: Higher is better, in no unit.
    """

    mentions: tuple[Mention, ...]
    skipped: tuple[int, ...]
    score: float

    def indexes(self, *kinds: MentionKind) -> Iterator[int]:
        """Positions of the mentions of these kinds."""
        return (i for i, mention in enumerate(self.mentions) if mention.kind in kinds)


class _State(NamedTuple):
    score: float
    mentions: tuple[Mention, ...] = ()
    skipped: tuple[int, ...] = ()
    tables: frozenset[str] = frozenset()


class _Step(NamedTuple):
    """A state to be: only those that stay in the beam are made.

    Attributes:
        mention: What is read next; None where the next token is skipped.
    """

    score: float
    before: _State
    mention: Mention | None = None


def covers(lattice: Lattice, most: int) -> list[Cover]:
    """The best sets of mentions, best first."""
    tokens = lattice.question.tokens
    waiting: list[list[_Step]] = [[] for _ in range(len(tokens) + 1)]
    states = [_State(0.0)]
    near = _neighbours(lattice)
    for at, token in enumerate(tokens):
        if at:
            states = _best(waiting[at], _BEAM, lattice, at)
        mentions = lattice.at(at)
        cue_cost = max((m.cue.weight for m in mentions if m.cue is not None), default=0.0) * _SKIP_CUE
        cost = _SKIP if token.content else cue_cost
        read = [(mention, _worth(mention, content)) for mention in mentions if (content := _content(lattice, mention))]
        for state in states:
            waiting[at + 1].append(_Step(state.score - cost, state))
            for mention, worth in read:
                score = state.score + (worth + _nearness(state, mention, near))
                waiting[mention.span.last].append(_Step(score, state, mention))
    ends = _best(waiting[-1], most, lattice, len(tokens)) if tokens else states
    return [Cover(state.mentions, state.skipped, state.score) for state in ends]


def _best(steps: list[_Step], most: int, lattice: Lattice, at: int) -> list[_State]:
    """The states before the token ``at`` that the best steps lead to, best first."""
    tokens = lattice.question.tokens
    found = []
    for score, before, mention in heapq.nlargest(most, steps, key=_score):
        if mention is None:
            skipped = (*before.skipped, at - 1) if tokens[at - 1].content else before.skipped
            found.append(_State(score, before.mentions, skipped, before.tables))
        else:
            tables = before.tables if mention.ref is None else before.tables | {mention.ref.table}
            found.append(_State(score, (*before.mentions, mention), before.skipped, tables))
    return found


_score: Final = itemgetter(0)


def _content(lattice: Lattice, mention: Mention) -> float:
    """The tokens that a mention accounts for; words without content count for a little beside others."""
    tokens = lattice.question.tokens[mention.span.first : mention.span.last]
    content = sum(token.content for token in tokens)
    if not content:
        return 0.0 if mention.cue is None and mention.kind != "period" else 0.5
    return content + _FUNCTION_WORD * (len(tokens) - content)


def _worth(mention: Mention, content: float) -> float:
    strength = mention.score if mention.cue is None else mention.cue.weight
    return strength * content - _EACH - _SHARED * min(3, mention.shared)


def _nearness(state: _State, mention: Mention, near: dict[str, frozenset[str]]) -> float:
    """What the table of a mention adds beside those of the mentions before it."""
    if mention.ref is None:
        return 0.0
    table = mention.ref.table
    if table in state.tables:
        return _SAME_TABLE
    return -_OTHER_TABLE if state.tables and not state.tables & near.get(table, frozenset()) else 0.0


def _neighbours(lattice: Lattice) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for edge in lattice.catalogue.edges:
        found.setdefault(edge.left.table, set()).add(edge.right.table)
        found.setdefault(edge.right.table, set()).add(edge.left.table)
    return {table: frozenset(others) for table, others in found.items()}


def nearest(cover: Cover, index: int, others: Sequence[int], most: int = 6, behind: float = 0.5) -> int | None:
    """The mention of ``others`` that stands nearest to the one at ``index``.

    Args:
        most: Tokens between the two at most.
        behind: What standing before it costs beside standing after it, in tokens.
    """
    best, least = None, float(most) + 0.01
    for other in others:
        if other != index and (distance := gap(cover, index, other) + (behind if other < index else 0.0)) < least:
            best, least = other, distance
    return best


def gap(cover: Cover, first: int, second: int) -> int:
    """Tokens between two mentions."""
    a, b = sorted((cover.mentions[first].span, cover.mentions[second].span))
    return max(0, b.first - a.last)
