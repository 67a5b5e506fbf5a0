"""Days as documents write them."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.text.days import day_of, find_day


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-01",
        "2024/5/1",
        "(2024-05-01)",
        "01-May-2024",
        "2024-May-01",
        "2024 May 1",
        "1 May 2024",
        "May 1, 2024",
        "1st May 2024",
        "2024年5月1日",
        "Wed, 1 May 2024 23:27:53 +0200",
        "Wednesday, May 1, 2024",
    ],
)
def test_a_day_is_read_however_it_is_written(text: str) -> None:
    assert day_of(text) == date(2024, 5, 1)


@pytest.mark.parametrize("text", ["2024-13-01", "soon", "May 2024", "v1.30", "31-Feb-2024", "2024-Part-3"])
def test_what_is_no_day_is_none(text: str) -> None:
    assert day_of(text) is None


def test_a_day_is_found_anywhere_in_a_text_with_its_place() -> None:
    found = find_day("Bellows 1.4 //(August 28, 2019)//")
    assert found is not None
    assert (found.day, "Bellows 1.4 //(August 28, 2019)//"[found.start : found.end]) == (
        date(2019, 8, 28),
        "August 28, 2019",
    )
    assert find_day("since 2019, and 12019-01-01") is None
