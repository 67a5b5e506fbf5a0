"""Asks one question and follows its run to the end; the caller decides what is displayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal

from kbtui import errors
from kbtui.cli import signals
from kbtui.cli.failures import FAILED, NOT_FOUND, say_failure
from kbtui.domain.events import FINAL_KINDS, Event
from kbtui.i18n import _
from kbtui.view.folding import reduce
from kbtui.view.view_state import EMPTY, RunView

if TYPE_CHECKING:
    from kbtui.runs.engine import Engine

Show = Callable[[Event, RunView], None]
"""Called with each event and the state of the run after it."""


def follow(engine: Engine, query: str, show: Show, about: str = "", scope: Sequence[str] = ()) -> RunView:
    """Run a question and return its final state.

    Ctrl-C cancels the run, which then ends with a failed event; a second one ends the program.

    Args:
        about: A text that the question is about.
        scope: What the question is limited to, as in `Engine.answer_query`.

    Raises:
        Signalled: An ending signal cancelled the run.
    """
    view = EMPTY
    # A queue instead of asyncio, whose import is slow; its `put` is safe in a signal handler.
    events: SimpleQueue[Event | Literal["interrupted"] | None] = SimpleQueue()
    interrupted = False
    with signals.stopping(lambda: events.put("interrupted")):
        more: dict[str, Any] = {"about": about} if about else {}
        more |= {"scope": scope} if scope else {}
        run_id = engine.start(query, events.put, **more)
        try:
            while (event := events.get()) is not None:
                if isinstance(event, str):
                    interrupted = True
                else:
                    view = reduce(view, event)
                    show(event, view)
                    if event.kind in FINAL_KINDS:
                        # No event follows, though the thread of a cancelled run may be busy for some seconds more.
                        break
                if interrupted:
                    # Repeated with each event, because the run may not have begun when it was interrupted.
                    engine.cancel(run_id)
        except BaseException:
            engine.cancel(run_id)
            raise
    return view


def exit_code(view: RunView) -> int:
    """The exit code of the contract for a finished run."""
    if view.error is not None:
        error_class = getattr(errors, view.error.error, None)
        is_kbtui_error = isinstance(error_class, type) and issubclass(error_class, errors.KbtuiError)
        return int(error_class.exit_code) if is_kbtui_error and error_class is not None else FAILED
    if view.outcome is None:
        return FAILED
    return NOT_FOUND if view.outcome == "not_found" else 0


def print_failure(view: RunView) -> None:
    """Print the failure of a run on standard error; nothing where it succeeded."""
    if view.phase == "cancelled":
        say_failure(_("cancelled"))
    elif view.error is not None:
        say_failure(view.error.message or view.error.error, view.error.hint)
    elif view.outcome is None:
        say_failure(_("The run ended without an answer."), _("Ask again; `kbtui doctor` checks the installation."))
