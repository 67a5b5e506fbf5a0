"""The `EvidenceGrader` that asks a chat model: one call for all passages of a pass (spec 003, D3 and "Risks")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.domain.evidence import Grade, Hit
from kbtui.domain.ports import Emit, ExplainingGrader
from kbtui.domain.routing import SubQuestion
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.reasoning.llm.conversation import Conversation, question_to_model
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.joining import join_grades
from kbtui.reasoning.llm.prompt import rules_of
from kbtui.reasoning.llm.router import Advice
from kbtui.reasoning.llm.shapes import GradesShape
from kbtui.reasoning.llm.structured import request_shape
from kbtui.reasoning.llm.suspicion import signs_by_file
from kbtui.text.terminal import one_line

_MIN_CHARS: Final = 240
_CHARS_PER_TOKEN: Final = 3

RULES: Final = rules_of("grade")

Graded = tuple[SubQuestion, Sequence[Hit]]


class LlmGrader:
    """Grades with the model; the offline grader fills gaps, and grades everything if the model fails.

    Args:
        context_tokens: Tokens for passages in one prompt; more are shortened, then split over prompts.
        nonce: Key of the fences of this run.
        advice: Receives the sub-questions that the model suggests next.
    """

    def __init__(
        self,
        client: ModelClient,
        offline: ExplainingGrader,
        *,
        context_tokens: int,
        nonce: str,
        advice: Advice,
        emit: Emit,
    ) -> None:
        self._client = client
        self._offline = offline
        self._context_tokens = context_tokens
        self._nonce = nonce
        self._advice = advice
        self._emit = emit

    def grade(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[float]:
        """See `EvidenceGrader`."""
        return [grade.score for grade in self.grade_all([(sub_question, hits)])[0]]

    def grade_all(self, questions: Sequence[Graded]) -> list[list[Grade]]:
        """See `BatchGrader`."""
        offline = [self._offline.grades(question, hits) for question, hits in questions]
        if not any(hits for _, hits in questions):
            return offline
        scores: dict[tuple[int, int], float] = {}
        try:
            deadline = self._client.deadline("grade")
            for prompt, places in self._prompts(questions):
                shape = request_shape(self._client, prompt, GradesShape, deadline)
                scores_by_number = shape.scores
                scores |= {
                    place: scores_by_number[number]
                    for number, place in enumerate(places, 1)
                    if number in scores_by_number
                }
                self._advice.next = tuple(
                    SubQuestion(semantic_intent=part.semantic_intent, search_keywords=part.search_keywords)
                    for part in shape.next
                )
        except CallFailed as failed:
            warn_of(failed, "grade", self._emit)
        suspicious_paths = signs_by_file([hit for _, hits in questions for hit in hits]) if scores else {}
        return _join_grades(offline, scores, [hit.path in suspicious_paths for _, hits in questions for hit in hits])

    def _prompts(self, questions: Sequence[Graded]) -> Iterator[tuple[Conversation, list[tuple[int, int]]]]:
        """Prompts with the places (indexes of sub-question and hit) of their passages 1, 2 …"""
        places = [(row, column) for row, (_, hits) in enumerate(questions) for column in range(len(hits))]
        room = self._context_tokens * _CHARS_PER_TOKEN
        longest = max(_MIN_CHARS, room // len(places))
        texts = {(row, column): _cut(questions[row][1][column].text, longest) for row, column in places}
        batch: list[tuple[int, int]] = []
        used = 0
        for place in places:
            cost = estimate_tokens(texts[place])
            if batch and used + cost > self._context_tokens:
                yield self._prompt(questions, batch, texts), batch
                batch, used = [], 0
            batch.append(place)
            used += cost
        yield self._prompt(questions, batch, texts), batch

    def _prompt(
        self, questions: Sequence[Graded], places: Sequence[tuple[int, int]], texts: dict[tuple[int, int], str]
    ) -> Conversation:
        rows = sorted({row for row, _ in places})
        lines = [f"Question {row + 1}: {one_line(questions[row][0].semantic_intent)}" for row in rows]
        if self._advice.tried:
            lines.append("Searched so far: " + one_line("; ".join(self._advice.tried), 600))
        passages = [
            fenced(
                f"{hit.note}\n{texts[row, column]}" if hit.note else texts[row, column],
                attributes={"id": str(number), "question": str(row + 1), "path": hit.path},
                nonce=self._nonce,
            )
            for number, (row, column) in enumerate(places, 1)
            for hit in (questions[row][1][column],)
        ]
        return question_to_model("grade", RULES, "\n".join(lines) + "\n\n" + "\n\n".join(passages))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest].rsplit("\n", 1)[0] + " …"


def _join_grades(
    offline: Sequence[Sequence[Grade]], scores: Mapping[tuple[int, int], float], is_suspicious: Sequence[bool]
) -> list[list[Grade]]:
    places = [(row, column) for row, grades in enumerate(offline) for column in range(len(grades))]
    joined_scores = join_grades(
        [offline[row][column].score for row, column in places], [scores.get(place) for place in places], is_suspicious
    )
    result = [list(grades) for grades in offline]
    for (row, column), score in zip(places, joined_scores, strict=True):
        if (model_score := scores.get((row, column))) is not None:
            grade = offline[row][column]
            signals = {**grade.signals, "llm": model_score, "offline": grade.score}
            result[row][column] = replace(grade, score=score, signals=signals)
    return result
