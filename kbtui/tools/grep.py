"""grep: every line that matches a pattern, with true counts over all files."""

from __future__ import annotations

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
    "Lines that match a regular expression (case is ignored), counted over ALL files: exact words, identifiers, "
    "`^Status: Draft`. The way to count what no field says."
)

_SHOWN: Final = 12
"""Lines that one call shows."""
_A_FILE: Final = 3
"""Lines of one file among them, while other files have some."""
_LONGEST: Final = 500
"""Characters of a pattern."""
_LINE: Final = 300


class GrepArgs(BaseModel):
    pattern: str = Field(description="Regular expression, or plain text.")
    path: str = Field(default="", description="Only this file, folder, or pattern of paths.")
    count_only: bool = Field(default=False, description="Only the counts, with the files that have most.")


def run(context: ToolContext, pattern: str, path: str = "", count_only: bool = False) -> ToolOutput:
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
    hits = _hits(context, found, 1 if count_only else _SHOWN)
    left = lines - len(hits)
    note = f"{counted(lines, 'line')} in {counted(len(found), 'file')}"
    if left and not count_only:
        note += f"; {left} lines not shown: narrow by path, or a longer pattern"
    return ToolOutput(hits=hits, text=text, note=note)


def _hits(context: ToolContext, found: dict[str, list[int]], most: int) -> tuple[Hit, ...]:
    """The first lines, of each file a few."""
    per_file = max(_A_FILE, most // max(len(found), 1))
    hits: list[Hit] = []
    titles = {record.path: record.title for record in context.knowledge.file_records()}
    for path in sorted(found):
        if len(hits) >= most:
            break
        try:
            lines = context.knowledge.source.lines(path)
        except (KbtuiError, OSError):
            continue
        numbers = [number for number in found[path] if number <= len(lines)]
        hits += [
            _hit(path, number, lines[number - 1][:_LINE], titles.get(path, ""))
            for number in numbers[: min(per_file, most - len(hits))]
        ]
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
