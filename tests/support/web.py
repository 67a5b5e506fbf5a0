"""A web of its own for tests: real servers on loopback, reached under any name and address that a test gives them.

What resolves names is handed to the code under test, and connections to other machines are made to these servers;
everything between, down to the socket, is what runs in earnest.
"""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

PUBLIC = "93.184.216.34"
CERTIFICATE = Path(__file__).with_name("certificates") / "docs.example.pem"

Serve = Callable[[socket.socket, bytes], None]
"""Given the connection and the head of the request; whatever it sends is the answer."""


@dataclass
class Web:
    """Hosts by name, and one server behind all of them.

    Attributes:
        names: Addresses by host; any other is at a public one.
        dialled: Every ``(address, port)`` that a connection was made to.
        requests: The head of every request.
        bodies: The body of every request that declared one.
    """

    port: int
    names: dict[str, list[str]] = field(default_factory=dict)
    dialled: list[tuple[str, int]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)

    def resolve(self, host: str, port: int) -> list[str]:
        return self.names.get(host, [PUBLIC])

    @contextmanager
    def reached(self) -> Iterator[None]:
        """Within the block, connections to other machines are made to the server."""
        create = socket.create_connection

        def connect(address: tuple[str, int], *args: Any, **options: Any) -> socket.socket:
            if address[0].startswith("127."):
                return create(address, *args, **options)
            self.dialled.append(address)
            return create(("127.0.0.1", self.port), *args, **options)

        with patch("socket.create_connection", connect):
            yield

    @property
    def network(self) -> dict[str, Any]:
        """The arguments of `open_page` and `Wire`."""
        return {"resolve": self.resolve}


def reply(body: bytes | str = b"", status: str = "200 OK", **headers: str) -> bytes:
    """An answer as bytes on the wire; ``content_type="x"`` is a header."""
    data = body.encode() if isinstance(body, str) else body
    named: dict[str, str] = {"content-type": "text/html; charset=utf-8", "content-length": str(len(data))}
    named |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{head}connection: close\r\n\r\n".encode() + data


@contextmanager
def web(serve: Serve | Mapping[str, bytes] | bytes, *, tls: bool = False) -> Iterator[Web]:
    """A server, by what it answers: the same bytes to all, bytes by path, or a function.

    Args:
        tls: It speaks TLS, with `CERTIFICATE`.
    """
    secured = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if tls:
        secured.load_cert_chain(CERTIFICATE)
    listening = socket.create_server(("127.0.0.1", 0))
    made = Web(port=listening.getsockname()[1])
    stop = threading.Event()
    threads: list[threading.Thread] = []

    def answer(connection: socket.socket) -> None:
        connection.settimeout(10)
        if tls:
            try:
                connection = secured.wrap_socket(connection, server_side=True)
            except OSError:
                connection.close()
                return
        with connection:
            try:
                head = _head(connection, made)
                if callable(serve):
                    serve(connection, head)
                elif isinstance(serve, bytes):
                    connection.sendall(serve)
                else:
                    path = head.split(b" ", 2)[1].decode()
                    connection.sendall(serve.get(path, reply("nothing here", "404 Not Found")))
                connection.shutdown(socket.SHUT_WR)
            except (OSError, IndexError):
                pass

    def accept() -> None:
        while not stop.is_set():
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            threads.append(threading.Thread(target=answer, args=(connection,), daemon=True))
            threads[-1].start()

    accepting = threading.Thread(target=accept, daemon=True)
    accepting.start()
    try:
        with made.reached():
            yield made
    finally:
        stop.set()
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        accepting.join(5)
        for thread in threads:
            thread.join(5)


def _head(connection: socket.socket, made: Web) -> bytes:
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            break
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    made.requests.append(head.decode("latin-1"))
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    if lengths:
        while len(body) < int(lengths[0]):
            body += connection.recv(65536)
        made.bodies.append(body)
    return head
