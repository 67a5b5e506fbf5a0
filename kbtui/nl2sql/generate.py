"""Candidates of a question: every cover of its words, composed in every way the types allow, best prior first."""

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
from kbtui.nl2sql.column_casts import has_time
from kbtui.nl2sql.conditions import drafts, with_periods
from kbtui.nl2sql.cover import Cover, covers
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figure_statements import figure_statements
from kbtui.nl2sql.joins import JoinGraph, Unjoinable, joins_of
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import INNER, Col, Part, Query, Ref, refs_of
from kbtui.nl2sql.ranking import Made
from kbtui.nl2sql.redundant_words import RedundantWords
from kbtui.nl2sql.row_statements import row_statements
from kbtui.nl2sql.subquery_conditions import above_average_drafts, top_thing_drafts
from kbtui.question.cues import LIGHT

MOST: Final = 60
"""Candidates that are kept: those that are tried (`pool.TRIED`), and some for those that the engine refuses."""
_COVERS: Final = 40
_WORK: Final = 1500
"""Statements that are composed for one question, about, which takes a tenth of a second; as a number and not as a time,
so that a question is read alike on every machine."""
_GAIN: Final = 0.6
"""What composing adds at most to the prior of the conditions that it begins with."""
_UNREAD: Final = 0.6
"""Cost of a content token that a statement does not read, added to what leaving it out of the cover cost."""
_IDLE: Final = 0.3
"""Cost of an operator without effect."""
_JOIN: Final = 0.12
_UNASKED: Final = 0.12
"""Cost of a table that nothing speaks of."""
_APART: Final = 0.15
"""Cost of a table that is named and not read: the rows of another refer to it."""
_EVERYTHING: Final = frozenset(("all",))
_SILENT: Final = ("now", "list", "wh", "only", "exists", "truth", "ignore", "and", "or")
"""Operators that a statement may leave without effect at little cost."""


def candidates(lattice: Lattice, *, most: int = MOST, work: int = _WORK) -> list[Candidate]:
    """Statements the question may mean, best prior first; no two are the same statement.

    Args:
        most: Candidates at most.
        work: After so many statements that were composed no further cover is begun.
    """
    best = _Best(most)
    needless, statements, made = RedundantWords(lattice), _Statements(lattice.catalogue), 0
    for cover in covers(lattice, _COVERS):
        scene = _CoverScene(lattice, cover, needless, statements)
        for draft, query in _composed(scene, best):
            made += 1
            if (weighed := scene.weighed(draft, query, best.least)) is not None:
                best.add(weighed)
        if made >= work:
            break
    return [weighed.candidate() for weighed in best.ranked()]


def _composed(scene: Scene, best: _Best) -> Iterator[Made]:
    """Statements of a cover, but for those whose prior cannot come above the least of the best ones."""
    for start in _starts(scene):
        if start.prior + _GAIN <= best.least:
            continue
        for statements, is_whole in (
            (figure_statements, False),
            (row_statements, False),
            (absence_statements, True),
        ):
            for draft, query in statements(scene, start):
                if draft.prior > best.least:
                    yield from with_periods(scene, draft, query if is_whole else query.narrowed(draft.where))


def _starts(scene: Scene) -> Iterator[Draft]:
    for start in drafts(scene):
        yield start
        yield from above_average_drafts(scene, start)
        yield from top_thing_drafts(scene, start)


class _Weighed(Struct, frozen=True):
    """A statement with its prior; what a `Candidate` holds beside that is worked out for the best ones alone."""

    scene: _CoverScene
    draft: Draft
    query: Query
    prior: float
    context: tuple[int, ...]
    idle: int
    apart: int

    def candidate(self) -> Candidate:
        return self.scene.candidate(self)


class _Best:
    """Different statements, each with its highest prior; those that come after ``most`` others are let go."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[Query, _Weighed] = {}
        self._priors: list[float] = []
        self.least = -inf
        """A prior that no further statement may fall short of."""

    def add(self, weighed: _Weighed) -> None:
        """One more statement, or one that is known with another prior."""
        known = self._found.get(weighed.query)
        if known is not None and known.prior >= weighed.prior:
            return
        if known is not None:
            del self._priors[bisect_left(self._priors, known.prior)]
        self._found[weighed.query] = weighed
        insort(self._priors, weighed.prior)
        if len(self._priors) >= self._most:
            self.least = self._priors[-self._most]

    def ranked(self) -> list[_Weighed]:
        """Highest prior first."""
        return sorted(self._found.values(), key=lambda weighed: -weighed.prior)[: self._most]


class _Statement(Struct, frozen=True):
    """What weighing a statement takes of it.

    Attributes:
        query: Without the tables that it names elsewhere.
        refs: Columns that it and those inside it read.
        tables: Of the SELECT whose rows it is about.
        every_table: These, and those of the queries inside.
    """

    query: Query
    refs: frozenset[Ref]
    tables: frozenset[str]
    every_table: frozenset[str]


class _Statements:
    """The statements of a question: half of them are composed more than once, of other words."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[Query, _Statement | None] = {}

    def of(self, query: Query) -> _Statement | None:
        """What a statement reads; None where no keys join its tables, or it is about a role alone."""
        if query not in self._known:
            self._known[query] = self._made(query)
        return self._known[query]

    def _made(self, query: Query) -> _Statement | None:
        core = query.core
        refs = {ref for ref in core.refs() if ref.table != INNER}
        tables = {ref.table for ref in refs}
        forced = tuple(name for name in core.tables if name not in tables)
        if core is query and forced != query.tables:
            query = replace(query, tables=forced)
        tables.update(forced)
        if len(tables) == 1 and self._catalogue.tables[next(iter(tables))].role_of:
            return None  # Alone a role is all of its table.
        if not _joinable(query, tuple(sorted(tables)), joins_of(self._catalogue)):
            return None
        if _asks_hours_of_days(query, self._catalogue):
            return None
        inside = _inner_refs(query)
        every_table = tables.union(ref.table for ref in inside)
        return _Statement(query, frozenset(refs | inside), frozenset(tables), frozenset(every_table))


class _CoverScene(Scene):
    """A scene with the tokens of its mentions as bit masks."""

    def __init__(self, lattice: Lattice, cover: Cover, needless: RedundantWords, statements: _Statements) -> None:
        super().__init__(lattice, cover)
        self._needless = needless
        self._statements = statements
        tokens = lattice.question.tokens
        self._masks = [(1 << m.span.last) - (1 << m.span.first) for m in cover.mentions]
        self._skipped = len(cover.skipped)
        cues = [(i, m.cue.op in _SILENT) for i, m in enumerate(cover.mentions) if m.cue and LIGHT not in m.cue.args]
        self._silent = [i for i, silent in cues if silent]
        self._effective = [i for i, silent in cues if not silent]
        self._setting_apart = self.cues("per", "distinct")
        self._spoken = frozenset(self.mentioned_tables)
        named = [(i, cover.mentions[i].ref) for i in (*self.tables, *self.columns) if not cover.mentions[i].order]
        self._named = [(i, ref) for i, ref in named if ref is not None]
        content = sum(1 << at for at, token in enumerate(tokens) if token.content)
        self._content = self._without(content, self._silent)
        self._least_left = self._without(self._content, (*(i for i, _ in self._named), *self._setting_apart))

    def weighed(self, draft: Draft, query: Query, least: float) -> _Weighed | None:
        """The statement with what speaks for it; None where that is no more than ``least``, or no keys join its tables.

        Weighing takes from the prior of a draft and never adds to it.
        """
        used = {index for index, _ in draft.used}
        unread = self._without(self._least_left, used).bit_count() - self._skipped
        if draft.prior - _UNREAD * unread - _IDLE * self._idle(used.union(self._setting_apart)) <= least:
            return None
        statement = self._statements.of(query)
        if statement is None:
            return None
        if passed := self._passed_over(used, statement.every_table):
            draft = draft.without(passed)
            used -= passed
        guessed = any(name == "default_subject" for name, _ in draft.traits)
        context = self._context(used, statement.refs, statement.every_table, guessed=guessed)
        if (core := query.core).group and self._setting_apart:
            draft = draft.using("operator", *self._restated(core, used.union(context)))
            used = {index for index, _ in draft.used}
        tables = statement.tables
        apart = sum(1 for i, ref in self._named if i in context and ref.table not in tables)
        idle = self._idle(used)
        unread = self._without(self._content, (*used, *context)).bit_count() - self._skipped
        unasked = len(tables - self._spoken)
        prior = draft.prior - _UNREAD * unread - _IDLE * idle - _JOIN * (len(tables) - 1)
        prior -= _UNASKED * unasked + _APART * apart
        return _Weighed(self, draft, statement.query, prior, tuple(context), idle, apart)

    def candidate(self, weighed: _Weighed) -> Candidate:
        """The candidate of a statement of this scene."""
        roles: dict[int, Role] = {**dict(weighed.draft.used), **dict.fromkeys(weighed.context, "subject")}
        roles = {**dict.fromkeys(self._silent, "operator"), **roles}
        mask = self._without(self._content, roles)
        left = tuple(at for at in range(mask.bit_length()) if mask >> at & 1)
        uses = tuple(Use(self[i], roles[i]) for i in sorted(roles))
        light = self._needless.among(left, weighed.query, uses)
        return Candidate(
            query=weighed.query,
            uses=uses,
            unread=tuple(at for at in left if at not in light),
            light=tuple(at for at in left if at in light),
            prior=weighed.prior,
            traits={
                **dict(weighed.draft.traits),
                "idle_cues": float(weighed.idle),
                "context_tables": float(weighed.apart),
                "cover": self.cover.score,
            },
        )

    def _without(self, tokens: int, mentions: Iterable[int]) -> int:
        """The tokens that none of the mentions reads."""
        for index in mentions:
            tokens &= ~self._masks[index]
        return tokens

    def _idle(self, used: Container[int]) -> int:
        return sum(1 for i in self._effective if i not in used)

    def _context(
        self, used: Container[int], refs: Container[Ref], tables: frozenset[str], *, guessed: bool
    ) -> list[int]:
        """Mentions that say again what the statement reads anyway: its columns, its tables and their parents.

        Args:
            guessed: No word names the things that it is about, so that a word for their parents may be the one.
        """
        left = [(i, ref) for i, ref in self._named if i not in used]
        if not left:
            return []
        near = tables if guessed else tables | {parent for name in tables for parent in self.parents(name)}
        return [i for i, ref in left if ref in refs or (ref.column == "*" and ref.table in near) or self._is_all(i)]

    def _passed_over(self, used: set[int], tables: frozenset[str]) -> set[int]:
        """Tables that are taken though the statement neither reads them nor refers to them: the staff of "customers and
        staff" where customers alone are listed."""
        taken = [(i, ref) for i, ref in self._named if ref.column == "*" and i in used]
        if all(ref.table in tables for _, ref in taken):
            return set()
        near = tables | {parent for name in tables for parent in self.parents(name)}
        own = set(map(self.catalogue.without_role, near))
        return {i for i, ref in taken if self.catalogue.without_role(ref.table) not in own}

    def _restated(self, query: Query, read: set[int]) -> Iterator[int]:
        """Operators that ask for groups that are made anyway: "*different* flags and how many ships have *each*"."""
        keys = {expr.ref for expr in query.group if isinstance(expr, Col)}
        last = len(self.cover.mentions) - 1
        per, counts = self.cues("per"), self.cues("count")
        for i in self._setting_apart:
            named = i < last and self[i + 1].ref in keys and i - 1 not in counts
            if named or (i in per and (i == last or i + 1 in read)):
                yield i

    def _is_all(self, index: int) -> bool:
        """Whether a column stands for everything there is, which asks for no condition: ``of all seasons``."""
        first = self[index].span.first
        everything = first > 1 and self.lattice.question.tokens[first - 1].norm in _EVERYTHING
        return everything and self[index].kind == "column"


def _inner_refs(query: Query) -> set[Ref]:
    return {ref for inner in query.subqueries() for ref in inner.refs() if ref.table != INNER}


def _joinable(query: Query, tables: tuple[str, ...], joins: JoinGraph) -> bool:
    try:
        if len(tables) > 1:
            joins.tree(tables)
    except Unjoinable:
        return False
    return all(_joinable(inner, inner.used_tables(), joins) for inner in query.subqueries())


def _asks_hours_of_days(query: Query, catalogue: Catalogue) -> bool:
    """Whether an hour is taken from a date that has no time of day: all of them would be midnight."""
    hours = [expr for expr in query.expressions() if isinstance(expr, Part) and expr.unit == "hour"]
    infos = [catalogue.column(ref) for expr in hours for ref in refs_of(expr)]
    return any(info is not None and not has_time(info) for info in infos) or any(
        _asks_hours_of_days(inner, catalogue) for inner in query.subqueries()
    )
