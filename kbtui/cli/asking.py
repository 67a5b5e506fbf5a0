"""Asks one question and follows its run to the end; what is shown of it is the caller's matter."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal

from kbtui import errors
from kbtui.cli import signals
from kbtui.cli.failures import FAILED, NOT_FOUND, say_failure
from kbtui.domain.events import FINAL_KINDS, Event
from kbtui.view.folding import reduce
from kbtui.view.view_state import EMPTY, RunView

if TYPE_CHECKING:
    from kbtui.runs.engine import Engine

Show = Callable[[Event, RunView], None]
"""Called with each event and the run's state after it."""


def follow(engine: Engine, query: str, show: Show, about: str = "") -> RunView:
    """The state a run ends in. Ctrl-C cancels the run, whose last event says so; a second one ends the program.

    Args:
        about: A text that the question is about.

    Raises:
        Signalled: An ending signal cancelled the run.
    """
    view = EMPTY
    # Without asyncio, whose import takes as long as reading a question. Putting into it is safe in a signal handler.
    arrived: SimpleQueue[Event | Literal["interrupted"] | None] = SimpleQueue()
    interrupted = False
    with signals.stopping(lambda: arrived.put("interrupted")):
        run_id = engine.start(query, arrived.put, about=about) if about else engine.start(query, arrived.put)
        try:
            while (event := arrived.get()) is not None:
                if isinstance(event, str):
                    interrupted = True
                else:
                    view = reduce(view, event)
                    show(event, view)
                    if event.kind in FINAL_KINDS:
                        # Nothing follows it; a run that was stopped may be busy for seconds before its thread ends.
                        break
                if interrupted:
                    # Again with the first event: the run may not have begun when it was interrupted.
                    engine.cancel(run_id)
        except BaseException:
            engine.cancel(run_id)
            raise
    return view


def exit_code(view: RunView) -> int:
    """The contract's exit code for a finished run."""
    if view.error is not None:
        kind = getattr(errors, view.error.error, None)
        known = isinstance(kind, type) and issubclass(kind, errors.KbtuiError)
        return int(kind.exit_code) if known and kind is not None else FAILED
    if view.outcome is None:
        return FAILED
    return NOT_FOUND if view.outcome == "not_found" else 0


def say_outcome(view: RunView) -> None:
    """What went wrong with a run, on standard error; nothing when it did not."""
    if view.phase == "cancelled":
        say_failure("cancelled")
    elif view.error is not None:
        say_failure(view.error.message or view.error.error, view.error.hint)
    elif view.outcome is None:
        say_failure("The run ended without an answer.", "Ask again; `kbtui doctor` checks the installation.")
