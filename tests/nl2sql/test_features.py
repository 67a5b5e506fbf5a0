from __future__ import annotations

import pytest

from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.features import FeatureReader, with_comparisons
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import Agg, Col, Cond, Query, Ref
from kbtui.nl2sql.row_features import Rows
from tests.nl2sql.garden import candidate, lattice, mention, question

BED, HEIGHT, WATER = Ref("plants", "bed"), Ref("plants", "height"), Ref("plants", "water")
PLANTS = Ref("plants", "*")
COUNT = Agg("count", Col(PLANTS))


def features(made: Candidate, linked: Lattice, rows: Rows | None) -> dict[str, float]:
    return FeatureReader(linked).features(made, rows)


def test_what_is_left_unread_counts_absolutely_and_against_the_others() -> None:
    asked = question("total water of each bed", cues=[(0, 1, "sum", {})])
    water, bed = mention(1, 2, WATER), mention(4, 5, BED)
    whole = candidate(Query((Col(BED), Agg("sum", Col(WATER))), group=(Col(BED),)), (water, "measure"), (bed, "group"))
    half = candidate(Query((Agg("sum", Col(WATER)),)), (water, "measure"), unread=[4])
    reader = FeatureReader(lattice(asked, water, bed))
    first, second = with_comparisons([reader.features(whole, None), reader.features(half, None)])
    assert (first["unread"], second["unread"]) == (0.0, 1.0)
    assert (first["unread_over"], second["unread_over"]) == (0.0, 1.0)
    assert second["unread_best_link"] == 1.0


def test_a_cue_is_met_or_missing_and_an_operator_uncalled() -> None:
    asked = question("average height", cues=[(0, 1, "avg", {})])
    height = mention(1, 2, HEIGHT)
    met = features(candidate(Query((Agg("avg", Col(HEIGHT)),)), (height, "measure")), lattice(asked, height), None)
    summed = features(candidate(Query((Agg("sum", Col(HEIGHT)),)), (height, "measure")), lattice(asked, height), None)
    assert met["cues_missing"] == 0.0
    assert met["avg_of_rate"] == 1.0
    assert summed["missing_avg"] == 1.0
    assert summed["uncalled_sum"] == 1.0
    assert summed["sum_of_rate"] == 1.0


def test_a_count_where_an_amount_is_asked_is_told() -> None:
    asked = question("how much water", cues=[(0, 2, "how_much", {})])
    water = mention(2, 3, WATER)
    found = features(candidate(Query((COUNT,))), lattice(asked, water), [(9,)])
    assert found["count_for_amount"] == 1.0
    asked = question("how many plants", cues=[(0, 2, "count", {})])
    found = features(candidate(Query((COUNT,))), lattice(asked, water), [(9,)])
    assert found["count_for_amount"] == 0.0


def test_a_count_of_a_table_whose_word_also_names_an_amount_is_told() -> None:
    table, measure = mention(0, 1, PLANTS, 0.9), mention(0, 1, WATER, 0.8)
    linked = lattice(question("watering"), table, measure)
    assert features(candidate(Query((COUNT,)), (table, "subject")), linked, [(9,)])["count_for_amount"] == 1.0


def test_columns_nobody_spoke_of_are_defaults() -> None:
    asked = question("plants")
    plants = mention(0, 1, PLANTS)
    query = Query((Col(Ref("plants", "name")),), where=(Cond(Col(BED), "=", "north"),))
    found = features(candidate(query, (plants, "subject")), lattice(asked, plants), None)
    assert found["defaults_filter"] == 1.0
    assert found["defaults_show"] == 1.0


def test_joins_are_counted_over_the_keys() -> None:
    asked = question("gardeners")
    query = Query((Col(Ref("gardeners", "name")), Col(BED)))
    found = features(candidate(query), lattice(asked), None)
    assert found["joins"] == 1.0
    assert found["tables_unspoken"] == 2.0


@pytest.mark.parametrize(("value", "absent"), [("north", 0.0), ("roof", 1.0)])
def test_a_literal_that_no_row_has_is_told(value: str, absent: float) -> None:
    query = Query((COUNT,), where=(Cond(Col(BED), "=", value),))
    assert features(candidate(query), lattice(question("x")), None)["literal_absent"] == absent


def test_a_number_that_is_said_is_told_from_one_that_is_not() -> None:
    query = Query((COUNT,), where=(Cond(Col(HEIGHT), ">", 5000),))
    said = features(candidate(query), lattice(question("plants over 5000")), None)
    unsaid = features(candidate(query), lattice(question("tall plants")), None)
    assert (said["numbers_uncalled"], unsaid["numbers_uncalled"]) == (0.0, 1.0)


def test_the_distance_from_a_cue_to_what_it_governs_is_in_tokens() -> None:
    asked = question("average of the height by bed", cues=[(0, 1, "avg", {}), (4, 5, "per", {})])
    height, bed = mention(3, 4, HEIGHT), mention(5, 6, BED)
    query = Query((Col(BED), Agg("avg", Col(HEIGHT))), group=(Col(BED),))
    found = features(candidate(query, (height, "measure"), (bed, "group")), lattice(asked, height, bed), None)
    assert found["gap_aggregate"] == 2.0
    assert found["gap_group"] == 0.0


def test_no_candidates_compare_to_nothing() -> None:
    assert with_comparisons([]) == []


def test_a_table_that_has_a_measure_of_its_name_is_not_counted_by_its_rows() -> None:
    asked = question("how many waterings", cues=[(0, 2, "count", {})])
    table, measure = mention(2, 3, PLANTS), mention(2, 3, WATER)
    counted = candidate(Query((COUNT,)), (table, "subject"))
    assert features(counted, lattice(asked, table, measure), None)["count_for_amount"] == 1.0
    assert features(counted, lattice(asked, table, mention(2, 3, WATER, 0.8)), None)["count_for_amount"] == 0.0


def test_rows_are_counted_where_another_column_only_resembles_the_name_of_the_table() -> None:
    asked = question("plants by bed")
    counted = candidate(Query((COUNT,)), (mention(0, 1, PLANTS), "subject"))
    for score, is_amount in ((0.95, 1.0), (0.78, 0.0)):
        found = features(counted, lattice(asked, mention(0, 1, PLANTS), mention(0, 1, WATER, score)), None)
        assert found["count_for_amount"] == is_amount


def test_different_values_beside_what_tells_rows_apart_are_told() -> None:
    linked = lattice(question("different beds", cues=[(0, 1, "distinct", {})]))
    beds, rows = (Col(BED),), (Col(BED), Col(Ref("plants", "id")))
    assert features(candidate(Query(beds, distinct=True)), linked, None)["distinct_pointless"] == 0.0
    assert features(candidate(Query(rows, distinct=True)), linked, None)["distinct_pointless"] == 1.0


def test_columns_that_and_joins_have_one_role_or_not() -> None:
    name = Ref("plants", "name")
    asked = question("plants by bed and name", cues=[(1, 2, "per", {}), (3, 4, "and", {})])
    bed, other = mention(2, 3, BED), mention(4, 5, name)
    linked = lattice(asked, bed, other)
    both = Query((Col(BED), Col(name), COUNT), group=(Col(BED), Col(name)))
    grouped = features(candidate(both, (bed, "group"), (other, "group")), linked, None)
    assert (grouped["coordinated_alike"], grouped["coordinated_apart"]) == (1.0, 0.0)
    one = Query((Col(BED), Agg("count", Col(name), distinct=True)), group=(Col(BED),))
    counted = features(candidate(one, (bed, "group"), (other, "measure")), linked, None)
    assert (counted["coordinated_alike"], counted["coordinated_apart"]) == (0.0, 1.0)
