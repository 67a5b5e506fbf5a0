from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.nl2sql.features import FeatureReader, compared, features
from kbtui.nl2sql.query import Agg, Col, Cond, Order, Query, Ref
from tests.nl2sql.garden import candidate, lattice, mention, question

BED, HEIGHT, WATER = Ref("plants", "bed"), Ref("plants", "height"), Ref("plants", "water")
PLANTS = Ref("plants", "*")
COUNT = Agg("count", Col(PLANTS))


def test_what_is_left_unread_counts_absolutely_and_against_the_others() -> None:
    asked = question("total water of each bed", cues=[(0, 1, "sum", {})])
    water, bed = mention(1, 2, WATER), mention(4, 5, BED)
    whole = candidate(Query((Col(BED), Agg("sum", Col(WATER))), group=(Col(BED),)), (water, "measure"), (bed, "group"))
    half = candidate(Query((Agg("sum", Col(WATER)),)), (water, "measure"), unread=[4])
    reader = FeatureReader(lattice(asked, water, bed))
    first, second = compared([reader.features(whole, None), reader.features(half, None)])
    assert (first["unread"], second["unread"]) == (0.0, 1.0)
    assert (first["unread_over"], second["unread_over"]) == (0.0, 1.0)
    assert second["unread_best_link"] == 1.0
    assert second["unread_likely"] == 1.0


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


def test_the_wrong_direction_is_a_conflict() -> None:
    asked = question("lowest plant", cues=[(0, 1, "most", {"direction": "asc"})])
    descending = Query((Col(Ref("plants", "name")),), order=(Order(Col(HEIGHT), desc=True),), limit=1)
    assert features(candidate(descending), lattice(asked), None)["conflicts"] == 1.0


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


def test_who_asks_for_the_name_of_a_person() -> None:
    asked = question("who", cues=[(0, 1, "wh", {"type": "person"})])
    person = features(candidate(Query((Col(Ref("gardeners", "name")),))), lattice(asked), None)
    plant = features(candidate(Query((Col(Ref("plants", "name")),))), lattice(asked), None)
    assert (person["person_shown"], plant["person_shown"]) == (1.0, 0.0)
    assert plant["person_missing"] == 1.0


@pytest.mark.parametrize(("value", "absent"), [("north", 0.0), ("roof", 1.0)])
def test_a_literal_that_no_row_has_is_told(value: str, absent: float) -> None:
    query = Query((COUNT,), where=(Cond(Col(BED), "=", value),))
    assert features(candidate(query), lattice(question("x")), None)["literal_absent"] == absent


def test_a_number_beyond_everything_the_column_has_is_told() -> None:
    query = Query((COUNT,), where=(Cond(Col(HEIGHT), ">", 5000),))
    found = features(candidate(query), lattice(question("plants over 5000")), None)
    assert found["compare_outside"] == 1.0
    assert found["numbers_uncalled"] == 0.0


def test_the_distance_from_a_cue_to_what_it_governs_is_in_tokens() -> None:
    asked = question("average of the height by bed", cues=[(0, 1, "avg", {}), (4, 5, "per", {})])
    height, bed = mention(3, 4, HEIGHT), mention(5, 6, BED)
    query = Query((Col(BED), Agg("avg", Col(HEIGHT))), group=(Col(BED),))
    found = features(candidate(query, (height, "measure"), (bed, "group")), lattice(asked, height, bed), None)
    assert found["gap_aggregate"] == 2.0
    assert found["gap_group"] == 0.0


def test_no_candidates_compare_to_nothing() -> None:
    assert compared([]) == []


def test_whether_there_is_anyone_is_a_question_about_people() -> None:
    asked = question("did anyone start", cues=[(0, 2, "truth", {"type": "person"})])
    people = candidate(Query((Agg("count", Col(Ref("gardeners", "*"))),), truth=True))
    plants = candidate(Query((COUNT,), truth=True))
    assert features(people, lattice(asked), None)["person_shown"] == 1.0
    assert features(plants, lattice(asked), None)["person_missing"] == 1.0


def test_all_but_one_of_several_values_needs_a_negation() -> None:
    name = Ref("plants", "name")
    rest = candidate(Query((COUNT,), where=(Cond(Col(name), "!=", "rose"),)))
    opposite = candidate(Query((COUNT,), where=(Cond(Col(BED), "!=", "north"),)))
    share = candidate(Query((Agg("count", Col(PLANTS), where=(Cond(Col(name), "!=", "rose"),)),)))
    known = lattice(question("rejected"))
    assert [features(each, known, None).get("excludes_uncalled") for each in (rest, opposite, share)] == [1.0, 0.0, 1.0]
    negated = lattice(question("not rose", cues=[(0, 1, "not", {})]))
    assert "excludes_uncalled" not in features(rest, negated, None)


def test_a_figure_that_is_ranked_without_its_thing_is_told() -> None:
    highest = Query((Col(HEIGHT),), order=(Order(Col(HEIGHT), True),), limit=1)
    named = Query((Col(Ref("plants", "name")), Col(HEIGHT)), order=highest.order, limit=1)
    known = lattice(question("highest"))
    assert features(candidate(highest), known, None)["figure_ranked_alone"] == 1.0
    assert features(candidate(named), known, None)["figure_ranked_alone"] == 0.0


def test_two_columns_shown_for_words_side_by_side_are_likely_one_name() -> None:
    query = Query((Col(BED), Col(HEIGHT)))
    apart = (mention(0, 1, BED), "shown"), (mention(2, 3, HEIGHT), "shown")
    beside = (mention(0, 1, BED), "shown"), (mention(1, 2, HEIGHT), "shown")
    known = lattice(question("bed and height"))
    assert features(candidate(query, *beside), known, None)["compound_apart"] == 1.0
    assert features(candidate(query, *apart), known, None)["compound_apart"] == 0.0


def test_rows_left_out_for_an_empty_column_are_told_in_lists_and_groups() -> None:
    filled = (Cond(Col(BED), "not null"),)
    listed = replace(candidate(Query((Col(BED),), where=filled)), traits={"given_column": 1.0})
    grouped = replace(listed, query=Query((Col(BED), COUNT), where=filled, group=(Col(BED),)))
    known = lattice(question("beds"))
    assert features(listed, known, None)["given_listed"] == 1.0
    assert features(grouped, known, None)["given_grouped"] == 1.0


def test_a_table_that_has_a_measure_of_its_name_is_not_counted_by_its_rows() -> None:
    asked = question("how many waterings", cues=[(0, 2, "count", {})])
    table, measure = mention(2, 3, PLANTS), mention(2, 3, WATER)
    counted = candidate(Query((COUNT,)), (table, "subject"))
    assert features(counted, lattice(asked, table, measure), None)["count_for_amount"] == 1.0
    assert features(counted, lattice(asked, table, mention(2, 3, WATER, 0.8)), None)["count_for_amount"] == 0.0


def test_one_of_two_functions_alone_is_told() -> None:
    asked = question("lowest and highest height", cues=[(0, 1, "min", {}), (2, 3, "max", {})])
    height = mention(3, 4, HEIGHT)
    least, most = Agg("min", Col(HEIGHT)), Agg("max", Col(HEIGHT))
    linked = lattice(asked, height)
    assert features(candidate(Query((least,)), (height, "measure")), linked, None)["functions_missing"] == 1.0
    assert features(candidate(Query((least, most)), (height, "measure")), linked, None)["functions_missing"] == 0.0


def test_everything_about_rows_is_more_than_a_column_of_them() -> None:
    linked = lattice(question("all information about plants", cues=[(0, 3, "all_columns", {})]))
    assert features(candidate(Query((Col(BED),))), linked, None)["all_not_shown"] == 1.0
    assert features(candidate(Query((Col(PLANTS),))), linked, None)["all_not_shown"] == 0.0


def test_never_is_more_than_another_value_in_a_row() -> None:
    linked = lattice(question("beds that never had ferns", cues=[(2, 3, "never", {})]))
    ferns = Query((Col(BED),), where=(Cond(Col(Ref("plants", "name")), "=", "fern"),))
    by_row = Query((Col(BED),), where=(Cond(Col(Ref("plants", "name")), "!=", "fern"),))
    by_bed = Query((Col(BED),), where=(Cond(Col(BED), "not in", ferns),))
    assert features(candidate(by_row), linked, None)["never_by_row"] == 1.0
    assert features(candidate(by_bed), linked, None)["never_by_row"] == 0.0


def test_different_values_beside_what_tells_rows_apart_are_told() -> None:
    linked = lattice(question("different beds", cues=[(0, 1, "distinct", {})]))
    beds, rows = (Col(BED),), (Col(BED), Col(Ref("plants", "id")))
    assert features(candidate(Query(beds, distinct=True)), linked, None)["distinct_pointless"] == 0.0
    assert features(candidate(Query(rows, distinct=True)), linked, None)["distinct_pointless"] == 1.0
