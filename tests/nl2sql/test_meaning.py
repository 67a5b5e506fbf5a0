from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.meaning import Meaning
from kbtui.nl2sql.query import Agg, Arith, Col, Cond, Order, Query, Ref
from kbtui.question.model import TokenSpan
from tests.nl2sql.garden import catalogue, column, mention, question

WATER, HEIGHT = Ref("plants", "water"), Ref("plants", "height")
BED, SUMMED = Ref("plants", "bed"), Agg("sum", Col(WATER))
PRODUCT = Ref("plants", "=height × height")
PLANTED, POTTED = Ref("plants", "planted"), Ref("plants", "potted")
PLANTS, GARDENERS = Ref("plants", "*"), Ref("gardeners", "*")


def garden() -> Catalogue:
    """Plants are about their water, and have two dates."""
    known = catalogue()
    plants = known.tables["plants"]
    squared = replace(column("plants", PRODUCT.column, "measure"), formula=Arith("*", Col(HEIGHT), Col(HEIGHT)))
    plants = replace(
        plants, amount=WATER, calculated=(squared,), columns=(*plants.columns, column("plants", "potted", "date"))
    )
    return replace(known, tables={**known.tables, "plants": plants}, _columns={})


def found(text: str, query: Query, *mentions: Mention, uses: tuple[Use, ...] = ()) -> dict[str, float]:
    lattice = Lattice(question=question(text), catalogue=garden(), mentions=mentions)
    return Meaning(lattice).features(query, uses)


def test_the_sum_that_rows_are_about_is_told_from_another_and_from_a_calculated_one() -> None:
    assert found("how much", Query((Agg("sum", Col(WATER)),)))["amount_main"] == 1.0
    assert found("how much", Query((Agg("sum", Col(HEIGHT)),)))["amount_other"] == 1.0
    product = Query((Agg("sum", Col(PRODUCT)),))
    assert found("how much", product)["amount_calculated"] == 1.0


def test_a_sum_that_is_named_is_none_beside_the_main_one() -> None:
    height = mention(0, 1, HEIGHT)
    assert found("height", Query((Agg("sum", Col(HEIGHT)),)), height)["amount_other"] == 0.0


def test_rows_counted_of_a_table_that_is_named_speak_for_a_count() -> None:
    gardeners = mention(0, 1, GARDENERS)
    named = found("gardeners", Query((Agg("count", Col(GARDENERS)),)), gardeners)
    other = found("gardeners", Query((Agg("count", Col(PLANTS)),)), gardeners)
    assert (named["counts_named"], named["things_missed"]) == (1.0, 0.0)
    assert (other["counts_unnamed"], other["things_missed"]) == (1.0, 1.0)


def test_a_period_on_another_date_than_the_one_that_is_named_is_behind() -> None:
    potted = mention(0, 1, POTTED, 0.8)
    day = date(2026, 1, 1)
    mine = found("potted", Query((Col(PLANTS),), where=(Cond(Col(POTTED), ">=", day),)), potted)
    other = found("potted", Query((Col(PLANTS),), where=(Cond(Col(PLANTED), ">=", day),)), potted)
    assert (mine["date_named"], mine["date_behind"]) == (1.0, 0.0)
    assert (other["date_named"], other["date_behind"]) == (0.0, 0.8)


def test_a_value_that_is_a_name_as_well_and_one_of_two_letters_are_told() -> None:
    value = Mention(span=TokenSpan(0, 1), kind="value", ref=Ref("plants", "bed"), values=("NO",), how="exact")
    facts = found("plants", Query((Col(PLANTS),)), mention(0, 1, PLANTS), uses=(Use(value, "filter"),))
    assert (facts["value_is_name"], facts["value_short"]) == (1.0, 1.0)


def test_ranking_by_another_column_than_the_adjective_names_is_told() -> None:
    tallest = mention(0, 1, HEIGHT, order="desc")
    by_height = Query((Col(PLANTS),), order=(Order(Col(HEIGHT), desc=True),), limit=1)
    by_count = Query((Col(PLANTS),), order=(Order(Agg("count", Col(PLANTS)), desc=True),), limit=1)
    assert found("tallest", by_height, tallest)["ranks_named"] == 1.0
    assert found("tallest", by_count, tallest)["ranks_other"] == 1.0


def test_a_period_belongs_to_the_date_that_a_state_is_about() -> None:
    day = date(2026, 1, 1)
    gone = Cond(Col(POTTED), "not null")
    mine = found("gone", Query((Col(PLANTS),), where=(gone, Cond(Col(POTTED), ">=", day))))
    other = found("gone", Query((Col(PLANTS),), where=(gone, Cond(Col(PLANTED), ">=", day))))
    assert (mine["period_off_state"], other["period_off_state"]) == (0.0, 1.0)


def bedded() -> Catalogue:
    """Plants are lines of the bed they stand in."""
    known = catalogue()
    plants = replace(known.tables["plants"], grain=BED)
    return replace(known, tables={**known.tables, "plants": plants}, _columns={})


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
    spoken = Lattice(question=question("beds"), catalogue=bedded(), mentions=(mention(0, 1, PLANTS),))
    features = Meaning(spoken).features(query, ())
    names = ("lines_averaged", "lines_counted", "grain_met")
    assert {name for name in names if features[name]} == {told}
    assert "grain_met" not in Meaning(Lattice(question=question("beds"), catalogue=bedded(), mentions=())).features(
        query, ()
    )


def test_different_values_of_what_rows_are_lines_of_are_a_count_of_the_table() -> None:
    spoken = Lattice(question=question("beds"), catalogue=bedded(), mentions=(mention(0, 1, PLANTS),))
    beds = Meaning(spoken).features(Query((Agg("count", Col(BED), distinct=True),)), ())
    assert beds["counts_named"] == 1.0


def test_rows_are_not_ranked_by_a_column_that_the_superlative_does_not_mean() -> None:
    tallest = question("tallest plants", cues=[(0, 1, "most", {"direction": "desc", "concept": "height"})])
    tall = replace(column("plants", "height", "rate"), concepts=frozenset({"height"}))
    known = catalogue()
    plants = replace(known.tables["plants"], columns=(tall, *known.tables["plants"].columns[4:]))
    meaning = Meaning(
        Lattice(
            question=tallest,
            catalogue=replace(known, tables={**known.tables, "plants": plants}, _columns={}),
            mentions=(),
        )
    )
    watered = Query((Col(WATER),), order=(Order(Col(WATER), desc=True),), limit=1)
    high = replace(watered, order=(Order(Col(HEIGHT), desc=True),))
    assert meaning.features(watered, ())["ranks_off_concept"] == 1.0
    assert meaning.features(high, ())["ranks_off_concept"] == 0.0
    named = (Use(mention(0, 1, WATER), "order"),)
    assert meaning.features(watered, named)["ranks_off_concept"] == 0.0
