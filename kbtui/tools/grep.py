"""grep: every line that matches a pattern, with true counts over all files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import KbtuiError, ToolError
from kbtui.text.plurals import counted
from kbtui.tools.base import ToolContext, spec_of
from kbtui.tools.search import matches_path

NAME: Final = "grep"
DESCRIPTION = (
    "Lines that match a regular expression, in any case, counted over ALL files: words, identifiers, `^Status: Draft`."
)

_MAX_LINES: Final = 12
"""Matching lines that one call returns."""
_MIN_LINES_PER_FILE: Final = 3
"""Matching lines that a file may contribute where many files match."""
_MAX_PATTERN_CHARS: Final = 500
_MAX_LINE_CHARS: Final = 300


class GrepArgs(BaseModel):
    pattern: str = Field(description="Regular expression or plain text.")
    path: str = Field(default="", description="A file, folder or pattern.")
    offset: int = Field(default=0, ge=0, description="Lines to skip.")
    count_only: bool = Field(default=False, description="Counts alone.")


def run(context: ToolContext, pattern: str, path: str = "", offset: int = 0, count_only: bool = False) -> ToolOutput:
    if not pattern.strip() or len(pattern) > _MAX_PATTERN_CHARS:
        raise ToolError("grep needs a pattern of 1 to 500 characters.", "Give a word or a regular expression.")
    files = [record for record in context.knowledge.file_records() if matches_path(record.path, path)]
    if not files:
        raise ToolError(f"No file is at {path.strip()!r}.", "Leave path out, or take one from the folder card.")
    matches, is_literal = context.knowledge.grep.matching(pattern, files, context.cancel)
    line_count = sum(len(numbers) for numbers in matches.values())
    location = f" under {path.strip()}" if path.strip() else ""
    literal = " (taken as plain text)" if is_literal else ""
    text = f"{counted(line_count, 'line')} in {counted(len(matches), 'file')} match {pattern}{literal}"
    text += f", of {counted(len(files), 'file')}{location}."
    if count_only and len(matches) > 1:
        files_with_most = sorted(matches.items(), key=lambda item: (-len(item[1]), item[0]))[:_MAX_LINES]
        text += " Most: " + "; ".join(f"{name}: {len(numbers)}" for name, numbers in files_with_most) + "."
    places = _in_order(matches)
    hits = _hits(context, places[offset : offset + (1 if count_only else _MAX_LINES)])
    note = f"{counted(line_count, 'line')} in {counted(len(matches), 'file')}"
    end = min(offset + _MAX_LINES, line_count)
    if not count_only and (offset or end < line_count):
        note += f"; {offset + 1} to {end} shown" if offset < end else f"; none from offset={offset} on"
        note += f"; more: offset={end}" if end < line_count else ""
    return ToolOutput(hits=hits, text=text, note=note)


def _in_order(matches: dict[str, list[int]]) -> list[tuple[str, int]]:
    """Every matching line: the first few of each file, then the next few of each, and so on."""
    per_file = max(_MIN_LINES_PER_FILE, _MAX_LINES // max(len(matches), 1))
    places = [
        (at // per_file, path, number) for path, numbers in matches.items() for at, number in enumerate(sorted(numbers))
    ]
    return [(path, number) for _, path, number in sorted(places)]


def _hits(context: ToolContext, places: Iterable[tuple[str, int]]) -> tuple[Hit, ...]:
    hits: list[Hit] = []
    titles = {record.path: record.title for record in context.knowledge.file_records()}
    for path, number in places:
        try:
            lines = context.knowledge.source.lines(path)
        except (KbtuiError, OSError):
            continue
        if number <= len(lines):
            hits.append(_hit(path, number, lines[number - 1][:_MAX_LINE_CHARS], titles.get(path, "")))
    return tuple(hits)


def _hit(path: str, number: int, text: str, title: str) -> Hit:
    return Hit(
        path=path,
        start_line=number,
        end_line=number,
        text=text,
        score=1.0,
        tool=NAME,
        title=title,
        matched_lines=(number,),
    )


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=GrepArgs, run=run, offered_to="loop")
