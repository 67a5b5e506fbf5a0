"""Features of the terminal's window: its title, a progress indicator, and notifications when long work has ended.

Sequences are written only to terminals (`lifetime.TerminalDriver`) that are known to support them
(``terminals.toml``), because the progress sequence of one terminal is a notification in another.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.ui.workspace import FolderStatus

_TITLE_CELLS: Final = 80
_TEXT_CELLS: Final = 160
_END: Final = "\x1b\\"
_PUSH, _POP = "\x1b[22;2t", "\x1b[23;2t"


class Terminal(Struct, frozen=True, kw_only=True):
    """The features that a terminal supports.

    Attributes:
        pictures: The protocol by which it shows pictures, ``cells`` for none; empty if it has to be asked.
    """

    title: bool = True
    progress: bool = False
    notify: Literal["9", "777", "99", "bell"] = "bell"
    pictures: Literal["", "kitty", "cells"] = ""


class Activity(Struct, frozen=True, kw_only=True):
    """Work that takes time.

    Attributes:
        what: Identifies the work, and is the text of the notification when it ends.
        share: Share that is done, from 0 to 1; None if unknown.
    """

    what: str
    share: float | None = None


def activities(folder: FolderStatus, question: str) -> tuple[Activity, ...]:
    """The current work: answering ``question`` (unless empty), and indexing."""
    name = one_line(folder.kb.name)
    activities = [Activity(what=_("Answered: {question}", question=question))] if question else []
    if folder.phase in ("indexing", "refreshing"):
        progress = folder.progress
        share = progress.done / progress.total if progress is not None and progress.total else None
        activities.append(Activity(what=_("{name} is indexed", name=name), share=share))
    return tuple(activities)


def terminal_of(environ: Mapping[str, str]) -> Terminal:
    """The terminal that the environment variables identify; an unknown one has a title and a bell."""
    for row in toml_in(__package__, "terminals.toml")["terminal"]:
        value = environ.get(row["variable"], "")
        if value and re.fullmatch(row.get("matches", ".*"), value) and _is_new_enough(row, environ):
            return Terminal(**{key: row[key] for key in ("title", "progress", "notify", "pictures") if key in row})
    return Terminal()


class Window:
    """The window of an app.

    Args:
        write: Writes an escape sequence.
        has_focus: Whether the terminal's window has the focus.
        after_s: Seconds that work takes at least for its end to be notified; 0 for no notifications.
        decorated: Whether to set title and progress.
        terminal: The terminal's features; detected by default.
        clock: Monotonic time in seconds.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        has_focus: Callable[[], bool],
        *,
        after_s: float = 0.0,
        decorated: bool = True,
        terminal: Terminal | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write = write
        self._has_focus = has_focus
        self._after_s = after_s
        self._decorated = decorated
        self._terminal = terminal or terminal_of(os.environ)
        self._clock = clock
        self._title = self._progress = ""
        self._since: dict[str, float] = {}
        self._folder: FolderStatus | None = None
        self._question = self._answering = ""

    def begin(self) -> str:
        """The sequence that saves the terminal's title and shows title and progress."""
        return (_PUSH if self._has_title else "") + self._title + self._progress

    def end(self) -> str:
        """The sequence that removes the progress and restores the title, which is empty without a title stack."""
        clearing = _progress(None) if self._progress else ""
        return clearing + (f"\x1b]2;{_END}{_POP}" if self._has_title else "")

    def show_folder(self, folder: FolderStatus) -> None:
        """Show the folder in the title, and the progress of its index."""
        self._folder = folder
        question = f" — {self._question}" if self._question else ""
        self.show(f"kbtui · {folder.kb.name}{question}", activities(folder, self._answering))

    def show_question(self, question: str, answering: str) -> None:
        """Show a question in the title, and progress for the one being answered; empty for none."""
        self._question, self._answering = question, answering
        if self._folder is not None:
            self.show_folder(self._folder)

    def adjust(self, *, after_s: float, decorated: bool) -> None:
        """Apply changed settings; the original title is restored if title and progress are turned off."""
        self._after_s = after_s
        if decorated != self._decorated:
            end_sequence = self.end()
            self._decorated, self._title, self._progress = decorated, "", ""
            self._write(self.begin() if decorated else end_sequence)
            if self._folder is not None:
                self.show_folder(self._folder)

    def show(self, title: str, activities: tuple[Activity, ...]) -> None:
        """Show title and progress; activities that are no longer in ``activities`` have ended."""
        before = self._title + self._progress
        if self._has_title:
            self._title = f"\x1b]2;{one_line(title, _TITLE_CELLS)}{_END}"
        clearing = ""
        if self._decorated and self._terminal.progress:
            clearing = _progress(None) if self._progress and not activities else ""
            self._progress = _progress(activities[0]) if activities else ""
        if self._title + self._progress != before:
            self._write(self._title + self._progress + clearing)
        names = {one.what for one in activities}
        for what in self._since.keys() - names:
            seconds = self._clock() - self._since.pop(what)
            if 0 < self._after_s <= seconds and not self._has_focus():
                self._write(_message(self._terminal.notify, one_line(what, _TEXT_CELLS)))
        for what in names - self._since.keys():
            self._since[what] = self._clock()

    @property
    def _has_title(self) -> bool:
        return self._decorated and self._terminal.title


def _is_new_enough(row: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    minimum = row.get("least")
    if not isinstance(minimum, list):
        return True
    return [int(part) for part in re.findall(r"\d+", environ.get(str(row["version"]), ""))] >= minimum


def _progress(activities: Activity | None) -> str:
    """The sequence OSC 9;4: state 0 removes the progress, 1 shows a share, 3 is indeterminate."""
    if activities is None:
        return f"\x1b]9;4;0{_END}"
    if activities.share is None:
        return f"\x1b]9;4;3{_END}"
    return f"\x1b]9;4;1;{max(0, min(100, round(100 * activities.share)))}{_END}"


def _message(protocol: str, text: str) -> str:
    # Semicolons separate the parts of the sequence.
    text = text.replace(";", ",")
    sequences = {"9": f"9;kbtui: {text}", "777": f"777;notify;kbtui;{text}", "99": f"99;;kbtui: {text}"}
    return f"\x1b]{sequences[protocol]}{_END}" if protocol in sequences else "\a"
