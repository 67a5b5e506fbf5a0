"""What a terminal shows outside of its cells: the window's title, how far something is, that something long has ended.

Only a terminal is ever written to (`lifetime.TerminalDriver`), and only what it is known to understand
(``terminals.toml``): what one takes for progress, another shows as a message.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.ui.workspace import FolderStatus

_TITLE_CELLS: Final = 80
_TEXT_CELLS: Final = 160
_END: Final = "\x1b\\"
_PUSH, _POP = "\x1b[22;2t", "\x1b[23;2t"


class Terminal(Struct, frozen=True, kw_only=True):
    """What one terminal understands."""

    title: bool = True
    progress: bool = False
    notify: Literal["9", "777", "99", "bell"] = "bell"


class Doing(Struct, frozen=True, kw_only=True):
    """Something that takes time.

    Attributes:
        what: Tells it from others, and says in the end what it was.
        share: How much of it is done, from 0 to 1; None where that is not known.
    """

    what: str
    share: float | None = None


def doing(folder: FolderStatus, question: str) -> tuple[Doing, ...]:
    """What takes time now: the question being answered (empty for none), and the index."""
    name = one_line(folder.kb.name)
    found = [Doing(what=f"Answered: {question}")] if question else []
    if folder.phase in ("indexing", "refreshing"):
        progress = folder.progress
        share = progress.done / progress.total if progress is not None and progress.total else None
        found.append(Doing(what=f"{name} is indexed", share=share))
    return tuple(found)


def terminal_of(environ: Mapping[str, str]) -> Terminal:
    """The terminal that these variables speak of; one that nobody knows has a title and a bell."""
    for row in toml_in(__package__, "terminals.toml")["terminal"]:
        value = environ.get(row["variable"], "")
        if value and re.fullmatch(row.get("matches", ".*"), value) and _is_new_enough(row, environ):
            return Terminal(**{key: row[key] for key in ("title", "progress", "notify") if key in row})
    return Terminal()


class Window:
    """The window of one app.

    Args:
        write: Where escape sequences go.
        has_focus: True while the user looks at the terminal.
        after_s: Seconds that something takes at least for its end to be told; 0 tells nothing.
        decorated: False leaves title and progress alone.
        terminal: What it understands; found out when not given.
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
        """What makes the terminal show it, after whatever was shown before."""
        return (_PUSH if self._has_title else "") + self._title + self._progress

    def end(self) -> str:
        """What leaves the terminal as it was: its own title comes back, or none where it keeps no stack of them."""
        cleared = _progress(None) if self._progress else ""
        return cleared + (f"\x1b]2;{_END}{_POP}" if self._has_title else "")

    def show_folder(self, folder: FolderStatus) -> None:
        """The folder is named, and how far its index is."""
        self._folder = folder
        question = f" — {self._question}" if self._question else ""
        self.show(f"kbtui · {folder.kb.name}{question}", doing(folder, self._answering))

    def show_question(self, question: str, answering: str) -> None:
        """A question is named beside the folder, and the one that is being answered takes time; empty for none."""
        self._question, self._answering = question, answering
        if self._folder is not None:
            self.show_folder(self._folder)

    def adjust(self, *, after_s: float, decorated: bool) -> None:
        """Go on with other settings; a window that is no longer decorated gets its own title back."""
        self._after_s = after_s
        if decorated != self._decorated:
            told = self.end()
            self._decorated, self._title, self._progress = decorated, "", ""
            self._write(self.begin() if decorated else told)
            if self._folder is not None:
                self.show_folder(self._folder)

    def show(self, title: str, doing: tuple[Doing, ...]) -> None:
        """Title and progress as they are now; what is no longer done has ended."""
        before = self._title + self._progress
        if self._has_title:
            self._title = f"\x1b]2;{one_line(title, _TITLE_CELLS)}{_END}"
        cleared = ""
        if self._has_progress:
            cleared = _progress(None) if self._progress and not doing else ""
            self._progress = _progress(doing[0]) if doing else ""
        if self._title + self._progress != before:
            self._write(self._title + self._progress + cleared)
        names = {one.what for one in doing}
        for what in self._since.keys() - names:
            self._ended(what, self._clock() - self._since.pop(what))
        for what in names - self._since.keys():
            self._since[what] = self._clock()

    @property
    def _has_title(self) -> bool:
        return self._decorated and self._terminal.title

    @property
    def _has_progress(self) -> bool:
        return self._decorated and self._terminal.progress

    def _ended(self, what: str, seconds: float) -> None:
        if 0 < self._after_s <= seconds and not self._has_focus():
            self._write(_message(self._terminal.notify, one_line(what, _TEXT_CELLS)))


def _is_new_enough(row: Mapping[str, object], environ: Mapping[str, str]) -> bool:
    least = row.get("least")
    if not isinstance(least, list):
        return True
    return [int(part) for part in re.findall(r"\d+", environ.get(str(row["version"]), ""))] >= least


def _progress(doing: Doing | None) -> str:
    """OSC 9;4: state 0 takes the progress away, 1 shows a share, 3 something of unknown length."""
    if doing is None:
        return f"\x1b]9;4;0{_END}"
    if doing.share is None:
        return f"\x1b]9;4;3{_END}"
    return f"\x1b]9;4;1;{max(0, min(100, round(100 * doing.share)))}{_END}"


def _message(how: str, text: str) -> str:
    # A semicolon ends a part of the sequence.
    text = text.replace(";", ",")
    sent = {"9": f"9;kbtui: {text}", "777": f"777;notify;kbtui;{text}", "99": f"99;;kbtui: {text}"}
    return f"\x1b]{sent[how]}{_END}" if how in sent else "\a"
