"""The engine: one question in, a stream of events and a cited answer out.

It owns runs (threads, cancellation, time limits, recording) and knows nothing of how an answer is found: that is
`Backend.answer`, joined in ``bootstrap``. A front end needs three lines: make an engine, iterate ``stream`` or take
what ``start`` puts, fold with ``reduce``.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbtui.domain.analysis import ResultTable
from kbtui.domain.answer import Answer
from kbtui.domain.conversation import MAX_QUESTION_CHARS
from kbtui.domain.events import MODEL_STAGE, Deviation, Event, Progress, RunCompleted, RunStarted, Warned
from kbtui.domain.ports import Emit, RunSummary
from kbtui.errors import Cancelled, KbtuiError, TimedOut, UsageError
from kbtui.runs.audit import AuditLog
from kbtui.runs.backend import Backend, RunRequest, ToolCalls
from kbtui.runs.history import History
from kbtui.runs.run import Clock, Listener, Run, Watchdog
from kbtui.sessions.ids import utc_now
from kbtui.text.mentions import Named
from kbtui.text.terminal import clean
from kbtui.view.folding import reduce
from kbtui.view.view_state import EMPTY, RunView

if TYPE_CHECKING:
    from kbtui.domain.holdings import Library
    from kbtui.knowledge.reading.source import SourceText
    from kbtui.knowledge.store.freshness import Staleness

log = logging.getLogger("kbtui.engine")


class Engine:
    """Answers questions over one folder.

    Args:
        backend: What finds answers.
        kb: The folder.
        model: ``offline`` or ``provider:name``.
        sources: Data sources, as given.
        session_id: Session that the runs belong to.
        record: Given every event, after it was stamped; None records nothing.
        timeout_s: Longest time for a run, in seconds. Time spent on indexing does not count: a folder that was never
            indexed may need minutes, and shows that it is alive by its `Progress` events.
        deadline_s: Longest time for a run whatever it does, or None.
        clock: Time of events.
        new_run_id: Makes the ids of runs.
        follow_ups: False takes every question by itself, whatever was asked before.
        audit: Where decisions are kept; in memory alone when not given.
    """

    def __init__(
        self,
        backend: Backend,
        *,
        kb: Path,
        model: str = "offline",
        sources: tuple[str, ...] = (),
        session_id: str = "",
        record: Listener | None = None,
        timeout_s: float = 120.0,
        deadline_s: float | None = None,
        clock: Clock = utc_now,
        new_run_id: Callable[[], str] = lambda: uuid.uuid4().hex[:12],
        audit: AuditLog | None = None,
        follow_ups: bool = True,
    ) -> None:
        self.kb = kb
        self.model = model
        self.sources = sources
        self.session_id = session_id
        self._backend = backend
        self._record = record
        self._timeout_s = timeout_s
        self._deadline_s = deadline_s
        self._clock = clock
        self._new_run_id = new_run_id
        self._runs: dict[str, Run] = {}
        self._opening = threading.Lock()
        self._closed = False
        self._audit = audit if audit is not None else AuditLog()
        self.history = History()
        self._follow_ups = follow_ups

    def answer_query(self, query: str, status_callback: Listener | None = None, *, about: str = "") -> Answer:
        """Answer one question; blocks until the run is over.

        Args:
            query: The question.
            status_callback: Given every event as it happens, in order.
            about: A text that the question is about, such as a diff or a log; it is not recorded.

        Raises:
            KbtuiError: The run failed; also when it was cancelled or timed out.
        """
        view = EMPTY

        def follow(event: Event) -> None:
            nonlocal view
            view = reduce(view, event)
            if status_callback is not None:
                status_callback(event)

        failure = self._execute(query, follow, about=about)
        if failure is not None:
            raise failure
        return _answer(view)

    async def stream(self, query: str) -> AsyncIterator[Event]:
        """The events of one run, as they happen; closing the iterator early cancels the run."""
        import asyncio

        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | None] = asyncio.Queue()

        def put(event: Event | None) -> None:
            # The loop may be gone when a cancelled run winds down after its reader.
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, event)

        run_id = self.start(query, put)
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            self.cancel(run_id)

    def start(self, query: str, put: Callable[[Event | None], None], *, about: str = "") -> str:
        """Begin a run in a thread of its own and return its id; ``put`` is given its events there, at the end None.

        Args:
            about: As in `answer_query`.
        """
        run_id = self._new_run_id()

        def work() -> None:
            try:
                self._execute(query, put, run_id=run_id, about=about)
            finally:
                put(None)

        threading.Thread(target=work, name=f"kbtui-run-{run_id}", daemon=True).start()
        return run_id

    def cancel(self, run_id: str) -> None:
        """Stop a run: its final event goes out at once; a run that is over or unknown is left alone."""
        if (run := self._runs.get(run_id)) is not None:
            run.stop()

    def close(self) -> None:
        """Stop every run: their final events are out when this returns, and no further run begins."""
        with self._opening:
            self._closed = True
        for run in list(self._runs.values()):
            run.stop()

    def audit(self, run_id: str) -> tuple[dict[str, Any], ...]:
        """Every decision of a run of this sitting, in order, with prompts and raw answers of the chat model.

        Nothing for a run of another sitting, or one that was too many runs ago.
        """
        return self._audit.entries(run_id)

    def new_conversation(self) -> None:
        """The questions to come mean nothing of those before; what is recorded goes on as it was."""
        self.history.clear()

    def warm(self) -> None:
        """Load what the first question will need; blocks."""
        self._backend.warm()

    def rehearse(self) -> None:
        """Answer a question aside, offline and unrecorded, so that the first one waits for nothing; blocks."""
        self._backend.rehearse()

    def refresh(self) -> None:
        """Take up what another process has written to the index."""
        self._backend.refresh()

    def staleness(self) -> Staleness:
        """How far the folder and its index agree; blocks for a walk of the folder."""
        return self._backend.staleness()

    def read_source(self, path: str) -> SourceText:
        """A file of the folder, for the preview.

        Raises:
            KnowledgeBaseError: It cannot be read, or lies outside the folder.
        """
        return self._backend.read_source(path)

    def file_count(self) -> int | None:
        """Files in the index, None where there is no index yet."""
        return self._backend.file_count()

    def names(self) -> tuple[Named, ...]:
        """What a question can mention behind an ``@``: files, folders, tables and columns; blocks."""
        return self._backend.names()

    @property
    def library(self) -> Library:
        """What there is to ask about."""
        return self._backend.library

    @property
    def tools(self) -> ToolCalls:
        """The tools, for programs that call them one by one; nothing of a call is recorded."""
        return self._backend.tools

    def refresh_schema(self) -> None:
        """Forget what is known of the structure of the data sources; the next question reads it again."""
        self._backend.refresh_schema()

    def rerun(self, sql: str, source: str) -> ResultTable:
        """Run a statement of an answer again; blocks.

        Raises:
            DataSourceError: It was refused or failed, or there is no such source.
        """
        return self._backend.rerun(sql, source)

    def _execute(self, query: str, listener: Listener, run_id: str | None = None, about: str = "") -> KbtuiError | None:
        """Run to the end in this thread; the failure, if it failed."""
        # Pasted or piped in, a question can hold anything; it is shown, recorded and searched for as text.
        query = clean(query)
        watchdogs: list[Watchdog] = []

        def alive(event: Event) -> None:
            # Waiting for a chat model counts: only indexing may take as long as it takes.
            if isinstance(event, Progress) and event.stage != MODEL_STAGE:
                watchdogs[0].touch()

        recorded = () if self._record is None else (self._record,)
        run = Run(run_id or self._new_run_id(), (*recorded, self.history.follow, listener, alive), self._clock)
        watchdogs.append(Watchdog(self._timeout_s, lambda: run.fail(_overdue(self._timeout_s))))
        if self._deadline_s is not None:
            deadline_s = self._deadline_s
            watchdogs.append(Watchdog(deadline_s, lambda: run.fail(_overdue(deadline_s))))
        failure: KbtuiError | None = None
        try:
            with self._opening:
                # Either `close` finds the run, or the run finds the engine closed.
                if self._closed:
                    return Cancelled()
                self._runs[run.run_id] = run
                run.emit(
                    RunStarted(
                        query=query,
                        session_id=self.session_id,
                        model=self.model,
                        kb=str(self.kb),
                        sources=self.sources,
                    )
                )
            asked = _checked(query, run.emit)
            before = self.history.turns if self._follow_ups else ()
            summary = self._backend.answer(
                RunRequest(
                    query=asked,
                    emit=run.emit,
                    cancel=run.cancel,
                    audit=self._audit.of(run.run_id),
                    history=before,
                    about=clean(about),
                )
            )
            run.emit(
                RunCompleted(
                    duration_ms=run.elapsed_ms,
                    iterations=summary.iterations,
                    llm_calls=summary.usage.calls,
                    tool_calls=run.tool_calls,
                    deviation=_deviation(summary, run),
                    tokens_in=summary.usage.tokens_in,
                    tokens_out=summary.usage.tokens_out,
                    cost_usd=summary.usage.cost_usd,
                )
            )
        except Cancelled as error:
            late = next((limit for limit in watchdogs if limit.fired), None)
            failure = _overdue(late.timeout_s) if late is not None else error
            run.stop()
        except KbtuiError as error:
            failure = error
            run.fail(error)
        except Exception as error:
            log.exception("a run failed in a way nobody foresaw")
            failure = KbtuiError(
                f"Something went wrong inside kbtui: {type(error).__name__}: {error}",
                "The details are in the log file; `kbtui doctor` says where it is.",
            )
            run.fail(failure)
        finally:
            for watchdog in watchdogs:
                watchdog.stop()
            self._runs.pop(run.run_id, None)
        return failure


def _deviation(summary: RunSummary, run: Run) -> Deviation:
    """As the analysis found it; of a search, which calls what it planned in that order, the calls left undone."""
    if summary.deviation.planned or not run.planned_calls:
        return summary.deviation
    undone = max(0, run.planned_calls - run.tool_calls)
    ratio = round(undone / run.planned_calls, 4)
    return Deviation(planned=run.planned_calls, actual=run.tool_calls, ratio=ratio)


def _overdue(limit_s: float) -> TimedOut:
    return TimedOut(
        f"The run took longer than {limit_s:g} s and was stopped.",
        "Raise agent.timeout_s or --timeout, or ask something narrower.",
    )


def _checked(query: str, emit: Emit) -> str:
    """The question as it is worked on: never empty, never endless."""
    query = query.strip()
    if not query:
        raise UsageError("The question is empty.", "Ask something, for example: what is this folder about?")
    if len(query) > MAX_QUESTION_CHARS:
        emit(Warned(message=f"The question was cut to its first {MAX_QUESTION_CHARS:,} characters.", where="engine"))
        # Half a word would be searched for as if it were one.
        query = query[:MAX_QUESTION_CHARS].rsplit(maxsplit=1)[0]
    return query


def _answer(view: RunView) -> Answer:
    completed = view.answer
    if completed is None:
        raise KbtuiError("The run ended without an answer.", "Ask again; `kbtui doctor` checks the installation.")
    return Answer(
        query=view.query,
        markdown=completed.markdown,
        outcome=completed.outcome,
        run_id=view.run_id,
        session_id=view.session_id,
        citations=completed.citations,
        unsupported=completed.unsupported,
        suggestions=completed.suggestions,
        duration_ms=view.duration_ms,
        iterations=view.iteration,
    )
