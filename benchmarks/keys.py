"""How soon a key is echoed while a folder is being indexed for the first time.

    python benchmarks/keys.py FOLDER [--keys N] [--json]

The program runs in a pseudo-terminal with an empty cache; once it says that it is indexing, keys are typed one at a
time, 50 to 150 ms apart, and each is timed until it stands on the screen, as a terminal emulator would show it.
``during_indexing`` counts the keys whose echo came before indexing was over; only these are timed.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from _common import machine, percentile, print_result
from _terminal import PATIENCE_S, Terminal


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
    terminal = Terminal([sys.executable, "-m", "kbtui", str(folder)], env)
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
                if time.perf_counter() - start > PATIENCE_S:
                    raise SystemExit(f"the key was never echoed: {typed!r}")
            times.append(time.perf_counter() - start)
    finally:
        terminal.child.close(force=True)
    return times


if __name__ == "__main__":
    main()
