"""A program in a pseudo-terminal, and the screen that it has drawn so far, as a terminal emulator would show it."""

from __future__ import annotations

import contextlib
import os
import select
import time
from pathlib import Path

import pexpect
import pyte

PATIENCE_S = 120.0
_PIECE = 256
"""Bytes that are written at once: more may wait for room although there is some."""


class Terminal:
    """One program on a screen of its own.

    Args:
        argv: The program.
        env: All of its variables.
        cwd: Where it runs.
        cols, rows: Size of the screen.

    Attributes:
        output: What the program has written, as bytes, until it was cleared.
    """

    def __init__(
        self, argv: list[str], env: dict[str, str], *, cwd: Path | None = None, cols: int = 120, rows: int = 36
    ) -> None:
        self.child = pexpect.spawn(argv[0], argv[1:], env=env, cwd=cwd, dimensions=(rows, cols), timeout=5)
        self.child.delaybeforesend = None  # pexpect waits 50 ms before each key otherwise
        self.output = b""
        self._screen = pyte.Screen(cols, rows)
        self._stream = pyte.ByteStream(self._screen)

    def read(self, wait_s: float) -> bool:
        """Take in what was drawn within ``wait_s`` seconds, returning at the first piece; False when none came."""
        with contextlib.suppress(pexpect.TIMEOUT, pexpect.EOF):
            drawn = self.child.read_nonblocking(65536, timeout=wait_s)
            self.output += drawn
            self._stream.feed(drawn)
            return True
        return False

    def send(self, data: bytes | str) -> None:
        """Type something, taking in what is drawn meanwhile: a program whose output nobody reads takes no input.

        Raises:
            OSError: The terminal is closed.
        """
        left = data.encode() if isinstance(data, str) else data
        deadline = time.perf_counter() + PATIENCE_S
        while left:
            if select.select([], [self.child.child_fd], [], 0)[1]:
                left = left[os.write(self.child.child_fd, left[:_PIECE]) :]
            elif time.perf_counter() > deadline:
                raise OSError("it takes no input")
            self.read(0)

    def settle(self, quiet_s: float = 0.3, most_s: float = 20.0) -> None:
        """Read until nothing has been drawn for ``quiet_s`` seconds, or for ``most_s`` in all."""
        deadline = time.perf_counter() + most_s
        while self.read(quiet_s) and time.perf_counter() < deadline:
            pass

    def drawn_s(self, start: float, quiet_s: float, first_s: float = 5.0) -> float:
        """Seconds from ``start`` until the last piece came, after which nothing came for ``quiet_s``; 0 without any.

        The emulator takes all of it in afterwards: it is slower than the program, which would wait for it.
        """
        pieces, last = [], start
        with contextlib.suppress(pexpect.TIMEOUT, pexpect.EOF):
            while True:
                pieces.append(self.child.read_nonblocking(65536, timeout=quiet_s if pieces else first_s))
                last = time.perf_counter()
        drawn = b"".join(pieces)
        self.output += drawn
        self._stream.feed(drawn)
        return last - start

    def until(self, *texts: str) -> None:
        """Read until one of ``texts`` is on the screen."""
        deadline = time.perf_counter() + PATIENCE_S
        while not any(self.shows(text) for text in texts):
            if time.perf_counter() > deadline:
                raise SystemExit(f"{texts!r} never came to the screen:\n" + "\n".join(self.rows()))
            self.read(0.05)

    def rows(self) -> list[str]:
        # The cell after a wide character is empty; `Screen.display` fails on one that a resize has left alone.
        screen = self._screen
        return ["".join(screen.buffer[y][x].data for x in range(screen.columns)) for y in range(screen.lines)]

    def shows(self, text: str) -> bool:
        return any(text in row for row in self.rows())

    def resize(self, cols: int, rows: int) -> None:
        self._screen.resize(rows, cols)
        self.child.setwinsize(rows, cols)
