from __future__ import annotations

from datetime import date

import pytest
from msgspec.structs import replace

from kbtui.nl2sql.candidate import Use
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.meaning import Meaning, head_tables
from kbtui.nl2sql.query import Agg, Col, Cond, Order, Part, Query, Ref
from kbtui.question.model import Period, TokenSpan
from tests.nl2sql.garden import catalogue, column, lattice, mention, question

WATER, HEIGHT = Ref("plants", "water"), Ref("plants", "height")
BED, SUMMED = Ref("plants", "bed"), Agg("sum", Col(WATER))
PLANTED, POTTED = Ref("plants", "planted"), Ref("plants", "potted")
PLANTS, GARDENERS = Ref("plants", "*"), Ref("gardeners", "*")


def garden() -> Catalogue:
    """Plants are about their water, and have two dates."""
    known = catalogue()
    plants = known.tables["plants"]
    plants = replace(plants, amount=WATER, columns=(*plants.columns, column("plants", "potted", "date")))
    return replace(known, tables={**known.tables, "plants": plants})


def found(text: str, query: Query, *mentions: Mention, uses: tuple[Use, ...] = ()) -> dict[str, float]:
    known = Lattice(question=question(text), catalogue=garden(), mentions=mentions)
    return Meaning(known).features(query, uses)


def test_the_sum_that_rows_are_about_is_told_from_another() -> None:
    assert found("how much", Query((Agg("sum", Col(WATER)),)))["amount_main"] == 1.0
    assert found("how much", Query((Agg("sum", Col(HEIGHT)),)))["amount_main"] == 0.0


def test_rows_counted_of_a_table_that_is_named_speak_for_a_count() -> None:
    gardeners = mention(0, 1, GARDENERS)
    named = found("gardeners", Query((Agg("count", Col(GARDENERS)),)), gardeners)
    other = found("gardeners", Query((Agg("count", Col(PLANTS)),)), gardeners)
    assert (named["counts_named"], named["things_missed"]) == (1.0, 0.0)
    assert (other["counts_unnamed"], other["things_missed"]) == (1.0, 1.0)


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


def test_a_date_that_ends_before_the_period_is_not_the_one_that_is_named() -> None:
    planted, potted = mention(0, 1, PLANTED, 0.8), mention(0, 1, POTTED, 0.5)
    june = Period(span=TokenSpan(1, 3), first=date(2026, 6, 1), last=date(2026, 6, 30), grain="month")
    asked = question("planted in june", periods=(june,))
    known = Lattice(question=asked, catalogue=garden(), mentions=(planted, potted))
    query = Query((Agg("count", Col(PLANTS)),), group=(Part("month", Col(POTTED)),))
    assert Meaning(known).features(query, ())["bucket_behind"] == 0.0


def test_what_is_listed_is_what_the_question_names_first() -> None:
    plants, gardeners = mention(0, 1, PLANTS), mention(3, 4, GARDENERS)
    mine = found("plants of the gardener", Query((Col(PLANTS),)), plants, gardeners)
    other = found("plants of the gardener", Query((Col(GARDENERS),)), plants, gardeners)
    assert (mine["head_not_listed"], other["head_not_listed"]) == (0.0, 1.0)


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


@pytest.mark.parametrize(
    ("text", "first", "apart"),
    [("height of all the beds", 4, 1.0), ("height of the beds", 3, 0.0), ("所有 苗床 的 高度", 1, 1.0)],
)
def test_all_things_together_are_no_groups(text: str, first: int, apart: float) -> None:
    bed = mention(first, first + 1, BED)
    query = Query((Col(BED), Agg("avg", Col(HEIGHT))), group=(Col(BED),))
    assert found(text, query, bed, uses=(Use(bed, "group"),))["groups_all"] == apart


def test_the_first_noun_is_asked_for_in_english_and_the_last_one_in_chinese() -> None:
    known = lattice(question("plants of the gardener"), mention(0, 1, PLANTS), mention(3, 4, GARDENERS))
    assert head_tables(known) == {"plants"}
    assert head_tables(replace(known, question=replace(known.question, language="zh"))) == {"gardeners"}


def test_the_noun_behind_which_is_asked_for_wherever_it_stands() -> None:
    asked = question("north plants which gardener", cues=((2, 3, "wh", {}),))
    assert head_tables(lattice(asked, mention(1, 2, PLANTS), mention(3, 4, GARDENERS))) == {"gardeners"}


def test_a_value_may_be_the_noun_but_not_inside_an_operator_or_a_longer_name() -> None:
    north = Mention(span=TokenSpan(0, 1), kind="value", ref=Ref("plants", "bed"), values=("north",))
    asked = question("north of the gardener")
    assert head_tables(lattice(asked, north, mention(3, 4, GARDENERS))) == {"plants"}
    taken = question("north of the gardener", cues=((0, 1, "most", {}),))
    assert head_tables(lattice(taken, north, mention(3, 4, GARDENERS))) == {"gardeners"}


def test_no_noun_is_no_head() -> None:
    assert head_tables(Lattice(question=question("how many"), catalogue=catalogue(), mentions=())) == set()
