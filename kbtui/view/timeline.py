"""When things happened in a recording: its runs, where stages begin, and how far apart events are when played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kbtui.domain.events import Event
from kbtui.view.view_state import StageName

LONGEST_PAUSE_S = 3.0
"""Longer waits (a model thinking, a reader reading) are cut to this when played."""

SHORTEST_PAUSE_S = 0.12
"""An offline run is over in a fifth of a second: each new fact stays at least this long, so that an eye can follow."""

_STREAMED = frozenset({"answer_delta", "progress"})

_STAGE_OF: dict[str, StageName] = {
    "request_classified": "intent",
    "query_routed": "sub_questions",
    "plan_created": "plan_steps",
    "plan_adjusted": "plan_steps",
    "step_started": "plan_steps",
    "step_finished": "plan_steps",
    "tool_started": "tool_calls",
    "tool_finished": "tool_calls",
    "evidence_graded": "evidence",
    "table_produced": "answer",
    "reading_chosen": "answer",
    "chart_produced": "answer",
    "answer_delta": "answer",
    "answer_completed": "answer",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSpan:
    """One run of a recording: events ``start`` to ``stop`` (exclusive) of the player's."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A place worth jumping to: after the event that enters ``stage`` (again, in a later pass)."""

    position: int
    stage: StageName


def spans_of(runs: Sequence[Sequence[Event]]) -> tuple[RunSpan, ...]:
    """Where each run stands, the runs put one after the other."""
    spans: list[RunSpan] = []
    start = 0
    for run in runs:
        spans.append(RunSpan(start=start, stop=start + len(run)))
        start += len(run)
    return tuple(spans)


def marks_of(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[Mark, ...]:
    """Where stages are entered, in order."""
    marks: list[Mark] = []
    for span in runs:
        entered: StageName | None = None
        for index in range(span.start, span.stop):
            stage = _STAGE_OF.get(events[index].kind)
            if stage is None or stage == entered:
                continue
            if entered is None and stage == "sub_questions":  # one event tells both, where no request was classified
                marks.append(Mark(position=index + 1, stage="intent"))
            marks.append(Mark(position=index + 1, stage=stage))
            entered = stage
    return tuple(marks)


def recorded_of(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[float, ...]:
    """Seconds of each event after the first of its run, as recorded; a clock set back never makes time go back."""
    times: list[float] = []
    for span in runs:
        latest = 0.0
        first = datetime.fromisoformat(events[span.start].at)
        for event in events[span.start : span.stop]:
            latest = max(latest, (datetime.fromisoformat(event.at) - first).total_seconds())
            times.append(latest)
    return tuple(times)


def due_of(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[float, ...]:
    """When each event is due at speed 1, in seconds from the start of the whole; never decreasing."""
    recorded = recorded_of(events, runs)
    starts = {span.start for span in runs}
    due: list[float] = []
    at = 0.0
    for index, event in enumerate(events):
        if index in starts:
            gap = LONGEST_PAUSE_S if index else 0.0
        else:
            least = 0.0 if event.kind in _STREAMED else SHORTEST_PAUSE_S
            gap = max(least, min(LONGEST_PAUSE_S, recorded[index] - recorded[index - 1]))
        at += gap
        due.append(at)
    return tuple(due)
