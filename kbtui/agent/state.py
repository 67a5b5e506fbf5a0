"""The state that flows between the nodes, and the context of a run.

`AgentState` holds the fields the specs name (``routing_plan``, ``query_type``, ``sub_questions``, ``evidence_scores``,
``grader_action`` …) beside the typed values they are views of. LangGraph's runtime passes `AgentContext` to every
node, so the graph is compiled once and holds no data of a run.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from msgspec import Struct, field

from kbtui.domain.answer import WrittenAnswer
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
        query_type: Query type of the routing plan (spec 002).
        complexity: Complexity of the routing plan (spec 002).
        sub_questions: ``{"semantic_intent", "search_keywords"}`` objects (spec 001, D1).
        routing_plan: The plan as JSON object.
        routing: The same, typed, with its signals.
        hint: Information for the next pass about the earlier ones.
        asked: The sub-questions the answer is grouped by: those of the first routing, and any added later. A dependent
            one is replaced by questions about the results it depends on.
        planned: The calls of this pass.
        results: The results of these calls.
        tried: Fingerprints of all calls made and of the calls they contain, so that none is made twice.
        made: Number of calls made; numbers the next ones.
        evidence: All graded evidence so far, best first, one entry per passage and sub-question.
        graded: Number of passages graded so far, kept or not; numbers the next ones.
        context: The kept evidence as ``[SOURCE:{path}:L{line}] text`` items (spec 003, D4).
        evidence_scores: Scores of ``evidence``, in its order (spec 003, D3).
        per_question: Score of the evidence for each of ``asked`` (`grade_evidence.question_scores`).
        gain: Largest rise of a sub-question's score in the last pass; 1 after the first.
        grader_action: ``GENERATE``, ``REFINE`` or ``RE-RETRIEVE``.
        answer: The written answer, at the end.
        audit: The decisions of all nodes, in order.
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
    """An answer from the records of the folder.

    Attributes:
        answer: The written answer.
        hits: The lines that state it, in the order of the answer.
        says: The reading of the question, in words.
        sql: The statement over the tables; empty if the relations of one thing were followed.
        confidence: Confidence of the reading, 0 to 1.
        source: Name of the tables as a data source.
        standalone: A follow-up rewritten as a standalone question; empty if nothing was added.
        has_ties: Rows equal to the last row of a limited order are included.
        tool: Name of what answered, where neither the tables nor the relations did.
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
    tool: str = ""


class AgentContext(Struct, frozen=True, kw_only=True):
    """The dependencies of one run.

    Attributes:
        router, grader, writer: The reasoners.
        tool_names: Names of the available tools.
        call_tool: Runs one tool by name and returns its output; raises `KbtuiError` if it fails.
        emit: Emits an event.
        cancel: Checked between and inside nodes.
        max_iterations: Passes before the best answer so far is written (``KB_AGENT_MAX_ITERATIONS``).
        audit: Receives every audit entry at once, so that a run that dies can still be explained.
        estimate_ms: Recorded median duration of a tool, or None.
        own_arguments: Functions of the text of a sub-question that give the arguments of a tool, by its name; None from
            one means that the tool does not take that sub-question.
        records: Answers a question from the records; if it is None or returns None, the question is routed.
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
    own_arguments: Mapping[str, Callable[[str], Mapping[str, Any] | None]] = field(default_factory=dict)
    records: Callable[[str], RecordsAnswer | None] | None = None
