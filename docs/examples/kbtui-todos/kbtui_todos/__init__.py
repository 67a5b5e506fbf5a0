"""A tool of kbtui that finds what documents say is left to do."""

from __future__ import annotations

import re
from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import KbtuiError
from kbtui.tools.base import ToolContext, found_note, spec_of

_TODO: Final = re.compile(r"\b(?:TODO|FIXME)\b|^\s*[-*] \[ \] ")
_MOST: Final = 200


class TodoArgs(BaseModel):
    """What a model fills in; the descriptions are all that it knows of it."""

    about: str = Field(default="", description="A word that the line must hold; empty for every one.")


def run(context: ToolContext, about: str = "") -> ToolOutput:
    """The lines that say TODO or FIXME, and boxes that are not ticked, each with its place."""
    hits: list[Hit] = []
    for record in context.knowledge.file_records():
        # A run that was stopped goes no further.
        context.cancel.check()
        try:
            lines = context.knowledge.source.lines(record.path)
        except KbtuiError:
            continue
        for number, line in enumerate(lines, 1):
            if _TODO.search(line) and about.casefold() in line.casefold():
                hits.append(
                    Hit(path=record.path, start_line=number, end_line=number, text=line, score=1.0, tool=SPEC.name)
                )
    return ToolOutput(hits=tuple(hits[:_MOST]), note=found_note(hits))


SPEC = spec_of(
    name="open_todos",
    description="Finds what is left to do: lines that say TODO or FIXME, and boxes that are not ticked.",
    args=TodoArgs,
    run=run,
)
