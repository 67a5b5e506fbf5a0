"""How the mentions that a candidate reads stand against others that the same words might be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Query, Ref, aggregates_in, refs_of
from kbtui.nl2sql.query_contents import Reads
from kbtui.nl2sql.shape import plain_ref
from kbtui.question.model import TokenSpan

LINKS = frozenset(("column", "table", "value", "state"))
"""Kinds of mentions that stand for something in the catalogue."""
_RESTRICTING = frozenset(("value", "state"))
_RESTRICTS = 0.6
"""Score of a value or a state from which its words restrict."""
_NAMES = frozenset(("exact", "stem", "part"))
"""Links by the words of a name."""
_NAMING = frozenset(("column", "table"))
_SPELT = frozenset(("exact", "stem"))
"""Links by all words of a name."""
_VERBATIM = frozenset(("exact", "quoted"))
_PARTLY = frozenset(("part", "prefix"))
"""Links to a part of a value, which the word alone hardly means."""
_MORE = 0.1
"""By how much a part of a value has to fit better than the name."""
_ALIKE = 0.05
"""By how much any other value or state may fit worse."""
_EXACT = 0.95
"""Score from which words are the name of a column, or a value of it, as they are."""
_NEARLY = 0.1
"""Difference of scores up to which a longer mention is the better one."""


class Rivals:
    """The mentions of one question by the words they stand on."""

    def __init__(self, lattice: Lattice) -> None:
        self._catalogue = lattice.catalogue
        self._tokens = lattice.question.tokens
        self._by_span: dict[TokenSpan, list[tuple[float, str, Ref | None]]] = {}
        for mention in lattice.mentions:
            if mention.kind in LINKS:
                column = lattice.catalogue.column(mention.ref) if mention.ref is not None else None
                kind = "measure" if column is not None and column.kind == "measure" else mention.kind
                self._by_span.setdefault(mention.span, []).append((mention.score, kind, mention.ref))
        self._periods_at = {period.span.first for period in lattice.question.periods}
        self._restrictions = list(self._restricting(lattice.mentions))
        self._exact: dict[TokenSpan, set[Ref]] = {}
        for mention in lattice.mentions:
            if mention.kind in ("column", "value") and mention.score >= _EXACT and mention.ref is not None:
                self._exact.setdefault(mention.span, set()).add(mention.ref)
        self._tables = [m for m in lattice.mentions if m.kind == "table" and m.score >= _RESTRICTS]
        best = {span: max(score for score, _, _ in rivals) for span, rivals in self._by_span.items()}
        self._longer = {
            span: max(
                (score for other, score in best.items() if other != span and span.within(other)),
                default=0.0,
            )
            for span in best
        }

    def features(self, query: Query, uses: Sequence[Use]) -> dict[str, float]:
        """Features of the mentions of one candidate."""
        links = [use.mention for use in uses if use.mention.kind in LINKS]
        measured = any(use.role in ("measure", "order", "having") for use in uses)
        found = {
            "rival_better": sum(self._better(mention) for mention in links),
            "rival_longer": float(sum(self._longer.get(m.span, 0.0) >= m.score - _NEARLY for m in links)),
            "rival_measure": 0.0 if measured else max(map(self._as_measure, links), default=0.0),
            "own_measure_counted": float(self._counts_measure(query, links)),
            "name_inside": float(sum(map(self._is_around, links))),
            "restriction_dropped": float(self._dropped(query, links)),
            "rival_better_column": sum(self._better_of_kind(mention) for mention in links),
            "exact_unused": float(sum(self._passes_over(span, links) for span in self._exact)),
            "rival_same_kind": float(sum(self._ties(mention) for mention in links)),
            "mention_stop": float(sum(not self._content(mention) for mention in links)),
            "mention_chars": min((self._length(mention) for mention in links), default=0.0),
            "mention_values": math.log1p(max((len(mention.values) for mention in links), default=0)),
        }
        return {name: value for name, value in found.items() if value}

    def _restricting(self, mentions: Sequence[Mention]) -> Iterator[Mention]:
        """Values and states that are more than words of a name: neither part of one, nor like a value only in part."""
        names = {m.span for m in mentions if m.kind in _NAMING and m.how in _SPELT and m.score >= _EXACT}
        whole = [span for span in names if all(token.content for token in self._tokens[span.first : span.last])]
        for mention in mentions:
            if mention.kind not in _RESTRICTING or mention.score < _RESTRICTS or self._is_event(mention):
                continue
            alike = mention.how not in _VERBATIM and mention.span in names and not self._is_of_flag(mention)
            if not alike and not any(mention.span != span and mention.span.within(span) for span in whole):
                yield mention

    def _is_of_flag(self, mention: Mention) -> bool:
        """Whether a state is told by a flag, whose name says what it is: the volcanoes among peaks."""
        ref = plain_ref(mention.cond.left) if mention.cond is not None else None
        column = self._catalogue.column(ref) if ref is not None else None
        return column is not None and column.kind == "flag"

    def _better(self, mention: Mention) -> float:
        """By how much another reading of the same words scores higher."""
        rivals = self._by_span.get(mention.span, ())
        return max(0.0, max((score for score, _, _ in rivals), default=0.0) - mention.score)

    def _better_of_kind(self, mention: Mention) -> float:
        """By how much another column fits the same words better."""
        if mention.kind != "column":
            return 0.0
        rivals = self._by_span.get(mention.span, ())
        others = (score for score, kind, ref in rivals if kind in ("column", "measure") and ref != mention.ref)
        return max(0.0, max(others, default=0.0) - mention.score)

    def _passes_over(self, span: TokenSpan, links: Sequence[Mention]) -> bool:
        """Whether words that are a name or a value as they stand are read as something else, or not at all."""
        refs = self._exact[span]
        return not any(m.ref in refs and (span.within(m.span) or m.span.within(span)) for m in links)

    def _is_event(self, mention: Mention) -> bool:
        """Whether a state stands right before a period: opened last week is when it happened, and not that it is so."""
        return mention.kind == "state" and mention.span.last in self._periods_at

    def _as_measure(self, mention: Mention) -> float:
        """How well the words of a table fit a column that adds up, which this candidate does not use."""
        if mention.kind != "table":
            return 0.0
        return max((score for score, kind, _ in self._by_span.get(mention.span, ()) if kind == "measure"), default=0.0)

    def _counts_measure(self, query: Query, links: Sequence[Mention]) -> bool:
        """Whether rows of a table are counted that has a measure of its name: degrees in a table of degrees."""
        figures = [
            agg for expr in query.select for agg in aggregates_in(expr) if agg.fn == "count" and not agg.distinct
        ]
        counted = {ref.table for figure in figures for ref in refs_of(figure) if ref.column == "*"}
        return any(
            kind == "measure" and score >= _EXACT and ref is not None and ref.table == mention.ref.table
            for mention in links
            if mention.kind == "table" and mention.ref is not None and mention.ref.table in counted
            for score, kind, ref in self._by_span.get(mention.span, ())
        )

    def _is_around(self, mention: Mention) -> bool:
        """Whether words that name one table are read, with those beside them, as another that they fit less well."""
        if mention.kind != "table" or mention.score >= _EXACT:
            return False
        return any(m.score >= _EXACT and m.span.within(mention.span) and m.ref != mention.ref for m in self._tables)

    def _dropped(self, query: Query, links: Sequence[Mention]) -> int:
        """How many tables and columns are named by words, or among words, that would restrict their rows.

        ``cats`` may be the name of the animals and is a kind of them; ``open`` may be the date on which requests are
        opened and is a state of them. A statement that has the condition all the same drops nothing.
        """
        over = [(m, [each for each in self._restrictions if _is_over(each, m)]) for m in links]
        if not any(restrictions for _, restrictions in over):
            return 0
        reads = Reads(query, self._catalogue)
        return sum(bool(restrictions) and not any(map(reads.restricts, restrictions)) for _, restrictions in over)

    def _ties(self, mention: Mention) -> int:
        """How many other columns or tables fit the same words at least as well."""
        rivals = self._by_span.get(mention.span, ())
        return sum(score >= mention.score and ref != mention.ref for score, _, ref in rivals)

    def _content(self, mention: Mention) -> bool:
        return any(self._tokens[at].content for at in range(*mention.span))

    def _length(self, mention: Mention) -> float:
        """Characters, a Chinese one counted as three."""
        tokens = self._tokens[mention.span.first : mention.span.last]
        return min(12.0, float(sum(3 if token.kind == "han" else len(token.norm) for token in tokens)))


def _is_over(restriction: Mention, name: Mention) -> bool:
    """Whether words of a name restrict rather than name: they are a value or a state more nearly than the name."""
    if name.kind in _RESTRICTING:
        return False
    if not restriction.span.within(name.span):
        # 没付款 is a state, not the payment that is lacking.
        is_inside = restriction.kind == "state" and name.span.within(restriction.span)
        return is_inside and restriction.score >= name.score
    if name.how in _NAMES and restriction.span == name.span:
        return name.how == "part" and restriction.score >= name.score + _MORE
    partly = restriction.how in _PARTLY and restriction.span == name.span
    return restriction.score >= name.score + (_MORE if partly else -_ALIKE)
