"""How soon a key is echoed while a folder is being indexed for the first time.

    python benchmarks/keys.py FOLDER [--keys N] [--json]

The program runs in a pseudo-terminal with an empty cache; once it says that it is indexing, keys are typed one at a
time, 50 to 150 ms apart, and each is timed until it stands on the screen, as a terminal emulator would show it.
``during_indexing`` counts the keys whose echo came before indexing was over; only these are timed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import pexpect
import pyte
from _common import machine, percentile, print_result

_COLS, _ROWS = 120, 36
_PATIENCE_S = 120.0


class Terminal:
    """The program, and the screen it has drawn so far."""

    def __init__(self, argv: list[str], env: dict[str, str]) -> None:
        self.child = pexpect.spawn(sys.executable, argv, env=env, dimensions=(_ROWS, _COLS), timeout=5)
        self.child.delaybeforesend = None  # pexpect waits 50 ms before each key otherwise
        self._screen = pyte.Screen(_COLS, _ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def read(self, wait_s: float) -> None:
        """Take in what was drawn within ``wait_s`` seconds, returning at the first piece."""
        with contextlib.suppress(pexpect.TIMEOUT):
            self._stream.feed(self.child.read_nonblocking(65536, timeout=wait_s))

    def until(self, text: str) -> None:
        """Read until ``text`` is on the screen."""
        deadline = time.perf_counter() + _PATIENCE_S
        while not self.shows(text):
            if time.perf_counter() > deadline:
                raise SystemExit(f"{text!r} never came to the screen")
            self.read(0.05)

    def shows(self, text: str) -> bool:
        return any(text in row for row in self._screen.display)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "TERM": "xterm-256color"}
        times = echo_times(args.folder, env, args.keys)
    result = {
        "p50_ms": round(percentile(times, 50) * 1000, 1) if times else None,
        "p95_ms": round(percentile(times, 95) * 1000, 1) if times else None,
        "max_ms": round(max(times) * 1000, 1) if times else None,
        "during_indexing": len(times),
        "keys": args.keys,
        **machine(),
    }
    print_result(result, as_json=args.json)


def echo_times(folder: Path, env: dict[str, str], keys: int) -> list[float]:
    """Seconds from each key to its echo, while indexing goes on."""
    chance = random.Random(7)
    terminal = Terminal(["-m", "kbtui", str(folder)], env)
    times: list[float] = []
    try:
        terminal.until("indexing")
        typed = ""
        for _ in range(keys):
            pause = time.perf_counter() + chance.uniform(0.05, 0.15)
            while (left := pause - time.perf_counter()) > 0:
                terminal.read(left)
            if not terminal.shows("indexing"):
                break
            if len(typed) > 60:
                terminal.child.send("\x15")  # ctrl+u empties the line
                typed = ""
                time.sleep(0.2)
            typed += chance.choice("abcdefghijklmnopqrstuvwxyz")
            start = time.perf_counter()
            terminal.child.send(typed[-1])
            while not terminal.shows(f"› {typed}"):
                terminal.read(1.0)
                if time.perf_counter() - start > _PATIENCE_S:
                    raise SystemExit(f"the key was never echoed: {typed!r}")
            times.append(time.perf_counter() - start)
    finally:
        terminal.child.close(force=True)
    return times


if __name__ == "__main__":
    main()
