"""Figures in the unit that a question asks for."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.build import sql_of
from kbtui.nl2sql.candidate import Candidate
from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import profile
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory

FERRY = """
CREATE TABLE crossings(
    id INTEGER PRIMARY KEY, route TEXT, delay_seconds INTEGER, cargo_kg REAL, fare_eur REAL, left_on DATE, back_on DATE
);
INSERT INTO crossings VALUES
    (1, 'north', 3600, 500, 20, '2026-01-01', '2026-01-03'), (2, 'north', 5400, 1500, 25, '2026-01-02', '2026-01-05'),
    (3, 'south', 1800, 4000, 30, '2026-01-05', '2026-01-09');
"""
MEMORY = Memory(FERRY)


@pytest.fixture(scope="module")
def ferry() -> Catalogue:
    return profile(MEMORY.schema, MEMORY.ask, today=TODAY, concepts_of=concepts_of)


def readings(question: str, ferry: Catalogue) -> list[Candidate]:
    return [c for c in candidates(link(read(question, today=TODAY), ferry)) if not c.unread][:6]


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("total delay in hours", 3.0),
        ("total delay in seconds", 10800),
        ("average delay in minutes", 60.0),
        ("平均延误按分钟算", 60.0),
        ("total cargo in tonnes", 6.0),
        ("average fare in euros", 25.0),
    ],
)
def test_a_figure_is_converted_to_the_unit_of_the_question(question: str, figure: float, ferry: Catalogue) -> None:
    rows = [MEMORY.ask(sql_of(each.query, ferry)) for each in readings(question, ferry)]
    assert any(len(found) == 1 and found[0][0] == pytest.approx(figure) for found in rows), rows


def test_a_unit_of_something_else_converts_nothing(ferry: Catalogue) -> None:
    told = [
        each
        for each in readings("total cargo in hours", ferry)
        if any(m.cue and m.cue.op == "unit" for m, _ in each.uses)
    ]
    assert not told
