"""Whether a folder is about what is asked."""

from __future__ import annotations

import pytest

from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.routing import SubQuestion
from kbtui.reasoning.offline.answering import subject
from kbtui.reasoning.offline.answering.subject import (
    SUBJECT,
    UNSEARCHED,
    USUAL,
    is_about,
    subject_chance,
    subject_signs,
)


def found(text: str, score: float = 0.5, grade: float = 0.4, tool: str = "hybrid_search") -> Evidence:
    hit = Hit(path="kiln.md", start_line=1, end_line=1, text=text, score=score, tool=tool)
    return Evidence(evidence_id="e", hit=hit, sub_question="", score=grade, kept=True)


def signs(question: str, *evidence: Evidence, background: float | None = 0.2) -> dict[str, float]:
    return subject_signs(SubQuestion(semantic_intent=question), evidence, background)


def test_the_best_score_counts_from_the_background_of_the_folder() -> None:
    passages = found("the kiln is hot", 0.5), found("the yard", 0.6)
    assert signs("how hot?", *passages)["search"] == pytest.approx(0.4)
    assert signs("how hot?", *passages, background=0.35)["search"] == pytest.approx(0.25)
    assert signs("how hot?", *passages, background=None)["search"] == pytest.approx(0.6 - USUAL)


def test_the_same_score_says_less_in_a_folder_where_any_question_scores_high() -> None:
    small, large = (signs("how hot is it?", found("it is hot", 0.5), background=one) for one in (0.15, 0.4))
    assert subject_chance(large) < subject_chance(small)


def test_what_was_not_searched_for_has_no_score_to_compare() -> None:
    page = signs("how hot?", found("the kiln is hot", 0.9, tool="web_search"))
    assert (page["search"], page[UNSEARCHED]) == (0.0, 1.0)
    both = signs("how hot?", found("the kiln is hot", 0.9, tool="grep_search"), found("the kiln", 0.3))
    assert (both["search"], both[UNSEARCHED]) == (pytest.approx(0.1), 0.0)
    assert signs("how hot?", found("the kiln is hot"))[UNSEARCHED] == 0.0


def test_a_run_of_the_words_of_the_question_tells_of_its_subject() -> None:
    assert signs("how hot may the kiln be?", found("so hot may the kiln be"))["run"] > 0.3
    assert signs("how hot may the kiln be?", found("clay and sand"))["run"] == 0.0


@pytest.mark.parametrize(
    ("question", "text", "guessed"),
    [
        ("how hot is the kiln?", "窑炉的温度很高，不要靠近。", 1.0),
        ("how hot is the kiln?", "窑炉 kiln 的温度很高，不要靠近。", 0.0),
        ("窑炉的温度是多少？", "窑炉的温度很高，不要靠近。", 0.0),
        ("how hot is the kiln?", "the kiln is hot", 0.0),
    ],
)
def test_a_text_that_only_a_translation_found_is_a_guess(question: str, text: str, guessed: float) -> None:
    assert signs(question, found(text))["guessed"] == guessed


def test_the_weights_are_of_known_signs_and_speak_for_the_subject() -> None:
    weights = subject.model()["subject"]
    assert weights.keys() - {"intercept"} <= {*SUBJECT, UNSEARCHED}
    assert weights["search"] > 0
    least = subject.model()["thresholds"]["subject"]
    assert is_about(least) and not is_about(least - 0.01)
