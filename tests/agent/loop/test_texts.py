"""What is read out of a model's words, and what its prompts may cost."""

from __future__ import annotations

import pytest

from kbtui.agent.loop.ids import complete_length, ids_to_numbers, numbers_to_ids
from kbtui.agent.loop.prompts import NAMES, prompt_text, rules
from kbtui.agent.loop.text_calls import parse_text_calls
from kbtui.agent.loop.think import tool_definitions
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.settings.model import Settings
from kbtui.tools import loop_specs

TOOLS = ("grep", "read", "list_documents")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("It is so [p3].", "It is so [3]."),
        ("[p1][p12]", "[1][12]"),
        ("[p1, p3; p4]", "[1][3][4]"),
        ("[p2-p4]", "[2][3][4]"),
        ("(p7)", "[7]"),
        ("【p2】", "[2]"),
        ("[P5]", "[5]"),
        ("[p2, 3]", "[2][3]"),
        ("[2]", "[2]"),
        ("a[p] and [price 3]", "a[p] and [price 3]"),
        ("[p1](http://x)", "[1](http://x)"),
    ],
)
def test_ids_are_read_however_they_are_put(written: str, read: str) -> None:
    assert ids_to_numbers(written) == read


def test_numbers_become_ids_and_what_stands_for_nothing_goes() -> None:
    assert numbers_to_ids("So [1], and [2].", {1: 7}) == "So [p7], and."


def test_half_an_id_is_held_back() -> None:
    assert "So it is "[: complete_length("So it is [p1")] == "So it is "
    assert complete_length("So it is [p1]") == len("So it is [p1]")


@pytest.mark.parametrize(
    "text",
    [
        "The tag <tool_call> is what models write.",
        '{"name": "rm", "arguments": {}}',
        'The answer is 5 [p1].\n```json\n{"name": "grep", "arguments": {"pattern": "x"}}\n```',
        "grep is a tool.",
        "x" * 250 + '<tool_call>{"name": "grep", "arguments": {}}</tool_call>',
        "read(",
    ],
)
def test_what_only_shows_a_call_is_none(text: str) -> None:
    assert parse_text_calls(text, TOOLS) == ()


def test_several_calls_as_text_are_read_in_order() -> None:
    text = (
        '<tool_call>\n{"name": "grep", "arguments": {"pattern": "a"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "read", "arguments": {"path": "b", "start": 3}}\n</tool_call>'
    )
    assert [(call.tool, call.args) for call in parse_text_calls(text, TOOLS)] == [
        ("grep", {"pattern": "a"}),
        ("read", {"path": "b", "start": 3}),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_says_what_it_is_for_and_keeps_its_budget(name: str) -> None:
    text = prompt_text(name)
    assert text.version >= 1
    assert text.purpose
    assert 0 < estimate_tokens(text.text) <= text.budget


def test_rules_and_tools_are_short() -> None:
    tools = tool_definitions(loop_specs(Settings(), data=False))
    assert estimate_tokens(rules()) < 480
    # A provider writes them in fewer characters than JSON.
    assert estimate_tokens(" ".join(str(tool) for tool in tools)) < 1500
    assert all("title" not in field for tool in tools for field in tool["parameters"]["properties"].values())


def test_no_tool_is_named_that_is_not_offered() -> None:
    over_data = rules("data", tools=frozenset(("schema", "sql", "calc", "finish")))
    assert "count_documents" not in over_data
    assert "relations" not in over_data
    assert "Calculate with calc or sql." in over_data
    assert "Count with" not in rules("consult", tools=frozenset(("schema", "finish")))
    assert "Count with count_documents, grep or sql" in rules()
