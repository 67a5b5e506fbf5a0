"""How analyses went against their plans, over all that was recorded (spec 004, requirement 4.4): for better planning.

Session files are read line by line, and only the lines that tell something of it are decoded; what cannot be read of a
file is left out, since a table over months must not fail for one broken recording.
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
from kbtui.sessions.lines import events_in, telling
from kbtui.sessions.recording import LONGEST_LINE

By = Literal["day", "month", "type", "session"]

_CONTEXT: Final = "get_data_source_context"
_TELLING = telling("run_started", "request_classified", "step_started", "tool_finished", "run_completed", "run_failed")


@dataclass(slots=True)
class RunStats:
    """One analysis of data.

    Attributes:
        day: When it began, as ``2026-11-20`` (UTC).
        looks: How often a structure was asked for, and
        cached: how often it was known.
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
    """Analyses brought together.

    Attributes:
        ratio: Mean deviation ratio, 0 where everything went as planned.
        duration_ms: Mean.
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
    """The analyses in session files that were planned and came to an end, each file in its order."""
    for path in paths:
        open_runs: dict[str, RunStats] = {}
        for event in events_in(_lines(path)):
            if (done := _fold(open_runs, event, path.stem)) is not None:
                yield done


def table(stats: Iterable[RunStats], by: By = "day") -> tuple[StatsRow, ...]:
    """A row a group, in the order of their names, which for days is that of time."""
    keys: Mapping[By, Callable[[RunStats], str]] = {
        "day": lambda one: one.day,
        "month": lambda one: one.day[:7],
        "type": lambda one: one.request_type,
        "session": lambda one: one.session,
    }
    groups: dict[str, list[RunStats]] = {}
    for one in stats:
        groups.setdefault(keys[by](one), []).append(one)
    return tuple(_row(name, groups[name]) for name in sorted(groups))


def _row(name: str, runs: list[RunStats]) -> StatsRow:
    return StatsRow(
        group=name,
        runs=len(runs),
        planned=sum(one.deviation.planned for one in runs),
        actual=sum(one.deviation.actual for one in runs),
        ratio=round(sum(one.deviation.ratio for one in runs) / len(runs), 4),
        order_changes=sum(one.deviation.order_changes for one in runs),
        warned=sum(one.deviation.warned for one in runs),
        retries=sum(one.retries for one in runs),
        looks=sum(one.looks for one in runs),
        cached=sum(one.cached for one in runs),
        duration_ms=round(sum(one.duration_ms for one in runs) / len(runs), 1),
    )


def _fold(open_runs: dict[str, RunStats], event: Event, session: str) -> RunStats | None:
    """Take one event; the run's figures when it was an analysis and is over."""
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
        case ToolFinished(tool=tool) if tool == _CONTEXT:
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
        while line := file.readline(LONGEST_LINE):
            # The kind stands near the beginning of a line.
            if _TELLING.search(line, 0, 400):
                yield line
