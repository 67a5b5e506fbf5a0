"""Statistics of recorded analyses: how they deviated from their plans (spec 004, requirement 4.4).

Session files are read line by line, and only events that count are decoded. Unreadable lines are skipped, since a table
over months must not fail for one damaged recording.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from kbtui.domain.events import (
    Deviation,
    Event,
    RequestClassified,
    RunCompleted,
    RunFailed,
    RunStarted,
    StepStarted,
    ToolFinished,
)
from kbtui.regular_files import open_regular
from kbtui.sessions.lines import events_in, kind_pattern
from kbtui.sessions.recording import MAX_LINE_BYTES

By = Literal["day", "month", "type", "session"]

_SCHEMA_TOOL: Final = "get_data_source_context"
_COUNTED_KINDS = kind_pattern(
    "run_started", "request_classified", "step_started", "tool_finished", "run_completed", "run_failed"
)


@dataclass(slots=True)
class RunStats:
    """One analysis of data.

    Attributes:
        day: The day it began, as ``2026-11-20`` (UTC).
        looks: Calls that asked for the structure of a source.
        cached: Those of these calls that the cache answered.
        steps: Steps begun; a search has none.
        retries: Attempts after the first, over all steps.
    """

    session: str = ""
    day: str = ""
    request_type: str = ""
    deviation: Deviation = field(default_factory=Deviation)
    duration_ms: float = 0.0
    looks: int = 0
    cached: int = 0
    steps: int = 0
    retries: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsRow:
    """Statistics over a group of analyses.

    Attributes:
        ratio: Mean deviation ratio, 0 where everything went as planned.
        duration_ms: Mean duration.
    """

    group: str
    runs: int
    planned: int
    actual: int
    ratio: float
    order_changes: int
    warned: int
    retries: int
    looks: int
    cached: int
    duration_ms: float


def analyses(paths: Iterable[Path]) -> Iterator[RunStats]:
    """The completed analyses in session files, in the order of the files and of their lines."""
    for path in paths:
        open_runs: dict[str, RunStats] = {}
        for event in events_in(_lines(path)):
            if (completed := _fold(open_runs, event, path.stem)) is not None:
                yield completed


def table(stats: Iterable[RunStats], by: By = "day") -> tuple[StatsRow, ...]:
    """One row for each group, sorted by name, which for days and months is by time."""
    keys: Mapping[By, Callable[[RunStats], str]] = {
        "day": lambda analysis: analysis.day,
        "month": lambda analysis: analysis.day[:7],
        "type": lambda analysis: analysis.request_type,
        "session": lambda analysis: analysis.session,
    }
    groups: dict[str, list[RunStats]] = {}
    for analysis in stats:
        groups.setdefault(keys[by](analysis), []).append(analysis)
    return tuple(_row(name, groups[name]) for name in sorted(groups))


def _row(name: str, runs: list[RunStats]) -> StatsRow:
    return StatsRow(
        group=name,
        runs=len(runs),
        planned=sum(run.deviation.planned for run in runs),
        actual=sum(run.deviation.actual for run in runs),
        ratio=round(sum(run.deviation.ratio for run in runs) / len(runs), 4),
        order_changes=sum(run.deviation.order_changes for run in runs),
        warned=sum(run.deviation.warned for run in runs),
        retries=sum(run.retries for run in runs),
        looks=sum(run.looks for run in runs),
        cached=sum(run.cached for run in runs),
        duration_ms=round(sum(run.duration_ms for run in runs) / len(runs), 1),
    )


def _fold(open_runs: dict[str, RunStats], event: Event, session: str) -> RunStats | None:
    """Add one event to the open runs; the statistics of the run where the event completes an analysis."""
    if isinstance(event, RunStarted):
        open_runs[event.run_id] = RunStats(session=session, day=event.at[:10])
        return None
    run = open_runs.get(event.run_id)
    if run is None:
        return None
    match event:
        case RequestClassified():
            run.request_type = event.request_type
        case StepStarted():
            run.steps += event.attempt == 1
            run.retries += event.attempt > 1
        case ToolFinished(tool=tool) if tool == _SCHEMA_TOOL:
            run.looks += 1
            run.cached += event.cached
        case RunCompleted():
            del open_runs[event.run_id]
            run.deviation, run.duration_ms = event.deviation, event.duration_ms
            return run if run.steps else None
        case RunFailed():
            del open_runs[event.run_id]
        case _:
            pass
    return None


def _lines(path: Path) -> Iterator[bytes]:
    with contextlib.suppress(OSError), open_regular(path) as file:
        while line := file.readline(MAX_LINE_BYTES):
            # The kind is written near the beginning of a line.
            if _COUNTED_KINDS.search(line, 0, 400):
                yield line
