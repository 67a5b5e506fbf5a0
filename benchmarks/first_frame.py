"""Time to the first frame: kbtui against a bare Textual app with the same kinds of widgets, in turns, in one run.

    python benchmarks/first_frame.py [FOLDER] [--rounds N] [--json]

Each program is started in a pseudo-terminal of 120x36 and timed from its start until its prompt is on the screen.
``ratio`` is the median of kbtui's times over the median of the bare app's; ``cpu_ratio`` is the same of the processor
time until then, which other work on the machine changes less.

The pseudo-terminal answers what kbtui asks of it, as terminals do: kbtui would wait for 0.2 s. Python keeps byte code,
also where the environment forbids it: packages are installed with theirs, so that Textual would be loaded and a
checkout of kbtui compiled at each start.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import pexpect
from _common import machine, print_result

_MARK = "ask about"
_DEVICE_ATTRIBUTES = b"\x1b[c"
_ANSWER = b"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;22c"
"""A black background, and what the terminal is."""
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
        frames = first_frames(args.folder, env, args.rounds)
    result = {
        "bare_ms": round(frames["bare"].wall_s * 1000),
        "kbtui_ms": round(frames["kbtui"].wall_s * 1000),
        "ratio": round(frames["kbtui"].wall_s / frames["bare"].wall_s, 2),
        "bare_cpu_ms": round(frames["bare"].cpu_s * 1000),
        "kbtui_cpu_ms": round(frames["kbtui"].cpu_s * 1000),
        "cpu_ratio": round(frames["kbtui"].cpu_s / frames["bare"].cpu_s, 2),
        "rounds": args.rounds,
        **machine(),
    }
    print_result(result, as_json=args.json)


class Frame(NamedTuple):
    """What a program took until its prompt was drawn, in seconds, and in seconds of processor time."""

    wall_s: float
    cpu_s: float


def first_frames(folder: Path, env: dict[str, str], rounds: int) -> dict[str, Frame]:
    """The median frame of each program, the programs in turns."""
    programs = {"bare": ["-c", BARE], "kbtui": ["-m", "kbtui", str(folder)]}
    frames: dict[str, list[Frame]] = {name: [] for name in programs}
    for number in range(rounds + 1):
        for name, argv in programs.items():
            frame = first_frame(argv, env)
            if number:  # the first start compiles what is not compiled yet
                frames[name].append(frame)
    return {name: Frame(*map(statistics.median, zip(*values, strict=True))) for name, values in frames.items()}


def first_frame(argv: list[str], env: dict[str, str]) -> Frame:
    """One start of a program, until its prompt is drawn."""
    env = {name: value for name, value in env.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    child = pexpect.spawn(sys.executable, argv, env=env, dimensions=(36, 120), timeout=60)
    child.delaybeforesend = None
    try:
        # The cursor stands on the first letter of the placeholder, so it is drawn apart from the rest.
        prompt = _MARK[1:].encode()
        if child.expect_exact([_DEVICE_ATTRIBUTES, prompt]) == 0:
            child.send(_ANSWER)
            child.expect_exact(prompt)
        return Frame(time.perf_counter() - start, _cpu_s(child.pid))
    finally:
        child.close(force=True)


def _cpu_s(pid: int) -> float:
    """Processor time of all threads of a process so far."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


if __name__ == "__main__":
    main()
