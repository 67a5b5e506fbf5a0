"""A chat model's server on loopback, whose every answer and every failure a test chooses.

It speaks the four protocols that local and hosted models are reached by (`tests.support.protocols`): OpenAI's,
Ollama's, Anthropic's and Google's, streams included. What it says is a `Behaviour`: a function from the request to a
`Reply`. The reply says what the model says and what happens on the wire meanwhile; the protocol is put around it, so
that one behaviour plays on all of them. Every request is kept, with when it came, when it was done and whether the
client hung up.

    python -m tests.support.model_server --port 8080 --behaviour perfect
"""

from __future__ import annotations

import json
import os
import re
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.support.model_request import Api, Behaviour, Reply, Request, Stage, stage_of
from tests.support.protocols import PROTOCOLS, anthropic, google, openai
from tests.support.protocols.wire import Protocol, as_json

PATIENCE_S = 60.0
"""How long a stalled reply is held open for a client that never gives up: only a broken client meets it."""

_POLL_S = 0.02
_GOOGLE_CALL = re.compile(r"/v1(?:beta)?/models/[^/:]+:(?:g|streamG)enerateContent")


class ModelServer:
    """The server; starts with ``with``, plays ``behaviour``, which may be changed at any time.

    Args:
        behaviour: What it does with each request.
        models: The names it knows.
        port: 0 takes a free one.
    """

    def __init__(self, behaviour: Behaviour, *, models: tuple[str, ...] = ("scripted",), port: int = 0) -> None:
        self.behaviour = behaviour
        self.models = models
        self.requests: list[Request] = []
        self.before: Callable[[Request], None] = lambda _request: None
        """Called with each request of a chat before it is answered."""
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        self._closing = threading.Event()
        self._port = port
        self._http: _Http | None = None
        self._placeholder: socket.socket | None = None

    def __enter__(self) -> ModelServer:
        self.revive()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        if self._placeholder is not None:
            self._placeholder.close()

    @property
    def url(self) -> str:
        """``http://127.0.0.1:port``; OpenAI's protocol is under ``/v1``, which its clients want in the address."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def chats(self) -> list[Request]:
        """The requests in which the model was asked something."""
        return [request for request in self.requests if request.api]

    def of(self, stage: Stage) -> list[Request]:
        """The requests of one stage."""
        return [request for request in self.chats if request.stage == stage]

    @property
    def stages(self) -> list[Stage]:
        """The stages that asked, in order."""
        return [request.stage for request in self.chats]

    @property
    def busy_s(self) -> float:
        """Seconds in which at least one request was being answered, over all that are done."""
        total, until = 0.0, 0.0
        for came, done in sorted((request.came, request.done) for request in self.requests if request.done):
            total += max(0.0, done - max(came, until))
            until = max(until, done)
        return total

    def kill(self) -> None:
        """Drop all connections and refuse new ones, as a process that dies does; the port stays taken."""
        http, self._http = self._http, None
        if http is None:
            return
        self._closing.set()
        http.stop()
        with self._lock:
            dropped = list(self._connections)
        for connection in dropped:
            # A thread may still be reading or writing there; this wakes it.
            _quietly(connection.shutdown, socket.SHUT_RDWR)
        # Bound and not listening: connections are refused and no other process takes the port.
        self._placeholder = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._placeholder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._placeholder.bind(("127.0.0.1", self._port))

    def revive(self) -> None:
        """Serve again on the same port; does nothing while it serves."""
        if self._http is not None:
            return
        if self._placeholder is not None:
            self._placeholder.close()
            self._placeholder = None
        self._closing = threading.Event()
        self._http = _Http(self, self._port)
        self._port = self._http.server_address[1]
        self._http.start()

    def took(self, request: Request) -> None:
        """Keep a request."""
        with self._lock:
            request.number = 1 + sum(r.api == request.api and r.stage == request.stage for r in self.requests)
            self.requests.append(request)

    def closing(self) -> threading.Event:
        """Set when those who are being answered now should be left alone."""
        return self._closing

    def opened(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.add(connection)

    def closed(self, connection: socket.socket) -> None:
        with self._lock:
            self._connections.discard(connection)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 32

    def __init__(self, model: ModelServer, port: int) -> None:
        self.model = model
        super().__init__(("127.0.0.1", port), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(_POLL_S,), name="model-server", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no error here."""


class _Gone(Exception):
    """The client hung up, or the server was killed."""


class _Reset(Exception):
    """The server ended the connection itself."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        self._closing = self.server.model.closing()
        self.server.model.opened(self.connection)

    def finish(self) -> None:
        self.server.model.closed(self.connection)
        _quietly(super().finish)

    def log_message(self, format: str, *args: Any) -> None:
        """What came in is in ``requests``; nothing is printed."""

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("content-length") or 0)))

    def _serve(self, data: bytes) -> None:
        try:
            body = json.loads(data) if data else {}
        except ValueError:
            body = {}
        path = self.path.split("?", 1)[0]
        request = Request(
            path=path, headers=dict(self.headers.items()), body=body, api=_api_of(path), stage=stage_of(body)
        )
        request.came = time.monotonic()
        self._request, self._sent_header = request, False
        model = self.server.model
        model.took(request)
        try:
            if request.api:
                model.before(request)
                if self._closing.is_set():
                    raise _Gone
                self._answer(model.behaviour(request))
            else:
                self._about(request)
        except _Reset:
            self.close_connection = True
        except (_Gone, OSError):
            self.close_connection = True
            request.hung_up = not self._closing.is_set()
        finally:
            request.done = time.monotonic()
            request.over.set()

    def _about(self, request: Request) -> None:
        """What a server says of itself and its models."""
        models = self.server.model.models
        said: dict[str, Any] | None = None
        match request.path:
            case "/v1/models" if "anthropic-version" in {name.lower() for name in request.headers}:
                said = {"data": [anthropic.model(name) for name in models], "has_more": False}
            case "/v1/models":
                said = {"object": "list", "data": [openai.model(name) for name in models]}
            case "/v1beta/models":
                said = {"models": [google.model(name) for name in models]}
            case "/api/tags":
                said = {"models": [{"name": name, "model": name, "size": 1, "digest": "0" * 12} for name in models]}
            case "/api/show" if request.body.get("model") in models:
                said = {"details": {"family": "scripted"}, "capabilities": ["completion"], "model_info": {}}
            case "/api/version":
                said = {"version": "0.0.0"}
            case "/busy":
                # For whoever runs it as a process of its own: when it came and was done, by the clock of the machine.
                said = {"busy": [[chat.came, chat.done] for chat in self.server.model.chats if chat.done]}
            case path if path.removeprefix("/v1/models/") in models:
                said = openai.model(path.removeprefix("/v1/models/"))
        body = {"error": {"message": f"{request.path}: not found"}} if said is None else said
        self._whole(404 if said is None else 200, as_json(body), "application/json")

    def _answer(self, reply: Reply) -> None:
        request = self._request
        if reply.stall_after == 0:
            self._wait(PATIENCE_S)
            raise _Gone
        if reply.before_s:
            self._wait(reply.before_s)
        if reply.reset_after == 0:
            self._reset()
        protocol = PROTOCOLS[request.api]
        if reply.raw is not None:
            self._whole(reply.status, reply.raw, reply.content_type or "application/json", reply.headers)
        elif reply.status >= 300:
            error = as_json(protocol.error(reply))
            headers = {n: v for n, v in reply.headers.items() if protocol.waits_in_header or n != "retry-after"}
            self._whole(reply.status, error, reply.content_type or "application/json", headers)
        elif request.streamed and not reply.ignores_stream:
            self._stream(reply, protocol)
        else:
            body = as_json(protocol.whole(reply, request))
            body = reply.rewrite(body) if reply.rewrite else body
            self._whole(reply.status, body, reply.content_type or "application/json", reply.headers)

    def _stream(self, reply: Reply, protocol: Protocol) -> None:
        self._start(reply.status, reply.content_type or protocol.stream_type, reply.headers)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        sent = 0
        for is_piece, line in protocol.stream(reply, self._request):
            if is_piece:
                if sent == reply.stall_after:
                    self._wait(PATIENCE_S)
                    raise _Gone
                if sent == reply.reset_after:
                    self._reset()
                if reply.between_s:
                    self._wait(reply.between_s)
                sent += 1
            self._check()
            data = reply.rewrite(line) if reply.rewrite else line
            if data:
                self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def _whole(self, status: int, body: bytes, content_type: str, headers: Mapping[str, str] | None = None) -> None:
        self._start(status, content_type, headers or {})
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _start(self, status: int, content_type: str, headers: Mapping[str, str]) -> None:
        self._request.status = status
        self.send_response(status)
        self.send_header("content-type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)

    def _wait(self, seconds: float) -> None:
        """Let time pass, unless the client or the server goes away."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._check(min(_POLL_S, left))

    def _check(self, seconds: float = 0.0) -> None:
        """Raise `_Gone` where nobody listens any more."""
        if self._closing.is_set():
            raise _Gone
        readable, _, _ = select.select([self.connection], [], [], seconds)
        if readable and self.connection.recv(1, socket.MSG_PEEK) == b"":
            raise _Gone

    def _reset(self) -> None:
        """End the connection with RST, as a crashed proxy does, and not with an orderly FIN."""
        connection = self.connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.server.model.closed(connection)
        os.close(connection.detach())
        self.close_connection = True
        raise _Reset


def _api_of(path: str) -> Api:
    """Which protocol's chat a path is; empty where it is none."""
    apis: dict[str, Api] = {"/v1/chat/completions": "openai", "/api/chat": "ollama", "/v1/messages": "anthropic"}
    return apis.get(path) or ("google" if _GOOGLE_CALL.fullmatch(path) else "")


def _quietly(do: Callable[..., object], *arguments: object) -> None:
    try:
        do(*arguments)
    except (OSError, ValueError):
        return


def main() -> None:
    """Serve until interrupted."""
    import argparse

    from tests.support.behaviours import BEHAVIOURS

    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--behaviour", choices=sorted(BEHAVIOURS), default="perfect")
    arguments = parser.parse_args()
    with ModelServer(BEHAVIOURS[arguments.behaviour], port=arguments.port) as server:
        print(server.url, flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
