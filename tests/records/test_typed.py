"""Values as what they are."""

from __future__ import annotations

from kbtui.records.typed import compare_versions, figure_of, type_of, unit_of, version_key


def test_a_figure_is_read_without_its_unit() -> None:
    assert (figure_of("39 m"), figure_of("1,200 km²"), figure_of("007"), figure_of("v1.2")) == (39, 1200, None, None)
    assert unit_of(["39 m", "4 m"]) == "m"
    assert unit_of(["39 m", "4 km"]) == ""


def test_a_field_is_what_nearly_all_of_its_values_are() -> None:
    assert type_of(["2024-01-01", "2024-02-01"]) == "date"
    assert type_of(["12 m", "4 m"]) == "number"
    assert type_of(["open", "2024-01-01"]) == "text"


def test_versions_that_differ_by_a_zero_alone_are_no_figures() -> None:
    assert type_of(["3.1", "3.10", "3.9"]) == "version"


def test_versions_are_compared_number_by_number_and_what_is_not_final_comes_first() -> None:
    mixed = ["2", "1.10.1", "1.10rc1", "1.9", "2.0.dev1", "1.10", "1.10.0b1"]
    assert sorted(mixed, key=version_key) == ["1.9", "1.10.0b1", "1.10rc1", "1.10", "1.10.1", "2.0.dev1", "2"]
    assert compare_versions("v2.0", "2") == 0
