"""Candidates of a question: every cover of its words, composed in every way the types allow, best prior first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kbtui.nl2sql.absence import absence_statements
from kbtui.nl2sql.candidate import Candidate, Role, Use
from kbtui.nl2sql.conditions import bound, drafts
from kbtui.nl2sql.cover import covers
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.heads import Made, figure_statements
from kbtui.nl2sql.joins import JoinGraph, Unjoinable, joins_of
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.rows import row_statements

_COVERS: Final = 24
_UNREAD: Final = 0.6
"""Cost of a content token that a statement does not read, added to what leaving it out of the cover cost."""
_IDLE: Final = 0.3
"""Cost of an operator without effect."""
_JOIN: Final = 0.08
_APART: Final = 0.15
"""Cost of a table that is named and not read: the rows of another refer to it."""
_SILENT: Final = ("list", "wh", "only", "exists", "truth", "ignore", "and", "or")
"""Operators that a statement may leave without effect at little cost."""


def candidates(lattice: Lattice, *, most: int = 300, seconds: float = 0.15) -> list[Candidate]:
    """Statements the question may mean, best prior first; no two are the same statement.

    Args:
        most: Candidates at most.
        seconds: After this time no further cover is begun.
    """
    deadline = time.perf_counter() + seconds
    best: dict[Query, Candidate] = {}
    joins = joins_of(lattice.catalogue)
    for cover in covers(lattice, _COVERS):
        scene = Scene(lattice, cover)
        for draft, query in _composed(scene):
            if not _joinable(query, joins):
                continue
            candidate = _finished(scene, draft, query)
            known = best.get(candidate.query)
            if known is None or known.prior < candidate.prior:
                best[candidate.query] = candidate
        if time.perf_counter() > deadline:
            break
    return sorted(best.values(), key=lambda candidate: -candidate.prior)[:most]


def _joinable(query: Query, joins: JoinGraph) -> bool:
    tables = query.used_tables()
    try:
        if tables:
            joins.tree(tables)
    except Unjoinable:
        return False
    return all(_joinable(inner, joins) for inner in query.subqueries())


def _composed(scene: Scene) -> Iterator[Made]:
    for start in drafts(scene):
        for draft, query in (*figure_statements(scene, start), *row_statements(scene, start)):
            yield from bound(scene, draft, replace(query, where=(*draft.where, *query.where)))
        yield from absence_statements(scene, start)


def _finished(scene: Scene, draft: Draft, query: Query) -> Candidate:
    mentions = scene.cover.mentions
    used = dict(draft.used) | _context(scene, draft, query)
    silent = {i for i in range(len(mentions)) if i not in used and _may_idle(scene, i)}
    uses = tuple(Use(mentions[i], used.get(i, "operator")) for i in range(len(mentions)) if i in used or i in silent)
    read = {token for use in uses for token in range(*use.mention.span)}
    tokens = scene.lattice.question.tokens
    unread = tuple(i for i, token in enumerate(tokens) if token.content and i not in read)
    idle = sum(1 for i in scene.cover.indexes("cue") if i not in used and i not in silent)
    fresh = len(unread) - len(scene.cover.skipped)
    tables = query.used_tables()
    unasked = len(set(tables) - set(scene.spoken))
    prior = draft.prior - _UNREAD * fresh - _IDLE * idle - _JOIN * (len(tables) - 1) - 0.1 * unasked
    apart = sum(
        1
        for i in used
        if i not in dict(draft.used) and mentions[i].ref is not None and _table_of(scene, i) not in tables
    )
    prior -= _APART * apart
    traits = {
        **dict(draft.traits),
        "idle_cues": float(idle),
        "cover": scene.cover.score,
        "context_tables": float(apart),
    }
    return Candidate(query=_slim(query), uses=uses, unread=unread, prior=prior, traits=traits)


def _context(scene: Scene, draft: Draft, query: Query) -> dict[int, Role]:
    """Mentions that say again what the statement reads anyway: its tables, its columns, the parents of its tables."""
    tables = set(query.used_tables())
    refs = set(query.refs())
    for inner in query.subqueries():
        tables |= set(inner.used_tables())
        refs |= set(inner.refs())
    near = tables | {parent for name in tables for parent in scene.parents(name)}
    context: dict[int, Role] = {}
    for index in draft.free((*scene.tables, *scene.columns)):
        ref = scene[index].ref
        if ref is not None and not scene[index].order and (ref in refs or (ref.column == "*" and ref.table in near)):
            context[index] = "subject"
    return context


def _table_of(scene: Scene, index: int) -> str:
    ref = scene[index].ref
    return "" if ref is None else ref.table


def _may_idle(scene: Scene, index: int) -> bool:
    cue = scene[index].cue
    return cue is not None and cue.op in _SILENT


def _slim(query: Query) -> Query:
    """Without tables that a column of the statement names anyway, so that equal statements are equal."""
    named = {ref.table for ref in query.refs()}
    return replace(query, tables=tuple(name for name in query.tables if name not in named))
