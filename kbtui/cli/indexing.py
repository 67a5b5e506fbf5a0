"""Displays indexing: progress bars on a terminal, plain lines elsewhere, then a summary."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from kbtui.cli import console
from kbtui.cli.narration import STAGE_WORDS
from kbtui.domain.events import Event, Progress, Warned
from kbtui.i18n import _
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import Task, TaskID

    from kbtui.knowledge.store.indexer import IndexReport

MAX_PRINTED_NAMES = 10
COUNTED_STAGES = ("read", "embed", "upload")
"""Stages that may take long, whose progress is printed at each tenth."""


class Meter:
    """An ``Emit`` that displays `Progress`, and the context manager within which its bars are displayed."""

    def __init__(self) -> None:
        self._bars: Bars | None = None
        self._tasks: dict[str, TaskID] = {}
        self._printed_tenths: dict[str, int] = {}

    def __enter__(self) -> Self:
        if console.is_animated(sys.stderr):
            self._bars = _progress_bars()
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Warned):
            self._print_line(f"kbtui: warning: {event.message}")
        elif isinstance(event, Progress):
            if self._bars is not None:
                self._draw(self._bars, event)
            else:
                self._print_progress(event)

    def _draw(self, bars: Bars, event: Progress) -> None:
        if event.stage not in self._tasks:
            self._tasks[event.stage] = bars.add_task(
                _(STAGE_WORDS.get(event.stage, event.stage)), total=event.total, message=""
            )
        bars.update(
            self._tasks[event.stage], completed=event.done, total=event.total, message=one_line(event.message, 40)
        )

    def _print_progress(self, event: Progress) -> None:
        """Print a line when a stage begins, and at each tenth of it."""
        words = _(STAGE_WORDS.get(event.stage, event.stage))
        tenth = event.done * 10 // event.total if event.total else 0
        if event.stage not in self._printed_tenths or (
            event.stage in COUNTED_STAGES and tenth > self._printed_tenths[event.stage]
        ):
            self._printed_tenths[event.stage] = tenth
            count_text = f" {event.done:,} of {event.total:,}" if event.total and event.stage in COUNTED_STAGES else ""
            note = f" · {event.message}" if event.stage == "model" and event.message not in ("", words) else ""
            self._print_line(f"{words}{count_text}{note}")

    def _print_line(self, line: str) -> None:
        if self._bars is not None:
            self._bars.console.print(one_line(line))
        else:
            console.say(line)


def print_report(report: IndexReport) -> None:
    """Print the summary on standard output, and what could not be read on standard error."""
    report_notes = notes(report)
    other_paths = [path for path in report.unreadable if not any(one_line(path) in line for line in report_notes)]
    for path in other_paths[:MAX_PRINTED_NAMES]:
        console.warn(f"could not be read: {path}")
    if len(other_paths) > MAX_PRINTED_NAMES:
        console.warn(f"… and {len(other_paths) - MAX_PRINTED_NAMES} more")
    for line in report_notes:
        console.warn(line)
    console.print_line(summary(report))


def notes(report: IndexReport) -> tuple[str, ...]:
    """One line for each remark on the folder: why nothing can be read, and what was left out."""
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


def _progress_bars() -> Bars:
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars
    from rich.table import Column
    from rich.text import Text

    def uncut_column() -> Column:
        """A column that is never cut; the name of the file is cut instead."""
        return Column(no_wrap=True)

    class Rate(ProgressColumn):
        """Items a second."""

        def render(self, task: Task) -> Text:
            speed = task.finished_speed or task.speed
            return Text(f"{speed:,.0f}/s" if speed else "")

    return Bars(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(table_column=uncut_column()),
        Rate(table_column=uncut_column()),
        TimeRemainingColumn(table_column=uncut_column()),
        TextColumn("{task.fields[message]}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
        console=console.err(),
        transient=True,
        expand=True,
    )
