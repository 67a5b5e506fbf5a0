"""Whether a statement shows what the question asks to see.

``name and id of …`` asks for two columns, ``both … and …`` for rows that have each of two values.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final

from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Agg, AnyOf, Col, Expr, Query, Ref, aggregates, refs_of
from kbtui.nl2sql.shape import literals_of, nested
from kbtui.question.model import TokenSpan

_NAMED: Final = 0.9
"""Score from which words name a column or a table."""
_ALSO: Final = 0.6
"""Score from which another column may be meant by the same words as well."""
_SPELT: Final = ("exact", "stem", "abbreviation", "typo")
_IN_PART: Final = 0.85
"""Score from which words that are part of a name are that name, where no other begins with them."""
_MEANT: Final = 0.5
"""Weight of a cue from which it counts."""
_PASSED: Final = ("distinct", "list")
"""Operators that may stand before a column that is asked for."""
_ENDS: Final = frozenset(".?!。？！;；")


class Asked:
    """What the words of one question ask for, by where they stand."""

    def __init__(self, lattice: Lattice) -> None:
        self._tokens = lattice.question.tokens
        self._cues = [cue for cue in lattice.question.cues if cue.weight >= _MEANT]
        self._joints = {cue.span.first: cue.span.last for cue in lattice.question.cues if cue.op == "and"}
        values = {m.span for m in lattice.mentions if m.kind == "value" and m.score >= _NAMED}
        self._names: dict[TokenSpan, list[Mention]] = {}
        self._spelt: dict[int, set[TokenSpan]] = {}
        parts: dict[int, set[TokenSpan]] = {}
        for mention in lattice.mentions:
            if mention.kind in ("column", "table") and mention.score >= _ALSO:
                self._names.setdefault(mention.span, []).append(mention)
                if mention.span in values:
                    continue
                if mention.how in _SPELT and mention.score >= _NAMED:
                    self._spelt.setdefault(mention.span.first, set()).add(mention.span)
                elif mention.how == "part" and mention.score >= _IN_PART:
                    parts.setdefault(mention.span.first, set()).add(mention.span)
        self._spelt = parts | self._spelt
        counts = [cue.span for cue in self._cues if cue.op == "count"]
        self._counted = {at for span in counts for at in range(*span)}
        self._shown = [refs for start in self._starts() for refs in self._together(start)]
        self._takes_both = any(cue.op == "both" for cue in self._cues)

    def features(self, query: Query) -> dict[str, float]:
        """Features of one statement."""
        return dict(self._facts(query))

    def _facts(self, query: Query) -> Iterator[tuple[str, float]]:
        figures = [expr for expr in query.select if not isinstance(expr, Col)]
        shown = {expr.ref for expr in query.select if isinstance(expr, Col)}
        shown |= {ref for expr in figures if not _is_count(expr) for ref in refs_of(expr) if ref.column != "*"}
        if self._shown and query.inner is None:
            missing = [refs for refs in self._shown if not any(_is_among(ref, shown) for ref in refs)]
            yield "asked_missing", float(len(missing))
        if self._takes_both and not query.group and not any(map(aggregates, query.select)):
            yield "both_as_or", float(any(map(_takes_either, nested(query))))

    def _starts(self) -> list[int]:
        """Tokens at which something begins that is to be shown; a relative ``which`` asks for nothing."""
        opening = {0} | {at + 1 for at, token in enumerate(self._tokens) if token.text in _ENDS}
        spans = [cue.span for cue in self._cues if cue.op == "list" or (cue.op == "wh" and cue.span.first in opening)]
        return sorted({span.last for span in spans})

    def _together(self, start: int) -> Iterator[frozenset[Ref]]:
        """The columns that are named one after the other from a token on, each with those of the same words."""
        at: int | None = start
        while at is not None and (span := self._next(at)) is not None:
            mentions = self._names[span]
            if all(mention.kind == "table" for mention in mentions):
                return
            yield frozenset(mention.ref for mention in mentions if mention.ref is not None)
            at = self._joints.get(span.last)

    def _next(self, at: int) -> TokenSpan | None:
        """The longest name that begins at a token, or behind words without content there."""
        while at < len(self._tokens) and at not in self._counted:
            if at in self._spelt:
                return max(self._spelt[at], key=self._length)
            passed = [cue.span.last for cue in self._cues if cue.span.first == at and cue.op in _PASSED]
            if not passed and at not in self._joints and self._tokens[at].content:
                return None
            at = max(passed, default=self._joints.get(at, at + 1))
        return None

    def _length(self, span: TokenSpan) -> tuple[bool, int]:
        """Longer names first, those that reach over words without content last."""
        return all(token.content for token in self._tokens[span.first : span.last]), span.last


def _is_among(ref: Ref, shown: Set[Ref]) -> bool:
    """Whether a column is shown, by itself or with its row; of a table whether anything of it is."""
    if ref.column == "*":
        return any(each.table == ref.table for each in shown)
    return ref in shown or Ref(ref.table, "*") in shown


def _is_count(expr: Expr) -> bool:
    return isinstance(expr, Agg) and expr.fn == "count"


def _takes_either(query: Query) -> bool:
    """Whether rows may have either of several values."""
    if any(isinstance(item, AnyOf) for item in query.where):
        return True
    return any(cond.op == "in" and len(literals_of(cond)) > 1 for cond in query.conditions())
