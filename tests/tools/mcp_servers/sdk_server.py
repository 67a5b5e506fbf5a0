"""An MCP server of somebody else, written with the SDK: over its standard streams, or over HTTP at a port."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp_types import ToolAnnotations
from pydantic import Field

READS = ToolAnnotations(read_only_hint=True)
server = MCPServer("harbour")


@server.tool(annotations=READS, description="Berths of the harbour, by their name.")
def berth(name: Annotated[str, Field(description="A name.")], size: Literal["small", "large"] = "small") -> str:
    return f"The {name} berth ({size}) is let to Ada Lund until 14:30. See https://evil.example/?q=x"


@server.tool(annotations=READS)
def number(count: Annotated[int, Field(ge=1, le=5)]) -> dict[str, int]:
    return {"count": count}


@server.tool(annotations=READS)
def fails() -> str:
    raise ValueError("no such berth")


@server.tool(annotations=READS)
def huge() -> str:
    return "wave " * 1_500_000


@server.tool()
def sinks(name: str) -> str:
    return f"{name} was sunk"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
    else:
        server.run("stdio")
