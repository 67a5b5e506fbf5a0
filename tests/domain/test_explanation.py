"""Signals as lines that people can read."""

from __future__ import annotations

from kbtui.domain.explanation import combined_score, reasons, verdict

FUSED = {
    "cosine": 0.61,
    "rank_grep": 4.0,
    "rank_vector": 1.0,
    "bm25": 12.5,
    "part_vector": 0.6,
    "weight_vector": 0.6,
    "part_grep": 0.21,
    "weight_grep": 0.4,
}
GRADED = {
    "coefficient_intercept": -4.0,
    "feature_window": 0.5,
    "coefficient_window": 4.0,
    "feature_cosine": 0.7,
    "coefficient_cosine": 8.0,
    "probability": 0.9734,
}


def test_searches_come_first_by_rank_then_the_numbers_they_gave() -> None:
    assert [(reason.kind, reason.name) for reason in reasons(FUSED)] == [
        ("search", "vector"),
        ("search", "grep"),
        ("signal", "cosine"),
        ("signal", "bm25"),
    ]


def test_a_search_says_rank_weight_and_what_it_adds() -> None:
    vector = reasons(FUSED)[0]
    assert (vector.label, vector.figures) == ("by meaning", "rank 1 · weight 0.60 · adds 0.6")
    assert (reasons({"rank_vector": 2.0})[0].figures) == "rank 2"


def test_what_adds_to_the_score_without_having_found_it_is_told_behind_what_found_it() -> None:
    lines = reasons({"weight_phrase": 0.2, "part_phrase": 0.1, "rank_lexical": 7.0, "part_lexical": 0.05})
    assert [(line.label, line.figures) for line in lines] == [
        ("by its words", "rank 7 · adds 0.05"),
        ("by words near each other", "weight 0.20 · adds 0.1"),
    ]


def test_the_grader_s_features_come_the_most_telling_first_and_the_start_last() -> None:
    lines = reasons(GRADED)
    assert [line.name for line in lines] == ["cosine", "window", "intercept"]
    assert lines[0].figures == "0.70 × 8.00 = +5.60"
    assert lines[-1].figures == "-4.00"


def test_the_verdict_is_the_sum_and_what_other_rules_made_of_it() -> None:
    assert verdict(GRADED, 0.9734) == "sum +3.60, a probability of 0.97"
    assert verdict(GRADED, 0.49) == "sum +3.60, a probability of 0.97; other rules make it 0.49"
    assert verdict(FUSED, 0.5) == ""


def test_a_signal_nobody_has_words_for_shows_up_under_its_own_name() -> None:
    lines = reasons({"rank_colour_match": 3.0, "moon_phase": 0.25, "feature_mood": 0.5, "coefficient_mood": 2.0})
    assert [line.label for line in lines] == ["by colour match", "moon phase", "mood"]


def test_the_score_of_a_chat_model_is_told_beside_the_one_without_it() -> None:
    signals = {**GRADED, "llm": 0.9, "offline": 0.49}
    told = [(reason.label, reason.figures) for reason in reasons(signals) if reason.kind == "grader"]
    assert told == [("graded by the model", "0.90"), ("graded by rules, without it", "0.49")]
    assert verdict(signals, 0.78) == "sum +3.60, a probability of 0.97; other rules make it 0.49"
    assert combined_score(signals, 0.78) == "together 0.78"
    assert combined_score(signals, 0.9) == ""
    assert combined_score(GRADED, 0.9) == ""


def test_a_number_that_only_happens_to_be_called_offline_is_no_grade() -> None:
    assert all(reason.kind != "grader" for reason in reasons({"offline": 0.4}))
