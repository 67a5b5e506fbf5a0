"""Ratios: the part of a figure that meets conditions, and one figure for each unit, or in percent, of another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Scene
from kbtui.nl2sql.figures import Figure
from kbtui.nl2sql.query import Agg, Arith, Cond, percent, refs_of

_MIN_WEIGHT: Final = 0.35
"""Weight from which a cue may ask for a share; in “names of all students” it does not."""
_MAX_GAP: Final = 1
"""Tokens between an operator and the figures that it divides, at most."""


def ratios(scene: Scene, figure: Figure) -> Iterator[Figure]:
    """Shares of a figure, and the quotient of two."""
    yield from _quotients(scene, figure)
    yield from _shares(scene, figure)


def _quotients(scene: Scene, figure: Figure) -> Iterator[Figure]:
    """One figure by another: ``revenue per passenger``, ``price as % of guide``; of sums, not the mean of rows."""
    columns = sorted(index for index, role in figure.draft.used if role == "measure")
    if len(columns) != 2 or len(figure.exprs) != 2 or len({ref.table for e in figure.exprs for ref in refs_of(e)}) > 1:
        return
    first, second = columns
    between = [i for i in figure.draft.free(scene.cues("per", "share")) if first < i < second]
    if not between or max(gap(scene.cover, first, between[0]), gap(scene.cover, between[-1], second)) > _MAX_GAP:
        return
    sums = [replace(expr, fn="sum") for expr in figure.exprs if isinstance(expr, Agg)]
    if len(sums) == 2:
        quotient = Arith("/", *sums)
        expr = percent(quotient) if any(i in scene.cues("share") for i in between) else quotient
        yield replace(figure, exprs=(expr,), draft=figure.draft.using("operator", *between, worth=0.25))


def _shares(scene: Scene, figure: Figure) -> Iterator[Figure]:
    """Shares with all conditions in the numerator, or with only the last or the first."""
    draft = figure.draft
    cue = scene.first_free(draft, "share")
    expr, operator = figure.exprs[0], scene.operator(cue)
    if operator is None or operator.weight < _MIN_WEIGHT or not isinstance(expr, Agg):
        return
    conds = [cond for cond in draft.where if isinstance(cond, Cond)]
    if len(conds) != len(draft.where) or not conds:
        return
    # What was spent is the whole and no part, unless there is no other condition.
    whole = [cond for cond in conds if cond in scene.directions]
    conds = [cond for cond in conds if cond not in whole] or [whole.pop()]
    new_draft = draft.using("operator", *scene.cues("share"), worth=0.25)
    splits = [(conds, [])] if len(conds) == 1 else [(conds, []), (conds[-1:], conds[:-1]), (conds[:1], conds[1:])]
    for rank, (numerator_conds, row_conds) in enumerate(splits):
        ratio = percent(Arith("/", replace(expr, where=tuple(numerator_conds)), expr))
        split_draft = replace(new_draft, where=(*whole, *row_conds), prior=new_draft.prior - 0.1 * rank)
        yield replace(figure, exprs=(ratio,), draft=split_draft, counts=False)
