"""Converts figures to the unit that a question asks for: a column of seconds to hours, days to minutes."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from kbtui.nl2sql.draft import Scene
from kbtui.nl2sql.figures import Figure
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.number_literals import plain_number, ratio_of, units_in
from kbtui.nl2sql.query import Agg, Arith, Col, Expr
from kbtui.text.units import currencies

_UNIT_CUES: Final = ("unit", "how_much", "duration")

_POUND: Final = "lb"
"""The unit of pounds, which may be money."""


def in_requested_unit(scene: Scene, figure: Figure) -> Figure:
    """The figure converted, the cue of the unit used; unchanged if the unit measures something else."""
    requested = next(((i, unit) for i in scene.cues(*_UNIT_CUES) if (unit := units_in(scene, i))), None)
    if requested is None or figure.counts:
        return figure
    index, unit = requested
    draft = figure.draft.using("operator", index)
    if unit in (*currencies(), _POUND) and all(_is_money(scene, expr) for expr in figure.exprs):
        return replace(figure, draft=draft)
    ratios = [ratio_of(_unit_of(scene, expr), unit) for expr in figure.exprs]
    if None in ratios:
        return figure
    exprs = (_scaled(expr, ratio) for expr, ratio in zip(figure.exprs, ratios, strict=True) if ratio is not None)
    return replace(figure, draft=draft, exprs=tuple(exprs))


def _scaled(expr: Expr, ratio: Fraction) -> Expr:
    if ratio == 1:
        return expr
    return Arith("*", expr, plain_number(ratio)) if ratio > 1 else Arith("/", expr, plain_number(1 / ratio))


def _unit_of(scene: Scene, expr: Expr) -> str:
    """The unit of a figure; empty if unknown."""
    match expr:
        case Agg(arg=Col(ref)):
            info = scene.info(ref)
            return "" if info is None else info.unit
        case Agg(arg=Arith("-", Col(end), Col(start))):
            dates = [scene.info(ref) for ref in (end, start)]
            return "day" if all(info is not None and info.kind == "date" for info in dates) else ""
        case _:
            return ""


def _is_money(scene: Scene, expr: Expr) -> bool:
    info = scene.info(expr.arg.ref) if isinstance(expr, Agg) and isinstance(expr.arg, Col) else None
    return info is not None and (info.unit in currencies() or (not info.unit and is_kind(info.concepts, "money")))
