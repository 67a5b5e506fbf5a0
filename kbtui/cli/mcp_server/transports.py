"""Transports of the server: the standard streams of its process, or HTTP with a token."""

from __future__ import annotations

import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from kbtui.cli import signals
from kbtui.cli.mcp_server.server import FolderServer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from kbtui.cli.serving.guard import Guard

PATH: Final = "/mcp"
_MAX_SESSIONS: Final = 64
_SHUTDOWN_S: Final = 1
"""Seconds for open connections to close when the server ends."""


async def over_standard_streams(server: FolderServer) -> None:
    """Serve the client that started this process, until it closes standard input.

    Meanwhile file descriptor 1 is standard error, so that other output does not disturb the protocol.
    """

    def stop() -> None:
        # The thread that waits for the next message cannot be interrupted, so the process is ended.
        signals.end_by_force(signals.received_signal() or signal.SIGINT)

    with signals.stopping(stop):
        async with stdio_server() as (messages_in, messages_out):
            server.warm()
            await server.sdk.run(messages_in, messages_out, server.sdk.create_initialization_options())


async def over_http(server: FolderServer, guard: Guard, listening: socket.socket, started: Callable[[], None]) -> None:
    """Serve clients that carry the token, until a signal ends the process.

    Args:
        listening: A bound socket, which is closed at the end.
        started: Called as soon as requests are answered.
    """
    app = server.sdk.streamable_http_app(
        streamable_http_path=PATH,
        max_sessions=_MAX_SESSIONS,
        # The guard checks host names and origins already.
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    config = uvicorn.Config(
        TokenMiddleware(app, guard),
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=_SHUTDOWN_S,
        lifespan="on",
    )
    web = _Web(config, started)

    def stop() -> None:
        web.should_exit = True

    with signals.stopping(stop):
        server.warm()
        await web.serve(sockets=[listening])


class TokenMiddleware:
    """Passes requests with the token on to ``app``, and refuses the others."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if scope["type"] != "http":
            refusal = PlainTextResponse("Only HTTP is served.", 400)
        elif reason := self._guard.origin_refusal(headers):
            refusal = PlainTextResponse(reason, 403)
        elif not self._guard.has_bearer(headers):
            refusal = PlainTextResponse(
                "The request lacks the token: send `Authorization: Bearer` with the one that kbtui mcp printed.",
                401,
                {"WWW-Authenticate": "Bearer"},
            )
        else:
            await self._app(scope, receive, send)
            return
        await refusal(scope, receive, send)


class _Web(uvicorn.Server):
    """A server that does not handle signals, and calls a function when it listens."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_started = started

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets=sockets)
        self._when_started()
