"""The conversation of a screen: its runs, the position shown, and the history of the prompt."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.view.view_state import RunView

_MAX_SESSIONS = 100
"""Earlier sessions whose first question is in the prompt's history."""


class Conversation:
    """Runs in the order asked; ``position`` is that of the shown run, or the end if the browser is shown.

    Attributes:
        queued: Questions asked while another one runs, in order.
    """

    def __init__(self) -> None:
        self.runs: list[RunView] = []
        self.position = 0
        self.queued: list[str] = []

    @property
    def shown(self) -> RunView | None:
        """The shown run; None if the browser is shown."""
        return self.runs[self.position] if self.position < len(self.runs) else None

    @property
    def latest(self) -> RunView | None:
        """The latest run; None before the first question."""
        return self.runs[-1] if self.runs else None

    @property
    def running(self) -> RunView | None:
        """The run in progress; None if there is none."""
        return self.runs[-1] if self.runs and not self.runs[-1].finished else None

    @property
    def questions(self) -> tuple[str, str]:
        """The shown question and the one being answered; empty for none."""
        shown, running = self.shown, self.running
        return shown.query if shown is not None else "", running.query if running is not None else ""

    @property
    def position_text(self) -> str:
        """The number of the shown question, such as ``question 2 of 3``; empty if there is only one."""
        count = len(self.runs)
        if count < 2 or self.shown is None:
            return ""
        return _("question {number} of {count}", number=self.position + 1, count=count)

    def begin(self, query: str) -> None:
        """Add a run for a new question, and show it."""
        from kbtui.view.view_state import RunView

        self.runs.append(RunView(query=query))
        self.position = len(self.runs) - 1

    def update(self, view: RunView) -> None:
        """Replace the state of the latest run."""
        self.runs[-1] = view

    def add_older(self, views: Sequence[RunView]) -> None:
        """Insert the runs of an earlier session before those of this one, and show the last of them."""
        known = {view.run_id for view in self.runs}
        self.runs[:0] = [view for view in views if view.run_id not in known]
        self.position = [view.run_id for view in self.runs].index(views[-1].run_id)

    def move(self, by: int) -> bool:
        """Show an earlier or later run; returns False at either end."""
        target = self.position + by
        if not 0 <= target < len(self.runs):
            return False
        self.position = target
        return True

    def leave(self) -> None:
        """Show the browser and drop queued questions; the runs are kept."""
        self.queued.clear()
        self.position = len(self.runs)


class PromptHistory:
    """The history of the prompt: earlier questions, and the draft being typed."""

    def __init__(self, earlier: Iterable[str] = ()) -> None:
        self.entries = list(dict.fromkeys(earlier))
        self._index = len(self.entries)
        self._draft = ""

    @property
    def has_entries(self) -> bool:
        """Whether there is an earlier question."""
        return bool(self.entries)

    def add(self, query: str) -> None:
        """Add a question as the newest one."""
        if query in self.entries:
            self.entries.remove(query)
        self.entries.append(query)
        self._index = len(self.entries)
        self._draft = ""

    def add_older(self, queries: Iterable[str]) -> None:
        """Insert questions of earlier sessions, oldest first, before those of this one."""
        older = [query for query in dict.fromkeys(queries) if query not in self.entries]
        self.entries[:0] = older
        self._index += len(older)

    async def add_recorded(self) -> None:
        """Insert the first questions of recorded sessions; does nothing if they cannot be read."""
        from kbtui.sessions.store import SessionStore

        with contextlib.suppress(KbtuiError, OSError):
            summaries = await asyncio.to_thread(SessionStore().list)
            newest = [one_line(summary.query) for summary in summaries[:_MAX_SESSIONS] if summary.query]
            self.add_older(reversed(newest))

    def recall(self, by: int, draft: str) -> str | None:
        """The question ``by`` steps away; None if there is none. The step after the newest returns the draft."""
        target = self._index + by
        if not 0 <= target <= len(self.entries):
            return None
        if self._index == len(self.entries):
            self._draft = draft
        self._index = target
        return self._draft if target == len(self.entries) else self.entries[target]
