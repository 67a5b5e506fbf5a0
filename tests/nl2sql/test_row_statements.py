"""Lists of rows."""

from __future__ import annotations

from tests.nl2sql.atlas import place_of, statements


def test_the_oldest_are_never_those_with_the_latest_year() -> None:
    sql = statements("who is the oldest explorer")
    assert 'ORDER BY "birth_year" ASC' in sql[0]
    assert not any('"birth_year" DESC' in each for each in sql)


def test_who_shows_the_people_that_the_rows_refer_to() -> None:
    place = place_of("who led White Cape", {"Ada Lind"})
    assert place is not None
    assert place < 5


def test_a_superlative_does_not_rank_the_rows_that_refer_to_its_table() -> None:
    first = statements("rivers in the largest province")[:5]
    assert not any('ORDER BY "province"."area"' in sql for sql in first)
