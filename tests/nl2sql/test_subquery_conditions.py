"""Conditions with subqueries: the row that ranks first, a named row, an average."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nl2sql.atlas import place_of, statements


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("rivers in the largest province", {"silda"}),
        ("which provinces border the smallest province", {"corva"}),
        ("what provinces border the province with the highest population", {"ardal", "corva"}),
        ("how many towns are there in the most populous province", {2}),
        ("longest river in the largest province", {"silda"}),
    ],
)
def test_a_superlative_of_one_table_restricts_the_rows_of_another(question: str, wanted: set[Any]) -> None:
    place = place_of(question, wanted)
    assert place is not None
    assert place < 25


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("provinces larger than corva", {"ardal"}),
        ("how many provinces have a higher population than ardal", {2}),
        ("which rivers are longer than the silda", {"ardal", "tova"}),
        ("expeditions with a lower budget than White Cape", {"Northern Light", "Long Winter"}),
    ],
)
def test_a_row_is_compared_with_a_named_one(question: str, wanted: set[Any]) -> None:
    place = place_of(question, wanted)
    assert place is not None
    assert place < 3


def test_the_superlative_of_the_thing_itself_stays_a_ranking() -> None:
    first = statements("what is the largest province")[0]
    assert 'ORDER BY "area" DESC' in first
    assert "IN (" not in first
