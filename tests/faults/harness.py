"""Runs one piece of work again and again, each time with a fault at the Nth call that touches kbtui's own folders.

``python -m tests.faults.harness SUBJECT ACTION [--kinds …] [--error …]`` loads everything once and forks a process for
each N, so that the whole range of N can be afforded. It prints one JSON object: how many calls there were, and each N
after which something did not hold. `tests.faults.shim` starts it with the shim preloaded.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import faulthandler
import importlib
import json
import os
import re
import resource
import shutil
import signal
import stat
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

KINDS: Final = {"open": 1, "write": 2, "name": 4, "allocate": 8}
ACTIONS: Final = {"once": 0, "on": 1, "kill": 2}
LARGE: Final = 1 << 18
"""Bytes from which an allocation counts: those of buffers, columns and matrices."""
DEADLINE_S: Final = 60.0
TELLS: Final = bool(os.environ.get("FAULTS_TELL"))
"""Each N goes to standard error as it is done, for whoever waits."""


class Shim:
    """The functions of the preloaded library."""

    def __init__(self) -> None:
        library = ctypes.CDLL(None)
        library.faults_count.restype = ctypes.c_long
        library.faults_call.restype = library.faults_path.restype = ctypes.c_char_p
        library.faults_arm.argtypes = [ctypes.c_int, ctypes.c_long, ctypes.c_int, ctypes.c_int, ctypes.c_long]
        self._library = library

    def watch(self, *folders: Path) -> None:
        self._library.faults_unwatch()
        for folder in folders:
            self._library.faults_watch(os.fsencode(folder))

    def arm(self, kinds: int, at: int, error: int, action: int) -> None:
        self._library.faults_arm(kinds, at, error, action, LARGE)

    def disarm(self) -> None:
        self._library.faults_disarm()

    @property
    def count(self) -> int:
        return int(self._library.faults_count())

    @property
    def call(self) -> str:
        """The call that was made to fail, with its path; empty when it never came to that."""
        name = self._library.faults_call().decode()
        return f"{name} {os.fsdecode(self._library.faults_path())}" if name else ""


class Work:
    """What is done under faults. The paths of ``place`` are the same for every N: indexes are named by them.

    Args:
        place: Holds ``home`` (the XDG folders), ``kb`` (the documents) and whatever else is needed.
    """

    watches: tuple[str, ...] = ("home",)
    accepted: frozenset[int] = frozenset({0, 1, 2})
    """Exit codes that a fault may end with."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.kb = place / "kb"
        self.home = place / "home"

    def prepare(self) -> None:
        """Make the state that is there before."""

    def act(self) -> int:
        """Do the work; the exit code."""
        raise NotImplementedError

    def settle(self) -> None:
        """Do the work again after a restart without faults; called in a fresh process."""
        self.act()

    def state(self) -> Any:
        """What must be the same in the end, as JSON."""
        raise NotImplementedError

    def judge(self, code: int, output: str, errors: str, expected: str) -> str:
        """What is wrong with how the disturbed work ended; empty when nothing is."""
        if code not in self.accepted:
            return f"exit code {code}"
        if code in (1, 2) and ("\nhint: " not in f"\n{errors}" or "kbtui: " not in errors):
            return "no message with a hint"
        return self.judge_claim(output, errors, expected) if code == 0 else ""

    def judge_claim(self, output: str, errors: str, expected: str) -> str:
        """What is wrong with work that said it was done."""
        return ""


BAD_WORDS: Final = ("Traceback", "unexpected error", "Something went wrong inside", "panicked", "Exception ignored")
DRAFT: Final = re.compile(r"\..+\.part|\.tmp\w{6}|.+#\d+|draft-.+|\.export-.+|.+\.json\.\d+")
"""Names that files have before they are whole: kbtui's, LanceDB's, those of copies of data and of exported models."""


class Harness:
    """Forks a process for each N and compares."""

    def __init__(self, work: Work, shim: Shim) -> None:
        self._work = work
        self._shim = shim
        self._place = work.place
        self._template = self._place.with_name(self._place.name + "-before")
        self._log = self._place.with_name(self._place.name + "-log")
        self._log.mkdir()
        self.findings: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Prepare, load what the work loads, and find out what the state is when nothing fails."""
        self._fork(self._work.prepare)
        shutil.copytree(self._place, self._template, symlinks=True)
        self._fork(lambda: self._tell_modules(self._work.act))
        for name in json.loads(self._read("modules")):
            try:
                importlib.import_module(name)
            except Exception:  # noqa: BLE001 - parts of packages that are not meant to be imported by name
                continue
        self._restore()
        code = self._fork(self._work.act)
        self.output = self._read("out")
        assert code == 0, (code, self.output, self._read("err"))
        self.expected = self._state(self._nothing)

    @staticmethod
    def _nothing() -> None:
        return

    def run(self, kinds: int, error: int, action: str, first: int = 1, step: int = 1, last: int = 1_000_000) -> int:
        """Every N until the work comes to its end without the Nth call; the highest N."""
        at = first
        while at <= last:
            self._restore()
            started = time.monotonic()
            code = self._fork(self._armed(kinds, at, error, action))
            call = self._shim.call
            if not call:
                return at - 1
            problem = self._judge(code, action, kinds)
            if not problem:
                problem = self._settled()
            if TELLS:
                print(at, code, call[-60:], "|", problem, file=sys.stderr, flush=True)
            if problem:
                self.findings.append(
                    {
                        "at": at,
                        "call": call.replace(str(self._place), ""),
                        "problem": problem,
                        "code": code,
                        "errors": self._read("err-1")[-1500:],
                        "seconds": round(time.monotonic() - started, 1),
                    }
                )
            at += step
        return at - step

    def _armed(self, kinds: int, at: int, error: int, action: str) -> Callable[[], Any]:
        def act() -> Any:
            self._shim.watch(*(self._place / name for name in self._work.watches))
            self._shim.arm(kinds, at, error, ACTIONS[action])
            return self._work.act()

        return act

    def _judge(self, code: int, action: str, kinds: int) -> str:
        errors, output = self._read("err"), self._read("out")
        (self._log / "err-1").write_text(errors, "utf-8")
        if code == -signal.SIGALRM:
            return "hung"
        if action == "kill" and code == -signal.SIGKILL:
            return ""
        if kinds & KINDS["allocate"] and code == -signal.SIGABRT:
            return ""  # Rust ends the process when an allocation fails: as a kill
        if code < 0:
            return f"ended by signal {-code}"
        if bad := next((word for word in BAD_WORDS if word in errors or word in output), ""):
            return f"says {bad!r}"
        return self._work.judge(code, output, errors, self.output)

    def _settled(self) -> str:
        state = self._state(self._work.settle)
        if state != self.expected:
            return f"after a restart: {_difference(self.expected, state)}"
        if left := self._drafts():
            return f"left behind: {', '.join(left[:6])}"
        if readable := self._readable_by_others():
            return f"readable by others: {', '.join(readable[:6])}"
        return ""

    def _state(self, before: Callable[[], Any]) -> Any:
        (self._log / "state").unlink(missing_ok=True)

        def tell() -> int:
            before()
            (self._log / "state").write_text(json.dumps(self._work.state(), sort_keys=True), "utf-8")
            return 0

        code = self._fork(tell)
        return json.loads(self._read("state")) if code == 0 else {"exit": code, "errors": self._read("err")[-800:]}

    def _drafts(self) -> list[str]:
        """Files below the home that never got their names."""
        home = self._work.home
        return sorted(str(path.relative_to(home)) for path in home.rglob("*") if DRAFT.fullmatch(path.name))

    def _readable_by_others(self) -> list[str]:
        home = self._work.home
        return sorted(
            str(path.relative_to(home))
            for path in home.rglob("*")
            if "config" not in path.parts and path.is_file() and stat.S_IMODE(path.stat().st_mode) & 0o077
        )

    def _restore(self) -> None:
        shutil.rmtree(self._place)
        shutil.copytree(self._template, self._place, symlinks=True)

    def _tell_modules(self, act: Callable[[], Any]) -> int:
        act()
        (self._log / "modules").write_text(json.dumps(sorted(sys.modules)), "utf-8")
        return 0

    def _read(self, name: str) -> str:
        try:
            return (self._log / name).read_text("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def _fork(self, do: Callable[[], Any]) -> int:
        """``do`` in a process of its own; its exit code, or minus the signal that ended it."""
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if child == 0:
            self._be_child(do)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def _be_child(self, do: Callable[[], Any]) -> None:
        code = 99
        try:
            signal.alarm(int(DEADLINE_S))
            for number, name in ((1, "out"), (2, "err")):
                fd = os.open(self._log / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
                os.dup2(fd, number)
                os.close(fd)
            faulthandler.dump_traceback_later(DEADLINE_S - 2, exit=True)
            result = do()
            code = result if isinstance(result, int) else 0
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        except BaseException:  # noqa: BLE001 - the parent reads it
            self._shim.disarm()
            traceback.print_exc()
        finally:
            self._shim.disarm()
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            os._exit(code)


def command(*arguments: str) -> int:
    """Run ``kbtui`` with these arguments in this process, as its entry point does; the exit code."""
    from kbtui.cli.main import cli

    sys.argv = ["kbtui", *arguments]
    try:
        return int(cli.run())
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else 1


def _difference(expected: Any, state: Any) -> str:
    if not isinstance(expected, dict) or not isinstance(state, dict):
        return f"{str(state)[:600]} instead of {str(expected)[:600]}"
    parts = [
        f"{key}: {str(state.get(key))[:400]} instead of {str(expected.get(key))[:400]}"
        for key in sorted({*expected, *state})
        if expected.get(key) != state.get(key)
    ]
    return "; ".join(parts)


def main() -> None:
    from tests.faults.works import WORKS

    parser = argparse.ArgumentParser()
    parser.add_argument("work", choices=WORKS)
    parser.add_argument("action", choices=ACTIONS)
    parser.add_argument("place", type=Path)
    parser.add_argument("--kinds", default="open,write,name")
    parser.add_argument("--error", default="ENOSPC")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--step", type=int, default=1)
    parser.add_argument("--last", type=int, default=1_000_000)
    options = parser.parse_args()
    del os.environ["LD_PRELOAD"]  # programs that the work starts are not to be slowed down
    threading.stack_size(1 << 20)

    place = options.place.resolve()
    (place / "home").mkdir(parents=True)
    os.environ.update(
        {
            "HOME": str(place / "home"),
            "XDG_CONFIG_HOME": str(place / "home/config"),
            "XDG_DATA_HOME": str(place / "home/data"),
            "XDG_CACHE_HOME": str(place / "home/cache"),
            "XDG_STATE_HOME": str(place / "home/state"),
        }
    )
    from kbtui import late_imports
    from kbtui.settings.private import restrict_process

    late_imports.install()
    restrict_process()
    started, harness = time.monotonic(), Harness(WORKS[options.work](place), Shim())
    harness.begin()
    ready = time.monotonic()
    kinds = sum(KINDS[name] for name in options.kinds.split(","))
    highest = harness.run(
        kinds, getattr(errno, options.error), options.action, options.first, options.step, options.last
    )
    print(
        json.dumps(
            {
                "calls": highest,
                "findings": harness.findings,
                "begin_s": round(ready - started, 1),
                "seconds": round(time.monotonic() - started, 1),
                "cpu_s": round(
                    sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)), 1
                ),
            }
        )
    )


if __name__ == "__main__":
    main()
