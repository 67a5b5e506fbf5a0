"""The server in this process: what it refuses, how it fails, and what no client may get at."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp.types import TextContent

from kbtui.bootstrap import Engine
from kbtui.cli.mcp_server import server as serving
from kbtui.cli.mcp_server.server import FolderServer
from kbtui.runs.backend import RunRequest
from kbtui.runs.engine import Engine as AnyEngine


def served(engine: Any) -> Client:
    server = FolderServer(engine)
    server.warm()
    return Client(server.sdk)


@pytest.fixture
def engine(kb: Path, tmp_path: Path) -> Iterator[Engine]:
    (tmp_path / "orders.csv").write_text("city,amount\nOslo,3\n")
    made = Engine(kb=kb, record=False, follow_ups=False, sources=(str(tmp_path / "orders.csv"),))
    yield made
    made.close()


def said(result: Any) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, TextContent))


async def test_wrong_calls_are_answered_with_what_is_right(engine: Engine, kb: Path) -> None:
    (kb.parent / "secret.md").write_text("secret\n")
    async with served(engine) as client:
        for name, arguments, expected in (
            ("read", {"path": "../secret.md"}, "outside the knowledge base"),
            ("read", {"path": (kb.parent / "secret.md").as_uri()}, "no address of this folder"),
            ("read", {"path": "http://localhost/x"}, "no address of this folder"),
            ("read", {"path": f"{(kb / 'config.py').as_uri()}#top"}, "are no lines"),
            ("read", {"path": "config.py", "start_line": 99}, "there are no lines 99"),
            ("search", {"q": "x"}, "It takes query, keywords, tool, limit."),
            ("search", {"query": "x", "limit": 5000}, "limit: Input should be less than or equal to 50."),
            ("search", {"query": "x", "tool": "read_file"}, "tool: Input should be"),
            ("ask", {"question": "   "}, "The question is empty."),
            ("query_data", {"sql": "DROP TABLE orders"}, "only SELECT and WITH"),
            ("query_data", {"sql": "SELECT * FROM read_csv('/etc/passwd')"}, ""),
            ("query_data", {"sql": "SELECT 1", "source": "other"}, "other"),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error, (name, arguments)
            assert expected in said(result)
            assert "Traceback" not in said(result)
        with pytest.raises(MCPError, match="There is no tool rm"):
            await client.call_tool("rm", {})
        for address in ((kb.parent / "secret.md").as_uri(), "file://other/etc/passwd", "ftp://x/y"):
            with pytest.raises(MCPError, match="no address of this folder"):
                await client.read_resource(address)


async def test_files_are_listed_in_pages(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "_PAGE_SIZE", 2)
    async with served(engine) as client:
        names, cursor = list[str](), None
        while True:
            page = await client.list_resources(cursor=cursor)
            assert len(page.resources) <= 2
            names += [resource.name for resource in page.resources]
            if (cursor := page.next_cursor) is None:
                break
        assert sorted(names) == sorted(set(names))
        assert "runbooks/rollback.md" in names
        for wrong in ("-1", "x", "٣"):
            with pytest.raises(MCPError, match="cursor"):
                await client.list_resources(cursor=wrong)


async def test_a_long_file_is_read_by_its_lines(engine: Engine, kb: Path) -> None:
    (kb / "long.md").write_text("# Long\n\n" + "\n".join(f"line {n} " + "x" * 90 for n in range(3000)) + "\n")
    address = (kb / "long.md").as_uri()
    async with served(engine) as client:
        with pytest.raises(MCPError, match="add #L1-L400"):
            await client.read_resource(address)
        part = await client.read_resource(f"{address}#L10-L12")
        assert [line.split()[1] for line in part.contents[0].text.split("\n")] == ["7", "8", "9"]
        read = await client.call_tool("read", {"path": "long.md"})
        assert "comes next" in said(read)


async def test_what_steers_terminals_and_keys_of_this_process_do_not_leave(
    engine: Engine, kb: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef")
    (kb / "heron.md").write_text("# Heron\n\nThe heron key is sk-test-0123456789abcdef \x1b[2Jand\u202e more.\n")
    async with served(engine) as client:
        for name, arguments in (
            ("ask", {"question": "What is the heron key?"}),
            ("search", {"query": "heron key"}),
            ("read", {"path": "heron.md"}),
        ):
            result = await client.call_tool(name, arguments)
            whole = result.model_dump_json()
            assert "heron key" in whole
            assert "0123456789abcdef" not in whole
            assert "\\u001b" not in whole
            assert "\u202e" not in whole


async def test_clients_do_not_mean_what_others_asked(engine: Engine) -> None:
    async with served(engine) as client:
        await client.call_tool("ask", {"question": "How do I roll back a deploy?"})
        events: list[str] = []

        async def told(_progress: float, _total: float | None, message: str | None) -> None:
            events.append(message or "")

        await client.call_tool("ask", {"question": "and what then?"}, progress_callback=told)
        assert events
        assert not any("asked as" in message for message in events)


class Stuck:
    """A backend that works until it is stopped."""

    def __init__(self) -> None:
        self.working = threading.Event()
        self.stopped = threading.Event()

    def warm(self) -> None:
        """Nothing to load."""

    def rehearse(self) -> None:
        """Nothing to ask."""

    def answer(self, request: RunRequest) -> Any:
        self.working.set()
        while not request.cancel.cancelled:
            threading.Event().wait(0.01)
        self.stopped.set()
        request.cancel.check()


async def test_giving_up_stops_the_run_at_once() -> None:
    backend = Stuck()
    async with served(AnyEngine(backend, kb=Path("/kb"))) as client:  # type: ignore[arg-type]
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "ask", {"question": "why?"})
            await anyio.to_thread.run_sync(backend.working.wait, 30)
            group.cancel_scope.cancel()
        assert await anyio.to_thread.run_sync(backend.stopped.wait, 30)


class Broken(Stuck):
    """A backend whose tools fail in a way nobody foresaw."""

    @property
    def tools(self) -> Any:
        raise ZeroDivisionError("secret detail")


async def test_what_nobody_foresaw_is_an_answer_without_details() -> None:
    async with served(AnyEngine(Broken(), kb=Path("/kb"))) as client:  # type: ignore[arg-type]
        result = await client.call_tool("search", {"query": "x"})
        assert result.is_error
        assert "ZeroDivisionError" in said(result)
        assert "secret detail" not in said(result)
