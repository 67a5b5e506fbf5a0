"""The engine: it turns a question into a stream of events that ends with a cited answer.

It manages runs: threads, cancellation, time limits and recording. How an answer is found is up to `Backend.answer`,
which ``bootstrap`` implements. A front end makes an engine, takes the events of ``stream`` or ``start``, and folds them
with ``reduce``.
"""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
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
from kbtui.settings.published import location_of
from kbtui.text.mentions import Named, written
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
        backend: Finds the answers.
        kb: The folder.
        model: ``offline`` or ``provider:name``.
        sources: Data sources, as given.
        session_id: Session that the runs belong to.
        record: Receives every stamped event; None records nothing.
        timeout_s: Time limit of a run in seconds. Indexing does not count: it may take minutes for a new folder, and
            its `Progress` events show that it goes on.
        deadline_s: Time limit of a run including indexing; None for no limit.
        clock: Returns the time of events.
        new_run_id: Returns the id of a new run.
        follow_ups: False answers every question by itself, whatever was asked before.
        audit: Log of decisions; kept in memory only where it is not given.
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

    def answer_query(
        self, query: str, status_callback: Listener | None = None, *, about: str = "", scope: Sequence[str] = ()
    ) -> Answer:
        """Answer one question; blocks until the run is over.

        Args:
            query: The question.
            status_callback: Receives every event as it happens, in order.
            about: A text that the question is about, such as a diff or a log; it is not recorded.
            scope: Limits the question to files, folders and conditions on documents, which are put before it as if
                written behind an ``@``: ``runbooks/``, ``kind:ticket``, ``status:open``, ``after:2025-01-01``.

        Raises:
            KbtuiError: The run failed; also when it was cancelled or timed out.
        """
        view = EMPTY

        def follow(event: Event) -> None:
            nonlocal view
            view = reduce(view, event)
            if status_callback is not None:
                status_callback(event)

        failure = self._execute(query, follow, about=about, scope=scope)
        if failure is not None:
            raise failure
        return _answer(view)

    async def stream(self, query: str) -> AsyncIterator[Event]:
        """The events of one run, as they happen; closing the iterator early cancels the run."""
        import asyncio

        loop = asyncio.get_running_loop()
        queue: asyncio.Queue[Event | None] = asyncio.Queue()

        def put(event: Event | None) -> None:
            # A cancelled run may still wind down after its reader has closed the event loop.
            if not loop.is_closed():
                loop.call_soon_threadsafe(queue.put_nowait, event)

        run_id = self.start(query, put)
        try:
            while (event := await queue.get()) is not None:
                yield event
        finally:
            self.cancel(run_id)

    def start(
        self, query: str, put: Callable[[Event | None], None], *, about: str = "", scope: Sequence[str] = ()
    ) -> str:
        """Start a run in a thread of its own and return its id; ``put`` receives its events there, and None at the end.

        Args:
            about: As in `answer_query`.
            scope: As in `answer_query`.
        """
        run_id = self._new_run_id()

        def work() -> None:
            try:
                self._execute(query, put, run_id=run_id, about=about, scope=scope)
            finally:
                put(None)

        threading.Thread(target=work, name=f"kbtui-run-{run_id}", daemon=True).start()
        return run_id

    def cancel(self, run_id: str) -> None:
        """Stop a run, which emits its final event at once; without effect on a run that is over or unknown."""
        if (run := self._runs.get(run_id)) is not None:
            run.stop()

    def close(self) -> None:
        """Stop every run and refuse new ones; the final events are emitted before this returns."""
        with self._opening:
            self._closed = True
        for run in list(self._runs.values()):
            run.stop()

    def audit(self, run_id: str) -> tuple[dict[str, Any], ...]:
        """The decisions of a run of this process in order, with prompts and raw answers of the chat model.

        Empty for a run of another process, and for one that is no longer kept in memory.
        """
        return self._audit.entries(run_id)

    def new_conversation(self) -> None:
        """Begin a new conversation: later questions do not refer to earlier ones. The recording goes on."""
        self.history.clear()

    def warm(self) -> None:
        """Load what the first question needs; blocks."""
        self._backend.warm()

    def rehearse(self) -> None:
        """Answer a question offline and unrecorded, so that the first real one is not slower than the next; blocks."""
        self._backend.rehearse()

    def refresh(self) -> None:
        """Use what another process has written to the index."""
        self._backend.refresh()

    def staleness(self) -> Staleness:
        """The differences between the folder and its index; blocks while the folder is walked."""
        return self._backend.staleness()

    def read_source(self, path: str) -> SourceText:
        """The text of a file of the folder, for the preview.

        Raises:
            KnowledgeBaseError: It cannot be read, or lies outside the folder.
        """
        return self._backend.read_source(path)

    def file_count(self) -> int | None:
        """Number of files in the index; None where there is no index yet."""
        return self._backend.file_count()

    def names(self) -> tuple[Named, ...]:
        """The files, folders, tables, columns and conditions that a question can mention behind an ``@``; blocks."""
        return self._backend.names()

    @property
    def library(self) -> Library:
        """The documents, tables and suggested questions of the folder and its data."""
        return self._backend.library

    @property
    def tools(self) -> ToolCalls:
        """Single tool calls, for other programs; they are not recorded."""
        return self._backend.tools

    def refresh_schema(self) -> None:
        """Drop the cached structure of the data sources; the next question reads it again."""
        self._backend.refresh_schema()

    def rerun(self, sql: str, source: str) -> ResultTable:
        """Run a statement of an answer again; blocks.

        Raises:
            DataSourceError: It was refused or failed, or there is no such source.
        """
        return self._backend.rerun(sql, source)

    def _execute(
        self,
        query: str,
        listener: Listener,
        run_id: str | None = None,
        about: str = "",
        scope: Sequence[str] = (),
    ) -> KbtuiError | None:
        """Execute a run in this thread and return its failure, None where it succeeded."""
        # A pasted or piped question may contain control characters; it is shown, recorded and searched as text.
        query, scope = clean(query), tuple(map(clean, scope))
        watchdogs: list[Watchdog] = []

        def touch_watchdog(event: Event) -> None:
            # Waiting for a chat model counts against the time limit; only indexing does not.
            if isinstance(event, Progress) and event.stage != MODEL_STAGE:
                watchdogs[0].touch()

        recorded = () if self._record is None else (self._record,)
        run = Run(run_id or self._new_run_id(), (*recorded, self.history.follow, listener, touch_watchdog), self._clock)
        watchdogs.append(Watchdog(self._timeout_s, lambda: run.fail(_timed_out(self._timeout_s))))
        if self._deadline_s is not None:
            deadline_s = self._deadline_s
            watchdogs.append(Watchdog(deadline_s, lambda: run.fail(_timed_out(deadline_s))))
        failure: KbtuiError | None = None
        try:
            with self._opening:
                # Under the lock, either `close` sees this run, or the run sees that the engine is closed.
                if self._closed:
                    return Cancelled()
                self._runs[run.run_id] = run
                run.emit(
                    RunStarted(
                        query=" ".join((*map(written, scope), query)),
                        session_id=self.session_id,
                        model=self.model,
                        kb=location_of(self.kb),
                        sources=self.sources,
                    )
                )
            question = " ".join((*map(written, scope), _validate(query, run.emit)))
            history = self.history.turns if self._follow_ups else ()
            summary = self._backend.answer(
                RunRequest(
                    query=question,
                    emit=run.emit,
                    cancel=run.cancel,
                    audit=self._audit.of(run.run_id),
                    history=history,
                    about=clean(about),
                    scope=scope,
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
            expired = next((limit for limit in watchdogs if limit.fired), None)
            failure = _timed_out(expired.timeout_s) if expired is not None else error
            run.stop()
        except KbtuiError as error:
            failure = error
            run.fail(error)
        except Exception as error:
            log.exception("a run failed with an unexpected error")
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
    """The deviation that the analysis reported; for a search, the share of planned calls that were not made."""
    if summary.deviation.planned or not run.planned_calls:
        return summary.deviation
    undone = max(0, run.planned_calls - run.tool_calls)
    ratio = round(undone / run.planned_calls, 4)
    return Deviation(planned=run.planned_calls, actual=run.tool_calls, ratio=ratio)


def _timed_out(limit_s: float) -> TimedOut:
    return TimedOut(
        f"The run took longer than {limit_s:g} s and was stopped.",
        "Raise agent.timeout_s or --timeout, or ask something narrower.",
    )


def _validate(query: str, emit: Emit) -> str:
    """The question without surrounding space, cut to the greatest length.

    Raises:
        UsageError: It is empty.
    """
    query = query.strip()
    if not query:
        raise UsageError("The question is empty.", "Ask something, for example: what is this folder about?")
    if len(query) > MAX_QUESTION_CHARS:
        emit(Warned(message=f"The question was cut to its first {MAX_QUESTION_CHARS:,} characters.", where="engine"))
        # Cut between words, because half a word would be searched for as a word.
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
