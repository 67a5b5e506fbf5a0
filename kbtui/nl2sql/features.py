"""Features of a candidate for the ranker and the gate; they are independent of words and columns."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from kbtui.nl2sql.answer_form import agreement, answer_form
from kbtui.nl2sql.candidate import Candidate, Role, Use
from kbtui.nl2sql.coordination import joined_roles
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.meaning import Meaning
from kbtui.nl2sql.query import Expr, Query, Ref
from kbtui.nl2sql.requested_columns import RequestedColumns
from kbtui.nl2sql.rivals import LINKS, Rivals
from kbtui.nl2sql.row_features import Rows, row_features
from kbtui.nl2sql.shape import Shape, nested, outer_aggregate, plain_ref, shape_of
from kbtui.nl2sql.type_fit import TablePosition, type_fit
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
    "coordinated_apart",
    "rival_better",
    "rival_longer",
    "things_missed",
    "asked_missing",
    "prior",
    "select",
    "conditions",
)
"""Features that are also given as their distance from the minimum over the candidates of the question."""
_MIN_CUE_WEIGHT: Final = 0.5
"""Weight from which a cue counts."""
_COUNTING: Final = frozenset(("count", "how_much", "sum", "truth", "exists", "distinct"))
"""Operators that a count alone may answer."""
_MAX_DISTANCE: Final = 8.0
"""Distance in tokens that also stands for no mention at all."""
_ROLES: Final[tuple[Role, ...]] = ("shown", "measure", "group", "filter", "order", "having", "subject")
_LINK_WAYS: Final = ("exact", "stem", "part", "abbreviation", "typo", "concept", "gloss", "prefix", "quoted")
_FUNCTIONS: Final = ("count", "sum", "avg", "min", "max", "median", "stddev", "percentile", "share", "growth")
"""Operators that each ask for one aggregate."""
_APPLIES_TO: Final[Mapping[str, tuple[str, tuple[Role, ...]]]] = {
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
"""For each operator its kind and the roles of mentions that it may apply to."""


class FeatureReader:
    """Computes features of the candidates of one question; what they share is computed once."""

    def __init__(self, lattice: Lattice) -> None:
        self.lattice = lattice
        self.question: Question = lattice.question
        self.catalogue = lattice.catalogue
        self.cues: tuple[Cue, ...] = tuple(cue for cue in self.question.cues if cue.weight >= _MIN_CUE_WEIGHT)
        self.ops = frozenset(cue.op for cue in self.cues)
        self._rivals = Rivals(lattice)
        self._meaning = Meaning(lattice)
        self._requested_columns = RequestedColumns(lattice)
        self._table_position = TablePosition.of(lattice.catalogue)
        self.content = tuple(at for at, token in enumerate(self.question.tokens) if token.content)

    def features(self, candidate: Candidate, rows: Rows | None) -> dict[str, float]:
        """Features of one candidate: name to value.

        Args:
            rows: Its first rows, `LOOKED_AT` at most; None if it was not run.
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
        form = answer_form(candidate, self.lattice, self.cues)
        fit = type_fit(query, self.catalogue, self.cues, self.question)
        is_amount = self._rivals.may_be_amounts(links) or form.get("money_table_counted", 0.0)
        if fit["counts_only"] and "count" not in self.ops and is_amount:
            fit["count_for_amount"] = 1.0
        fit["count_for_amount"] = max(fit["count_for_amount"], rivals.get("own_measure_counted", 0.0))
        fit["count_alone_uncalled"] = float(fit["counts_only"] and self.ops.isdisjoint(_COUNTING))
        wants_many = not self.ops.isdisjoint(("wh", "list", "top", "all_columns")) and "count" not in self.ops
        wants_group = not self.ops.isdisjoint(("per", "bucket", "versus", "trend"))
        return {
            **self.shared,
            **self._unread_features(candidate),
            **_link_features(links),
            **agreement(self.cues, shape, amount=amount),
            **self._structure_features(candidate, shape, links),
            **rivals,
            **self._meaning.features(query, candidate.uses),
            **self._requested_columns.features(query),
            **self._table_position.features(query),
            **_role_features(candidate.uses),
            **self._coordination_features(candidate.uses),
            **self._cue_distances(candidate.uses),
            **fit,
            **form,
            **row_features(query, rows, wants_many=wants_many, wants_group=wants_group),
            **{f"trait_{name}": float(value) for name, value in candidate.traits.items()},
            "prior": candidate.prior,
        }

    @cached_property
    def shared(self) -> dict[str, float]:
        """Features that are the same for all candidates of the question."""
        question = self.question
        linkable = {at for mention in self.lattice.mentions for at in range(*mention.span)}
        unlinkable = [at for at in self.content if at not in linkable]
        return {
            "q_tokens": min(40.0, float(len(question.tokens))),
            "q_content": float(len(self.content)),
            "q_chinese": float(question.language == "zh"),
            "q_cues": float(len(self.cues)),
            "q_numbers": float(len(question.numbers)),
            "q_periods": float(len(question.periods)),
            "q_quoted": float(len(question.quoted)),
            "q_unlinkable": float(len(unlinkable)),
            "q_tables": math.log1p(len(self.catalogue.tables)),
        }

    def _unread_features(self, candidate: Candidate) -> dict[str, float]:
        question, unread = self.question, set(candidate.unread)
        read = {at for use in candidate.uses for at in range(*use.mention.span)}
        used_cues = {(use.mention.cue.op, use.mention.span) for use in candidate.uses if use.mention.cue is not None}
        unread_mentions = [mention for mention in self.lattice.mentions if _is_inside(mention.span, unread)]
        linkable = {at for mention in unread_mentions if mention.kind in LINKS for at in range(*mention.span)}
        return {
            "unread": min(6.0, float(len(unread))),
            "unread_share": len(unread) / max(1, len(self.content)),
            "unread_none": float(not unread),
            "unread_light": float(len(candidate.light)),
            "unread_numbers": _length(number.span for number in question.numbers if _overlaps(number.span, unread)),
            "unread_periods": _length(period.span for period in question.periods if _overlaps(period.span, unread)),
            "unread_quoted": _length(quoted.span for quoted in question.quoted if _overlaps(quoted.span, unread)),
            "unread_cues": sum(
                cue.weight
                for cue in self.cues
                if (cue.op, cue.span) not in used_cues
                and not _overlaps(cue.span, read)
                and cue.op not in ("wh", "ignore")
            ),
            "unread_linkable": float(len(linkable & unread)),
            "unread_best_link": max((m.score for m in unread_mentions if m.kind in LINKS), default=0.0),
        }

    def _coordination_features(self, uses: Sequence[Use]) -> dict[str, float]:
        alike = [first == second for first, second in joined_roles(uses, self.lattice)]
        return {"coordinated_alike": float(sum(alike)), "coordinated_apart": float(len(alike) - sum(alike))}

    def _structure_features(self, candidate: Candidate, shape: Shape, links: Sequence[Mention]) -> dict[str, float]:
        query = candidate.query
        queries = list(nested(query))
        tables = {table for query in queries for table in query.used_tables()}
        spoken = {ref.table for mention in links for ref in _refs_of(mention)}
        spoken |= {self.catalogue.tables[t].role_of for t in spoken if t in self.catalogue.tables} - {""}
        refs = {ref for mention in links for ref in _refs_of(mention)}
        defaults = {
            "show": self._unsupported(query.select, refs),
            "group": self._unsupported(query.group, refs),
            "order": self._unsupported([item.expr for item in query.order], refs),
            "filter": sum(self._unsupported([cond.left for cond in query.conditions()], refs) for query in queries),
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
                sum(
                    not any(float(mention.value) == number for mention in self.question.numbers)
                    for number in shape.numbers
                )
            ),
            **{f"defaults_{name}": float(value) for name, value in defaults.items()},
            **{f"op_{name.replace(' ', '_')}": 1.0 for name in shape.operators if name != "single"},
        }

    @staticmethod
    def _unsupported(expressions: Iterable[Expr], refs: set[Ref]) -> int:
        """The number of expressions over columns that no mention names."""
        columns = [ref for expr in expressions if (ref := plain_ref(expr)) is not None and ref.column != "*"]
        return sum(ref not in refs for ref in columns)

    def _joins(self, tables: Sequence[str]) -> int:
        """Number of edges on the shortest paths from the first table to the others."""
        if len(tables) < 2:
            return 0
        distances = self._distances_to(tables[0])
        return sum(distances.get(table, 4) for table in tables[1:])

    def _distances_to(self, start: str) -> dict[str, int]:
        if start not in self._distances_from:
            distances, queue = {start: 0}, deque([start])
            while queue:
                table = queue.popleft()
                for other in self.catalogue.neighbours().get(table, ()):
                    if other not in distances:
                        distances[other] = distances[table] + 1
                        queue.append(other)
            self._distances_from[start] = distances
        return self._distances_from[start]

    @cached_property
    def _distances_from(self) -> dict[str, dict[str, int]]:
        return {}

    def _cue_distances(self, uses: Sequence[Use]) -> dict[str, float]:
        """Distances in tokens from each cue to the nearest mention that it may apply to, by kind of cue."""
        distances: dict[str, float] = {}
        for cue in self.cues:
            if cue.op not in _APPLIES_TO:
                continue
            kind, roles = _APPLIES_TO[cue.op]
            gaps = [_gap(cue.span, use.mention.span) for use in uses if use.role in roles and use.mention.kind in LINKS]
            nearest = min(gaps, key=abs, default=_MAX_DISTANCE)
            distances[f"gap_{kind}"] = max(distances.get(f"gap_{kind}", 0.0), min(_MAX_DISTANCE, abs(nearest)))
        return distances


def with_comparisons(candidates: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """The features of all candidates of a question, with their rank and their distances from the best."""
    if not candidates:
        return []
    minima = {name: min(candidate.get(name, 0.0) for candidate in candidates) for name in RELATIVE}
    best = max(candidate["prior"] for candidate in candidates)
    order = sorted(range(len(candidates)), key=lambda index: -candidates[index]["prior"])
    rank = {index: rank_of for rank_of, index in enumerate(order)}
    return [
        {
            **candidate,
            **{f"{name}_over": candidate.get(name, 0.0) - minima[name] for name in RELATIVE},
            "prior_below": best - candidate["prior"],
            "rank": math.log1p(rank[index]),
            "first": float(rank[index] == 0),
        }
        for index, candidate in enumerate(candidates)
    ]


def _same_table(query: Query, inner: Query) -> bool:
    """Whether a nested statement reads no table beyond those of the outer one."""
    return set(inner.used_tables()) <= set(query.used_tables())


def _refs_of(mention: Mention) -> Iterable[Ref]:
    if mention.ref is not None:
        yield mention.ref
    if mention.cond is not None and (ref := plain_ref(mention.cond.left)) is not None:
        yield ref


def _is_inside(span: TokenSpan, tokens: set[int]) -> bool:
    return all(at in tokens for at in range(*span))


def _overlaps(span: TokenSpan, tokens: set[int]) -> bool:
    return any(at in tokens for at in range(*span))


def _length(items: Iterable[object]) -> float:
    return float(sum(1 for _ in items))


def _gap(cue: TokenSpan, mention: TokenSpan) -> float:
    """Tokens between a cue and a mention; negative if the mention comes first."""
    if mention.first >= cue.last:
        return float(mention.first - cue.last)
    if mention.last <= cue.first:
        return -1.0 - float(cue.first - mention.last)
    return 0.0


def _link_features(links: Sequence[Mention]) -> dict[str, float]:
    scores = [mention.score for mention in links]
    features = {
        "links": float(len(links)),
        "link_mean": sum(scores) / len(scores) if scores else 0.0,
        "link_least": min(scores, default=0.0),
        "link_loss": sum(1 - score for score in scores),
        "link_shared": float(sum(mention.shared > 0 for mention in links)),
        "link_shared_most": math.log1p(max((mention.shared for mention in links), default=0)),
        "link_words": sum(mention.span.last - mention.span.first for mention in links) / max(1, len(links)),
    }
    counts = Counter(mention.how for mention in links)
    features |= {f"how_{how}": counts[how] / len(links) for how in _LINK_WAYS if counts[how]}
    for kind in LINKS:
        scores_of_kind = [mention.score for mention in links if mention.kind == kind]
        if scores_of_kind:
            features |= {f"n_{kind}": float(len(scores_of_kind)), f"least_{kind}": min(scores_of_kind)}
    return features


def _role_features(uses: Sequence[Use]) -> dict[str, float]:
    """Features of roles: the first in the question, the number of mentions of each, the lowest score of each."""
    linked = [use for use in uses if use.mention.kind in LINKS]
    if not linked:
        return {}
    features = {f"first_{min(linked, key=lambda use: use.mention.span).role}": 1.0}
    for use in linked:
        name = f"least_{use.role}"
        features[name] = min(use.mention.score, features.get(name, 1.0))
    counts = Counter(use.role for use in linked)
    return features | {f"role_{role}": float(counts[role]) for role in _ROLES if counts[role]}
