"""An HTTP transport over connections that `Wire` watches.

It is a module of its own because it imports httpx, which only an exchange needs.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable, Iterator
from typing import Any

import httpcore
import httpx

from kbtui.tools.web_wire import CONNECT_S, POLL_S, Wire


class WatchedTransport(httpx.BaseTransport):
    """Sends requests; every wait on a connection ends at the deadline, or soon after the run was stopped."""

    def __init__(self, wire: Wire) -> None:
        self._pool = httpcore.ConnectionPool(network_backend=_Backend(wire))

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        response = self._pool.handle_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        return httpx.Response(
            status_code=response.status,
            headers=response.headers,
            stream=_Body(response.stream),
            extensions=response.extensions,
        )

    def close(self) -> None:
        self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, parts: Any) -> None:
        self._parts = parts

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._parts)

    def close(self) -> None:
        self._parts.close()


class _Backend(httpcore.NetworkBackend):
    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,  # noqa: ARG002 - the signature that httpcore calls
        socket_options: Iterable[Any] | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        self._wire.cancel.check()
        try:
            connection = self._wire.connect(host, port, min(CONNECT_S, _wait_seconds(self._wire, timeout)))
        except TimeoutError as error:
            raise httpcore.ConnectTimeout from error
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        return _Stream(connection, self._wire)


class _Stream(httpcore.NetworkStream):
    def __init__(self, connection: socket.socket, wire: Wire) -> None:
        self._socket = connection
        self._wire = wire

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        while True:
            self._wire.cancel.check()
            if self._wire.left() <= 0:
                raise httpcore.ReadTimeout
            # Short waits, so that a stopped run ends soon.
            self._socket.settimeout(min(POLL_S, _wait_seconds(self._wire, timeout)))
            try:
                return self._socket.recv(max_bytes)
            except TimeoutError:
                continue
            except OSError as error:
                raise httpcore.ReadError(str(error)) from error

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._wire.cancel.check()
        self._socket.settimeout(_wait_seconds(self._wire, timeout))
        try:
            self._socket.sendall(buffer)
        except TimeoutError as error:
            raise httpcore.WriteTimeout from error
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    def close(self) -> None:
        self._socket.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        self._socket.settimeout(min(CONNECT_S, _wait_seconds(self._wire, timeout)))
        try:
            return _Stream(ssl_context.wrap_socket(self._socket, server_hostname=server_hostname), self._wire)
        except TimeoutError as error:
            self.close()
            raise httpcore.ConnectTimeout from error
        except OSError as error:
            self.close()
            raise httpcore.ConnectError(str(error)) from error


def _wait_seconds(wire: Wire, timeout: float | None) -> float:
    """The timeout of one wait in seconds; never zero, which would make the socket non-blocking."""
    left = wire.left()
    return max(POLL_S / 10, left if timeout is None else min(left, timeout))
