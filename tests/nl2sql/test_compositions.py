"""Statements composed of several operators, over the calls and courses of a small office."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import Limits
from kbtui.domain.ports import CancelToken
from kbtui.nl2sql.build import Unjoinable, sql_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.parse import query_of
from kbtui.nl2sql.profile import profile
from kbtui.nl2sql.says import says
from kbtui.question.reader import read

TODAY = date(2026, 11, 20)
TABLES = """
CREATE TABLE queues (queue_id INTEGER PRIMARY KEY, queue_name TEXT, target_minutes INTEGER);
CREATE TABLE agents (
    agent_id INTEGER PRIMARY KEY, full_name TEXT, manager_id INTEGER REFERENCES agents, salary REAL, birth_date DATE
);
CREATE TABLE calls (
    call_id INTEGER PRIMARY KEY, queue_id INTEGER REFERENCES queues, agent_id INTEGER REFERENCES agents,
    started_at TIMESTAMP, closed_on DATE, direction TEXT, outcome TEXT, wait_minutes REAL, score INTEGER
);
CREATE TABLE courses (course_id INTEGER PRIMARY KEY, title TEXT, start_time TEXT, seats INTEGER);
CREATE TABLE enrolments (
    enrolment_id INTEGER PRIMARY KEY, course_id INTEGER REFERENCES courses, agent_id INTEGER REFERENCES agents
);
CREATE TABLE complaints (complaint_id INTEGER PRIMARY KEY, call_id INTEGER REFERENCES calls, filed_on DATE);
INSERT INTO queues VALUES (1, 'Billing', 10), (2, 'Sales', 5), (3, 'Fraud', 3);
INSERT INTO agents VALUES
    (1, 'Ana Ruiz', NULL, 30, '1970-05-11'), (2, 'Bo Berg', 1, 34, '1991-02-01'), (3, 'Cleo Diaz', 1, 25, '2001-07-30'),
    (4, 'Dan Eder', 2, 20, '1985-01-05');
INSERT INTO calls VALUES
    (1, 1, 1, '2026-03-02 08:10:00', '2026-03-02', 'inbound', 'resolved', 4, 5),
    (2, 1, 1, '2026-03-03 09:00:00', '2026-04-01', 'inbound', 'abandoned', 12, NULL),
    (3, 2, 1, '2026-04-07 18:30:00', '2026-04-09', 'outbound', 'resolved', 2, 4),
    (4, 2, 2, '2026-04-08 19:15:00', '2026-05-09', 'inbound', 'resolved', 9, 2),
    (5, 1, 2, '2025-03-10 10:00:00', '2025-03-11', 'inbound', 'abandoned', 30, 1),
    (6, 1, 3, '2025-04-20 22:05:00', '2025-04-20', 'outbound', 'resolved', 1, 5),
    (7, 2, 3, '2026-09-21 14:00:00', '2026-09-22', 'inbound', 'resolved', 3, 3),
    (8, 2, 1, '2026-10-05 14:30:00', '2026-10-06', 'inbound', 'resolved', 6, 4),
    (9, 2, 1, '2026-10-06 22:00:00', NULL, 'outbound', 'transferred', 8, 3);
INSERT INTO courses VALUES (1, 'Chess', '08:30', 2), (2, 'Yoga', '18:00', 20), (3, 'French', '09:15', 3);
INSERT INTO enrolments VALUES (1, 1, 1), (2, 2, 1), (3, 1, 2), (4, 2, 3), (5, 3, 3), (6, 1, 4);
INSERT INTO complaints VALUES (1, 2, '2026-03-05'), (2, 5, '2025-03-12'), (3, 4, '2026-05-10');
"""

Row = tuple[str, ...]


class Office:
    """The source, its catalogue and the rows of the candidates of questions over it."""

    def __init__(self, path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(TABLES)
        self._source = SqliteSource("office", path)
        schema = self._source.schema("detailed")
        self.catalogue: Catalogue = profile(schema, self.rows, today=TODAY, concepts_of=concepts_of)

    def rows(self, sql: str) -> Sequence[Sequence[Any]]:
        return self._source.run(sql, Limits(), CancelToken()).rows

    def rank(self, question: str, wanted: set[Row], most: int) -> int | None:
        """The place of the first candidate whose rows are these; further columns do not count."""
        width = len(next(iter(wanted)))
        found = candidates(link(read(question, today=TODAY), self.catalogue))
        for place, candidate in enumerate(found[:most]):
            try:
                sql = sql_of(candidate.query, self.catalogue)
            except Unjoinable:
                continue
            rows = [tuple(map(str, row)) for row in self.rows(sql)]
            if {row[:width] for row in rows} == wanted or {row[-width:] for row in rows} == wanted:
                assert says(candidate.query, self.catalogue, "en")
                return place
        return None


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Office:
    return Office(tmp_path_factory.mktemp("office") / "office.sqlite")


def names(*said: str) -> set[Row]:
    return {(name,) for name in said}


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        # Hours of the day, ages.
        ("names of courses before 9am", names("Chess")),
        ("how many calls after 18:00", names("4")),
        ("how many calls between 8am and 10am", names("2")),
        ("calls at 2pm vs 10pm", {("14", "2"), ("22", "2")}),
        ("names of agents over 40", names("Ana Ruiz", "Dan Eder")),
        ("names of agents younger than 30", names("Cleo Diaz")),
        ("tuesday vs wednesday calls", {("Tuesday", "3"), ("Wednesday", "1")}),
        (
            "inbound vs outbound calls by year",
            {("2025", "inbound", "1"), ("2025", "outbound", "1"), ("2026", "inbound", "5"), ("2026", "outbound", "2")},
        ),
        ("outcome distribution", {("resolved", "6"), ("abandoned", "2"), ("transferred", "1")}),
        ("average number of seats", names(str(25 / 3))),
        # Several are the top ones where no number says how many.
        ("top 2 days by total wait", {("2025-03-10", "30.0"), ("2026-03-03", "12.0")}),
        ("top queues by number of calls", {("Sales", "5"), ("Billing", "4")}),
        # Conditions of a nested statement are on its rows.
        ("average number of calls per agent in 2026", names(str(7 / 3))),
        ("how many agents have more than 2 calls this year", names("1")),
        # Two periods beside each other, and the part of a figure that meets a condition.
        ("how many more calls in 2026 than 2025", names("5")),
        ("abandonment rate by queue", {("Billing", "50.0"), ("Sales", "0.0")}),
        ("which queue has the highest share of abandoned calls", {("Billing", "50.0")}),
        ("score as % of wait minutes by queue", {("Billing", str(11 / 47 * 100)), ("Sales", str(16 / 28 * 100))}),
        ("difference between the longest and shortest wait per queue", {("Billing", "29.0"), ("Sales", "7.0")}),
        # Several numbers of one column.
        ("agents with a salary of either 30 or 34", names("Ana Ruiz", "Bo Berg")),
        # Groups beside another one.
        ("agents with fewer calls than Ana Ruiz", {("Bo Berg", "2"), ("Cleo Diaz", "2")}),
        ("are there more inbound than outbound calls", names("1")),
        ("did Bo Berg have more calls than Ana Ruiz", names("0")),
        # Groups that nothing refers to, with 0.
        (
            "how many calls does each agent have, including those with none",
            {("Ana Ruiz", "5"), ("Bo Berg", "2"), ("Cleo Diaz", "2"), ("Dan Eder", "0")},
        ),
        (
            "number of inbound Sales calls per agent in 2026, zeros included",
            {("Ana Ruiz", "1"), ("Bo Berg", "1"), ("Cleo Diaz", "1"), ("Dan Eder", "0")},
        ),
        (
            "total wait minutes of each agent in 2025 including zeros",
            {("Ana Ruiz", "0"), ("Bo Berg", "30.0"), ("Cleo Diaz", "1.0"), ("Dan Eder", "0")},
        ),
        # Two dates, each with its own period; more than anyone.
        ("ids of calls started in march and closed in april", names("2")),
        ("who has calls with more different outcomes than anyone", {("Ana Ruiz", "3")}),
        # The first of each, in whatever column or table.
        ("longest wait in each direction", {("inbound", "30.0"), ("outbound", "8.0")}),
        # Where most happens, and not where most things stand.
        ("busiest queue", {("Sales", "5")}),
        # What is two references away.
        ("queues without complaints", names("Fraud")),
        ("how many queues never had a complaint in 2025", names("2")),
        ("agents with no complaints", names("Cleo Diaz", "Dan Eder")),
        # One and not the other.
        ("agents who took Chess but not Yoga", names("Bo Berg", "Dan Eder")),
    ],
)
def test_the_statement_is_among_the_first(office: Office, question: str, rows: set[Row]) -> None:
    assert office.rank(question, rows, 12) is not None


@pytest.mark.parametrize(
    "question",
    [
        "how many calls does each agent have, including those with none",
        "total wait minutes of each agent in 2025 including zeros",
    ],
)
def test_an_outer_join_is_read_back(office: Office, question: str) -> None:
    first = candidates(link(read(question, today=TODAY), office.catalogue))[0].query
    assert first.outer
    assert query_of(sql_of(first, office.catalogue), office.catalogue) == first


def test_an_outer_join_that_counts_its_empty_row_is_not_read(office: Office) -> None:
    joined = (
        "SELECT full_name, COUNT({}) FROM agents LEFT JOIN calls ON calls.agent_id = agents.agent_id GROUP BY full_name"
    )
    assert query_of(joined.format("calls.call_id"), office.catalogue) is not None
    assert query_of(joined.format("*"), office.catalogue) is None


def test_a_condition_on_the_rows_of_an_outer_join_leaves_every_group(office: Office) -> None:
    found = candidates(link(read("number of inbound calls per agent, zeros included", today=TODAY), office.catalogue))
    kept = next(candidate.query for candidate in found if candidate.query.outer)
    assert len(office.rows(sql_of(kept, office.catalogue))) == 4
    assert "0 where there are none" in says(kept, office.catalogue, "en")
    assert "没有的记为0" in says(kept, office.catalogue, "zh")


def test_things_that_nothing_names_do_not_stand_for_what_is_named(office: Office) -> None:
    question = read("how many queues never had a complaint", today=TODAY)
    guessed = [c for c in candidates(link(question, office.catalogue)) if "default_subject" in c.traits]
    calls = [c for c in guessed if says(c.query, office.catalogue, "en").startswith("Number of calls")]
    assert calls
    assert all(2 in candidate.unread for candidate in calls)


def test_rows_are_linked_to_conditions_by_the_table_that_refers_to_both(office: Office) -> None:
    question = read("agents who took both Chess and Yoga", today=TODAY)
    statements = [sql_of(each.query, office.catalogue) for each in candidates(link(question, office.catalogue))[:5]]
    assert "enrolments" in statements[0]
    assert not any('"calls"' in sql for sql in statements)
