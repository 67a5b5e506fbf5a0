"""Tools of other people's MCP servers, for chat models that call tools, and for programs.

Off unless the user's settings name a server (``mcp.servers``). The protocol's SDK is imported then, never before.
`schemas` reads what a server declares, `transports` carries messages within limits, `connections` keeps a server
connected, `specs` makes the tools. Whatever a server says is the text of a stranger.
"""

from kbtui.tools.mcp_servers.connections import close_servers
from kbtui.tools.mcp_servers.specs import ListedTool, list_server, server_tools

__all__ = ["ListedTool", "close_servers", "list_server", "server_tools"]
