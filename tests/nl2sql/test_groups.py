"""Groupings."""

from __future__ import annotations

from tests.nl2sql.atlas import atlas, place_of, statements


def test_a_column_of_years_groups_by_year() -> None:
    source, _ = atlas()
    assert source.ask(statements("number of expeditions per year")[0]) == [(1895, 1), (1901, 2)]


def test_people_are_grouped_over_a_junction() -> None:
    place = place_of("who led the most expeditions", {"Ada Lind"})
    assert place is not None
    assert place < 3


def test_each_of_something_is_no_single_one() -> None:
    first = statements("what is the largest town in each province")[0]
    assert "PARTITION BY" in first


def test_no_groups_of_a_column_with_one_value() -> None:
    sql = statements("how many explorers are from Norway")
    assert not any('GROUP BY "explorer"."nationality"' in each or 'GROUP BY "nationality"' in each for each in sql)
    assert not any('AVG("birth_year")' in each for each in sql)
