"""Plans for open requests over a depot's deliveries, from the typed question to statements that run."""

from __future__ import annotations

import sqlite3
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Limits
from kbtui.domain.ports import CancelToken
from kbtui.nl2sql.open_plans import OpenPlan
from kbtui.nl2sql.reader import QuestionReader

TODAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def depot(tmp_path_factory: pytest.TempPathFactory) -> SqliteSource:
    """Deliveries of two years until 10 November 2026; in June 2026 the harbour had three a day instead of one."""
    path: Path = tmp_path_factory.mktemp("depot") / "depot.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE docks (dock_id INTEGER PRIMARY KEY, name TEXT, district TEXT);
        INSERT INTO docks VALUES (1, 'Quay', 'Harbour'), (2, 'Mill', 'Hill'), (3, 'Barn', 'Hill');
        CREATE TABLE deliveries (
            delivery_id INTEGER PRIMARY KEY, dock_id INTEGER REFERENCES docks (dock_id), goods TEXT,
            delivered_on TEXT, revenue REAL);
        """
    )
    day, number = date(2025, 1, 1), 0
    while day <= date(2026, 11, 10):
        for dock in (1, 2, 3):
            for _ in range(3 if dock == 1 and (day.year, day.month) == (2026, 6) else 1):
                number += 1
                goods = ("grain", "timber", "cloth")[number % 3]
                row = (number, dock, goods, day.isoformat(), 10.0 * dock)
                connection.execute("INSERT INTO deliveries VALUES (?, ?, ?, ?, ?)", row)
        day += timedelta(days=1)
    connection.commit()
    connection.close()
    return SqliteSource("depot", path)


def planned(source: SqliteSource, text: str) -> OpenPlan | None:
    reader = QuestionReader(lambda _, sql: source.run(sql, Limits(), CancelToken()).rows, lambda: TODAY)
    return reader.open_plan(text, source.schema("detailed"))


def rows(source: SqliteSource, plan: OpenPlan, at: int) -> tuple[tuple[Any, ...], ...]:
    return source.run(plan.steps[at].reading.sql, Limits(), CancelToken()).rows


def plan_of(source: SqliteSource, text: str) -> OpenPlan:
    found = planned(source, text)
    assert found is not None
    return found


@pytest.mark.parametrize("text", ["why did deliveries rise in June", "为什么六月deliveries变多了"])
def test_a_change_is_followed_from_the_figure_to_its_parts(depot: SqliteSource, text: str) -> None:
    plan = plan_of(depot, text)
    assert [step.role for step in plan.steps][:3] == ["level", "course", "moved"]
    assert rows(depot, plan, 0) == ((150, 93, 57),)
    parts = {step.dimension: n for n, step in enumerate(plan.steps) if step.role == "moved"}
    by_district = next(n for name, n in parts.items() if "district" in name)
    assert rows(depot, plan, by_district) == (("Harbour", 90, 31, 59), ("Hill", 60, 62, -2))


def test_a_word_for_money_is_followed_as_an_amount_and_not_as_a_number_of_rows(depot: SqliteSource) -> None:
    plan = plan_of(depot, "why did revenue rise in June")
    assert plan.figure == "total revenue"
    assert rows(depot, plan, 0) == ((2400.0, 1860.0, 540.0),)


def test_a_period_that_is_not_over_is_compared_with_as_many_days(depot: SqliteSource) -> None:
    plan = plan_of(depot, "why did deliveries fall this month")
    assert plan.until == date(2026, 11, 10)
    assert rows(depot, plan, 0) == ((30, 30, 0),)


def test_without_a_period_the_last_whole_month_is_looked_at(depot: SqliteSource) -> None:
    assert plan_of(depot, "why did deliveries fall").now == "October 2026"


def test_a_month_without_a_year_is_the_last_one_that_has_data(depot: SqliteSource) -> None:
    late = QuestionReader(lambda _, sql: depot.run(sql, Limits(), CancelToken()).rows, lambda: date(2028, 3, 1))
    plan = late.open_plan("why did deliveries rise in June", depot.schema("detailed"))
    assert plan is not None
    assert (plan.now, plan.moved) == ("June 2026", True)


def test_a_report_has_the_level_the_course_and_the_parts_with_their_shares(depot: SqliteSource) -> None:
    plan = plan_of(depot, "report on deliveries")
    assert [step.role for step in plan.steps][:3] == ["level", "course", "parts"]
    assert rows(depot, plan, 0)[0][-2:] == ("2025-01-01", "2026-11-10")
    shares = next(rows(depot, plan, n) for n, step in enumerate(plan.steps) if step.dimension.startswith("good"))
    assert sum(row[-1] for row in shares) == pytest.approx(100.0)


def test_what_the_request_names_comes_first_and_its_conditions_hold_in_every_statement(depot: SqliteSource) -> None:
    plan = plan_of(depot, "report on timber deliveries by district")
    parts = [step for step in plan.steps if step.role == "parts"]
    assert "district" in parts[0].dimension
    assert all("timber" in step.reading.sql for step in plan.steps)


def test_things_that_are_compared_are_told_apart_by_what_happens_to_them(depot: SqliteSource) -> None:
    plan = plan_of(depot, "compare and explain the docks")
    assert [step.role for step in plan.steps] == ["parts", "within"]
    assert {row[0] for row in rows(depot, plan, 0)} == {"Quay", "Mill", "Barn"}


@pytest.mark.parametrize(
    "text", ["why did the tugboats rise in June", "report on the sailing rules", "deliveries by dock"]
)
def test_a_request_with_a_word_that_nothing_reads_has_no_plan(depot: SqliteSource, text: str) -> None:
    assert planned(depot, text) is None


def test_every_statement_is_said_in_words_of_its_own(depot: SqliteSource) -> None:
    said = [step.reading.says for step in plan_of(depot, "why did revenue rise in June").steps]
    assert len(set(said)) == len(said)
    assert (
        said[0]
        == "Total revenue in June 2026 and total revenue in May 2026 of deliveries, and the difference of the two"
    )


@pytest.mark.parametrize(
    "text", ["what changed last month", "上个月有什么变化", "compare june and may 2026 and explain"]
)
def test_a_request_that_names_nothing_is_of_the_one_table_of_what_happens(depot: SqliteSource, text: str) -> None:
    plan = plan_of(depot, text)
    assert (plan.intent, plan.steps[0].role) == ("change", "level")
    assert "deliveries" in plan.steps[0].reading.sql


def test_kinds_set_rows_apart_before_who_and_where(tmp_path: Path) -> None:
    path = tmp_path / "desk.db"
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, office TEXT, topic TEXT, opened_on TEXT)"
        )
        rows = [(n, ("North", "South")[n % 2], ("login", "bill", "bug")[n % 3], "2026-06-01") for n in range(60)]
        connection.executemany("INSERT INTO tickets VALUES (?, ?, ?, ?)", rows)
    plan = plan_of(SqliteSource("desk", path), "report on tickets")
    assert [step.dimension for step in plan.steps if step.role == "parts"] == ["topic", "office"]
