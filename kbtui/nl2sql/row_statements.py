"""Statements that list rows: of a table, the first by a column, the best of each group, or distinct values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene, identifies, identity
from kbtui.nl2sql.groups import are_people, asks_who, groups, is_for_each
from kbtui.nl2sql.interval_conditions import holds_years
from kbtui.nl2sql.query import Col, Cond, Expr, Order, Query, Ref, refs_of
from kbtui.nl2sql.ranking import (
    RANKING,
    DraftQuery,
    in_judged_order,
    is_limit,
    ranking_of,
    ranks_parent,
    sort_key_of,
    sorting_of,
)

_MAX_DEFAULTS: Final = 4
"""Measures that rows are ranked by if none is named, at most."""
_MAX_DATES: Final = 2
"""Dates that rows are ranked by if none is named, at most."""
_OTHER_CONCEPT: Final = 0.5
"""Cost of ranking dates by “most”, or amounts by “latest”."""
_FIXED_VALUE: Final = ("=", "null", "not null")
"""Operators under which all values of a column are the same."""
_NO_PERSON: Final = 0.3
"""See `_person_cost`."""


def row_statements(scene: Scene, draft: Draft) -> Iterator[DraftQuery]:
    """All statements that list rows, with the drafts that they use."""
    for subject, subject_draft in _subjects(scene, draft):
        for list_draft, query in _list_statements(scene, subject_draft, subject):
            yield from _ranked_statements(scene, list_draft, query, subject)
    yield from _distinct_statements(scene, draft)


def _subjects(scene: Scene, draft: Draft) -> Iterator[tuple[str, Draft]]:
    """Tables whose rows may be listed: mentioned ones first, then those of columns and values."""
    tables = draft.free(scene.tables)
    for rank, index in enumerate(tables):
        ref = scene[index].ref
        assert ref is not None
        others = [other for other in tables if other != index and not _is_group_of_ranking(scene, other)]
        worth = -0.08 * rank - 0.05 * len(others) - _person_cost(scene, ref.table)
        yield ref.table, draft.using("subject", index, *others, worth=worth)
    names = {ref.table for index in tables if (ref := scene[index].ref) is not None}
    for rank, name in enumerate(name for name in scene.usual_tables() if name not in names):
        worth = -0.15 - 0.05 * rank - (0.2 if tables else 0.0) - _person_cost(scene, name)
        names_row = any(scene[i].ref in scene.table(name).naming and not scene[i].order for i in scene.columns)
        yield (
            name,
            draft.using("subject", worth=worth) if names_row else draft.trait("default_subject", 1.0, worth=worth),
        )


def _is_group_of_ranking(scene: Scene, index: int) -> bool:
    """Whether a mention groups a ranking: the latest reading *of each device*."""
    if scene.cue(*RANKING) is None:
        return False
    return any(cue < index and gap(scene.cover, cue, index) == 0 for cue in scene.cues("per"))


def _person_cost(scene: Scene, table: str) -> float:
    """The cost of a table that is not of people but refers to people, if the question begins with “who”."""
    return _NO_PERSON if _people_of(scene, table) else 0.0


def _people_of(scene: Scene, table: str) -> list[str]:
    """The tables of people that a table refers to which is not of people, if the question begins with “who”."""
    if not asks_who(scene) or are_people(scene, table):
        return []
    return [name for name in scene.parents(table) if are_people(scene, name)]


def _list_statements(scene: Scene, draft: Draft, subject: str) -> Iterator[DraftQuery]:
    """Rows with the mentioned columns, or with the columns of a list."""
    table = scene.table(subject)
    cues = scene.cues("list", "wh", "all_columns", "exists", "only")
    base = draft.using("operator", *draft.free(cues))
    columns = [i for i in draft.free(scene.columns) if not scene[i].order and not _is_group_of_ranking(scene, i)]
    exprs: dict[Expr, None] = {}
    for index in columns:
        ref = scene[index].ref
        assert ref is not None
        exprs |= dict.fromkeys(identity(scene, ref)[1])
    new_draft = base.using("shown", *columns)
    if exprs:
        yield new_draft, Query(select=tuple(exprs), tables=(subject,))
        codes = tuple(Col(ref) for index in columns if (ref := scene[index].ref) is not None)
        if codes != tuple(exprs):
            yield new_draft.trait("code_shown", 1.0, worth=-0.05), Query(select=codes, tables=(subject,))
        names: dict[Expr, None] = {Col(ref): None for ref in scene.naming_columns(table)}
        yield new_draft.trait("name_added", 1.0, worth=-0.05), Query(select=tuple(names | exprs), tables=(subject,))
    # A row with no name of its own, such as one of a cast, says who only by the people that it refers to.
    people_tables = _people_of(scene, subject) if set(table.naming) <= {table.key} else []
    people = [Col(ref) for name in people_tables for ref in scene.naming_columns(scene.table(name))]
    all_exprs = tuple(
        exprs
        | dict.fromkeys(people)
        | dict.fromkeys(_filtered_columns(draft, subject))
        | dict.fromkeys(scene.list_columns(table))
    )
    yield (new_draft.trait("listed", 1.0, worth=-0.02 if exprs else 0.0), Query(select=all_exprs, tables=(subject,)))
    if scene.cue("all_columns") is not None:
        yield new_draft.trait("star", 1.0, worth=0.2), Query(select=(Col(Ref(subject, "*")),), tables=(subject,))


def _filtered_columns(draft: Draft, subject: str) -> Iterator[Expr]:
    """Columns of a table with conditions that leave several values: amounts above a limit."""
    for cond in draft.where:
        if isinstance(cond, Cond) and cond.op not in _FIXED_VALUE and not _is_membership(cond):
            yield from (Col(ref) for ref in refs_of(cond.left) if ref.table == subject)


def _is_membership(cond: Cond) -> bool:
    """Whether a column is compared with the values of a subquery, which say nothing to a reader."""
    return cond.op in ("in", "not in") and isinstance(cond.right, Query)


def _ranked_statements(scene: Scene, draft: Draft, query: Query, subject: str) -> Iterator[DraftQuery]:
    """The rows sorted by the column of an adjective, or by one near a superlative."""
    keys = list(_order_keys(scene, draft, query, subject))
    for new_draft, expr, desc, limit in keys:
        select = query.select if expr in query.select else (*query.select, expr)
        ordered_query = replace(query, select=select, order=(Order(expr, desc),), limit=limit)
        # “The garden with the smallest area” asks for more than the area.
        is_key_only = limit is not None and select == (expr,)
        explicit = [] if limit is None else [g for g in groups(scene, new_draft, (subject,)) if g.explicit]
        if not any(is_for_each(scene, group) and not group.buckets for group in explicit):
            yield new_draft.trait("scalar_extreme", 1.0, worth=-0.25) if is_key_only else new_draft, ordered_query
        for group in explicit:
            per = replace(ordered_query, select=tuple(dict.fromkeys((*group.shown, *select))), per=group.keys)
            worth = -0.3 if group.buckets else 0.1  # “Which day had the most” ranks days.
            yield group.draft.trait("per_group", 1.0, worth=worth), per
    if not keys or scene.cue(*RANKING) is None:
        yield draft, query


def _order_keys(
    scene: Scene, draft: Draft, query: Query, subject: str
) -> Iterator[tuple[Draft, Expr, bool, int | None]]:
    adjectives = [i for i in draft.free(scene.columns) if scene[i].order and not scene[i].comparative]
    adjectives = [i for i in adjectives if not ranks_parent(scene, i, subject)]
    for index in adjectives:
        ref = scene[index].ref
        assert ref is not None
        new_draft = draft.using("order", index, worth=0.25)
        numbers = [i for i in new_draft.free(scene.cover.indexes("number")) if is_limit(scene, i)]
        number = nearest(scene.cover, index, numbers, most=2)
        mention = None if number is None else scene[number].number
        sorting = scene.cues("order")
        limit = None if sorting else 1
        if mention is not None:
            limit = max(1, int(mention.value))
        wanted_direction = scene[index].order
        operators = [i for i in new_draft.free(scene.cues(*RANKING)) if _direction(scene, i) == wanted_direction]
        yield (
            new_draft.using("limit", number).using("operator", *operators, *sorting),
            Col(ref),
            scene[index].order == "desc",
            limit,
        )
    ranking = ranking_of(scene, draft)
    sorted_draft, direction = sorting_of(scene, draft)
    for expr, worth in _sort_columns(scene, draft, query, subject):
        if ranking is not None and not _is_opposite(scene, expr, desc=ranking[1]):
            ranked_draft, desc, ranking_limit = ranking
            descends = in_judged_order(scene, expr, desc=desc)
            yield ranked_draft.trait("sort_column", worth, worth=worth), expr, descends, ranking_limit
        if direction is not None:
            yield sorted_draft.trait("sort_column", worth, worth=worth), expr, direction, None


def _is_opposite(scene: Scene, expr: Expr, *, desc: bool) -> bool:
    """Whether a superlative orders a column the other way: the oldest has the lowest year of birth."""
    starts = {scene[cue].span for cue in scene.cues(*RANKING)}
    mentions = (m for span in starts for m in scene.lattice.at(span.first) if m.span == span and m.order)
    orders = {m.order for m in mentions if isinstance(expr, Col) and m.ref == expr.ref}
    return bool(orders) and ("desc" if desc else "asc") not in orders


def _direction(scene: Scene, index: int) -> str:
    operator = scene[index].cue
    return "desc" if operator is None else str(operator.args.get("direction", "desc"))


def _sort_columns(scene: Scene, draft: Draft, query: Query, subject: str) -> Iterator[tuple[Expr, float]]:
    """Columns that rows may be ranked by, with their worth: shown ones near the operator first, else any measure."""
    cue = scene.cue(*RANKING, "order")
    if cue is None:
        return
    sorting = scene.cue("order") is not None
    shown = [e for e in query.select if isinstance(e, Col) and (sorting or _is_sortable(scene, e))]
    mentioned = [i for i in scene.columns if Col(scene[i].ref or Ref("", "")) in shown]
    counts = _ranks_by_count(scene, cue)
    if sorting:
        head = sort_key_of(scene, mentioned)
    else:
        head = nearest(scene.cover, cue, mentioned, most=6)
    for expr in shown:
        is_nearest = head is not None and scene[head].ref == expr.ref
        in_words = any(scene[i].ref == expr.ref for i, role in draft.used if role == "shown")
        if counts and not in_words:
            continue
        worth = (0.2 if is_nearest else 0.0) if in_words else -0.4
        yield expr, worth if sorting or _concept_matches(scene, cue, expr) else worth - _OTHER_CONCEPT
    dates = scene.table(subject).dates
    if not sorting and _concept(scene, cue) == "time" and not any(Col(ref) in shown for ref in dates):
        for rank, ref in enumerate(dates[:_MAX_DATES]):
            yield Col(ref), -0.1 - 0.1 * rank
    elif not mentioned and not counts and not any(name == "default_subject" for name, _ in draft.traits):
        columns = [c for c in scene.table(subject).columns if c.kind in ("measure", "rate")]
        columns.sort(key=lambda column: column.ref != scene.table(subject).amount)
        for column in [c for c in columns if Col(c.ref) not in shown][:_MAX_DEFAULTS]:
            yield Col(column.ref), -0.35 if column.ref == scene.table(subject).amount else -0.45


def _ranks_by_count(scene: Scene, cue: int) -> bool:
    """Whether an operator ranks by a number of things: ``the largest number of``."""
    operator = scene[cue].cue
    return operator is not None and bool(operator.args.get("counts"))


def _is_sortable(scene: Scene, expr: Expr) -> bool:
    info = scene.info(expr.ref) if isinstance(expr, Col) else None
    return info is not None and (info.kind in ("measure", "rate", "date") or info.encoding != "")


def _concept(scene: Scene, cue: int) -> str:
    operator = scene[cue].cue
    return "" if operator is None else str(operator.args.get("concept", ""))


def _concept_matches(scene: Scene, cue: int, expr: Col) -> bool:
    """Whether a superlative and a column are both about time, or both about amounts."""
    info, operator = scene.info(expr.ref), scene[cue].cue
    is_date = info is not None and (info.kind == "date" or holds_years(info))
    is_ambiguous = operator is not None and operator.weight < 1.0  # "First" may be either.
    return is_ambiguous or is_date == (_concept(scene, cue) == "time")


def _distinct_statements(scene: Scene, draft: Draft) -> Iterator[DraftQuery]:
    """Distinct values of the mentioned columns."""
    has_cue = scene.cue("distinct") is not None
    columns = [i for i in draft.free((*scene.columns, *scene.tables)) if not scene[i].order]
    columns = [i for i in columns if has_cue or (c := scene.column(i)) is None or c.kind not in ("measure", "rate")]
    if not columns:
        return
    cues = draft.free(scene.cues("distinct", "list", "wh", "exists"))
    for chosen in [columns[:1], *([columns] if len(columns) > 1 else [])]:
        exprs: dict[Expr, None] = {}
        for index in chosen:
            ref = scene[index].ref
            assert ref is not None
            exprs |= dict.fromkeys(identity(scene, ref)[1])
        given_values = {cond.left for cond in draft.where if isinstance(cond, Cond) and cond.op in ("=", "in")}
        if given_values.issuperset(exprs):
            continue  # The question already names these values.
        if not has_cue and any(identifies(scene, expr.ref) for expr in exprs if isinstance(expr, Col)):
            continue  # A list of the rows shows these values and more.
        tables_left = [index for index in columns if index not in chosen and scene[index].kind == "table"]
        codes = tuple(Col(ref) for index in chosen if (ref := scene[index].ref) is not None and ref.column != "*")
        new_draft = draft.using("operator", *cues).using("shown", *chosen).using("subject", *tables_left)
        worth = 0.15 if has_cue and scene.cue("count") is None else -0.1
        tables = tuple(ref.table for index in tables_left if (ref := scene[index].ref) is not None)
        query = Query(select=tuple(exprs), distinct=True, tables=tables)
        new_draft, direction = sorting_of(scene, new_draft)
        if direction is not None:
            shown = [i for i in scene.columns if Col(scene[i].ref or Ref("", "")) in query.select]
            head = sort_key_of(scene, shown)
            expr = Col(scene[head].ref or Ref("", "")) if head is not None else query.select[0]
            query = replace(query, order=(Order(expr, direction),))
        yield new_draft.trait("distinct_rows", 1.0, worth=worth), query
        if codes and codes != tuple(exprs):
            key_query = replace(query, select=codes)
            yield new_draft.trait("distinct_rows").trait("code_shown", 1.0, worth=worth - 0.05), key_query
