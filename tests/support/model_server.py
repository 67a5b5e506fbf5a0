"""A chat model's server on loopback, whose every answer and every failure a test chooses.

It speaks the two protocols that local and hosted models are reached by: OpenAI's chat completions (with SSE streams)
and Ollama's chat (with NDJSON streams). What it says is a `Behaviour`: a function from the request to a `Reply`. The
reply says what the model says and what happens on the wire meanwhile; the protocol is put around it here, so that one
behaviour plays on both. Every request is kept, with when it came, when it was done and whether the client hung up.

    python -m tests.support.model_server --port 8080 --behaviour perfect
"""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Stage = Literal["route", "grade", "write", "other"]
Api = Literal["openai", "ollama", ""]

STAGES: tuple[Stage, ...] = ("route", "grade", "write")
PATIENCE_S = 60.0
"""How long a stalled reply is held open for a client that never gives up: only a broken client meets it."""

_PIECE_CHARS = 24
_POLL_S = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model answers, and what happens on the wire.

    Attributes:
        content: What it says; where a tool call or a schema was asked for, the arguments or the object as text.
        status: HTTP status; from 300 on, ``content`` is the error's message.
        as_tool_call: It answers by calling this tool with ``content`` as arguments.
        reasoning: What it thinks aloud, in the field that providers have for it.
        finish_reason: Why it stopped.
        usage: False where the server counts nothing.
        headers: Headers beside the usual ones.
        content_type: Instead of the protocol's own.
        raw: Sent as the whole body, whatever the protocol.
        rewrite: Applied to every line of the stream, or to the body: for bytes that no JSON writer makes.
        piece_chars: Length of the pieces of a stream.
        before_s: Seconds before the first byte.
        between_s: Seconds before each piece.
        stall_after: Pieces after which nothing more comes; 0 stalls before the first byte.
        reset_after: Pieces after which the connection is reset.
        ignores_stream: The whole answer at once, even where a stream was asked for.
    """

    content: str = ""
    status: int = 200
    as_tool_call: str | None = None
    reasoning: str = ""
    finish_reason: str = "stop"
    usage: bool = True
    headers: Mapping[str, str] = field(default_factory=dict)
    content_type: str | None = None
    raw: bytes | None = None
    rewrite: Callable[[bytes], bytes] | None = None
    piece_chars: int = _PIECE_CHARS
    before_s: float = 0.0
    between_s: float = 0.0
    stall_after: int | None = None
    reset_after: int | None = None
    ignores_stream: bool = False

    @property
    def pieces(self) -> list[str]:
        """The content as a stream brings it."""
        return [self.content[at : at + self.piece_chars] for at in range(0, len(self.content), self.piece_chars)]


@dataclass(slots=True, kw_only=True)
class Request:
    """One request as it came in, and what became of it. Times are of ``time.monotonic``.

    Attributes:
        number: Among the requests of its stage, from 1.
        over: Set when the server is done with it, in whatever way.
        hung_up: The client closed the connection before the reply was complete.
    """

    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)
    api: Api = ""
    stage: Stage = "other"
    number: int = 1
    came: float = 0.0
    done: float = 0.0
    status: int = 0
    hung_up: bool = False
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def system(self) -> str:
        """The system messages, joined."""
        return "\n".join(text for role, text in messages_of(self.body) if role in ("system", "developer"))

    @property
    def said(self) -> str:
        """Everything but the system messages, joined."""
        return "\n".join(text for role, text in messages_of(self.body) if role not in ("system", "developer"))

    @property
    def streamed(self) -> bool:
        """True where the client asked for a stream; Ollama streams unless told not to."""
        return bool(self.body.get("stream", self.api == "ollama"))

    @property
    def structured(self) -> Literal["schema", "object", "tools", "text"]:
        """How the client wants the answer shaped."""
        if self.body.get("tools"):
            return "tools"
        if self.api == "ollama":
            return (
                "schema" if isinstance(self.body.get("format"), dict) else "object" if "format" in self.body else "text"
            )
        kind = (self.body.get("response_format") or {}).get("type", "text")
        return {"json_schema": "schema", "json_object": "object"}.get(kind, "text")  # type: ignore[return-value]

    @property
    def tool(self) -> str | None:
        """The tool it is to answer with, the first if there are several."""
        tools = self.body.get("tools") or [{}]
        name = tools[0].get("function", {}).get("name")
        return name if isinstance(name, str) else None


Behaviour = Callable[[Request], Reply]


def messages_of(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Role and text of each message; parts of other kinds than text are left out."""
    found = []
    for message in body.get("messages") or []:
        content = message.get("content") or ""
        if isinstance(content, list):
            content = "\n".join(part.get("text", "") for part in content if part.get("type") == "text")
        found.append((message.get("role", ""), content))
    return found


def stage_of(body: Mapping[str, Any]) -> Stage:
    """Which stage asks, by the first line of a message: ``Task: route``, ``Task: grade`` or ``Task: write``."""
    for _, text in messages_of(body):
        first = text.lstrip().split("\n", 1)[0].strip().lower()
        for stage in STAGES:
            if first == f"task: {stage}":
                return stage
    return "other"


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
        """``http://127.0.0.1:port``; OpenAI's protocol is under ``/v1``."""
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
        apis: dict[str, Api] = {"/v1/chat/completions": "openai", "/api/chat": "ollama"}
        request = Request(
            path=path, headers=dict(self.headers.items()), body=body, api=apis.get(path, ""), stage=stage_of(body)
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
            case "/v1/models":
                said = {"object": "list", "data": [_openai_model(name) for name in models]}
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
                said = _openai_model(path.removeprefix("/v1/models/"))
        body = {"error": {"message": f"{request.path}: not found"}} if said is None else said
        self._whole(404 if said is None else 200, _json(body), "application/json")

    def _answer(self, reply: Reply) -> None:
        request = self._request
        if reply.stall_after == 0:
            self._wait(PATIENCE_S)
            raise _Gone
        if reply.before_s:
            self._wait(reply.before_s)
        if reply.reset_after == 0:
            self._reset()
        protocol = _OPENAI if request.api == "openai" else _OLLAMA
        if reply.raw is not None:
            self._whole(reply.status, reply.raw, reply.content_type or "application/json", reply.headers)
        elif reply.status >= 300:
            error = _json(protocol.error(reply))
            self._whole(reply.status, error, reply.content_type or "application/json", reply.headers)
        elif request.streamed and not reply.ignores_stream:
            self._stream(reply, protocol)
        else:
            body = _json(protocol.whole(reply, request))
            body = reply.rewrite(body) if reply.rewrite else body
            self._whole(reply.status, body, reply.content_type or "application/json", reply.headers)

    def _stream(self, reply: Reply, protocol: _Protocol) -> None:
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


@dataclass(frozen=True, slots=True)
class _Protocol:
    """How one API says the same things."""

    stream_type: str
    error: Callable[[Reply], dict[str, Any]]
    whole: Callable[[Reply, Request], dict[str, Any]]
    stream: Callable[[Reply, Request], Iterator[tuple[bool, bytes]]]


def _openai_model(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "scripted"}


def _openai_error(reply: Reply) -> dict[str, Any]:
    return {"error": {"message": reply.content, "type": "error", "param": None, "code": str(reply.status)}}


def _openai_whole(reply: Reply, request: Request) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.as_tool_call is not None:
        message |= {"content": None, "tool_calls": [_openai_call(reply.as_tool_call, reply.content)]}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    choice = {"index": 0, "message": message, "finish_reason": _finished(reply), "logprobs": None}
    body = _openai_head(request, "chat.completion") | {"choices": [choice]}
    return body | ({"usage": _usage(reply, request)} if reply.usage else {})


def _openai_stream(reply: Reply, request: Request) -> Iterator[tuple[bool, bytes]]:
    head = _openai_head(request, "chat.completion.chunk")

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}
        return _sse(head | {"choices": [choice]})

    yield False, chunk({"role": "assistant", "content": ""})
    for at in range(0, len(reply.reasoning), reply.piece_chars):
        yield False, chunk({"reasoning_content": reply.reasoning[at : at + reply.piece_chars]})
    if reply.as_tool_call is not None:
        yield False, chunk({"tool_calls": [_openai_call(reply.as_tool_call, "") | {"index": 0}]})
        for piece in reply.pieces:
            yield True, chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]})
    else:
        for piece in reply.pieces:
            yield True, chunk({"content": piece})
    yield True, chunk({}, _finished(reply))
    if reply.usage and (request.body.get("stream_options") or {}).get("include_usage"):
        yield False, _sse(head | {"choices": [], "usage": _usage(reply, request)})
    yield False, b"data: [DONE]\n\n"


def _openai_head(request: Request, kind: str) -> dict[str, Any]:
    model = request.body.get("model", "scripted")
    return {"id": f"chatcmpl-{request.stage}-{request.number}", "object": kind, "created": 0, "model": model}


def _openai_call(tool: str, arguments: str) -> dict[str, Any]:
    return {"id": "call_1", "type": "function", "function": {"name": tool, "arguments": arguments}}


def _finished(reply: Reply) -> str:
    return "tool_calls" if reply.as_tool_call is not None and reply.finish_reason == "stop" else reply.finish_reason


def _usage(reply: Reply, request: Request) -> dict[str, int]:
    """A token for every four characters, and never none."""
    into = 1 + sum(len(text) for _, text in messages_of(request.body)) // 4
    out = 1 + (len(reply.content) + len(reply.reasoning)) // 4
    return {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}


def _ollama_error(reply: Reply) -> dict[str, Any]:
    return {"error": reply.content}


def _ollama_whole(reply: Reply, request: Request) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.content}
    if reply.as_tool_call is not None:
        message |= {"content": "", "tool_calls": [_ollama_call(reply)]}
    if reply.reasoning:
        message["thinking"] = reply.reasoning
    return _ollama_head(request) | {"message": message} | _ollama_end(reply, request)


def _ollama_stream(reply: Reply, request: Request) -> Iterator[tuple[bool, bytes]]:
    head = _ollama_head(request)

    def line(message: dict[str, Any]) -> bytes:
        return _json(head | {"message": {"role": "assistant", "content": ""} | message, "done": False}) + b"\n"

    for at in range(0, len(reply.reasoning), reply.piece_chars):
        yield False, line({"thinking": reply.reasoning[at : at + reply.piece_chars]})
    if reply.as_tool_call is not None:
        yield True, line({"tool_calls": [_ollama_call(reply)]})
    else:
        for piece in reply.pieces:
            yield True, line({"content": piece})
    end = head | {"message": {"role": "assistant", "content": ""}} | _ollama_end(reply, request)
    yield True, _json(end) + b"\n"


def _ollama_head(request: Request) -> dict[str, Any]:
    return {"model": request.body.get("model", "scripted"), "created_at": "2024-01-01T00:00:00Z"}


def _ollama_call(reply: Reply) -> dict[str, Any]:
    """Ollama's arguments are an object; what is none it would not have parsed, and hands over as one field."""
    try:
        arguments = json.loads(reply.content)
    except ValueError:
        arguments = {"text": reply.content}
    return {"function": {"name": reply.as_tool_call, "arguments": arguments}}


def _ollama_end(reply: Reply, request: Request) -> dict[str, Any]:
    end: dict[str, Any] = {"done": True, "done_reason": reply.finish_reason}
    if reply.usage:
        usage = _usage(reply, request)
        end |= {"prompt_eval_count": usage["prompt_tokens"], "eval_count": usage["completion_tokens"]}
    return end


_OPENAI = _Protocol("text/event-stream", _openai_error, _openai_whole, _openai_stream)
_OLLAMA = _Protocol("application/x-ndjson", _ollama_error, _ollama_whole, _ollama_stream)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _sse(value: Any) -> bytes:
    return b"data: " + _json(value) + b"\n\n"


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
