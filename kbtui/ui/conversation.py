"""The questions of this sitting: their runs, which one is on the screen, and what was typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kbtui.controller.view_state import RunView


class Conversation:
    """Runs in the order asked; ``position`` is the one shown, or past the end for the welcome page."""

    def __init__(self) -> None:
        self.runs: list[RunView] = []
        self.position = 0

    @property
    def shown(self) -> RunView | None:
        """The run on the screen; None on the welcome page."""
        return self.runs[self.position] if self.position < len(self.runs) else None

    @property
    def latest(self) -> RunView | None:
        """The run asked last; None before the first question."""
        return self.runs[-1] if self.runs else None

    @property
    def running(self) -> RunView | None:
        """The run that is being answered or waits to be."""
        return self.runs[-1] if self.runs and not self.runs[-1].finished else None

    def begin(self, query: str) -> None:
        """A new question; it is the one shown."""
        from kbtui.controller.view_state import RunView

        self.runs.append(RunView(query=query))
        self.position = len(self.runs) - 1

    def update(self, view: RunView) -> None:
        """A later state of the run asked last."""
        self.runs[-1] = view

    def add_older(self, views: Sequence[RunView]) -> None:
        """Runs of an earlier sitting: they stand before those of this one, and the last of them is shown."""
        known = {view.run_id for view in self.runs}
        older = [view for view in views if view.run_id not in known]
        self.runs[:0] = older
        self.position = max(0, len(older) - 1)

    def move(self, by: int) -> bool:
        """Show an earlier or later run; False at either end."""
        target = self.position + by
        if not 0 <= target < len(self.runs):
            return False
        self.position = target
        return True

    def leave(self) -> None:
        """Back to the welcome page; the runs stay."""
        self.position = len(self.runs)


class Typed:
    """The prompt's memory: earlier questions, and the one being typed."""

    def __init__(self, earlier: Iterable[str] = ()) -> None:
        self._entries = list(dict.fromkeys(earlier))
        self._at = len(self._entries)
        self._draft = ""

    @property
    def known(self) -> bool:
        """True when there is a question to go back to."""
        return bool(self._entries)

    def add(self, query: str) -> None:
        """Remember a question as the newest."""
        if query in self._entries:
            self._entries.remove(query)
        self._entries.append(query)
        self._at = len(self._entries)
        self._draft = ""

    def add_older(self, queries: Iterable[str]) -> None:
        """Questions of earlier sittings, oldest first; they stand before those of this one."""
        older = [query for query in dict.fromkeys(queries) if query not in self._entries]
        self._entries[:0] = older
        self._at += len(older)

    def recall(self, by: int, typed: str) -> str | None:
        """The question ``by`` steps away; None where there is none. Going past the newest gives back the draft."""
        target = self._at + by
        if not 0 <= target <= len(self._entries):
            return None
        if self._at == len(self._entries):
            self._draft = typed
        self._at = target
        return self._draft if target == len(self._entries) else self._entries[target]
