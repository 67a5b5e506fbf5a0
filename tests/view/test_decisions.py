"""Decisions from the audit log and from the events of a run."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.domain.events import (
    AnswerCompleted,
    EvidenceGraded,
    EvidenceItem,
    PlanCreated,
    PlanStep,
    QueryRouted,
    RunFailed,
    RunStarted,
    ToolFinished,
    ToolStarted,
    Warned,
)
from kbtui.domain.routing import RoutingPlan, SubQuestion
from kbtui.view.decisions import decisions, entries_of
from kbtui.view.folding import reduce_all

CALL: dict[str, Any] = {
    "node": "llm",
    "stage": "grade",
    "model": "ollama:qwen3:8b",
    "prompt": [{"role": "system", "content": "Task: grade"}, {"role": "user", "content": "one passage"}],
    "answer": '{"grades": [1, 0]}',
    "tokens_in": 90,
    "tokens_out": 8,
    "duration_ms": 412.0,
}


def test_a_call_of_the_model_belongs_to_the_pass_of_the_node_it_was_made_for() -> None:
    entries = [
        {**CALL, "stage": "route"},
        {"node": "analyze_and_route", "iteration": 1},
        CALL,
        {"node": "grade_evidence", "iteration": 1},
        CALL,
        {"node": "grade_evidence", "iteration": 2},
    ]
    assert [one.iteration for one in decisions(entries)] == [1, 1, 1, 1, 2, 2]


def test_a_call_shows_its_answer_before_its_prompt_and_json_in_many_lines() -> None:
    (one,) = decisions([CALL])
    assert [part.heading for part in one.parts] == ["raw answer", "prompt: system", "prompt: user"]
    assert one.parts[0].text == json.dumps({"grades": [1, 0]}, indent=2)
    assert (one.name, one.model, one.duration_ms, one.tokens_in, one.tokens_out) == (
        "grade",
        "ollama:qwen3:8b",
        412.0,
        90,
        8,
    )
    assert "one passage" in one.searchable_text
    assert json.loads(one.raw) == CALL


def test_a_broken_answer_is_shown_as_it_came() -> None:
    (one,) = decisions([{**CALL, "answer": '{"grades": [1,', "error": "It was cut off."}])
    assert one.failed
    assert one.summary == "It was cut off."
    assert [part.text for part in one.parts[:2]] == ["It was cut off.", '{"grades": [1,']


@settings(deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["node", "stage", "iteration", "prompt", "answer", "results", "plan", "average", "error"]),
            st.recursive(
                st.none()
                | st.booleans()
                | st.integers()
                | st.floats()
                | st.text(max_size=8)
                | st.sampled_from(["llm", "tool_exec", "analyze_and_route", "grade_evidence", "synthesize", "plan"]),
                lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
                max_leaves=4,
            ),
        ),
        max_size=4,
    )
)
def test_no_entry_is_too_odd_to_be_shown(entries: list[dict[str, Any]]) -> None:
    assert len(decisions(entries)) == len(entries)


def test_a_recorded_run_tells_its_decisions_in_order() -> None:
    plan = RoutingPlan(query_type="exact", complexity="simple", sub_questions=(SubQuestion(semantic_intent="q"),))
    item = EvidenceItem(
        evidence_id="e1",
        path="a.md",
        start_line=3,
        end_line=4,
        score=0.9,
        kept=True,
        tool="grep_search",
        sub_question="q",
    )
    view = reduce_all(
        [
            RunStarted(query="q"),
            QueryRouted(routing_plan=plan),
            PlanCreated(steps=(PlanStep(step_id="s1", tool="grep_search", purpose="q"),)),
            ToolStarted(call_id="c1", tool="grep_search", args={"pattern": "x"}, sub_question="q"),
            ToolFinished(call_id="c1", tool="grep_search", ok=False, error="no such file"),
            EvidenceGraded(items=(item,), average=0.9, action="GENERATE"),
            AnswerCompleted(markdown="a", outcome="partial", unsupported=("b",)),
            Warned(message="The model is down."),
            RunFailed(error="TimedOut", message="Too late."),
        ]
    )
    found = decisions(entries_of(view))
    assert [(one.name, one.summary) for one in found] == [
        ("routed", "exact · simple · by rules"),
        ("planned", "1 call"),
        ("searched", "0 hits · 1 failed"),
        ("graded", "average 0.90 · GENERATE"),
        ("answered", "partial · 0 sources"),
        ("warned", "The model is down."),
        ("warned", "Too late."),
    ]
    assert '"where": "a.md:L3-L4"' in found[3].parts[0].text
    assert '"pattern": "x"' in found[2].parts[0].text
    assert [one.failed for one in found] == [False] * 6 + [True]


def test_a_plan_over_data_has_its_estimates_kinds_and_the_notes_of_its_calls() -> None:
    tool, note = "get_data_source_context", "[Using cached schema] shop: 6 tables"
    step = PlanStep(step_id="s1", tool=tool, schema_level="detailed", estimated_ms=80, estimate_note="a guess")
    called = ToolStarted(call_id="c1", tool=tool, step_id="s1")
    done = ToolFinished(call_id="c1", tool=tool, ok=True, cached=True, note=note)
    planned, searched = entries_of(reduce_all([RunStarted(query="q"), PlanCreated(steps=(step,)), called, done]))
    (told,), (result,) = planned["calls"], searched["results"]
    assert (told["schema_level"], told["estimated_ms"], told["estimate_note"]) == ("detailed", 80, "a guess")
    assert (result["note"], result["cached"]) == (note, True)


def test_a_run_that_has_only_begun_has_decided_nothing() -> None:
    assert entries_of(reduce_all([RunStarted(query="q")])) == ()
