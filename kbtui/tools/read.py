"""read: lines of one file, for a chat model that looks for itself."""

from __future__ import annotations

import posixpath
from dataclasses import replace
from typing import Final

from msgspec.structs import replace as changed
from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import ToolContext, spec_of
from kbtui.tools.read_file import run as read_lines

NAME: Final = "read"
DESCRIPTION = "Lines of a file, at most 120 at once; a note says where to go on."

MOST_LINES: Final = 120
_MOST_CHARS: Final = 6_000


class ReadArgs(BaseModel):
    path: str = Field(description="Path, identifier or title (PEP 484).")
    start: int = Field(default=1, ge=1, description="First line.")
    end: int = Field(default=0, ge=0, description="Last line.")


def run(context: ToolContext, path: str, start: int = 1, end: int = 0) -> ToolOutput:
    where = path_of(context, path)
    last = min(end or start + MOST_LINES - 1, start + MOST_LINES - 1)
    output = read_lines(context, where, start, max(last, start))
    (hit,) = output.hits
    lines = hit.text.split("\n")
    size, kept = 0, 0
    for line in lines:
        size += len(line) + 1
        if size > _MOST_CHARS and kept:
            break
        kept += 1
    total = len(context.knowledge.source.lines(where))
    text = "\n".join(lines[:kept])[:_MOST_CHARS]
    hit_end = hit.start_line + kept - 1
    title = next((record.title for record in context.knowledge.file_records() if record.path == where), "")
    shown = replace(hit, text=text, end_line=hit_end, title=title, tool=NAME)
    return changed(output, hits=(shown,), note=range_note(shown, total))


def range_note(hit: Hit, total: int) -> str:
    """Which of the ``total`` lines of a file ``hit`` holds, and the call that reads on."""
    note = f"lines {hit.start_line} to {hit.end_line} of {total}"
    return f"{note}; more: read({hit.path!r}, start={hit.end_line + 1})" if hit.end_line < total else note


def path_of(context: ToolContext, written: str) -> str:
    """The path of a file that was named by its path, the end of it, or what it goes by.

    Raises:
        ToolError: There is none, or several end so.
    """
    wanted = written.strip().removeprefix("./")
    paths = [record.path for record in context.knowledge.file_records()]
    if not wanted:
        raise ToolError("read was called without a path.", "Give the path of a file.")
    if wanted in paths:
        return wanted
    ends = [path for path in paths if path.endswith(f"/{wanted}")]
    ends = ends or [path for path in paths if posixpath.splitext(posixpath.basename(path))[0] == wanted]
    if len(ends) == 1:
        return ends[0]
    if len(ends) > 1:
        raise ToolError(f"{len(ends)} files are called {wanted!r}.", f"Which: {', '.join(ends[:6])}?")
    from kbtui.records.opened import reader_of
    from kbtui.records.walking import node_of

    links = reader_of(context.knowledge).collection.links
    node = node_of(links, wanted)
    if node not in links.records:
        raise ToolError(f"There is no file {wanted!r}.", "Search for it, or list the documents.")
    return node


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=ReadArgs, run=run, offered_to="loop")
