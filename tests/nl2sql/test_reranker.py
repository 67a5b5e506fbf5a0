from __future__ import annotations

import math

import numpy as np
import pytest
from msgspec.structs import replace

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.ranker import Answer
from kbtui.nl2sql.reranker import CONSIDERED, JUDGED, first_answers, reranked, with_distances
from kbtui.nl2sql.trees import LEAF, Trees

POOL = FeatureTable.of([{"unread": 2.0}, {"unread": 1.0}, {"unread": 3.0}])


def prefers_less(name: str) -> Trees:
    """One tree that scores 1 where the feature is at most 0, and -1 elsewhere."""
    return Trees(
        names=(name,),
        roots=np.array([0], np.int32),
        feature=np.array([0, LEAF, LEAF], np.int16),
        threshold=np.zeros(3, np.float32),
        left=np.array([1, 0, 0], np.int32),
        right=np.array([2, 0, 0], np.int32),
        value=np.array([0.0, 1.0, -1.0], np.float32),
    )


def test_an_answer_has_the_features_of_its_best_candidate_and_of_its_rank() -> None:
    first = first_answers(POOL, [0.0, 4.0, 3.0], [Answer((1, 2), 0.8), Answer((0,), 0.2)])
    leader, other = first.row(0), first.row(1)
    assert leader["unread"] == 1.0
    assert leader["g_margin"] == 4.0
    assert other["g_margin"] == -4.0
    assert leader["g_share"] == pytest.approx(0.8)
    assert leader["g_least_unread"] == 1.0


def test_a_feature_is_compared_with_the_mean_of_the_other_answers() -> None:
    compared = with_distances(POOL, [0.5, 0.25, 0.25])
    assert compared.columns(("apart_unread",)).ravel().tolist() == pytest.approx([0.0, 1.0 - 7 / 3, 3.0 - 5 / 3])


def test_a_lone_answer_differs_from_nothing() -> None:
    compared = with_distances(POOL.take([0]), [1.0])
    assert compared.row(0) == {"unread": 2.0, "apart_unread": 0.0}


def test_the_second_pass_puts_the_answer_first_that_leaves_less_unread_than_the_others() -> None:
    answers = [Answer((0,), 0.6), Answer((1,), 0.4)]
    ranking = reranked(first_answers(POOL, [2.0, 1.0, 0.0], answers), answers, prefers_less("apart_unread"))
    assert [answer.members for answer in ranking.answers] == [(1,), (0,)]
    assert ranking.answers[0].share == pytest.approx(math.e / (math.e + 1 / math.e), abs=1e-4)
    assert ranking.features.row(0)["r_margin"] == 2.0
    assert ranking.features.row(0)["apart_unread"] == pytest.approx(-1.0, abs=1e-5)


def test_answers_that_are_not_considered_follow_as_they_were() -> None:
    pool = FeatureTable.of([{"unread": float(at)} for at in range(CONSIDERED + 2)])
    answers = [Answer((at,), 1 / (CONSIDERED + 2)) for at in range(CONSIDERED + 2)]
    scores = [float(-at) for at in range(CONSIDERED + 2)]
    ranking = reranked(first_answers(pool, scores, answers), answers, prefers_less("nothing"))
    assert list(ranking.answers[CONSIDERED:]) == answers[CONSIDERED:]
    assert sum(answer.share for answer in ranking.answers) == pytest.approx(1.0)
    assert len(ranking.features.values) == JUDGED


@pytest.mark.parametrize(("second", "first"), [(0.0, 1), (2.0, 0)])
def test_an_answer_that_leaves_words_unread_gives_way_to_the_next_one_that_reads_all(second: float, first: int) -> None:
    pool = FeatureTable.of([{"unread": 1.0, "liked": 1.0}, {"unread": second, "liked": 0.0}])
    answers = [Answer((0,), 0.6), Answer((1,), 0.4)]
    less = prefers_less("liked")
    trees = replace(less, value=-less.value)
    ranking = reranked(first_answers(pool, [2.0, 1.0], answers), answers, trees)
    assert ranking.answers[0].members == (first,)


@pytest.mark.parametrize(("objection", "first"), [("count_for_amount", 1), ("count_tied", 0)])
def test_an_answer_that_misreads_gives_way_and_one_whose_rows_tie_does_not(objection: str, first: int) -> None:
    pool = FeatureTable.of([{"unread": 0.0, objection: 1.0, "less_liked": 0.0}, {"unread": 0.0, "less_liked": 1.0}])
    answers = [Answer((0,), 0.6), Answer((1,), 0.4)]
    ranking = reranked(first_answers(pool, [2.0, 1.0], answers), answers, prefers_less("less_liked"))
    assert ranking.answers[0].members == (first,)
