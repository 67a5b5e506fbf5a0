"""A prepared home and folder, and a hand at the keyboard and the mouse of a terminal in which kbtui runs.

What a hand does is written as steps with ``|`` between them:

    C-o             a key, by tmux's name
    'rollback'      text that is typed
    @[2]            a click on this text; ``@[2]#2`` on the second place of it, ``@[2]>`` on the cell behind it
    ^@[2]           the same with the wheel, a row down
    ?2 of 8         nothing is done before this text is on the screen; ``?!2 of 8`` before it is gone
    $rm notes.md    something happens outside of the program: a command of the shell, in the folder that is asked
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from msgspec import Struct
from rich.cells import cell_len

from tests.support.terminal import Terminal, kbtui

ROOT = Path(__file__).parent.parent
PATIENCE_S = 90.0
_STANDS_S = 0.35
_AFTER_KEY_S = 0.12
_AFTER_ESCAPE_S = 0.3
"""A key right behind Escape is read as one with Alt."""


class Step(Struct, frozen=True):
    """One step: ``key``, ``text``, ``click``, ``wheel``, ``wait``, ``gone`` or ``outside``, and what it is about."""

    kind: str
    text: str
    nth: int = 1
    behind: int = 0

    @property
    def presses(self) -> int:
        """How many keys are pressed or places clicked; the letters of a typed text are counted by themselves."""
        return 1 if self.kind in ("key", "click", "wheel") else 0

    @property
    def letters(self) -> int:
        """How many letters are typed."""
        return len(self.text) if self.kind == "text" else 0


_SIGNS = (("^@", "wheel"), ("@", "click"), ("?!", "gone"), ("?", "wait"), ("$", "outside"), ("'", "text"))


def steps_of(written: str) -> list[Step]:
    """The steps of a task as it is written."""
    return [_step(part) for part in map(str.strip, written.split(" | ")) if part]


def _step(part: str) -> Step:
    kind = next((kind for sign, kind in _SIGNS if part.startswith(sign) and len(part) > len(sign)), "key")
    text = part
    for sign, of in _SIGNS:
        if of == kind:
            text = part.removeprefix(sign)
    if kind == "text":
        return Step(kind, text.removesuffix("'"))
    nth = behind = 0
    if kind in ("click", "wheel"):
        if (found := re.fullmatch(r"(.+)#(\d)", text)) is not None:
            text, nth = found[1], int(found[2])
        behind = len(text) - len(text.rstrip(">"))
        text = text.rstrip(">") if behind else text
    return Step(kind, text, nth or 1, behind)


class Task(Struct, frozen=True, kw_only=True):
    """One thing that somebody wants to get done.

    Attributes:
        task: What it is, in the words of a user.
        keys: The steps by keyboard.
        wide: The same at 120x36, where they differ.
        mouse: The same by mouse at 200x50.
        shows: What stands on the screen in the end; ``gone``: what does not.
        clipboard: What was copied.
        file: What was written: a pattern of names in the home or the folder, and text that the file holds.
        start: How the program is started: over the handbook, the sales, the demo, with a model, from a shell.
        light: In the light theme.
        locale: The user's locale.
    """

    task: str
    keys: str
    mouse: str
    wide: str = ""
    shows: Sequence[str] = ()
    gone: Sequence[str] = ()
    clipboard: str = ""
    file: Sequence[str] = ()
    start: str = "handbook"
    light: bool = False
    locale: str = "C.UTF-8"

    def steps(self, size: str) -> list[Step]:
        """What is done in a terminal of this size."""
        return steps_of({"80x24": self.keys, "120x36": self.wide or self.keys, "200x50": self.mouse}[size])


SIZES = ("80x24", "120x36", "200x50")


class World:
    """A home with an index and the sessions of last week, and what is asked; all of it as new for each run.

    Args:
        at: An empty folder.
        models: Addresses of the servers of chat models, by the name of the start that has one.
    """

    def __init__(self, at: Path, models: Mapping[str, str]) -> None:
        self._at, self._models = at, models
        self._kept = at / "kept"
        self._runs = 0
        self.home, self.folder, self.sales = at / "home", at / "handbook", at / "sales"

    @property
    def env(self) -> dict[str, str]:
        """The variables of a user of this home."""
        return {
            "HOME": str(self.home),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "EDITOR": "vim -u NONE -N --cmd 'set encoding=utf-8'",
            "COLORTERM": "truecolor",
            "HF_HUB_OFFLINE": "1",
            "MODEL_KEY": "any",
        }

    def prepare(self) -> None:
        """Make everything once."""
        self.home.mkdir(parents=True)
        shutil.copytree(ROOT / "kbtui/demo/handbook", self.folder)
        (self._at / "sales").mkdir()
        (self._at / "sales" / "sales.csv").write_text(_sales(), encoding="utf-8")
        shutil.copy(_database(), self._at / "harbourlight.sqlite")
        self._run("index", str(self.folder))
        self._ask(6, "How do I roll back a deploy?", "What is HEARTBEAT_TIMEOUT_S?")
        self._ask(1, "how many parcels are there by city?", "Which ADR superseded ADR-2?")
        for name in ("home", "handbook", "sales"):
            shutil.copytree(self._at / name, self._kept / name)

    def renew(self) -> None:
        """Have everything as it was made, the home in another place: the program of the run before may still end in it.

        What files are dated stays, so that the index is not out of date.
        """
        self._runs += 1
        self.home = self._at / f"home-{self._runs}"
        shutil.copytree(self._kept / "home", self.home)
        for name in ("handbook", "sales"):
            shutil.rmtree(self._at / name, ignore_errors=True)
            shutil.copytree(self._kept / name, self._at / name, dirs_exist_ok=True)

    def terminal(self, task: Task, size: str) -> Terminal:
        """The program in a terminal, as the task has it."""
        cols, rows = map(int, size.split("x"))
        argv, cwd = self._start(task.start)
        env = self.env | {"LANG": task.locale}
        if task.light:
            env["KBTUI_UI__THEME"] = "kbtui-paper"
        return Terminal(argv, cols=cols, rows=rows, env=env, cwd=cwd)

    def _start(self, name: str) -> tuple[list[str], Path]:
        data = ["--data", str(self._at / "harbourlight.sqlite")]
        match name:
            case "sales":
                return kbtui("--data", "sales.csv"), self._at / "sales"
            case "demo":
                return kbtui("demo"), self.home
            case "shell":
                return ["bash", "--norc", "--noprofile", "-i"], self.folder
            case "model" | "slow":
                keys = {"MODEL__BASE_URL": self._models[name], "MODEL__API_KEY_ENV": "MODEL_KEY"}
                given = [f"KBTUI_{key}={value}" for key, value in keys.items()]
                return ["env", *given, *kbtui(str(self.folder), "--model", "openai:scripted")], self.home
            case _:
                return kbtui(str(self.folder), *data), self.folder

    def _run(self, *words: str, stdin: str = "") -> None:
        argv = kbtui(*words)
        subprocess.run(argv, env=self.env, input=stdin, text=True, check=True, capture_output=True, cwd=self.home)

    def _ask(self, days: int, *questions: str) -> None:
        """Have these questions asked in one sitting so many days ago."""
        sessions = self.home / ".local/share/kbtui/sessions"
        before = set(sessions.glob("*.jsonl"))
        data = str(self._at / "harbourlight.sqlite")
        self._run(str(self.folder), "--data", data, "--linear", stdin="\n".join(questions) + "\n")
        for path in set(sessions.glob("*.jsonl")) - before:
            _date_back(path, days)


def _database() -> Path:
    from kbtui.demo.sample_database import sample_database

    return sample_database()


def _date_back(path: Path, days: int) -> None:
    """Have a session be of so many days ago: its name, and the time of every event."""
    day = datetime.strptime(path.name[:8], "%Y%m%d")
    then = day - timedelta(days=days)
    name = path.name.replace(f"{day:%Y%m%d}", f"{then:%Y%m%d}")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for event in lines:
        at = datetime.fromisoformat(event["at"].replace("Z", "+00:00")) - timedelta(days=days)
        event["at"] = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if "session_id" in event:
            event["session_id"] = Path(name).stem
    path.unlink()
    new = path.with_name(name)
    new.write_text("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in lines), encoding="utf-8")
    long_ago = datetime.now().timestamp() - days * 86400
    os.utime(new, (long_ago, long_ago))


def _sales() -> str:
    """Three hundred ordinary sales."""
    prices = {"Lamp": 39.5, "Desk": 310, "Chair": 120, "Shelf": 85, "Rug": 64}
    people = {"North": "Ada", "South": "Cleo", "East": "Eve", "West": "Gus"}
    lines = ["date,region,salesperson,product,quantity,amount"]
    for number in range(300):
        region = list(people)[(number * number + number // 7) % 4]
        product = list(prices)[number * 3 % 5]
        quantity = 1 + number * 5 % 9
        date = f"2025-{1 + number * 7 % 12:02}-{1 + number * 11 % 28:02}"
        lines.append(f"{date},{region},{people[region]},{product},{quantity},{quantity * prices[product]}")
    return "\n".join(lines) + "\n"


class Hand:
    """Does the steps of a task; says what is not as it should be.

    Args:
        terminal: Where the program runs.
        world: Where what it writes is looked for.
    """

    def __init__(self, terminal: Terminal, world: World) -> None:
        self._terminal, self._world = terminal, world

    def do(self, steps: Sequence[Step]) -> None:
        """Do all steps.

        Raises:
            AssertionError: Something is not on the screen that a step needs; the message has the screen.
        """
        for step in steps:
            match step.kind:
                case "wait":
                    self._terminal.wait(step.text, PATIENCE_S)
                case "gone":
                    self._terminal.wait(lambda screen, text=step.text: text not in screen, PATIENCE_S)
                case "outside":
                    subprocess.run(["sh", "-c", step.text], cwd=self._world.folder, check=True)
                case "text":
                    self._terminal.type(step.text)
                case "key":
                    self._terminal.keys(step.text)
                case _:
                    self._point(step)
            time.sleep(_AFTER_ESCAPE_S if step.text == "Escape" else _AFTER_KEY_S)

    def _point(self, step: Step) -> None:
        places: list[tuple[int, int]] = []

        def is_there() -> bool:
            # Where it stands once it no longer moves; the time that a run takes may go on changing beside it.
            before = list(_places(self._terminal.screen(), step.text))
            time.sleep(_STANDS_S)
            places[:] = _places(self._terminal.screen(), step.text)
            return places == before and len(places) >= step.nth

        _until(is_there, f"{step.text!r} is not on the screen")
        col, row = places[step.nth - 1]
        if step.kind == "wheel":
            self._terminal.wheel(col, row, 1)
        elif step.behind:
            self._terminal.click(col + cell_len(step.text) - 1 + step.behind, row)
        else:
            self._terminal.click(col + cell_len(step.text) // 2, row)

    def check(self, task: Task) -> None:
        """Compare what came of the task with what was wanted.

        Raises:
            AssertionError: It is something else.
        """
        self._terminal.wait(lambda screen: all(text in screen for text in task.shows), PATIENCE_S)
        self._terminal.wait(lambda screen: not any(text in screen for text in task.gone), PATIENCE_S)
        _until(lambda: task.clipboard in self._terminal.clipboard(), f"{task.clipboard!r} was not copied")
        if task.file:
            _until(lambda: self._wrote(*task.file), f"no {task.file[0]} holds {task.file[1]!r}")

    def _wrote(self, pattern: str, held: str) -> bool:
        """True where a file of this pattern holds this text."""
        places = (self._world.home, self._world.folder, self._world.sales)
        return any(held in path.read_text(encoding="utf-8") for place in places for path in place.rglob(pattern))


def _until(holds: Callable[[], bool], failure: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, failure
        time.sleep(0.1)


def _places(screen: str, text: str) -> Iterator[tuple[int, int]]:
    """Column (in cells) and row of each place where a text stands on the screen."""
    for row, line in enumerate(screen.split("\n")):
        start = line.find(text)
        while start >= 0:
            yield cell_len(line[:start]), row
            start = line.find(text, start + 1)


def told(steps: Sequence[Step], names: Mapping[str, str]) -> str:
    """Keys, typed text and clicks as they stand in the table."""
    parts: list[tuple[str, int]] = []
    for step in steps:
        if step.kind in ("wait", "gone", "outside"):
            continue
        said = _told(step, names)
        if parts and parts[-1][0] == said and step.kind != "text":
            parts[-1] = (said, parts[-1][1] + 1)
        else:
            parts.append((said, 1))
    return " ".join(f"{said} ×{times}" if times > 1 else said for said, times in parts)


def _told(step: Step, names: Mapping[str, str]) -> str:
    text = step.text.replace("|", "\\|")
    match step.kind:
        case "text":
            return f"“{text}”"
        case "click":
            return f"*{text}*"
        case "wheel":
            return f"wheel on *{text}*"
    return f"`{names.get(step.text, text.replace('C-', 'ctrl+').replace('M-', 'alt+'))}`"
