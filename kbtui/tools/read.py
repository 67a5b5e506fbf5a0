"""read: lines of one file, as a chat model calls it in the loop."""

from __future__ import annotations

import posixpath
from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import ToolContext, spec_of
from kbtui.tools.read_file import run as read_lines

NAME: Final = "read"
DESCRIPTION = "Lines of a file, at most 120 at once; a note says where to go on."

MAX_LINES: Final = 120
_MAX_CHARS: Final = 6_000


class ReadArgs(BaseModel):
    path: str = Field(description="Path, identifier or title (PEP 484).")
    start: int = Field(default=1, ge=1, description="First line.")
    end: int = Field(default=0, ge=0, description="Last line.")


def run(context: ToolContext, path: str, start: int = 1, end: int = 0) -> ToolOutput:
    file_path = path_of(context, path)
    requested_last = min(end or start + MAX_LINES - 1, start + MAX_LINES - 1)
    output = read_lines(context, file_path, start, max(requested_last, start))
    (hit,) = output.hits
    lines = hit.text.split("\n")
    size, line_count = 0, 0
    for line in lines:
        size += len(line) + 1
        if size > _MAX_CHARS and line_count:
            break
        line_count += 1
    total = len(context.knowledge.source.lines(file_path))
    text = "\n".join(lines[:line_count])[:_MAX_CHARS]
    last_line = hit.start_line + line_count - 1
    title = next((record.title for record in context.knowledge.file_records() if record.path == file_path), "")
    excerpt = replace(hit, text=text, end_line=last_line, title=title, tool=NAME)
    return replace(output, hits=(excerpt,), note=range_note(excerpt, total))


def range_note(hit: Hit, total: int) -> str:
    """The lines of ``hit`` among the ``total`` lines of its file, and the call that reads on."""
    note = f"lines {hit.start_line} to {hit.end_line} of {total}"
    return f"{note}; more: read({hit.path!r}, start={hit.end_line + 1})" if hit.end_line < total else note


def path_of(context: ToolContext, written: str) -> str:
    """The path of a file that is given by its path, the end of its path, its identifier or its title.

    Raises:
        ToolError: There is no such file, or several paths have that end.
    """
    name = written.strip().removeprefix("./")
    paths = [record.path for record in context.knowledge.file_records()]
    if not name:
        raise ToolError("read was called without a path.", "Give the path of a file.")
    if name in paths:
        return name
    candidates = [path for path in paths if path.endswith(f"/{name}")]
    candidates = candidates or [path for path in paths if posixpath.splitext(posixpath.basename(path))[0] == name]
    if len(candidates) == 1:
        return candidates[0]
    if len(candidates) > 1:
        raise ToolError(f"{len(candidates)} files are called {name!r}.", f"Which: {', '.join(candidates[:6])}?")
    from kbtui.records.opened import reader_of
    from kbtui.records.walking import node_of

    links = reader_of(context.knowledge).collection.links
    node = node_of(links, name)
    if node not in links.records:
        raise ToolError(f"There is no file {name!r}.", "Search for it, or list the documents.")
    return node


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=ReadArgs, run=run, offered_to="loop")
