"""Generates candidates: every cover of the question, composed in every way the types allow, best prior first."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Container, Iterable, Iterator
from math import inf
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.absence import absence_statements
from kbtui.nl2sql.candidate import Candidate, Role, Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.conditions import drafts, with_periods
from kbtui.nl2sql.coordination import coordinated
from kbtui.nl2sql.cover import Cover, covers
from kbtui.nl2sql.date_formats import has_time
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figure_statements import figure_statements
from kbtui.nl2sql.joins import JoinGraph, Unjoinable, joins_of
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import INNER, Col, Part, Query, Ref, refs_of
from kbtui.nl2sql.ranking import DraftQuery
from kbtui.nl2sql.redundant_words import RedundantWords
from kbtui.nl2sql.row_statements import row_statements
from kbtui.nl2sql.subquery_conditions import (
    above_average_drafts,
    above_named_drafts,
    top_row_drafts,
)
from kbtui.question.cues import REQUIRES_ARG

MAX_CANDIDATES: Final = 60
"""Candidates that are kept: those that are run (`pool.TRIED`), and some in case the engine refuses others."""
_COVERS: Final = 40
_MAX_COMPOSED: Final = 1500
"""Number of composed statements after which no further cover is begun, about a tenth of a second. A number and not a
time, so that a question has the same candidates on every machine."""
_MAX_GAIN: Final = 0.6
"""What composing can add to the prior of a draft, at most."""
_UNREAD: Final = 0.6
"""Cost of a content token that a statement does not read, beyond the cost of skipping it in the cover."""
_IDLE: Final = 0.3
"""Cost of an operator without effect."""
_JOIN: Final = 0.12
_UNMENTIONED: Final = 0.12
"""Cost of a table without any mention."""
_REFERRED: Final = 0.15
"""Cost of a mentioned table that is only referred to."""
_ALL_WORDS: Final = frozenset(("all",))
_FREE_CUES: Final = ("now", "list", "wh", "only", "exists", "truth", "ignore", "and", "or")
"""Operators that a statement may leave unused at little cost."""


def candidates(lattice: Lattice, *, most: int = MAX_CANDIDATES, work: int = _MAX_COMPOSED) -> list[Candidate]:
    """Statements that the question may mean, best prior first; each statement occurs once.

    Args:
        most: Maximum number of candidates.
        work: Number of composed statements after which no further cover is begun.
    """
    best = _Best(most)
    redundant_words, statements, composed = RedundantWords(lattice), _FactsCache(lattice.catalogue), 0
    for cover in covers(lattice, _COVERS):
        scene = _CoverScene(lattice, cover, redundant_words, statements)
        for draft, query in _composed(scene, best):
            composed += 1
            if (weighted := scene.weighted(draft, query, best.min_prior)) is not None:
                best.add(weighted)
        if composed >= work:
            break
    return coordinated([weighted.candidate() for weighted in best.ranked()], lattice)


def _composed(scene: Scene, best: _Best) -> Iterator[DraftQuery]:
    """Statements of a cover, without those whose prior cannot exceed the lowest of the best ones."""
    for start in _start_drafts(scene):
        if start.prior + _MAX_GAIN <= best.min_prior:
            continue
        for statements, is_whole in ((figure_statements, False), (row_statements, False), (absence_statements, True)):
            for draft, query in statements(scene, start):
                if draft.prior > best.min_prior:
                    yield from with_periods(scene, draft, query if is_whole else query.narrowed(draft.where))


def _start_drafts(scene: Scene) -> Iterator[Draft]:
    for start in drafts(scene):
        yield start
        yield from above_average_drafts(scene, start)
        yield from above_named_drafts(scene, start)
        yield from top_row_drafts(scene, start)


class _Weighted(Struct, frozen=True):
    """A statement with its prior; the rest of a `Candidate` is computed for the best ones only."""

    scene: _CoverScene
    draft: Draft
    query: Query
    prior: float
    context: tuple[int, ...]
    idle_count: int
    referred_count: int

    def candidate(self) -> Candidate:
        return self.scene.candidate(self)


class _Best:
    """Distinct statements with their highest priors; only the best ``most`` are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._best_by_query: dict[Query, _Weighted] = {}
        self._priors: list[float] = []
        self.min_prior = -inf
        """The prior that a further statement must exceed."""

    def add(self, weighted: _Weighted) -> None:
        """Add a statement, or raise the prior of a known one."""
        previous = self._best_by_query.get(weighted.query)
        if previous is not None and previous.prior >= weighted.prior:
            return
        if previous is not None:
            del self._priors[bisect_left(self._priors, previous.prior)]
        self._best_by_query[weighted.query] = weighted
        insort(self._priors, weighted.prior)
        if len(self._priors) >= self._most:
            self.min_prior = self._priors[-self._most]

    def ranked(self) -> list[_Weighted]:
        """The best statements, highest prior first."""
        return sorted(self._best_by_query.values(), key=lambda weighted: -weighted.prior)[: self._most]


class _StatementFacts(Struct, frozen=True):
    """Facts of a statement that its prior depends on.

    Attributes:
        query: The query without tables that its expressions name anyway.
        refs: Columns of it and of its subqueries.
        tables: Tables of the outer SELECT.
        every_table: Tables of it and of its subqueries.
    """

    query: Query
    refs: frozenset[Ref]
    tables: frozenset[str]
    every_table: frozenset[str]


class _FactsCache:
    """The facts of the statements of a question, cached because half of them are composed several times."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[Query, _StatementFacts | None] = {}

    def of(self, query: Query) -> _StatementFacts | None:
        """The facts of a statement; None if no keys join its tables, or it is about a role alone."""
        if query not in self._known:
            self._known[query] = self._facts_of(query)
        return self._known[query]

    def _facts_of(self, query: Query) -> _StatementFacts | None:
        core = query.core
        refs = {ref for ref in core.refs() if ref.table != INNER}
        tables = {ref.table for ref in refs}
        forced = tuple(name for name in core.tables if name not in tables)
        if core is query and forced != query.tables:
            query = replace(query, tables=forced)
        tables.update(forced)
        if len(tables) == 1 and self._catalogue.tables[next(iter(tables))].role_of:
            return None  # A role alone is all of its table.
        if not _joinable(query, tuple(sorted(tables)), joins_of(self._catalogue)):
            return None
        if _takes_hours_of_days(query, self._catalogue):
            return None
        inside = _inner_refs(query)
        every_table = tables.union(ref.table for ref in inside)
        return _StatementFacts(query, frozenset(refs | inside), frozenset(tables), frozenset(every_table))


class _CoverScene(Scene):
    """A scene with the tokens of its mentions as bit masks."""

    def __init__(self, lattice: Lattice, cover: Cover, needless: RedundantWords, statements: _FactsCache) -> None:
        super().__init__(lattice, cover)
        self._redundant_words = needless
        self._facts = statements
        tokens = lattice.question.tokens
        self._masks = [(1 << m.span.last) - (1 << m.span.first) for m in cover.mentions]
        self._skipped = len(cover.skipped)
        cues = [
            (i, m.cue.op in _FREE_CUES)
            for i, m in enumerate(cover.mentions)
            if m.cue and REQUIRES_ARG not in m.cue.args
        ]
        self._silent = [i for i, silent in cues if silent]
        self._effective = [i for i, silent in cues if not silent]
        self._grouping_cues = self.cues("per", "distinct")
        self._mentioned_tables = frozenset(self.mentioned_tables)
        name_mentions = [
            (i, cover.mentions[i].ref) for i in (*self.tables, *self.columns) if not cover.mentions[i].order
        ]
        self._name_mentions = [(i, ref) for i, ref in name_mentions if ref is not None]
        content = sum(1 << at for at, token in enumerate(tokens) if token.content)
        self._content = self._without(content, self._silent)
        self._never_read = self._without(self._content, (*(i for i, _ in self._name_mentions), *self._grouping_cues))

    def weighted(self, draft: Draft, query: Query, least: float) -> _Weighted | None:
        """The statement with its prior; None if that is at most ``least``, or no keys join its tables.

        Weighing lowers the prior of a draft and never raises it.
        """
        used = {index for index, _ in draft.used}
        unread_count = self._without(self._never_read, used).bit_count() - self._skipped
        if draft.prior - _UNREAD * unread_count - _IDLE * self._idle(used.union(self._grouping_cues)) <= least:
            return None
        statement = self._facts.of(query)
        if statement is None:
            return None
        if ignored := self._ignored_tables(used, statement.every_table):
            draft = draft.without(ignored)
            used -= ignored
        is_guessed = any(name == "default_subject" for name, _ in draft.traits)
        context = self._context(used, statement.refs, statement.every_table, guessed=is_guessed)
        if (core := query.core).group and self._grouping_cues:
            draft = draft.using("operator", *self._redundant_group_cues(core, used.union(context)))
            used = {index for index, _ in draft.used}
        tables = statement.tables
        referred_count = sum(1 for i, ref in self._name_mentions if i in context and ref.table not in tables)
        idle_count = self._idle(used)
        unread_count = self._without(self._content, (*used, *context)).bit_count() - self._skipped
        unmentioned_count = len(tables - self._mentioned_tables)
        prior = draft.prior - _UNREAD * unread_count - _IDLE * idle_count - _JOIN * (len(tables) - 1)
        prior -= _UNMENTIONED * unmentioned_count + _REFERRED * referred_count
        return _Weighted(self, draft, statement.query, prior, tuple(context), idle_count, referred_count)

    def candidate(self, weighted: _Weighted) -> Candidate:
        """The candidate of a weighted statement of this scene."""
        roles: dict[int, Role] = {**dict(weighted.draft.used), **dict.fromkeys(weighted.context, "subject")}
        roles = {**dict.fromkeys(self._silent, "operator"), **roles}
        mask = self._without(self._content, roles)
        unread = tuple(at for at in range(mask.bit_length()) if mask >> at & 1)
        uses = tuple(Use(self[i], roles[i]) for i in sorted(roles))
        light = self._redundant_words.redundant(unread, weighted.query, uses)
        return Candidate(
            query=weighted.query,
            uses=uses,
            unread=tuple(at for at in unread if at not in light),
            light=tuple(at for at in unread if at in light),
            prior=weighted.prior,
            traits={
                **dict(weighted.draft.traits),
                "idle_cues": float(weighted.idle_count),
                "context_tables": float(weighted.referred_count),
                "cover": self.cover.score,
            },
        )

    def _without(self, tokens: int, indexes: Iterable[int]) -> int:
        """The bit mask of tokens that no mention reads."""
        for index in indexes:
            tokens &= ~self._masks[index]
        return tokens

    def _idle(self, used: Container[int]) -> int:
        return sum(1 for i in self._effective if i not in used)

    def _context(
        self, used: Container[int], refs: Container[Ref], tables: frozenset[str], *, guessed: bool
    ) -> list[int]:
        """Mentions that repeat what the statement reads anyway: its columns, its tables and their parents.

        Args:
            guessed: Whether the subject is a default, so that a mention of a parent table may be the subject.
        """
        unused = [(i, ref) for i, ref in self._name_mentions if i not in used]
        if not unused:
            return []
        related = tables if guessed else tables | {parent for name in tables for parent in self.parents(name)}
        return [
            i
            for i, ref in unused
            if ref in refs or (ref.column == "*" and ref.table in related) or self._is_all_values(i)
        ]

    def _ignored_tables(self, used: set[int], tables: frozenset[str]) -> set[int]:
        """Table mentions that are used although the statement neither reads these tables nor refers to them: “staff” in
        “customers and staff” if only customers are listed.
        """
        table_mentions = [(i, ref) for i, ref in self._name_mentions if ref.column == "*" and i in used]
        if all(ref.table in tables for _, ref in table_mentions):
            return set()
        related = tables | {parent for name in tables for parent in self.parents(name)}
        source_tables = set(map(self.catalogue.without_role, related))
        return {
            i
            for i, ref in table_mentions
            if self.catalogue.without_role(ref.table) not in source_tables or not self._reads_role(ref.table, tables)
        }

    def _reads_role(self, name: str, tables: frozenset[str]) -> bool:
        """Whether a statement reads a role, or the table that refers to it: states that *border* others."""
        if not self.catalogue.tables[name].role_of or name in tables:
            return True
        return any(edge.left.table in tables for edge in self.catalogue.arriving(name))

    def _redundant_group_cues(self, query: Query, read: set[int]) -> Iterator[int]:
        """Operators that ask for groups that exist anyway: “*different* flags and how many ships have *each*”."""
        keys = {expr.ref for expr in query.group if isinstance(expr, Col)}
        last = len(self.cover.mentions) - 1
        per, counts = self.cues("per"), self.cues("count")
        for i in self._grouping_cues:
            precedes_key = i < last and self[i + 1].ref in keys and i - 1 not in counts
            if precedes_key or (i in per and (i == last or i + 1 in read)):
                yield i

    def _is_all_values(self, index: int) -> bool:
        """Whether a column mention stands for all rows and asks for no condition: ``of all seasons``."""
        first = self[index].span.first
        follows_all = first > 1 and self.lattice.question.tokens[first - 1].norm in _ALL_WORDS
        return follows_all and self[index].kind == "column"


def _inner_refs(query: Query) -> set[Ref]:
    return {ref for inner in query.subqueries() for ref in inner.refs() if ref.table != INNER}


def _joinable(query: Query, tables: tuple[str, ...], joins: JoinGraph) -> bool:
    try:
        if len(tables) > 1:
            joins.tree(tables)
    except Unjoinable:
        return False
    return all(_joinable(inner, inner.used_tables(), joins) for inner in query.subqueries())


def _takes_hours_of_days(query: Query, catalogue: Catalogue) -> bool:
    """Whether the hour of a date without time of day is taken, which would always be midnight."""
    hours = [expr for expr in query.expressions() if isinstance(expr, Part) and expr.unit == "hour"]
    infos = [catalogue.column(ref) for expr in hours for ref in refs_of(expr)]
    return any(info is not None and not has_time(info) for info in infos) or any(
        _takes_hours_of_days(inner, catalogue) for inner in query.subqueries()
    )
