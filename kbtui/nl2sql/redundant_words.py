"""Decides which unread words a statement need not read: light words, and words that repeat what it reads.

In ``the reps that took most orders``, *took* needs no column if orders are counted; in ``crime novels``, *novels*
needs none if the genre is a condition; in ``locked accounts (status 3)``, *locked* needs none if the status is one.
Words that may stand for something else in the catalogue always need one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import Final

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.query_contents import QueryContents
from kbtui.question.cues import REQUIRES_ARG
from kbtui.question.model import Cue, TokenSpan

_LINK_KINDS: Final = frozenset(("column", "table", "value", "state"))
_MIN_LINK_SCORE: Final = 0.6
"""Score from which a mention counts as a link of its words."""
_MIN_REPEAT_SCORE: Final = 0.45
"""Score from which a word repeats what a statement reads."""
_REPEAT_TOLERANCE: Final = 0.2
"""By how much another link of the word may score higher."""
_MAX_DEFINED: Final = 3
"""Words before a bracket that it may explain, at most."""
_NON_DEFINING: Final = ("shown", "subject", "group")
"""Roles of mentions in a bracket that explain nothing."""


class RedundantWords:
    """The links of the words of one question, by which unread words are judged."""

    def __init__(self, lattice: Lattice) -> None:
        self._catalogue: Catalogue = lattice.catalogue
        self._tokens = lattice.question.tokens
        self._brackets = lattice.question.asides
        self._links: dict[int, list[Mention]] = defaultdict(list)
        for mention in lattice.mentions:
            if mention.kind in _LINK_KINDS:
                for at in range(*mention.span):
                    self._links[at].append(mention)
        self._light = [cue for cue in lattice.question.cues if cue.op == "ignore" and REQUIRES_ARG in cue.args]
        light = {at for cue in self._light for at in range(*cue.span)}
        before = {at for aside in self._brackets for at in _explained_range(aside)}
        question = lattice.question
        spans = (
            (n.span for n in question.numbers),
            (p.span for p in question.periods),
            (q.span for q in question.quoted),
        )
        self._literal = frozenset(at for span in chain(*spans) for at in range(*span))
        self._mandatory = frozenset(range(len(self._tokens))) - light - before - frozenset(self._links) | self._literal

    def never_read(self, mentions: Sequence[Mention]) -> list[int]:
        """Content words that no statement can read and none may skip: they have no link and are not light."""
        linked = {at for mention in mentions for at in range(*mention.span)}
        return [at for at, token in enumerate(self._tokens) if token.content and at in self._mandatory - linked]

    def redundant(self, unread: Sequence[int], query: Query, uses: Sequence[Use]) -> frozenset[int]:
        """The unread words that a statement need not read; numbers, dates and quotations are never among them."""
        if self._mandatory.issuperset(unread):
            return frozenset()
        contents = QueryContents(query, self._catalogue, uses)
        unread_set = frozenset(unread)
        redundant = {at for at in unread if self._is_repetition(at, contents)}
        for cue in self._light:
            span = frozenset(range(*cue.span)) & unread_set
            if (
                span
                and not any(self._has_unread_link(at, unread_set, contents) for at in span)
                and self._is_satisfied(cue, contents, uses)
            ):
                redundant |= span
        redundant |= self._explained(unread_set, uses)
        return frozenset(redundant - self._literal)

    def _is_satisfied(self, cue: Cue, contents: QueryContents, uses: Sequence[Use]) -> bool:
        """Whether a statement reads what light words require; ``column`` requires a column right before them."""
        if cue.args[REQUIRES_ARG] == "column":
            return any(u.mention.kind in ("column", "value") and u.mention.span.last == cue.span.first for u in uses)
        return contents.satisfies(str(cue.args[REQUIRES_ARG]))

    def _is_repetition(self, at: int, contents: QueryContents) -> bool:
        """Whether the best link of a word, or one hardly worse, is read by other words."""
        links = self._links.get(at, ())
        best = max((link.score for link in links), default=0.0)
        return any(
            link.score >= max(_MIN_REPEAT_SCORE, best - _REPEAT_TOLERANCE) and contents.has(link) for link in links
        )

    def _has_unread_link(self, at: int, unread: frozenset[int], contents: QueryContents) -> bool:
        """Whether a word stands for something that the statement does not read."""
        links = [link for link in self._links.get(at, ()) if unread.issuperset(range(*link.span))]
        return any(link.score >= _MIN_LINK_SCORE for link in links) and not any(contents.has(link) for link in links)

    def _explained(self, unread: frozenset[int], uses: Sequence[Use]) -> set[int]:
        """Words before a bracket that explains them, if every word in it is read."""
        defined: set[int] = set()
        for aside in self._brackets:
            is_read = any(use.mention.span.within(aside) and use.role not in _NON_DEFINING for use in uses)
            if is_read and not unread.intersection(range(*aside)):
                defined.update(at for at in _explained_range(aside) if at in unread and not self._has_link(at))
        return defined

    def _has_link(self, at: int) -> bool:
        return any(link.score >= _MIN_LINK_SCORE for link in self._links.get(at, ()))


def _explained_range(aside: TokenSpan) -> range:
    """The tokens before a bracket that it may explain; the bracket itself lies between."""
    return range(max(0, aside.first - 1 - _MAX_DEFINED), aside.first - 1)
