"""What a short second question does to the statement that was answered before it."""

from datetime import date

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Edge, TableInfo
from kbtui.nl2sql.edits import edits
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.query import INNER, Agg, Col, Cond, Order, Over, Part, Query, Ref, percent
from kbtui.question.reader import read

TODAY = date(2026, 11, 20)


def column(table, name, kind, *, words=None, values=(), **more):
    words = tuple(words or name.split("_"))
    return ColumnInfo(
        ref=Ref(table, name), kind=kind, words=words, own=words, concepts=concepts_of(words),
        values=tuple((value, 5) for value in values), distinct=len(values) or 50, complete=True, **more,
    )  # fmt: skip


def table(name, words, *columns, **more):
    return TableInfo(
        name=name, words=tuple(words), columns=columns, concepts=concepts_of(tuple(words)), rows=200, **more
    )


@pytest.fixture(scope="module")
def catalogue():
    boats = table(
        "boats", ["boat"],
        column("boats", "boat_id", "key", words=["id"]),
        column("boats", "boat_name", "name", words=["name"], values=["Kestrel", "Osprey"]),
        column("boats", "harbour", "category", values=["Bristol", "Cardiff", "Swansea"]),
        column("boats", "length", "rate", values=[9, 12]),
        key=Ref("boats", "boat_id"), naming=(Ref("boats", "boat_name"),),
    )  # fmt: skip
    trips = table(
        "trips", ["trip"],
        column("trips", "trip_id", "key", words=["id"]),
        column("trips", "boat_id", "reference", words=["boat"]),
        column("trips", "sailed_on", "date", low=date(2023, 1, 1), high=date(2026, 11, 1)),
        column("trips", "booking", "category", values=["online", "phone"]),
        column("trips", "fare", "measure"),
        column("trips", "fuel", "measure"),
        key=Ref("trips", "trip_id"), dates=(Ref("trips", "sailed_on"),),
    )  # fmt: skip
    edge = Edge(Ref("trips", "boat_id"), Ref("boats", "boat_id"))
    return Catalogue(source="s", dialect="duckdb", tables={"boats": boats, "trips": trips}, edges=(edge,))


TRIP = Col(Ref("trips", "*"))
FARE = Col(Ref("trips", "fare"))
SAILED = Col(Ref("trips", "sailed_on"))
NAME, HARBOUR = Col(Ref("boats", "boat_name")), Col(Ref("boats", "harbour"))
IN_2025 = Cond(SAILED, "between", (date(2025, 1, 1), date(2025, 12, 31)))
COUNT = Query(select=(Agg("count", TRIP),), where=(IN_2025,))
BY_BOAT = Query(select=(NAME, Agg("sum", FARE)), group=(NAME,))
MONTHS = Part("month", SAILED)
BY_MONTH = Query(select=(MONTHS, Agg("sum", FARE)), group=(MONTHS,), order=(Order(MONTHS),))
TOP = Query(select=(NAME, Agg("sum", FARE)), group=(NAME,), order=(Order(Agg("sum", FARE), True),), limit=5)
LIST = Query(select=(NAME, HARBOUR), where=(Cond(HARBOUR, "=", "Bristol"),))
IDLE = Query(
    select=(NAME,),
    where=(Cond(Col(Ref("boats", "boat_id")), "not in", Query(select=(Col(Ref("trips", "boat_id")),))),),
)


def best(catalogue, previous, text):
    found = edits(previous, link(read(text, today=TODAY), catalogue))
    assert found, f"nothing for {text!r}"
    return found[0]


def changed(catalogue, previous, text):
    """The first edit as a statement, on one line and without quotation marks around names."""
    return " ".join(sql_of(best(catalogue, previous, text).query, catalogue).replace('"', "").split())


@pytest.mark.parametrize(
    "text", ["and in 2024?", "what about 2024", "for 2024", "那2024年呢", "the year before", "前一年呢"]
)
def test_another_period_takes_the_place_of_the_one_before(catalogue, text):
    year = Cond(SAILED, "between", (date(2024, 1, 1), date(2024, 12, 31)))
    assert best(catalogue, COUNT, text).query.where == (year,)


def test_a_month_without_a_year_lies_in_the_year_that_was_spoken_of(catalogue):
    assert best(catalogue, COUNT, "and in march?").query.where[0].right == (date(2025, 3, 1), date(2025, 3, 31))
    assert best(catalogue, COUNT, "and last month?").query.where[0].right == (date(2026, 10, 1), date(2026, 10, 31))


def test_a_period_is_added_where_there_was_none(catalogue):
    assert best(catalogue, BY_BOAT, "only 2025").query.where == (IN_2025,)
    assert best(catalogue, BY_MONTH, "for 2025").query.where == (IN_2025,)


@pytest.mark.parametrize("text", ["only online", "just the online ones", "and online?", "只看online"])
def test_a_value_narrows_the_rows(catalogue, text):
    assert best(catalogue, COUNT, text).query.where == (IN_2025, Cond(Col(Ref("trips", "booking")), "=", "online"))


@pytest.mark.parametrize("text", ["what about Cardiff", "and Cardiff?", "in Cardiff", "Cardiff呢"])
def test_a_value_takes_the_place_of_one_of_the_same_column(catalogue, text):
    assert best(catalogue, LIST, text).query.where == (Cond(HARBOUR, "=", "Cardiff"),)


def test_also_asks_for_both_values(catalogue):
    assert best(catalogue, LIST, "also Cardiff").query.where == (Cond(HARBOUR, "in", ("Bristol", "Cardiff")),)


@pytest.mark.parametrize("text", ["except Swansea", "without Swansea", "除了Swansea"])
def test_a_value_is_left_out(catalogue, text):
    assert best(catalogue, BY_BOAT, text).query.where == (Cond(HARBOUR, "!=", "Swansea"),)


@pytest.mark.parametrize("text", ["for all harbours", "all harbours", "不限harbour"])
def test_a_condition_is_dropped(catalogue, text):
    assert best(catalogue, LIST, text).query.where == ()


def test_what_was_found_is_turned_round(catalogue):
    assert best(catalogue, LIST, "the others").query.where == (Cond(HARBOUR, "!=", "Bristol"),)
    assert best(catalogue, IDLE, "and those who did").query.where[0].op == "in"


@pytest.mark.parametrize(
    ("previous", "text", "figure"),
    [
        (BY_BOAT, "and the average?", Agg("avg", FARE)),
        (BY_BOAT, "what about fuel", Agg("sum", Col(Ref("trips", "fuel")))),
        (BY_BOAT, "the average fuel", Agg("avg", Col(Ref("trips", "fuel")))),
        (BY_BOAT, "平均呢", Agg("avg", FARE)),
        (COUNT, "and the total fare?", Agg("sum", FARE)),
        (BY_MONTH, "how many?", Agg("count", TRIP)),
    ],
)
def test_another_figure_takes_the_place_of_the_one_before(catalogue, previous, text, figure):
    query = best(catalogue, previous, text).query
    assert query.select[-1] == figure
    assert (query.group, query.where) == (previous.group, previous.where)


def test_a_list_is_counted_and_a_number_listed(catalogue):
    assert best(catalogue, LIST, "how many are there?").query.select == (Agg("count", Col(Ref("boats", "*"))),)
    shown = best(catalogue, COUNT, "show them").query
    assert shown.where == (IN_2025,)
    assert SAILED in shown.select


def test_rows_are_shown_by_the_name_of_their_table_and_not_by_that_of_another(catalogue):
    counted = Query(select=(HARBOUR, Agg("count", TRIP)), where=(IN_2025,), group=(HARBOUR,))
    shown = best(catalogue, counted, "show me the trips").query
    assert (shown.where, shown.group) == ((IN_2025,), ())
    assert SAILED in shown.select
    assert best(catalogue, counted, "show me the boats").query.select != shown.select


def test_the_rows_of_groups_are_shown(catalogue):
    summed = Agg("sum", FARE)
    shares = Query(select=(HARBOUR, summed, percent(Over("share", summed))), where=(IN_2025,), group=(HARBOUR,))
    shown = best(catalogue, shares, "show them").query
    assert (shown.where, shown.group, shown.order) == ((IN_2025,), (), ())


def test_groups_that_were_counted_are_shown(catalogue):
    busy = Query(select=(NAME,), group=(NAME,), having=(Cond(Agg("count", TRIP), ">", 3),))
    counted = Query(select=(Agg("count", Col(Ref(INNER, "*"))),), inner=busy)
    query = best(catalogue, counted, "who are they").query
    assert (query.select, query.having) == ((NAME, Agg("count", TRIP)), busy.having)


@pytest.mark.parametrize("text", ["by month", "per month instead", "monthly", "按月"])
def test_other_groups_take_the_place_of_those_before(catalogue, text):
    query = best(catalogue, BY_BOAT, text).query
    assert (query.select, query.order) == ((MONTHS, Agg("sum", FARE)), (Order(MONTHS),))


def test_a_number_is_set_apart_and_put_together_again(catalogue):
    assert best(catalogue, COUNT, "per harbour").query.group == (HARBOUR,)
    assert best(catalogue, BY_BOAT, "overall").query.select == (Agg("sum", FARE),)


@pytest.mark.parametrize(
    ("previous", "text", "desc", "limit"),
    [
        (BY_BOAT, "top 3", True, 3),
        (BY_BOAT, "前3", True, 3),
        (BY_BOAT, "ascending", False, None),
        (BY_BOAT, "the worst ones", False, None),
        (BY_BOAT, "which is the highest?", True, 1),
        (TOP, "bottom 3", False, 3),
        (TOP, "top 10", True, 10),
        (TOP, "and the lowest?", False, 5),
    ],
)
def test_groups_are_ranked_by_their_figure(catalogue, previous, text, desc, limit):
    query = best(catalogue, previous, text).query
    assert (query.order, query.limit) == ((Order(Agg("sum", FARE), desc),), limit)
    assert query.select == previous.select


def test_rows_are_sorted_by_a_column(catalogue):
    query = best(catalogue, LIST, "sort by length descending").query
    assert query.order == (Order(Col(Ref("boats", "length")), True),)


def test_a_column_is_shown_beside_the_others(catalogue):
    assert best(catalogue, LIST, "with their length").query.select == (NAME, HARBOUR, Col(Ref("boats", "length")))


def test_a_number_takes_the_place_of_the_one_it_was_compared_with(catalogue):
    dear = Query(select=(NAME,), where=(Cond(Col(Ref("boats", "length")), ">", 10),))
    assert best(catalogue, dear, "above 12?").query.where[0].right == 12
    assert best(catalogue, dear, "below 8").query.where[0] == Cond(Col(Ref("boats", "length")), "<", 8)
    assert best(catalogue, BY_BOAT, "more than 500").query.having == (Cond(Agg("sum", FARE), ">", 500),)


def test_shares_and_changes_stand_beside_the_figure(catalogue):
    assert "OVER ()" in changed(catalogue, BY_BOAT, "as a share")
    growth = best(catalogue, COUNT, "compared to last year").query
    periods = [agg.where[0].right[0].year for agg in growth.select[:2]]
    assert (periods, growth.where) == ([2024, 2025], ())


def test_another_picture_leaves_the_statement_as_it_is(catalogue):
    candidate = best(catalogue, BY_BOAT, "as a pie chart")
    assert candidate.query == BY_BOAT
    assert "edit_chart" in candidate.traits


@pytest.mark.parametrize("text", ["what about dragons", "only the purple ones"])
def test_a_word_that_nothing_reads_stays_visible(catalogue, text):
    found = edits(BY_BOAT, link(read(text, today=TODAY), catalogue))
    assert all(candidate.unread for candidate in found)


def test_two_changes_at_once(catalogue):
    query = best(catalogue, COUNT, "and the average fare online per harbour?").query
    assert query.group == (HARBOUR,)
    assert query.select[-1] == Agg("avg", FARE)
    assert Cond(Col(Ref("trips", "booking")), "=", "online") in query.where
