"""Columns that are calculated from others: found by what columns are, asked for by their words, run as formulas."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.calculated import expanded
from kbtui.nl2sql.catalogue import Catalogue, TableInfo
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.headers import headers_of
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.query import Agg, Col, Cond, Query, Ref
from kbtui.nl2sql.says import says
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

NURSERY = """
CREATE TABLE pots (pot_id INTEGER PRIMARY KEY, pot_name TEXT, unit_cost REAL, list_price REAL);
CREATE TABLE slip_lines (
    line_id INTEGER PRIMARY KEY, slip_no INTEGER, pot_id INTEGER REFERENCES pots, quantity INTEGER, unit_price REAL
);
CREATE TABLE shelf (shelf_id INTEGER PRIMARY KEY, pot_id INTEGER REFERENCES pots, qty_on_hand INTEGER, aisle TEXT);
CREATE TABLE dues (
    due_id INTEGER PRIMARY KEY, garden TEXT, due_on DATE, receivable REAL, amount_paid REAL, plan TEXT
);
CREATE TABLE counties (county_name TEXT PRIMARY KEY, population INTEGER, area_km2 REAL, region TEXT);
INSERT INTO pots VALUES (1, 'Clay bowl', 2.5, 4), (2, 'Tall urn', 10, 18), (3, 'Seed tray', 1, 1.75);
INSERT INTO slip_lines VALUES (1, 71, 1, 4, 4), (2, 71, 2, 1, 18), (3, 72, 3, 10, 1.5), (4, 73, 2, 2, 17);
INSERT INTO shelf VALUES (1, 1, 20, 'north'), (2, 2, 3, 'north'), (3, 3, 100, 'south');
INSERT INTO dues VALUES
    (1, 'Fern lane', '2026-01-05', 120, 120, 'yearly'), (2, 'Moss yard', '2026-01-05', 80, 30, 'yearly'),
    (3, 'Fern lane', '2026-02-05', 60, 10, 'monthly');
CREATE TABLE keepers (keeper_id INTEGER PRIMARY KEY, full_name TEXT, dob DATE, town TEXT);
INSERT INTO keepers VALUES (1, 'Ann Ash', '1976-11-20', 'Rye'), (2, 'Ben Bay', '1996-11-20', 'Rye');
INSERT INTO counties VALUES ('Alder', 9000, 30, 'East'), ('Birch', 4000, 40, 'East'), ('Cedar', 1000, 100, 'West');
"""


@pytest.fixture(scope="module")
def nursery() -> Memory:
    return Memory(NURSERY)


@pytest.fixture(scope="module")
def catalogue(nursery: Memory) -> Catalogue:
    return profile(nursery.schema, nursery.ask, today=TODAY, concepts_of=concepts_of)


def formulas(table: TableInfo) -> dict[str, str]:
    return {column.words[-1]: column.ref.column for column in table.calculated}


def answers(question: str, nursery: Memory, catalogue: Catalogue, most: int = 12) -> list[list[tuple[object, ...]]]:
    found = candidates(link(read(question, today=TODAY), catalogue))
    return [[tuple(row) for row in nursery.ask(sql_of(each.query, catalogue))] for each in found[:most]]


def test_quantity_times_price_is_the_amount_of_a_line_that_holds_none(catalogue: Catalogue) -> None:
    lines = catalogue.tables["slip_lines"]
    assert formulas(lines)["amount"] == "=quantity × unit_price"
    assert lines.amount == Ref("slip_lines", "=quantity × unit_price")


def test_a_stock_has_a_value_by_the_price_of_what_it_is_of(catalogue: Catalogue) -> None:
    shelf = catalogue.tables["shelf"]
    assert formulas(shelf) == {"value": "=qty_on_hand × list_price"}
    assert shelf.amount is None


def test_what_is_due_less_what_is_paid_is_owed(catalogue: Catalogue) -> None:
    assert formulas(catalogue.tables["dues"])["owed"] == "=receivable - amount_paid"


def test_columns_of_a_table_that_has_its_amount_are_not_multiplied() -> None:
    script = "CREATE TABLE sales (id INTEGER PRIMARY KEY, quantity INTEGER, unit_price REAL, amount REAL)"
    memory = Memory(script).fill("sales", [(1, 2, 3.5, 7.0), (2, 1, 4.25, 4.0)])
    found = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of)
    assert found.tables["sales"].calculated == ()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total sales value", [(83.0,)]),
        ("revenue by pot", [("Clay bowl", 16.0), ("Seed tray", 15.0), ("Tall urn", 52.0)]),
        ("stock value by aisle", [("north", 134.0), ("south", 175.0)]),
        ("how much is owed", [(100.0,)]),
        ("欠费一共多少", [(100.0,)]),
        ("owed by garden", [("Fern lane", 50.0), ("Moss yard", 50.0)]),
        ("density by region", [("East", 13000 / 70), ("West", 10.0)]),
    ],
)
def test_questions_ask_for_it_as_for_any_column(
    question: str, rows: list[tuple[object, ...]], nursery: Memory, catalogue: Catalogue
) -> None:
    found = [sorted(each, key=str) for each in answers(question, nursery, catalogue)]
    assert any(each == [pytest.approx(row) for row in rows] for each in found), found


def test_a_ratio_of_groups_is_one_of_sums(catalogue: Catalogue) -> None:
    density = Ref("counties", "=population / area_km2")
    query = Query((Agg("avg", Col(density)),), where=(Cond(Col(density), ">", 5),))
    told = expanded(query, catalogue)
    assert says(query, catalogue, "en") == says(told, catalogue, "en")
    assert sql_of(query, catalogue).count("SUM(") == 2
    assert headers_of(query, catalogue, "en") == headers_of(told, catalogue, "en") != ("",)


def test_a_formula_inside_a_nested_statement_is_written_too(nursery: Memory, catalogue: Catalogue) -> None:
    value, key = Col(Ref("slip_lines", "=quantity × unit_price")), Col(Ref("slip_lines", "line_id"))
    inner = Query((Agg("avg", value),))
    sql = sql_of(Query((key,), where=(Cond(value, ">", inner),)), catalogue)
    assert [row[0] for row in nursery.ask(sql)] == [4]


def test_a_statement_without_one_is_left_as_it_is(catalogue: Catalogue) -> None:
    query = Query((Agg("sum", Col(Ref("dues", "receivable"))),))
    assert expanded(query, catalogue) is query


def test_an_age_is_the_years_since_a_birth_and_is_read_back_as_such(nursery: Memory, catalogue: Catalogue) -> None:
    rows = answers("average age of the keepers", nursery, catalogue, most=1)[0]
    assert rows == [(pytest.approx(40.0, abs=0.01),)]
    query = expanded(candidates(link(read("average age by town", today=TODAY), catalogue))[0].query, catalogue)
    said = "Average age (by birth date, on 20 November 2026) of keepers, for each town"
    assert says(query, catalogue, "en") == said
    assert headers_of(query, catalogue, "en")[-1] == "average age"
    assert query_of(sql_of(query, catalogue), catalogue) == query


def test_an_age_is_the_difference_of_years_where_only_the_year_of_birth_is_known() -> None:
    memory = Memory(
        "CREATE TABLE pupils (pupil_id INTEGER PRIMARY KEY, full_name TEXT, birth_year INTEGER);"
        "INSERT INTO pupils VALUES (1, 'Ann Ash', 2010), (2, 'Ben Bay', 2012), (3, 'Cy Cole', 2014);"
    )
    catalogue = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of)
    assert answers("average age of pupils", memory, catalogue, most=1) == [[(14.0,)]]
    query = expanded(candidates(link(read("average age", today=TODAY), catalogue))[0].query, catalogue)
    assert query_of(sql_of(query, catalogue), catalogue) == query


def test_the_oldest_is_found_by_the_birth_alone(nursery: Memory, catalogue: Catalogue) -> None:
    assert answers("oldest keeper", nursery, catalogue, most=1)[0][0][0] == "Ann Ash"


def test_rows_of_applications_take_from_their_creation_to_their_end() -> None:
    memory = Memory(
        "CREATE TABLE tickets (id INTEGER PRIMARY KEY, created_at TEXT, updated_at TEXT, resolved_at TEXT);"
    )
    made = [f"2026-{n % 9 + 1:02}-01 08:00:00" for n in range(40)]
    memory.fill(
        "tickets", [(n, day, day, day.replace("-01 ", "-03 ") if n % 4 else None) for n, day in enumerate(made)]
    )
    tickets = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of).tables["tickets"]
    assert [column.ref.column for column in tickets.calculated] == ["=resolved_at - created_at"]


def test_what_starts_and_ends_takes_the_time_in_between_whenever_it_was_booked() -> None:
    memory = Memory("CREATE TABLE visits (id INTEGER PRIMARY KEY, booked_at TEXT, starts_at TEXT, ends_at TEXT);")
    days = [f"2026-{n % 9 + 1:02}-1" for n in range(40)]
    memory.fill("visits", [(n, f"{d}1 08:00:00", f"{d}5 09:00:00", f"{d}5 09:30:00") for n, d in enumerate(days)])
    visits = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of).tables["visits"]
    assert [column.ref.column for column in visits.calculated] == ["=ends_at - starts_at"]


def test_a_cost_beside_a_price_is_that_of_one_piece_and_gives_the_profit_of_a_line_without_amount() -> None:
    script = """
    CREATE TABLE goods (good_id INTEGER PRIMARY KEY, good_name TEXT, price REAL, cost REAL, stock INTEGER);
    CREATE TABLE lines (line_id INTEGER PRIMARY KEY, good_id INTEGER REFERENCES goods, quantity INTEGER);
    """
    memory = Memory(script).fill("goods", [(1, "Bell", 9.5, 4.0, 7), (2, "Cup", 3.25, 1.5, 9)])
    memory = memory.fill("lines", [(1, 1, 2), (2, 2, 5)])
    tables = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of).tables
    assert {c.ref.column: c.kind for c in tables["goods"].columns}["cost"] == "rate"
    assert tables["goods"].amount is None
    assert formulas(tables["goods"]) == {"value": "=stock × price", "margin": "=price - cost"}
    assert formulas(tables["lines"])["profit"] == "=quantity × price - quantity × cost"


def test_an_export_of_advertisements_has_its_return_and_its_costs_per_click_and_conversion() -> None:
    script = "CREATE TABLE ads (day DATE, clicks INTEGER, conversions INTEGER, spend REAL, revenue REAL)"
    memory = Memory(script).fill("ads", [("2026-01-05", 40, 2, 20.5, 61.0), ("2026-01-06", 55, 3, 30.0, 45.5)])
    found = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of).tables["ads"]
    by_concept = {next(iter(column.concepts)): column.ref.column for column in found.calculated}
    assert by_concept["roas"] == "=revenue / spend"
    assert by_concept["cost_per_click"] == "=spend / clicks"
    assert by_concept["cost_per_conversion"] == "=spend / conversions"
    assert by_concept["profit"] == "=revenue - spend"
