from __future__ import annotations

import pytest

from kbtui.nl2sql.query import Agg, AnyOf, Col, Cond, Query, Ref
from kbtui.nl2sql.requested_columns import RequestedColumns
from tests.nl2sql.garden import lattice, mention, question

PLANTS, NAME, BED, HEIGHT = Ref("plants", "*"), Ref("plants", "name"), Ref("plants", "bed"), Ref("plants", "height")
GARDENERS = Ref("gardeners", "*")
LIST = (0, 2, "list", {})


def features(query: Query) -> dict[str, float]:
    """Of "show the name and height of plants in the bed north"."""
    asked = question("show the name and height of plants in the bed north", cues=[LIST, (3, 4, "and", {})])
    named = mention(2, 3, NAME), mention(4, 5, HEIGHT), mention(6, 7, PLANTS), mention(9, 10, BED)
    return RequestedColumns(lattice(asked, *named)).features(query)


@pytest.mark.parametrize(
    ("shown", "missing"),
    [
        ((Col(NAME), Col(HEIGHT)), 0.0),
        ((Col(BED), Col(NAME), Agg("max", Col(HEIGHT))), 0.0),
        ((Col(PLANTS),), 0.0),
        ((Col(NAME), Agg("count", Col(PLANTS))), 1.0),
        ((Col(NAME), Agg("count", Col(HEIGHT), distinct=True)), 1.0),
        ((Col(BED),), 2.0),
    ],
)
def test_columns_that_are_asked_for_together_are_to_be_shown(shown: tuple[Col | Agg, ...], missing: float) -> None:
    assert features(Query(shown))["asked_missing"] == missing


def test_a_column_of_the_same_words_will_do() -> None:
    other = Ref("gardeners", "name")
    linked = lattice(question("show the name", cues=[LIST]), mention(2, 3, NAME), mention(2, 3, other, 0.7, how="part"))
    assert RequestedColumns(linked).features(Query((Col(other),)))["asked_missing"] == 0.0
    assert RequestedColumns(linked).features(Query((Col(BED),)))["asked_missing"] == 1.0


def test_a_relative_pronoun_asks_to_see_nothing() -> None:
    asked = question("plants which height tells", cues=[(1, 2, "wh", {})])
    linked = lattice(asked, mention(0, 1, PLANTS), mention(2, 3, HEIGHT))
    assert "asked_missing" not in RequestedColumns(linked).features(Query((Col(NAME),)))


def test_words_that_are_part_of_a_name_ask_for_it_where_no_other_begins_with_them() -> None:
    part, name = mention(1, 2, HEIGHT, 0.87, how="part"), mention(1, 2, NAME)
    alone = RequestedColumns(lattice(question("show size", cues=[(0, 1, "list", {})]), part))
    assert alone.features(Query((Col(BED),)))["asked_missing"] == 1.0
    longer = mention(1, 3, HEIGHT, 0.87, how="part")
    beside = RequestedColumns(lattice(question("show name size", cues=[(0, 1, "list", {})]), name, longer))
    assert beside.features(Query((Col(NAME),)))["asked_missing"] == 0.0


def test_either_of_two_values_is_not_both() -> None:
    linked = lattice(question("plants with both", cues=[(2, 3, "both", {})]))
    either, north = Cond(Col(BED), "in", ("north", "south")), Cond(Col(BED), "=", "north")

    def taken(query: Query) -> float:
        return RequestedColumns(linked).features(query)["both_as_or"]

    assert taken(Query((Col(NAME),), where=(either,))) == 1.0
    assert taken(Query((Col(NAME),), where=(AnyOf((north, Cond(Col(BED), "=", "south"))),))) == 1.0
    assert taken(Query((Col(NAME),), where=(north,))) == 0.0
    assert "both_as_or" not in RequestedColumns(linked).features(Query((Agg("count", Col(PLANTS)),), where=(either,)))


@pytest.mark.parametrize(("shown", "missing"), [(NAME, 0.0), (Ref("gardeners", "name"), 1.0)])
def test_which_of_a_table_asks_for_something_of_its_rows(shown: Ref, missing: float) -> None:
    asked = question("which plants have the tallest gardeners", cues=[(0, 1, "wh", {})])
    linked = lattice(asked, mention(1, 2, PLANTS), mention(1, 2, BED, 0.7, how="part"), mention(5, 6, GARDENERS))
    assert RequestedColumns(linked).features(Query((Col(shown),)))["asked_missing"] == missing
