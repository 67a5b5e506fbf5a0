from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.meaning import Meaning
from kbtui.nl2sql.query import Agg, Col, Cond, Query, Ref
from tests.nl2sql.garden import catalogue, mention, question

WATER, HEIGHT = Ref("plants", "water"), Ref("plants", "height")
BED, SUMMED = Ref("plants", "bed"), Agg("sum", Col(WATER))
PLANTED = Ref("plants", "planted")
PLANTS, GARDENERS = Ref("plants", "*"), Ref("gardeners", "*")


def garden() -> Catalogue:
    """Plants are about their water, and lines of the bed they stand in."""
    known = catalogue()
    plants = replace(known.tables["plants"], amount=WATER, grain=BED)
    return replace(known, tables={**known.tables, "plants": plants})


def found(text: str, query: Query, *mentions: Mention) -> dict[str, float]:
    return Meaning(Lattice(question=question(text), catalogue=garden(), mentions=mentions)).features(query)


def test_the_sum_that_rows_are_about_is_told_from_another() -> None:
    assert found("how much", Query((Agg("sum", Col(WATER)),)))["amount_main"] == 1.0
    assert found("how much", Query((Agg("sum", Col(HEIGHT)),)))["amount_main"] == 0.0


def test_a_table_that_is_named_is_met_or_missed() -> None:
    gardeners = mention(0, 1, GARDENERS)
    named = found("gardeners", Query((Agg("count", Col(GARDENERS)),)), gardeners)
    other = found("gardeners", Query((Agg("count", Col(PLANTS)),)), gardeners)
    assert (named["things_met"], named["things_missed"]) == (1.0, 0.0)
    assert (other["things_met"], other["things_missed"]) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (Query((Agg("median", Col(WATER)),)), "lines_averaged"),
        (Query((Agg("count", Col(PLANTS)),)), "lines_counted"),
        (Query((Agg("count", Col(BED), distinct=True),)), "grain_met"),
        (Query((Col(BED), Agg("avg", Col(WATER))), group=(Col(BED),)), "grain_met"),
        (Query((Agg("median", Col(Ref("", "c1"))),), inner=Query((Col(BED), SUMMED), group=(Col(BED),))), "grain_met"),
    ],
)
def test_figures_of_lines_are_told_from_those_of_what_they_are_lines_of(query: Query, told: str) -> None:
    features = found("beds", query, mention(0, 1, PLANTS))
    names = ("lines_averaged", "lines_counted", "grain_met")
    assert {name for name in names if features[name]} == {told}
    assert "grain_met" not in found("beds", query)


def test_a_forecast_is_objected_to_unless_rows_are_dated_ahead() -> None:
    text, cues = "will plants grow", [(0, 1, "future", {})]
    lattice = Lattice(question=question(text, cues=cues, today=date(2026, 11, 20)), catalogue=garden(), mentions=())
    ahead = Query((Col(PLANTS),), where=(Cond(Col(PLANTED), ">=", date(2026, 12, 1)),))
    assert Meaning(lattice).features(Query((Col(PLANTS),)))["asks_ahead"] == 1.0
    assert Meaning(lattice).features(ahead)["asks_ahead"] == 0.0
