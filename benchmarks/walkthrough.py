"""Does the tasks of ``data/walkthrough.toml`` in a terminal at three sizes, and writes ``docs/walkthrough.md`` of them.

    python benchmarks/walkthrough.py [--only WORDS] [--size 80x24] [--show] [--seen FOLDER] [--write]

Each task is done by keyboard at 80x24 and 120x36 and by mouse at 200x50, in tmux, each time in a home and a folder as
they were made; how it is written stands in `_walk`. A task is done when the screen shows what it should, and the
clipboard or a file holds it. ``--show`` prints the screen in the end. The page is written only after all tasks were
done at all sizes. The exit code is 1 when one was not.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import msgspec
from _walk import SIZES, Hand, Step, Task, World, told

from tests.support.behaviours import perfect
from tests.support.model_request import Reply, Request
from tests.support.model_server import ModelServer

ROOT = Path(__file__).parent.parent
TASKS = Path(__file__).parent / "data" / "walkthrough.toml"
PAGE = ROOT / "docs" / "walkthrough.md"
_NAMES = {
    **{name: name.lower() for name in ("Enter", "Tab", "Space", "Home", "End", "BSpace")},
    **{"Escape": "esc", "PageDown": "pgdn", "PageUp": "pgup"},
    **{"Down": "↓", "Up": "↑", "Right": "→", "Left": "←"},
}


class Walkthrough(msgspec.Struct):
    """The file of the tasks: ``left`` are stumbles that are still there."""

    task: list[Task]
    left: list[str] = []


def tasks() -> Walkthrough:
    """The tasks as they are written."""
    return msgspec.toml.decode(TASKS.read_bytes(), type=Walkthrough)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only tasks with these words, others behind a |")
    parser.add_argument("--size", choices=SIZES, action="append")
    parser.add_argument("--show", action="store_true", help="print each screen in the end")
    parser.add_argument("--write", action="store_true", help="write the page when all was done")
    parser.add_argument("--seen", type=Path, help="a folder that keeps what was done, so that it is not done again")
    args = parser.parse_args()
    walkthrough = tasks()
    with tempfile.TemporaryDirectory() as scratch, ModelServer(perfect) as model, ModelServer(_slow) as slow:
        seen = Seen(args.seen or Path(scratch) / "seen")
        world = World(Path(scratch), {"model": f"{model.url}/v1", "slow": f"{slow.url}/v1"})
        wanted = [
            (task, size)
            for task in walkthrough.task
            if any(words.casefold() in task.task.casefold() for words in args.only.split("|"))
            for size in args.size or SIZES
            if seen.seconds(task, size) is None
        ]
        if wanted:
            world.prepare()
        for task, size in wanted:
            took, failure = done(world, task, size, show=args.show)
            print(f"{'✗' if failure else '✓'} {size} {took:5.1f} s  {task.task}\n{failure}".rstrip(), flush=True)
            if not failure:
                seen.add(task, size, took)
        missing = [
            f"{size} {task.task}" for task in walkthrough.task for size in SIZES if seen.seconds(task, size) is None
        ]
        if args.write and not missing:
            PAGE.write_text(page(walkthrough, seen), encoding="utf-8")
        failed = [(task, size) for task, size in wanted if seen.seconds(task, size) is None]
    if args.write:
        print(*missing, sep="\n")
    return 1 if failed or (args.write and missing) else 0


class Seen:
    """The runs that led to what was wanted, one file each; a task that is written otherwise was not seen.

    Args:
        folder: Where the files are; made where it is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _path(self, task: Task, size: str) -> Path:
        told = msgspec.to_builtins(task) | {"keys": "", "wide": "", "mouse": ""}
        key = msgspec.json.encode([size, msgspec.to_builtins(task.steps(size)), told])
        return self._folder / hashlib.sha256(key).hexdigest()[:16]

    def add(self, task: Task, size: str, seconds: float) -> None:
        """Keep that it was done, and in how many seconds."""
        self._path(task, size).write_text(f"{seconds:.1f}\n", encoding="utf-8")

    def seconds(self, task: Task, size: str) -> float | None:
        """How long it took; None where it was not done."""
        path = self._path(task, size)
        return float(path.read_text(encoding="utf-8")) if path.exists() else None

    def slowest(self, task: Task) -> float:
        """Seconds at the size where it took longest."""
        return max(self.seconds(task, size) or 0 for size in SIZES)


def _slow(request: Request) -> Reply:
    """What the other model answers, slowly enough to do something else meanwhile."""
    return replace(perfect(request), before_s=1.5)


def done(world: World, task: Task, size: str, *, show: bool) -> tuple[float, str]:
    """Do a task once: seconds from the start of the program, and what failed."""
    world.renew()
    started = time.monotonic()
    with world.terminal(task, size) as terminal:
        hand = Hand(terminal, world)
        failure = ""
        try:
            hand.do(task.steps(size))
            hand.check(task)
        except AssertionError as error:
            said = str(error)
            failure = said if "\n" in said else f"{said}; the screen is:\n{terminal.screen()}"
        took = time.monotonic() - started
        if show:
            print(terminal.settled())
    return took, failure


def page(walkthrough: Walkthrough, seen: Seen) -> str:
    """The text of ``docs/walkthrough.md``."""
    first, second = walkthrough.task[:2]
    head = f"""# Forty things to do with the screen

<!-- Written by `python benchmarks/walkthrough.py --write`; edit `benchmarks/data/walkthrough.toml` instead. -->

Each task was done in tmux by keyboard at 80×24 and 120×36 and by mouse at 200×50, on a home with an index and the
sessions of last week, and what it led to was compared with what was wanted: on the screen, in the clipboard or in the
file. The page is written by the program that does them, and only where all of them were done.

`enter` is a key, “words” are typed, *words* are what is clicked. The figures are keys (or clicks) and typed letters.
Text is typed and an editor left by keys alone, which are counted by mouse, too. ◐ was done in the light theme, 中 in a
Chinese locale.

From the start of the program, waiting for its index included, with the slowest of the three sizes: “{first.task}”
{seen.slowest(first):.0f} s, “{second.task}” {seen.slowest(second):.0f} s.
"""
    return "\n".join([head, *table(walkthrough), *_left(walkthrough)]) + "\n"


def table(walkthrough: Walkthrough) -> list[str]:
    """The table of the tasks."""
    lines = ["| | task | keys at 80×24 | keys at 120×36 | by mouse at 200×50 |", "|---|---|---|---|---|"]
    for number, task in enumerate(walkthrough.task, 1):
        signs = ("◐" if task.light else "") + ("中" if task.locale.startswith("zh") else "")
        cells = [_cell(task.steps(size)) for size in SIZES]
        if not task.wide:
            cells[1] = f"the same · {counts(task.steps(SIZES[1]))}"
        lines.append("| " + " | ".join([f"{number} {signs}".rstrip(), task.task, *cells]) + " |")
    return lines


def _cell(steps: list[Step]) -> str:
    return f"{told(steps, _NAMES)} · {counts(steps)}"


def counts(steps: list[Step]) -> str:
    """How many keys or clicks, and how many letters."""
    presses, letters = sum(step.presses for step in steps), sum(step.letters for step in steps)
    return f"**{presses}** + {letters}" if letters else f"**{presses}**"


def _left(walkthrough: Walkthrough) -> list[str]:
    if not walkthrough.left:
        return []
    return ["", "## What is still in the way", "", *(f"- {stumble}" for stumble in walkthrough.left)]


if __name__ == "__main__":
    sys.exit(main())
