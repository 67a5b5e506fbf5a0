"""What happens in a run, told on standard error: one line that changes on a terminal, one line a fact elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from kbtui.cli import console
from kbtui.domain.events import (
    MODEL_STAGE,
    AnswerCompleted,
    Event,
    EvidenceGraded,
    PlanAdjusted,
    Progress,
    QueryRouted,
    RunCompleted,
    TableProduced,
    ToolFinished,
    ToolStarted,
    Warned,
)
from kbtui.domain.usage import Usage
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.plurals import counted
from kbtui.text.terminal import clean, one_line
from kbtui.view.usage_words import usage_text
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from rich.status import Status

STAGE_WORDS = {
    "look": "searching the files as they are",
    "walk": "looking through the folder",
    "read": "reading files",
    "embed": "embedding",
    "write": "writing the index",
    "ready": "the text can be searched; vectors follow",
    "model": "loading the embedding model",
    "steps": "step",
    "open": "opening the data",
}
"""The stages of indexing, and the steps of an analysis, in words; others are shown by their own name."""

ASKED_WORDS = {
    "route": "understand the question",
    "grade": "judge the evidence",
    "write": "write the answer",
    "sql": "write the statement",
    "plan": "plan the steps",
    "condense": "understand the follow-up",
}
"""What a chat model is asked to do."""

SHOWN_CELLS = 160
"""Of what is asked of a tool, which may be as long as the question."""


class Narrator:
    """A ``Show`` for `follow`, and the context in which its line is on the screen.

    Args:
        live: One line that changes, instead of a line a fact; where the terminal can when not given.
    """

    def __init__(self, *, live: bool | None = None) -> None:
        self._status: Status | None = None
        self._stage = ""
        self._live = console.animated(sys.stderr) if live is None else live

    def __enter__(self) -> Self:
        if self._live:
            self._status = console.err().status("understanding the question", spinner="dots", spinner_style="default")
            self._status.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._status is not None:
            self._status.stop()

    def __call__(self, event: Event, view: RunView) -> None:
        if isinstance(event, Progress):
            self._progress(event)
            return
        line = fact(event)
        if line is None:
            return
        if isinstance(event, AnswerCompleted) and event.is_early:
            # Standard output carries the answer, which is the one that follows.
            self._keep(line)
            for text in without_known_secrets(clean(event.markdown)).split("\n"):
                self._keep(text)
        elif isinstance(event, Warned) or self._status is None or (isinstance(event, RunCompleted) and event.llm_calls):
            self._keep(line)
        else:
            self._update(f"{line}{f' · pass {view.iteration}' if view.iteration > 1 else ''}")

    def _progress(self, event: Progress) -> None:
        if event.stage == MODEL_STAGE:
            if not event.done:
                self._tell(asking(event))
            return
        words = STAGE_WORDS.get(event.stage, event.stage)
        counted = f" {event.done:,} of {event.total:,}" if event.total else f" {event.done:,}" if event.done else ""
        if self._status is not None:
            self._update(f"{words}{counted} {event.message}")
        elif event.stage != self._stage and event.stage != "steps":
            # A step's own tool has a line already.
            self._keep(f"{words} …")
        self._stage = event.stage

    def _tell(self, line: str) -> None:
        (self._keep if self._status is None else self._update)(line)

    def _update(self, line: str) -> None:
        if self._status is not None:
            from rich.text import Text

            self._status.update(Text(one_line(line, max(20, self._status.console.width - 4))))

    def _keep(self, line: str) -> None:
        if self._status is not None:
            self._status.console.print(one_line(line))
        else:
            console.say(line)


def asking(event: Progress) -> str:
    """``asking openai:gpt-5-mini to write the answer``: a call of the chat model that begins."""
    stage, _, model = event.message.partition(" ")
    stage = stage.rstrip(":")
    return f"asking {model or 'the model'} to {ASKED_WORDS.get(stage, stage)}"


def fact(event: Event) -> str | None:
    """One line about an event, or None for those that need no words."""
    match event:
        case QueryRouted(routing_plan=plan):
            asked = len(plan.sub_questions)
            parts = f" · {asked} sub-questions" if asked > 1 else ""
            meant = f" · asked as: {one_line(event.standalone, SHOWN_CELLS)}" if event.standalone else ""
            return f"{plan.query_type} · {plan.complexity}{parts}{meant}"
        case PlanAdjusted():
            return f"plan changed: {event.reason}"
        case ToolStarted():
            return f"{event.tool}: {one_line(event.sub_question, SHOWN_CELLS)}"
        case ToolFinished(ok=True):
            return f"{event.tool}: {event.note or f'{event.result_count} found'} · {event.duration_ms:.0f} ms"
        case ToolFinished():
            return f"{event.tool} failed: {event.error or event.note}"
        case EvidenceGraded():
            kept = sum(item.kept for item in event.items)
            return f"evidence {event.average:.2f} · {kept} of {len(event.items)} kept · {event.action}"
        case TableProduced():
            return f"{counted(event.row_count, 'row')} from {event.source}"
        case AnswerCompleted(is_early=True):
            return (
                f"first answer, from {event.files_read:,} of {counted(event.files_total, 'file')}; "
                "the rest is read, and the answer over all of them follows"
            )
        case AnswerCompleted():
            return f"{event.outcome.replace('_', ' ')} · {counted(len(event.citations), 'source')}"
        case RunCompleted():
            used = Usage(
                calls=event.llm_calls,
                tokens_in=event.tokens_in,
                tokens_out=event.tokens_out,
                cost_usd=event.cost_usd,
            )
            return " · ".join(part for part in (f"done in {event.duration_ms / 1000:.2f} s", usage_text(used)) if part)
        case Warned():
            return f"kbtui: warning: {event.message}"
        case _:
            return None
