"""Events of the loop for the panes, the same as those of the pipeline: plan, graded evidence, cited evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext
from kbtui.agent.nodes.grade_evidence import evidence_event
from kbtui.agent.state import plan_step
from kbtui.domain.answer import Citation
from kbtui.domain.events import PlanCreated
from kbtui.domain.evidence import DROP_THRESHOLD, Evidence, Grade, GraderAction, Hit
from kbtui.domain.ports import ExplainingGrader
from kbtui.domain.routing import SubQuestion
from kbtui.domain.tooling import ToolCall

USED: Final = "used"
"""Signal of evidence: 1 if the answer cites it, else 0."""
_BEST: Final = 3


def emit_plan(calls: Sequence[ToolCall], iteration: int, context: LoopContext) -> None:
    """Emit the plan of the next calls."""
    steps = tuple(plan_step(call, context.estimate_ms(call.tool)) for call in calls)
    context.emit(PlanCreated(steps=steps, iteration=iteration))


def grade_hits(hits: Sequence[Hit], question: SubQuestion, count: int, context: LoopContext) -> list[Evidence]:
    """Grade hits by the offline grader; lines from exact lookups score 1."""
    searched = [hit for hit in hits if hit.tool in ("search", "hybrid_search", "web_search", "web_fetch")]
    scores = dict(zip(map(id, searched), _grades(question, searched, context), strict=True))
    return [
        Evidence(
            evidence_id=f"e{count + number}",
            hit=hit,
            sub_question=question.semantic_intent,
            score=(grade := scores.get(id(hit), Grade(score=1.0))).score,
            kept=grade.score >= DROP_THRESHOLD,
            signals=grade.signals,
        )
        for number, hit in enumerate(hits, 1)
    ]


def emit_evidence(evidence: Sequence[Evidence], action: GraderAction, iteration: int, context: LoopContext) -> None:
    """Emit the graded evidence."""
    ranked = sorted(evidence, key=lambda item: (-item.kept, -item.score))
    best = [item.score for item in ranked[:_BEST]]
    context.emit(evidence_event(ranked, sum(best) / len(best) if best else 0.0, action, iteration))


def mark_given(evidence: Iterable[Evidence], shelf: Shelf) -> tuple[Evidence, ...]:
    """Mark evidence as kept if the model was given it."""
    return tuple(replace(item, kept=shelf.number_of(item.hit) is not None) for item in evidence)


def mark_cited(evidence: Iterable[Evidence], citations: Collection[Citation]) -> tuple[Evidence, ...]:
    """Add the signal `USED`: whether the answer cites lines of the evidence."""
    return tuple(
        replace(item, signals={**item.signals, USED: float(any(_cites(citation, item.hit) for citation in citations))})
        for item in evidence
    )


def _cites(citation: Citation, hit: Hit) -> bool:
    if citation.path is None:
        return citation.url == hit.path
    first, last = citation.start_line or 1, citation.end_line or citation.start_line or 1
    return citation.path == hit.path and first <= hit.end_line and hit.start_line <= last


def _grades(question: SubQuestion, hits: Sequence[Hit], context: LoopContext) -> list[Grade]:
    if not hits:
        return []
    context.cancel.check()
    if isinstance(context.grader, ExplainingGrader):
        return context.grader.grades(question, hits)
    return [Grade(score=score) for score in context.grader.grade(question, hits)]
