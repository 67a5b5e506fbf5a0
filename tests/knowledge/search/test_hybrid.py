"""hybrid_search over a real index: each side with its own text, and one that fails or has nothing costs no answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError
from kbtui.knowledge.embedding import Vectors
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.knowledge.search.hybrid import HybridSearcher
from kbtui.knowledge.search.lexical import LexicalSearcher
from kbtui.knowledge.search.made_vectors import MADE_AT_MOST
from kbtui.knowledge.search.naming import FileNames
from kbtui.knowledge.search.translator import Translator
from kbtui.knowledge.search.vectors import VectorSearcher
from kbtui.knowledge.store.index import Index
from kbtui.settings.model import RetrievalSettings, Settings
from tests.knowledge.indexing import FakeEmbedder, indexer, run, write_folder

FILES = {
    "rollback.txt": "re-pin the green image",
    "oncall.txt": "announce the event loop first",
    "other.txt": "a loop reads messages from one queue, then event after event is logged",
    "中文.txt": "回滚部署之前先通知值班的人",
}


class Broken(FakeEmbedder):
    def query(self, text: str, *, to_cjk: bool | None = None) -> Vectors:
        raise EmbeddingError("The model is gone.", "Install it.")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write_folder(tmp_path / "kb", FILES)
    run(root)
    return root


def searcher(root: Path, embedder: FakeEmbedder | None = None, **settings: Any) -> HybridSearcher:
    index = Index(root, Settings())
    vectors = VectorSearcher(index, embedder or FakeEmbedder())
    names = FileNames(index.files)
    return HybridSearcher(
        index, vectors, LexicalSearcher(index), RetrievalSettings(**settings), SourceReader(root).lines, names
    )


def paths(found: tuple[list[Any], str]) -> list[str]:
    return [hit.path for hit in found[0]]


@pytest.mark.parametrize("fusion", ["auto", "rrf", "convex"])
def test_each_side_is_given_only_its_own_text(root: Path, fusion: str) -> None:
    # To the made-up model only equal texts are alike, so it finds the one, and the keywords the other.
    hits, note = searcher(root, fusion=fusion).search("re-pin the green image", "announce", 2)
    assert {hit.path for hit in hits} == {"rollback.txt", "oncall.txt"}
    assert {hit.tool for hit in hits} == {"hybrid_search"}
    assert note == ""
    signals = {hit.path: hit.signals for hit in hits}
    assert signals["rollback.txt"]["rank_vector"] == 1.0
    assert signals["oncall.txt"]["rank_lexical"] == 1.0
    assert "rank_lexical" not in signals["rollback.txt"]


def test_an_empty_text_leaves_its_side_out(root: Path) -> None:
    [word] = searcher(root).search("", "announce", 1)[0]
    assert (word.path, "cosine" in word.signals) == ("oncall.txt", False)
    [meant] = searcher(root).search("re-pin the green image", " ", 1)[0]
    assert (meant.path, "bm25" in meant.signals, meant.matched_lines) == ("rollback.txt", False, ())


def test_lines_that_hold_a_keyword_are_known(root: Path) -> None:
    [hit] = searcher(root).search("", "images", 1)[0]
    assert hit.matched_lines == (1,)


def test_words_near_each_other_win_over_the_same_words_apart(root: Path) -> None:
    assert paths(searcher(root).search("", "event loop", 2)) == ["oncall.txt", "other.txt"]


def test_a_file_that_the_keywords_name_comes_before_others_that_speak_of_it(tmp_path: Path) -> None:
    root = write_folder(
        tmp_path / "kb",
        {"deploys.txt": "comments go here", "notes.txt": "deploys comments deploys comments", "x.txt": "some comments"},
    )
    run(root)
    [first, *others] = searcher(root).search("", "deploys comments", 3)[0]
    assert (first.path, first.signals["part_named"]) == ("deploys.txt", first.signals["weight_named"])
    assert all("part_named" not in hit.signals for hit in others)
    assert searcher(root).search("", "comments deploy", 3)[0][0].path == "notes.txt"


def test_a_model_that_knows_no_chinese_has_no_say_in_a_chinese_question(root: Path) -> None:
    [hit] = searcher(root).search("怎么回滚部署", "回滚 部署", 3)[0]
    assert (hit.path, "cosine" in hit.signals) == ("中文.txt", False)


def test_the_lexical_side_reads_the_keywords_alone_in_every_language(root: Path) -> None:
    alone, asked = (searcher(root).search(question, "回滚", 1)[0][0] for question in ("", "怎么通知值班的人"))
    assert asked.signals["bm25"] == alone.signals["bm25"]
    # In English the model reads it, and words that are not keywords are nothing to the lexical side.
    assert "rank_lexical" not in searcher(root).search("announce first", "green", 4)[0][-1].signals


def test_a_chinese_question_finds_english_text_by_its_translation(tmp_path: Path) -> None:
    files = {f"{number}.txt": f"Room {number} has a lamp and a chair." for number in range(8)}
    root = write_folder(tmp_path / "kb", files | {"holiday.txt": "Parents get six weeks of paid holiday."})
    run(root)
    index, embedder = Index(root, Settings()), FakeEmbedder()
    translator = Translator(index)
    vectors = VectorSearcher(index, embedder, translator)
    lines, names = SourceReader(root).lines, FileNames(index.files)
    found = HybridSearcher(index, vectors, LexicalSearcher(index), RetrievalSettings(), lines, names, translator)
    [best, *_] = found.search("父母的假期有几周", "父母 假期", 3)[0]
    assert (best.path, "cosine" in best.signals, best.matched_lines) == ("holiday.txt", True, (1,))
    assert found.search("paid holiday", "paid holiday", 3) == searcher(root).search("paid holiday", "paid holiday", 3)
    assert (
        GrepSearcher(root, SourceReader(root), index.files, translator=translator).search("父母", 3)[0].path
        == best.path
    )


def test_before_there_are_vectors_the_words_answer(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "new", FILES)
    indexer(root, FakeEmbedder()).update(lambda _: None, CancelToken())
    hits, note = searcher(root).search("how is it rolled back", "green image", 3)
    assert ([hit.path for hit in hits], note) == (["rollback.txt"], "")


def test_when_the_model_fails_the_words_answer_and_the_note_says_so(root: Path) -> None:
    hits, note = searcher(root, Broken()).search("a question", "announce", 3)
    assert [hit.path for hit in hits] == ["oncall.txt"]
    assert "The model is gone." in note


def test_when_the_model_fails_and_there_are_no_keywords_the_error_is_raised(root: Path) -> None:
    with pytest.raises(EmbeddingError):
        searcher(root, Broken()).search("a question", "", 3)


def test_a_cancelled_run_ends_the_search(root: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        searcher(root).search("a question", "announce", 3, cancel)


def test_a_long_passage_is_narrowed_to_what_is_asked_and_says_which_of_its_lines_match(tmp_path: Path) -> None:
    filler = "\n".join(["Nothing of interest is said on this line of the long report."] * 10)
    root = write_folder(tmp_path / "long", {"a.txt": f"{filler}\nThe depot tariff rose.\n{filler}\n"})
    run(root)
    hits, _ = searcher(root).search("", "depot tariff", 2)
    assert len(hits[0].text) <= 800
    assert hits[0].start_line <= 11 <= hits[0].end_line
    assert hits[0].matched_lines == (11,)


@pytest.mark.parametrize("fusion", ["auto", "rrf", "convex"])
def test_the_best_score_is_that_of_the_first_passage(root: Path, fusion: str) -> None:
    made = searcher(root, fusion=fusion)
    hits, _ = made.search("re-pin the green image", "announce", 5)
    assert made.best_score("re-pin the green image", "announce") == hits[0].score
    assert made.best_score("", "nonsense") == 0.0


def test_passages_without_a_vector_that_words_find_get_one_when_they_are_asked_for(tmp_path: Path) -> None:
    root = write_folder(tmp_path / "kb", {f"{number}.txt": f"the event number {number}" for number in range(40)})
    indexer(root, FakeEmbedder()).update(lambda _: None, CancelToken())
    embedder = FakeEmbedder()
    search = searcher(root, embedder)
    # To the made-up model only equal texts are alike.
    hits, note = search.search("the event number 12", "event", 40)
    assert (hits[0].path, note) == ("12.txt", "")
    assert len(embedder.encoded) == MADE_AT_MOST
    # They are kept: the second search makes those of no passage again.
    search.search("another question", "event", 40)
    assert len(embedder.encoded) == MADE_AT_MOST
