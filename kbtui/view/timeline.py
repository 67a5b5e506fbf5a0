"""Times of a recording: its runs, the starts of stages, and when each event is due when played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kbtui.domain.events import Event
from kbtui.view.view_state import StageName

LONGEST_PAUSE_S = 3.0
"""Longest delay between two events when played; longer ones (model calls, time between questions) are cut to it."""

SHORTEST_PAUSE_S = 0.12
"""Shortest delay between two events when played: an offline run takes a fifth of a second, too fast to follow."""

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
    """A run of a recording, as the range of events from ``start`` to ``stop`` (exclusive)."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """The position after the event that enters ``stage``, possibly again in a later pass."""

    position: int
    stage: StageName


def run_spans(runs: Sequence[Sequence[Event]]) -> tuple[RunSpan, ...]:
    """The ranges of runs whose events are put one after the other."""
    spans: list[RunSpan] = []
    start = 0
    for run in runs:
        spans.append(RunSpan(start=start, stop=start + len(run)))
        start += len(run)
    return tuple(spans)


def stage_marks(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[Mark, ...]:
    """The positions where stages are entered, in order."""
    marks: list[Mark] = []
    for span in runs:
        current_stage: StageName | None = None
        for index in range(span.start, span.stop):
            stage = _STAGE_OF.get(events[index].kind)
            if stage is None or stage == current_stage:
                continue
            if current_stage is None and stage == "sub_questions":  # the event ends both if no request was classified
                marks.append(Mark(position=index + 1, stage="intent"))
            marks.append(Mark(position=index + 1, stage=stage))
            current_stage = stage
    return tuple(marks)


def recorded_seconds(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[float, ...]:
    """Seconds from the first event of its run to each event, as recorded; never decreasing, even if the clock was."""
    times: list[float] = []
    for span in runs:
        elapsed = 0.0
        first = datetime.fromisoformat(events[span.start].at)
        for event in events[span.start : span.stop]:
            elapsed = max(elapsed, (datetime.fromisoformat(event.at) - first).total_seconds())
            times.append(elapsed)
    return tuple(times)


def due_seconds(events: Sequence[Event], runs: Sequence[RunSpan]) -> tuple[float, ...]:
    """Seconds from the start of the recording at which each event is due at speed 1; never decreasing."""
    recorded = recorded_seconds(events, runs)
    starts = {span.start for span in runs}
    due: list[float] = []
    at = 0.0
    for index, event in enumerate(events):
        if index in starts:
            gap = LONGEST_PAUSE_S if index else 0.0
        else:
            minimum = 0.0 if event.kind in _STREAMED else SHORTEST_PAUSE_S
            gap = max(minimum, min(LONGEST_PAUSE_S, recorded[index] - recorded[index - 1]))
        at += gap
        due.append(at)
    return tuple(due)
