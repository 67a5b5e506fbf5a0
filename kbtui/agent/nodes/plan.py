"""Turns a routing plan into tool calls: one for each sub-question and tool (spec 002), without repetition.

A sub-question of another type than the plan has tools of its own (`Routing.own_tools`).

Spec 001, D3: where `hybrid_search` is suggested it suppresses `vector_search` and `grep_search`, which it contains.
A REFINE plans only the sub-questions that lack evidence, with new keywords and tools from the router; existing evidence
stays (spec 003, D3).

A further pass is planned only while passes help: if a pass raised no sub-question's score, the plan is empty, which
sends the run to its answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kbtui.agent.calling import emit_plan
from kbtui.agent.state import AgentContext, AgentState
from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, SubQuestion
from kbtui.domain.tooling import ToolCall
from kbtui.text.web_urls import web_urls

MIN_GAIN = 0.02
"""Smallest rise of a sub-question's score that counts as progress."""

LINEAR_TOOLS = ("grep_search", "vector_search")
"""The tools of the linear graph, for every question."""


def plan_node(state: AgentState, context: AgentContext) -> AgentState:
    """Plan the calls of this pass; an empty plan means there is nothing new to try."""
    if state.get("grader_action") == "REFINE":
        hint = state["hint"]
        iteration = hint.iteration + 1
        routing = context.router.route(state["query"], hint)
        plan = routing.plan
        questions = plan.sub_questions or hint.missing
    else:
        iteration = state["iteration"]
        routing = state["routing"]
        plan = routing.plan
        questions = plan.sub_questions
    if state.get("gain", 1.0) < MIN_GAIN:
        questions = ()
    return _plan_calls(state, context, routing, questions, iteration)


def linear_plan_node(state: AgentState, context: AgentContext) -> AgentState:
    """Plan for the linear graph: no routing, every question goes to grep and vectors (spec 003, "Context")."""
    routing = context.router.route(state["query"], RetrievalHint())
    keywords = routing.plan.sub_questions[0].search_keywords if routing.plan.sub_questions else state["query"]
    question = SubQuestion(semantic_intent=state["query"], search_keywords=keywords)
    plan = RoutingPlan(
        query_type="conceptual", complexity="simple", sub_questions=(question,), suggested_tools=LINEAR_TOOLS
    )
    update = _plan_calls(state, context, Routing(plan=plan), (question,), 1)
    update["asked"] = (question,)
    return update


def exclusive_tools(suggested: Sequence[str]) -> tuple[str, ...]:
    """The tools to call: without repeats, and without those that a suggested `hybrid_search` already contains."""
    unique = tuple(dict.fromkeys(suggested))
    if "hybrid_search" in unique:
        return tuple(tool for tool in unique if tool not in ("vector_search", "grep_search"))
    return unique


def _build_tool_args(
    tool: str, sub_question: SubQuestion | Mapping[str, Any] | str, plan: RoutingPlan | None = None
) -> dict[str, Any]:
    """The arguments of one call (spec 001, D3).

    Args:
        tool: Name of the tool.
        sub_question: A `SubQuestion`, its JSON object, or an old-style string, which is used for both texts.
        plan: Its plan, whose ``grep_keywords`` are used if the sub-question has no keywords.
    """
    if isinstance(sub_question, str):
        semantic, keywords = sub_question, sub_question
    elif isinstance(sub_question, Mapping):
        semantic = str(sub_question.get("semantic_intent") or "")
        keywords = str(sub_question.get("search_keywords") or "")
    else:
        semantic, keywords = sub_question.semantic_intent, sub_question.search_keywords
    if not keywords and plan is not None:
        keywords = " ".join(plan.grep_keywords)
    match tool:
        case "hybrid_search":
            return {"semantic_query": semantic, "exact_keywords": keywords}
        case "grep_search":
            return {"keywords": keywords or semantic}
        case "read_file":
            return {"path": ""}
        case "web_fetch":
            return {"url": next(iter(web_urls(semantic)), "")}
        case "web_search":
            # Never the keywords: a chat model may have copied them from a document, and this query leaves the machine.
            return {"query": semantic or keywords}
        case _:
            return {"query": semantic or keywords}


def _user_url(url: str, query: str) -> str:
    """The URL to open, which must be one the user wrote: a model or a document could name any. Empty without one."""
    user_urls = web_urls(query)
    return url if url in user_urls else next(iter(user_urls), "")


def fingerprint(tool: str, args: Mapping[str, Any]) -> str:
    """A key that is equal for identical calls."""
    return f"{tool} {json.dumps(args, sort_keys=True, ensure_ascii=False, default=str)}"


def _plan_calls(
    state: AgentState,
    context: AgentContext,
    routing: Routing,
    questions: Sequence[SubQuestion],
    iteration: int,
) -> AgentState:
    plan = routing.plan
    tried = set(state.get("tried", frozenset()))
    made = state.get("made", 0)
    calls: list[ToolCall] = []
    for question in questions:
        for tool in exclusive_tools(routing.tools_of(question)):
            own_arguments = context.own_arguments.get(tool)
            given = own_arguments(question.semantic_intent) if own_arguments is not None else None
            if own_arguments is not None and given is None:
                continue
            args = dict(given) if given is not None else _build_tool_args(tool, question, plan)
            if tool == "web_fetch":
                args = {"url": _user_url(args["url"], state["query"])}
            # read_file opens a result of another call for the same sub-question, so only tool_exec knows its path.
            key = fingerprint(tool, {**args, "for": question.semantic_intent} if tool == "read_file" else args)
            if tool not in context.tool_names or key in tried or (tool == "web_fetch" and not args["url"]):
                continue
            tried.add(key)
            if tool == "hybrid_search":
                # The vector part of this call need not be repeated; later passes have other words for the lexical part.
                tried.add(fingerprint("vector_search", _build_tool_args("vector_search", question, plan)))
            number = made + len(calls) + 1
            calls.append(
                ToolCall(
                    call_id=f"c{number}",
                    step_id=f"s{number}",
                    tool=tool,
                    args=args,
                    sub_question=question.semantic_intent,
                    iteration=iteration,
                )
            )
    emit_plan(calls, iteration, context)
    return {
        # A pass without calls does not count.
        "iteration": iteration if calls else max(1, iteration - 1),
        "planned": tuple(calls),
        "tried": frozenset(tried),
        "made": made + len(calls),
        "audit": [
            {
                "node": "plan",
                "iteration": iteration,
                "calls": [{"call_id": c.call_id, "tool": c.tool, "args": dict(c.args)} for c in calls],
            }
        ],
    }
