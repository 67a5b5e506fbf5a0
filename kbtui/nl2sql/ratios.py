"""Figures made of two: so much per thing, one column less or over another, as business words ask for them.

``average bill`` is the total over the number of bills, ``profit`` revenue less cost, ``density`` people over area.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.cover import gap
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.figures import Figure, default_function, is_numeric
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.query import Agg, Arith, Col, Expr, Ref

_THINGS: Final = ("reference", "key", "code", "name", "category")
_NEAR: Final = 2
_UNASKED: Final = -0.15
_OF_GRAIN: Final = -0.1
_MOST_MEASURES: Final = 2
_MOST_THINGS: Final = 3


def ratios(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Averages for each thing, and quotients of two measures."""
    cue = scene.first_free(draft, "avg")
    per = scene.first_free(draft, "per")
    if cue is None and (per is None or _said_again(scene, per)):
        return
    for total, measured in _totals(scene, draft):
        for thing, grown in _things(scene, measured, per, _table_of(total)):
            if total.arg != Col(thing):
                ratio = Arith("/", total, Agg("count", Col(thing), distinct=True))
                yield Figure((ratio,), grown.using("operator", cue, per).trait("ratio"), _table_of(total))
    if per is not None:
        yield from _quotients(scene, draft, per)


def _said_again(scene: Scene, per: int) -> bool:
    """Whether the word of ``per`` begins two phrases, as in ``amount per seller per month``: groupings, no quotient."""
    tokens = scene.lattice.question.tokens
    first = [tokens[scene[index].span.first].text for index in scene.cues("per", "bucket")]
    return first.count(tokens[scene[per].span.first].text) > 1


def _table_of(total: Agg) -> str:
    assert isinstance(total.arg, Col)
    return total.arg.ref.table


def _totals(scene: Scene, draft: Draft) -> Iterator[tuple[Agg, Draft]]:
    """What is divided: a measure that adds up, else the money of the rows, else the rows themselves."""
    named = [i for i in draft.free(scene.columns) if (c := scene.column(i)) is not None and c.kind == "measure"]
    for index in named[:_MOST_MEASURES]:
        info = scene.column(index)
        assert info is not None
        yield Agg("sum", Col(info.ref)), draft.using("measure", index)
    for rank, index in enumerate(draft.free(scene.tables)):
        ref = scene[index].ref
        assert ref is not None
        yield Agg("count", Col(ref)), draft.using("measure", index, worth=-0.05 * rank)
    if not named:
        for name in scene.usual_tables()[:2]:
            for info in [c for c in scene.table(name).columns if c.kind == "measure" and is_kind(c.concepts, "money")][
                :1
            ]:
                yield Agg("sum", Col(info.ref)), draft.trait("default_measure", 1.0, worth=_UNASKED)


def _things(scene: Scene, draft: Draft, per: int | None, table: str) -> Iterator[tuple[Ref, Draft]]:
    """What there is so much for each of: what is named, right behind ``per`` if that stands there; else the grain."""
    found = 0
    for index in draft.free((*scene.columns, *scene.tables)):
        ref = scene[index].ref
        if ref is None or scene[index].order or (per is not None and not 0 < index - per <= _NEAR):
            continue
        thing = _counted(scene, ref, table)
        if thing is not None and found < _MOST_THINGS:
            found += 1
            yield thing, draft.using("group", index)
    grain = scene.table(table).grain
    if grain is not None:
        yield grain, draft.trait("grain", 1.0, worth=_OF_GRAIN)


def _counted(scene: Scene, ref: Ref, table: str) -> Ref | None:
    """The column whose different values are the things: of a table its grain, its key, or the reference to it."""
    info = scene.info(ref)
    if info is not None:
        return ref if info.kind in _THINGS else None
    if ref.table == table:
        return scene.table(table).grain
    pair = scene.referring(table, ref.table)
    return scene.table(ref.table).key if pair is None else pair[0]


def _quotients(scene: Scene, draft: Draft, per: int) -> Iterator[Figure]:
    """``energy per square metre``: one measure over another."""
    measures = [
        i for i in draft.free(scene.columns) if is_numeric(scene.column(i)) and gap(scene.cover, i, per) <= _NEAR
    ]
    over = [i for i in measures if i < per][-1:]
    under = [i for i in measures if i > per][:1]
    for first, second in zip(over, under, strict=False):
        one, two = scene.column(first), scene.column(second)
        assert one is not None
        assert two is not None
        grown = draft.using("operator", per).using("measure", first, second).trait("quotient")
        yield Figure((Arith("/", _whole(one), _whole(two)),), grown, one.ref.table)


def _whole(info: ColumnInfo) -> Expr:
    return Agg(default_function(info), Col(info.ref))
