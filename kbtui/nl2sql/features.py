"""Features of a candidate as a whole, for the ranker and the gate; none of them names a word or a column."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from kbtui.nl2sql.agreement import agreement
from kbtui.nl2sql.candidate import Candidate, Role, Use
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.meaning import Meaning
from kbtui.nl2sql.query import Expr, Query, Ref
from kbtui.nl2sql.requested_columns import RequestedColumns
from kbtui.nl2sql.rivals import LINKS, Rivals
from kbtui.nl2sql.row_features import Rows, row_features
from kbtui.nl2sql.shape import Shape, nested, outer_aggregate, plain_ref, shape_of
from kbtui.nl2sql.table_position import TablePosition
from kbtui.nl2sql.type_fit import type_fit
from kbtui.question.model import Cue, Question, TokenSpan

RELATIVE: Final = (
    "unread",
    "unread_share",
    "unread_linkable",
    "unread_numbers",
    "cues_missing",
    "operators_uncalled",
    "link_mean",
    "link_least",
    "link_loss",
    "uses",
    "tables",
    "joins",
    "tables_unspoken",
    "defaults",
    "defaults_filter",
    "rival_better",
    "rival_longer",
    "things_missed",
    "asked_missing",
    "prior",
    "select",
    "conditions",
)
"""Features that are also given as their distance from the least among the candidates of the question."""
_WEIGHTY: Final = 0.5
"""Weight of a cue from which it counts as meant."""
_AMOUNT: Final = 0.6
"""Score from which words of a table that is counted also ask for an amount (``sales``)."""
_COUNTING: Final = frozenset(("count", "how_much", "sum", "truth", "exists", "distinct"))
"""Operators that a bare count may answer."""
_FAR: Final = 8.0
"""Distance in tokens that stands for none at all."""
_ROLES: Final[tuple[Role, ...]] = ("shown", "measure", "group", "filter", "order", "having", "subject")
_HOWS: Final = ("exact", "stem", "part", "abbreviation", "typo", "concept", "gloss", "prefix", "quoted")
_FUNCTIONS: Final = ("count", "sum", "avg", "min", "max", "median", "stddev", "percentile", "share", "growth")
"""Cues that each ask for one aggregate."""
_GOVERNS: Final[Mapping[str, tuple[str, tuple[Role, ...]]]] = {
    "sum": ("aggregate", ("measure", "order", "having")),
    "avg": ("aggregate", ("measure", "order", "having")),
    "min": ("aggregate", ("measure", "order")),
    "max": ("aggregate", ("measure", "order")),
    "median": ("aggregate", ("measure",)),
    "stddev": ("aggregate", ("measure",)),
    "percentile": ("aggregate", ("measure",)),
    "count": ("count", ("subject", "measure")),
    "how_much": ("aggregate", ("measure",)),
    "per": ("group", ("group",)),
    "most": ("superlative", ("order", "measure", "subject")),
    "top": ("superlative", ("subject", "shown", "group")),
    "common": ("superlative", ("shown", "group")),
    "compare": ("compare", ("filter", "having")),
    "list": ("list", ("shown", "subject")),
    "wh": ("list", ("shown", "subject", "group")),
    "order": ("sort", ("order",)),
}
"""The kind of a cue and the roles of what it may govern."""


class FeatureReader:
    """Reads features of the candidates of one question; what they share is worked out once."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.question: Question = lattice.question
        self.catalogue = lattice.catalogue
        self.cues: tuple[Cue, ...] = tuple(cue for cue in self.question.cues if cue.weight >= _WEIGHTY)
        self.ops = frozenset(cue.op for cue in self.cues)
        self._rivals = Rivals(lattice)
        self._meaning = Meaning(lattice)
        self._asked = RequestedColumns(lattice)
        self._standing = TablePosition.of(lattice.catalogue)
        self.content = tuple(at for at, token in enumerate(self.question.tokens) if token.content)

    def features(self, candidate: Candidate, rows: Rows | None) -> dict[str, float]:
        """Features of one candidate.

        Args:
            rows: Its first rows, `LOOKED_AT` at most; None where it was not run.
        """
        query = candidate.query
        shape = shape_of(query)
        links = [use.mention for use in candidate.uses if use.mention.kind in LINKS]
        amount = any(
            (column := self.catalogue.column(ref)) is not None and column.kind in ("measure", "rate")
            for expr in query.select
            if outer_aggregate(expr) is None and (ref := plain_ref(expr)) is not None
        )
        rivals = self._rivals.features(query, candidate.uses)
        fit = type_fit(query, self.catalogue, self.cues, self.question)
        if fit["counts_only"] and "count" not in self.ops and rivals.get("rival_measure", 0.0) >= _AMOUNT:
            fit["count_for_amount"] = 1.0
        fit["count_for_amount"] = max(fit["count_for_amount"], rivals.get("own_measure_counted", 0.0))
        fit["count_alone_uncalled"] = float(fit["counts_only"] and self.ops.isdisjoint(_COUNTING))
        wants_many = not self.ops.isdisjoint(("wh", "list", "top", "all_columns")) and "count" not in self.ops
        wants_group = not self.ops.isdisjoint(("per", "bucket", "versus", "trend"))
        return {
            **self.shared,
            **self._unread(candidate),
            **_link_scores(links),
            **agreement(self.cues, shape, amount=amount),
            **self._structure(candidate, shape, links),
            **rivals,
            **self._meaning.features(query, candidate.uses),
            **self._asked.features(query),
            **self._standing.features(query),
            **_roles(candidate.uses),
            **self._distances(candidate.uses),
            **fit,
            **row_features(query, rows, wants_many=wants_many, wants_group=wants_group),
            **{f"trait_{name}": float(value) for name, value in candidate.traits.items()},
            "prior": candidate.prior,
        }

    @cached_property
    def shared(self) -> dict[str, float]:
        """Features that all candidates of the question have in common."""
        question = self.question
        linkable = {at for mention in self.lattice.mentions for at in range(*mention.span)}
        weak = [at for at in self.content if at not in linkable]
        return {
            "q_tokens": min(40.0, float(len(question.tokens))),
            "q_content": float(len(self.content)),
            "q_chinese": float(question.language == "zh"),
            "q_cues": float(len(self.cues)),
            "q_numbers": float(len(question.numbers)),
            "q_periods": float(len(question.periods)),
            "q_quoted": float(len(question.quoted)),
            "q_unlinkable": float(len(weak)),
            "q_tables": math.log1p(len(self.catalogue.tables)),
        }

    def _unread(self, candidate: Candidate) -> dict[str, float]:
        question, unread = self.question, set(candidate.unread)
        read = {at for use in candidate.uses for at in range(*use.mention.span)}
        used_cues = {(use.mention.cue.op, use.mention.span) for use in candidate.uses if use.mention.cue is not None}
        left = [mention for mention in self.lattice.mentions if _inside(mention.span, unread)]
        linkable = {at for mention in left if mention.kind in LINKS for at in range(*mention.span)}
        return {
            "unread": min(6.0, float(len(unread))),
            "unread_share": len(unread) / max(1, len(self.content)),
            "unread_none": float(not unread),
            "unread_light": float(len(candidate.light)),
            "unread_numbers": _count(number.span for number in question.numbers if _touches(number.span, unread)),
            "unread_periods": _count(period.span for period in question.periods if _touches(period.span, unread)),
            "unread_quoted": _count(quoted.span for quoted in question.quoted if _touches(quoted.span, unread)),
            "unread_cues": sum(
                cue.weight
                for cue in self.cues
                if (cue.op, cue.span) not in used_cues
                and not _touches(cue.span, read)
                and cue.op not in ("wh", "ignore")
            ),
            "unread_linkable": float(len(linkable & unread)),
            "unread_best_link": max((m.score for m in left if m.kind in LINKS), default=0.0),
        }

    def _structure(self, candidate: Candidate, shape: Shape, links: Sequence[Mention]) -> dict[str, float]:
        query = candidate.query
        queries = list(nested(query))
        tables = {table for each in queries for table in each.used_tables()}
        spoken = {ref.table for mention in links for ref in _refs_of(mention)}
        spoken |= {self.catalogue.tables[t].role_of for t in spoken if t in self.catalogue.tables} - {""}
        refs = {ref for mention in links for ref in _refs_of(mention)}
        defaults = {
            "show": self._unsupported(query.select, refs),
            "group": self._unsupported(query.group, refs),
            "order": self._unsupported([item.expr for item in query.order], refs),
            "filter": sum(self._unsupported([cond.left for cond in each.conditions()], refs) for each in queries),
        }
        return {
            "tables": float(len(tables)),
            "joins": float(self._joins(query.used_tables())),
            "tables_unspoken": float(len(tables - spoken)),
            "select": min(8.0, float(len(query.select))),
            "conditions": float(len(query.where)),
            "having": float(len(query.having)),
            "groups": float(len(query.group)),
            "ordered": float(bool(query.order)),
            "limit": math.log1p(query.limit or 0),
            "limit_said": float(any(number.value == query.limit for number in self.question.numbers)),
            "depth": float(shape.depth),
            "aggregates": float(shape.aggregates),
            "aggregates_over": float(shape.aggregates - sum(op in self.ops for op in _FUNCTIONS)),
            "same_table_inside": float(sum(_same_table(query, inner) for inner in query.subqueries())),
            "uses": float(len(candidate.uses)),
            "defaults": float(sum(defaults.values())),
            "numbers_uncalled": float(
                sum(not any(float(said.value) == number for said in self.question.numbers) for number in shape.numbers)
            ),
            **{f"defaults_{name}": float(value) for name, value in defaults.items()},
            **{f"op_{name.replace(' ', '_')}": 1.0 for name in shape.operators if name != "single"},
        }

    @staticmethod
    def _unsupported(expressions: Iterable[Expr], refs: set[Ref]) -> int:
        """How many of the expressions are over columns that no mention speaks of."""
        columns = [ref for expr in expressions if (ref := plain_ref(expr)) is not None and ref.column != "*"]
        return sum(ref not in refs for ref in columns)

    def _joins(self, tables: Sequence[str]) -> int:
        """Edges on the shortest paths from the first table to the others."""
        if len(tables) < 2:
            return 0
        distances = self._reach(tables[0])
        return sum(distances.get(table, 4) for table in tables[1:])

    def _reach(self, start: str) -> dict[str, int]:
        if start not in self._distances_from:
            distances, queue = {start: 0}, deque([start])
            while queue:
                table = queue.popleft()
                for other in self._neighbours.get(table, ()):
                    if other not in distances:
                        distances[other] = distances[table] + 1
                        queue.append(other)
            self._distances_from[start] = distances
        return self._distances_from[start]

    @cached_property
    def _distances_from(self) -> dict[str, dict[str, int]]:
        return {}

    @cached_property
    def _neighbours(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for left, right in self.catalogue.edges:
            found.setdefault(left.table, set()).add(right.table)
            found.setdefault(right.table, set()).add(left.table)
        return found

    def _distances(self, uses: Sequence[Use]) -> dict[str, float]:
        """How far each cue stands from the nearest mention that it may govern, by kind of cue."""
        found: dict[str, float] = {}
        for cue in self.cues:
            if cue.op not in _GOVERNS:
                continue
            kind, roles = _GOVERNS[cue.op]
            gaps = [_gap(cue.span, use.mention.span) for use in uses if use.role in roles and use.mention.kind in LINKS]
            nearest = min(gaps, key=abs, default=_FAR)
            found[f"gap_{kind}"] = max(found.get(f"gap_{kind}", 0.0), min(_FAR, abs(nearest)))
        return found


def compared(candidates: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """The features of all candidates of one question with their rank and how they stand against one another."""
    if not candidates:
        return []
    least = {name: min(each.get(name, 0.0) for each in candidates) for name in RELATIVE}
    best = max(each["prior"] for each in candidates)
    order = sorted(range(len(candidates)), key=lambda at: -candidates[at]["prior"])
    rank = {at: place for place, at in enumerate(order)}
    return [
        {
            **each,
            **{f"{name}_over": each.get(name, 0.0) - least[name] for name in RELATIVE},
            "prior_below": best - each["prior"],
            "rank": math.log1p(rank[at]),
            "first": float(rank[at] == 0),
        }
        for at, each in enumerate(candidates)
    ]


def _same_table(query: Query, inner: Query) -> bool:
    """Whether a nested statement is over nothing but the table that it filters."""
    return set(inner.used_tables()) <= set(query.used_tables())


def _refs_of(mention: Mention) -> Iterable[Ref]:
    if mention.ref is not None:
        yield mention.ref
    if mention.cond is not None and (ref := plain_ref(mention.cond.left)) is not None:
        yield ref


def _inside(span: TokenSpan, tokens: set[int]) -> bool:
    return all(at in tokens for at in range(*span))


def _touches(span: TokenSpan, tokens: set[int]) -> bool:
    return any(at in tokens for at in range(*span))


def _count(items: Iterable[object]) -> float:
    return float(sum(1 for _ in items))


def _gap(cue: TokenSpan, mention: TokenSpan) -> float:
    """Tokens between the two; below zero where the mention stands first."""
    if mention.first >= cue.last:
        return float(mention.first - cue.last)
    if mention.last <= cue.first:
        return -1.0 - float(cue.first - mention.last)
    return 0.0


def _link_scores(links: Sequence[Mention]) -> dict[str, float]:
    scores = [mention.score for mention in links]
    found = {
        "links": float(len(links)),
        "link_mean": sum(scores) / len(scores) if scores else 0.0,
        "link_least": min(scores, default=0.0),
        "link_loss": sum(1 - score for score in scores),
        "link_shared": float(sum(mention.shared > 0 for mention in links)),
        "link_shared_most": math.log1p(max((mention.shared for mention in links), default=0)),
        "link_words": sum(mention.span.last - mention.span.first for mention in links) / max(1, len(links)),
    }
    hows = Counter(mention.how for mention in links)
    found |= {f"how_{how}": hows[how] / len(links) for how in _HOWS if hows[how]}
    for kind in LINKS:
        of_kind = [mention.score for mention in links if mention.kind == kind]
        if of_kind:
            found |= {f"n_{kind}": float(len(of_kind)), f"least_{kind}": min(of_kind)}
    return found


def _roles(uses: Sequence[Use]) -> dict[str, float]:
    """Which role comes first in the question, how many mentions play each, and how well the least fitting one fits."""
    linked = [use for use in uses if use.mention.kind in LINKS]
    if not linked:
        return {}
    found = {f"first_{min(linked, key=lambda use: use.mention.span).role}": 1.0}
    for use in linked:
        name = f"least_{use.role}"
        found[name] = min(use.mention.score, found.get(name, 1.0))
    counts = Counter(use.role for use in linked)
    return found | {f"role_{role}": float(counts[role]) for role in _ROLES if counts[role]}
