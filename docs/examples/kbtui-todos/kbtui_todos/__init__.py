"""A tool of kbtui that finds what documents say is left to do."""

from __future__ import annotations

import re
from typing import Final

from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import KbtuiError
from kbtui.question.model import Question
from kbtui.question.noun_phrases import joined_noun_phrases
from kbtui.tools.base import Answers, ToolContext, found_note, spec_of

_TODO: Final = re.compile(r"\b(?:TODO|FIXME)\b|^\s*[-*] \[ \] |^To do\b")
_ITSELF: Final = re.compile(r"\b(?:todos?|tasks?|fixmes?|items?|what|done)\b|待办|事项|没", re.I)
"""Things in a question that mean the todos themselves, not what they are about."""
_MOST: Final = 200


class TodoArgs(BaseModel):
    """What a model fills in; the descriptions are all that it knows of it."""

    about: str = Field(default="", description="A word that the line must hold; empty for every one.")


def run(context: ToolContext, about: str = "") -> ToolOutput:
    """The lines that say TODO or FIXME, boxes that are not ticked and items of lists (`lists`), each with its place."""
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


def arguments(question: Question) -> dict[str, str]:
    """The arguments of a call for a question: the word for the last thing that it names beside the todos themselves."""
    things = [
        thing.without_determiner
        for thing in joined_noun_phrases(question.text)
        if not thing.is_asked_for and not _ITSELF.search(thing.without_determiner)
    ]
    return {"about": things[-1]} if things else {}


SPEC = spec_of(
    name="open_todos",
    description="Finds what is left to do: lines that say TODO or FIXME, and boxes that are not ticked.",
    args=TodoArgs,
    run=run,
    answers=Answers(
        examples=(
            "what is left to do?",
            "which tasks are open?",
            "what still has to be done?",
            "are there any TODOs or FIXMEs?",
            "还有什么没做？",
            "还有哪些待办事项？",
        ),
        arguments=arguments,
    ),
)
