"""What figures are set apart by: columns, things, periods; and the things that a superlative ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene, identity, with_key
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.link_people import verbs_of
from kbtui.nl2sql.query import Col, Cond, Expr, Part, Ref, Unit
from kbtui.nl2sql.ranking import growth_of

_GROUPING: Final = ("name", "category", "reference", "flag", "code", "key", "text", "date", "rate", "other", "measure")
_ASKED_ONLY: Final = ("measure", "rate", "date", "text", "other")
"""Kinds by which figures are set apart only where an operator says so: "hours logged" is not hours by day of entry."""
_UNLIKELY: Final = {"measure": 0.4, "text": 0.15, "key": 0.1, "rate": 0.3, "other": 0.1}
_ASKED_WHO: Final = 0.15
"""Worth of the people that a question word stands for as groups: who sold the most."""
_KEPT_WHOLE: Final = 40
"""Different values up to which a number or a text is a group by itself."""


class Group(Struct, frozen=True):
    """Groups, and the draft that has used their words.

    Attributes:
        keys: The expressions of GROUP BY; none for one group of all rows.
        shown: Those of SELECT.
        buckets: The first key is a period, in whose order groups are listed.
        asked: An operator names it (``by``, ``per``), or a word for a period does.
        first: Keys of the first of two groups; none where there is but one.
    """

    keys: tuple[Expr, ...]
    shown: tuple[Expr, ...]
    draft: Draft
    buckets: bool = False
    asked: bool = False
    first: tuple[Expr, ...] = ()


def groups(scene: Scene, draft: Draft, tables: tuple[str, ...]) -> Iterator[Group]:
    """Groupings by one thing or two that the words left over can name.

    Args:
        tables: Of the figure, whose dates periods are of.
    """
    single = [*_buckets(scene, draft, tables), *_things(scene, draft), *_compared(scene, draft)]
    yield from single
    yield from _described(scene, single)
    yield from _unnamed(scene, draft, tables)
    for first in (each for each in single if each.asked):
        # "Card vs cash by month" has two groups: the months, and what is set side by side.
        compared = [group for group in _compared(scene, first.draft) if group.asked] if first.buckets else []
        for second in (*_things(scene, first.draft), *compared):
            if second.keys[0] not in first.keys:
                yield Group(
                    (*first.keys, *second.keys),
                    (*first.shown, *second.shown),
                    second.draft.trait("two_groups", 1.0, worth=-0.1),
                    first.buckets,
                    first.asked and second.asked,
                    first.keys,
                )


def _buckets(scene: Scene, draft: Draft, tables: tuple[str, ...]) -> Iterator[Group]:
    """Periods: ``per month``, ``which weekday``, ``trend``."""
    cue = scene.first_free(draft, "bucket", "trend")
    operator = scene.operator(cue)
    args = operator.args if operator is not None else growth_of(scene, draft)[1]
    if operator is None and "unit" not in args:
        return  # "Month over month" is by month; other growth names no period.
    unit: Unit = args.get("unit", "month")
    per = _operator_before(scene, draft, cue)
    grown = draft.using("group", cue).using("operator", per)
    dates = [i for i in draft.free(scene.columns) if (info := scene.column(i)) is not None and info.kind == "date"]
    refs: dict[Ref, int | None] = {ref: index for index in reversed(dates) if (ref := scene[index].ref) is not None}
    for ref in scene.dates((*tables, *scene.usual_tables())):
        refs.setdefault(ref, None)
    if not refs:
        near = [near for name in tables for near in (*scene.children(name), *scene.parents(name))]
        refs |= dict.fromkeys(scene.dates(near))
    for rank, (ref, index) in enumerate(list(refs.items())[:3]):
        key = Part(unit, Col(ref))
        taken = grown.using("group", index, worth=-0.12 * rank)
        yield Group((key,), (key,), taken, buckets=True, asked=True)


def _operator_before(scene: Scene, draft: Draft, index: int | None) -> int | None:
    """The ``per`` or ``by`` that stands right before a mention; in Chinese at it."""
    if index is None:
        return None
    either = scene.lattice.question.language == "zh"
    cues = [cue for cue in draft.free(scene.cues("per")) if either or (cue < index) != _is_behind(scene, cue)]
    return next((cue for cue in cues if gap(scene.cover, cue, index) <= 1), None)


def _is_behind(scene: Scene, cue: int) -> bool:
    """Whether an operator stands behind what it sets apart: ``status distribution``."""
    operator = scene.operator(cue)
    return operator is not None and bool(operator.args.get("behind"))


def _things(scene: Scene, draft: Draft) -> Iterator[Group]:
    """Columns and tables as groups, those that an operator names before the others."""
    ranks = scene.cue("most", "top", "common") is not None
    asking = {cue.span for cue in scene.lattice.question.cues if cue.op == "wh"}
    for index in draft.free((*scene.columns, *scene.tables)):
        mention = scene[index]
        ref = mention.ref
        if ref is None or mention.order:
            continue
        info = scene.info(ref)
        if info is None and not (scene.table(ref.table).naming or scene.table(ref.table).key):
            continue  # Nothing says which row it is.
        kind = "key" if info is None else info.kind
        if kind not in _GROUPING or (kind in ("measure", "rate") and info is not None and info.distinct > _KEPT_WHOLE):
            continue
        per = _operator_before(scene, draft, index)
        if per is None and kind in _ASKED_ONLY and (kind != "date" or not ranks):
            continue
        worth = 0.3 if per is not None else _ASKED_WHO if mention.span in asking else -0.15
        worth -= _UNLIKELY.get(kind, 0.0) if info is not None else 0.0
        grown = draft.using("group", index, worth=worth).using("operator", per)
        grown = grown.trait("group_asked", float(per is not None))
        keys, shown = identity(scene, ref)
        referring = kind == "reference" and keys != (Col(ref),)
        if referring:
            # What is referred to by its key beside its names, whichever of the two is asked for.
            keys, shown = with_key(scene, keys, shown)
        yield Group(keys, shown, grown, asked=per is not None)
        if info is not None and keys != (Col(ref),) and (kind == "name" or (referring and info.nulls > 0)):
            # The names that several rows have; references with the rows that refer to nothing.
            coded = grown.trait("code_shown", 1.0, worth=-0.3 if mention.span in asking else -0.05)
            yield Group((Col(ref),), (Col(ref),), coded, asked=per is not None)


def _described(scene: Scene, single: Sequence[Group]) -> Iterator[Group]:
    """Things with further columns of their own: ``name and phone of patients with more than one visit``."""
    for group in single:
        first = group.shown[0]
        if group.buckets or not isinstance(first, Col) or first.ref not in scene.table(first.ref.table).naming:
            continue
        table = scene.table(first.ref.table)
        own = [i for i in group.draft.free(scene.columns) if _describes(scene, i, table.name)]
        exprs = [expr for i in own if (ref := scene[i].ref) is not None for expr in identity(scene, ref)[1]]
        if exprs:
            key = () if table.key is None else (Col(table.key),)
            shown = tuple(dict.fromkeys((*group.shown, *exprs)))
            draft = group.draft.using("shown", *own, worth=0.05).trait("described")
            yield Group(tuple(dict.fromkeys((*key, *group.keys))), shown, draft, asked=group.asked)


def _describes(scene: Scene, index: int, table: str) -> bool:
    mention = scene[index]
    return mention.ref is not None and mention.ref.table == table and not mention.order


def are_people(scene: Scene, table: str) -> bool:
    """Whether the rows of a table are people."""
    return is_kind(scene.table(table).concepts, "person")


def asks_who(scene: Scene) -> bool:
    """Whether the question begins with who."""
    cues = [cue for i in scene.cues("wh") if (cue := scene[i].cue) is not None and cue.span.first == 0]
    return any(cue.args.get("type") == "person" for cue in cues)


def _unnamed(scene: Scene, draft: Draft, tables: tuple[str, ...]) -> Iterator[Group]:
    """Things that only a question word or an agent noun stands for: ``who sold the most``, ``top spenders``."""
    cue = scene.first_free(draft, "wh", "exists")
    operator = scene.operator(cue)
    agents = _has_agent(scene, draft)
    ranks = scene.cue("most", "top", "common", "compare", "above_average") is not None
    if not ranks or (operator is None and not agents):
        return
    person = agents or operator is None or operator.args.get("type", "person") == "person"
    near = {name: far for table in tables for name, far in scene.catalogue.ancestors(table).items()}
    named = [name for name, far in near.items() if far <= 1 and scene.table(name).naming]
    # Who spent most stands some references away from the lines of the bills.
    people = [name for name in near if scene.table(name).naming and are_people(scene, name)]
    named = people if person and people else named
    least = 0.0 if people and (agents or asks_who(scene)) else -0.2
    for rank, name in enumerate(dict.fromkeys(named)):
        keys, shown = identity(scene, Ref(name, "*"))
        grown = draft.using("group", cue).trait("default_group", 1.0, worth=least - 0.1 * rank)
        yield Group(keys, shown, grown, asked=person)


def _has_agent(scene: Scene, draft: Draft) -> bool:
    """Whether a figure is named by who does it."""
    spans = [scene[i].span for i, role in draft.used if role == "measure"]
    tokens = scene.lattice.question.tokens
    return any(span.last > span.first and verbs_of(tokens[span.last - 1].norm) for span in spans)


def _compared(scene: Scene, draft: Draft) -> Iterator[Group]:
    """Values of one column side by side: ``elm vs oak``, 周末和工作日."""
    values = list(scene.cover.indexes("value"))
    cue = scene.first_free(draft, "versus")
    by_ref: dict[Ref, list[int]] = {}
    for index in values:
        ref = scene[index].ref
        assert ref is not None
        by_ref.setdefault(ref, []).append(index)
    states = draft.free(scene.cover.indexes("state"))
    if len(states) > 1 and (cond := scene[states[0]].cond) is not None:
        grown = draft.using("operator", cue, worth=0.3).using("group", *states)
        yield Group((cond.left,), (cond.left,), grown, asked=True)
    for item in draft.where if cue is not None else ():
        if isinstance(item, Cond) and isinstance(item.left, Part) and item.op == "in":
            yield Group((item.left,), (item.left,), draft.using("operator", cue, worth=0.3), buckets=True, asked=True)
    for ref, indexes in by_ref.items():
        if len(indexes) > 1 or cue is not None:
            worth = 0.35 if cue is not None and len(indexes) > 1 else -0.1
            grown = draft.using("operator", cue, worth=worth).trait("compared_values")
            yield Group((Col(ref),), (Col(ref),), grown, asked=cue is not None)
