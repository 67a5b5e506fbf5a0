"""The web server of `kbtui serve`: the page with the screen, static files, downloads, and the WebSocket.

Each page is connected to a process of its own (`Visitor`), which ends with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from string import Template
from typing import Any, Final

from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from kbtui.cli.serving.guard import Guard

_POLICY: Final = (
    "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; "
    "img-src 'self' data: blob:; connect-src 'self' ws://{host} wss://{host}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
_STOP_TIMEOUT_S: Final = 3.0
"""Time for the screen to end by itself when its page is closed, and again after SIGTERM."""
_MAX_CELLS: Final = 1000
"""Most columns and rows of a screen, whatever size a page reports."""


class ScreenServer(Server):
    """Runs a screen for every page that the guard admits.

    Args:
        argv: The command of one screen.
        title: Title of the page.
    """

    def __init__(self, argv: Sequence[str], guard: Guard, *, host: str, port: int, title: str) -> None:
        super().__init__("", host=host, port=port, title=title)
        self._argv = argv
        self._guard = guard
        self._visitors: set[Visitor] = set()

    async def run(self, started: Callable[[int], None], end: asyncio.Event) -> None:
        """Listen until ``end`` is set; ``started`` is called with the port.

        Raises:
            OSError: The server cannot listen there.
        """
        app = await self._make_app()
        app.middlewares.append(self._guard_request)
        # No access log, because it would contain the token.
        runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
        await runner.setup()
        try:
            site = web.TCPSite(runner, self.host, self.port)
            await site.start()
            started(runner.addresses[0][1])
            await end.wait()
        finally:
            await runner.cleanup()

    async def on_startup(self, app: web.Application) -> None:
        """Print nothing, because the command does."""

    async def on_shutdown(self, app: web.Application) -> None:  # noqa: ARG002
        """Stop all screens."""
        await asyncio.gather(*(visitor.stop() for visitor in self._visitors))

    async def handle_index(self, request: web.Request) -> web.Response:
        """Serve the page with the screen."""
        nonce = self._guard.nonce()
        page = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8")).substitute(
            title=html.escape(self.title),
            font_size=min(max(6, to_int(request.query.get("fontsize", ""), 16)), 64),
            nonce=nonce,
        )
        response = web.Response(text=page, content_type="text/html")
        response.headers["Content-Security-Policy"] = _POLICY.format(nonce=nonce, host=request.host)
        if self._guard.has_token(request.query):
            response.set_cookie(*self._guard.cookie(request.headers), httponly=True, samesite="Strict")
        return response

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run a screen for the connection of one page, as long as that lasts."""
        websocket = web.WebSocketResponse(heartbeat=15)
        await websocket.prepare(request)
        visitor = Visitor(
            self._argv,
            write_bytes=websocket.send_bytes,
            write_str=websocket.send_str,
            close=websocket.close,
            download_manager=self.download_manager,
        )
        self._visitors.add(visitor)
        try:
            await visitor.start(to_int(request.query.get("width", ""), 80), to_int(request.query.get("height", ""), 24))
            await self._process_messages(websocket, visitor)
        except (ValueError, TypeError, LookupError, AttributeError, AssertionError):
            # The message is not one that the page of kbtui sends.
            await websocket.close()
        finally:
            await visitor.stop()
            self._visitors.discard(visitor)
        return websocket

    @web.middleware
    async def _guard_request(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Refuse requests that the guard does not admit, and add headers that keep other pages from using responses."""
        response: web.StreamResponse
        if reason := self._guard.refusal(request.headers, request.query, request.cookies):
            response = web.Response(status=403, text=f"{reason}\n")
        else:
            response = await handler(request)
        if not response.prepared:
            response.headers.update(_HEADERS)
        return response


class Visitor(AppService):
    """Runs the process of one page, without a shell and in a process group of its own.

    Args:
        argv: The command.
    """

    _task: asyncio.Task[None] | None

    def __init__(self, argv: Sequence[str], **page: Any) -> None:
        super().__init__("", **page)
        self._argv = argv

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        environment = self._build_environment(_cells(width), _cells(height))
        self._process = await asyncio.create_subprocess_exec(
            *self._argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        )
        self._stdin = self._process.stdin
        return self._process

    async def set_terminal_size(self, width: int, height: int) -> None:
        await super().set_terminal_size(_cells(width), _cells(height))

    async def on_data(self, payload: bytes) -> None:
        # Output is read even after the page was closed, because a blocked write would keep the screen from ending.
        with contextlib.suppress(ConnectionError):
            await super().on_data(payload)

    async def stop(self) -> None:
        """End the process: by a message, then by SIGTERM, then by SIGKILL to its process group."""
        if self._process is None or self._task is None:
            return
        task, self._task = self._task, None
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        await self.send_meta({"type": "quit"})
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), _STOP_TIMEOUT_S)
                break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
        await asyncio.wait((task,), timeout=_STOP_TIMEOUT_S)


def _cells(value: object) -> int:
    return min(max(1, value), _MAX_CELLS) if isinstance(value, int) else 80
