"""The part of a figure that meets conditions: of all rows, of those that meet some of them, for each group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.draft import Scene
from kbtui.nl2sql.figures import Figure
from kbtui.nl2sql.groups import groups
from kbtui.nl2sql.query import Agg, Arith, Cond, Order, Query, percent
from kbtui.nl2sql.ranking import DraftQuery, ranking_of

_PLAIN: Final = 0.35
"""Weight from which on words can mean a share: "names of all students" asks for none."""


def shares(scene: Scene, figure: Figure) -> Iterator[DraftQuery]:
    """The part of a figure that meets conditions: all of them inside, or the last or the first alone."""
    draft = figure.draft
    cue = scene.first_free(draft, "share")
    expr, operator = figure.exprs[0], scene.operator(cue)
    if operator is None or operator.weight < _PLAIN or not isinstance(expr, Agg):
        return
    conds = [cond for cond in draft.where if isinstance(cond, Cond)]
    if len(conds) != len(draft.where) or not conds:
        return
    grown = draft.using("operator", cue, worth=0.25)
    splits = [(conds, [])] if len(conds) == 1 else [(conds, []), (conds[-1:], conds[:-1]), (conds[:1], conds[1:])]
    for rank, (inside, outside) in enumerate(splits):
        ratio = percent(Arith("/", replace(expr, where=tuple(inside)), expr))
        split = replace(grown, where=tuple(outside), prior=grown.prior - 0.1 * rank)
        yield split, Query(select=(ratio,), tables=(figure.table,))
        for group in groups(scene, split, (figure.table,)):
            select = (*group.shown, ratio)
            ranking = ranking_of(scene, group.draft)
            if ranking is None:
                yield group.draft, Query(select=select, group=group.keys, tables=(figure.table,))
            else:
                ranked, desc, limit = ranking
                order = (Order(ratio, desc),)
                query = Query(select=select, group=group.keys, order=order, limit=limit, tables=(figure.table,))
                yield ranked, query
