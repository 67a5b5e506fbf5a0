from __future__ import annotations

from kbtui.nl2sql.feature_table import FeatureTable

ROWS = FeatureTable.of([{"unread": 1.0, "links": 2.0}, {"links": 3.0, "tables": 4.0}])


def test_columns_come_in_the_order_that_is_wanted_and_are_zero_where_they_lack() -> None:
    assert ROWS.columns(("tables", "unread", "depth")).tolist() == [[0.0, 1.0, 0.0], [4.0, 0.0, 0.0]]


def test_no_rows_have_no_values_in_any_column() -> None:
    assert FeatureTable.of([]).columns(("unread",)).shape == (0, 1)


def test_rows_are_taken_in_the_order_that_is_given() -> None:
    assert ROWS.take([1, 0]).columns(("links",)).tolist() == [[3.0], [2.0]]


def test_columns_are_set_beside_those_that_are_there() -> None:
    both = ROWS.with_columns([{"place": 0.0}, {"place": 1.0}])
    assert both.row(1) == {"unread": 0.0, "links": 3.0, "tables": 4.0, "place": 1.0}
