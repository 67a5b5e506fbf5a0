"""Reasoners and tools whose behaviour a test spells out, joined at the agent's ports."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kbtui.agent.graph import run_graph
from kbtui.agent.state import AgentContext, AgentState, AuditEntry
from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import Event
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken, Emit, WritingBrief
from kbtui.domain.routing import QueryType, RetrievalHint, Routing, RoutingPlan, SubQuestion
from kbtui.domain.tooling import ToolOutput

TOOLS = ("grep_search", "vector_search", "hybrid_search", "graph_related", "read_file", "local_file_qa")


def hit(path: str = "a.md", start: int = 1, end: int = 3, score: float = 1.0, note: str = "", tool: str = "") -> Hit:
    text = "\n".join(f"line {n} of {path}" for n in range(start, end + 1))
    return Hit(path=path, start_line=start, end_line=end, text=text, score=score, note=note, tool=tool)


def plan(
    *questions: tuple[str, str], tools: Sequence[str] = ("hybrid_search",), query_type: QueryType = "conceptual"
) -> RoutingPlan:
    return RoutingPlan(
        query_type=query_type,
        complexity="complex" if len(questions) > 1 else "simple",
        sub_questions=tuple(SubQuestion(semantic_intent=s, search_keywords=k) for s, k in questions),
        suggested_tools=tuple(tools),
    )


class ScriptedRouter:
    """Gives one plan a call, the last one for ever; remembers the hints it was given."""

    def __init__(self, *plans: RoutingPlan) -> None:
        self.plans = plans
        self.hints: list[RetrievalHint] = []

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        self.hints.append(hint)
        return Routing(plan=self.plans[min(len(self.hints), len(self.plans)) - 1])


class OwnScoreGrader:
    """A hit is worth the score its tool gave it."""

    def grade(self, sub_question: SubQuestion, hits: Sequence[Hit]) -> list[float]:
        return [hit.score for hit in hits]


class ListingWriter:
    """Writes the paths of the evidence; remembers the brief."""

    brief: WritingBrief

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        self.brief = brief
        paths = [evidence.hit.path for evidence in brief.evidence]
        return WrittenAnswer(markdown=" ".join(paths), outcome="answered" if paths else "not_found")


class Bench:
    """One run of the graph: what went in and everything that came out."""

    def __init__(
        self,
        router: ScriptedRouter,
        call_tool: Callable[[str, Mapping[str, Any]], ToolOutput],
        *,
        max_iterations: int = 3,
        adaptive: bool = True,
        own_arguments: Mapping[str, Callable[[str], Mapping[str, Any] | None]] | None = None,
    ) -> None:
        self.router = router
        self.writer = ListingWriter()
        self.cancel = CancelToken()
        self.events: list[Event] = []
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.audit: list[AuditEntry] = []
        self._call_tool = call_tool
        self._max_iterations = max_iterations
        self._adaptive = adaptive
        self._own_arguments = dict(own_arguments or {})
        self._lock = threading.Lock()

    def run(self, query: str = "a question") -> AgentState:
        context = AgentContext(
            router=self.router,
            grader=OwnScoreGrader(),
            writer=self.writer,
            tool_names=(*TOOLS, *self._own_arguments),
            call_tool=self._called,
            emit=self.events.append,
            cancel=self.cancel,
            max_iterations=self._max_iterations,
            audit=self.audit.append,
            own_arguments=self._own_arguments,
        )
        return run_graph(query, context, adaptive=self._adaptive)

    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]

    def of(self, kind: str) -> list[Any]:
        return [event for event in self.events if event.kind == kind]

    def _called(self, name: str, args: Mapping[str, Any]) -> ToolOutput:
        with self._lock:
            self.calls.append((name, dict(args)))
        return self._call_tool(name, args)


def always(*hits: Hit) -> Callable[[str, Mapping[str, Any]], ToolOutput]:
    """A tool box in which every tool finds the same."""
    return lambda _name, _args: ToolOutput(hits=hits)
