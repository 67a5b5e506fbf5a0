"""What search makes of questions that a folder does not answer: measured once, and again when it has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.errors import StorageError
from kbtui.knowledge.joined.index import JoinedIndex
from kbtui.knowledge.search import background
from kbtui.knowledge.search.background import Background
from kbtui.knowledge.search.hybrid import HybridSearcher
from kbtui.knowledge.store.index import Index
from kbtui.settings.model import Settings
from tests.knowledge.indexing import FakeEmbedder, run, write_folder


class Scores:
    """A search whose best score is always the same, and that counts the questions."""

    def __init__(self, score: float = 0.25) -> None:
        self.score = score
        self.asked: list[str] = []

    def best_score(self, semantic_query: str, exact_keywords: str) -> float:
        assert exact_keywords
        self.asked.append(semantic_query)
        return self.score


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_folder(tmp_path / "kb", {f"{n}.txt": f"note {n} about the kiln" for n in range(20)})
    run(root)
    return root


def of(root: Path, scores: Scores, directory: Path | None = None) -> Background:
    hybrid: HybridSearcher = scores  # type: ignore[assignment]
    return Background(Index(root, Settings(), directory), lambda: hybrid)


def test_it_is_the_mean_over_the_questions_and_is_kept_beside_the_index(root: Path) -> None:
    scores = Scores()
    measured = of(root, scores)
    assert measured.score() == measured.score() == 0.25
    assert len(set(scores.asked)) == len(scores.asked) > 20
    later = Scores(0.9)
    assert of(root, later).score() == 0.25
    assert later.asked == []


def test_that_of_several_folders_is_kept_too(root: Path, tmp_path: Path) -> None:
    other = write_folder(tmp_path / "other", {"a.txt": "a note about the quay"})
    run(other)

    def score(scores: Scores) -> float | None:
        members = {folder.name: Index(folder, Settings()) for folder in (root, other)}
        hybrid: HybridSearcher = scores  # type: ignore[assignment]
        return Background(JoinedIndex(tmp_path / "both", Settings(), members), lambda: hybrid).score()

    assert score(Scores(0.25)) == 0.25
    assert score(later := Scores(0.9)) == 0.25
    assert later.asked == []


def test_it_is_measured_again_when_the_folder_has_grown_by_a_tenth(root: Path) -> None:
    assert of(root, Scores(0.25)).score() == 0.25
    write_folder(root, {"new.txt": "one more note"})
    run(root)
    assert of(root, Scores(0.5)).score() == 0.25
    write_folder(root, {f"new{n}.txt": f"one more note {n}" for n in range(5)})
    run(root)
    assert of(root, Scores(0.5)).score() == 0.5


def test_it_is_measured_again_with_the_vectors_of_another_model(root: Path) -> None:
    assert of(root, Scores(0.25)).score() == 0.25
    run(root, embedder=FakeEmbedder("fake-2"))
    assert of(root, Scores(0.5)).score() == 0.5


def test_what_is_kept_may_be_damaged(root: Path) -> None:
    measured = of(root, Scores(0.25))
    assert measured.score() == 0.25
    (Index(root, Settings()).directory / "background.json").write_text("[1, 2", "utf-8")
    assert of(root, Scores(0.5)).score() == 0.5


def test_an_index_that_is_thrown_away_is_not_measured(root: Path, tmp_path: Path) -> None:
    scores = Scores()
    assert of(root, scores, tmp_path / "look").score() is None
    assert scores.asked == []


def test_an_index_that_cannot_be_read_has_none(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Index) -> float:
        raise StorageError("The disk refuses.", "Look at it.")

    monkeypatch.setattr(Index, "vector_share", refuse)
    assert of(root, Scores()).score() is None


def test_both_lists_ask_the_same_number_of_questions() -> None:
    questions = background._questions()
    assert len(questions["en"]) == len(questions["zh"])
