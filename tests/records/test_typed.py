"""Values as what they are."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.records.typed import day_of, figure_of, type_of, unit_of


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-01",
        "2024/5/1",
        "(2024-05-01)",
        "01-May-2024",
        "1 May 2024",
        "May 1, 2024",
        "1st May 2024",
        "2024年5月1日",
    ],
)
def test_a_day_is_read_however_it_is_written(text: str) -> None:
    assert day_of(text) == date(2024, 5, 1)


@pytest.mark.parametrize("text", ["2024-13-01", "soon", "May 2024", "v1.30", "31-Feb-2024"])
def test_what_is_no_day_is_none(text: str) -> None:
    assert day_of(text) is None


def test_a_figure_is_read_without_its_unit() -> None:
    assert (figure_of("39 m"), figure_of("1,200 km²"), figure_of("007"), figure_of("v1.2")) == (39, 1200, None, None)
    assert unit_of(["39 m", "4 m"]) == "m"
    assert unit_of(["39 m", "4 km"]) == ""


def test_a_field_is_what_nearly_all_of_its_values_are() -> None:
    assert type_of(["2024-01-01", "2024-02-01"]) == "date"
    assert type_of(["12 m", "4 m"]) == "number"
    assert type_of(["open", "2024-01-01"]) == "text"


def test_versions_that_differ_by_a_zero_alone_are_no_figures() -> None:
    assert type_of(["3.1", "3.10", "3.9"]) == "text"
