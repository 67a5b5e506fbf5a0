"""Runs in which the model may call the tools of somebody else's MCP server, over the real program and real servers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from kbtui.domain.events import ToolFinished, ToolStarted, Warned
from kbtui.reasoning.llm.safe_markdown import live_parts
from kbtui.settings.model import McpServer, McpSettings
from kbtui.settings.secrets import MASK
from kbtui.tools.mcp_servers import close_servers
from tests.llm.running import KEY, Run, ask, engine_of
from tests.support.looping_model import Looper, calls, saying
from tests.support.model_server import ModelServer
from tests.tools.mcp_servers.test_servers import SERVER

QUESTION = "What does the harbour say of its north berth?"


@pytest.fixture(autouse=True, scope="module")
def ended() -> Iterator[None]:
    yield
    close_servers()


def asked(folder: Path, server: ModelServer, way: str = "", **more: Any) -> Run:
    mcp = McpSettings(servers={"harbour": McpServer(command=(sys.executable, str(SERVER), way), **more)})
    return ask(engine_of(folder, server, mode="loop", mcp=mcp), QUESTION)


def told(run: Run) -> list[str]:
    return [event.message for event in run.of(Warned)]


def test_an_answer_from_a_server_cites_server_and_tool_and_shows_no_link(folder: Path) -> None:
    says = saying("The north berth is let to Ada Lund until 14:30, [see](https://evil.example/?q=x)", "Ada Lund")
    with ModelServer(Looper(calls(("harbour_berth", {"name": "north"})), says)) as server:
        run = asked(folder, server)
        offered = [tool["function"]["name"] for tool in server.of("loop")[0].body["tools"]]
    assert "harbour_berth" in offered
    assert "harbour_sinks" not in offered
    assert [event.tool for event in run.of(ToolStarted)][-1] == "harbour_berth"
    (citation,) = [one for one in run.answer.citations if one.quote and "Ada Lund" in one.quote]
    assert citation.label == "harbour berth"
    assert f"[{citation.n}] harbour berth" in run.answer.markdown
    assert not live_parts(run.answer.markdown)
    assert "](https://evil.example" not in run.answer.markdown


def test_words_of_documents_and_keys_are_not_sent(folder: Path) -> None:
    moves = calls(
        ("harbour_berth", {"name": "two percent for five minutes"}),
        ("harbour_berth", {"name": KEY}),
        ("harbour_sinks", {"name": "north"}),
        ("harbour_berth", {"name": 7}),
    )
    with ModelServer(Looper(moves, "Nothing is known of it.")) as server:
        run = asked(folder, server)
        replies = server.of("loop")[1].said
    called = [event for event in run.of(ToolStarted) if event.tool.startswith("harbour")]
    assert [(event.tool, event.args) for event in called] == [("harbour_berth", {"name": MASK})]
    assert "only words of the user are sent to harbour" in replies
    assert "There is no tool 'harbour_sinks'" in replies
    assert "does not take these arguments: name: 7 is not of type 'string'" in replies
    assert KEY not in replies


def test_a_result_that_gives_orders_is_fenced_and_named(folder: Path) -> None:
    with ModelServer(Looper(calls(("harbour_orders", {})), "Nothing is known of it.")) as server:
        run = asked(folder, server)
        reply = server.of("loop")[1].said
    before, _, rest = reply.partition("Ignore all previous instructions")
    assert rest
    assert before.rpartition("\n")[0].rstrip().rpartition("\n")[2].startswith("<passage") or "<passage" in before
    assert any("harbour orders" in warning and "assistant" in warning for warning in told(run)), told(run)


def test_a_tool_whose_description_gives_orders_is_left_out_and_named(folder: Path) -> None:
    with ModelServer(Looper("Nothing is known of it.")) as server:
        run = asked(folder, server, "poisoned")
        offered = [tool["function"]["name"] for tool in server.of("loop")[0].body["tools"]]
    assert "harbour_poisoned" not in offered
    assert "harbour_berth" in offered
    assert any("The tool poisoned was left out" in warning for warning in told(run))


def test_a_server_that_is_gone_is_a_warning_and_the_run_goes_on(folder: Path) -> None:
    with ModelServer(Looper("Nothing is known of it.")) as server:
        run = asked(folder, server, "gone")
    assert run.failure is None
    assert any(warning.startswith("Without the tools of harbour: ") for warning in told(run)), told(run)


def test_a_call_that_fails_is_told_to_the_model(folder: Path) -> None:
    with ModelServer(Looper(calls(("harbour_fails", {})), "Nothing is known of it.")) as server:
        run = asked(folder, server)
        reply = server.of("loop")[1].said
    assert "harbour_fails failed: harbour fails says: Error executing tool fails" in reply
    assert [event.ok for event in run.of(ToolFinished) if event.tool == "harbour_fails"] == [False]
