"""A real terminal for end-to-end tests: tmux on a server of its own, with a screen to read and keys to press."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path

TMUX = shutil.which("tmux")
PATIENCE_S = 120.0
"""How long a test waits for something to appear: generous, since machines differ; passing tests do not wait."""


class Terminal:
    """One program in one tmux window.

    Args:
        argv: The program.
        cols, rows: Size of the window.
        env: Variables on top of the test's own environment.
        cwd: Where it runs.
    """

    def __init__(
        self,
        argv: list[str],
        *,
        cols: int = 120,
        rows: int = 36,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        self._server = f"kbtui-test-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        # The size is the window's, whatever the terminal of the tests (pytest-xdist names one) has.
        left_out = ("TMUX", "COLUMNS", "LINES")
        own = {name: value for name, value in os.environ.items() if name not in left_out}
        variables = {**own, **(env or {})}
        assert TMUX is not None
        exported = [f"{name}={value}" for name, value in variables.items()]
        command = shlex.join(["env", "-i", *exported, "TERM=" + variables.get("TEST_TERM", "tmux-256color"), *argv])
        size = ["-x", str(cols), "-y", str(rows), "-c", str(cwd or Path.cwd())]
        program = f'{command}; echo "[exit $?]"; sleep 600'
        # Programs may copy: tmux keeps what they copy in a buffer.
        session = ["set-option", "-s", "set-clipboard", "on", ";", "new-session", "-d", *size, program]
        subprocess.run([TMUX, "-L", self._server, "-f", os.devnull, *session], check=True, env=own)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._tmux("kill-server", check=False)

    def screen(self) -> str:
        """What is on the screen, row by row, without trailing spaces."""
        return self._tmux("capture-pane", "-p")

    def styled(self) -> str:
        """What is on the screen with the escape sequences of its colours and attributes."""
        return self._tmux("capture-pane", "-p", "-e")

    def title(self) -> str:
        """The title of the window."""
        return self._tmux("display-message", "-p", "#{pane_title}").rstrip("\n")

    def rows(self) -> list[str]:
        return self.screen().split("\n")

    def keys(self, *names: str) -> None:
        """Press keys by tmux's names: ``Enter``, ``Escape``, ``C-r``, ``e`` …"""
        self._tmux("send-keys", *names)

    def type(self, text: str) -> None:
        """Type text as it is."""
        self._tmux("send-keys", "-l", text)

    def paste(self, text: str) -> None:
        """Paste text as a terminal does, between the marks of a paste where the program asked for them."""
        self._tmux("set-buffer", "--", text)
        self._tmux("paste-buffer", "-p", "-d")

    def click(self, col: int, row: int) -> None:
        """Press and release the left button on a cell, counted from 0, as a terminal reports it (SGR 1006)."""
        for end in ("M", "m"):
            self._report(f"0;{col + 1};{row + 1}{end}")

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Press the left button on a cell, move, and let go on another."""
        self._report(f"0;{start[0] + 1};{start[1] + 1}M")
        for col, row in (((start[0] + end[0]) // 2, (start[1] + end[1]) // 2), end):
            self._report(f"32;{col + 1};{row + 1}M")
        self._report(f"0;{end[0] + 1};{end[1] + 1}m")

    def wheel(self, col: int, row: int, turns: int) -> None:
        """Turn the wheel over a cell: down, or up where ``turns`` is negative."""
        for _ in range(abs(turns)):
            self._report(f"{65 if turns > 0 else 64};{col + 1};{row + 1}M")

    def _report(self, what: str) -> None:
        self._tmux("send-keys", "-H", *(f"{byte:02x}" for byte in f"\x1b[<{what}".encode()))

    def clipboard(self) -> str:
        """What the program copied last (OSC 52); empty where it copied nothing."""
        return self._tmux("show-buffer", check=False)

    def resize(self, cols: int, rows: int) -> None:
        self._tmux("resize-window", "-x", str(cols), "-y", str(rows))

    def wait(self, condition: str | Callable[[str], bool], timeout: float = PATIENCE_S) -> str:
        """The screen once a text is on it, or a condition holds; fails with the screen as it is otherwise."""
        holds = (lambda screen: condition in screen) if isinstance(condition, str) else condition
        deadline = time.monotonic() + timeout
        while True:
            screen = self.screen()
            if holds(screen):
                return screen
            if time.monotonic() > deadline:
                raise AssertionError(f"waited {timeout:g} s for {condition!r}; the screen is:\n{screen}")
            time.sleep(0.05)

    def settled(self, timeout: float = PATIENCE_S) -> str:
        """The screen once it has stayed the same for a third of a second."""
        shown, since, deadline = self.screen(), time.monotonic(), time.monotonic() + timeout
        while time.monotonic() - since < 0.33:
            time.sleep(0.05)
            screen = self.screen()
            if screen != shown:
                shown, since = screen, time.monotonic()
            if time.monotonic() > deadline:
                raise AssertionError(f"the screen still changes after {timeout:g} s:\n{screen}")
        return shown

    def find(self, text: str) -> tuple[int, int]:
        """Column and row (from 0) of the first place where a text stands on the screen."""
        for row, line in enumerate(self.rows()):
            if text in line:
                return len(line[: line.index(text)]), row
        raise AssertionError(f"{text!r} is not on the screen:\n{self.screen()}")

    def _tmux(self, *arguments: str, check: bool = True) -> str:
        assert TMUX is not None
        done = subprocess.run(
            [TMUX, "-L", self._server, *arguments], check=check, capture_output=True, text=True, encoding="utf-8"
        )
        return done.stdout


def kbtui(*arguments: str) -> list[str]:
    """The command line of the program under test."""
    return [sys.executable, "-m", "kbtui", *arguments]
