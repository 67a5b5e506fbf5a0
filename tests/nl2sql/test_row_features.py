from __future__ import annotations

from typing import Any

import pytest

from kbtui.nl2sql.query import Col, Query, Ref
from kbtui.nl2sql.row_features import answer_of, row_features

BED = Query((Col(Ref("plants", "bed")),))


@pytest.mark.parametrize(
    ("rows", "name"),
    [
        ([], "rows_none"),
        ([(None, None)], "rows_all_null"),
        ([(0,)], "rows_zero"),
        ([("a", 1), ("b", 1)], "rows_constant_column"),
        ([("a", 1), ("a", 1)], "rows_duplicates"),
        ([("a", 1), ("a", 2)], "rows_first_repeats"),
        ([(i,) for i in range(21)], "rows_full"),
    ],
)
def test_odd_rows_are_told(rows: list[tuple[Any, ...]], name: str) -> None:
    assert row_features(BED, rows, wants_many=False, wants_group=False)[name] == 1.0


def test_one_row_for_each_is_told() -> None:
    assert row_features(BED, [("a", 1)], wants_many=False, wants_group=True)["rows_one_for_each"] == 1.0


def test_rows_that_were_not_read_are_unknown() -> None:
    assert row_features(BED, None, wants_many=False, wants_group=False) == {"rows_unknown": 1.0}


def test_the_order_of_rows_matters_only_where_it_was_asked_for() -> None:
    assert answer_of([(1,), (2,)], ordered=False) == answer_of([(2,), (1,)], ordered=False)
    assert answer_of([(1,), (2,)], ordered=True) != answer_of([(2,), (1,)], ordered=True)


def test_lists_in_cells_can_be_compared() -> None:
    rows = [([1, 2],), ([1, 2],)]
    assert row_features(BED, rows, wants_many=False, wants_group=False)["rows_duplicates"] == 1.0
    assert answer_of(rows, ordered=False) == answer_of(rows, ordered=True)
