"""MCP servers of others: started over standard streams and met over HTTP, bounded, and never trusted."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

from kbtui.domain.cancel import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import Cancelled, ToolError
from kbtui.settings.model import McpServer, McpSettings, Settings
from kbtui.tools.base import DataContext, ToolSpec, run_spec
from kbtui.tools.mcp_servers import ListedTool, close_servers, connections, list_server, server_tools
from tests.support.processes import wait_until_gone

SERVER = Path(__file__).with_name("server.py")
SDK_SERVER = Path(__file__).with_name("sdk_server.py")


@pytest.fixture(autouse=True, scope="module")
def ended() -> Iterator[None]:
    yield
    close_servers()


def made(way: str = "", **more: Any) -> McpServer:
    return McpServer(command=(sys.executable, str(SERVER), way), **more)


def made_with_sdk(**more: Any) -> McpServer:
    return McpServer(command=(sys.executable, str(SDK_SERVER)), **more)


def listed(server: McpServer, name: str = "harbour") -> dict[str, ListedTool]:
    return {tool.name: tool for tool in list_server(name, server, CancelToken())}


def spec_of(server: McpServer, tool: str) -> ToolSpec:
    spec = listed(server)[tool].spec
    assert spec is not None
    return spec


def call(
    server: McpServer, tool: str, arguments: Mapping[str, Any] | None = None, cancel: CancelToken | None = None
) -> ToolOutput:
    context = DataContext(settings=Settings(), cancel=cancel or CancelToken())
    return run_spec(spec_of(server, tool), context, arguments or {})


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The server over HTTP, on this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, str(SDK_SERVER), str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        for _ in range(600):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("way", ["stdio", "http"])
def test_a_tool_of_a_server_is_called_and_its_text_is_cited_as_its_own(way: str, address: str) -> None:
    server = made_with_sdk() if way == "stdio" else McpServer(url=address)
    spec = spec_of(server, "berth")
    assert spec.name == "harbour_berth"
    assert spec.offered_to == "loop"
    assert spec.description == "Of the server harbour, which says: Berths of the harbour, by their name."
    output = call(server, "berth", {"name": "north", "size": "large"})
    assert output.text.startswith("The north berth (large) is let to Ada Lund")
    assert output.origin == "harbour berth"
    assert output.hits == ()
    with pytest.raises(ToolError, match="harbour fails says: Error executing tool fails"):
        call(server, "fails")


def test_only_tools_that_say_that_they_read_are_offered_unless_the_user_names_others() -> None:
    assert listed(made_with_sdk())["sinks"].spec is None, "it has no annotations at all"
    tools = listed(made())
    assert tools["sinks"].spec is None
    assert tools["sinks"].why_not == "it does not say that it only reads"
    named = listed(made(tools=("sinks",)))
    assert named["sinks"].spec is not None
    assert named["berth"].why_not == "the settings do not name it"
    assert all(tool.spec is not None for tool in listed(made(tools=("*",))).values())


def test_arguments_are_validated_by_the_declared_schema() -> None:
    server = made_with_sdk()
    for tool, arguments, problem in (
        ("berth", {}, "'name' is a required property"),
        ("berth", {"name": 7}, "name: 7 is not of type 'string'"),
        ("berth", {"name": "north", "size": "huge"}, "'huge' is not one of"),
        ("number", {"count": 9}, "count: 9 is greater than the maximum of 5"),
    ):
        with pytest.raises(ToolError) as error:
            call(server, tool, arguments)
        assert problem in error.value.message
    assert call(server, "number", {"count": 5}).text == '{\n  "count": 5\n}'


def test_words_that_are_neither_the_users_nor_the_servers_are_not_sent() -> None:
    server = made(timeout_s=31)
    foreign = spec_of(server, "berth").foreign
    assert foreign is not None
    asked = "who has the North berth?"
    assert foreign.unsendable({"name": "north", "size": "large"}, asked) == ""
    assert "'hunter22'" in foreign.unsendable({"name": "north hunter22"}, asked)
    assert foreign.unsendable({"name": "north", "more": {"deep": ["hunter22"]}}, asked)
    assert foreign.unsendable({"name": "north", "pin": 493817}, asked)
    assert foreign.unsendable({"name": "north", "page": 2, "all": True, "none": None}, asked + " page all none") == ""
    assert foreign.unsendable({"hunter22": "north"}, asked)
    assert "lund" in foreign.unsendable({"name": "lund"}, asked)
    call(server, "berth", {"name": "north"})
    assert foreign.unsendable({"name": "Ada Lund"}, asked) == "", "the server has said it itself"
    anything = spec_of(made(send="any"), "berth").foreign
    assert anything is not None
    assert anything.unsendable({"name": "hunter22"}, asked) == ""


def test_what_comes_back_has_no_hidden_characters_and_a_greatest_length() -> None:
    text = call(made(), "orders").text
    assert "\x1b" not in text
    assert "\u202e" not in text
    long = call(made(), "long").text
    assert len(long) < 21_000
    assert long.endswith("[The rest is left out.]")


def test_a_server_knows_the_variables_that_the_user_names_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARBOUR_TOKEN", "let-me-in-77")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert call(made(), "environment").text == "HARBOUR_TOKEN=None OPENAI_API_KEY=None"
    assert "let-me-in-77" in call(made(env=("HARBOUR_TOKEN",)), "environment").text


def test_a_call_that_hangs_ends_in_time_and_the_server_is_asked_on() -> None:
    server = made(timeout_s=1)
    with pytest.raises(ToolError, match="it did not answer within 1 s"):
        call(server, "hangs")
    close_servers()
    assert call(server, "berth", {"name": "north"}).text


def test_a_cancelled_run_waits_for_no_server() -> None:
    cancel = CancelToken()
    server = made(timeout_s=600)
    spec_of(server, "hangs")
    threading.Timer(0.3, cancel.cancel).start()
    with pytest.raises(Cancelled):
        call(server, "hangs", cancel=cancel)


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        ("dies", "the connection was lost"),
        ("huge", "it sent a message of more than 4 MB"),
        ("chatters", "it sent more than 2,000 messages"),
        ("lineless", "it sent a message of more than 4 MB"),
    ],
)
def test_a_server_that_dies_or_floods_is_given_up_and_started_again(tool: str, reason: str) -> None:
    server = made()
    with pytest.raises(ToolError) as error:
        call(server, tool)
    assert error.value.message == f"The MCP server harbour: {reason}."
    if tool == "dies":
        assert call(server, "berth", {"name": "north"}).text


def test_a_response_over_http_that_is_too_large_is_given_up(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbtui.tools.mcp_servers import transports

    monkeypatch.setattr(transports, "MAX_BYTES", 3 << 20)
    server = McpServer(url=address)
    with pytest.raises(ToolError, match="sent more than 3 MB"):
        call(server, "huge")
    assert call(server, "berth", {"name": "north"}).text


@pytest.mark.parametrize(
    ("way", "connect_s", "reason"),
    [
        ("silent", 0.3, "it did not answer within 0.3 s"),
        ("garbage", 0.3, "it did not answer within 0.3 s"),
        ("gone", connections.CONNECT_S, "onnection"),
        ("flood", connections.CONNECT_S, "it sent a message of more than 4 MB"),
    ],
)
def test_a_server_that_cannot_be_met_is_named_and_not_tried_at_each_question(
    way: str, connect_s: float, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = list(listed(made(), "other"))
    monkeypatch.setattr(connections, "CONNECT_S", connect_s)
    settings = Settings(mcp=McpSettings(servers={"harbour": made(way), "other": made()}))
    problems: list[str] = []
    found = list(server_tools(settings, CancelToken(), lambda name, error: problems.append(f"{name}: {error}")))
    assert [tool.name for tool in found] == names
    (problem,) = problems
    assert problem.startswith("harbour: The MCP server harbour: ")
    assert reason in problem
    again: list[str] = []
    list(server_tools(settings, CancelToken(), lambda name, error: again.append(f"{name}: {error}")))
    assert again == problems
    assert connections.connection_of("harbour", made(way)).attempts == 1, "what failed is left alone for a minute"


def test_a_program_that_is_not_there_and_an_address_where_nothing_is_are_named() -> None:
    for server, reason in (
        (McpServer(command=("no-such-program",)), "there is no program no-such-program"),
        (McpServer(url="http://127.0.0.1:9/mcp"), "The MCP server harbour: "),
    ):
        with pytest.raises(ToolError) as error:
            listed(server)
        assert reason in error.value.message
        assert "mcp.servers.harbour" in error.value.hint


def test_tools_beyond_twenty_are_left_out() -> None:
    tools = listed(made("many"))
    assert sum(tool.spec is not None for tool in tools.values()) == 20
    assert tools["tool_59"].why_not == "only 20 are offered"


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="the system does not list processes")  # noqa: PTH112
def test_a_server_ends_with_all_that_it_has_started() -> None:
    pid = int(call(made("child"), "child").text)
    assert Path(f"/proc/{pid}").exists()
    close_servers()
    wait_until_gone(pid)


def test_nothing_of_it_is_imported_unless_a_server_is_set() -> None:
    code = (
        "import sys, kbtui.tools, kbtui.bootstrap.looping, kbtui.agent.loop.act\n"
        "kbtui.tools.loop_specs(kbtui.settings.model.Settings())\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('mcp', 'httpx2', 'jsonschema')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_programs_get_the_tools_as_langchain_tools() -> None:
    from kbtui.tools import ToolContext

    context = ToolContext(knowledge=None, settings=Settings())  # type: ignore[arg-type]
    tool = spec_of(made(), "berth").build(context)
    message = tool.invoke({"name": tool.name, "args": {"name": "north"}, "id": "1", "type": "tool_call"})
    assert "Ada Lund" in message.content
    assert message.artifact.origin == "harbour berth"
