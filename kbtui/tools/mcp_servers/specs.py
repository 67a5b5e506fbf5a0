"""The tools of MCP servers as tools of a chat model: which are offered, what may be sent, and what comes back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from kbtui.domain.cancel import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.settings.model import McpServer, Settings
from kbtui.text.hidden import visible
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import tokens
from kbtui.tools.base import DataContext, Foreign, ToolContext, ToolSpec, as_tool
from kbtui.tools.mcp_servers.connections import Connection, connection_of
from kbtui.tools.mcp_servers.schemas import SchemaError, problem_with, safe_schema, short_text, texts_of

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

MAX_TOOLS: Final = 20
"""Tools of one server that are offered: each takes room in every prompt."""
MAX_TEXT_CHARS: Final = 20_000
_MAX_BLOCKS: Final = 200
_MAX_WORDS: Final = 100_000
"""Tokens of one server that are remembered as its own."""
_SMALL_NUMBER: Final = 100
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORD: Final = re.compile(r"\w+")
_ANY: Final = "*"


class ListedTool(Struct, frozen=True, kw_only=True):
    """A tool that a server lists.

    Attributes:
        spec: The tool as it is offered; None where it is not.
        why_not: Why it is not offered, in a few words.
        texts: What the server says of it, to be looked through for orders to a model.
    """

    name: str
    spec: ToolSpec | None = None
    why_not: str = ""
    texts: tuple[str, ...] = ()


def server_tools(
    settings: Settings, cancel: CancelToken, warn: Callable[[str, ToolError], None]
) -> Iterator[ListedTool]:
    """The tools of every server of the settings.

    Args:
        warn: Receives the name of each server that cannot be used, and the reason.

    Raises:
        Cancelled: ``cancel`` was set.
    """
    for name, server in settings.mcp.servers.items():
        try:
            yield from list_server(name, server, cancel)
        except ToolError as error:
            warn(name, error)


def list_server(name: str, server: McpServer, cancel: CancelToken) -> Iterator[ListedTool]:
    """The tools of one server.

    Raises:
        ToolError: It cannot be reached.
        Cancelled: ``cancel`` was set.
    """
    connection = connection_of(name, server)
    offered: set[str] = set()
    for tool in connection.tools(cancel):
        listed = _listed(connection, tool, offered)
        if listed.spec is not None:
            offered.add(listed.spec.name)
        yield listed


def _listed(connection: Connection, tool: Any, offered: set[str]) -> ListedTool:
    server, declared_name = connection.server, str(tool.name)
    shown = short_text(declared_name, 64)
    name = f"{connection.name}_{declared_name}"
    texts = tuple(short_text(text) for text in (declared_name, tool.description or ""))
    if not _NAME.fullmatch(name) or name in offered:
        return ListedTool(name=shown, why_not="its name cannot be used", texts=texts)
    if not (_ANY in server.tools or declared_name in server.tools):
        if server.tools:
            return ListedTool(name=shown, why_not="the settings do not name it", texts=texts)
        if tool.annotations is None or tool.annotations.read_only_hint is not True:
            return ListedTool(name=shown, why_not="it does not say that it only reads", texts=texts)
    if len(offered) >= MAX_TOOLS:
        return ListedTool(name=shown, why_not=f"only {MAX_TOOLS} are offered", texts=texts)
    try:
        parameters = safe_schema(tool.input_schema)
    except SchemaError as error:
        return ListedTool(name=shown, why_not=str(error), texts=texts)
    texts = (*texts, *texts_of(parameters))
    _learn(connection, " ".join(texts))
    return ListedTool(name=shown, spec=_spec(connection, declared_name, name, texts[1], parameters), texts=texts)


def _spec(connection: Connection, tool: str, name: str, description: str, parameters: Mapping[str, Any]) -> ToolSpec:
    shown = f"Of the server {connection.name}, which says: {description or tool}"
    run = partial(_run, connection, tool)

    def build(context: ToolContext) -> BaseTool:
        return as_tool(name=name, description=shown, args=dict(parameters), run=partial(run, context))

    return ToolSpec(
        name=name,
        description=shown,
        build=build,
        serves="either",
        offered_to="loop",
        foreign=Foreign(
            parameters=parameters,
            invalid=partial(problem_with, parameters),
            unsendable=partial(_unsendable, connection),
        ),
        run=run,
    )


def _unsendable(connection: Connection, arguments: Mapping[str, Any], user_text: str) -> str:
    """Why arguments may not be sent: words that are neither the user's nor the server's own may be of a document."""
    if connection.server.send == "any":
        return ""
    known = _words_of(user_text) | connection.words
    texts = [text for text in texts_of(arguments) if not _is_small_number(text)]
    unknown = dict.fromkeys(token for text in texts for token in tokens(text) if token not in known)
    if not unknown:
        return ""
    words = ", ".join(repr(one_line(word, 30)) for word in list(unknown)[:5])
    return f"only words of the user are sent to {connection.name}, and of its own results; leave out {words}."


def _words_of(text: str) -> set[str]:
    """The words of a text: as they are searched for, and as they stand there."""
    return {*tokens(text), *_WORD.findall(text.casefold())}


def _is_small_number(text: str) -> bool:
    try:
        return abs(float(text)) <= _SMALL_NUMBER
    except ValueError:
        return False


def _run(connection: Connection, tool: str, context: DataContext, /, **arguments: Any) -> ToolOutput:
    result = connection.call(tool, arguments, context.cancel)
    text = _text_of(result)
    _learn(connection, text)
    if result.is_error:
        raise ToolError(f"{connection.name} {tool} says: {one_line(text, 300) or 'it failed'}")
    return ToolOutput(
        text=text or "It returned nothing.",
        note=f"{len(text):,} characters of {connection.name}",
        origin=f"{connection.name} {tool}",
    )


def _text_of(result: Any) -> str:
    """The text of a result, cleaned and cut; what is no text is named."""
    parts: list[str] = []
    room = MAX_TEXT_CHARS
    for block in result.content[:_MAX_BLOCKS]:
        kind = str(getattr(block, "type", ""))
        resource = getattr(block, "resource", None)
        text = getattr(block, "text", None) if resource is None else getattr(resource, "text", None)
        part = visible(text[: 2 * room]) if isinstance(text, str) else f"[{short_text(kind, 30)}: left out]"
        parts.append(part[:room])
        room -= len(parts[-1])
        if room <= 0:
            parts.append("[The rest is left out.]")
            break
    if not parts and result.structured_content is not None:
        parts.append(visible(json.dumps(result.structured_content, ensure_ascii=False))[:MAX_TEXT_CHARS])
    return "\n".join(parts).strip()


def _learn(connection: Connection, text: str) -> None:
    if len(connection.words) < _MAX_WORDS:
        connection.words.update(_words_of(text))
