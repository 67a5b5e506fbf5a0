"""Fusion: the formulas, what counts as the same passage, and that equal inputs give equal orders."""

from __future__ import annotations

import pytest

from kbtui.domain.evidence import Hit
from kbtui.knowledge.fusion import convex, rrf


def hit(
    path: str, start: int, end: int, score: float, tool: str = "vector_search", matched: tuple[int, ...] = ()
) -> Hit:
    signal = {"vector_search": "cosine", "grep_search": "bm25"}[tool]
    text = "\n".join(f"{path} line {number}" for number in range(start, end + 1))
    return Hit(
        path=path, start_line=start, end_line=end, text=text, score=score, tool=tool, signals={signal: score},
        matched_lines=matched,
    )  # fmt: skip


def vector(path: str, start: int = 1, end: int = 5, score: float = 0.5) -> Hit:
    return hit(path, start, end, score)


def grep(path: str, start: int = 1, end: int = 20, score: float = 5.0, matched: tuple[int, ...] = (3,)) -> Hit:
    return hit(path, start, end, score, "grep_search", matched)


def order(hits: list[Hit]) -> list[str]:
    return [each.path for each in hits]


def test_rrf_scores_are_sums_of_reciprocal_ranks() -> None:
    fused = rrf([[vector("a"), vector("b")], [grep("b"), grep("c")]], k=60)
    assert {each.path: each.score for each in fused} == pytest.approx({"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 62})
    assert order(fused) == ["b", "a", "c"]


def test_a_smaller_k_trusts_the_first_ranks_more() -> None:
    one = [vector("first"), vector("x"), vector("y"), vector("both")]
    other = [grep("p"), grep("q"), grep("r"), grep("both")]
    assert order(rrf([one, other], k=60))[0] == "both"
    assert order(rrf([one, other], k=1))[0] == "first"


def test_convex_scales_both_sides_and_weighs_them() -> None:
    vectors = [vector("a", score=0.8), vector("b", score=0.4), vector("c", score=0.2)]
    words = [grep("b", score=10.0), grep("c", score=5.0)]
    fused = {each.path: each.score for each in convex(vectors, words, 0.4)}
    assert fused == pytest.approx({"a": 0.4, "b": 0.4 / 3 + 0.6, "c": 0.3})


def test_the_parts_that_a_hit_is_explained_by_add_up_to_its_score() -> None:
    found = convex([vector("a", score=0.8), vector("b", score=0.4)], [grep("b", score=10.0), grep("c", score=5.0)], 0.4)
    for each in found:
        parts = {name.removeprefix("part_"): value for name, value in each.signals.items() if name.startswith("part_")}
        assert sum(parts.values()) == pytest.approx(each.score, abs=1e-5)
        weights = {"vector": 0.4, "grep": 0.6}
        assert {name: each.signals[f"weight_{name}"] for name in parts} == {name: weights[name] for name in parts}


def test_a_weight_of_one_or_none_leaves_one_side() -> None:
    vectors, words = [vector("a", score=0.9), vector("b", score=0.1)], [grep("b", score=9.0), grep("c", score=3.0)]
    assert order(convex(vectors, words, 1.0))[0] == "a"
    assert order(convex(vectors, words, 0.0))[0] == "b"


def test_one_hit_alone_is_worth_its_whole_side() -> None:
    assert convex([vector("a")], [], 0.4)[0].score == pytest.approx(0.4)
    assert convex([], [grep("a")], 0.4)[0].score == pytest.approx(0.6)
    assert convex([], [], 0.4) == []


def test_overlapping_lines_of_one_file_are_one_candidate_with_the_tighter_range() -> None:
    [merged] = rrf([[vector("a", 2, 6)], [grep("a", 1, 20, matched=(3, 15))]])
    assert (merged.start_line, merged.end_line, merged.text) == (2, 6, vector("a", 2, 6).text)
    assert merged.matched_lines == (3,)
    assert merged.score == pytest.approx(2 / 61)
    part = pytest.approx(1 / 61, abs=1e-6)
    assert merged.signals == {
        "cosine": 0.5,
        "rank_vector": 1.0,
        "part_vector": part,
        "bm25": 5.0,
        "rank_grep": 1.0,
        "part_grep": part,
    }


def test_a_tighter_passage_of_grep_wins_over_a_wide_chunk() -> None:
    [merged] = rrf([[vector("a", 1, 50)], [grep("a", 10, 12, matched=(11,))]])
    assert (merged.start_line, merged.end_line, merged.matched_lines) == (10, 12, (11,))


def test_lines_that_do_not_overlap_and_other_files_stay_apart() -> None:
    assert len(rrf([[vector("a", 1, 5)], [grep("a", 6, 9, matched=(7,)), grep("b", 1, 5)]])) == 3


def test_a_passage_over_several_chunks_credits_those_that_hold_the_match() -> None:
    chunks = [vector("a", 1, 5), vector("a", 6, 10), vector("a", 11, 15)]
    fused = rrf([chunks, [grep("a", 1, 15, matched=(7, 8, 12))]])
    ranks = {(each.start_line, each.end_line): each.signals.get("rank_grep") for each in fused}
    assert ranks == {(1, 5): None, (6, 10): 1.0, (11, 15): 1.0}
    worth = {each.start_line: each.score for each in fused}
    # Lines 7 and 8 are in the second chunk, line 12 alone in the third: it is due half.
    assert worth == pytest.approx({1: 1 / 61, 6: 1 / 62 + 1 / 61, 11: 1 / 63 + 0.5 / 61})


def test_passages_of_one_list_are_never_merged_with_each_other() -> None:
    assert len(rrf([[grep("a", 1, 10), grep("a", 5, 15)]])) == 2


def test_ties_are_broken_by_rank_then_place() -> None:
    one, other = [vector("b"), vector("a", 9, 12)], [grep("c", 1, 2), grep("d", 1, 2)]
    first = rrf([one, other])
    assert order(first) == ["b", "c", "a", "d"]
    assert rrf([one, other]) == first
