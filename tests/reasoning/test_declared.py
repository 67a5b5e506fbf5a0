"""Tools of other packages in plans made without a model: by what they declare that they answer."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any

import numpy as np
import pytest

from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import RetrievalHint, RoutingPlan, SubQuestion
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import EmbeddingError
from kbtui.knowledge.embedding import open_embedder
from kbtui.knowledge.embedding.port import Embedder
from kbtui.question.model import Question
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.declared import DeclaredTools
from kbtui.reasoning.offline.grader import OfflineGrader
from kbtui.reasoning.offline.places import declared_blocks
from kbtui.reasoning.offline.router import OfflineRouter
from kbtui.settings.model import EmbeddingSettings
from kbtui.tools.base import Answers
from tests.support.agents import ScriptedRouter, plan

TODOS = Answers(
    examples=("what is left to do?", "which tasks are open?", "还有什么没做？"),
    arguments=lambda question: (
        {"about": question.text, "since": question.periods[0].first} if question.periods else {"about": question.text}
    ),
)


@cache
def embedder() -> Embedder:
    return open_embedder(EmbeddingSettings())


def tools(warnings: list[str] | None = None, **answers: Answers) -> DeclaredTools:
    told = [] if warnings is None else warnings
    return DeclaredTools(answers or {"open_todos": TODOS}, embedder, lambda: date(2026, 11, 28), told.append)


@pytest.mark.parametrize(
    "question",
    ["what is left to do?", "what is left to do about the winch?", "Which tasks are open?", "水泵还有什么没做？"],
)
def test_a_question_like_an_example_has_the_tool_called_beside_the_searches(question: str) -> None:
    routing = tools().around(OfflineRouter()).route(question, RetrievalHint())
    assert routing.plan.suggested_tools[-1] == "open_todos"
    assert len(routing.plan.suggested_tools) > 1
    assert any(signal.name == "tool" and "open_todos" in signal.detail for signal in routing.signals)


@pytest.mark.parametrize(
    "question",
    ["how is the winch greased?", "what is a circuit breaker?", "hello", "退款政策是什么？", "list all files"],
)
def test_another_question_is_planned_as_without_the_tool(question: str) -> None:
    plain = OfflineRouter().route(question, RetrievalHint())
    assert tools().around(OfflineRouter()).route(question, RetrievalHint()) == plain


def test_of_several_parts_those_that_it_answers_have_the_tool() -> None:
    inner = ScriptedRouter(
        plan(("what is left to do about the winch?", "winch"), ("how much does the crane lift?", ""))
    )
    routing = tools().around(inner).route("both", RetrievalHint())
    first, second = routing.plan.sub_questions
    assert routing.tools_of(first) == ("hybrid_search", "open_todos")
    assert routing.tools_of(second) == ("hybrid_search",)


def test_a_later_pass_is_the_other_routers() -> None:
    routing = tools().around(OfflineRouter()).route("what is left to do?", RetrievalHint(iteration=1))
    assert "open_todos" not in routing.plan.suggested_tools


def test_arguments_come_from_the_question_as_it_was_read() -> None:
    given = tools().own_arguments["open_todos"]("what is left to do since March 2026?")
    assert given == {"about": "what is left to do since March 2026?", "since": "2026-03-01"}


def test_a_tool_that_does_not_take_the_question_is_not_planned() -> None:
    choosy = Answers(examples=TODOS.examples, arguments=lambda _: None)
    routing = tools(open_todos=choosy).around(OfflineRouter()).route("what is left to do?", RetrievalHint())
    assert "open_todos" not in routing.plan.suggested_tools


def _broken(_question: Question) -> Any:
    raise KeyError("about")


@pytest.mark.parametrize(
    "arguments", [_broken, lambda _: 7, lambda _: {"about": object()}, lambda _: {"about": "x" * 30_000}]
)
def test_a_declaration_that_fails_is_named_and_skipped(arguments: Any) -> None:
    warnings: list[str] = []
    broken = tools(warnings, broken=Answers(examples=TODOS.examples, arguments=arguments), open_todos=TODOS)
    routing = broken.around(OfflineRouter()).route("what is left to do?", RetrievalHint())
    assert "open_todos" in routing.plan.suggested_tools
    assert "broken" not in routing.plan.suggested_tools
    assert warnings
    assert "'broken' gave no arguments and was skipped" in warnings[0]


def test_without_a_model_of_embeddings_nothing_is_added() -> None:
    def missing() -> Embedder:
        raise EmbeddingError("There is no model.")

    declared = DeclaredTools({"open_todos": TODOS}, missing, date.today, str)  # type: ignore[arg-type]
    routing = declared.around(OfflineRouter()).route("what is left to do?", RetrievalHint())
    assert "open_todos" not in routing.plan.suggested_tools


def found(text: str, path: str = "a.md", **more: Any) -> Hit:
    return Hit(path=path, start_line=3, end_line=3, text=text, tool="open_todos", **more)


def test_its_hits_are_graded_by_likeness_and_by_what_the_tool_says() -> None:
    declared = tools()
    asked = "what is left to do about the winch?"
    assert declared.matches(asked)
    call = declared.marking(
        lambda *_: ToolOutput(hits=(found("- [ ] oil it", score=7.0), found("- [ ] sweep", score=0.2)))
    )
    strong, weak = call("open_todos", {}).hits
    plain = found("- [ ] oil it", score=1.0)
    grades = OfflineGrader(lambda: None).grade(SubQuestion(semantic_intent=asked), [strong, weak, plain])
    assert grades[0] > 0.7
    assert grades[1] < grades[0]
    assert grades[2] < 0.3


def test_a_passage_of_none_of_the_things_that_are_named_is_worth_less() -> None:
    declared = tools(open_todos=Answers(examples=("what is left to do for PEP 484?",)))
    asked = "what is left to do for PEP 693?"
    declared.matches(asked)
    call = declared.marking(lambda *_: ToolOutput(hits=(found("- [ ] mend PEP 12", score=1.0),)))
    assert OfflineGrader(lambda: None).grade(SubQuestion(semantic_intent=asked), call("open_todos", {}).hits)[0] < 0.3


def test_the_answer_lists_what_the_tool_found_unless_another_passage_is_better() -> None:
    def item(hit: Hit, score: float) -> Evidence:
        return Evidence(evidence_id="e1", hit=hit, sub_question="q", score=score, kept=True)

    ours = item(found("- [ ] oil the winch\nmore", signals={"declared": 0.9}), 0.9)
    other = item(Hit(path="b.md", start_line=1, end_line=1, text="The winch is oiled."), 0.95)
    citations = Citations(None)
    intro, listing = declared_blocks([ours], citations, "en", CancelToken())
    assert intro == "Found by `open_todos`:"
    assert listing == "- `a.md:3` — [ ] oil the winch [1]"
    assert declared_blocks([ours, other], Citations(None), "en", CancelToken()) == []
    assert declared_blocks([other], Citations(None), "en", CancelToken()) == []


def test_the_plan_of_a_simple_question_keeps_its_other_tools() -> None:
    inner = ScriptedRouter(
        RoutingPlan(query_type="conceptual", complexity="simple", suggested_tools=("hybrid_search",))
    )
    routing = tools().around(inner).route("what is left to do?", RetrievalHint())
    assert routing.plan.suggested_tools == ("hybrid_search", "open_todos")
    assert np.isclose(routing.signals[-1].weight, 1.0)
