"""Shares: the part of a figure that meets conditions, of all rows or of those that meet some of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.draft import Scene
from kbtui.nl2sql.figures import Figure
from kbtui.nl2sql.groups import groups
from kbtui.nl2sql.query import Agg, Arith, Cond, Order, Query, percent
from kbtui.nl2sql.ranking import DraftQuery, ranking_of

_MIN_WEIGHT: Final = 0.35
"""Weight from which a cue may ask for a share; in “names of all students” it does not."""


def shares(scene: Scene, figure: Figure) -> Iterator[DraftQuery]:
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
        yield split_draft, Query(select=(ratio,), tables=(figure.table,))
        for group in groups(scene, split_draft, (figure.table,)):
            select = (*group.shown, ratio)
            ranking = ranking_of(scene, group.draft)
            if ranking is None:
                yield group.draft, Query(select=select, group=group.keys, tables=(figure.table,))
            else:
                ranked_draft, desc, limit = ranking
                order = (Order(ratio, desc),)
                query = Query(select=select, group=group.keys, order=order, limit=limit, tables=(figure.table,))
                yield ranked_draft, query
