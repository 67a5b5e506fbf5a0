"""A model's grades count as far as they tell passages apart, and raise nothing that is worthless."""

from __future__ import annotations

import pytest

from kbtui.domain.evidence import DROP_THRESHOLD, GENERATE_THRESHOLD
from kbtui.reasoning.llm.joining import join_grades, trust

JUNK = [0.01, 0.02, 0.005, 0.015, 0.02, 0.01]


def test_a_model_that_tells_passages_apart_is_followed() -> None:
    good, *rest = join_grades([0.3, *JUNK], [0.95, *[0.05] * len(JUNK)])
    assert good >= GENERATE_THRESHOLD
    assert max(rest) < DROP_THRESHOLD


@pytest.mark.parametrize("grade", [1.0, 0.9])
def test_a_model_that_likes_everything_raises_next_to_nothing(grade: float) -> None:
    first, *rest = join_grades([0.4, *JUNK, *JUNK], [grade] * 13)
    assert first < 0.45
    assert max(rest) < 0.1


def test_a_passage_that_talks_the_model_into_a_one_stays_dropped() -> None:
    assert join_grades(JUNK, [1.0, *[0.0] * 5])[0] < DROP_THRESHOLD


def test_a_model_may_lower_a_grade_all_the_same() -> None:
    low, high = join_grades([0.9, 0.9], [0.0, 1.0])
    assert low < DROP_THRESHOLD
    assert high >= 0.9
    assert max(join_grades([0.9, 0.8, 0.95], [0.0, 0.0, 0.0])) < DROP_THRESHOLD


def test_what_the_model_leaves_out_keeps_its_grade_and_says_nothing_of_the_model() -> None:
    assert join_grades([0.5, 0.2], [None, None]) == [0.5, 0.2]
    assert join_grades([0.5, 0.2], [0.9, None])[1] == 0.2
    assert join_grades([], []) == []


def test_few_high_grades_are_no_sign_of_obedience() -> None:
    assert trust([]) == 1.0
    assert trust([1.0]) > 0.8
    assert trust([1.0] * 3) > trust([1.0] * 6) > trust([1.0] * 30) == 0.0
    assert trust([1.0, 1.0, *[0.0] * 8]) == 1.0


def test_grades_stay_between_none_and_all_in_their_order() -> None:
    for own in (0.0, 0.001, 0.3, 0.999, 1.0):
        given = [join_grades([own, 0.1, 0.1], [grade, 0.0, 0.0])[0] for grade in (0.0, 0.2, 0.5, 0.8, 1.0)]
        assert given == sorted(given)
        assert given[0] >= 0.0
        assert given[-1] <= 1.0


def test_a_passage_that_gives_orders_lowers_no_other_and_is_not_raised() -> None:
    right, ordering = join_grades([0.8, 0.2], [0.0, 1.0], [False, True])
    assert right == 0.8
    assert ordering <= 0.2


def test_a_passage_that_gives_orders_leaves_the_grades_alone_where_the_model_does_not_prefer_it() -> None:
    assert join_grades([0.8, 0.2], [0.0, 0.1], [False, True])[0] == join_grades([0.8, 0.2], [0.0, 0.1])[0]
