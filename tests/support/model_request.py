"""What a scripted model is asked and what it answers, whatever the protocol around it.

Four protocols put the same things in different places: `messages_of` and the properties of `Request` find them in each.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Stage = Literal["route", "grade", "write", "loop", "probe", "other"]
Api = Literal["openai", "ollama", "anthropic", "google", ""]

STAGES: tuple[Stage, ...] = ("route", "grade", "write")
"""Of the fixed pipeline."""
LOOP_STAGES: tuple[Stage, ...] = ("loop", "probe")
"""Of the loop, in which the model calls tools."""

_PIECE_CHARS = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model answers, and what happens on the wire.

    Attributes:
        content: What it says; where a tool call or a schema was asked for, the arguments or the object as text.
        status: HTTP status; from 300 on, ``content`` is the error's message.
        as_tool_call: It answers by calling this tool with ``content`` as arguments.
        calls: Tools that it calls, by name and arguments as text; ``content`` is then what it says before.
        reasoning: What it thinks aloud, in the field that providers have for it.
        finish_reason: Why it stopped, in OpenAI's words; each protocol says it in its own.
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
    calls: tuple[tuple[str, str], ...] = ()
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
        return pieces_of(self.content, self.piece_chars)

    @property
    def thoughts(self) -> list[str]:
        """What it thinks aloud as a stream brings it."""
        return pieces_of(self.reasoning, self.piece_chars)

    @property
    def tool_calls(self) -> list[tuple[str, str]]:
        """Every tool that it calls, by name and arguments as text."""
        return list(self.calls) if self.as_tool_call is None else [(self.as_tool_call, self.content)]

    @property
    def said(self) -> str:
        """What it says in words."""
        return self.content if self.as_tool_call is None else ""


def arguments_of(written: str) -> dict[str, Any]:
    """The arguments of a tool call, for protocols in which they are an object and no text.

    What is none a server of that kind would not have parsed, and hands over as one field.
    """
    try:
        found = json.loads(written)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"text": written}


def pieces_of(text: str, chars: int) -> list[str]:
    """``text`` cut every ``chars`` characters."""
    return [text[at : at + chars] for at in range(0, len(text), chars)]


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
        return "\n".join(text for role, text in messages_of(self.body) if role in _SYSTEM)

    @property
    def said(self) -> str:
        """Everything but the system messages, joined."""
        return "\n".join(text for role, text in messages_of(self.body) if role not in _SYSTEM)

    @property
    def model(self) -> str:
        """The model that is asked, which Google has in the path."""
        if self.api == "google":
            return self.path.rsplit("/", 1)[-1].split(":", 1)[0]
        return str(self.body.get("model", "scripted"))

    @property
    def key(self) -> str:
        """The key that was sent, wherever the protocol has it."""
        sent = {name.lower(): value for name, value in self.headers.items()}
        bearer = sent.get("authorization", "").removeprefix("Bearer ")
        return sent.get("x-api-key") or sent.get("x-goog-api-key") or bearer

    @property
    def streamed(self) -> bool:
        """True where the client asked for a stream; Ollama streams unless told not to."""
        if self.api == "google":
            return ":stream" in self.path
        return bool(self.body.get("stream", self.api == "ollama"))

    @property
    def structured(self) -> Literal["schema", "object", "tools", "text"]:
        """How the client wants the answer shaped."""
        if self.body.get("tools"):
            return "tools"
        match self.api:
            case "ollama":
                wanted = self.body.get("format")
                return "schema" if isinstance(wanted, dict) else "object" if wanted else "text"
            case "anthropic":
                return "schema" if (self.body.get("output_config") or {}).get("format") else "text"
            case "google":
                config = self.body.get("generationConfig") or {}
                if config.get("responseJsonSchema") or config.get("responseSchema"):
                    return "schema"
                return "object" if config.get("responseMimeType") == "application/json" else "text"
        kind = (self.body.get("response_format") or {}).get("type", "text")
        return {"json_schema": "schema", "json_object": "object"}.get(kind, "text")  # type: ignore[return-value]

    @property
    def tool(self) -> str | None:
        """The tool it is to answer with, the first if there are several."""
        offered = (self.body.get("tools") or [{}])[0]
        declared = offered.get("functionDeclarations") or [offered.get("function") or offered]
        name = declared[0].get("name")
        return name if isinstance(name, str) else None


Behaviour = Callable[[Request], Reply]

_SYSTEM = ("system", "developer")


def messages_of(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Role and text of each message, the system's first; parts of other kinds than text are left out."""
    return [(role, _text(content)) for role, content in _contents(body)]


def stage_of(body: Mapping[str, Any]) -> Stage:
    """Which stage asks, by the first line of a message: ``Task: route``, ``Task: grade`` or ``Task: write``."""
    for _, text in messages_of(body):
        first = text.lstrip().split("\n", 1)[0].strip().lower()
        for stage in (*STAGES, *LOOP_STAGES):
            if first == f"task: {stage}":
                return stage
    return "other"


def tokens_of(reply: Reply, request: Request) -> tuple[int, int]:
    """Tokens in and out: one for every four characters, and never none."""
    into = 1 + sum(len(text) for _, text in messages_of(request.body)) // 4
    return into, 1 + (len(reply.content) + len(reply.reasoning)) // 4


def _contents(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Role and content, as the protocol writes it."""
    if "contents" in body:
        # Google: ``{"parts": [{"text": …}]}``, also for the system.
        if system := body.get("systemInstruction"):
            yield "system", system.get("parts")
        for message in body["contents"]:
            yield message.get("role", ""), message.get("parts")
        return
    if system := body.get("system"):
        # Anthropic has it beside the messages.
        yield "system", system
    for message in body.get("messages") or []:
        yield message.get("role", ""), message.get("content")


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(_part(part) for part in content)
    return content or ""


def _part(part: Mapping[str, Any]) -> str:
    """The text of a part, or of the result of a tool, which Anthropic and Google send as a part."""
    if response := part.get("functionResponse"):
        return str((response.get("response") or {}).get("output", response.get("response")))
    if part.get("type") == "tool_result":
        return _text(part.get("content"))
    return str(part.get("text", "")) if part.get("type", "text") == "text" else ""
