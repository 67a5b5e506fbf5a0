"""Schemas of structured replies, as tolerant as possible without guessing.

Models write `Exact` for `exact`, a string for a list of one, and sub-questions as plain strings (the older form of spec
002); all of these are accepted. An error that would change the meaning, such as an unknown query type, is rejected.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, Field, field_validator, model_validator

from kbtui.domain.routing import Complexity, QueryType
from kbtui.text.terminal import one_line

MAX_SUB_QUESTIONS: Final = 6
_MAX_KEYWORDS: Final = 12
_TEXT_CHARS: Final = 400


def _texts(value: Any) -> Any:
    """Convert a list, a comma-separated text or None to a list of short texts."""
    if value is None:
        return []
    if isinstance(value, str):
        value = value.split(",")
    if isinstance(value, list):
        return [
            one_line(str(item), _TEXT_CHARS)
            for item in value
            if isinstance(item, (str, int, float)) and str(item).strip()
        ]
    return value


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, list):
        value = " ".join(str(item) for item in value)
    return one_line(value)[:_TEXT_CHARS].strip() if isinstance(value, str) else value


def _word(value: Any) -> Any:
    return value.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(value, str) else value


Texts = Annotated[list[str], BeforeValidator(_texts)]
Text = Annotated[str, BeforeValidator(_text)]


class SubQuestionShape(BaseModel):
    """One part of the question that can be looked up on its own."""

    semantic_intent: Annotated[Text, Field(min_length=1, description="The part as a full sentence.")]
    search_keywords: Annotated[
        Text, Field(description="Exact nouns, names, symbols and terms, separated by spaces.")
    ] = ""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return {"semantic_intent": value, "search_keywords": value} if isinstance(value, str) else value


class RouteShape(BaseModel):
    """How a question is to be looked up."""

    query_type: Annotated[QueryType, BeforeValidator(_word)]
    complexity: Annotated[Complexity, BeforeValidator(_word)] = "simple"
    sub_questions: list[SubQuestionShape] = Field(default_factory=list)
    suggested_tools: Texts = Field(default_factory=list)
    grep_keywords: Texts = Field(default_factory=list)
    standalone_question: Text = ""

    @field_validator("sub_questions", mode="before")
    @classmethod
    def _limit_sub_questions(cls, value: Any) -> Any:
        if value is None:
            return []
        return (value if isinstance(value, list) else [value])[:MAX_SUB_QUESTIONS]

    @field_validator("grep_keywords")
    @classmethod
    def _limit_keywords(cls, value: list[str]) -> list[str]:
        return value[:_MAX_KEYWORDS]


class GradeShape(BaseModel):
    """The grade of one passage."""

    id: int
    score: float = Field(allow_inf_nan=False, description="0 (does not help) to 1 (answers it).")


def _is_grade(value: Any) -> bool:
    try:
        return isinstance(value, dict) and int(value["id"]) >= 0 and math.isfinite(float(value["score"]))
    except (KeyError, ValueError, TypeError, OverflowError):
        return False


class GradesShape(BaseModel):
    """The grades of passages, and what is still missing."""

    grades: list[GradeShape]
    missing: Text = ""
    next: list[SubQuestionShape] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _as_list(cls, value: Any) -> Any:
        """Also accept ``{"1": 0.9}``, ``[0.9, 0.2]`` and a bare list of grades."""
        if not isinstance(value, dict):
            return value
        grades = value.get("grades", value.get("items", value.get("scores")))
        if isinstance(grades, dict):
            grades = [{"id": number, "score": score} for number, score in grades.items()]
        elif isinstance(grades, list) and grades and all(isinstance(score, (int, float)) for score in grades):
            grades = [{"id": number, "score": score} for number, score in enumerate(grades, 1)]
        if isinstance(grades, list):
            # A truncated reply ends in an incomplete grade.
            valid = [grade for grade in grades if _is_grade(grade)]
            grades = valid or grades
        return {**value, "grades": grades}

    @field_validator("next", mode="before")
    @classmethod
    def _drop_invalid(cls, value: Any) -> Any:
        """The next sub-questions are optional, so invalid ones are dropped."""
        parts = value if isinstance(value, list) else []
        return [
            part for part in parts if isinstance(part, str) or (isinstance(part, dict) and part.get("semantic_intent"))
        ][:MAX_SUB_QUESTIONS]

    @property
    def scores(self) -> dict[int, float]:
        """Score by number, 0 to 1, whatever scale the model used."""
        highest = max((grade.score for grade in self.grades), default=0.0)
        scale = 1.0 if highest <= 1.0 else 10.0 if highest <= 10.0 else 100.0
        return {grade.id: min(1.0, max(0.0, grade.score / scale)) for grade in self.grades}
