"""`kbtui mcp --http`: the SDK's own client with the token, and nobody without."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.cli.conftest import Program


def started(process: Popen[str]) -> tuple[str, str]:
    """The address and the token that are printed."""
    assert process.stdout is not None
    address, header = process.stdout.readline().strip(), process.stdout.readline().strip()
    assert header.startswith("Authorization: Bearer ")
    return address, header.removeprefix("Authorization: Bearer ")


async def test_clients_with_the_token_are_answered_and_others_are_not(
    served: Callable[..., Popen[str]], kb: Path
) -> None:
    process = served(kb, "--http", "--port", 0)
    address, token = started(process)
    assert address.startswith("http://127.0.0.1:")
    for _ in range(2):
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as web,
            Client(streamable_http_client(address, http_client=web)) as client,
        ):
            seen: list[str | None] = []

            async def told(_progress: float, _total: float | None, message: str | None, seen: Any = seen) -> None:
                seen.append(message)

            question = {"question": "How do I roll back a deploy?"}
            asked = await client.call_tool("ask", question, progress_callback=told)
            assert asked.structured_content["outcome"] == "answered"
            assert any(message and "hybrid_search" in message for message in seen)

    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream"}
    mine = {**accepts, "Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient() as web:
        for headers, status in (
            (accepts, 401),
            ({**accepts, "Authorization": "Bearer wrong"}, 401),
            ({**accepts, "Authorization": f"Basic {token}"}, 401),
            ({**mine, "Host": "evil.example"}, 403),
            ({**mine, "Origin": "http://evil.example"}, 403),
        ):
            refused = await web.post(address, json=body, headers=headers)
            assert refused.status_code == status
            assert "tools" not in refused.text
        assert (await web.get(f"{address}?token={token}", headers=accepts)).status_code == 401
        large = await web.post(address, content=b" " * (5 << 20), headers={**mine, "Content-Type": "application/json"})
        assert large.status_code == 413

    process.send_signal(signal.SIGTERM)
    rest, errors = process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGTERM
    assert rest == ""
    assert "Traceback" not in errors
    assert token not in errors


def test_a_host_that_others_reach_needs_a_token(program: Program, tmp_path: Path) -> None:
    done = program("mcp", str(tmp_path), "--http", "--host", "0.0.0.0")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Other machines reach 0.0.0.0" in done.stderr


def test_a_port_that_is_taken_is_said_with_a_way_on(program: Program, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = program("mcp", str(tmp_path), "--http", "--port", str(other.getsockname()[1]))
    assert done.returncode == 1
    assert "hint: --port 0 takes a free port." in done.stderr


def test_without_the_extra_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, invoke: Any, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    done = invoke("mcp", str(tmp_path), standalone_mode=False)
    assert done.exception.message == "kbtui mcp needs the package mcp."
    assert "pip install 'kbtui[mcp]'" in done.exception.hint
