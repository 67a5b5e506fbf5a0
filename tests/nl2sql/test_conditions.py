"""Conditions that questions put on rows, from the words to the rows, over the jobs of a small workshop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.joins import Unjoinable
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

SCRIPT = """
CREATE TABLE jobs (
    job_id INTEGER PRIMARY KEY, machine_name TEXT, notes TEXT, weight_kg REAL, repair_minutes INTEGER, channel TEXT,
    brought_in TEXT, picked_up TEXT, fault TEXT
);
INSERT INTO jobs VALUES
    (1, 'Torno 200', 'rush, belt torn', 12.5, 90, 'Phone', '2026-03-02 09:00', '2026-03-02 15:00', 'belt'),
    (2, 'Torno 350', 'new belt', 30, 240, 'phone', '2026-03-05 10:00', '2026-03-09 10:00', 'belt'),
    (3, 'Fresa A', 'cleaned', 55, 45, 'Web', '2026-04-01 08:00', '2026-04-01 20:00', NULL),
    (4, 'Fresa B', 'rush', 61, 150, 'web', '2026-05-11 08:00', '2026-05-31 08:00', 'motor'),
    (5, 'Sierra', 'checked', 8, 30, 'Phone', '2026-06-01 08:00', NULL, NULL);
"""
WITH_FEW = 40
"""Candidates that are run at most."""


class Workshop:
    script = SCRIPT

    def __init__(self) -> None:
        self.source = Memory(self.script)
        ask = self.source.ask
        self.catalogue: Catalogue = profile(self.source.schema, ask, today=TODAY, concepts_of=concepts_of)

    def results(self, question: str) -> Iterator[set[tuple[str, ...]]]:
        lattice = link(read(question, today=TODAY), self.catalogue)
        for candidate in candidates(lattice)[:WITH_FEW]:
            with suppress(Unjoinable):
                rows = self.source.ask(sql_of(candidate.query, self.catalogue))
                yield {tuple(map(str, row)) for row in rows}

    def answers(self, question: str, *rows: tuple[str, ...]) -> bool:
        return any(found == set(rows) for found in self.results(question))

    def first_column(self, question: str) -> list[set[str]]:
        return [{row[0] for row in rows} for rows in self.results(question)]


@pytest.fixture(scope="module")
def workshop() -> Workshop:
    return Workshop()


@pytest.mark.parametrize(
    ("question", "machines"),
    [
        ("machines that start with Tor", {"Torno 200", "Torno 350"}),
        ("machines ending in B", {"Fresa B"}),
        ('machines with "belt" in the notes', {"Torno 200", "Torno 350"}),
        ("machines with rush in the notes", {"Torno 200", "Fresa B"}),
        ("machines whose notes mention belt", {"Torno 200", "Torno 350"}),
        ("machine not containing o", {"Fresa A", "Fresa B", "Sierra"}),
    ],
)
def test_a_part_of_a_text_is_a_condition(workshop: Workshop, question: str, machines: set[str]) -> None:
    assert machines in workshop.first_column(question)


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("how many machines over 50 kg", "2"),
        ("how many jobs above 20000 grams", "3"),
        ("how many jobs took over 2 hours", "2"),
        ("how many jobs were picked up after more than 3 days", "2"),
    ],
)
def test_a_unit_tells_what_a_number_measures(workshop: Workshop, question: str, count: str) -> None:
    assert workshop.answers(question, (count,))


def test_a_duration_is_given_in_the_unit_that_is_asked_for(workshop: Workshop) -> None:
    mean = str((6.0 + 96.0 + 12.0 + 480.0) / 4)
    found = workshop.results("how many hours from brought in to picked up on average")
    assert any(row[-1].startswith(mean) for rows in found for row in rows)


def test_values_that_differ_in_case_are_one_group(workshop: Workshop) -> None:
    assert workshop.answers("jobs by channel", ("phone", "3"), ("web", "2"))


def test_a_column_that_is_filled_now_and_then_stands_for_the_rows_that_fill_it(workshop: Workshop) -> None:
    assert workshop.answers("number of jobs by fault", ("belt", "2"), ("motor", "1"))
    assert workshop.answers("how many faults", ("3",))


class Office(Workshop):
    script = """
    CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, full_name TEXT, hired_on TEXT, left_on TEXT, wants_bike TEXT);
    INSERT INTO staff VALUES
        (1, 'Ada Lund', '2020-01-01', NULL, 'yes'), (2, 'Bo Hagen', '2020-02-01', '2023-05-01', 'no'),
        (3, 'Cy Moe', '2021-03-01', NULL, 'unsure'), (4, 'Di Vik', '2022-03-01', NULL, 'no'),
        (5, 'Ed Rud', '2022-04-01', '2024-01-01', 'unsure'), (6, 'Fay Dahl', '2022-05-01', NULL, 'yes');
    CREATE TABLE receipt_lines (
        line_id INTEGER PRIMARY KEY, receipt_no INTEGER, product TEXT, line_total REAL, discount_pct INTEGER,
        due_on TEXT, paid_on TEXT
    );
    INSERT INTO receipt_lines VALUES
        (1, 501, 'tea', 4, 20, '2026-01-05', '2026-01-03'), (2, 501, 'mug', 8, 0, '2026-01-05', '2026-01-09'),
        (3, 501, 'pot', 30, 0, '2026-01-07', '2026-01-07'), (4, 502, 'tea', 4, 20, '2026-02-05', '2026-02-08'),
        (5, 503, 'mug', 8, 10, '2026-03-01', '2026-02-20'), (6, 503, 'tea', 6, 0, '2026-03-01', '2026-03-03');
    """


@pytest.fixture(scope="module")
def office() -> Office:
    return Office()


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("how many staff do we have now", "4"),
        ("how many staff do not want a bike", "2"),
        ("how many lines got 20 percent off", "2"),
        ("how many receipt lines were paid after they were due", "3"),
        ("average total per receipt", "20.0"),
    ],
)
def test_a_figure_leaves_out_what_the_words_leave_out(office: Office, question: str, answer: str) -> None:
    assert office.answers(question, (answer,))


class Surgery(Workshop):
    script = """
    CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, pet TEXT, arranged_on TEXT, visit_date TEXT, checkout_date TEXT);
    INSERT INTO visits VALUES
        (1, 'Rex', '2026-02-03', '2026-03-02', '2026-03-04'), (2, 'Tom', '2026-03-05', '2026-04-02', '2026-05-09'),
        (3, 'Ivy', '2026-03-09', '2027-01-14', '2027-01-15');
    """


@pytest.fixture(scope="module")
def surgery() -> Surgery:
    return Surgery()


def test_a_period_is_about_the_date_that_is_shown(surgery: Surgery) -> None:
    shown = surgery.first_column("list the checkout dates in may 2026")
    assert shown[0] == {"2026-05-09"}


def test_a_period_beyond_a_date_is_about_another_one(surgery: Surgery) -> None:
    assert next(surgery.results("how many were arranged for january 2027")) == {("1",)}


def _statements(columns: str, rows: list[tuple[object, ...]], text: str) -> list[str]:
    """The statements of the readings of a question over one table of calls."""
    catalogue = Memory(f"CREATE TABLE calls({columns})").fill("calls", rows).catalogue()
    return [sql_of(c.query, catalogue) for c in candidates(link(read(text, today=TODAY), catalogue))]


def test_a_night_goes_over_midnight_and_a_morning_ends_before_noon() -> None:
    rows = [(n, f"2026-03-{n:02} {n:02}:30:00") for n in range(1, 24)]
    night = _statements("call_no INTEGER PRIMARY KEY, started TEXT", rows, "how many calls at night")
    assert any("IN (22, 23, 0, 1, 2, 3, 4)" in sql for sql in night)
    assert not any("BETWEEN 22 AND 5" in sql for sql in night)
    morning = _statements("call_no INTEGER PRIMARY KEY, started TEXT", rows, "how many calls in the morning")
    assert any("BETWEEN 5 AND 11" in sql for sql in morning)


def test_days_without_a_time_have_no_nights() -> None:
    rows = [(n, f"2026-03-{n:02}") for n in range(1, 24)]
    assert not any("%H" in sql for sql in _statements("call_no INTEGER PRIMARY KEY, day TEXT", rows, "calls at night"))
