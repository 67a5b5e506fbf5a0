"""Specs 000, 002 and 003: what a question is, and what is tried for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kbtui.domain.codec import plan_to_dict
from kbtui.domain.routing import QUERY_TYPES, RetrievalHint, RoutingPlan, SubQuestion
from kbtui.reasoning.offline import offline_reasoner
from kbtui.reasoning.offline.router import OfflineRouter

ROUTER = OfflineRouter()


def plan(query: str, hint: RetrievalHint | None = None) -> RoutingPlan:
    return ROUTER.route(query, hint or RetrievalHint()).plan


@pytest.mark.parametrize("query", ["PROJ-123", "KB_AGENT_MAX_ITERATIONS", "where is `__class_getitem__` specified?"])
def test_an_identifier_is_looked_up_with_grep(query: str) -> None:
    routed = plan(query)
    assert (routed.query_type, routed.suggested_tools) == ("exact", ("grep_search",))
    assert any(keyword in query for keyword in routed.grep_keywords)


def test_a_conceptual_question_goes_to_hybrid_search() -> None:
    routed = plan("how does the indexing pipeline work?")
    assert (routed.query_type, routed.suggested_tools) == ("conceptual", ("hybrid_search",))


def test_a_relational_question_goes_to_the_graph_and_then_reads_the_file() -> None:
    routed = plan("what tickets are linked to PROJ-100?")
    assert (routed.query_type, routed.suggested_tools) == ("relational", ("graph_related", "read_file"))


@pytest.mark.parametrize("query", ["查找关于认证的文件", "find files about packaging", "any docs on testing?"])
def test_a_question_for_files_goes_to_local_file_qa(query: str) -> None:
    routed = plan(query)
    assert (routed.query_type, routed.suggested_tools) == ("file_discovery", ("local_file_qa",))


@pytest.mark.parametrize(
    "query", ["你好", "谢谢", "thanks!", "who are you?", "hello there, how are you", "再见", "", "?!"]
)
def test_small_talk_calls_no_tool(query: str) -> None:
    routed = plan(query)
    assert (routed.query_type, routed.complexity) == ("chitchat", "chitchat")
    assert routed.suggested_tools == routed.sub_questions == ()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("thanks, now what is the refund policy?", "conceptual"),
        ("hi, where is MAX_RETRIES defined?", "exact"),
        ("你好，请问请假流程是什么", "conceptual"),
        ("ok, show me files about onboarding please", "file_discovery"),
    ],
)
def test_a_greeting_before_a_question_does_not_hide_it(query: str, expected: str) -> None:
    assert plan(query).query_type == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("fnd files abuot docker", "file_discovery"),
        ("whch tickets depnd on PROJ-7", "relational"),
        ("waht is the refund policy", "conceptual"),
        ("serch documents for encryption", "file_discovery"),
    ],
)
def test_slips_of_the_finger_do_not_change_the_route(query: str, expected: str) -> None:
    assert plan(query).query_type == expected


def test_words_inside_backticks_and_quotes_set_off_no_rule() -> None:
    assert plan("where is `compare_files` defined").query_type == "exact"
    assert plan('grep for "list all files about compare"').query_type == "exact"


def test_a_relation_between_documents_is_not_a_search_for_documents() -> None:
    assert plan("which RFCs refer to RFC 1228").query_type == "relational"
    assert plan("哪些 RFC 提到了 RFC 320？").query_type == "relational"
    assert plan("which RFCs are about async").query_type == "file_discovery"


def test_the_plan_is_json_with_the_fields_of_the_spec() -> None:
    as_json = json.loads(json.dumps(plan_to_dict(plan("Compare A1 with B2 and list their shared costs"))))
    assert set(as_json) == {"query_type", "complexity", "sub_questions", "suggested_tools", "grep_keywords"}
    assert as_json["query_type"] in QUERY_TYPES
    assert all(set(part) == {"semantic_intent", "search_keywords"} for part in as_json["sub_questions"])


def test_the_same_question_gives_the_same_routing() -> None:
    query = "Compare PEP 484 and PEP 526 and list what both say about type comments"
    assert ROUTER.route(query, RetrievalHint()) == ROUTER.route(query, RetrievalHint())


def test_a_routing_says_why() -> None:
    signals = ROUTER.route("which tickets are blocked by PROJ-7?", RetrievalHint()).signals
    assert 1 <= len(signals) <= 5
    assert any("PROJ-7" in signal.detail for signal in signals)
    assert all(0 <= signal.weight <= 1 for signal in signals)


@pytest.mark.parametrize(
    ("query", "first", "second", "third"),
    [
        ("PROJ-123", "grep_search", "hybrid_search", "vector_search"),
        ("how do refunds work", "hybrid_search", "grep_search", "local_file_qa"),
        ("what blocks PROJ-7", "graph_related", "hybrid_search", "grep_search"),
        ("find files about refunds", "local_file_qa", "hybrid_search", "grep_search"),
    ],
)
def test_every_pass_tries_other_tools(query: str, first: str, second: str, third: str) -> None:
    tried: tuple[str, ...] = ()
    for iteration, expected in enumerate((first, second, third)):
        routed = plan(query, RetrievalHint(iteration=iteration, tried_tools=tried))
        assert routed.suggested_tools[0] == expected
        tried += routed.suggested_tools


def test_a_second_pass_asks_only_what_is_missing_with_other_keywords() -> None:
    missing = SubQuestion(semantic_intent="what is KB_AGENT_MAX_ITERATIONS?", search_keywords="KB_AGENT_MAX_ITERATIONS")
    hint = RetrievalHint(
        iteration=1,
        missing=(missing,),
        tried_tools=("grep_search",),
        tried_keywords=("KB_AGENT_MAX_ITERATIONS",),
    )
    routed = plan("what is KB_AGENT_MAX_ITERATIONS? and who wrote PEP 8?", hint)
    assert [part.semantic_intent for part in routed.sub_questions] == [missing.semantic_intent]
    assert "KB_AGENT_MAX_ITERATIONS" not in routed.sub_questions[0].search_keywords
    assert "ITERATIONS" in routed.sub_questions[0].search_keywords


def test_a_comparison_is_asked_of_a_tool_that_finds_text() -> None:
    assert "hybrid_search" in plan("Compare PEP 484 and PEP 526").suggested_tools


def test_asking_what_a_document_is_asks_the_file_tool_too() -> None:
    assert "local_file_qa" in plan("What is PEP 518?").suggested_tools
    assert "local_file_qa" not in plan("What does PEP 518 say about caching?").suggested_tools


def test_the_labelled_questions_are_routed_right_in_both_halves() -> None:
    path = Path(__file__).parents[2] / "benchmarks" / "data" / "routing.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    assert len(rows) >= 240
    for half in ("tune", "held"):
        chosen = [row for row in rows if row["half"] == half]
        right = sum(plan(row["text"]).query_type == row["label"] for row in chosen)
        assert right / len(chosen) >= 0.9


def test_nothing_of_the_writer_is_needed_to_know_small_talk() -> None:
    assert offline_reasoner().is_chitchat("你好")
    assert not offline_reasoner().is_chitchat("how do refunds work")


@pytest.mark.parametrize("query", ["what is the status of PEP 703?", "HL-144 的负责人是谁？", "HL-147 status"])
def test_who_asks_for_a_field_of_a_document_asks_the_graph_too(query: str) -> None:
    assert "graph_related" in OfflineRouter().route(query, RetrievalHint()).plan.suggested_tools


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        (
            "Which tickets does OPS-7 block and what does RETRY_LIMIT do?",
            {
                "Which tickets does OPS-7 block": ("graph_related", "read_file"),
                "What does RETRY_LIMIT do?": ("grep_search",),
            },
        ),
        (
            "find files about invoicing and explain how it works",
            {"Find files about invoicing": ("local_file_qa",), "Explain how invoicing works": ("hybrid_search",)},
        ),
        (
            "AB-E17 是什么意思？如何回滚部署？",
            {"AB-E17 是什么意思?": ("grep_search",), "如何回滚部署?": ("hybrid_search",)},
        ),
    ],
)
def test_each_part_of_a_question_has_its_own_tools(query: str, parts: dict[str, tuple[str, ...]]) -> None:
    routing = ROUTER.route(query, RetrievalHint())
    assert {part.semantic_intent: routing.tools_of(part) for part in routing.plan.sub_questions} == parts
    assert set(routing.plan.suggested_tools) == {tool for tools in parts.values() for tool in tools}


def test_the_sides_of_a_comparison_share_their_tools() -> None:
    routing = ROUTER.route("Compare PEP 484 and PEP 526", RetrievalHint())
    assert len({routing.tools_of(part) for part in routing.plan.sub_questions}) == 1


def test_files_that_are_described_by_what_they_do_are_one_wish() -> None:
    assert len(plan("which files describe the cache and explain its limits").sub_questions) == 1
    assert len(plan("list the notes on lockers, then tell me how long a lease lasts").sub_questions) == 2


def test_keywords_are_kept_for_the_pass_after_one_that_looked_at_file_names_only() -> None:
    hint = RetrievalHint(iteration=1, tried_tools=("local_file_qa",), tried_keywords=("invoices",))
    assert "invoices" in OfflineRouter().route("find the files about invoices", hint).plan.grep_keywords


def test_a_later_pass_tries_other_tools_for_each_part() -> None:
    query = "Which tickets does OPS-7 block and what does RETRY_LIMIT do?"
    first = ROUTER.route(query, RetrievalHint())
    hint = RetrievalHint(iteration=1, missing=first.plan.sub_questions, tried_tools=first.plan.suggested_tools)
    again = ROUTER.route(query, hint)
    for part in again.plan.sub_questions:
        assert not set(again.tools_of(part)) & {"graph_related", "grep_search"} or "vector_search" in again.tools_of(
            part
        )
