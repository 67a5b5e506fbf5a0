"""Messages to and from an MCP server, within limits of size and number: over its standard streams, and over HTTP.

The SDK's own transports keep a line or a response of any length in memory, and take messages without end.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import anyio
import httpx2
import mcp_types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

MAX_MESSAGE_BYTES: Final = 4 << 20
MAX_BYTES: Final = 16 << 20
"""Bytes that a server may send between two calls."""
MAX_MESSAGES: Final = 2_000
"""Messages that a server may send between two calls."""
_END_S: Final = 0.5
"""Seconds that a server has to end after its input was closed, and again after SIGTERM."""
_READ: Final = 1 << 16


class Flooded(Exception):
    """A server sent more than it may; the message says of what."""


class Budget:
    """What a server may still send; renewed for each call.

    Attributes:
        reason: Why the connection was closed by this program; empty where it was not.
    """

    def __init__(self) -> None:
        self.reason = ""
        self.renew()

    def renew(self) -> None:
        """Begin to count anew."""
        self._bytes = MAX_BYTES
        self._messages = MAX_MESSAGES

    def take(self, size: int, messages: int = 0) -> None:
        """Count what was received.

        Raises:
            Flooded: It is more than a server may send.
        """
        self._bytes -= size
        self._messages -= messages
        if self._bytes < 0:
            self.reason = f"it sent more than {MAX_BYTES >> 20} MB"
        elif self._messages < 0:
            self.reason = f"it sent more than {MAX_MESSAGES:,} messages"
        if self.reason:
            raise Flooded(self.reason)


Streams = tuple[Any, Any]


@asynccontextmanager
async def over_stdio(command: Sequence[str], env: Mapping[str, str], budget: Budget) -> AsyncIterator[Streams]:
    """Start a server and exchange a message a line over its standard streams; it is ended afterwards, with its group.

    Raises:
        OSError: It cannot be started.
    """
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=dict(env),
        cwd=str(Path.home()),
        start_new_session=True,
        limit=MAX_MESSAGE_BYTES,
    )
    received, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, to_send = anyio.create_memory_object_stream[SessionMessage](0)
    tasks = [
        asyncio.create_task(_read_lines(process, received, budget)),
        asyncio.create_task(_write_lines(process, to_send, received)),
    ]
    try:
        yield read, write
    finally:
        for task in tasks:
            task.cancel()
        for stream in (received, read, write, to_send):
            stream.close()
        await _end(process)
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read_lines(process: asyncio.subprocess.Process, received: Any, budget: Budget) -> None:
    assert process.stdout is not None
    async with received:
        while True:
            try:
                line = await process.stdout.readline()
            except ValueError:
                budget.reason = f"it sent a message of more than {MAX_MESSAGE_BYTES >> 20} MB"
                return
            if not line:
                return
            try:
                budget.take(len(line), 1)
            except Flooded:
                return
            try:
                message: Any = SessionMessage(mcp_types.jsonrpc_message_adapter.validate_json(line, by_name=False))
            except ValueError:
                continue  # what it prints beside the protocol is left out
            try:
                await received.send(message)
            except (anyio.ClosedResourceError, anyio.BrokenResourceError):
                return


async def _write_lines(process: asyncio.subprocess.Process, to_send: Any, received: Any) -> None:
    assert process.stdin is not None
    try:
        async with to_send:
            async for message in to_send:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                process.stdin.write(f"{text}\n".encode())
                await process.stdin.drain()
    except (OSError, anyio.ClosedResourceError, anyio.BrokenResourceError):
        received.close()  # or its answer would be waited for


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close the input of a server, and end it with all that it has started where it goes on."""
    assert process.stdin is not None
    process.stdin.close()
    for kind in (None, signal.SIGTERM, signal.SIGKILL):
        if kind is not None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, kind)
        with suppress(TimeoutError):
            await asyncio.wait_for(_drained(process), _END_S)
            break
    # Processes that the server started and left behind are in its process group.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def _drained(process: asyncio.subprocess.Process) -> None:
    """Wait for the end of a process, whose output nobody reads any more."""
    assert process.stdout is not None
    while await process.stdout.read(_READ):
        pass
    await process.wait()


@asynccontextmanager
async def over_http(url: str, token: str, seconds: float, budget: Budget) -> AsyncIterator[Streams]:
    """Exchange messages with a server over HTTP; redirects to other hosts are not followed."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(
            transport=_CountingTransport(budget),
            headers=headers,
            timeout=httpx2.Timeout(seconds, connect=10.0),
            trust_env=False,
        ) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=MAX_MESSAGE_BYTES) as streams,
    ):
        yield streams[0], streams[1]


class _CountingTransport(httpx2.AsyncHTTPTransport):
    def __init__(self, budget: Budget) -> None:
        super().__init__(trust_env=False)
        self._budget = budget

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await super().handle_async_request(request)
        self._budget.take(0, 1)
        response.stream = _CountedStream(response.stream, self._budget)
        return response


class _CountedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: Any, budget: Budget) -> None:
        self._stream = stream
        self._budget = budget

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            self._budget.take(len(part), part.count(b"data:"))
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()
