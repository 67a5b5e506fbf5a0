"""Edits of the previous statement for a short follow-up question: candidates, most likely first.

``only online`` after sales by month adds a condition, ``and in 2024?`` replaces the period; ``per store instead``,
``top 3``, ``as a share`` and ``show them`` change how the same rows are shown. Edits apply to the query, so the wording
of the previous question does not matter.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from datetime import date
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.candidate import Candidate, Use
from kbtui.nl2sql.conditions import drafts
from kbtui.nl2sql.cover import covers
from kbtui.nl2sql.edit_figures import figure_edits, window_edits
from kbtui.nl2sql.edit_filters import condition_edits, negation_edits, removal_edits
from kbtui.nl2sql.edit_shape import group_edits, list_edits, order_edits
from kbtui.nl2sql.edit_state import Edit, EditScene, tables_of
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.redundant_words import RedundantWords
from kbtui.question.cues import REQUIRES_ARG
from kbtui.question.followup_cues import followup_cues
from kbtui.question.model import Period, Question

_COVERS: Final = 12
_BEAM: Final = 80
"""Edits that are kept after each stage."""
_MAX_EDITS: Final = 800
"""Number of edits after which no further cover is tried."""
_MAX_CANDIDATES: Final = 60
"""Candidates of a follow-up, at most."""
_UNREAD: Final = 0.6
_IDLE: Final = 0.3
_NEW_TABLE: Final = 0.25
_FURTHER_CHANGE: Final = 0.1
"""Cost of each change after the first: a follow-up rarely changes two things."""
_FREE_CUES: Final = frozenset((
    "opener", "refer", "partitive", "instead", "also", "and", "or", "list", "wh", "only", "exists", "ignore", "truth",
    "how_much",
))  # fmt: skip
"""Operators that an edit may leave unused without cost."""

_REPLACED_CUES: Final = ("wh", "and", "list", "exists")
"""Operators that follow-up words such as ``what about`` replace."""

_STAGES: Final[tuple[Callable[[EditScene, Edit], Iterator[Edit]], ...]] = (
    removal_edits, list_edits, figure_edits, group_edits, window_edits, condition_edits, order_edits,
    negation_edits,
)  # fmt: skip


def edits(previous: Query, lattice: Lattice) -> list[Candidate]:
    """The statements that a follow-up may mean, best prior first; each statement occurs once.

    Args:
        previous: The statement that was answered before.
        lattice: The lattice of the follow-up alone.

    Returns:
        Candidates whose traits name the changes (``edit_filter``, ``edit_group`` …). A candidate with the unchanged
        statement asks for another chart.
    """
    lattice = with_follow_cues(lattice)
    edit_count, redundant_words = 0, RedundantWords(lattice)
    best: dict[Query, Candidate] = {}
    for cover in covers(lattice, _COVERS):
        scene = EditScene(lattice, cover, previous)
        for edit in _edits_of_cover(scene):
            edit_count += 1
            candidate = _candidate(scene, edit, redundant_words)
            if candidate is None:
                continue
            best_known = best.get(candidate.query)
            if best_known is None or best_known.prior < candidate.prior:
                best[candidate.query] = candidate
        if edit_count >= _MAX_EDITS:
            break
    return sorted(best.values(), key=lambda candidate: -candidate.prior)[:_MAX_CANDIDATES]


def with_follow_cues(lattice: Lattice) -> Lattice:
    """The lattice with the operators of follow-ups: ``what about``, ``them``, ``instead``."""
    cues = [cue for cue in followup_cues(lattice.question) if cue.op != "lead"]
    covered_tokens = {token for cue in cues if cue.op in ("opener", "refer", "partitive") for token in range(*cue.span)}
    other_mentions = (
        m
        for m in lattice.mentions
        if m.cue is None or m.cue.op not in _REPLACED_CUES or not covered_tokens.issuperset(range(*m.span))
    )
    follow_mentions = (Mention(span=cue.span, kind="cue", cue=cue) for cue in cues)
    mentions = sorted(
        (*other_mentions, *follow_mentions, *_years(lattice.question)),
        key=lambda m: (m.span.first, -m.span.last, -m.score),
    )
    return Lattice(question=lattice.question, catalogue=lattice.catalogue, mentions=tuple(mentions))


def _years(question: Question) -> Iterator[Mention]:
    """Bare numbers that may be years, as periods: ``what about 2024``."""
    for number in question.numbers:
        year = number.value
        if number.kind == "cardinal" and not number.unit and year.denominator == 1 and 1900 <= year <= 2100:
            first, last = date(int(year), 1, 1), date(int(year), 12, 31)
            period = Period(span=number.span, first=first, last=last, grain="year", words=question.words(number.span))
            yield Mention(span=number.span, kind="period", period=period, score=0.95)


def _edits_of_cover(scene: EditScene) -> Iterator[Edit]:
    for draft in drafts(scene):
        edits = [Edit(scene.previous, draft)]
        for stage in _STAGES:
            changed = (changed_edit for edit in edits for changed_edit in stage(scene, edit))
            edits = heapq.nlargest(_BEAM, changed, key=lambda edit: edit.draft.prior)
        yield from edits


def _candidate(scene: EditScene, edit: Edit, redundant_words: RedundantWords) -> Candidate | None:
    """The candidate of an edit; None if it changes nothing and asks for no other chart."""
    draft, mentions = edit.draft, scene.cover.mentions
    charts = (scene.operator(i) for i in edit.draft.free(scene.cues("ignore")))
    wants_chart = any(cue is not None and "chart" in cue.args for cue in charts)
    if edit.query == scene.previous and not wants_chart:
        return None
    used = dict(draft.used)
    previous_tables = set(tables_of(scene.previous))
    for i in draft.free(scene.tables):
        ref = mentions[i].ref
        if ref is not None and ref.table in previous_tables:
            used[i] = "subject"
    cues = [i for i in scene.cover.indexes("cue") if i not in used and REQUIRES_ARG not in mentions[i].cue.args]  # type: ignore[union-attr]
    silent = {i for i in cues if mentions[i].cue.op in _FREE_CUES}  # type: ignore[union-attr]
    uses = tuple(Use(mentions[i], used.get(i, "operator")) for i in range(len(mentions)) if i in used or i in silent)
    read = {token for use in uses for token in range(*use.mention.span)}
    unread = [i for i, token in enumerate(scene.lattice.question.tokens) if token.content and i not in read]
    light = redundant_words.redundant(unread, edit.query, uses)
    idle = len(cues) - len(silent)
    newly_unread = len(unread) - len(scene.cover.skipped)
    new_tables = len(set(edit.query.used_tables()) - set(scene.previous.used_tables()))
    changes = max(0, len(edit.kinds) - 1)
    prior = draft.prior - _UNREAD * newly_unread - _IDLE * idle - _NEW_TABLE * new_tables - _FURTHER_CHANGE * changes
    kinds = edit.kinds or ("chart",)
    traits = {
        **dict(draft.traits),
        **{f"edit_{kind}": 1.0 for kind in kinds},
        "idle_cues": float(idle),
        "cover": scene.cover.score,
    }
    return Candidate(
        query=_without_redundant_tables(edit.query),
        uses=uses,
        unread=tuple(i for i in unread if i not in light),
        light=tuple(sorted(light)),
        prior=prior,
        traits=traits,
    )


def _without_redundant_tables(query: Query) -> Query:
    column_tables = {ref.table for ref in query.refs()}
    return replace(query, tables=tuple(name for name in query.tables if name not in column_tables))
