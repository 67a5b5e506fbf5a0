"""The graph's ways: straight through, back to plan, back to routing, and out when there is nothing left to try."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from kbtui.agent import graph
from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, KbtuiError, ToolError
from tests.support.agents import Bench, ScriptedRouter, always, hit, plan


@pytest.fixture(autouse=True, params=["LangGraph", "walked"])
def runtime(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it holds with LangGraph and without."""
    monkeypatch.setattr(graph, "_has_langgraph", lambda: request.param == "LangGraph")


def test_good_evidence_goes_straight_to_the_answer() -> None:
    bench = Bench(ScriptedRouter(plan(("what is x", "x"))), always(hit(score=0.9)))
    final = bench.run()
    assert bench.kinds() == [
        "query_routed",
        "plan_created",
        "tool_started",
        "tool_finished",
        "evidence_graded",
        "answer_completed",
    ]
    assert bench.of("evidence_graded")[0].action == "GENERATE"
    assert final["iteration"] == 1
    assert final["answer"].markdown == "a.md"


def test_weak_evidence_is_refined_and_what_was_good_is_kept() -> None:
    router = ScriptedRouter(plan(("x", "x")), plan(("x", "x synonym")))

    def tools(_name: str, args: Mapping[str, Any]) -> ToolOutput:
        if "synonym" in args["exact_keywords"]:
            return ToolOutput(hits=(hit("new.md", score=0.95),))
        return ToolOutput(hits=(hit("old.md", score=0.5),))

    bench = Bench(router, tools)
    final = bench.run()
    assert [event.action for event in bench.of("evidence_graded")] == ["REFINE", "GENERATE"]
    assert final["answer"].markdown == "new.md old.md"
    assert len(bench.of("query_routed")) == 1, "REFINE goes back to plan, not to routing"


def test_no_two_pieces_of_evidence_of_a_run_have_the_same_name() -> None:
    found = {
        "hybrid_search": (hit("a.md", 1, 9, score=0.4), hit("a.md", 1, 10, score=0.5)),
        "grep_search": (hit("b.md", 1, 3, score=0.9),),
    }
    router = ScriptedRouter(plan(("one", "one"), tools=["hybrid_search"]), plan(("one", "one"), tools=["grep_search"]))
    bench = Bench(router, lambda name, _args: ToolOutput(hits=found.get(name, ())), max_iterations=3)
    bench.run()
    named: dict[str, tuple[str, int, int]] = {}
    for event in bench.of("evidence_graded"):
        ids = [item.evidence_id for item in event.items]
        assert len(set(ids)) == len(ids)
        for item in event.items:
            place = (item.path, item.start_line, item.end_line)
            assert named.setdefault(item.evidence_id, place) == place
    assert {path for path, _, _ in named.values()} == {"a.md", "b.md"}


def test_no_evidence_is_retrieved_again_with_a_hint_and_other_tools() -> None:
    router = ScriptedRouter(plan(("x", "kw"), tools=("grep_search",)), plan(("x", "kw"), tools=("vector_search",)))

    def tools(name: str, _args: Mapping[str, Any]) -> ToolOutput:
        return ToolOutput(hits=(hit(score=0.9),) if name == "vector_search" else (hit("noise.md", score=0.1),))

    bench = Bench(router, tools)
    final = bench.run()
    assert [event.action for event in bench.of("evidence_graded")] == ["RE-RETRIEVE", "GENERATE"]
    hint = router.hints[1]
    assert hint.iteration == 1
    assert hint.tried_tools == ("grep_search",)
    assert hint.tried_keywords == ("kw",)
    assert [question.semantic_intent for question in hint.missing] == ["x"]
    assert [event.iteration for event in bench.of("query_routed")] == [1, 2]
    assert final["answer"].markdown == "a.md", "items below 0.3 are dropped"


def test_the_same_call_is_never_made_twice_and_the_run_ends_when_nothing_is_left() -> None:
    bench = Bench(ScriptedRouter(plan(("x", "x"))), always())
    final = bench.run()
    assert len(bench.calls) == 1
    assert final["answer"].outcome == "not_found"
    assert final["iteration"] == 1


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_max_iterations_bounds_the_passes(limit: int) -> None:
    plans = [plan(("x", f"keyword{n}")) for n in range(9)]

    def better_each_time(_name: str, args: Mapping[str, Any]) -> ToolOutput:
        number = int(args["exact_keywords"].removeprefix("keyword"))
        return ToolOutput(hits=(hit(f"{number}.md", score=0.35 + 0.1 * number),))

    bench = Bench(ScriptedRouter(*plans), better_each_time, max_iterations=limit)
    final = bench.run()
    assert len(bench.of("evidence_graded")) == limit
    assert bench.of("evidence_graded")[-1].action == "GENERATE"
    assert final["iteration"] == limit


@pytest.mark.parametrize(("score", "action"), [(0.5, "REFINE"), (0.1, "RE-RETRIEVE")])
def test_after_a_further_pass_that_helped_nothing_the_run_goes_to_its_answer(score: float, action: str) -> None:
    plans = [plan(("x", f"keyword{n}")) for n in range(9)]
    bench = Bench(ScriptedRouter(*plans), always(hit(score=score)), max_iterations=5)
    final = bench.run()
    assert [event.action for event in bench.of("evidence_graded")] == [action, action]
    assert bench.kinds()[-2:] == ["plan_created", "answer_completed"]
    assert bench.of("plan_created")[-1].steps == ()
    assert final["iteration"] == 2


def test_vectors_are_not_asked_again_what_hybrid_search_has_asked_them() -> None:
    router = ScriptedRouter(plan(("x", "one")), plan(("x", "two"), tools=("grep_search", "vector_search")))
    bench = Bench(router, always(hit(score=0.5)))
    bench.run()
    assert [name for name, _ in bench.calls] == ["hybrid_search", "grep_search"]


def test_chitchat_calls_no_tool() -> None:
    bench = Bench(ScriptedRouter(plan(tools=(), query_type="chitchat")), always(hit()))
    bench.run("hello")
    assert bench.calls == []
    assert bench.kinds() == ["query_routed", "plan_created", "answer_completed"]


def test_every_sub_question_meets_every_tool_with_its_own_text() -> None:
    router = ScriptedRouter(plan(("first", "one"), ("second", "two"), tools=("grep_search", "vector_search")))
    bench = Bench(router, always(hit(score=0.9)))
    bench.run("the original question")
    assert sorted((name, next(iter(args.values()))) for name, args in bench.calls) == [
        ("grep_search", "one"),
        ("grep_search", "two"),
        ("vector_search", "first"),
        ("vector_search", "second"),
    ]


def test_independent_calls_run_side_by_side() -> None:
    barrier = threading.Barrier(2, timeout=10)

    def tools(_name: str, _args: Mapping[str, Any]) -> ToolOutput:
        barrier.wait()  # passes only while two calls are under way at once
        return ToolOutput(hits=(hit(score=0.9),))

    bench = Bench(ScriptedRouter(plan(("a", "a"), ("b", "b"))), tools)
    bench.run()
    assert all(event.ok for event in bench.of("tool_finished"))


def test_read_file_follows_what_graph_related_found() -> None:
    def tools(name: str, _args: Mapping[str, Any]) -> ToolOutput:
        found = hit("t/PROJ-1.md", 20, 20, 0.95, note="fact") if name == "graph_related" else hit("t/PROJ-1.md", 10, 30)
        return ToolOutput(hits=(found,))

    router = ScriptedRouter(plan(("x", "x"), tools=("graph_related", "read_file"), query_type="relational"))
    bench = Bench(router, tools)
    bench.run()
    assert bench.calls == [
        ("graph_related", {"query": "x"}),
        ("read_file", {"path": "t/PROJ-1.md", "start_line": 10, "end_line": 30}),
    ]


def test_a_failing_tool_is_reported_and_the_others_still_answer() -> None:
    def tools(name: str, _args: Mapping[str, Any]) -> ToolOutput:
        if name == "grep_search":
            raise ToolError("rg broke", "mend it")
        return ToolOutput(hits=(hit(score=0.9),))

    bench = Bench(ScriptedRouter(plan(("x", "x"), tools=("grep_search", "vector_search"))), tools)
    final = bench.run()
    assert {(event.tool, event.ok, event.error) for event in bench.of("tool_finished")} == {
        ("grep_search", False, "rg broke"),
        ("vector_search", True, None),
    }
    assert "mend it" in bench.of("warning")[0].message
    assert final["answer"].outcome == "answered"


def test_cancelling_between_nodes_ends_the_run() -> None:
    bench = Bench(ScriptedRouter(plan(("x", "x"))), always(hit(score=0.9)))
    bench.cancel.cancel()
    with pytest.raises(Cancelled):
        bench.run()
    assert bench.events == []


def test_a_cancelled_run_does_not_wait_for_busy_tools() -> None:
    release = threading.Event()
    bench: Bench

    def tools(_name: str, _args: Mapping[str, Any]) -> ToolOutput:
        bench.cancel.cancel()
        assert release.wait(10)
        return ToolOutput()

    bench = Bench(ScriptedRouter(plan(("a", "a"), ("b", "b"))), tools)
    with pytest.raises(Cancelled):
        bench.run()
    assert not release.is_set()
    release.set()


def test_state_carries_the_fields_of_the_specs() -> None:
    found = Hit(path="a.md", start_line=4, end_line=4, text="the text", score=0.9)
    final = Bench(ScriptedRouter(plan(("x", "k"))), always(found)).run()
    assert final["routing_plan"] == {
        "query_type": "conceptual",
        "complexity": "simple",
        "sub_questions": [{"semantic_intent": "x", "search_keywords": "k"}],
        "suggested_tools": ["hybrid_search"],
        "grep_keywords": [],
    }
    assert (final["query_type"], final["complexity"]) == ("conceptual", "simple")
    assert final["evidence_scores"] == [0.9]
    assert final["grader_action"] == "GENERATE"
    assert final["context"] == ["[SOURCE:a.md:L4] the text"]


def test_every_node_leaves_an_audit_entry() -> None:
    bench = Bench(ScriptedRouter(plan(("x", "k"))), always(hit(score=0.9)))
    final = bench.run()
    nodes = ["analyze_and_route", "plan", "tool_exec", "grade_evidence", "synthesize"]
    assert [entry["node"] for entry in bench.audit] == nodes
    assert final["audit"] == bench.audit


def test_the_flag_off_runs_the_linear_graph_once() -> None:
    bench = Bench(ScriptedRouter(plan(("x", "keyword"))), always(hit(score=0.5)), adaptive=False)
    final = bench.run("the question")
    assert sorted(bench.calls) == [
        ("grep_search", {"keywords": "keyword"}),
        ("vector_search", {"query": "the question"}),
    ]
    assert "query_routed" not in bench.kinds()
    assert [entry["node"] for entry in bench.audit] == ["plan", "tool_exec", "grade_evidence", "synthesize"]
    assert final["answer"].outcome == "answered"


def test_the_state_a_run_ends_in_is_the_same_with_langgraph_and_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def final(has_langgraph: bool) -> tuple[Any, list[Any]]:
        monkeypatch.setattr(graph, "_has_langgraph", lambda: has_langgraph)
        bench = Bench(ScriptedRouter(plan(("x", "x")), plan(("x", "y"))), always(hit(score=0.5)))
        state: dict[str, Any] = {**bench.run()}
        # They say how long each call took.
        del state["results"]
        return state, bench.audit

    assert final(True) == final(False)


def test_edges_that_never_end_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = graph.Topology(nodes={"plan": lambda _state, _context: {}}, edges={"plan": "plan"})
    monkeypatch.setattr(graph, "_has_langgraph", lambda: False)
    monkeypatch.setattr(graph, "_topology", lambda _adaptive: endless)
    with pytest.raises(KbtuiError, match="given up after 17 steps"):
        Bench(ScriptedRouter(plan(("x", "x"))), always(hit())).run()
