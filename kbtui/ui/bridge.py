"""Turns the engine's event stream into run states: folds each event, passes on the state, and ends on any failure."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from kbtui.domain.events import Event, RunFailed, stamped
from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.sessions.ids import utc_now
from kbtui.view.folding import reduce
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from kbtui.bootstrap import Engine

Show = Callable[[RunView], None]


async def follow(engine: Engine, query: str, show: Show) -> None:
    """Ask ``query`` and pass the state after each event to ``show``; errors of the engine become states too."""
    view = RunView(query=query)
    try:
        stream: AsyncIterator[Event] = engine.stream(query)
        async for event in stream:
            view = reduce(view, event)
            show(view)
            await asyncio.sleep(0)
    except KbtuiError as error:
        view = failed(view, error)
        show(view)
    except Exception as error:  # noqa: BLE001  (any error is shown, and the user can ask again)
        view = ended(view, RunFailed(error=type(error).__name__, message=_("Something broke: {error}", error=error)))
        show(view)
    if not view.finished:
        show(
            ended(
                view,
                RunFailed(error="RunFailed", message=_("The run stopped without saying why."), hint=_("Ask again.")),
            )
        )


def cancelled(view: RunView) -> RunView:
    """The state of a run that the user has cancelled."""
    return ended(view, RunFailed(error="Cancelled", message=_("The run was cancelled.")))


def failed(view: RunView, error: KbtuiError) -> RunView:
    """The state of a run that failed with an error."""
    return ended(view, RunFailed(error=error.name, message=error.message, hint=error.hint))


def ended(view: RunView, failure: RunFailed) -> RunView:
    """``view`` ended by a failure for which the engine sent no event."""
    return reduce(
        view, stamped(failure, run_id=view.run_id, seq=view.events, at=utc_now().isoformat(timespec="milliseconds"))
    )
