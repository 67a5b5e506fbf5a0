"""The questions of this sitting: their runs, which one is on the screen, and what was typed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kbtui.errors import KbtuiError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.view.view_state import RunView

_SITTINGS = 100
"""Earlier sittings whose first question the prompt remembers."""


class Conversation:
    """Runs in the order asked; ``position`` is the one shown, or past the end before anything is asked.

    Attributes:
        ahead: Questions that were typed while one ran, in the order they will be asked.
    """

    def __init__(self) -> None:
        self.runs: list[RunView] = []
        self.position = 0
        self.ahead: list[str] = []

    @property
    def shown(self) -> RunView | None:
        """The run on the screen; None on the browser."""
        return self.runs[self.position] if self.position < len(self.runs) else None

    @property
    def latest(self) -> RunView | None:
        """The run asked last; None before the first question."""
        return self.runs[-1] if self.runs else None

    @property
    def running(self) -> RunView | None:
        """The run that is being answered or waits to be."""
        return self.runs[-1] if self.runs and not self.runs[-1].finished else None

    @property
    def questions(self) -> tuple[str, str]:
        """The question that is shown, and the one being answered; empty for none."""
        shown, running = self.shown, self.running
        return shown.query if shown is not None else "", running.query if running is not None else ""

    @property
    def place(self) -> str:
        """Which question is shown, of how many; empty where there is no choice."""
        count = len(self.runs)
        return "" if count < 2 or self.shown is None else f"question {self.position + 1} of {count}"

    def begin(self, query: str) -> None:
        """A new question; it is the one shown."""
        from kbtui.view.view_state import RunView

        self.runs.append(RunView(query=query))
        self.position = len(self.runs) - 1

    def update(self, view: RunView) -> None:
        """A later state of the run asked last."""
        self.runs[-1] = view

    def add_older(self, views: Sequence[RunView]) -> None:
        """Runs of an earlier sitting: they stand before those of this one, and the last of them is shown."""
        known = {view.run_id for view in self.runs}
        self.runs[:0] = [view for view in views if view.run_id not in known]
        self.position = [view.run_id for view in self.runs].index(views[-1].run_id)

    def move(self, by: int) -> bool:
        """Show an earlier or later run; False at either end."""
        target = self.position + by
        if not 0 <= target < len(self.runs):
            return False
        self.position = target
        return True

    def leave(self) -> None:
        """Back to the browser; the runs stay, and what waits to be asked is not asked."""
        self.ahead.clear()
        self.position = len(self.runs)


class Typed:
    """The prompt's memory: earlier questions, and the one being typed."""

    def __init__(self, earlier: Iterable[str] = ()) -> None:
        self.entries = list(dict.fromkeys(earlier))
        self._at = len(self.entries)
        self._draft = ""

    @property
    def known(self) -> bool:
        """True when there is a question to go back to."""
        return bool(self.entries)

    def add(self, query: str) -> None:
        """Remember a question as the newest."""
        if query in self.entries:
            self.entries.remove(query)
        self.entries.append(query)
        self._at = len(self.entries)
        self._draft = ""

    def add_older(self, queries: Iterable[str]) -> None:
        """Questions of earlier sittings, oldest first; they stand before those of this one."""
        older = [query for query in dict.fromkeys(queries) if query not in self.entries]
        self.entries[:0] = older
        self._at += len(older)

    async def add_sittings(self) -> None:
        """Questions that earlier sittings began with, the newest nearest; none where they cannot be read."""
        from kbtui.sessions.store import SessionStore

        with contextlib.suppress(KbtuiError, OSError):
            summaries = await asyncio.to_thread(SessionStore().list)
            newest = [one_line(summary.query) for summary in summaries[:_SITTINGS] if summary.query]
            self.add_older(reversed(newest))

    def recall(self, by: int, typed: str) -> str | None:
        """The question ``by`` steps away; None where there is none. Going past the newest gives back the draft."""
        target = self._at + by
        if not 0 <= target <= len(self.entries):
            return None
        if self._at == len(self.entries):
            self._draft = typed
        self._at = target
        return self._draft if target == len(self.entries) else self.entries[target]
