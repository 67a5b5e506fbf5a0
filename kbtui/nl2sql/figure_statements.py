"""Statements that show figures: ungrouped, grouped, ranked, as shares, as growth, side by side, over groups."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.answer_units import in_requested_unit
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import FUNCTIONS, Figure, figures
from kbtui.nl2sql.groups import Group, groups, is_for_each
from kbtui.nl2sql.joins import Unjoinable, joins_of
from kbtui.nl2sql.number_literals import literal
from kbtui.nl2sql.outer_joins import has_empty_groups
from kbtui.nl2sql.period_comparisons import growth, side_by_side
from kbtui.nl2sql.query import INNER, Agg, Col, Cond, Expr, Operator, Order, Over, Query, Ref, equals, percent, refs_of
from kbtui.nl2sql.ranking import (
    RANKING,
    DraftQuery,
    by_rank,
    growth_of,
    in_judged_order,
    ranking_of,
    ranks_parent,
    sorting_of,
)
from kbtui.nl2sql.ratios import ratios

_UNREQUESTED_COUNT: Final = 0.25
"""Cost of a count if no word asks for one: "staff with no phone" is a list."""
_EMPTY_GROUPS: Final = -0.2
"""Worth of groups without any row if no word asks for them."""
_HAVING_ORDER: Final = 0.15
"""Worth of a group before its comparison and of the figure after it: "clients with more than 3 orders"."""
_ADJECTIVES: Final = frozenset({"hourly", "daily", "weekly", "monthly", "quarterly", "yearly", "annual"})
_GROUPING_CUES: Final = (
    *RANKING, "per", "bucket", "trend", "compare", "above_average", "share", "growth", "running", "versus",
    "count", "how_much", "distinct", "duration", "spread", *FUNCTIONS,
)  # fmt: skip
"""Operators of which a question that asks for figures of groups has at least one."""


def figure_statements(scene: Scene, draft: Draft) -> Iterator[DraftQuery]:
    """All statements that show figures, with the drafts that they use."""
    for base_figure in figures(scene, draft):
        requested = in_requested_unit(scene, base_figure)
        for figure in (requested, *ratios(scene, requested)):
            yield from _ungrouped(scene, figure)
            if _may_be_grouped(scene, figure):
                for group in groups(scene, figure.draft, (figure.table,)):
                    yield from _grouped(scene, figure, group)
        yield from growth(scene, requested)
        yield from side_by_side(scene, requested)


def _may_be_grouped(scene: Scene, figure: Figure) -> bool:
    """Whether the question may ask for groups: "list the names and phones" asks for no count of names."""
    has_grouping_cue = scene.cue(*_GROUPING_CUES) is not None or bool(by_rank(scene, figure.draft))
    return has_grouping_cue or not (figure.counts or scene.cue("list") is not None)


def _ungrouped(scene: Scene, figure: Figure) -> Iterator[DraftQuery]:
    is_ranking = scene.cue(*RANKING, "per") is not None or by_rank(scene, figure.draft)
    worth = -0.4 if is_ranking else 0.0
    if figure.counts and scene.cue("count", "how_much", "sum", "truth", "exists") is None:
        worth -= _UNREQUESTED_COUNT
    draft = figure.draft.using("operator", worth=worth)
    yield draft, Query(select=figure.exprs, tables=(figure.table,))
    if (cue := scene.cue("truth", "exists")) is not None and figure.counts:
        yield draft.using("operator", cue, worth=0.2), Query(select=figure.exprs, tables=(figure.table,), truth=True)


def _grouped(scene: Scene, figure: Figure, group: Group) -> Iterator[DraftQuery]:
    """A figure for each group: all groups, ranked, or filtered by a comparison."""
    if _has_single_rows(scene, figure.exprs[0], group):
        if not figure.counts and (group.explicit or _names_mean(scene, figure)):
            yield from _mean_of_rows(scene, figure, group)
        if figure.counts or _names_mean(scene, figure):
            return
    query_of = partial(Query, (*group.shown, *figure.exprs), group=group.keys, tables=(figure.table,))
    base = query_of()
    yield from _with_empty_groups(scene, figure, group, base)
    draft, expr = group.draft, figure.exprs[-1]
    ranking = ranking_of(scene, draft)
    if ranking is not None and not _ranks_parents(scene, group) and not _groups_by_figure(scene, figure, group):
        ranked_draft, desc, limit = ranking
        query = query_of(order=(Order(expr, in_judged_order(scene, expr, desc=desc)),), limit=limit)
        if limit is None or not is_for_each(scene, group):
            yield ranked_draft, query
        if group.first:
            per = group.first if not group.buckets else group.keys[len(group.first) :]
            yield ranked_draft.trait("per_group", 1.0, worth=-0.1), replace(query, per=per, limit=limit or 1)
    yield from _having(scene, figure, group, base)
    yield from _above_average(scene, figure, group, base)
    yield from _above_other_group(scene, figure, group, base)
    if isinstance(expr, Agg):
        yield from _windows(scene, draft, group, base, expr)
    if ranking is None:
        if not _is_average_of_periods(scene, figure, group):
            order = (Order(group.keys[0]),) if group.buckets else ()
            ordered_draft, direction = sorting_of(scene, draft)
            if direction is not None:
                order = (Order(expr, direction),)
            yield ordered_draft, query_of(order=order)
        yield from _average_of_groups(scene, draft, figure, group)


def _ranks_parents(scene: Scene, group: Group) -> bool:
    """Whether the superlative of the figure ranks rows that those of the groups refer to."""
    tables = {ref.table for key in group.keys[:1] for ref in refs_of(key)}
    return any(ranks_parent(scene, i, table) for i in by_rank(scene, group.draft) for table in tables)


def _groups_by_figure(scene: Scene, figure: Figure, group: Group) -> bool:
    """Whether a ranking groups by what the things after “top” are ranked by: the top countries *by medals*."""
    tops = scene.cues("top")
    if not figure.counts or not group.explicit or not tops or scene.lattice.question.language == "zh":
        return False
    names = [i for i in (*scene.tables, *scene.columns) if i > tops[0] and gap(scene.cover, tops[0], i) <= 1]
    keys = [index for index, role in group.draft.used if role == "group"]
    return bool(names) and min(names) < min(keys, default=-1)


def _with_empty_groups(scene: Scene, figure: Figure, group: Group, base: Query) -> Iterator[DraftQuery]:
    """Groups including those without rows, with 0: ``orders per client, including those with none``."""
    key, draft = group.keys[0], group.draft
    cue = scene.first_free(draft, "zeros")
    if not isinstance(key, Col) or not joins_of(scene.catalogue).is_unique(key.ref) or not (group.explicit or cue):
        return
    if any(ref.table != key.ref.table for expr in (*group.keys, *group.shown) for ref in refs_of(expr)):
        return
    pair = scene.referring(figure.table, key.ref.table)
    is_additive = all(isinstance(expr, Agg) and expr.fn in ("count", "sum") for expr in figure.exprs)
    if pair is None or not is_additive or scene.table(key.ref.table).role_of:
        return
    has_conditions = bool(draft.where or draft.periods)
    if cue is not None or has_conditions or has_empty_groups(scene.catalogue, pair[0], key.ref.table):
        new_draft = draft.using("operator", cue).trait(
            "with_empty", 1.0, worth=0.3 if cue is not None else _EMPTY_GROUPS
        )
        yield new_draft, replace(base, outer=True)


def _mean_of_rows(scene: Scene, figure: Figure, group: Group) -> Iterator[DraftQuery]:
    """``amount per order`` if each order has one amount: the average, of all rows and by group."""
    expr, draft = figure.exprs[0], group.draft.trait("per_row", 1.0, worth=0.05 if _names_mean(scene, figure) else -0.1)
    if isinstance(expr, Agg) and expr.fn == "sum":
        expr = replace(expr, fn="avg")
    if isinstance(expr, Agg) and expr.fn in ("avg", "median"):
        mean = Figure((expr,), draft, figure.table)
        yield from _ungrouped(scene, mean)
        for subgroup in groups(scene, draft, (figure.table,)):
            if (len(subgroup.keys) == 1 or subgroup.explicit) and not _has_single_rows(scene, expr, subgroup):
                yield from _grouped(scene, mean, subgroup)


def _names_mean(scene: Scene, figure: Figure) -> bool:
    cues = scene.cues("avg", "median", "percentile", "stddev")
    return any(index in cues for index, _ in figure.draft.used)


def _has_single_rows(scene: Scene, figure: Expr, group: Group) -> bool:
    """Whether each group has at most one row of the figure: one client for each order."""
    key = group.keys[0]
    if not isinstance(key, Col) or not isinstance(figure, Agg):
        return False
    return scene.catalogue.once(_is_single_row, key.ref, next(refs_of(figure)).table)


def _is_single_row(catalogue: Catalogue, key: Ref, table: str) -> bool:
    """Whether a value of the key has at most one row of the table."""
    joins = joins_of(catalogue)
    if not joins.is_unique(key):
        return False
    try:
        return not any(map(joins.multiplies, joins.tree((key.table, table))))
    except Unjoinable:
        return False


def _windows(scene: Scene, draft: Draft, group: Group, base: Query, expr: Agg) -> Iterator[DraftQuery]:
    """Shares of the total, changes from group to group, running totals."""
    if (cue := scene.first_free(draft, "share")) is not None:
        query = replace(base, select=(*group.shown, expr, percent(Over("share", expr))))
        yield draft.using("operator", cue, worth=0.1), query
    if not group.buckets:
        return
    if (cue := scene.first_free(draft, "running")) is not None:
        query = replace(base, select=(*group.shown, expr, Over("running", expr)), order=(Order(group.keys[0]),))
        yield draft.using("operator", cue, worth=0.1), query
    cues, args = growth_of(scene, draft)
    if cues:
        change = percent(Over(args.get("kind", "change"), expr))
        query = replace(base, select=(*group.shown, expr, change), order=(Order(group.keys[0]),))
        new_draft = draft.using("operator", *cues, worth=0.1)
        yield new_draft, query
        ranking = ranking_of(scene, new_draft)
        if ranking is not None:
            ranked_draft, desc, limit = ranking
            order = (Order(change, desc != (args.get("direction") == "asc")),)
            yield ranked_draft, replace(query, order=order, limit=limit)


def _having(scene: Scene, figure: Figure, group: Group, base: Query) -> Iterator[DraftQuery]:
    """Groups filtered by their figure, and the number of them: ``customers with more than 3 orders``."""
    draft = group.draft
    amount = scene.table(figure.table).amount
    if figure.counts and amount is not None and any(name == "default_count" for name, _ in draft.traits):
        # “Bills above 450” compares amounts, not numbers of lines.
        summed = replace(figure, exprs=(Agg("sum", Col(amount)),), counts=False)
        summed_group = replace(group, draft=draft.trait("default_measure", 1.0, worth=0.05))
        yield from _having(scene, summed, summed_group, replace(base, select=(*group.shown, *summed.exprs)))
    cue = scene.first_free(draft, "compare")
    comparison = None if cue is None else _group_cond(scene, draft, cue, figure)
    if comparison is None or cue is None:
        return
    condition, number = comparison
    new_draft = draft.using("operator", cue, worth=0.25 + _having_order(scene, draft, cue)).using("having", number)
    yield from _groups_or_count(scene, new_draft, group, base, condition)


def _having_order(scene: Scene, draft: Draft, cue: int) -> float:
    """The worth of the English order of group, comparison and figure; 0.0 for Chinese, which puts the figure first."""
    groups_at = [i for i, role in draft.used if role == "group"]
    figures_at = [i for i, role in draft.used if role in ("measure", "subject")]
    if scene.lattice.question.language == "zh" or not groups_at or not figures_at:
        return 0.0
    return _HAVING_ORDER if max(groups_at) < cue < min(figures_at) else -_HAVING_ORDER


def _above_average(scene: Scene, figure: Figure, group: Group, base: Query) -> Iterator[DraftQuery]:
    """Groups whose figure is above that of all rows, or above the average of groups; and the number of them."""
    draft, expr = group.draft, figure.exprs[0]
    cue = scene.first_free(draft, "above_average")
    operator = scene.operator(cue)
    if operator is None or not isinstance(expr, Agg):
        return
    reference = Query(select=(expr,), tables=(figure.table,))
    if expr.fn != "avg":
        inner = Query(select=(*group.keys, expr), group=group.keys, tables=(figure.table,))
        reference = Query(select=(Agg("avg", Col(Ref(INNER, f"c{len(group.keys)}"))),), inner=inner)
    condition = Cond(expr, operator.args.get("op", ">"), reference)
    new_draft = draft.using("operator", cue, worth=0.2)
    yield from _groups_or_count(scene, new_draft, group, base, condition)


def _above_other_group(scene: Scene, figure: Figure, group: Group, base: Query) -> Iterator[DraftQuery]:
    """Groups compared with a named one: ``clients with more orders than Ana Ruiz``."""
    for draft, condition in compared_groups(scene, group, figure.exprs[0], figure.table):
        yield from _groups_or_count(scene, draft, group, base, condition)
        cue = scene.first_free(draft, "truth", "exists")
        if cue is not None and any(isinstance(item, Cond) and item.left == group.keys[0] for item in draft.where):
            # “Did A sell more than B”: whether there is such a group among the two.
            yield draft.using("operator", cue, worth=0.3), replace(_count_of(group, base, condition), truth=True)


def _groups_or_count(scene: Scene, draft: Draft, group: Group, base: Query, condition: Cond) -> Iterator[DraftQuery]:
    yield draft, replace(base, having=(condition,))
    counting = scene.first_free(draft, "count") or _group_count_cue(scene, draft)
    if counting is not None:
        yield draft.using("operator", counting, worth=0.15), _count_of(group, base, condition)


def _count_of(group: Group, base: Query, condition: Cond) -> Query:
    """The number of groups that meet a condition."""
    inner = Query(select=group.keys[:1], group=group.keys, having=(condition,), tables=base.tables)
    return Query(select=(Agg("count", Col(Ref(INNER, "*"))),), inner=inner)


def _group_count_cue(scene: Scene, draft: Draft) -> int | None:
    """The ``how many`` that is nearer to the groups than to the figure: “how many clients have more than 3 orders”."""
    cue = scene.cue("count")
    roles = ("group", "measure", "subject")
    positions = {role: [i for i, use in draft.used if use == role and i != cue] for role in roles}
    figure = positions["measure"] or positions["subject"]
    if cue is None or not positions["group"] or not figure:
        return None
    group_gap, figure_gap = (
        min(gap(scene.cover, cue, index) for index in indexes) for indexes in (positions["group"], figure)
    )
    return cue if group_gap < figure_gap else None


def _group_cond(scene: Scene, draft: Draft, cue: int, figure: Figure) -> tuple[Cond, int] | None:
    numbers = [i for i in draft.free(scene.cover.indexes("number")) if gap(scene.cover, cue, i) <= 3]
    operator = scene[cue].cue
    number = nearest(scene.cover, cue, numbers, most=3)
    if number is None or operator is None or operator.args.get("op") == "between":
        return None
    mention = scene[number].number
    is_default = figure.counts or any(name == "default_measure" for name, _ in draft.traits)
    if is_default and mention is not None and mention.unit and mention.unit in _measured_units(money=figure.counts):
        return None  # “Over 30 kg” is not a number of rows.
    op: Operator = operator.args.get("op", ">")
    return Cond(figure.exprs[-1], op, literal(scene, number, next(refs_of(figure.exprs[-1])))), number


@cache
def _measured_units(*, money: bool) -> frozenset[str]:
    """Canonical names of the units of measured quantities; those of currencies too if ``money``."""
    from kbtui.text.units import canonical_units, units

    canonical = canonical_units()
    return frozenset(canonical.values() if money else (canonical[name] for name in units() if name in canonical))


def _is_average_of_periods(scene: Scene, figure: Figure, group: Group) -> bool:
    """Whether an average is one of periods, as "average daily cost": that of the sums of the days, no mean of rows."""
    expr = figure.exprs[0]
    if not group.buckets or not isinstance(expr, Agg) or expr.fn != "avg" or not isinstance(expr.arg, Col):
        return False
    info = scene.info(expr.arg.ref)
    ends = {scene[index].span.last for index in scene.cues("avg")}
    adjectives = [scene[i] for i in scene.cues("bucket") if scene.lattice.question.words(scene[i].span) in _ADJECTIVES]
    return info is not None and info.kind == "measure" and any(cue.span.first in ends for cue in adjectives)


def _average_of_groups(scene: Scene, draft: Draft, figure: Figure, group: Group) -> Iterator[DraftQuery]:
    """The average of a figure over groups: ``average number of orders per customer``."""
    cue = scene.first_free(draft, "avg", "median", "max", "min")
    operator = scene.operator(cue)
    if operator is None or not (figure.counts or isinstance(figure.exprs[0], Agg)):
        return
    inner = Query(select=(*group.keys, figure.exprs[0]), group=group.keys, tables=(figure.table,))
    value = Col(Ref(INNER, f"c{len(group.keys)}"))
    # “Average amount by branch” asks for no average of averages; “average number of orders per client” does.
    has_count_cue = figure.counts and any(scene[i].cue for i, _ in draft.used if i in scene.cues("count"))
    new_draft = draft.using("operator", cue).trait("average_of_groups", 1.0, worth=0.25 if has_count_cue else -0.35)
    yield new_draft, Query(select=(Agg(operator.op, value),), inner=inner)  # type: ignore[arg-type]


_REACH: Final = 5
"""Tokens between a comparing operator and the name of the other group, at most."""


def compared_groups(scene: Scene, group: Group, figure: Expr, table: str) -> Iterator[tuple[Draft, Cond]]:
    """Groups whose figure is above or below that of a group that the question names, with the condition of HAVING."""
    numbers = {number.span.first for number in scene.lattice.question.numbers}
    for index in group.draft.free(scene.cues("compare")):
        operator = scene[index].cue
        op: Operator = ">" if operator is None else operator.args.get("op", ">")
        if op in ("between", "=") or not numbers.isdisjoint((scene[index].span.last, scene[index].span.last + 1)):
            continue
        following = (i for i in scene.cover.indexes("value") if i > index and gap(scene.cover, index, i) <= _REACH)
        other = next((i for i in following if scene[i].span.first not in numbers), None)
        ref = None if other is None else scene[other].ref
        if other is not None and ref is not None and Col(ref) in group.shown:
            cond = equals(ref, scene[other].values)
            draft = group.draft.using("operator", index).trait("than_other")
            draft = replace(draft, where=tuple(item for item in draft.where if item != cond))
            yield draft, Cond(figure, op, Query(select=(figure,), where=(cond,), tables=(table,)))
