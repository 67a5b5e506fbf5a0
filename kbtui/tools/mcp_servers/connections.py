"""Connections to MCP servers: one for each server of the settings, made by its first use and kept until the end.

All of them live in one event loop in a thread of its own. Every wait has a deadline and ends when the run is cancelled.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from concurrent.futures import Future
from typing import Any, Final, TypeVar

from mcp.client.session import ClientSession
from mcp.shared.exceptions import MCPError
from mcp_types import CONNECTION_CLOSED

import kbtui
from kbtui.background_loop import BackgroundLoop
from kbtui.domain.cancel import CancelToken
from kbtui.errors import Cancelled, ToolError
from kbtui.settings.model import McpServer
from kbtui.settings.secrets import learn_secret, redact
from kbtui.text.terminal import one_line
from kbtui.tools.mcp_servers.transports import Budget, over_http, over_stdio

Result = TypeVar("Result")

CONNECT_S: Final = 30.0
"""Seconds to start a server and to agree on the protocol."""
AGAIN_S: Final = 60.0
"""Seconds for which a server that could not be reached is not tried again."""
MAX_PAGES: Final = 5
MAX_LISTED: Final = 200
"""Tools that are looked at."""
_LOOK_S: Final = 0.02
_CLOSE_S: Final = 3.0
_PASSED_ON: Final = ("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LC_ALL", "TMPDIR", "TERM", "TZ")


class _Session(ClientSession):
    """A session that does not compare results with the schemas that a server declares: these may take for ever."""

    async def validate_tool_result(self, name: str, result: Any) -> None:
        """Leave a result as it is; only its text is used."""


class Connection:
    """One server; safe to use from several threads.

    Args:
        name: Name in the settings.
        server: What the settings say of it.
    """

    def __init__(self, name: str, server: McpServer) -> None:
        self.name = name
        self.server = server
        self.words: set[str] = set()
        """Words of what the server has said; whatever is sent to it may be made of them."""
        self._lock = threading.Lock()
        self._budget = Budget()
        self._session: _Session | None = None
        self._stop: asyncio.Event | None = None
        self._life: Future[None] | None = None
        self._tools: tuple[Any, ...] | None = None
        self._failed_at = -AGAIN_S
        self.attempts = 0
        """How often the server was started or called up."""
        self._failure = ToolError("")

    def tools(self, cancel: CancelToken) -> tuple[Any, ...]:
        """The tools as the server lists them, of the SDK's type ``Tool``.

        Raises:
            ToolError: It cannot be reached, or did not list them.
            Cancelled: ``cancel`` was set.
        """
        if self._tools is None or not self._is_connected():
            self._tools = self._on_session(_listed, CONNECT_S, cancel)
        return self._tools

    def call(self, tool: str, arguments: Mapping[str, Any], cancel: CancelToken) -> Any:
        """The result of a call, of the SDK's type ``CallToolResult``.

        Raises:
            ToolError: The server is gone, or did not answer in time.
            Cancelled: ``cancel`` was set.
        """

        async def call(session: _Session) -> Any:
            return await session.call_tool(tool, dict(arguments))

        return self._on_session(call, self.server.timeout_s, cancel)

    def close(self, seconds: float = _CLOSE_S) -> None:
        """End the connection, and a server that was started for it."""
        life, self._life, self._session = self._life, None, None
        if life is None:
            return
        if self._stop is not None:
            _LOOP.get().call_soon_threadsafe(self._stop.set)
        with contextlib.suppress(Exception):
            life.result(seconds)

    def _is_connected(self) -> bool:
        return self._session is not None and self._life is not None and not self._life.done()

    def _on_session(
        self, function: Callable[[_Session], Coroutine[Any, Any, Result]], seconds: float, cancel: CancelToken
    ) -> Result:
        self._connect(cancel)
        session = self._session
        assert session is not None
        self._budget.renew()
        future = asyncio.run_coroutine_threadsafe(function(session), _LOOP.get())
        try:
            return _wait(future, seconds, cancel, lambda: self._life is None or self._life.done())
        except TimeoutError as error:
            raise self._error(f"it did not answer within {seconds:g} s") from error
        except (ToolError, Cancelled):
            raise
        except MCPError as error:
            if error.error.code == CONNECTION_CLOSED or self._budget.reason or not self._is_connected():
                self.close()
                raise self._error(self._budget.reason or "the connection was lost") from error
            raise self._error(_error_message(error)) from error
        except Exception as error:
            self.close()  # whatever it was, the next call connects anew
            raise self._error(self._budget.reason or _error_message(error)) from error
        finally:
            future.cancel()

    def _connect(self, cancel: CancelToken) -> None:
        with self._lock:
            if self._is_connected():
                return
            if time.monotonic() - self._failed_at < AGAIN_S:
                raise self._failure
            self.close()
            self.attempts += 1
            self._budget = Budget()
            ready: Future[_Session] = Future()
            self._life = asyncio.run_coroutine_threadsafe(self._live(ready), _LOOP.get())
            try:
                self._session = _wait(ready, CONNECT_S, cancel, self._life.done)
            except TimeoutError:
                self._fail(f"it did not answer within {CONNECT_S:g} s")
            except Cancelled:
                self.close()
                raise
            except Exception as error:  # noqa: BLE001 - of the system, the SDK and HTTP; named in the message
                self._fail(self._budget.reason or _error_message(self._cause() or error))

    def _cause(self) -> BaseException | None:
        """Why the connection ended, where it has."""
        with contextlib.suppress(Exception):
            return self._life.exception(0.5) if self._life is not None else None
        return None

    def _fail(self, why: str) -> None:
        self.close()
        self._failed_at = time.monotonic()
        self._failure = self._error(why)
        raise self._failure from None

    def _error(self, why: str) -> ToolError:
        return ToolError(
            f"The MCP server {self.name}: {redact(one_line(why, 200)).rstrip('.')}.",
            f"mcp.servers.{self.name} in your settings starts it or names its address.",
        )

    async def _live(self, ready: Future[_Session]) -> None:
        """Hold the connection open until `close`; everything of it is opened and closed in this one task."""
        self._stop = asyncio.Event()
        info: Any = {"name": "kbtui", "version": kbtui.__version__}
        async with self._streams() as (read, write):
            from mcp_types import Implementation

            async with _Session(read, write, client_info=Implementation(**info)) as session:
                await session.initialize()
                ready.set_result(session)
                watch = asyncio.create_task(self._stop.wait())
                gone = asyncio.create_task(_until_closed(read))
                try:
                    await asyncio.wait({watch, gone}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    watch.cancel()
                    gone.cancel()

    @contextlib.asynccontextmanager
    async def _streams(self) -> AsyncIterator[tuple[Any, Any]]:
        server = self.server
        if server.url:
            token = os.environ.get(server.token_env, "") if server.token_env else ""
            if token:
                learn_secret(token)
            async with over_http(server.url, token, server.timeout_s, self._budget) as streams:
                yield streams
        else:
            names = (*_PASSED_ON, *server.env)
            env = {name: os.environ[name] for name in names if name in os.environ}
            for name in server.env:
                learn_secret(env.get(name, ""))
            async with over_stdio(server.command, env, self._budget) as streams:
                yield streams


async def _until_closed(read: Any) -> None:
    """Return when nothing can be received any more."""
    while not hasattr(read, "statistics") or read.statistics().open_send_streams:
        await asyncio.sleep(0.1)


async def _listed(session: _Session) -> tuple[Any, ...]:
    from mcp_types import PaginatedRequestParams

    tools: list[Any] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor))
        tools += page.tools
        cursor = page.next_cursor
        if not cursor or len(tools) >= MAX_LISTED:
            break
    return tuple(tools[:MAX_LISTED])


def _wait(future: Future[Result], seconds: float, cancel: CancelToken, is_over: Callable[[], bool]) -> Result:
    """The result of a future.

    Args:
        is_over: Whether what would set it has ended.

    Raises:
        TimeoutError: It took longer than it may.
        Cancelled: ``cancel`` was set.
    """
    until = time.monotonic() + seconds
    while True:
        cancel.check()
        with contextlib.suppress(TimeoutError):
            return future.result(_LOOK_S)
        if future.done():
            return future.result()
        if is_over():
            with contextlib.suppress(TimeoutError):
                return future.result(_LOOK_S)
            raise ConnectionError("the connection was lost")
        if time.monotonic() >= until:
            raise TimeoutError


def _error_message(error: BaseException) -> str:
    """What went wrong, of the first error of a group."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    if isinstance(error, FileNotFoundError):
        return f"there is no program {error.filename}"
    return str(error).strip() or type(error).__name__


# All connections ------------------------------------------------------------------------------------------------------

_lock = threading.Lock()
_LOOP: Final = BackgroundLoop("kbtui-mcp")
_connections: dict[tuple[str, McpServer], Connection] = {}


def connection_of(name: str, server: McpServer) -> Connection:
    """The connection of a server of the settings; the same one for the same settings."""
    with _lock:
        key = (name, server)
        if key not in _connections:
            _connections[key] = Connection(name, server)
        return _connections[key]


@atexit.register
def close_servers() -> None:
    """End all connections, and the servers that were started for them."""
    with _lock:
        connections = list(_connections.values())
        _connections.clear()
    for connection in connections:
        connection.close()
