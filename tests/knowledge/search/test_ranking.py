"""Ranking: each reason is a share of the most it could be, so weak words and unknown meaning count for little."""

from __future__ import annotations

import pytest

from kbtui.knowledge.search.ranking import Candidate, Ranked, fitted_weights, names_something, rank

WEIGHTS = {"vector": 0.5, "lexical": 0.3, "phrase": 0.2}


def candidate(path: str, terms: str = "", bm25: float = 0.0, cosine: float | None = None) -> Candidate:
    return Candidate(row=0, path=path, start_line=1, terms=terms, bm25=bm25, cosine=cosine)


def ranked(*candidates: Candidate, terms: str = "", **worth: float) -> list[Ranked]:
    return rank(candidates, terms.split(), lambda term: worth.get(term, 5.0), weights=WEIGHTS)


def paths(found: list[Ranked]) -> list[str]:
    return [one.candidate.path for one in found]


def test_the_fitted_weights_sum_to_one() -> None:
    weights = fitted_weights()
    assert sum(weights[reason] for reason in ("vector", "lexical", "phrase")) == pytest.approx(1.0)


def test_a_score_is_the_weighed_sum_of_its_parts() -> None:
    [one] = ranked(candidate("a", "red fox", bm25=5.0, cosine=0.6), terms="red fox")
    assert one.score == pytest.approx(0.5 * 0.6 + 0.3 * 0.5**0.5 + 0.2 * 1.0)
    parts = {name: value for name, value in one.signals.items() if name.startswith("part_")}
    assert sum(parts.values()) == pytest.approx(one.score)
    assert one.signals["bm25_share"] == pytest.approx(0.5)


def test_words_that_are_far_from_the_most_they_could_be_do_not_drown_meaning() -> None:
    near, alike = candidate("near", cosine=0.7), candidate("alike", bm25=2.0, cosine=0.3)
    assert paths(ranked(near, alike, terms="x y z w")) == ["near", "alike"]
    # The same score where it is all that the words could give.
    assert paths(ranked(near, alike, terms="x", x=2.0)) == ["alike", "near"]


def test_a_passage_without_a_vector_counts_as_the_least_of_those_with_one() -> None:
    known, unknown = candidate("known", bm25=4.0, cosine=0.4), candidate("unknown", bm25=5.0)
    assert paths(ranked(known, unknown, terms="x")) == ["unknown", "known"]
    far = candidate("far", cosine=0.9)
    assert paths(ranked(known, unknown, far, terms="x"))[0] == "unknown"
    assert "cosine" not in ranked(known, unknown, terms="x")[0].signals


def test_without_any_vector_the_words_carry_all_the_weight() -> None:
    [best, other] = ranked(candidate("a", "x", bm25=5.0), candidate("b", "x", bm25=1.0), terms="x")
    assert (best.candidate.path, best.score) == ("a", pytest.approx(0.6))
    assert other.score == pytest.approx(0.6 * 0.2**0.5)
    assert "part_vector" not in best.signals


def test_without_keywords_the_score_is_the_cosine() -> None:
    assert [one.score for one in ranked(candidate("a", cosine=0.4), candidate("b", cosine=0.8))] == [0.8, 0.4]


def test_meaning_counts_more_where_it_singles_out_a_passage() -> None:
    said = candidate("said", "x", bm25=10.0, cosine=0.28)

    def order(best: float, crowd: float) -> list[str]:
        others = [candidate(f"other {number}", cosine=crowd) for number in range(9)]
        return paths(ranked(candidate("meant", "x", bm25=1.0, cosine=best), said, *others, terms="x y"))[:2]

    # As far above the other one in both; above the crowd in the second only.
    assert order(0.6, 0.55) == ["said", "meant"]
    assert order(0.6, 0.05) == ["meant", "said"]


def test_how_far_the_best_is_above_the_crowd_says_nothing_where_there_is_no_crowd() -> None:
    few = ranked(candidate("a", "x", bm25=5.0, cosine=0.9), candidate("b", cosine=0.1), terms="x")
    assert few[0].signals["weight_vector"] == pytest.approx(0.5)


def test_the_first_half_of_the_keywords_tells_more_than_the_other_half() -> None:
    none, half, full = (ranked(candidate("a", bm25=bm25), terms="x y")[0].score for bm25 in (0.0, 5.0, 10.0))
    assert half - none > 2 * (full - half)


def test_keywords_that_are_near_each_other_count_more_the_rarer_they_are() -> None:
    apart = candidate("apart", "event x y z loop", bm25=3.0)
    together = candidate("together", "an event loop", bm25=3.0)
    found = ranked(apart, together, terms="event loop")
    assert paths(found) == ["together", "apart"]
    assert [one.signals.get("phrase", 0.0) for one in found] == [1.0, 0.0]
    # "seventh event" holds "event", but not as a word.
    assert "phrase" not in ranked(candidate("a", "seven vent", bm25=1.0), terms="even vent")[0].signals
    rare = ranked(candidate("rare", "b c"), candidate("common", "a b"), terms="a b c", a=1.0, b=4.0, c=4.0)
    assert {one.candidate.path: one.signals["phrase"] for one in rare} == pytest.approx({"rare": 0.8, "common": 0.2})


def test_keywords_are_near_each_other_either_way_round_and_over_two_tokens() -> None:
    for terms in ("class error", "error class", "error code kind class", "class the_error the error"):
        assert ranked(candidate("a", terms), terms="error class")[0].signals["phrase"] == 1.0, terms


def test_chinese_tokens_make_no_phrases_since_pairs_of_characters_are_tokens_themselves() -> None:
    [one] = ranked(candidate("a", "回 滚 回滚", bm25=5.0), terms="回 滚 回滚")
    assert "phrase" not in one.signals


def test_the_less_the_model_can_read_of_a_question_the_less_meaning_counts() -> None:
    near, alike = candidate("near", cosine=0.7), candidate("alike", "x", bm25=3.0, cosine=0.1)
    found = {
        trust: [one.candidate.path for one in rank([near, alike], ["x"], lambda _: 5.0, trust, WEIGHTS)]
        for trust in (1.0, 0.2)
    }
    assert found == {1.0: ["near", "alike"], 0.2: ["alike", "near"]}


def test_ties_are_ordered_by_place() -> None:
    found = ranked(candidate("b", bm25=1.0), candidate("a", bm25=1.0), terms="x")
    assert paths(found) == ["a", "b"]


def test_passages_of_a_file_that_is_named_count_as_if_they_held_its_name() -> None:
    own, other = candidate("pep-0526", "comment", bm25=2.0), candidate("pep-0563", "pep-526 comment", bm25=6.0)
    named = {"pep-0526": {"pep-526"}}
    found = rank([own, other], ["pep-526", "comment"], lambda _: 5.0, weights={**WEIGHTS, "named": 0.1}, named=named)
    assert paths(found) == ["pep-0526", "pep-0563"]
    assert found[0].signals["bm25_share"] == pytest.approx(0.7)
    assert found[0].signals["part_named"] == 0.1
    assert "part_named" not in found[1].signals


def test_nothing_is_ranked_from_nothing() -> None:
    assert ranked() == []
    assert ranked(candidate("a"), terms="")[0].score == 0.0


WITH_DOCUMENTS = WEIGHTS | {"document_lexical": 0.5, "document_vector": 0.5, "plain": 3.0}


def test_a_passage_of_a_document_that_is_about_it_all_leads_where_documents_have_several() -> None:
    alone = Candidate(row=0, path="a", start_line=1, terms="x", bm25=5.0, document_share=0.1, document_cosine=0.2)
    inside = Candidate(row=1, path="b", start_line=1, terms="x", bm25=4.0, document_share=0.7, document_cosine=0.6)

    def order(several: float) -> list[str]:
        found = rank([alone, inside], ["x"], lambda _: 5.0, weights=WITH_DOCUMENTS, several=several)
        return paths(found)

    assert order(several=0.9) == ["b", "a"]
    assert order(several=0.0) == ["a", "b"]


def test_a_document_without_a_vector_counts_as_the_least_of_those_with_one() -> None:
    known = [Candidate(row=n, path=f"{n}", start_line=1, terms="x", document_cosine=n / 10) for n in (3, 5)]
    unknown = Candidate(row=9, path="unknown", start_line=1, terms="x")
    found = rank([*known, unknown], ["x"], lambda _: 5.0, weights=WITH_DOCUMENTS, several=1.0)
    scores = {one.candidate.path: one.score for one in found}
    assert scores["5"] > scores["3"] == scores["unknown"]


def test_meaning_counts_more_in_a_question_that_names_nothing() -> None:
    said, meant = candidate("said", "x", bm25=5.0, cosine=0.2), candidate("meant", "y", bm25=1.0, cosine=0.45)

    def first(plain: bool) -> str:
        return rank([said, meant], ["x"], lambda _: 5.0, weights=WITH_DOCUMENTS, plain=plain)[0].candidate.path

    assert (first(plain=False), first(plain=True)) == ("said", "meant")


@pytest.mark.parametrize(
    "question",
    ["what does Kafka keep?", "is port 8080 taken", "who calls parse_args", "where is src/main", "use of --force"],
)
def test_a_name_a_figure_and_code_are_names(question: str) -> None:
    assert names_something(question)


@pytest.mark.parametrize("question", ["How are logs kept?", "Why? When do I stop it", "read a file line by line"])
def test_ordinary_words_name_nothing(question: str) -> None:
    assert not names_something(question)
