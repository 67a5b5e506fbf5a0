"""Groupings of figures: by columns, tables and periods; and the groups that a superlative ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene, identity, with_key
from kbtui.nl2sql.interval_conditions import holds_years
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.link_people import verbs_of
from kbtui.nl2sql.query import Col, Cond, Expr, Part, Ref, Unit
from kbtui.nl2sql.ranking import growth_of

_KINDS: Final = ("name", "category", "reference", "flag", "code", "key", "text", "date", "rate", "other", "measure")
_EXPLICIT_ONLY: Final = ("measure", "rate", "date", "text", "other")
"""Kinds that group only with an operator: "hours logged" does not ask for hours by date."""
_KIND_COSTS: Final = {"measure": 0.4, "text": 0.15, "key": 0.1, "rate": 0.3, "other": 0.1}
_WHO: Final = 0.15
"""Worth of groups of the people that a question word asks for: who sold the most."""
_MAX_VALUES: Final = 40
"""Distinct values up to which a number is a group by itself."""


class Group(Struct, frozen=True):
    """A grouping, and the draft that has used its mentions.

    Attributes:
        keys: Expressions of GROUP BY; empty for one group of all rows.
        shown: Expressions of SELECT for the keys.
        buckets: Whether the first key is a period, by which groups are sorted.
        explicit: Whether an operator (``by``, ``per``) or a word for a period asks for it.
        first: Keys of the first of two groupings; empty for a single one.
    """

    keys: tuple[Expr, ...]
    shown: tuple[Expr, ...]
    draft: Draft
    buckets: bool = False
    explicit: bool = False
    first: tuple[Expr, ...] = ()


def groups(scene: Scene, draft: Draft, tables: tuple[str, ...]) -> Iterator[Group]:
    """Groupings by one or two things that the unused mentions may name.

    Args:
        tables: Tables of the figure, whose dates are cut to periods.
    """
    single = [*_periods(scene, draft, tables), *_columns_and_tables(scene, draft), *_compared_values(scene, draft)]
    yield from single
    yield from _with_details(scene, single)
    yield from _default_groups(scene, draft, tables)
    for first in (group for group in single if group.explicit):
        # “Card vs cash by month” has two groupings: months, and the compared values.
        compared = [group for group in _compared_values(scene, first.draft) if group.explicit] if first.buckets else []
        for second in (*_columns_and_tables(scene, first.draft), *compared):
            if second.keys[0] not in first.keys:
                yield Group(
                    (*first.keys, *second.keys),
                    (*first.shown, *second.shown),
                    second.draft.trait("two_groups", 1.0, worth=-0.1),
                    first.buckets,
                    first.explicit and second.explicit,
                    first.keys,
                )


def _periods(scene: Scene, draft: Draft, tables: tuple[str, ...]) -> Iterator[Group]:
    """Groupings by period: ``per month``, ``which weekday``, ``trend``."""
    cue = scene.first_free(draft, "bucket", "trend")
    operator = scene.operator(cue)
    args = operator.args if operator is not None else growth_of(scene, draft)[1]
    if operator is None and "unit" not in args:
        return  # “Month over month” groups by month; other growth names no period.
    unit: Unit = args.get("unit", "month")
    per = _operator_before(scene, draft, cue)
    new_draft = draft.using("group", cue).using("operator", per)
    dates = [i for i in draft.free(scene.columns) if (info := scene.column(i)) is not None and info.kind == "date"]
    refs: dict[Ref, int | None] = {ref: index for index in reversed(dates) if (ref := scene[index].ref) is not None}
    for ref in scene.dates((*tables, *scene.usual_tables())):
        refs.setdefault(ref, None)
    if unit == "year":
        # A column of years is a period by itself.
        for ref in _year_columns(scene, tables):
            yield Group((Col(ref),), (Col(ref),), new_draft, buckets=True, explicit=True)
    if not refs:
        related = [related for name in tables for related in (*scene.children(name), *scene.parents(name))]
        refs |= dict.fromkeys(scene.dates(related))
    for rank, (ref, index) in enumerate(list(refs.items())[:3]):
        key = Part(unit, Col(ref))
        group_draft = new_draft.using("group", index, worth=-0.12 * rank)
        yield Group((key,), (key,), group_draft, buckets=True, explicit=True)


def _year_columns(scene: Scene, tables: tuple[str, ...]) -> Iterator[Ref]:
    """Columns of years without months and days, of tables that have no date."""
    for table in (scene.table(name) for name in tables):
        if not table.dates:
            yield from (column.ref for column in table.columns if holds_years(column))


def _operator_before(scene: Scene, draft: Draft, index: int | None) -> int | None:
    """The ``per`` or ``by`` directly before a mention, or in Chinese on either side of it; None if there is none."""
    if index is None:
        return None
    any_side = scene.lattice.question.language == "zh"
    cues = [cue for cue in draft.free(scene.cues("per")) if any_side or (cue < index) != _follows_key(scene, cue)]
    return next((cue for cue in cues if gap(scene.cover, cue, index) <= 1), None)


def _follows_key(scene: Scene, cue: int) -> bool:
    """Whether an operator follows what it groups by: ``status distribution``."""
    operator = scene.operator(cue)
    return operator is not None and bool(operator.args.get("behind"))


def _columns_and_tables(scene: Scene, draft: Draft) -> Iterator[Group]:
    """Groupings by columns and tables."""
    is_ranking = scene.cue("most", "top", "common") is not None
    may_be_one_group = scene.cue("compare") is None  # “More than Ana Ruiz” restricts no rows.
    wh_spans = {cue.span for cue in scene.lattice.question.cues if cue.op == "wh"}
    for index in draft.free((*scene.columns, *scene.tables)):
        mention = scene[index]
        ref = mention.ref
        if ref is None or mention.order:
            continue
        info = scene.info(ref)
        if info is None and not (scene.table(ref.table).naming or scene.table(ref.table).key):
            continue  # Nothing identifies its rows to a reader.
        kind = "key" if info is None else info.kind
        if kind not in _KINDS or (kind in ("measure", "rate") and info is not None and info.distinct > _MAX_VALUES):
            continue
        per = _operator_before(scene, draft, index)
        if per is None and kind in _EXPLICIT_ONLY and (kind != "date" or not is_ranking):
            continue
        worth = 0.3 if per is not None else _WHO if mention.span in wh_spans else -0.15
        worth -= _KIND_COSTS.get(kind, 0.0) if info is not None else 0.0
        new_draft = draft.using("group", index, worth=worth).using("operator", per)
        new_draft = new_draft.trait("group_asked", float(per is not None))
        keys, shown = identity(scene, ref)
        if may_be_one_group and per is None and any(draft.fixes(key.ref) for key in keys if isinstance(key, Col)):
            continue  # All rows are in one group.
        is_reference = kind == "reference" and keys != (Col(ref),)
        if is_reference:
            # A referenced row is shown by name and key, because the question may mean either.
            keys, shown = with_key(scene, keys, shown)
        yield Group(keys, shown, new_draft, explicit=per is not None)
        if info is not None and keys != (Col(ref),) and (kind == "name" or (is_reference and info.nulls > 0)):
            # Several rows may have one name; some rows may refer to none.
            key_draft = new_draft.trait("code_shown", 1.0, worth=-0.3 if mention.span in wh_spans else -0.05)
            yield Group((Col(ref),), (Col(ref),), key_draft, explicit=per is not None)


def _with_details(scene: Scene, single: Sequence[Group]) -> Iterator[Group]:
    """Groups with further columns of their rows: ``name and phone of patients with more than one visit``."""
    for group in single:
        first = group.shown[0]
        if group.buckets or not isinstance(first, Col) or first.ref not in scene.table(first.ref.table).naming:
            continue
        table = scene.table(first.ref.table)
        positions = [i for i in group.draft.free(scene.columns) if _is_detail(scene, i, table.name)]
        exprs = [expr for i in positions if (ref := scene[i].ref) is not None for expr in identity(scene, ref)[1]]
        if exprs:
            key = () if table.key is None else (Col(table.key),)
            shown = tuple(dict.fromkeys((*group.shown, *exprs)))
            draft = group.draft.using("shown", *positions, worth=0.05).trait("described")
            yield Group(tuple(dict.fromkeys((*key, *group.keys))), shown, draft, explicit=group.explicit)


def _is_detail(scene: Scene, index: int, table: str) -> bool:
    mention = scene[index]
    return mention.ref is not None and mention.ref.table == table and not mention.order


def are_people(scene: Scene, table: str) -> bool:
    """Whether the rows of a table are people; those of a table without names that refers to people, a cast, are not."""
    return scene.catalogue.once(_are_people, table)


def _are_people(catalogue: Catalogue, name: str) -> bool:
    table = catalogue.tables[name]
    if not is_kind(table.concepts, "person"):
        return False
    parents = [catalogue.tables[edge.right.table] for edge in catalogue.leaving(name) if edge.left != table.key]
    has_name = bool(set(table.naming) - {table.key})
    return has_name or not any(is_kind(parent.concepts, "person") and parent.naming for parent in parents)


def asks_who(scene: Scene) -> bool:
    """Whether the question begins with “who”, or has 谁 anywhere."""
    anywhere = scene.lattice.question.language == "zh"
    cues = [cue for i in scene.cues("wh") if (cue := scene[i].cue) is not None and (anywhere or cue.span.first == 0)]
    return any(cue.args.get("type") == "person" for cue in cues)


def _default_groups(scene: Scene, draft: Draft, tables: tuple[str, ...]) -> Iterator[Group]:
    """Groups that only a question word or an agent noun asks for: ``who sold the most``, ``top spenders``."""
    cue = scene.first_free(draft, "wh", "exists")
    operator = scene.operator(cue)
    has_agent = _has_agent(scene, draft)
    is_ranking = scene.cue("most", "top", "common", "compare", "above_average") is not None
    if not is_ranking or (operator is None and not has_agent):
        return
    wants_person = has_agent or operator is None or operator.args.get("type", "person") == "person"
    distances = {name: distance for table in tables for name, distance in scene.catalogue.ancestors(table).items()}
    candidates = [name for name, distance in distances.items() if distance <= 1 and scene.table(name).naming]
    # “Who spent most” may be several references away from the lines of the invoices.
    # and who published most papers, on the other side of a junction.
    linked = [name for table in tables for child in scene.children(table) for name in scene.parents(child)]
    people = [name for name in (*distances, *linked) if scene.table(name).naming and are_people(scene, name)]
    candidates = people if wants_person and people else candidates
    # In “who is the best doctor” and 男生和女生谁 the question itself says who is meant.
    is_named = any(are_people(scene, name) for name in scene.mentioned_tables) or _names_rivals(scene)
    worth = 0.0 if people and not is_named and (has_agent or asks_who(scene)) else -0.2
    for rank, name in enumerate(dict.fromkeys(candidates)):
        keys, shown = identity(scene, Ref(name, "*"))
        new_draft = draft.using("group", cue).trait("default_group", 1.0, worth=worth - 0.1 * rank)
        yield Group(keys, shown, new_draft, explicit=wants_person)


def _names_rivals(scene: Scene) -> bool:
    """Whether several values of one column are named."""
    refs = [scene[index].ref for index in scene.cover.indexes("value")]
    return len(refs) > len(set(refs))


def _has_agent(scene: Scene, draft: Draft) -> bool:
    """Whether a measure is named by an agent noun."""
    spans = [scene[i].span for i, role in draft.used if role == "measure"]
    tokens = scene.lattice.question.tokens
    return any(span.last > span.first and verbs_of(tokens[span.last - 1].norm) for span in spans)


def _compared_values(scene: Scene, draft: Draft) -> Iterator[Group]:
    """Values of one column to compare: ``elm vs oak``, 周末和工作日."""
    values = list(scene.cover.indexes("value"))
    cue = scene.first_free(draft, "versus")
    by_ref: dict[Ref, list[int]] = {}
    for index in values:
        ref = scene[index].ref
        assert ref is not None
        by_ref.setdefault(ref, []).append(index)
    states = draft.free(scene.cover.indexes("state"))
    if len(states) > 1 and (cond := scene[states[0]].cond) is not None:
        new_draft = draft.using("operator", cue, worth=0.3).using("group", *states)
        yield Group((cond.left,), (cond.left,), new_draft, explicit=True)
    for item in draft.where if cue is not None else ():
        if isinstance(item, Cond) and isinstance(item.left, Part) and item.op == "in":
            yield Group(
                (item.left,), (item.left,), draft.using("operator", cue, worth=0.3), buckets=True, explicit=True
            )
    for ref, indexes in by_ref.items():
        if len(indexes) > 1 or cue is not None:
            worth = 0.35 if cue is not None and len(indexes) > 1 else -0.1
            new_draft = draft.using("operator", cue, worth=worth).trait("compared_values")
            yield Group((Col(ref),), (Col(ref),), new_draft, explicit=cue is not None)


def is_for_each(scene: Scene, group: Group) -> bool:
    """Whether a group is asked for with “each”: the largest city *in each state* is no single state."""
    operators = (scene[i].cue for i, _ in group.draft.used)
    return any(operator.args.get("every") for operator in operators if operator is not None)
