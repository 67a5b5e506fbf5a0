from __future__ import annotations

from datetime import date

import pytest
from msgspec import structs
from msgspec.structs import replace

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.meaning import Meaning
from kbtui.nl2sql.query import Agg, Arith, Col, Cond, Order, Part, Query, Ref
from kbtui.question.model import Period, TokenSpan
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
    return replace(known, tables={**known.tables, "plants": plants})


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
    return replace(known, tables={**known.tables, "plants": plants})


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
            catalogue=replace(known, tables={**known.tables, "plants": plants}),
            mentions=(),
        )
    )
    watered = Query((Col(WATER),), order=(Order(Col(WATER), desc=True),), limit=1)
    high = structs.replace(watered, order=(Order(Col(HEIGHT), desc=True),))
    assert meaning.features(watered, ())["ranks_off_concept"] == 1.0
    assert meaning.features(high, ())["ranks_off_concept"] == 0.0
    named = (Use(mention(0, 1, WATER), "order"),)
    assert meaning.features(watered, named)["ranks_off_concept"] == 0.0


def test_groups_by_another_date_than_the_one_of_the_period_are_told() -> None:
    year = Cond(Col(PLANTED), ">=", date(2026, 1, 1))
    same = Query((Agg("count", Col(PLANTS)),), where=(year,), group=(Part("month", Col(PLANTED)),))
    other = Query((Agg("count", Col(PLANTS)),), where=(year,), group=(Part("month", Col(POTTED)),))
    assert (found("planted", same)["bucket_off_period"], found("planted", other)["bucket_off_period"]) == (0.0, 1.0)


def test_a_date_that_ends_before_the_period_is_not_the_one_that_is_named() -> None:
    planted, potted = mention(0, 1, PLANTED, 0.8), mention(0, 1, POTTED, 0.5)
    june = Period(span=TokenSpan(1, 3), first=date(2026, 6, 1), last=date(2026, 6, 30), grain="month")
    asked = question("planted in june", periods=(june,))
    known = Lattice(question=asked, catalogue=garden(), mentions=(planted, potted))
    query = Query((Col(PLANTS),), where=(Cond(Col(POTTED), "between", (date(2026, 6, 1), date(2026, 6, 30))),))
    assert Meaning(known).features(query, ())["date_behind"] == 0.0


def test_a_date_of_birth_needs_a_word_that_names_it() -> None:
    known = garden()
    plants = known.tables["plants"]
    born = replace(plants.columns[5], ref=Ref("plants", "sown"), concepts=frozenset({"birth"}))
    plants = replace(plants, columns=(*plants.columns, born))
    known = replace(known, tables={**known.tables, "plants": plants})
    query = Query((Col(PLANTS),), where=(Cond(Col(born.ref), ">=", date(2026, 1, 1)),))
    named = mention(0, 1, born.ref, 0.8)
    for mentions, unnamed in (((), 1.0), ((named,), 0.0)):
        lattice = Lattice(question=question("new"), catalogue=known, mentions=mentions)
        assert Meaning(lattice).features(query, ())["date_of_life"] == unnamed


def test_what_is_listed_is_what_the_question_names_first() -> None:
    plants, gardeners = mention(0, 1, PLANTS), mention(3, 4, GARDENERS)
    mine = found("plants of the gardener", Query((Col(PLANTS),)), plants, gardeners)
    other = found("plants of the gardener", Query((Col(GARDENERS),)), plants, gardeners)
    assert (mine["head_not_listed"], other["head_not_listed"]) == (0.0, 1.0)


def test_what_is_left_over_is_what_the_question_names_first() -> None:
    plants, gardeners = mention(0, 1, PLANTS), mention(2, 3, GARDENERS)
    tended = Query((Col(Ref("plants", "gardener_id")),))
    idle = Query((Col(GARDENERS),), where=(Cond(Col(Ref("gardeners", "id")), "not in", tended),))
    assert found("plants without gardener", idle, plants, gardeners)["head_not_left_over"] == 1.0


def test_what_is_most_common_is_not_the_row_with_the_highest_figure() -> None:
    asked = question("busiest plant", cues=((0, 1, "common", {}),))
    highest = Query((Col(PLANTS),), order=(Order(Col(WATER), True),), limit=1)
    counted = structs.replace(highest, order=(Order(Agg("count", Col(PLANTS)), True),))
    meaning = Meaning(Lattice(question=asked, catalogue=garden(), mentions=()))
    assert meaning.features(highest, ())["common_by_attribute"] == 1.0
    assert meaning.features(counted, ())["common_by_attribute"] == 0.0


def test_a_column_of_the_rows_themselves_goes_before_one_of_the_same_words_elsewhere() -> None:
    own, joined = mention(0, 1, Ref("plants", "name"), 0.8), mention(0, 1, Ref("gardeners", "name"), 0.9)
    query = Query((Agg("count", Col(PLANTS)),), group=(Col(Ref("gardeners", "name")),))
    uses = (Use(joined, "group"),)
    assert found("name", query, own, joined, uses=uses)["own_column_passed"] == 1.0
    assert found("name", query, joined, uses=uses)["own_column_passed"] == 0.0


def test_a_value_that_is_read_from_a_part_of_its_words_is_told() -> None:
    late = Mention(span=TokenSpan(0, 1), kind="value", how="part", ref=Ref("plants", "bed"), values=("late north",))
    assert found("north", Query((Col(PLANTS),)), uses=(Use(late, "filter"),))["value_in_part"] == 1.0


def test_a_forecast_is_objected_to_unless_rows_are_dated_ahead() -> None:
    text, cues = "will plants grow", [(0, 1, "future", {})]
    lattice = Lattice(question=question(text, cues=cues, today=date(2026, 11, 20)), catalogue=garden(), mentions=())
    ahead = Query((Col(PLANTS),), where=(Cond(Col(PLANTED), ">=", date(2026, 12, 1)),))
    assert Meaning(lattice).features(Query((Col(PLANTS),)), ())["asks_ahead"] == 1.0
    assert Meaning(lattice).features(ahead, ())["asks_ahead"] == 0.0


def test_groups_by_another_date_than_the_one_that_is_named_are_behind() -> None:
    potted = mention(0, 1, POTTED, 0.8)
    mine, other = (
        found(
            "potted",
            Query((Part("month", Col(ref)), Agg("count", Col(PLANTS))), group=(Part("month", Col(ref)),)),
            potted,
        )
        for ref in (POTTED, PLANTED)
    )
    assert (mine["bucket_named"], mine["bucket_behind"]) == (1.0, 0.0)
    assert (other["bucket_named"], other["bucket_behind"]) == (0.0, 0.8)


def test_the_period_of_a_single_figure_is_one_like_that_of_the_rows() -> None:
    day = Cond(Col(PLANTED), ">=", date(2026, 1, 1))
    counted = Query((Agg("count", Col(PLANTS), where=(day,)),))
    assert found("potted", counted, mention(0, 1, POTTED, 0.8))["date_behind"] == 0.8


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (Agg("count", Col(PLANTS)), "number_counts_things"),
        (SUMMED, "number_of_things_elsewhere"),
        (Col(HEIGHT), "number_of_things_elsewhere"),
    ],
)
def test_a_number_of_things_is_one_of_rows_that_are_counted(left: Agg | Col, told: str) -> None:
    conds = (Cond(left, ">", 3),)
    query = Query((Col(BED),), group=(Col(BED),), having=conds) if isinstance(left, Agg) else Query((Col(BED),), conds)
    features = found("beds with over 3 plants", query, mention(4, 5, PLANTS))
    both = ("number_counts_things", "number_of_things_elsewhere")
    assert {name for name in both if features.get(name)} == {told}
    as_column = found("beds with over 3 plants", query, mention(4, 5, PLANTS), mention(4, 5, HEIGHT))
    assert not any(as_column.get(name) for name in both)


@pytest.mark.parametrize(
    ("text", "first", "apart"),
    [("height of all the beds", 4, 1.0), ("height of the beds", 3, 0.0), ("所有 苗床 的 高度", 1, 1.0)],
)
def test_all_things_together_are_no_groups(text: str, first: int, apart: float) -> None:
    bed = mention(first, first + 1, BED)
    query = Query((Col(BED), Agg("avg", Col(HEIGHT))), group=(Col(BED),))
    assert found(text, query, bed, uses=(Use(bed, "group"),))["groups_all"] == apart


def test_a_thing_that_is_listed_with_another_and_not_shown_is_told() -> None:
    uses = (Use(mention(0, 1, PLANTS), "subject"), Use(mention(2, 3, GARDENERS), "subject"))
    alone = Query((Col(BED),))
    beside = Query((Col(BED), Col(Ref("gardeners", "name"))))
    assert found("plants with gardeners", alone, uses=uses)["beside_unshown"] == 1.0
    assert found("plants with gardeners", beside, uses=uses)["beside_unshown"] == 0.0
