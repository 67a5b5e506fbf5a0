"""Time to the first frame: kbtui against a bare Textual app with the same kinds of widgets, in turns, in one run.

    python benchmarks/first_frame.py [FOLDER] [--rounds N] [--json]

Each program is started in a pseudo-terminal of 120x36 and timed from its start until its prompt is on the screen.
``ratio`` is the median of kbtui's times over the median of the bare app's.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

import pexpect
from _common import machine, print_result

_MARK = "ask about"
BARE = """
from textual.app import App
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Label, OptionList, TextArea

class Bare(App):
    CSS = "Widget { height: auto } #rows { height: 1fr } #filter, #offers { display: none }"
    def compose(self):
        yield Widget()
        with Vertical(id="rows"):
            yield Widget()
            yield Input(id="filter")
            yield OptionList(*"abcdef")
        with Vertical():
            yield Widget()
            yield OptionList(id="offers")
            with Horizontal():
                yield Label(">")
                yield TextArea(placeholder="ask about this", compact=True)
        yield Widget()
    def on_mount(self):
        self.query_one(TextArea).focus()

Bare().run()
"""
"""The widgets that kbtui has in its first frame, of the same kinds in the same places."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent.parent / "kbtui/demo/handbook")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home, "XDG_CACHE_HOME": f"{home}/cache", "TERM": "xterm-256color"}
        programs = {"bare": ["-c", BARE], "kbtui": ["-m", "kbtui", str(args.folder)]}
        times: dict[str, list[float]] = {name: [] for name in programs}
        for name, argv in programs.items():
            first_frame_s(argv, env)  # compiles what is not compiled yet
            times[name].clear()
        for _ in range(args.rounds):
            for name, argv in programs.items():
                times[name].append(first_frame_s(argv, env))
    medians = {name: statistics.median(values) for name, values in times.items()}
    result = {
        "bare_ms": round(medians["bare"] * 1000),
        "kbtui_ms": round(medians["kbtui"] * 1000),
        "ratio": round(medians["kbtui"] / medians["bare"], 2),
        "rounds": args.rounds,
        **machine(),
    }
    print_result(result, as_json=args.json)


def first_frame_s(argv: list[str], env: dict[str, str]) -> float:
    """Seconds from the start of the program until its prompt is drawn."""
    start = time.perf_counter()
    child = pexpect.spawn(sys.executable, argv, env=env, dimensions=(36, 120), timeout=60)
    try:
        # The cursor stands on the first letter of the placeholder, so it is drawn apart from the rest.
        child.expect_exact(_MARK[1:].encode())
        return time.perf_counter() - start
    finally:
        child.close(force=True)


if __name__ == "__main__":
    main()
