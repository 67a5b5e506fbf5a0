"""Fusion by rank and by scaled score: the formulas, and that equal inputs give equal orders."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.domain.evidence import Hit
from kbtui.knowledge.search.fusion import convex, rrf


def hit(path: str, start: int, end: int, score: float, tool: str, signal: str) -> Hit:
    text = "\n".join(f"{path} line {number}" for number in range(start, end + 1))
    return Hit(
        path=path, start_line=start, end_line=end, text=text, score=score, tool=tool, signals={signal: score}
    )  # fmt: skip


def vector(path: str, start: int = 1, end: int = 5, score: float = 0.5) -> Hit:
    return hit(path, start, end, score, "vector_search", "cosine")


def words(path: str, start: int = 1, end: int = 5, score: float = 5.0) -> Hit:
    return hit(path, start, end, score, "lexical", "bm25")


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
