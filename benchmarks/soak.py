"""Random keys, clicks, pastes, resizes and signals over all screens, with questions running, in a pseudo-terminal.

    python benchmarks/soak.py [FOLDER] [--data SOURCE] [--events N] [--questions N] [--seed N] [--json]

The program is started on a scratch HOME and given N random events, among them questions that are asked while others
run, whole screens opened and left, editors, sizes from 20x5 to 220x60, bytes that are no keys, SIGTSTP with SIGCONT.
It must be alive after each, answer a question at the end, leave by ctrl+q, and give the terminal back: line settings
as before, every mode that it switched on switched off, no traceback. Then N questions are asked one after the other
and its memory is read: ``growth`` is what it holds after the last over what it held after the first sixth of them.
The exit code is 1 when something of this failed.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import re
import shlex
import signal
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any

from _common import machine, print_result
from _terminal import Terminal

_DEMO = Path(__file__).parent.parent / "kbtui/demo/handbook"
_QUESTIONS = (
    "When should I roll back a deploy?",
    "who is on call",
    "怎么回滚部署？",
    "compare ADR-6 and ADR-9",
    "how many parcels are there by city?",
    "what is here?",
    "zzz qqq xyzzy",
    "/help",
)
_KEYS = (
    *"abcdefghijklmnoprstuvwxyz0123456789?/@[]<>.,:;!#'\"\\ RYNGJK",
    *(
        chr(code) for code in range(1, 27) if chr(code) not in "\x03\x11\x13\x1a"
    ),  # interrupt, quit, stop of output, suspend
    *("\r", "\r", "\r", "\x1b", "\x1b", "\t", "\x1b[Z", "\x7f", "\x1b[3~"),
    *("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~"),
    *("\x1bOP", "\x1bOQ", "\x1b[15~", "\x1b[24~", "\x1b[1;5C", "\x1b[1;5A", "\x1b[1;2B", "\x1bx", "\x1b\r"),
    *("中", "文", "é", "👩‍💻", "\u202e", "\x00"),
)
_CATCH_UP_S = 300
"""How long what was sent may be handled for, after the last of it."""

_ANSWERED = re.compile(r"(done|refused|not found|stopped) · [\d.]+")
"""The end of the status line after an answer."""

_MODES_ON_AT_REST = {7, 25}
"""Private modes of a terminal that are on while no program runs: lines are wrapped, the cursor is shown."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=_DEMO)
    parser.add_argument("--data", action="append", default=[], help="a data source, as `kbtui --data` takes it")
    parser.add_argument("--events", type=int, default=5000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        soak = Soak(args.folder.resolve(), args.data, Path(scratch), random.Random(args.seed))
        result: dict[str, Any] = {"events": args.events, "questions": args.questions, "seed": args.seed}
        result |= soak.run(args.events, args.questions) | machine()
    faults = result["faults"]
    print_result(result | {"faults": len(faults)}, as_json=args.json)
    print(*faults, sep="\n\n", file=sys.stderr)
    return 1 if faults else 0


class Soak:
    """One program in a terminal, and what was seen to go wrong with it."""

    def __init__(self, folder: Path, data: list[str], scratch: Path, chance: random.Random) -> None:
        self._chance = chance
        self._scratch = scratch
        self._folder = folder
        (scratch / "home").mkdir()
        editor = scratch / "editor"
        editor.write_text("#!/bin/sh\necho edited\n")
        editor.chmod(0o755)
        own = {"HOME": str(scratch / "home"), "TERM": "xterm-256color", "EDITOR": str(editor), "HF_HUB_OFFLINE": "1"}
        own["PYTHONFAULTHANDLER"] = "1"
        left_out = ("VISUAL", "COLUMNS", "LINES", "TMUX")
        self._env = {name: value for name, value in os.environ.items() if name not in left_out} | own
        for name in ("CACHE", "DATA", "STATE", "CONFIG"):
            self._env[f"XDG_{name}_HOME"] = str(scratch / name.lower())
        sources = [part for source in data for part in ("--data", source)]
        program = shlex.join([sys.executable, "-m", "kbtui", str(folder), *sources])
        self._shell = ["sh", "-c", f"stty -g; {program}; echo exit=$?; stty -g"]
        self._faults: list[str] = []
        self._last: deque[bytes | str] = deque(maxlen=8)

    def run(self, events: int, questions: int) -> dict[str, Any]:
        self._terminal = Terminal(self._shell, self._env, cwd=self._scratch)
        self._terminal.until("ask about")
        done = 0
        while done < events and self._alive():
            self._event()
            done += 1
            self._terminal.read(self._chance.choice((0.0, 0.001, 0.01, 0.05)))
            if done % 100 == 0:
                self._check_reaction()
        self._catch_up()
        if not self._alive():
            self._faults.append(f"it ended after {done} events, the last of them {list(self._last)}")
        memory = self._ask_all(questions) if self._alive() else []
        if self._alive():
            self._leave()
        self._inspect()
        base = memory[len(memory) // 6] if memory else 0
        return {
            "faults": self._faults,
            "sent": done,
            "memory_mb": [round(size / 1e6) for size in memory[:: max(1, len(memory) // 6)]],
            "growth": round(memory[-1] / base, 3) if base else None,
        }

    # Events

    def _event(self) -> None:
        acts = (self._key, self._text, self._question, self._mouse, self._paste, self._resize, self._signal, self._leap)
        self._chance.choices(acts, weights=(60, 8, 6, 14, 2, 4, 1, 5))[0]()

    def _send(self, data: bytes | str) -> None:
        self._last.append(data)
        try:
            self._terminal.send(data)
        except OSError as error:
            self._faults.append(f"nothing could be typed: {error}")

    def _key(self) -> None:
        self._send(self._chance.choice(_KEYS))

    def _text(self) -> None:
        if self._chance.random() < 0.2:
            self._send(bytes(self._chance.randrange(256) for _ in range(6)).replace(b"\x11", b"").replace(b"\x1a", b""))
        else:
            self._send("".join(self._chance.choice("abcdefghi 回滚部署") for _ in range(8)))

    def _question(self) -> None:
        self._send("\x1b\x15" + self._chance.choice(_QUESTIONS) + "\r")

    def _mouse(self) -> None:
        col, row = self._chance.randint(1, 222), self._chance.randint(1, 62)
        button = self._chance.choice((0, 0, 0, 2, 64, 65, 35))
        self._send(f"\x1b[<{button};{col};{row}M")
        if button == 0 and self._chance.random() < 0.2:
            self._send(f"\x1b[<32;{col + 5};{row}M")
        if button in (0, 2):
            self._send(f"\x1b[<{button};{col};{row}m")

    def _paste(self) -> None:
        lines = ["x" * self._chance.randint(0, 200) for _ in range(self._chance.randint(1, 60))]
        self._send("\x1b[200~" + "\n".join(lines) + "\x1b[201~")

    def _resize(self) -> None:
        self._terminal.resize(self._chance.randint(20, 220), self._chance.randint(5, 60))

    def _signal(self) -> None:
        process = self._process()
        if process is not None:
            os.kill(process, signal.SIGTSTP)
            deadline = time.monotonic() + 10
            while (state := _state(process)) != "T" and time.monotonic() < deadline:
                self._terminal.read(0.05)
            if state != "T":
                self._faults.append(f"not stopped by SIGTSTP but {state!r}:\n" + "\n".join(self._terminal.rows()))
            os.kill(process, signal.SIGCONT)

    def _leap(self) -> None:
        """Open a screen: sessions, settings, themes, help, the palette, the audit, a replay."""
        self._send(self._chance.choice(("\x0f", "\x10", "\x1bOP", "/index\r", "/theme\r", "/sessions\r", "/export\r")))

    def _catch_up(self) -> None:
        """Wait until the program rests, as it does when it has handled all that was sent."""
        process = self._process()
        deadline = time.monotonic() + _CATCH_UP_S
        spent = None
        while process is not None and (now := _processor_time(process)) != spent:
            if time.monotonic() > deadline:
                self._faults.append(f"still busy after {_CATCH_UP_S} s, the last events being {list(self._last)}")
                return
            spent = now
            self._terminal.settle(1, most_s=1)

    def _check_reaction(self) -> None:
        """Another size is drawn; a program that does not draw is ended, with the stacks of its threads."""
        self._terminal.settle()
        self._terminal.resize(120, 36 + self._chance.randint(0, 1))
        self._terminal.resize(100, 30)
        process = self._process()
        if not self._terminal.read(30) and process is not None:
            os.kill(process, signal.SIGABRT)
            self._terminal.settle(1)
            stacks = self._terminal.output.decode(errors="replace").rpartition("Fatal Python error")[2]
            self._faults.append(f"it drew nothing for 30 s, the last events being {list(self._last)}: {stacks[:8000]}")

    # Asking

    def _ask_all(self, questions: int) -> list[int]:
        """Resident bytes after each of the questions."""
        terminal = self._terminal
        terminal.resize(120, 36)
        terminal.settle()
        sizes: list[int] = []
        asked = _asked(terminal.rows()[0])
        for number in range(questions):
            if not self._go_to_prompt():
                return sizes
            self._send("\x15" + _QUESTIONS[number % 4])
            terminal.settle(0.05)
            self._send("\r")
            asked += 1
            deadline = time.monotonic() + _CATCH_UP_S
            # Until the question is on the screen, the line says that the one before it is done.
            while _asked(line := terminal.rows()[0]) < asked or not _ANSWERED.search(line):
                if time.monotonic() > deadline or not terminal.child.isalive():
                    self._faults.append(f"question {number} was not answered:\n" + "\n".join(terminal.rows()))
                    return sizes
                terminal.read(0.1)
            terminal.settle(0.1)
            process = self._process()
            if process is not None:
                pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
                sizes.append(pages * os.sysconf("SC_PAGE_SIZE"))
        return sizes

    def _go_to_prompt(self) -> bool:
        """Press escape until the prompt has the focus, as the footer shows; False when it never had."""
        terminal = self._terminal
        for _ in range(30):
            terminal.settle(0.1)
            over = re.search(r"esc (ask|back|close|cancel)", "\n".join(terminal.rows()))
            if not over and re.search(r"esc (browse|sources|read)", terminal.rows()[-1]):
                return True
            self._send("\x1b")
        self._faults.append("escape did not lead to the prompt:\n" + "\n".join(terminal.rows()))
        return False

    def _process(self) -> int | None:
        """The number of the program's process, which the shell has started."""
        shell = self._terminal.child.pid
        with contextlib.suppress(OSError):
            return next(map(int, Path(f"/proc/{shell}/task/{shell}/children").read_text().split()), None)
        return None

    def _alive(self) -> bool:
        return bool(self._terminal.child.isalive() and self._process() is not None)

    # The end

    def _leave(self) -> None:
        for _ in range(3):
            self._send("\x1b")
            self._terminal.settle(0.1)
        self._send("\x11")
        deadline = time.monotonic() + 30
        while self._terminal.child.isalive() and time.monotonic() < deadline:
            self._terminal.read(0.2)
        if self._terminal.child.isalive():
            self._faults.append("it did not leave by ctrl+q:\n" + "\n".join(self._terminal.rows()))

    def _inspect(self) -> None:
        """What the program has left behind."""
        self._terminal.settle()
        self._terminal.child.close(force=True)
        output = self._terminal.output.decode(errors="replace")
        if "Traceback" in output or "╭─ Error" in output:
            self._faults.append("a traceback:\n" + output[output.rindex("Traceback") :][-6000:])
        if "exit=0" not in output:
            self._faults.append("it did not end well: " + "".join(re.findall(r"exit=\d+", output)))
        settings = re.findall(r"(?m)^([0-9a-f]+(?::[0-9a-f]+){10,})\r?$", output)
        if len(settings) != 2 or settings[0] != settings[1]:
            self._faults.append(f"the settings of the terminal: {settings}")
        modes: dict[int, bool] = {}
        for numbers, state in re.findall(r"\x1b\[\?([\d;]+)([hl])", output):
            modes |= {int(number): state == "h" for number in numbers.split(";")}
        left = {number for number, on in modes.items() if on} ^ (_MODES_ON_AT_REST & modes.keys())
        if left:
            self._faults.append(f"private modes of the terminal not as they were: {sorted(left)}")
        for path in self._scratch.rglob("*.log"):
            log = path.read_text(errors="replace")
            # What is still being made when the app closes may miss its parts; nobody sees it.
            if re.search(r" (CRITICAL|ERROR) (?!.*while the app was closing)", log):
                self._faults.append(f"an error in {path.name}:\n{log[-4000:]}")


def _asked(status: str) -> int:
    """How many questions were asked, by the status line, which does not count a single one."""
    count = re.search(r"question \d+ of (\d+)", status)
    return int(count[1]) if count else int(bool(_ANSWERED.search(status)))


def _processor_time(process: int) -> int:
    """In tenths of a second, rounded down; what timers of an idle program take in a second is less."""
    with contextlib.suppress(OSError, IndexError):
        user, system = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()[11:13]
        return (int(user) + int(system)) * 10 // os.sysconf("SC_CLK_TCK")
    return 0


def _state(process: int) -> str:
    """``S`` asleep, ``T`` stopped …; empty when it has ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
