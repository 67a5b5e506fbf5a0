"""Asks one question and follows its run to the end; what is shown of it is the caller's matter."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from kbtui import errors
from kbtui.cli import signals
from kbtui.cli.failures import FAILED, NOT_FOUND, say_failure
from kbtui.controller.folding import reduce
from kbtui.controller.view_state import EMPTY, RunView
from kbtui.domain.events import FINAL_KINDS, Event

Show = Callable[[Event, RunView], None]
"""Called with each event and the run's state after it."""


class Asks(Protocol):
    """The part of the engine that asking needs."""

    def stream(self, query: str) -> AsyncIterator[Event]: ...
    def cancel(self, run_id: str) -> None: ...


def follow(engine: Asks, query: str, show: Show) -> RunView:
    """The state a run ends in. Ctrl-C cancels the run, whose last event says so; a second one ends the program.

    Raises:
        Signalled: An ending signal cancelled the run.
    """
    return asyncio.run(_follow(engine, query, show))


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


async def _follow(engine: Asks, query: str, show: Show) -> RunView:
    view = EMPTY
    interrupted = False
    loop = asyncio.get_running_loop()

    def interrupt() -> None:
        nonlocal interrupted
        interrupted = True
        engine.cancel(view.run_id)

    def stop() -> None:
        loop.call_soon_threadsafe(interrupt)

    with signals.stopping(stop):
        async with contextlib.aclosing(engine.stream(query)) as events:  # type: ignore[type-var]
            async for event in events:
                if interrupted and view.run_id == "":
                    engine.cancel(event.run_id)
                view = reduce(view, event)
                show(event, view)
                if event.kind in FINAL_KINDS:
                    # Nothing follows it; a run that was stopped may still be busy for seconds before its thread ends.
                    break
    return view
