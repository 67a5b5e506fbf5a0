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
from kbtui.i18n import N_, _, made, ngettext
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.terminal import clean, one_line
from kbtui.view.kind_words import name_words, outcome_words
from kbtui.view.usage_words import usage_text
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from rich.status import Status

STAGE_WORDS = {
    "look": N_("searching the files as they are"),
    "walk": N_("looking through the folder"),
    "read": N_("reading files"),
    "embed": N_("embedding"),
    "write": N_("writing the index"),
    "ready": N_("the text can be searched; vectors follow"),
    "model": N_("loading the embedding model"),
    "steps": N_("step"),
    "open": N_("opening the data"),
}
"""The stages of indexing, and the steps of an analysis, in words; others are shown by their own name."""

ASKED_WORDS = {
    "route": N_("understand the question"),
    "grade": N_("judge the evidence"),
    "write": N_("write the answer"),
    "sql": N_("write the statement"),
    "plan": N_("plan the steps"),
    "condense": N_("understand the follow-up"),
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
            self._status = console.err().status(
                _("understanding the question"), spinner="dots", spinner_style="default"
            )
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
            self._update(" · ".join((line, _("pass {n}", n=view.iteration))) if view.iteration > 1 else line)

    def _progress(self, event: Progress) -> None:
        if event.stage == MODEL_STAGE:
            if not event.done:
                self._tell(asking(event))
            return
        words = _(STAGE_WORDS.get(event.stage, event.stage))
        counted = f" {event.done:,}" if event.done else ""
        if event.total:
            counted = " " + _("{number:,} of {count:,}", number=event.done, count=event.total)
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
    stage, _space, model = event.message.partition(" ")
    stage = stage.rstrip(":")
    what = _(ASKED_WORDS.get(stage, stage))
    return _("asking {model} to {what}", model=model or _("the model"), what=what)


def fact(event: Event) -> str | None:
    """One line about an event, or None for those that need no words."""
    match event:
        case QueryRouted(routing_plan=plan):
            asked = len(plan.sub_questions)
            facts = [name_words(plan.query_type), name_words(plan.complexity)]
            facts += [_("{count} sub-questions", count=asked)] if asked > 1 else []
            facts += [_("asked as: ") + one_line(event.standalone, SHOWN_CELLS)] if event.standalone else []
            return " · ".join(facts)
        case PlanAdjusted():
            return _("plan changed: {reason}", reason=event.reason)
        case ToolStarted():
            return f"{event.tool}: {one_line(event.sub_question, SHOWN_CELLS)}"
        case ToolFinished(ok=True):
            found = event.note or _("{count} found", count=event.result_count)
            return f"{event.tool}: {found} · {_('{n:.0f} ms', n=event.duration_ms)}"
        case ToolFinished():
            return _("{tool} failed: {reason}", tool=event.tool, reason=made(event.error or event.note))
        case EvidenceGraded():
            kept = sum(item.kept for item in event.items)
            average = _("evidence {score:.2f}", score=event.average)
            return " · ".join((average, _("{kept} of {count} kept", kept=kept, count=len(event.items)), event.action))
        case TableProduced():
            rows = ngettext("{count:,} row", "{count:,} rows", event.row_count)
            return _("{rows} from {source}", rows=rows, source=event.source)
        case AnswerCompleted(is_early=True):
            files = ngettext("{count:,} file", "{count:,} files", event.files_total)
            return _(
                "first answer, from {read:,} of {files}; the rest is read, and the answer over all of them follows",
                read=event.files_read,
                files=files,
            )
        case AnswerCompleted():
            sources = ngettext("{count:,} source", "{count:,} sources", len(event.citations))
            return f"{outcome_words(event.outcome)} · {sources}"
        case RunCompleted():
            used = Usage(
                calls=event.llm_calls,
                tokens_in=event.tokens_in,
                tokens_out=event.tokens_out,
                cost_usd=event.cost_usd,
            )
            took = _("done in {seconds:.2f} s", seconds=event.duration_ms / 1000)
            return " · ".join(part for part in (took, usage_text(used)) if part)
        case Warned():
            return _("kbtui: warning: {message}", message=made(event.message))
        case _:
            return None
