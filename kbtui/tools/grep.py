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
from kbtui.tools.search import is_at

NAME: Final = "grep"
DESCRIPTION = (
    "Lines that match a regular expression, in any case, counted over ALL files: words, identifiers, `^Status: Draft`."
)

_SHOWN: Final = 12
"""Lines that one call shows."""
_A_FILE: Final = 3
"""Lines of one file among them, while other files have some."""
_LONGEST: Final = 500
"""Characters of a pattern."""
_LINE: Final = 300


class GrepArgs(BaseModel):
    pattern: str = Field(description="Regular expression or plain text.")
    path: str = Field(default="", description="A file, folder or pattern.")
    offset: int = Field(default=0, ge=0, description="Lines to skip.")
    count_only: bool = Field(default=False, description="Counts alone.")


def run(context: ToolContext, pattern: str, path: str = "", offset: int = 0, count_only: bool = False) -> ToolOutput:
    if not pattern.strip() or len(pattern) > _LONGEST:
        raise ToolError("grep needs a pattern of 1 to 500 characters.", "Give a word or a regular expression.")
    files = [record for record in context.knowledge.file_records() if is_at(record.path, path)]
    if not files:
        raise ToolError(f"No file is at {path.strip()!r}.", "Leave path out, or take one from the folder card.")
    found, is_literal = context.knowledge.grep.matching(pattern, files, context.cancel)
    lines = sum(len(numbers) for numbers in found.values())
    where = f" under {path.strip()}" if path.strip() else ""
    literal = " (taken as plain text)" if is_literal else ""
    text = f"{counted(lines, 'line')} in {counted(len(found), 'file')} match {pattern}{literal}"
    text += f", of {counted(len(files), 'file')}{where}."
    if count_only and len(found) > 1:
        most = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))[:_SHOWN]
        text += " Most: " + "; ".join(f"{name}: {len(numbers)}" for name, numbers in most) + "."
    places = _in_order(found)
    hits = _hits(context, places[offset : offset + (1 if count_only else _SHOWN)])
    note = f"{counted(lines, 'line')} in {counted(len(found), 'file')}"
    end = min(offset + _SHOWN, lines)
    if not count_only and (offset or end < lines):
        note += f"; {offset + 1} to {end} shown" if offset < end else f"; none from offset={offset} on"
        note += f"; more: offset={end}" if end < lines else ""
    return ToolOutput(hits=hits, text=text, note=note)


def _in_order(found: dict[str, list[int]]) -> list[tuple[str, int]]:
    """Every matching line: the first few of each file, then, beginning anew, the next few of each."""
    per_file = max(_A_FILE, _SHOWN // max(len(found), 1))
    places = [
        (at // per_file, path, number) for path, numbers in found.items() for at, number in enumerate(sorted(numbers))
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
            hits.append(_hit(path, number, lines[number - 1][:_LINE], titles.get(path, "")))
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
