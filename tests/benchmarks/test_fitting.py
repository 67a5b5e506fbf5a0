from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lightgbm")

import fit_nl2sql
import lightgbm
from _empty_answers import emptied, empty_answers
from _fitting import Models, exported, fit_models, folds_of, grades_of, judged, scored, second_pass, shift_for
from _pools import Pool, oracle

from kbtui.nl2sql.feature_table import FeatureTable
from kbtui.nl2sql.gate import THRESHOLD
from kbtui.nl2sql.trees import trees_in

NAMES = ("g_noise", "link_mean", "prior", "unread")


def pool(seed: int, database: str, source: str = "made", *, answerable: bool = True) -> Pool:
    """Six candidates; the right one has the best links, and a question that has none has poor ones."""
    chance = np.random.default_rng(seed)
    matrix = chance.random((6, 4)).astype(np.float32)
    matrix[:, 3] = 0.0
    right = np.zeros(6, bool)
    if answerable:
        right[matrix[:, 1].argmax()] = True
        matrix[right, 1] += 0.5
    else:
        matrix[:, 1] /= 2
    item: dict[str, Any] = {"db": database, "kind": "question" if answerable else "unanswerable", "lang": "en"}
    item |= {"question": "?", "gold_sql": "SELECT 1"}
    return Pool(item, source, NAMES, matrix, right, np.arange(6, dtype=np.int32), ["SELECT 2"])


@pytest.fixture(scope="module")
def pools() -> list[Pool]:
    answerable = [pool(at, f"d{at % 12}", "one" if at % 12 < 6 else "two") for at in range(360)]
    return answerable + [pool(1000 + at, f"d{at % 12}", "one", answerable=False) for at in range(60)]


@pytest.fixture(scope="module")
def models(pools: list[Pool]) -> Models:
    """Fitted without the database d3."""
    return fit_models([each for each in pools if each.item["db"] != "d3"], 0.9)


def test_exported_trees_score_as_the_library_does() -> None:
    chance = np.random.default_rng(1)
    matrix = chance.random((400, 5)).astype(np.float32)
    labels = (matrix[:, 0] + matrix[:, 3] > 1).astype(int)
    parameters = {"objective": "binary", "verbose": -1, "num_threads": 1}
    booster = lightgbm.train(parameters, lightgbm.Dataset(matrix, labels), 20)
    trees = exported(booster, [f"name {at}" for at in range(5)])
    table = FeatureTable(tuple(f"name {at}" for at in range(5)), matrix)
    assert np.allclose(trees.scores(table), booster.predict(matrix, raw_score=True), atol=1e-4)


def test_a_fold_holds_whole_databases(pools: list[Pool]) -> None:
    folds = folds_of(pools, 4)
    assert sum(map(len, folds)) == len(pools)
    for fold in folds:
        others = {each.database for other in folds if other is not fold for each in other}
        assert others.isdisjoint(each.database for each in fold)


def test_a_right_candidate_with_surplus_figures_counts_less_than_one_without() -> None:
    made = replace(
        pool(1, "d1"),
        names=("aggregates",),
        matrix=np.array([[2.0], [1.0], [1.0]], np.float32),
        right=np.array([True, True, False]),
    )
    assert grades_of(made).tolist() == [1, 2, 0]


def test_all_columns_count_less_than_those_that_are_named() -> None:
    made = replace(
        pool(1, "d1"),
        names=("trait_listed", "role_shown"),
        matrix=np.array([[1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], np.float32),
        right=np.array([True, True, True]),
    )
    assert grades_of(made).tolist() == [1, 2, 2]
    assert grades_of(replace(made, right=np.array([True, False, False]))).tolist() == [2, 0, 0]


def test_what_is_learned_holds_on_databases_not_seen(pools: list[Pool], models: Models) -> None:
    held = [each for each in pools if each.item["db"] == "d3"]
    cases = judged(held, models.ranker)
    second_pass(cases, models.reranker)
    scored(cases, models.gate)
    answerable = [case for case in cases if case.pool.answerable]
    assert sum(case.first for case in answerable) >= 0.8 * len(answerable)
    given = [case for case in cases if case.probability >= THRESHOLD]
    assert given
    assert sum(case.first for case in given) >= 0.8 * len(given)


def test_the_shift_puts_the_wanted_precision_at_the_threshold(pools: list[Pool], models: Models) -> None:
    cases = judged(pools, models.ranker)
    for at, case in enumerate(cases):
        case.first, case.probability = at % 10 != 0, 1 - at / len(cases)
    assert shift_for(cases, 0.5) > shift_for(cases, 0.95)


def test_models_come_back_as_they_were_written(models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fit_nl2sql, "MODELS", tmp_path / "models.npz")
    fit_nl2sql.write(models)
    with np.load(tmp_path / "models.npz") as arrays:
        rows = FeatureTable.of([{"link_mean": 0.2}, {"link_mean": 1.2, "unread": 1.0}])
        assert trees_in(arrays, "ranker").scores(rows).tolist() == models.ranker.trees.scores(rows).tolist()
        assert trees_in(arrays, "reranker").scores(rows).tolist() == models.reranker.scores(rows).tolist()


def test_the_oracle_counts_by_source_and_tells_of_misses(pools: list[Pool]) -> None:
    missed = pool(5, "d1", "one")
    missed.right[:] = False
    missed.miss, missed.unread = "column: height", ("tall",)
    text = "\n".join(oracle([*pools, missed]))
    assert "one: 1 without a right candidate: {'column': 1}" in text
    assert "tall" in text


def test_a_report_is_printed_for_questions_without_a_candidate(capsys: pytest.CaptureFixture[str]) -> None:
    empty = pool(1, "d1")
    empty.right, empty.matrix = np.zeros(0, bool), np.zeros((0, 4), np.float32)
    fit_nl2sql.print_table([empty], judged([empty], None))  # type: ignore[arg-type]
    assert "0.000" in capsys.readouterr().out


def test_arguments_need_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["fit_nl2sql.py", "somewhere"])
    with pytest.raises(SystemExit):
        fit_nl2sql.main()


def test_a_question_that_nothing_answers_has_right_candidates_without_rows() -> None:
    made = pool(1, "d1")
    names = ("role_filter", "rows_log", "rows_none", "rows_scalar", "rows_zero")
    matrix = np.tile(np.array([1.0, 2.0, 0.0, 0.0, 0.0], np.float32), (6, 1))
    right = int(np.flatnonzero(made.right)[0])
    listed = replace(made, names=names, matrix=matrix)
    assert emptied(listed).matrix[right].tolist() == [1.0, 0.0, 1.0, 0.0, 0.0]
    matrix[:, 3] = 1.0
    counted = emptied(replace(listed, matrix=matrix)).matrix
    assert counted[right].tolist() == [1.0, 2.0, 0.0, 1.0, 1.0]
    assert (np.delete(counted, right, 0) == np.delete(matrix, right, 0)).all()


def test_some_questions_with_conditions_are_there_a_second_time_without_rows(pools: list[Pool]) -> None:
    with_conditions = [replace(each, names=("role_filter", "rows_none", "rows_zero", "unread")) for each in pools]
    copies = empty_answers(with_conditions)
    assert 0 < len(copies) < 0.1 * len(pools)
    assert all(copy.answerable for copy in copies)
    assert not empty_answers(pools)
