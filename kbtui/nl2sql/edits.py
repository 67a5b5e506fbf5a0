"""What a short second question does to the statement that was answered before it: candidates, likeliest first.

``only online`` after sales by month is a condition more; ``and in 2024?`` another period in the place of the one
before; ``per store instead``, ``top 3``, ``as a share``, ``show them`` change how the same rows are shown. It is the
tree that is changed, so nothing depends on how the question before was worded.
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
from kbtui.nl2sql.edit_figures import figures, windows
from kbtui.nl2sql.edit_filters import absent, conditions, dropped, turned_round
from kbtui.nl2sql.edit_shape import grouped, listed, ranked
from kbtui.nl2sql.edit_state import Edit, EditScene, tables_of
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.query import Query
from kbtui.nl2sql.redundant_words import RedundantWords
from kbtui.question.cues import LIGHT
from kbtui.question.follow_words import follow_cues
from kbtui.question.model import Period, Question

_COVERS: Final = 12
_BEAM: Final = 80
"""Edits kept after each stage."""
_WORK: Final = 800
"""Edits that are made of one follow-up, about; see `kbtui.nl2sql.generate`."""
_MOST: Final = 60
"""Candidates of one follow-up."""
_UNREAD: Final = 0.6
_IDLE: Final = 0.3
_NEW_TABLE: Final = 0.25
_SECOND: Final = 0.1
"""Cost of each change after the first: a follow-up rarely changes two things."""
_SILENT: Final = frozenset(
    ("opener", "refer", "instead", "also", "and", "or", "list", "wh", "only", "exists", "ignore", "truth", "how_much")
)
"""Operators that an edit may leave without effect at no cost."""

_WEAK: Final = ("wh", "and", "list", "exists")
"""Operators that the words of a follow-up have no sense of their own for: the ``what`` of ``what about``."""

_STAGES: Final[tuple[Callable[[EditScene, Edit], Iterator[Edit]], ...]] = (
    dropped, absent, listed, figures, grouped, windows, conditions, ranked, turned_round,
)  # fmt: skip


def edits(previous: Query, lattice: Lattice) -> list[Candidate]:
    """The statements a follow-up may mean, best prior first; no two are the same statement.

    Args:
        previous: The statement that was answered before.
        lattice: Of the follow-up alone.

    Returns:
        Candidates whose traits name what was changed (``edit_filter``, ``edit_group`` …); one with the statement of
        before asks for another picture of it.
    """
    lattice = with_follow_cues(lattice)
    made, needless = 0, RedundantWords(lattice)
    best: dict[Query, Candidate] = {}
    for cover in covers(lattice, _COVERS):
        scene = EditScene(lattice, cover, previous)
        for edit in _edited(scene):
            made += 1
            candidate = _finished(scene, edit, needless)
            if candidate is None:
                continue
            known = best.get(candidate.query)
            if known is None or known.prior < candidate.prior:
                best[candidate.query] = candidate
        if made >= _WORK:
            break
    return sorted(best.values(), key=lambda candidate: -candidate.prior)[:_MOST]


def with_follow_cues(lattice: Lattice) -> Lattice:
    """The lattice with the words that only follow-ups have as operators: ``what about``, ``them``, ``instead``."""
    cues = [cue for cue in follow_cues(lattice.question) if cue.op != "lead"]
    led = {token for cue in cues if cue.op in ("opener", "refer") for token in range(*cue.span)}
    kept = (m for m in lattice.mentions if m.cue is None or m.cue.op not in _WEAK or not led.issuperset(range(*m.span)))
    extra = (Mention(span=cue.span, kind="cue", cue=cue) for cue in cues)
    mentions = sorted((*kept, *extra, *_years(lattice.question)), key=lambda m: (m.span.first, -m.span.last, -m.score))
    return Lattice(question=lattice.question, catalogue=lattice.catalogue, mentions=tuple(mentions))


def _years(question: Question) -> Iterator[Mention]:
    """Bare numbers that may be years: ``what about 2024``."""
    for number in question.numbers:
        year = number.value
        if number.kind == "cardinal" and not number.unit and year.denominator == 1 and 1900 <= year <= 2100:
            first, last = date(int(year), 1, 1), date(int(year), 12, 31)
            period = Period(span=number.span, first=first, last=last, grain="year", words=question.words(number.span))
            yield Mention(span=number.span, kind="period", period=period, score=0.95)


def _edited(scene: EditScene) -> Iterator[Edit]:
    for draft in drafts(scene):
        edits = [Edit(scene.previous, draft)]
        for stage in _STAGES:
            grown = (after for edit in edits for after in stage(scene, edit))
            edits = heapq.nlargest(_BEAM, grown, key=lambda edit: edit.draft.prior)
        yield from edits


def _finished(scene: EditScene, edit: Edit, needless: RedundantWords) -> Candidate | None:
    """The candidate; None where nothing was changed and no other picture is asked for."""
    draft, mentions = edit.draft, scene.cover.mentions
    charts = (scene.operator(i) for i in edit.draft.free(scene.cues("ignore")))
    pictured = any(cue is not None and "chart" in cue.args for cue in charts)
    if edit.query == scene.previous and not pictured:
        return None
    used = dict(draft.used)
    about = set(tables_of(scene.previous))
    for i in draft.free(scene.tables):
        ref = mentions[i].ref
        if ref is not None and ref.table in about:
            used[i] = "subject"
    cues = [i for i in scene.cover.indexes("cue") if i not in used and LIGHT not in mentions[i].cue.args]  # type: ignore[union-attr]
    silent = {i for i in cues if mentions[i].cue.op in _SILENT}  # type: ignore[union-attr]
    uses = tuple(Use(mentions[i], used.get(i, "operator")) for i in range(len(mentions)) if i in used or i in silent)
    read = {token for use in uses for token in range(*use.mention.span)}
    left = [i for i, token in enumerate(scene.lattice.question.tokens) if token.content and i not in read]
    light = needless.among(left, edit.query, uses)
    idle = len(cues) - len(silent)
    fresh = len(left) - len(scene.cover.skipped)
    new = len(set(edit.query.used_tables()) - set(scene.previous.used_tables()))
    changes = max(0, len(edit.kinds) - 1)
    prior = draft.prior - _UNREAD * fresh - _IDLE * idle - _NEW_TABLE * new - _SECOND * changes
    kinds = edit.kinds or ("chart",)
    traits = {
        **dict(draft.traits),
        **{f"edit_{kind}": 1.0 for kind in kinds},
        "idle_cues": float(idle),
        "cover": scene.cover.score,
    }
    return Candidate(
        query=_slim(edit.query),
        uses=uses,
        unread=tuple(i for i in left if i not in light),
        light=tuple(sorted(light)),
        prior=prior,
        traits=traits,
    )


def _slim(query: Query) -> Query:
    named = {ref.table for ref in query.refs()}
    return replace(query, tables=tuple(name for name in query.tables if name not in named))
