"""Periods over stretches, years and quarters in columns of their own, what is late, what has not happened for long."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

SCRIPT = """
CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, full_name TEXT, team TEXT, wage INTEGER);
CREATE TABLE absences (absence_id INTEGER PRIMARY KEY, crew_id INTEGER REFERENCES crew (crew_id), kind TEXT,
    start_date TEXT, end_date TEXT);
CREATE TABLE goals (goal_id INTEGER PRIMARY KEY, team TEXT, year INTEGER, quarter TEXT, budget INTEGER);
CREATE TABLE loans (loan_id INTEGER PRIMARY KEY, crew_id INTEGER REFERENCES crew (crew_id), tool TEXT, taken_on TEXT,
    due_date TEXT, returned_on TEXT);
CREATE TABLE permits (permit_id INTEGER PRIMARY KEY, crew_id INTEGER REFERENCES crew (crew_id), area TEXT);
CREATE TABLE machines (machine_id INTEGER PRIMARY KEY, machine_name TEXT, last_checked TEXT);
INSERT INTO crew VALUES (1, 'Ada Nilsen', 'deck', 30), (2, 'Bo Lund', 'deck', 50), (3, 'Cy Berg', 'galley', 20),
    (4, 'Di Holm', 'galley', 24);
INSERT INTO absences VALUES (1, 1, 'leave', '2026-11-01', '2026-11-25'), (2, 2, 'leave', '2026-10-01', '2026-10-05'),
    (3, 3, 'illness', '2026-11-22', '2026-11-24'), (4, 4, 'leave', '2026-11-05', '2026-11-07');
INSERT INTO goals VALUES (1, 'deck', 2026, 'Q2', 100), (2, 'deck', 2026, 'Q3', 140), (3, 'galley', 2026, 'Q3', 61),
    (4, 'deck', 2025, 'Q3', 17), (5, 'deck', 2025, 'Q1', 18), (6, 'deck', 2026, 'Q1', 19);
INSERT INTO loans VALUES (11, 1, 'rope', '2026-09-01', '2026-09-10', '2026-09-20'), (12, 2, 'saw', '2026-10-01',
    '2026-10-20', NULL), (13, 3, 'axe', '2026-11-10', '2026-11-30', NULL), (14, 4, 'file', '2026-08-01', '2026-08-20',
    '2026-08-11');
CREATE TABLE chores (id INTEGER PRIMARY KEY, chore TEXT, deadline TEXT, state TEXT);
INSERT INTO chores VALUES (1, 'paint', '2026-10-01', 'done'), (2, 'scrub', '2026-10-02', 'open'), (3, 'caulk',
    '2026-12-20', 'open');
INSERT INTO permits VALUES (1, 1, 'hold'), (2, 1, 'bridge'), (3, 4, 'hold');
INSERT INTO machines VALUES (1, 'Winch', '2026-11-01'), (2, 'Pump', '2026-03-01'), (3, 'Crane', '2026-07-02');
"""


@pytest.fixture(scope="module")
def ship() -> tuple[Memory, Catalogue]:
    source = Memory(SCRIPT)
    return source, profile(source.schema, source.ask, today=TODAY, concepts_of=concepts_of)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("budget in q3 2026", [(201,)]),
        ("2026年三季度预算", [(201,)]),
        ("budget before 2026", [(35,)]),
        ("budget since 2026", [(320,)]),
        ("budget between 2025 and 2026", [(355,)]),
        ("how many loans are overdue", [(1,)]),
        ("how many chores are overdue", [(1,)]),
    ],
)
def test_what_is_meant_is_among_the_candidates(
    ship: tuple[Memory, Catalogue], question: str, rows: list[tuple[object, ...]]
) -> None:
    source, catalogue = ship
    read_as = candidates(link(read(question, today=TODAY), catalogue))[:60]
    found = (source.ask(sql_of(each.query, catalogue)) for each in read_as)
    assert any(
        all(any(set(row) <= set(each) for each in got) for row in rows) and len(got) == len(rows) for got in found
    )


def test_a_period_is_read_by_a_condition_or_not_at_all(ship: tuple[Memory, Catalogue]) -> None:
    question = read("crew who have a permit in may", today=TODAY)
    for candidate in candidates(link(question, ship[1])):
        reads = any(use.mention.kind == "period" for use in candidate.uses)
        assert reads == ("-05-31" in sql_of(candidate.query, ship[1]))
