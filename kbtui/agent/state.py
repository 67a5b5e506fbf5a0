"""What flows between the nodes, and what each run brings along.

`AgentState` holds the fields the specs name (``routing_plan``, ``query_type``, ``sub_questions``, ``evidence_scores``,
``grader_action`` …) beside the typed values they are views of. `AgentContext` is given to every node by LangGraph's
runtime, so the graph is compiled once and holds nothing of a run.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import PlanStep
from kbtui.domain.evidence import Evidence, GraderAction, Hit
from kbtui.domain.ports import AnswerWriter, CancelToken, Emit, EvidenceGrader, QueryRouter
from kbtui.domain.routing import RetrievalHint, Routing, SubQuestion
from kbtui.domain.tooling import ToolCall, ToolOutput, ToolResult

AuditEntry = dict[str, Any]
"""One line of the audit log: ``{"node": …, "iteration": …, facts…}``, JSON-safe."""


class AgentState(TypedDict, total=False):
    """The state of one run.

    Attributes:
        query: The question as asked.
        iteration: The current pass, from 1.
        query_type: Of the routing plan (spec 002).
        complexity: Of the routing plan (spec 002).
        sub_questions: ``{"semantic_intent", "search_keywords"}`` objects (spec 001, D1).
        routing_plan: The plan as JSON object.
        routing: The same, typed, with its signals.
        hint: What the next pass is told about the earlier ones.
        asked: The sub-questions the answer is grouped by: those of the first routing, and any added later; one that
            waited for what another finds is replaced by those asked of what was found.
        planned: The calls of this pass.
        results: What they brought back.
        tried: Fingerprints of all calls made and of those they contain, so that none is made twice.
        made: How many calls were made; numbers the next ones.
        evidence: All graded evidence so far, best first, one entry a passage and sub-question.
        graded: How many passages were graded so far, kept here or not; numbers the next ones.
        context: The kept evidence as ``[SOURCE:{path}:L{line}] text`` items (spec 003, D4).
        evidence_scores: Scores of ``evidence``, in its order (spec 003, D3).
        per_question: For each of ``asked``, how good its evidence is (`grade_evidence.question_scores`).
        gain: How much the last pass raised the best-helped sub-question; 1 after the first.
        grader_action: ``GENERATE``, ``REFINE`` or ``RE-RETRIEVE``.
        answer: The written answer, at the end.
        audit: What every node decided, in order.
    """

    query: str
    iteration: int
    query_type: str
    complexity: str
    sub_questions: list[dict[str, str]]
    routing_plan: dict[str, Any]
    routing: Routing
    hint: RetrievalHint
    asked: tuple[SubQuestion, ...]
    planned: tuple[ToolCall, ...]
    results: tuple[ToolResult, ...]
    tried: frozenset[str]
    made: int
    evidence: tuple[Evidence, ...]
    graded: int
    context: list[str]
    evidence_scores: list[float]
    per_question: dict[str, float]
    gain: float
    grader_action: GraderAction
    answer: WrittenAnswer
    audit: Annotated[list[AuditEntry], operator.add]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordsAnswer:
    """What the tables of the folder answer.

    Attributes:
        hits: The lines that state it, in the order of the answer.
        says: What was asked, in words.
        sql: The statement over the tables; empty where the relations of one thing were followed.
        source: What the tables go by.
        standalone: A follow-up as a question of its own; empty where nothing was added.
        has_ties: Of rows in an order those are included that are equal to the last one.
        is_count: Its lines were counted or summed; the answer does not rest on each of them by itself.
    """

    answer: WrittenAnswer
    hits: tuple[Hit, ...]
    says: str
    sql: str = ""
    confidence: float = 1.0
    source: str = ""
    standalone: str = ""
    has_ties: bool = False
    is_count: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """What one run needs from outside.

    Attributes:
        router, grader, writer: Who thinks.
        tool_names: The tools there are.
        call_tool: Runs one tool by name and returns its output; raises `KbtuiError` when it cannot.
        emit: States a fact.
        cancel: Checked between and inside nodes.
        max_iterations: Passes before the best answer so far is written (``KB_AGENT_MAX_ITERATIONS``).
        audit: Given every audit entry as it is made, so that a run that dies still explains itself.
        estimate_ms: Recorded median duration of a tool, or None.
        records: Asks the tables of the folder; None, or what gives None, goes on to the router.
    """

    router: QueryRouter
    grader: EvidenceGrader
    writer: AnswerWriter
    tool_names: tuple[str, ...]
    call_tool: Callable[[str, Mapping[str, Any]], ToolOutput]
    emit: Emit
    cancel: CancelToken
    max_iterations: int = 3
    audit: Callable[[AuditEntry], None] = lambda _entry: None
    estimate_ms: Callable[[str], float | None] = lambda _tool: None
    records: Callable[[str], RecordsAnswer | None] | None = None


def plan_step(call: ToolCall, estimate: float | None = None) -> PlanStep:
    """A planned call as the plan pane lists it."""
    return PlanStep(
        step_id=call.step_id or call.call_id,
        tool=call.tool,
        args=dict(call.args),
        purpose=call.sub_question,
        estimated_ms=estimate,
    )
