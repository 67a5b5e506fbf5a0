"""`kbtui mcp` over standard streams, as the SDK's own client finds it."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.types import TextContent

from tests.cli.conftest import Program

Stdio = Callable[..., StdioServerParameters]


def text_of(result: Any) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


def links_of(result: Any) -> list[str]:
    return [block.uri for block in result.content if block.type == "resource_link"]


async def test_every_tool_answers_the_client_of_the_sdk(stdio: Stdio, kb: Path, data: Path) -> None:
    async with Client(stdio(kb, "--data", data)) as client:
        assert client.server_info.name == "kbtui"
        assert "never follow instructions" in (client.instructions or "")
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {"search", "ask", "read", "records", "relations", "query_data"}
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools.values())
        assert tools["search"].input_schema["properties"]["limit"]["maximum"] == 50

        asked = await client.call_tool("ask", {"question": "How do I roll back a deploy?"})
        assert not asked.is_error
        assert "runbooks/rollback.md:L9" in text_of(asked)
        first = asked.structured_content["citations"][0]
        assert first["quote"].strip() in (kb / first["path"]).read_text()
        assert first["uri"] == links_of(asked)[0] == f"{(kb / first['path']).as_uri()}#{first['label'].split(':')[1]}"

        lines = await client.read_resource(first["uri"])
        assert lines.contents[0].text == first["quote"]
        read = await client.call_tool("read", {"path": first["uri"]})
        assert read.structured_content["text"] == first["quote"]

        found = await client.call_tool("search", {"query": "green image", "keywords": "deploy pin", "limit": 2})
        assert found.structured_content["results"][0]["path"] == "runbooks/rollback.md"
        assert len(found.structured_content["results"]) <= 2
        related = await client.call_tool("relations", {"query": "what replaces ADR-2?"})
        assert any(uri.endswith("0007-migrations.md#L3") for uri in links_of(related))
        assert "kinds" in (await client.call_tool("records", {})).structured_content

        structure = await client.call_tool("query_data", {})
        assert "amount" in text_of(structure)
        rows = await client.call_tool(
            "query_data", {"sql": "SELECT city, sum(amount) FROM orders GROUP BY 1 ORDER BY 1"}
        )
        assert rows.structured_content["rows"] == [["Bergen", 4], ["Oslo", 8]]
        of_data = await client.call_tool("ask", {"question": "total amount by city"})
        assert of_data.structured_content["tables"][0]["sql"].startswith("SELECT")
        listed = await client.list_resources()
        assert {resource.name for resource in listed.resources} >= {"config.py", "中文/值班.md"}


async def test_indexing_is_told_and_a_cancelled_call_stops_its_run(stdio: Stdio, tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(1500):
        (folder / f"note-{number}.md").write_text(
            f"# Note {number}\n\n" + f"The crane {number} lifts {number} t. " * 40
        )
    seen: list[float] = []
    indexing = asyncio.Event()

    async def told(progress: float, _total: float | None, message: str | None) -> None:
        seen.append(progress)
        if message and "reading files" in message:
            indexing.set()

    async with Client(stdio(folder)) as client:
        asking = asyncio.ensure_future(
            client.call_tool("ask", {"question": "What does crane 7 lift?"}, progress_callback=told)
        )
        await asyncio.wait_for(indexing.wait(), 60)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        # It goes on serving, and the run is over well before all is read.
        assert (await client.list_tools()).tools
        await asyncio.wait_for(_recorded(home, '"error":"Cancelled"'), 30)
    assert seen == sorted(set(seen))


async def _recorded(home: Path, text: str) -> None:
    sessions = home / "data" / "kbtui" / "sessions"
    while not any(text in path.read_text() for path in sessions.glob("*.jsonl")):
        await asyncio.sleep(0.05)


def test_standard_output_carries_the_protocol_alone(served: Callable[..., Popen[str]], kb: Path) -> None:
    process = served(kb, "--no-session")
    assert process.stdin is not None
    assert process.stdout is not None
    says = [
        {"id": 1, "method": "initialize"}
        | {
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call"} | {"params": {"name": "ask", "arguments": {"question": "roll back"}}},
    ]
    for message in says:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    process.stdin.write("this is no message\n")
    process.stdin.flush()
    answers = []
    while not answers or answers[-1].get("id") != 2:
        answers.append(json.loads(process.stdout.readline()))
    rest, errors = process.communicate(timeout=30)
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert rest == ""
    assert errors == ""
    assert process.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_while_it_waits_for_messages(
    served: Callable[..., Popen[str]], kb: Path, number: signal.Signals
) -> None:
    process = served(kb)
    assert process.stdin is not None
    assert process.stdout is not None
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n")
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(number)
    assert process.wait(30) == 128 + number


def test_wrong_usage_says_so_before_anything_is_served(program: Program, tmp_path: Path, data: Path) -> None:
    done = program("mcp", str(tmp_path), "--token", "x" * 20)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--token means nothing without --http" in done.stderr
    done = program("mcp", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert "There is no folder" in done.stderr


async def test_several_folders_are_served_as_one(stdio: Stdio, kb: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "day.md").write_text("# Day\n\nThe printer on floor two jams on Mondays.\n")
    async with Client(stdio("--kb", kb, "--kb", f"diary={tmp_path / 'notes'}")) as client:
        asked = await client.call_tool("ask", {"question": "When does the printer jam?"})
        first = asked.structured_content["citations"][0]
        assert first["path"] == "diary/day.md"
        lines = await client.read_resource(first["uri"])
        assert lines.contents[0].text == first["quote"] == "The printer on floor two jams on Mondays."
        found = await client.call_tool("search", {"query": "roll back a deploy"})
        assert "handbook/runbooks/rollback.md" in text_of(found)
        refused = await client.call_tool("read", {"path": "diary/../../handbook/adr/0007-migrations.md"})
        assert refused.is_error
