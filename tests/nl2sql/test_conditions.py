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
    def __init__(self) -> None:
        self.source = Memory(SCRIPT)
        ask = self.source.ask
        self.catalogue: Catalogue = profile(self.source.schema, ask, today=TODAY, concepts_of=concepts_of)

    def results(self, question: str) -> Iterator[set[tuple[str, ...]]]:
        lattice = link(read(question, today=TODAY), self.catalogue)
        for candidate in candidates(lattice, seconds=5.0)[:WITH_FEW]:
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
