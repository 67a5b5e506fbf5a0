"""What is said where there is no cluster, within seconds and without a traceback."""

from __future__ import annotations

import http.server
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from kbtui.cluster import connection
from kbtui.cluster.connection import LOCAL, check_address, connected
from kbtui.errors import RemoteError, UsageError
from tests.support.databases import free_port


@contextmanager
def answering(data: bytes) -> Iterator[str]:
    """The address of a server that sends ``data`` to whoever connects, and then closes."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with closing(connection):
                connection.sendall(data)
                connection.recv(100)

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


@pytest.mark.parametrize(
    "address", ["", "head", "head:", ":6379", "head:0", "head:65536", "head:x", "ray://head:10001", "http://a:1/x"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="is no address of a cluster") as caught:
        check_address(address)
    assert "local" in caught.value.hint


def test_an_address_where_nobody_answers_is_named() -> None:
    address = f"127.0.0.1:{free_port()}"
    with pytest.raises(RemoteError, match=address) as caught:
        check_address(address)
    assert "ray start" in caught.value.hint


def test_a_server_that_says_nothing_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "_ANSWER_S", 0.05)
    with (
        closing(socket.create_server(("127.0.0.1", 0))) as server,
        pytest.raises(RemoteError, match="No cluster of Ray answers"),
    ):
        check_address(f"127.0.0.1:{server.getsockname()[1]}")


def test_another_server_is_told_from_a_cluster() -> None:
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.handle_request, daemon=True).start()
    with closing(server.socket), pytest.raises(RemoteError, match="is no cluster of Ray"):
        check_address(f"127.0.0.1:{server.server_port}")


def test_a_server_of_http_2_may_be_a_cluster() -> None:
    with answering(bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))) as address:
        check_address(address)


def test_where_ray_is_not_installed_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RemoteError, match="needs the package ray") as caught, connected(LOCAL):
        pass
    assert caught.value.hint == "pip install 'kbtui[ray]'"
