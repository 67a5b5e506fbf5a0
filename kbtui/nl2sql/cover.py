"""Covers of a question: sets of mentions that do not overlap, chosen by a beam search over the lattice."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from msgspec import Struct

from kbtui.nl2sql.lattice import Lattice, Mention, MentionKind

_BEAM: Final = 48
_SKIP_COST: Final = 0.55
"""Cost of a content token that no mention covers."""
_SKIP_CUE_COST: Final = 0.25
"""Cost of skipping a cue whose words are function words, per unit of its weight."""
_MENTION_COST: Final = 0.04
"""Cost of a mention, so that one over three tokens is preferred to three."""
_SAME_TABLE: Final = 0.12
_OTHER_TABLE: Final = 0.1
_SHARED: Final = 0.02
_FUNCTION_WORD: Final = 0.15
"""Weight of a function word inside a mention, relative to a content word: ``from lisbon`` is an origin."""


class Cover(Struct, frozen=True):
    """Mentions whose spans do not overlap, in the order of the question.

    Attributes:
        skipped: Indexes of content tokens that no mention covers.
        score: Higher is better, without a unit.
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
    """An extension of a state; states are only built for the steps that stay in the beam.

    Attributes:
        mention: The mention that is added; None if the next token is skipped.
    """

    score: float
    before: _State
    mention: Mention | None = None


def covers(lattice: Lattice, most: int) -> list[Cover]:
    """The best covers of a question, at most ``most`` of them, best first."""
    tokens = lattice.question.tokens
    steps_to: list[list[_Step]] = [[] for _ in range(len(tokens) + 1)]
    states = [_State(0.0)]
    neighbours = lattice.catalogue.neighbours()
    for at, token in enumerate(tokens):
        if at:
            states = _best(steps_to[at], _BEAM, lattice, at)
        mentions = lattice.at(at)
        cue_cost = max((m.cue.weight for m in mentions if m.cue is not None), default=0.0) * _SKIP_CUE_COST
        cost = _SKIP_COST if token.content else cue_cost
        weighted_mentions = [
            (mention, _worth(mention, content)) for mention in mentions if (content := _token_weight(lattice, mention))
        ]
        for state in states:
            steps_to[at + 1].append(_Step(state.score - cost, state))
            for mention, worth in weighted_mentions:
                score = state.score + (worth + _table_score(state, mention, neighbours))
                steps_to[mention.span.last].append(_Step(score, state, mention))
    ends = _best(steps_to[-1], most, lattice, len(tokens)) if tokens else states
    return [Cover(state.mentions, state.skipped, state.score) for state in ends]


def _best(steps: list[_Step], most: int, lattice: Lattice, at: int) -> list[_State]:
    """The states before the token ``at`` for the best steps, best first."""
    tokens = lattice.question.tokens
    states = []
    for score, before, mention in heapq.nlargest(most, steps, key=_score):
        if mention is None:
            skipped = (*before.skipped, at - 1) if tokens[at - 1].content else before.skipped
            states.append(_State(score, before.mentions, skipped, before.tables))
        else:
            tables = before.tables if mention.ref is None else before.tables | {mention.ref.table}
            states.append(_State(score, (*before.mentions, mention), before.skipped, tables))
    return states


_score: Final = itemgetter(0)


def _token_weight(lattice: Lattice, mention: Mention) -> float:
    """The number of tokens that a mention covers, function words weighted less; 0.0 if it covers none of content."""
    tokens = lattice.question.tokens[mention.span.first : mention.span.last]
    content = sum(token.content for token in tokens)
    if not content:
        return 0.0 if mention.cue is None and mention.kind != "period" else 0.5
    return content + _FUNCTION_WORD * (len(tokens) - content)


def _worth(mention: Mention, content: float) -> float:
    strength = mention.score if mention.cue is None else mention.cue.weight
    return strength * content - _MENTION_COST - _SHARED * min(3, mention.shared)


def _table_score(state: _State, mention: Mention, neighbours: Mapping[str, frozenset[str]]) -> float:
    """The score for the table of a mention beside the tables of earlier mentions."""
    if mention.ref is None:
        return 0.0
    table = mention.ref.table
    if table in state.tables:
        return _SAME_TABLE
    return -_OTHER_TABLE if state.tables and not state.tables & neighbours.get(table, frozenset()) else 0.0


def nearest(cover: Cover, index: int, others: Sequence[int], most: int = 6, behind: float = 0.5) -> int | None:
    """The mention of ``others`` nearest to the one at ``index``; None if none is near enough.

    Args:
        most: Tokens between the two at most.
        behind: Tokens that are added to the distance of a mention before ``index``.
    """
    best, min_distance = None, float(most) + 0.01
    for other in others:
        if (
            other != index
            and (distance := gap(cover, index, other) + (behind if other < index else 0.0)) < min_distance
        ):
            best, min_distance = other, distance
    return best


def gap(cover: Cover, first: int, second: int) -> int:
    """Number of tokens between two mentions."""
    a, b = sorted((cover.mentions[first].span, cover.mentions[second].span))
    return max(0, b.first - a.last)
