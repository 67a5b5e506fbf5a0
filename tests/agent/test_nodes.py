"""The small decisions inside the nodes."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.agent.nodes.grade_evidence import choose_action, evidence_event, hits_by_question, question_scores
from kbtui.agent.nodes.plan import _build_tool_args, exclusive_tools
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.routing import RoutingPlan, SubQuestion
from kbtui.domain.tooling import ToolCall, ToolOutput, ToolResult
from tests.support.agents import Bench, ScriptedRouter, always, hit, plan


@pytest.mark.parametrize(
    ("average", "action"),
    [(0.7, "GENERATE"), (0.69, "REFINE"), (0.3, "REFINE"), (0.29, "RE-RETRIEVE"), (0.0, "RE-RETRIEVE")],
)
def test_the_thresholds_of_the_spec_decide(average: float, action: str) -> None:
    assert choose_action(average, iteration=1, max_iterations=3) == action


def test_hybrid_search_suppresses_the_two_it_contains() -> None:
    suggested = ["vector_search", "hybrid_search", "grep_search", "graph_related", "hybrid_search"]
    assert exclusive_tools(suggested) == ("hybrid_search", "graph_related")


def test_without_hybrid_search_the_single_searches_stay() -> None:
    assert exclusive_tools(["vector_search", "grep_search"]) == ("vector_search", "grep_search")


@pytest.mark.parametrize(
    "sub_question",
    [
        SubQuestion(semantic_intent="how it works", search_keywords="Engine"),
        {"semantic_intent": "how it works", "search_keywords": "Engine"},
    ],
)
def test_new_sub_questions_give_each_side_its_own_text(sub_question: object) -> None:
    args = _build_tool_args("hybrid_search", sub_question)  # type: ignore[arg-type]
    assert args == {"semantic_query": "how it works", "exact_keywords": "Engine"}


def test_old_string_sub_questions_serve_as_both_texts() -> None:
    assert _build_tool_args("hybrid_search", "old style") == {
        "semantic_query": "old style",
        "exact_keywords": "old style",
    }


def test_a_sub_question_without_keywords_borrows_those_of_the_plan() -> None:
    routing = RoutingPlan(query_type="exact", complexity="simple", grep_keywords=("PROJ-1", "PROJ-2"))
    question = SubQuestion(semantic_intent="x")
    assert _build_tool_args("grep_search", question, routing) == {"keywords": "PROJ-1 PROJ-2"}


def test_web_fetch_is_planned_only_for_an_address() -> None:
    assert _build_tool_args("web_fetch", "read https://example.com/a now") == {"url": "https://example.com/a"}
    assert _build_tool_args("web_fetch", "no address") == {"url": ""}


def test_a_tool_with_arguments_of_its_own_is_planned_with_them_or_not_at_all() -> None:
    router = ScriptedRouter(plan(("first", "a"), ("second", "b"), tools=("open_todos",)))
    given = {"first": {"about": "winch"}}
    bench = Bench(router, always(hit()), max_iterations=1, own_arguments={"open_todos": given.get})
    bench.run("both")
    assert bench.calls == [("open_todos", {"about": "winch"})]


def test_only_the_best_three_kept_passages_of_a_sub_question_count() -> None:
    asked = (SubQuestion(semantic_intent="a"), SubQuestion(semantic_intent="b"))
    scores = [("a", 0.9, True), ("a", 0.8, True), ("a", 0.7, True), ("a", 0.3, True), ("b", 0.2, False)]
    evidence = [
        Evidence(evidence_id=str(n), hit=hit(start=n, end=n), sub_question=question, score=score, kept=kept)
        for n, (question, score, kept) in enumerate(scores)
    ]
    assert question_scores(asked, evidence) == [pytest.approx(0.8), 0.0]


def test_the_same_lines_from_two_tools_are_one_hit_with_both_signals() -> None:
    call = ToolCall(call_id="c", tool="t", args={}, sub_question="q")
    one = Hit(path="a", start_line=1, end_line=2, text="t", signals={"cosine": 0.5})
    two = Hit(path="a", start_line=1, end_line=2, text="t", signals={"bm25": 3.0}, matched_lines=(2,))
    results = [ToolResult(call=call, output=ToolOutput(hits=(found,))) for found in (one, two)]
    (joined,) = hits_by_question(results)["q"]
    assert joined.signals == {"cosine": 0.5, "bm25": 3.0}
    assert joined.matched_lines == (2,)


def test_overlapping_passages_are_shown_once_but_stated_relations_always() -> None:
    found = (
        hit("a.md", 1, 10, 0.9),
        hit("a.md", 3, 12, 0.8),
        hit("a.md", 5, 5, 0.95, note="a fact"),
        hit("a.md", 5, 5, 0.94, note="another fact"),
        hit("a.md", 11, 20, 0.7),
    )
    bench = Bench(ScriptedRouter(plan(("x", "x"))), always(*found))
    bench.run()
    items = bench.of("evidence_graded")[0].items
    assert [(item.start_line, item.end_line) for item in items] == [(5, 5), (1, 10), (11, 20)]


def test_a_sub_question_without_evidence_pulls_the_average_down() -> None:
    def tools(_name: str, args: object) -> ToolOutput:
        return ToolOutput(hits=(hit(score=0.8),) if "found" in str(args) else ())

    bench = Bench(ScriptedRouter(plan(("found", "f"), ("lost", "l"))), tools)
    bench.run()
    assert bench.of("evidence_graded")[0].average == pytest.approx(0.4)


def test_evidence_carries_what_found_it_and_what_its_grade_is_made_of() -> None:
    found = replace(hit("a.md"), signals={"rank_vector": 2.0})
    item = Evidence(
        evidence_id="e1", hit=found, sub_question="x", score=0.8, kept=True, signals={"coefficient_intercept": -2.0}
    )
    [told] = evidence_event([item], 0.8, "GENERATE", 1).items
    assert told.signals == {"rank_vector": 2.0, "coefficient_intercept": -2.0}
