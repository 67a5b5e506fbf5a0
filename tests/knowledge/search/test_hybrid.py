"""hybrid_search over a real index: each side with its own text, and one that fails or has nothing costs no answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.errors import Cancelled, EmbeddingError
from kbtui.knowledge.embedding import Vectors
from kbtui.knowledge.reading.source import SourceReader
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.knowledge.search.hybrid import HybridSearcher, convex, rrf, without_copies
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


TEXT = (
    "If the optional writeback parameter is set to true, all entries accessed are also cached in memory until the end."
)


def hit(path: str, text: str, score: float = 1.0) -> Hit:
    return Hit(path=path, start_line=1, end_line=1, text=text, score=score, tool="t")


def kept(*hits: Hit) -> list[str]:
    return [one.path for one in without_copies(hits, len(hits))]


def test_a_page_beside_its_source_counts_once_in_spite_of_its_markup() -> None:
    page, source = hit("html/shelve.html", TEXT), hit("src/shelve.rst.txt", TEXT.replace("memory", ":term:`memory`"))
    assert kept(page, source) == ["html/shelve.html"]
    assert kept(source, page) == ["src/shelve.rst.txt"]


def test_a_passage_that_lies_across_two_of_another_form_is_a_copy() -> None:
    words = TEXT.split()
    halves = [hit("a/manual.txt", " ".join(words[:11])), hit("a/manual.txt", " ".join(words[11:]))]
    assert kept(*halves, hit("a/manual.pdf", TEXT)) == ["a/manual.txt"] * 2


def test_versions_of_a_text_stay_where_one_word_or_figure_differs() -> None:
    old, new = (
        "The notice period of a contract is 14 days for each side.",
        "The notice period of a contract is 30 days for each side.",
    )
    assert kept(hit("policy-2023.md", old), hit("policy-2024.md", new)) == ["policy-2023.md", "policy-2024.md"]
    assert kept(hit("a/policy.md", old), hit("b/policy.md", new)) == ["a/policy.md", "b/policy.md"]


def test_the_same_passage_in_another_file_counts_once_and_short_ones_always_stay() -> None:
    assert kept(hit("a.md", TEXT), hit("b.md", TEXT)) == ["a.md"]
    assert kept(hit("a.md", "Status: done"), hit("b.md", "Status: done")) == ["a.md", "b.md"]


def ranked(path: str, start: int, end: int, score: float, tool: str, signal: str) -> Hit:
    text = "\n".join(f"{path} line {number}" for number in range(start, end + 1))
    return Hit(
        path=path, start_line=start, end_line=end, text=text, score=score, tool=tool, signals={signal: score}
    )  # fmt: skip


def vector(path: str, start: int = 1, end: int = 5, score: float = 0.5) -> Hit:
    return ranked(path, start, end, score, "vector_search", "cosine")


def words(path: str, start: int = 1, end: int = 5, score: float = 5.0) -> Hit:
    return ranked(path, start, end, score, "lexical", "bm25")


def order(hits: list[Hit]) -> list[str]:
    return [each.path for each in hits]


def test_rrf_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = rrf([[vector("a"), vector("b")], [words("b"), words("c")]], k=60)
    assert {each.path: each.score for each in fused} == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62})
    assert order(fused) == ["b", "a", "c"]


def test_a_smaller_k_trusts_the_first_ranks_more() -> None:
    one = [vector("first"), vector("x"), vector("y"), vector("both")]
    other = [words("p"), words("q"), words("r"), words("both")]
    assert order(rrf([one, other], k=60))[0] == "both"
    assert order(rrf([one, other], k=1))[0] == "first"


def test_convex_scales_both_sides_and_weighs_them() -> None:
    near = [vector("a", score=0.8), vector("b", score=0.4), vector("c", score=0.2)]
    alike = [words("b", score=10.0), words("c", score=5.0)]
    fused = {each.path: each.score for each in convex(near, alike, 0.4)}
    assert fused == pytest.approx({"a": 0.4, "b": 0.4 / 3 + 0.6, "c": 0.3})


def test_the_parts_that_a_hit_is_explained_by_add_up_to_its_score() -> None:
    near, alike = [vector("a", score=0.8), vector("b", score=0.4)], [words("b", score=10.0), words("c", score=5.0)]
    for each in convex(near, alike, 0.4):
        parts = {name.removeprefix("part_"): value for name, value in each.signals.items() if name.startswith("part_")}
        assert sum(parts.values()) == pytest.approx(each.score, abs=1e-5)
        weights = {"vector": 0.4, "lexical": 0.6}
        assert {name: each.signals[f"weight_{name}"] for name in parts} == {name: weights[name] for name in parts}


def test_a_weight_of_one_or_none_leaves_one_side() -> None:
    near, alike = [vector("a", score=0.9), vector("b", score=0.1)], [words("b", score=9.0), words("c", score=3.0)]
    assert order(convex(near, alike, 1.0))[0] == "a"
    assert order(convex(near, alike, 0.0))[0] == "b"


def test_one_hit_alone_is_worth_its_whole_side() -> None:
    assert convex([vector("a")], [], 0.4)[0].score == pytest.approx(0.4)
    assert convex([], [words("a")], 0.4)[0].score == pytest.approx(0.6)
    assert convex([], [], 0.4) == []


def test_the_same_lines_are_one_passage_with_what_both_sides_say() -> None:
    [merged] = rrf([[vector("a", 2, 6)], [words("a", 2, 6)]])
    assert (merged.start_line, merged.end_line, merged.text) == (2, 6, vector("a", 2, 6).text)
    assert merged.score == pytest.approx(2 / 61)
    signals = {"cosine": 0.5, "rank_vector": 1.0, "weight_vector": 1.0, "part_vector": pytest.approx(1 / 61, abs=1e-6)}
    signals |= {
        "bm25": 5.0,
        "rank_lexical": 1.0,
        "weight_lexical": 1.0,
        "part_lexical": pytest.approx(1 / 61, abs=1e-6),
    }
    assert merged.signals == signals


def test_other_lines_and_other_files_stay_apart() -> None:
    assert len(rrf([[vector("a", 1, 5)], [words("a", 6, 9), words("b", 1, 5)]])) == 3


def test_lines_that_a_list_holds_twice_count_once() -> None:
    [merged] = rrf([[vector("a", score=0.9), vector("a", score=0.2)]])
    assert (merged.score, merged.signals["rank_vector"], merged.signals["cosine"]) == (pytest.approx(1 / 61), 1.0, 0.9)


def test_ties_are_broken_by_rank_then_place() -> None:
    one, other = [vector("b"), vector("a", 9, 12)], [words("c", 1, 2), words("d", 1, 2)]
    first = rrf([one, other])
    assert order(first) == ["b", "c", "a", "d"]
    assert rrf([one, other]) == first


def test_parts_of_one_long_line_are_different_passages() -> None:
    first, second = (replace(vector("a", 1, 1), text=text) for text in ("One sentence.", "Another one."))
    assert [each.text for each in rrf([[first], [second]])] == ["One sentence.", "Another one."]


def test_no_more_passages_are_compared_than_are_wanted() -> None:
    hits = [hit("a.md", TEXT), hit("b.md", TEXT), hit("c.md", "The tide turns at noon."), hit("d.md", "x")]
    assert [one.path for one in without_copies(hits, 2)] == ["a.md", "c.md"]
