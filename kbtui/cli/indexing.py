"""Indexing as people see it: bars with rate and time left on a terminal, plain lines elsewhere, then a summary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from kbtui.cli import console
from kbtui.cli.narration import STAGE_WORDS
from kbtui.domain.events import Event, Progress, Warned
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import Task, TaskID

    from kbtui.knowledge.store.indexer import IndexReport

NAMES_SHOWN = 10
COUNTED = ("read", "embed")
"""Stages that can take long enough to be told in tenths."""


class Meter:
    """An ``Emit`` that shows `Progress`, and the context in which its bars are on the screen."""

    def __init__(self) -> None:
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}
        self._told: dict[str, int] = {}

    def __enter__(self) -> Self:
        if console.animated(sys.stderr):
            self._bars = _bars()
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Warned):
            self._say(f"kbtui: warning: {event.message}")
        elif isinstance(event, Progress):
            if self._bars is not None:
                self._draw(self._bars, event)
            else:
                self._tell(event)

    def _draw(self, bars: Bars, event: Progress) -> None:
        if event.stage not in self._tasks:
            self._tasks[event.stage] = bars.add_task(
                STAGE_WORDS.get(event.stage, event.stage), total=event.total, message=""
            )
        bars.update(
            self._tasks[event.stage], completed=event.done, total=event.total, message=one_line(event.message, 40)
        )

    def _tell(self, event: Progress) -> None:
        """A line when a stage begins, and at each tenth of it."""
        words = STAGE_WORDS.get(event.stage, event.stage)
        tenth = event.done * 10 // event.total if event.total else 0
        if event.stage not in self._told or (event.stage in COUNTED and tenth > self._told[event.stage]):
            self._told[event.stage] = tenth
            counted = f" {event.done:,} of {event.total:,}" if event.total and event.stage in COUNTED else ""
            note = f" · {event.message}" if event.stage == "model" and event.message not in ("", words) else ""
            self._say(f"{words}{counted}{note}")

    def _say(self, line: str) -> None:
        if self._bars is not None:
            self._bars.console.print(one_line(line))
        else:
            console.say(line)


def print_report(report: IndexReport) -> None:
    """The summary on standard output; what could not be read is named on standard error."""
    said = notes(report)
    unsaid = [path for path in report.unreadable if not any(one_line(path) in line for line in said)]
    for path in unsaid[:NAMES_SHOWN]:
        console.warn(f"could not be read: {path}")
    if len(unsaid) > NAMES_SHOWN:
        console.warn(f"… and {len(unsaid) - NAMES_SHOWN} more")
    for line in said:
        console.warn(line)
    console.print_line(summary(report))


def notes(report: IndexReport) -> tuple[str, ...]:
    """One line for each thing about the folder that its owner should hear of."""
    return tuple(filter(None, (" ".join(report.nothing_to_read), *report.left_out)))


def summary(report: IndexReport) -> str:
    """One line: ``736 files · 14,105 chunks · 12 embedded · 3 reused · 8 skipped (6 .png, 2 too large) · 1.2 s``."""
    from kbtui.knowledge.reading.left_out import skipped_words

    parts = [
        counted(report.files, "file"),
        counted(report.chunks, "chunk"),
        f"{report.embedded:,} embedded",
        f"{report.reused:,} reused",
    ]
    if report.deleted_files:
        parts.append(f"{report.deleted_files:,} removed")
    if skipped := {reason: count for reason, count in report.skipped.items() if count}:
        parts.append(f"{sum(skipped.values()):,} skipped ({skipped_words(skipped, report.binary)})")
    if report.unreadable:
        parts.append(f"{len(report.unreadable):,} unreadable")
    parts.append(f"{report.duration_s:.1f} s")
    return " · ".join(parts)


def _bars() -> Bars:
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars
    from rich.table import Column
    from rich.text import Text

    def whole() -> Column:
        """Never cut: what counts is how far it is and how long it takes, not what a file is called."""
        return Column(no_wrap=True)

    class Rate(ProgressColumn):
        """Items a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s" if speed else "")

    return Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(table_column=whole()),
        Rate(table_column=whole()),
        TimeRemainingColumn(table_column=whole()),
        TextColumn("{task.fields[message]}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
        console=console.err(),
        transient=True,
        expand=True,
    )
