"""Readings compete for probability, and those that bring the same rows are one answer."""

from __future__ import annotations

import pytest

from kbtui.data.nl2sql.ranking import answer_of, measured, probabilities


def test_probabilities_leave_room_for_none_of_the_readings() -> None:
    found = probabilities([3.0, 1.0])

    assert found[0] > found[1] > 0
    assert sum(found) < 1


def test_a_reading_alone_is_surer_than_one_beside_its_equal() -> None:
    assert probabilities([2.0])[0] > probabilities([2.0, 2.0])[0]


def test_scores_of_any_size_are_no_overflow() -> None:
    assert probabilities([900.0, -900.0]) == pytest.approx([1.0, 0.0])


def test_the_same_rows_are_one_answer_in_any_order_unless_an_order_was_asked_for() -> None:
    rows, turned = [(1, "a"), (2, "b")], [(2, "b"), (1, "a")]

    assert answer_of(rows, ordered=False) == answer_of(turned, ordered=False)
    assert answer_of(rows, ordered=True) != answer_of(turned, ordered=True)
    assert answer_of(rows, ordered=False) != answer_of([*rows, (2, "b")], ordered=False)


@pytest.mark.parametrize(
    ("rows", "empty", "zero"), [([], 1.0, 0.0), ([(None,)], 1.0, 0.0), ([(0,)], 0.0, 1.0), ([(4,)], 0.0, 0.0)]
)
def test_a_look_at_the_result_says_whether_anything_was_found(
    rows: list[tuple[object, ...]], empty: float, zero: float
) -> None:
    found = measured({"fit": 1.0}, rows)

    assert (found["fit"], found["empty"], found["zero"]) == (1.0, empty, zero)
