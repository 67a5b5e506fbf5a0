"""Compares the mentions that a candidate reads with other mentions of the same words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Query, Ref, aggregates_in, refs_of
from kbtui.nl2sql.query_contents import QueryContents
from kbtui.nl2sql.shape import plain_ref
from kbtui.question.model import TokenSpan

LINKS = frozenset(("column", "table", "value", "state"))
"""Kinds of mentions that stand for something in the catalogue."""
_RESTRICTING = frozenset(("value", "state"))
_MIN_SCORE = 0.6
"""Score of a value, state or table from which it counts as a rival."""
_NAME_LINKS = frozenset(("exact", "stem", "part"))
"""Ways of linking by the words of a name."""
_NAME_KINDS = frozenset(("column", "table"))
_FULL_NAME_LINKS = frozenset(("exact", "stem"))
"""Ways of linking by all words of a name."""
_VERBATIM_LINKS = frozenset(("exact", "quoted"))
_PARTIAL_LINKS = frozenset(("part", "prefix"))
"""Ways of linking to a part of a value, which the words alone rarely mean."""
_PARTIAL_VALUE_MARGIN = 0.1
"""By how much a link to a part of a value must score higher than the name."""
_VALUE_TOLERANCE = 0.05
"""By how much any other value or state may score lower than the name."""
_EXACT = 0.95
"""Score from which words are the name of a column, or a value of it, as they are."""
_LONGER_TOLERANCE = 0.1
"""By how much a longer mention may score lower and still count as better."""


_MIN_AMOUNT = 0.6
"""Score from which words stand for a measure."""
_NEARLY = 0.1
"""Scores that are nearer than this are about the same."""


class Rivals:
    """The mentions of one question, indexed by their spans."""

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
        self._restrictions = list(self._restricting_mentions(lattice.mentions))
        self._exact: dict[TokenSpan, set[Ref]] = {}
        for mention in lattice.mentions:
            if mention.kind in ("column", "value") and mention.score >= _EXACT and mention.ref is not None:
                self._exact.setdefault(mention.span, set()).add(mention.ref)
        self._tables = [m for m in lattice.mentions if m.kind == "table" and m.score >= _MIN_SCORE]
        best = {span: max(score for score, _, _ in rivals) for span, rivals in self._by_span.items()}
        self._longer = {
            span: max((score for other, score in best.items() if other != span and span.within(other)), default=0.0)
            for span in best
        }

    def features(self, query: Query, uses: Sequence[Use]) -> dict[str, float]:
        """Features of the mentions of one candidate: name to value; zeros are left out."""
        links = [use.mention for use in uses if use.mention.kind in LINKS]
        has_measure = any(use.role in ("measure", "order", "having") for use in uses)
        features = {
            "rival_better": sum(self._score_deficit(mention) for mention in links),
            "rival_longer": float(sum(self._longer.get(m.span, 0.0) >= m.score - _LONGER_TOLERANCE for m in links)),
            "rival_measure": 0.0 if has_measure else max(map(self._measure_score, links), default=0.0),
            "own_measure_counted": float(self._counts_measure(query, links)),
            "name_inside": float(sum(map(self._contains_other_table, links))),
            "restriction_dropped": float(self._count_dropped_restrictions(query, links)),
            "rival_better_column": sum(self._column_score_deficit(mention) for mention in links),
            "exact_unused": float(sum(self._is_ignored(span, links) for span in self._exact)),
            "rival_same_kind": float(sum(self._count_ties(mention) for mention in links)),
            "mention_stop": float(sum(not self._has_content(mention) for mention in links)),
            "mention_chars": min((self._char_length(mention) for mention in links), default=0.0),
            "mention_values": math.log1p(max((len(mention.values) for mention in links), default=0)),
        }
        return {name: value for name, value in features.items() if value}

    def _restricting_mentions(self, mentions: Sequence[Mention]) -> Iterator[Mention]:
        """Values and states that are not words of a name: neither inside one, nor only similar to a value."""
        names = {m.span for m in mentions if m.kind in _NAME_KINDS and m.how in _FULL_NAME_LINKS and m.score >= _EXACT}
        content_names = [span for span in names if all(token.content for token in self._tokens[span.first : span.last])]
        for mention in mentions:
            if mention.kind not in _RESTRICTING or mention.score < _MIN_SCORE or self._is_event(mention):
                continue
            is_similar = mention.how not in _VERBATIM_LINKS and mention.span in names and not self._is_of_flag(mention)
            if not is_similar and not any(mention.span != span and mention.span.within(span) for span in content_names):
                yield mention

    def _is_of_flag(self, mention: Mention) -> bool:
        """Whether a state is the value of a flag, whose name describes the rows: the volcanoes among peaks."""
        flag_ref = plain_ref(mention.cond.left) if mention.cond is not None else None
        column = self._catalogue.column(flag_ref) if flag_ref is not None else None
        return column is not None and column.kind == "flag"

    def _score_deficit(self, mention: Mention) -> float:
        """By how much another mention of the same words scores higher, 0.0 if none does."""
        rivals = self._by_span.get(mention.span, ())
        return max(0.0, max((score for score, _, _ in rivals), default=0.0) - mention.score)

    def _column_score_deficit(self, mention: Mention) -> float:
        """By how much another column mention of the same words scores higher, 0.0 if none does."""
        if mention.kind != "column":
            return 0.0
        rivals = self._by_span.get(mention.span, ())
        others = (score for score, kind, ref in rivals if kind in ("column", "measure") and ref != mention.ref)
        return max(0.0, max(others, default=0.0) - mention.score)

    def _is_ignored(self, span: TokenSpan, links: Sequence[Mention]) -> bool:
        """Whether words that exactly match a name or value are read as something else, or not at all."""
        refs = self._exact[span]
        return not any(m.ref in refs and (span.within(m.span) or m.span.within(span)) for m in links)

    def _is_event(self, mention: Mention) -> bool:
        """Whether a state stands right before a period: “opened last week” is about a date, not the state."""
        return mention.kind == "state" and mention.span.last in self._periods_at

    def _measure_score(self, mention: Mention) -> float:
        """The best score of a measure for the words of a table mention; 0.0 for other mentions."""
        if mention.kind != "table":
            return 0.0
        return max((score for score, kind, _ in self._by_span.get(mention.span, ()) if kind == "measure"), default=0.0)

    def may_be_amounts(self, links: Sequence[Mention]) -> bool:
        """Whether the words of a table mention stand for a measure about as well: both are called revenue."""
        return any(
            mention.kind == "table" and self._measure_score(mention) >= max(_MIN_AMOUNT, mention.score - _NEARLY)
            for mention in links
        )

    def _counts_measure(self, query: Query, links: Sequence[Mention]) -> bool:
        """Whether rows are counted of a table with a measure of the same name: degrees in a table of degrees."""
        figures = [agg for e in query.select for agg in aggregates_in(e) if agg.fn == "count" and not agg.distinct]
        counted = {ref.table for figure in figures for ref in refs_of(figure) if ref.column == "*"}
        return any(
            kind == "measure" and score >= _EXACT and ref is not None and ref.table == mention.ref.table
            for mention in links
            if mention.kind == "table" and mention.ref is not None and mention.ref.table in counted
            for score, kind, ref in self._by_span.get(mention.span, ())
        )

    def _contains_other_table(self, mention: Mention) -> bool:
        """Whether a table mention contains a shorter mention that names another table exactly."""
        if mention.kind != "table" or mention.score >= _EXACT:
            return False
        return any(m.score >= _EXACT and m.span.within(mention.span) and m.ref != mention.ref for m in self._tables)

    def _count_dropped_restrictions(self, query: Query, links: Sequence[Mention]) -> int:
        """How many table and column mentions also fit a value or state by which the statement does not filter.

        ``cats`` may name the animals or be a kind of them; ``open`` may be the date of opening or a state. Mentions
        whose condition the statement has anyway do not count.
        """
        overlaps = [
            (m, [restriction for restriction in self._restrictions if _prefers_restriction(restriction, m)])
            for m in links
        ]
        if not any(restrictions for _, restrictions in overlaps):
            return 0
        contents = QueryContents(query, self._catalogue)
        return sum(bool(group) and not any(map(contents.restricts, group)) for _, group in overlaps)

    def _count_ties(self, mention: Mention) -> int:
        """Number of other columns or tables that score at least as high for the same words."""
        rivals = self._by_span.get(mention.span, ())
        return sum(score >= mention.score and ref != mention.ref for score, _, ref in rivals)

    def _has_content(self, mention: Mention) -> bool:
        return any(self._tokens[at].content for at in range(*mention.span))

    def _char_length(self, mention: Mention) -> float:
        """Length of a mention in characters, of which Chinese ones count three times."""
        tokens = self._tokens[mention.span.first : mention.span.last]
        return min(12.0, float(sum(3 if token.kind == "han" else len(token.norm) for token in tokens)))


def _prefers_restriction(restriction: Mention, name: Mention) -> bool:
    """Whether words of a name are more likely a value or state that filters than the name."""
    if name.kind in _RESTRICTING:
        return False
    if not restriction.span.within(name.span):
        # 没付款 is a state, not the payment that is missing.
        is_inside = restriction.kind == "state" and name.span.within(restriction.span)
        return is_inside and restriction.score >= name.score
    if name.how in _NAME_LINKS and restriction.span == name.span:
        return name.how == "part" and restriction.score >= name.score + _PARTIAL_VALUE_MARGIN
    is_partial = restriction.how in _PARTIAL_LINKS and restriction.span == name.span
    return restriction.score >= name.score + (_PARTIAL_VALUE_MARGIN if is_partial else -_VALUE_TOLERANCE)
