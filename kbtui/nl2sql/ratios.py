"""Figures that are quotients: a total per thing, or one measure over another.

``average bill`` is the total divided by the number of bills, ``energy per square metre`` one measure over another.
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
_MAX_GAP: Final = 2
_DEFAULT_MEASURE: Final = -0.15
_GRAIN: Final = -0.1
_MAX_MEASURES: Final = 2
_MAX_THINGS: Final = 3


def ratios(scene: Scene, draft: Draft) -> Iterator[Figure]:
    """Averages per thing, and quotients of two measures."""
    cue = scene.first_free(draft, "avg")
    per = _divider(scene, draft)
    if cue is None and per is None:
        return
    for total, total_draft in _totals(scene, draft):
        for thing, new_draft in _divisors(scene, total_draft, per, _table_of(total)):
            if total.arg != Col(thing):
                ratio = Arith("/", total, Agg("count", Col(thing), distinct=True))
                yield Figure((ratio,), new_draft.using("operator", cue, per).trait("ratio"), _table_of(total))
    if per is not None:
        yield from _quotients(scene, draft, per)


def _divider(scene: Scene, draft: Draft) -> int | None:
    """The first free word that may divide one figure by another: ``per`` and ``each``, not ``by`` or ``grouped by``.

    Where such a word begins two phrases, as in ``amount per seller per month``, they are groupings.
    """
    index = scene.first_free(draft, "per")
    if index is None or (cue := scene[index].cue) is None:
        return None
    tokens = scene.lattice.question.tokens
    first_words = [tokens[scene[at].span.first].text for at in scene.cues("per", "bucket")]
    word = tokens[cue.span.first].text
    return index if first_words.count(word) == 1 and (cue.args.get("every") or word.lower() == "per") else None


def _table_of(total: Agg) -> str:
    assert isinstance(total.arg, Col)
    return total.arg.ref.table


def _totals(scene: Scene, draft: Draft) -> Iterator[tuple[Agg, Draft]]:
    """Dividends: additive measures, else the amounts of rows, and numbers of rows."""
    mentioned = [i for i in draft.free(scene.columns) if (c := scene.column(i)) is not None and c.kind == "measure"]
    for index in mentioned[:_MAX_MEASURES]:
        info = scene.column(index)
        assert info is not None
        yield Agg("sum", Col(info.ref)), draft.using("measure", index)
    for rank, index in enumerate(draft.free(scene.tables)):
        ref = scene[index].ref
        assert ref is not None
        yield Agg("count", Col(ref)), draft.using("measure", index, worth=-0.05 * rank)
    if not mentioned:
        for name in scene.usual_tables()[:2]:
            for info in [c for c in scene.table(name).columns if c.kind == "measure" and is_kind(c.concepts, "money")][
                :1
            ]:
                yield Agg("sum", Col(info.ref)), draft.trait("default_measure", 1.0, worth=_DEFAULT_MEASURE)


def _divisors(scene: Scene, draft: Draft, per: int | None, table: str) -> Iterator[tuple[Ref, Draft]]:
    """Divisors: mentioned things, directly after ``per`` if there is one, and the grain of the table."""
    count = 0
    for index in draft.free((*scene.columns, *scene.tables)):
        ref = scene[index].ref
        if ref is None or scene[index].order or (per is not None and not 0 < index - per <= _MAX_GAP):
            continue
        thing = _counted_column(scene, ref, table)
        if thing is not None and count < _MAX_THINGS:
            count += 1
            yield thing, draft.using("group", index)
    grain = scene.table(table).grain
    if grain is not None:
        yield grain, draft.trait("grain", 1.0, worth=_GRAIN)


def _counted_column(scene: Scene, ref: Ref, table: str) -> Ref | None:
    """The column whose distinct values are counted: for a table its grain, its key, or the reference to it."""
    info = scene.info(ref)
    if info is not None:
        return ref if info.kind in _THINGS else None
    if ref.table == table:
        return scene.table(table).grain
    pair = scene.referring(table, ref.table)
    return scene.table(ref.table).key if pair is None else pair[0]


def _quotients(scene: Scene, draft: Draft, per: int) -> Iterator[Figure]:
    """Quotients of two measures: ``energy per square metre``."""
    numeric = [i for i in draft.free(scene.columns) if is_numeric(scene.column(i))]
    measures = [i for i in numeric if gap(scene.cover, i, per) <= _MAX_GAP]
    dividends = [i for i in measures if i < per][-1:]
    divisors = [i for i in measures if i > per][:1]
    for first, second in zip(dividends, divisors, strict=False):
        dividend, divisor = scene.column(first), scene.column(second)
        assert dividend is not None
        assert divisor is not None
        new_draft = draft.using("operator", per).using("measure", first, second).trait("quotient")
        yield Figure((Arith("/", _aggregate(dividend), _aggregate(divisor)),), new_draft, dividend.ref.table)


def _aggregate(info: ColumnInfo) -> Expr:
    return Agg(default_function(info), Col(info.ref))
