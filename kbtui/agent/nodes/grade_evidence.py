"""Grades the retrieved passages and chooses the next action (spec 003, D3; CRAG, Yan et al. 2024).

Every passage gets a score from 0 to 1; those below 0.3 are dropped. The deciding average is over the best three kept
passages of each sub-question, never over a padded list: if one of ten passages answers, the other nine do not make it
worse. A sub-question without evidence counts as 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from kbtui.agent.state import AgentContext, AgentState
from kbtui.domain.events import EvidenceGraded, EvidenceItem
from kbtui.domain.evidence import (
    DROP_THRESHOLD,
    GENERATE_THRESHOLD,
    Evidence,
    Grade,
    GraderAction,
    Hit,
    source_tag,
)
from kbtui.domain.ports import BatchGrader, ExplainingGrader
from kbtui.domain.routing import RetrievalHint, SubQuestion
from kbtui.domain.tooling import ToolResult

if TYPE_CHECKING:
    from kbtui.agent.loop.state import LoopContext


def evaluate(state: AgentState, context: AgentContext) -> AgentState:
    """Grade in the linear graph, without a further pass."""
    return grade_evidence(state, replace(context, max_iterations=1))


BEST_OF = 3
PREVIEW_CHARS = 240
CONTEXT_ITEMS = 10
"""Most items in the context of the writer (spec 003, "Risks")."""


def grade_evidence(state: AgentState, context: AgentContext) -> AgentState:
    """Score this pass's hits, merge them with the evidence so far, and choose the next action."""
    new_evidence = _grade_results(state, context)
    evidence = _merge_evidence((*state.get("evidence", ()), *new_evidence))
    per_question = question_scores(state["asked"], evidence)
    average = sum(per_question) / len(per_question) if per_question else 0.0
    iteration = state["iteration"]
    action = choose_action(average, iteration, context.max_iterations)
    context.emit(evidence_event(evidence, average, action, iteration))
    update = with_evidence(evidence)
    update["grader_action"] = action
    update["graded"] = state.get("graded", 0) + len(new_evidence)
    previous_scores = state.get("per_question", {})
    scores = {question.semantic_intent: score for question, score in zip(state["asked"], per_question, strict=True)}
    update["per_question"] = scores
    update["gain"] = max((score - previous_scores.get(intent, 0.0) for intent, score in scores.items()), default=0.0)
    if iteration == 1:
        # A second pass, with other words and tools, is always worthwhile.
        update["gain"] = 1.0
    update["hint"] = _hint(state, per_question, evidence, iteration)
    update["audit"] = [
        {"node": "grade_evidence", "iteration": iteration, "average": round(average, 4), "action": action}
        | {"kept": sum(item.kept for item in evidence), "dropped": sum(not item.kept for item in evidence)}
    ]
    return update


def choose_action(average: float, iteration: int, max_iterations: int) -> GraderAction:
    """The three ways out of the grader (spec 003, D3); the last pass always generates."""
    if average >= GENERATE_THRESHOLD or iteration >= max_iterations:
        return "GENERATE"
    return "RE-RETRIEVE" if average < DROP_THRESHOLD else "REFINE"


def question_scores(asked: Sequence[SubQuestion], evidence: Sequence[Evidence]) -> list[float]:
    """The mean score of the best three kept passages of each sub-question; 0 without any."""
    scores = []
    for question in asked:
        best = [e.score for e in evidence if e.kept and e.sub_question == question.semantic_intent][:BEST_OF]
        scores.append(sum(best) / len(best) if best else 0.0)
    return scores


def evidence_event(
    evidence: Iterable[Evidence], average: float, action: GraderAction, iteration: int
) -> EvidenceGraded:
    """The event that reports the graded evidence."""
    return EvidenceGraded(
        items=tuple(
            EvidenceItem(
                evidence_id=item.evidence_id,
                path=item.hit.path,
                start_line=item.hit.start_line,
                end_line=item.hit.end_line,
                score=round(item.score, 4),
                kept=item.kept,
                tool=item.hit.tool,
                sub_question=item.sub_question,
                preview=" ".join(item.hit.text.split())[:PREVIEW_CHARS],
                signals={**item.hit.signals, **item.signals},
                locator=item.hit.locator,
            )
            for item in evidence
        ),
        average=round(average, 4),
        action=action,
        iteration=iteration,
    )


def with_evidence(evidence: tuple[Evidence, ...]) -> AgentState:
    """The state fields that are views of the evidence."""
    kept = [item for item in evidence if item.kept][:CONTEXT_ITEMS]
    return {
        "evidence": evidence,
        "evidence_scores": [item.score for item in evidence],
        "context": [f"{source_tag(item.hit.path, item.hit.start_line)} {item.hit.text}" for item in kept],
    }


def _grade_results(state: AgentState, context: AgentContext) -> list[Evidence]:
    """Grade the hits of each sub-question, merged across its tools."""
    questions = {q.semantic_intent: q for q in state["asked"]}
    count = state.get("graded", 0)
    graded: list[Evidence] = []
    hits_by_intent = hits_by_question(state.get("results", ()))
    hits_of_questions = [
        (questions.get(intent, SubQuestion(semantic_intent=intent)), hits) for intent, hits in hits_by_intent.items()
    ]
    for (intent, hits), grades in zip(hits_by_intent.items(), grades_of(hits_of_questions, context), strict=True):
        for hit, grade in zip(hits, grades, strict=True):
            count += 1
            graded.append(graded_evidence(count, hit, intent, grade))
    return graded


def graded_evidence(number: int, hit: Hit, intent: str, grade: Grade) -> Evidence:
    """The evidence of a graded hit, kept from `DROP_THRESHOLD` on."""
    return Evidence(
        evidence_id=f"e{number}",
        hit=hit,
        sub_question=intent,
        score=grade.score,
        kept=grade.score >= DROP_THRESHOLD,
        signals=grade.signals,
    )


def grades_of(
    hits_of_questions: Sequence[tuple[SubQuestion, Sequence[Hit]]], context: AgentContext | LoopContext
) -> list[list[Grade]]:
    """The grades of the hits of each sub-question, as far as the grader explains them."""
    if isinstance(context.grader, BatchGrader):
        return context.grader.grade_all(hits_of_questions)
    grades = []
    for question, hits in hits_of_questions:
        context.cancel.check()
        if isinstance(context.grader, ExplainingGrader):
            grades.append(context.grader.grades(question, hits))
        else:
            grades.append([Grade(score=score) for score in context.grader.grade(question, hits)])
    return grades


def hits_by_question(results: Iterable[ToolResult]) -> dict[str, list[Hit]]:
    """The hits of each sub-question; the same lines found by two tools are one hit with both tools' signals."""
    grouped: dict[str, dict[tuple[str, int, int], Hit]] = {}
    for result in results:
        hits = grouped.setdefault(result.call.sub_question, {})
        for hit in result.output.hits:
            key = (hit.path, hit.start_line, hit.end_line)
            previous = hits.get(key)
            hits[key] = hit if previous is None else _merge_hits(previous, hit)
    return {intent: list(hits.values()) for intent, hits in grouped.items()}


def _merge_hits(first: Hit, second: Hit) -> Hit:
    """Merge two hits on the same lines: the note of a relation is kept, signals are united."""
    base, other = (second, first) if second.note and not first.note else (first, second)
    return replace(
        base,
        signals={**other.signals, **base.signals},
        matched_lines=tuple(sorted({*base.matched_lines, *other.matched_lines})),
    )


def _merge_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Sort by score; of overlapping passages for one sub-question only the best is kept.

    A line that states a relation is evidence of its own and never merged into the passage around it.
    """
    result: list[Evidence] = []
    for item in sorted(evidence, key=lambda e: (-e.score, e.hit.path, e.hit.start_line, e.evidence_id)):
        if not any(_is_duplicate(item, kept) for kept in result):
            result.append(item)
    return tuple(result)


def _is_duplicate(item: Evidence, other: Evidence) -> bool:
    if item.sub_question != other.sub_question or item.hit.path != other.hit.path:
        return False
    if item.hit.note or other.hit.note:
        return (item.hit.start_line, item.hit.end_line, item.hit.note) == (
            other.hit.start_line,
            other.hit.end_line,
            other.hit.note,
        )
    overlap = min(item.hit.end_line, other.hit.end_line) - max(item.hit.start_line, other.hit.start_line) + 1
    shorter = min(item.hit.end_line - item.hit.start_line, other.hit.end_line - other.hit.start_line) + 1
    return overlap * 2 > shorter


def _hint(
    state: AgentState, per_question: Sequence[float], evidence: Sequence[Evidence], iteration: int
) -> RetrievalHint:
    """The hint for the next pass: the sub-questions with weak evidence, and what was tried for them."""
    missing = tuple(q for q, score in zip(state["asked"], per_question, strict=True) if score < GENERATE_THRESHOLD)
    intents = {question.semantic_intent for question in missing}
    earlier = state.get("hint", RetrievalHint())
    calls = [call for call in state["planned"] if call.sub_question in intents]
    keywords = [str(call.args.get("exact_keywords") or call.args.get("keywords") or "") for call in calls]
    return RetrievalHint(
        iteration=iteration,
        missing=missing,
        tried_tools=tuple(dict.fromkeys((*earlier.tried_tools, *(call.tool for call in calls)))),
        tried_keywords=tuple(dict.fromkeys((*earlier.tried_keywords, *(word for word in keywords if word)))),
        found=tuple(item for item in evidence if item.kept),
    )
