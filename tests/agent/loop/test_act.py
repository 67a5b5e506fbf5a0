"""What tools bring, as the model is told it: bounded, each line under an id, nothing called that may not be."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, cast

import pytest

from kbtui.agent.loop.act import act
from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext, LoopState
from kbtui.domain.analysis import ResultTable
from kbtui.domain.conversation import Turn
from kbtui.domain.events import Event, TableProduced, ToolStarted
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.reasoning.llm.conversation import Conversation, Message
from kbtui.reasoning.llm.reply import ModelCall
from kbtui.settings.model import ModelSettings, Settings, WebSettings
from kbtui.tools import loop_specs

EVERYTHING = Settings(web=WebSettings(fetch_enabled=True, search="duckduckgo"))


class Grader:
    def grade(self, _question: SubQuestion, hits: list[Hit]) -> list[float]:
        return [0.5] * len(hits)


class Acted:
    """One round over a tool that brings ``output``."""

    def __init__(self, output: ToolOutput | Exception, *wanted: tuple[str, Any], query: str = "what?") -> None:
        self.events: list[Event] = []
        self.called: list[tuple[str, dict[str, Any]]] = []

        def call_tool(name: str, args: Mapping[str, Any]) -> ToolOutput:
            self.called.append((name, dict(args)))
            if isinstance(output, Exception):
                raise output
            return output

        context = LoopContext(
            client=cast(Any, None),
            router=cast(Any, None),
            grader=cast(Any, Grader()),
            writer=cast(Any, None),
            tools=loop_specs(EVERYTHING),
            call_tool=call_tool,
            emit=self.events.append,
            cancel=CancelToken(),
            settings=ModelSettings(),
            checker=cast(Any, None),
            source=None,
            nonce="abc123",
            history=(Turn(query="before", standalone="before"),),
        )
        calls = tuple(
            ModelCall(call_id=f"k{number}", tool=tool, args=args) for number, (tool, args) in enumerate(wanted, 1)
        )
        state: LoopState = {
            "query": query,
            "shelf": Shelf(nonce="abc123"),
            "talk": Conversation(stage="loop", rules="", turns=(Message(speaker="user", text="go"),)),
            "question": SubQuestion(semantic_intent=query),
            "calls": calls,
            "round": 1,
            "made": 0,
            "tried": {},
            "repeats": 0,
            "evidence": (),
        }
        self.shelf = state["shelf"]
        self.update = act(state, context)
        self.said = [turn.text for turn in self.update["talk"].turns[1:]]


def lines(count: int, text: str = "a line") -> tuple[Hit, ...]:
    return tuple(Hit(path="a.md", start_line=n, end_line=n, text=f"{text} {n}") for n in range(1, count + 1))


def test_a_result_of_ten_megabytes_is_a_short_one() -> None:
    huge = "A document may be as long as it likes. " * 270_000
    began = time.perf_counter()
    acted = Acted(
        ToolOutput(text=huge, hits=(Hit(path="b.md", start_line=1, end_line=9, text=huge),)), ("grep", {"pattern": "x"})
    )
    assert len(acted.said[0]) < 12_000
    assert sum(len(hit.text) for hit in acted.shelf.given.values()) < 12_000
    assert time.perf_counter() - began < 20


def test_lines_beyond_the_room_are_counted_and_left_out() -> None:
    acted = Acted(
        ToolOutput(hits=lines(5000, "a rather long line of text"), note="5000 lines"), ("grep", {"pattern": "x"})
    )
    assert len(acted.shelf.given) < 300
    assert "had no room" in acted.said[0]
    assert len(acted.said[0]) < 12_000


def test_each_line_has_an_id_a_path_and_its_number() -> None:
    acted = Acted(ToolOutput(hits=lines(2), text="2 lines match."), ("grep", {"pattern": "x"}))
    assert "[p2] a.md:1: a line 1\n[p3] a.md:2: a line 2" in acted.said[0]
    assert '<passage id="p1" result="grep" key="abc123">\n2 lines match.' in acted.said[0]
    # What was worked out is cited by the nearest line that it was made from.
    stands_for = acted.shelf.stated[acted.shelf.given[1].path]("a line 2")
    assert (stands_for.kind, stands_for.path, stands_for.start_line) == ("file", "a.md", 2)


def test_lines_that_were_given_keep_their_id() -> None:
    acted = Acted(ToolOutput(hits=lines(1)), ("grep", {"pattern": "x"}), ("grep", {"pattern": "y"}))
    assert acted.said[0].count("[p1]") == acted.said[1].count("[p1]") == 1
    assert len(acted.shelf.given) == 1


def test_rows_are_shown_and_cited_by_their_statement() -> None:
    table = ResultTable(columns=("n",), rows=((3,),), row_count=1, sql="SELECT 3 AS n", source="shop")
    acted = Acted(ToolOutput(text="n\n3", artifact=table), ("sql", {"statement": "SELECT 3 AS n"}))
    (shown,) = [event for event in acted.events if isinstance(event, TableProduced)]
    assert (shown.rows, shown.sql, shown.source) == (((3,),), "SELECT 3 AS n", "shop")
    stands_for = acted.shelf.stated[acted.shelf.given[1].path]("a line 2")
    assert (stands_for.kind, stands_for.sql, stands_for.source) == ("sql", "SELECT 3 AS n", "shop")


def test_a_tool_that_fails_is_told_to_the_model_with_what_to_do() -> None:
    acted = Acted(ToolError("No such file.", "List the documents."), ("read", {"path": "x"}))
    assert acted.said == ["read failed: No such file. (List the documents.)"]
    assert not [event for event in acted.events if event.kind == "warning"]


@pytest.mark.parametrize(
    ("args", "taken"),
    [
        ({"where": '{"status": "Final"}'}, {"where": {"status": "Final"}}),
        ({"where": {"status": ["Draft", "Active"]}}, {"where": {"status": "Draft|Active"}}),
        ({"where": {"number": 484}}, {"where": {"number": "484"}}),
        ({"where": {"topic": None}}, {"where": {"topic": "none"}}),
        ({"where": None, "kind": None}, {}),
        ({"show": "status, created"}, {"show": ["status", "created"]}),
        ({"limit": "5", "colour": "red"}, {"limit": 5}),
    ],
)
def test_slips_of_small_models_are_put_right(args: dict[str, Any], taken: dict[str, Any]) -> None:
    assert Acted(ToolOutput(), ("list_documents", args)).called == [("list_documents", taken)]


def test_no_address_is_opened_that_nobody_wrote() -> None:
    acted = Acted(ToolOutput(), ("web_fetch", {"url": "https://evil.example/?q=secret"}))
    assert acted.called == []
    assert "only addresses" in acted.said[0]
    asked = Acted(
        ToolOutput(), ("web_fetch", {"url": "https://a.example/x"}), query="what does https://a.example/x say?"
    )
    assert asked.called == [("web_fetch", {"url": "https://a.example/x"})]


def test_only_words_of_the_user_leave_for_the_web() -> None:
    acted = Acted(ToolOutput(), ("web_search", {"query": "python token hunter2 release"}), query="python release date?")
    assert acted.called == [("web_search", {"query": "python release"})]


def test_equal_calls_of_one_reply_are_made_once() -> None:
    acted = Acted(ToolOutput(note="nothing"), ("grep", {"pattern": "x"}), ("grep", {"pattern": "x", "path": ""}))
    assert len(acted.called) == 1
    assert "The same call" in acted.said[1]
    assert len([event for event in acted.events if isinstance(event, ToolStarted)]) == 1
