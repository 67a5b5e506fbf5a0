"""Narrates a run on standard error: in one changing line on a terminal, in one line for each event elsewhere."""

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
    "fetch": N_("fetching the published index"),
    "upload": N_("uploading"),
}
"""The stages of indexing, and the steps of an analysis, in words; other stages are printed by their names."""

PURPOSE_WORDS = {
    "route": N_("understand the question"),
    "grade": N_("judge the evidence"),
    "write": N_("write the answer"),
    "sql": N_("write the statement"),
    "plan": N_("plan the steps"),
    "condense": N_("understand the follow-up"),
}
"""The purposes of calls of a chat model, in words."""

MAX_PRINTED_CELLS = 160
"""Longest part of a question that a line contains."""


class Narrator:
    """A ``Show`` for `follow`, and the context manager within which its line is displayed.

    Args:
        live: Whether to use one changing line; None means wherever the terminal supports it.
    """

    def __init__(self, *, live: bool | None = None) -> None:
        self._status: Status | None = None
        self._stage = ""
        self._live = console.is_animated(sys.stderr) if live is None else live

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
            # Standard output is reserved for the final answer, which follows.
            self._print(line)
            for text in without_known_secrets(clean(event.markdown)).split("\n"):
                self._print(text)
        elif isinstance(event, Warned) or self._status is None or (isinstance(event, RunCompleted) and event.llm_calls):
            self._print(line)
        else:
            self._update(" · ".join((line, _("pass {n}", n=view.iteration))) if view.iteration > 1 else line)

    def _progress(self, event: Progress) -> None:
        if event.stage == MODEL_STAGE:
            if not event.done:
                (self._print if self._status is None else self._update)(asking(event))
            return
        words = _(STAGE_WORDS.get(event.stage, event.stage))
        counted = f" {event.done:,}" if event.done else ""
        if event.total:
            counted = " " + _("{number:,} of {count:,}", number=event.done, count=event.total)
        if self._status is not None:
            self._update(f"{words}{counted} {event.message}")
        elif event.stage != self._stage and event.stage != "steps":
            # A step has a line already, that of its tool.
            self._print(f"{words} …")
        self._stage = event.stage

    def _update(self, line: str) -> None:
        if self._status is not None:
            from rich.text import Text

            self._status.update(Text(one_line(line, max(20, self._status.console.width - 4))))

    def _print(self, line: str) -> None:
        if self._status is not None:
            self._status.console.print(one_line(line))
        else:
            console.say(line)


def asking(event: Progress) -> str:
    """``asking openai:gpt-5-mini to write the answer``: the line for a call of the chat model that begins."""
    stage, _space, model = event.message.partition(" ")
    stage = stage.rstrip(":")
    purpose = _(PURPOSE_WORDS.get(stage, stage))
    return _("asking {model} to {what}", model=model or _("the model"), what=purpose)


def fact(event: Event) -> str | None:
    """One line about an event; None for an event without a line."""
    match event:
        case QueryRouted(routing_plan=plan):
            part_count = len(plan.sub_questions)
            facts = [name_words(plan.query_type), name_words(plan.complexity)]
            facts += [_("{count} sub-questions", count=part_count)] if part_count > 1 else []
            facts += [_("asked as: ") + one_line(event.standalone, MAX_PRINTED_CELLS)] if event.standalone else []
            return " · ".join(facts)
        case PlanAdjusted():
            return _("plan changed: {reason}", reason=event.reason)
        case ToolStarted():
            return f"{event.tool}: {one_line(event.sub_question, MAX_PRINTED_CELLS)}"
        case ToolFinished(ok=True):
            note = event.note or _("{count} found", count=event.result_count)
            return f"{event.tool}: {note} · {_('{n:.0f} ms', n=event.duration_ms)}"
        case ToolFinished():
            return _("{tool} failed: {reason}", tool=event.tool, reason=made(event.error or event.note))
        case EvidenceGraded():
            kept_count = sum(item.kept for item in event.items)
            average = _("evidence {score:.2f}", score=event.average)
            return " · ".join(
                (average, _("{kept} of {count} kept", kept=kept_count, count=len(event.items)), event.action)
            )
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
            usage = Usage(
                calls=event.llm_calls,
                tokens_in=event.tokens_in,
                tokens_out=event.tokens_out,
                cost_usd=event.cost_usd,
            )
            duration = _("done in {seconds:.2f} s", seconds=event.duration_ms / 1000)
            return " · ".join(part for part in (duration, usage_text(usage)) if part)
        case Warned():
            return _("kbtui: warning: {message}", message=made(event.message))
        case _:
            return None
