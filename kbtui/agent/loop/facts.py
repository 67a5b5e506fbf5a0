"""Events of the loop for the panes, the same as those of the pipeline: graded evidence, cited evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from msgspec.structs import replace

from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext
from kbtui.agent.nodes.grade_evidence import evidence_event, graded_evidence, grades_of
from kbtui.domain.answer import Citation
from kbtui.domain.evidence import Evidence, Grade, GraderAction, Hit
from kbtui.domain.routing import SubQuestion

USED: Final = "used"
"""Signal of evidence: 1 if the answer cites it, else 0."""
_BEST: Final = 3


def grade_hits(hits: Sequence[Hit], question: SubQuestion, count: int, context: LoopContext) -> list[Evidence]:
    """Grade hits by the offline grader; lines from exact lookups score 1."""
    searched = [hit for hit in hits if hit.tool in ("search", "hybrid_search", "web_search", "web_fetch")]
    context.cancel.check()
    (grades,) = grades_of([(question, searched)], context) if searched else [[]]
    by_hit = dict(zip(map(id, searched), grades, strict=True))
    return [
        graded_evidence(number, hit, question.semantic_intent, by_hit.get(id(hit), Grade(score=1.0)))
        for number, hit in enumerate(hits, count + 1)
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
