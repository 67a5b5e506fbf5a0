"""read_file: lines of one file of the knowledge base, never of anything outside it."""

from __future__ import annotations

from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import ToolContext, spec_of

DESCRIPTION = "Reads lines of one file of the knowledge base, to see what stands around a passage."

MAX_LINES = 400
MAX_CHARS = 20_000


class ReadArgs(BaseModel):
    path: str = Field(description="Path of the file relative to the knowledge base.")
    start_line: int | None = Field(default=None, description="First line to read, from 1; the first by default.")
    end_line: int | None = Field(default=None, description="Last line to read, inclusive; the last by default.")


def run(context: ToolContext, path: str, start_line: int | None = None, end_line: int | None = None) -> ToolOutput:
    if not path.strip():
        raise ToolError("read_file was called without a path.", "Give the path of a file in the knowledge base.")
    lines = context.knowledge.source.lines(path)
    first = max(start_line or 1, 1)
    requested_last = min(end_line or len(lines), len(lines))
    if first > len(lines) or requested_last < first:
        raise ToolError(
            f"{path} has {len(lines)} lines; there are no lines {start_line or 1} to {end_line or len(lines)}.",
            "Ask for lines that exist.",
        )
    last = _last_line_that_fits(lines, first, requested_last)
    note = f"lines {first} to {last} of {len(lines)}"
    if last < requested_last:
        note += f"; cut at {MAX_LINES} lines or {MAX_CHARS:,} characters, line {last + 1} comes next"
    text = "\n".join(lines[first - 1 : last])
    if len(text) > MAX_CHARS:
        text, note = text[:MAX_CHARS], f"{note}; the line is longer than {MAX_CHARS:,} characters and was cut"
    hit = Hit(path=path, start_line=first, end_line=last, text=text, score=1.0, tool=SPEC.name)
    return ToolOutput(hits=(hit,), note=note)


def _last_line_that_fits(lines: list[str] | tuple[str, ...], first: int, requested_last: int) -> int:
    size, last = 0, first
    for number in range(first, min(requested_last, first + MAX_LINES - 1) + 1):
        size += len(lines[number - 1]) + 1
        if size > MAX_CHARS + 1 and number > first:
            break
        last = number
    return last


SPEC = spec_of(name="read_file", description=DESCRIPTION, args=ReadArgs, run=run)
