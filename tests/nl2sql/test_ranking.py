"""Ranked things: what they are ranked by, and how many are wanted, over the rentals of a boat yard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Agg, Query
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

SCRIPT = """
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, full_name TEXT);
CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, owner_id INTEGER REFERENCES owners (owner_id), model TEXT);
CREATE TABLE boat_texts (text_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id), name TEXT);
CREATE TABLE repairs (
    repair_id INTEGER PRIMARY KEY, boat_id INTEGER REFERENCES boats (boat_id), pier TEXT, units INTEGER
);
CREATE TABLE repair_lines (
    line_id INTEGER PRIMARY KEY, repair_id INTEGER REFERENCES repairs (repair_id), amount REAL
);
INSERT INTO owners VALUES (1, 'Ada Nilsen'), (2, 'Bo Lund'), (3, 'Cy Berg');
INSERT INTO boats VALUES (1, 1, 'X-10'), (2, 1, 'X-20'), (3, 2, 'K-7'), (4, 3, 'K-8');
INSERT INTO boat_texts VALUES (1, 1, 'Heron'), (2, 2, 'Tern'), (3, 3, 'Gull'), (4, 4, 'Wren');
INSERT INTO repairs VALUES
    (1, 1, 'North', 4), (2, 2, 'South', 1), (3, 3, 'South', 1), (4, 4, 'East', 9), (5, 3, 'South', 1);
INSERT INTO repair_lines VALUES (1, 1, 50), (2, 2, 20), (3, 3, 400), (4, 3, 300), (5, 4, 80), (6, 5, 10);
"""


@pytest.fixture(scope="module")
def yard() -> tuple[Memory, Catalogue]:
    source = Memory(SCRIPT)
    return source, profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


def results(yard: tuple[Memory, Catalogue], text: str) -> list[Sequence[Sequence[Any]]]:
    source, catalogue = yard
    lattice = link(read(text, today=TODAY), catalogue)
    return [source.ask(sql_of(each.query, catalogue)) for each in candidates(lattice)[:40]]


def firsts(yard: tuple[Memory, Catalogue], text: str) -> list[list[Any]]:
    return [[row[0] for row in rows] for rows in results(yard, text)]


@pytest.mark.parametrize("text", ["two piers with the most repairs", "2 piers that have most repairs"])
def test_a_number_before_the_ranked_things_is_how_many_are_wanted(yard: tuple[Memory, Catalogue], text: str) -> None:
    assert any(len(found) == 2 and found[0] == "South" for found in firsts(yard, text))


@pytest.mark.parametrize("text", ["best selling pier", "卖得最好的pier"])
def test_words_that_name_a_figure_may_rank_by_it(yard: tuple[Memory, Catalogue], text: str) -> None:
    assert [("East", 9)] in [[tuple(row) for row in rows] for rows in results(yard, text)]


@pytest.mark.parametrize("text", ["top 2 spenders", "who spent the most, top 2"])
def test_people_may_stand_some_references_away_from_what_they_spent(yard: tuple[Memory, Catalogue], text: str) -> None:
    assert ["Bo Lund", "Cy Berg"] in firsts(yard, text)


def test_a_thing_with_a_code_is_called_by_the_name_among_its_texts(yard: tuple[Memory, Catalogue]) -> None:
    assert "Gull" in [found[0] for found in firsts(yard, "which boat had the most repairs") if found]


def test_of_all_of_something_asks_for_no_condition(yard: tuple[Memory, Catalogue]) -> None:
    catalogue = yard[1]
    best = candidates(link(read("total amount of all piers", today=TODAY), catalogue))[:5]
    assert any(not each.unread and not each.query.group and not each.query.where for each in best)


@pytest.fixture(scope="module")
def till() -> tuple[Memory, Catalogue]:
    source = Memory("""
        CREATE TABLE sales (day DATE, region TEXT, product TEXT, quantity INTEGER, amount REAL);
        INSERT INTO sales VALUES ('2026-01-05', 'North', 'Tent', 1, 400), ('2026-02-06', 'South', 'Rope', 9, 30),
            ('2026-03-07', 'South', 'Rope', 8, 25), ('2026-03-09', 'North', 'Stove', 2, 60);
    """)
    return source, profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


def test_the_best_of_things_has_the_highest_sum_of_what_rows_are_about(till: tuple[Memory, Catalogue]) -> None:
    assert [("Tent", 400.0)] in [[tuple(row) for row in rows] for rows in results(till, "best product")[:3]]


def test_a_share_without_a_figure_may_be_one_of_the_main_amount(till: tuple[Memory, Catalogue]) -> None:
    found = [{row[0]: row[-1] for row in rows} for rows in results(till, "share of each region")]
    assert any(shares.get("North") == pytest.approx(100 * 460 / 515) for shares in found)


def test_the_biggest_sale_is_the_one_with_the_highest_amount(till: tuple[Memory, Catalogue]) -> None:
    assert any("Tent" in row for rows in results(till, "biggest sale")[:2] for row in rows)


FERRIES = """
CREATE TABLE lines (line_id INTEGER PRIMARY KEY, line_name TEXT);
CREATE TABLE ships (ship_id INTEGER PRIMARY KEY, ship_name TEXT, line_id INTEGER REFERENCES lines, built INTEGER);
CREATE TABLE crossings (
    crossing_id INTEGER PRIMARY KEY, ship_id INTEGER REFERENCES ships, delay_minutes INTEGER, avg_fare REAL
);
INSERT INTO lines VALUES (1, 'Ardo'), (2, 'Brill');
INSERT INTO ships VALUES (1, 'Auk', 1, 1979), (2, 'Ern', 1, 1994), (3, 'Rail', 2, 2003), (4, 'Stint', 2, 2011);
INSERT INTO crossings VALUES (1, 1, 5, 9.5), (2, 1, 15, 8.5), (3, 2, 90, 7.0), (4, 3, 20, 6.5), (5, 4, 2, 30.0);
"""


@pytest.fixture(scope="module")
def ferries() -> tuple[Memory, Catalogue]:
    source = Memory(FERRIES)
    return source, profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


@pytest.mark.parametrize(
    ("text", "first", "never"),
    [("ship with the worst average delay", "Ern", "Stint"), ("ship with the best average delay", "Stint", "Ern")],
)
def test_the_worst_delay_is_the_longest(ferries: tuple[Memory, Catalogue], text: str, first: str, never: str) -> None:
    rows = [rows[0] for rows in results(ferries, text) if len(rows) == 1 and len(rows[0]) == 2]
    names = [row[0] for row in rows if row[1] in (90.0, 2.0)]
    assert first in names
    assert never not in names


def test_the_worst_by_a_count_has_the_most_of_what_is_counted(ferries: tuple[Memory, Catalogue]) -> None:
    orders = {q.order[0].desc for q in _counted(ferries, "worst ship by number of crossings")}
    assert orders == {True}
    assert {q.order[0].desc for q in _counted(ferries, "ship with the fewest crossings")} == {False}


def _counted(ferries: tuple[Memory, Catalogue], text: str) -> list[Query]:
    found = (each.query for each in candidates(link(read(text, today=TODAY), ferries[1])))
    return [q for q in found if q.order and isinstance(q.order[0].expr, Agg) and q.order[0].expr.fn == "count"]


@pytest.mark.parametrize("text", ["top 2 products by amount for each region", "top 2 products by region by amount"])
def test_the_first_of_several_groups_are_those_within_each(till: tuple[Memory, Catalogue], text: str) -> None:
    wanted = {("North", "Tent"), ("North", "Stove"), ("South", "Rope")}
    assert any(wanted == {row[:2] for row in map(tuple, rows)} for rows in results(till, text))


def test_an_average_is_not_the_column_whose_name_begins_with_that_word(ferries: tuple[Memory, Catalogue]) -> None:
    _, catalogue = ferries
    mentions = link(read("average delay by ship", today=TODAY), catalogue).mentions
    assert max((m.score for m in mentions if m.ref is not None and m.ref.column == "avg_fare"), default=0.0) < 0.65


@pytest.mark.parametrize("text", ["oldest ship of each line", "the oldest ship in each line"])
def test_the_first_of_each_group_is_not_the_first_of_all(ferries: tuple[Memory, Catalogue], text: str) -> None:
    source, catalogue = ferries
    readings = candidates(link(read(text, today=TODAY), catalogue))[:40]
    complete = [sql_of(each.query, catalogue) for each in readings if not each.unread]
    found = [source.ask(sql) for sql in complete if "built" in sql]
    assert any({"Auk", "Rail"} <= {cell for row in rows for cell in row} for rows in found)
    plain = [sql for sql in complete if '"built" ASC LIMIT 1' in sql and "PARTITION" not in sql and "GROUP" not in sql]
    assert not plain
