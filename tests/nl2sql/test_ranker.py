from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.gate import THRESHOLD, Gate, objections
from kbtui.nl2sql.ranker import Ranker, answers_of
from kbtui.nl2sql.trees import LEAF, Linear, Trees, linear_in, trees_in


def trees(*nodes: tuple[int, float, int, int, float], roots: tuple[int, ...] = (0,)) -> Trees:
    """Nodes are (feature, threshold, left, right, value)."""
    feature, threshold, left, right, value = zip(*nodes, strict=True)
    return Trees(
        names=("unread", "links"),
        roots=np.array(roots, np.int32),
        feature=np.array(feature, np.int16),
        threshold=np.array(threshold, np.float32),
        left=np.array(left, np.int32),
        right=np.array(right, np.int32),
        value=np.array(value, np.float32),
    )


def linear() -> Linear:
    """Four for each deviation of 1.5 from 1.5, less 2."""
    one = np.ones(1, np.float32)
    return Linear(("links",), 1.5 * one, 1.5 * one, 4 * one, bias=-2.0)


SPLIT = (
    (0, 0.5, 1, 2, 0.0),
    (LEAF, 0.0, 0, 0, 3.0),
    (1, 1.0, 3, 4, 0.0),
    (LEAF, 0.0, 0, 0, 1.0),
    (LEAF, 0.0, 0, 0, -1.0),
)


def test_rows_go_down_the_trees() -> None:
    rows = [{"unread": 0.0}, {"unread": 1.0, "links": 1.0}, {"unread": 1.0, "links": 2.0, "other": 7.0}]
    assert trees(*SPLIT).scores(FeatureTable.of(rows)).tolist() == [3.0, 1.0, -1.0]
    assert trees(*SPLIT, roots=(0, 3)).scores(FeatureTable.of(rows)).tolist() == [4.0, 2.0, 0.0]


def test_no_rows_have_no_scores() -> None:
    assert trees(*SPLIT).scores(FeatureTable.of([])).tolist() == []


def test_trees_come_back_from_their_arrays(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "t.npz", **trees(*SPLIT).arrays("ranker"))
    with np.load(tmp_path / "t.npz") as arrays:
        assert trees_in(arrays, "ranker").scores(FeatureTable.of([{"unread": 1.0}])).tolist() == [1.0]


def test_a_linear_model_comes_back_from_its_arrays(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "l.npz", **linear().arrays("ranker_linear"))
    with np.load(tmp_path / "l.npz") as arrays:
        assert linear_in(arrays, "ranker_linear").scores(FeatureTable.of([{"links": 3.0}])).tolist() == [2.0]


def test_candidates_with_the_same_rows_are_one_answer() -> None:
    answers = answers_of([1.0, 3.0, 1.0], ["a", "b", "a"])
    assert [answer.members for answer in answers] == [(1,), (0, 2)]
    assert sum(answer.share for answer in answers) == pytest.approx(1.0)


def test_many_ways_to_write_the_same_thing_do_not_outvote_a_better_one() -> None:
    assert answers_of([2.0, 1.9, 1.9, 1.9], ["a", "b", "b", "b"])[0].members == (0,)


def test_no_candidates_are_no_answers() -> None:
    assert answers_of([], []) == []


def gate(value: float) -> Gate:
    return Gate(trees((LEAF, 0.0, 0, 0, value)))


def test_a_rule_keeps_the_confidence_below_the_threshold() -> None:
    assert gate(9.0).confidence({"unread": 0.0}) > 0.99
    assert gate(9.0).confidence({"unread": 1.0}) < THRESHOLD
    assert gate(-9.0).confidence({"unread": 1.0}) < 0.01


@pytest.mark.parametrize("name", ["unread", "literal_absent", "count_for_amount", "count_tied", "period_outside"])
def test_each_rule_objects_by_its_feature(name: str) -> None:
    assert objections({name: 1.0}) == (name,)
    assert objections({name: 0.0}) == ()


def test_the_shift_moves_the_odds() -> None:
    assert Gate(trees((LEAF, 0.0, 0, 0, 2.0)), shift=-2.0).probability({}) == pytest.approx(0.5)


def test_features_far_out_count_no_more_than_five_deviations() -> None:
    assert linear().scores(FeatureTable.of([{"links": 3.0}, {"links": 1e9}, {}])).tolist() == [2.0, 18.0, -6.0]
    assert linear().scores(FeatureTable.of([])).tolist() == []


def test_a_linear_model_is_added_to_the_trees() -> None:
    rows = FeatureTable.of([{"unread": 0.0, "links": 3.0}])
    assert Ranker(trees(*SPLIT)).scores(rows) == [3.0]
    assert Ranker(trees(*SPLIT), linear()).scores(rows) == [5.0]
