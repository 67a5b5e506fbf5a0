"""Features of whether a statement shows the columns that the question asks for.

``name and id of …`` asks for two columns, ``both … and …`` for rows with each of two values.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Final

from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.listing import row_names
from kbtui.nl2sql.query import Agg, AnyOf, Col, Expr, Query, Ref, aggregates, refs_of
from kbtui.nl2sql.shape import literals_of, nested
from kbtui.question.model import TokenSpan

_MIN_NAME_SCORE: Final = 0.9
"""Score from which words name a column or a table."""
_MIN_SCORE: Final = 0.6
"""Score from which the same words may mean another column too."""
_MAX_BEHIND: Final = 0.2
"""Score below the best one from which the same words hardly mean a column or table."""
_FULL_NAME_LINKS: Final = ("exact", "stem", "abbreviation", "typo")
_MIN_PART_SCORE: Final = 0.85
"""Score from which a part of a name stands for it, if no full name begins at the same token."""
_MIN_CUE_WEIGHT: Final = 0.5
"""Weight from which a cue counts."""
_SKIPPED_CUES: Final = ("distinct", "list")
"""Cues that may stand before a column that is asked for."""
_SENTENCE_ENDS: Final = frozenset(".?!。？！;；")


class RequestedColumns:
    """The columns that one question asks for, by their positions."""

    def __init__(self, lattice: Lattice) -> None:
        self._tokens = lattice.question.tokens
        self._catalogue = lattice.catalogue
        self._cues = [cue for cue in lattice.question.cues if cue.weight >= _MIN_CUE_WEIGHT]
        self._wh_ends = {cue.span.last for cue in self._cues if cue.op == "wh"}
        self._conjunctions = {cue.span.first: cue.span.last for cue in lattice.question.cues if cue.op == "and"}
        values = {m.span for m in lattice.mentions if m.kind == "value" and m.score >= _MIN_NAME_SCORE}
        self._names: dict[TokenSpan, list[Mention]] = {}
        self._name_spans: dict[int, set[TokenSpan]] = {}
        parts: dict[int, set[TokenSpan]] = {}
        for mention in lattice.mentions:
            if mention.kind in ("column", "table") and mention.score >= _MIN_SCORE:
                self._names.setdefault(mention.span, []).append(mention)
                if mention.span in values:
                    continue
                if mention.how in _FULL_NAME_LINKS and mention.score >= _MIN_NAME_SCORE:
                    self._name_spans.setdefault(mention.span.first, set()).add(mention.span)
                elif mention.how == "part" and mention.score >= _MIN_PART_SCORE:
                    parts.setdefault(mention.span.first, set()).add(mention.span)
        self._name_spans = parts | self._name_spans
        counts = [cue.span for cue in self._cues if cue.op == "count"]
        self._counted_tokens = {at for span in counts for at in range(*span)}
        self._requested = [refs for start in self._list_starts() for refs in self._listed_columns(start)]
        self._requires_both = any(cue.op == "both" for cue in self._cues)

    def features(self, query: Query) -> dict[str, float]:
        """Features of one statement: name to value."""
        return dict(self._feature_items(query))

    def _feature_items(self, query: Query) -> Iterator[tuple[str, float]]:
        figures = [expr for expr in query.select if not isinstance(expr, Col)]
        shown = {expr.ref for expr in query.select if isinstance(expr, Col)}
        shown |= {ref for expr in figures if not _is_count(expr) for ref in refs_of(expr) if ref.column != "*"}
        if self._requested and query.inner is None:
            missing = [refs for refs in self._requested if not any(_is_shown(ref, shown) for ref in refs)]
            yield "asked_missing", float(len(missing))
        if self._requires_both and not query.group and not any(map(aggregates, query.select)):
            yield "both_as_or", float(any(map(_accepts_alternatives, nested(query))))

    def _list_starts(self) -> list[int]:
        """Positions where a list of requested columns begins; a relative ``which`` requests nothing."""
        sentence_starts = {0} | {at + 1 for at, token in enumerate(self._tokens) if token.text in _SENTENCE_ENDS}
        spans = [c.span for c in self._cues if c.op == "list" or (c.op == "wh" and c.span.first in sentence_starts)]
        return sorted({span.last for span in spans})

    def _listed_columns(self, start: int) -> Iterator[frozenset[Ref]]:
        """The columns named in a list from a token on, each with the other columns that the same words may mean."""
        at: int | None = start
        while at is not None and (span := self._next_name(at)) is not None:
            mentions = self._names[span]
            best = max(mention.score for mention in mentions)
            likely = [mention for mention in mentions if mention.score > best - _MAX_BEHIND]
            if start in self._wh_ends and span.first == start and all(mention.kind == "table" for mention in likely):
                yield frozenset(ref for mention in likely for ref in self._rows_of(mention))
                return
            if all(mention.kind == "table" for mention in mentions):
                return
            yield frozenset(mention.ref for mention in mentions if mention.ref is not None)
            at = self._conjunctions.get(span.last)

    def _rows_of(self, mention: Mention) -> Iterator[Ref]:
        """What may be shown for the rows of a table: any of its columns, those that refer to it, their names."""
        if mention.ref is None:
            return
        name = self._catalogue.without_role(mention.ref.table)
        yield Ref(name, "*")
        yield from row_names(self._catalogue, self._catalogue.tables[name])
        for left, right in self._catalogue.edges:
            if self._catalogue.without_role(right.table) == name:
                yield from (left, Ref(right.table, "*"))

    def _next_name(self, at: int) -> TokenSpan | None:
        """The longest name that begins at a token, after function words; None if a content word comes first."""
        while at < len(self._tokens) and at not in self._counted_tokens:
            if at in self._name_spans:
                return max(self._name_spans[at], key=self._name_rank)
            skipped = [cue.span.last for cue in self._cues if cue.span.first == at and cue.op in _SKIPPED_CUES]
            if not skipped and at not in self._conjunctions and self._tokens[at].content:
                return None
            at = max(skipped, default=self._conjunctions.get(at, at + 1))
        return None

    def _name_rank(self, span: TokenSpan) -> tuple[bool, int]:
        """The sort key of a name: names without function words before others, then by their last token."""
        return all(token.content for token in self._tokens[span.first : span.last]), span.last


def _is_shown(ref: Ref, shown: Set[Ref]) -> bool:
    """Whether a column is shown, by itself or with ``*``; for ``*``, whether any column of its table is."""
    if ref.column == "*":
        return any(column.table == ref.table for column in shown)
    return ref in shown or Ref(ref.table, "*") in shown


def _is_count(expr: Expr) -> bool:
    return isinstance(expr, Agg) and expr.fn == "count"


def _accepts_alternatives(query: Query) -> bool:
    """Whether a condition accepts either of several values."""
    if any(isinstance(item, AnyOf) for item in query.where):
        return True
    return any(cond.op == "in" and len(literals_of(cond)) > 1 for cond in query.conditions())
