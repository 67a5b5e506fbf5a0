"""Words that a statement leaves unread and need not read: light ones, and those that say again what it reads.

``the reps that took most orders`` needs no column for *took* where orders are counted; ``crime novels`` none for
*novels* where the genre is a condition; ``locked accounts (status 3)`` none for *locked* where the status is one. A
word that may stand for something else in the catalogue is never among them.
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
from kbtui.nl2sql.query_contents import Reads
from kbtui.question.cues import LIGHT
from kbtui.question.model import Cue, TokenSpan

_LINKS: Final = frozenset(("column", "table", "value", "state"))
_MEANT: Final = 0.6
"""Score from which a word stands for something in the catalogue."""
_SAME: Final = 0.45
"""Score from which a word says again what a statement reads."""
_BETTER: Final = 0.2
"""By how much another thing may fit the word better."""
_DEFINED: Final = 3
"""Words before a bracket at most that it defines."""
_NAMING: Final = ("shown", "subject", "group")
"""Roles that define nothing."""


class Needless:
    """What the words of one question may stand for, to judge those that a statement leaves out."""

    def __init__(self, lattice: Lattice) -> None:
        self._catalogue: Catalogue = lattice.catalogue
        self._tokens = lattice.question.tokens
        self._asides = lattice.question.asides
        self._links: dict[int, list[Mention]] = defaultdict(list)
        for mention in lattice.mentions:
            if mention.kind in _LINKS:
                for at in range(*mention.span):
                    self._links[at].append(mention)
        self._light = [cue for cue in lattice.question.cues if cue.op == "ignore" and LIGHT in cue.args]
        light = {at for cue in self._light for at in range(*cue.span)}
        before = {at for aside in self._asides for at in _before(aside)}
        question = lattice.question
        spans = (
            (n.span for n in question.numbers),
            (p.span for p in question.periods),
            (q.span for q in question.quoted),
        )
        self._literal = frozenset(at for span in chain(*spans) for at in range(*span))
        self._weighty = frozenset(range(len(self._tokens))) - light - before - frozenset(self._links) | self._literal

    def never_read(self, mentions: Sequence[Mention]) -> list[int]:
        """The content words that no statement can read or leave: they stand for nothing, and are no light ones."""
        linked = {at for mention in mentions for at in range(*mention.span)}
        return [at for at, token in enumerate(self._tokens) if token.content and at in self._weighty - linked]

    def among(self, unread: Sequence[int], query: Query, uses: Sequence[Use]) -> frozenset[int]:
        """Those of the words that a statement leaves out which need no account: never a number, date or quotation."""
        if self._weighty.issuperset(unread):
            return frozenset()
        reads = Reads(query, self._catalogue, uses)
        left = frozenset(unread)
        needless = {at for at in unread if self._is_said_again(at, reads)}
        for cue in self._light:
            span = frozenset(range(*cue.span)) & left
            if span and not any(self._is_other(at, left, reads) for at in span) and self._met(cue, reads, uses):
                needless |= span
        needless |= self._defined(left, uses)
        return frozenset(needless - self._literal)

    def _met(self, cue: Cue, reads: Reads, uses: Sequence[Use]) -> bool:
        """Whether a statement reads what light words need; ``column`` is one named right before them."""
        if cue.args[LIGHT] == "column":
            return any(
                use.mention.kind in ("column", "value") and use.mention.span.last == cue.span.first for use in uses
            )
        return reads.meets(str(cue.args[LIGHT]))

    def _is_said_again(self, at: int, reads: Reads) -> bool:
        """Whether the best that a word may stand for, or something hardly worse, is read by other words."""
        links = self._links.get(at, ())
        best = max((link.score for link in links), default=0.0)
        return any(link.score >= max(_SAME, best - _BETTER) and reads.has(link) for link in links)

    def _is_other(self, at: int, left: frozenset[int], reads: Reads) -> bool:
        """Whether a word stands for something that the statement does not read."""
        links = [link for link in self._links.get(at, ()) if left.issuperset(range(*link.span))]
        return any(link.score >= _MEANT for link in links) and not any(reads.has(link) for link in links)

    def _defined(self, left: frozenset[int], uses: Sequence[Use]) -> set[int]:
        """Words before a bracket that says in other words, all of them read, what they are."""
        defined: set[int] = set()
        for aside in self._asides:
            said = any(use.mention.span.within(aside) and use.role not in _NAMING for use in uses)
            if said and not left.intersection(range(*aside)):
                defined.update(at for at in _before(aside) if at in left and not self._means(at))
        return defined

    def _means(self, at: int) -> bool:
        return any(link.score >= _MEANT for link in self._links.get(at, ()))


def _before(aside: TokenSpan) -> range:
    """The tokens before a bracket that it may define; the bracket itself stands between."""
    return range(max(0, aside.first - 1 - _DEFINED), aside.first - 1)
