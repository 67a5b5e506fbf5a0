"""What is taken of a model's plan and grades, and what is not."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from kbtui.reasoning.llm.shapes import MAX_SUB_QUESTIONS, GradesShape, RouteShape


def route(**changes: Any) -> RouteShape:
    return RouteShape.model_validate({"query_type": "conceptual", **changes})


def test_an_old_style_string_is_a_sub_question_in_both_its_texts() -> None:
    part = route(sub_questions=["how deploys work"]).sub_questions[0]
    assert (part.semantic_intent, part.search_keywords) == ("how deploys work", "how deploys work")


def test_names_of_types_are_taken_in_any_spelling() -> None:
    assert route(query_type="File-Discovery").query_type == "file_discovery"


def test_a_type_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValidationError, match="query_type"):
        route(query_type="analytical")


def test_lists_may_come_as_text_or_not_at_all() -> None:
    shape = route(suggested_tools="hybrid_search, grep_search", grep_keywords=None)
    assert (shape.suggested_tools, shape.grep_keywords) == (["hybrid_search", "grep_search"], [])


def test_keywords_may_come_as_a_list() -> None:
    shape = route(sub_questions=[{"semantic_intent": "x", "search_keywords": ["a", "b"]}])
    assert shape.sub_questions[0].search_keywords == "a b"


def test_a_hundred_sub_questions_are_cut_to_a_few() -> None:
    assert len(route(sub_questions=[f"part {n}" for n in range(100)]).sub_questions) == MAX_SUB_QUESTIONS


def test_text_of_a_plan_is_one_line_without_escapes() -> None:
    shape = route(sub_questions=[{"semantic_intent": "a\x1b[31m\nb"}])
    assert shape.sub_questions[0].semantic_intent == "a b"


@pytest.mark.parametrize(
    "value",
    [
        {"grades": [{"id": 1, "score": 0.9}, {"id": 2, "score": 0.2}]},
        {"grades": {"1": 0.9, "2": 0.2}},
        {"grades": [0.9, 0.2]},
        {"items": [{"id": 1, "score": "0.9"}, {"id": "2", "score": 0.2}]},
        {"grades": [{"id": 1, "score": 90}, {"id": 2, "score": 20}]},
        {"grades": [{"id": 1, "score": 9}, {"id": 2, "score": 2}], "next": "nothing"},
    ],
)
def test_grades_are_read_in_every_form_and_scale(value: dict[str, Any]) -> None:
    assert GradesShape.model_validate(value).scores == {1: pytest.approx(0.9), 2: pytest.approx(0.2)}


def test_scores_below_zero_count_as_nothing() -> None:
    assert GradesShape.model_validate({"grades": [{"id": 1, "score": -3}]}).scores == {1: 0.0}


def test_no_grades_are_no_answer() -> None:
    with pytest.raises(ValidationError):
        GradesShape.model_validate({"verdict": "good"})


def test_advice_that_makes_no_sense_is_left_out() -> None:
    shape = GradesShape.model_validate({"grades": [], "next": [3, {"keywords": "x"}, "other words"]})
    assert [part.semantic_intent for part in shape.next] == ["other words"]
