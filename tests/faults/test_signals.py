"""Signals and vanishing terminals: the terminal is restored, the session is whole, nothing is left running."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pexpect
import pytest

from kbtui.domain.codec import encode
from kbtui.editors import launch
from tests.sessions.runs import answered
from tests.support.terminal import PATIENCE_S, kbtui

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
MODES_OFF = tuple(f"\x1b[?{mode}l" for mode in (1000, 1002, 1003, 1006, 1016, 2004))


class Screen:
    """kbtui, or another program, in a pseudo-terminal of its own, with every byte it wrote."""

    def __init__(self, *arguments: str, program: list[str] | None = None) -> None:
        env = {**os.environ, "TERM": "xterm-256color"}
        argv = program or kbtui(*arguments)
        self.written = b""
        self.child = pexpect.spawn(argv[0], argv[1:], env=env, dimensions=(36, 120), timeout=PATIENCE_S)
        self.attributes = termios.tcgetattr(self.child.child_fd)
        self.child.logfile_read = self

    def write(self, data: bytes) -> None:
        self.written += data

    def flush(self) -> None:
        """pexpect asks for it."""

    def shows(self, text: str) -> None:
        self.child.expect_exact(text)

    def until(self, happened: Callable[[], object]) -> None:
        """Wait, and read meanwhile: a terminal that nobody reads takes no more output."""
        deadline = time.monotonic() + PATIENCE_S
        while not happened():
            assert time.monotonic() < deadline, "it never happened"
            self.child.expect([pexpect.TIMEOUT, r".+"], timeout=0.02)

    def ends(self) -> int | None:
        """The exit code, once it has ended."""
        self.child.expect(pexpect.EOF)
        self.child.wait()
        return self.child.exitstatus


@pytest.fixture
def screens() -> Iterator[Callable[..., Screen]]:
    made: list[Screen] = []

    def make(*arguments: str) -> Screen:
        made.append(Screen(*arguments))
        return made[-1]

    yield make
    for screen in made:
        if not screen.child.closed:
            screen.child.close(force=True)


@pytest.fixture
def recording(tmp_path: Path) -> Path:
    """A session whose folder is there, so that its sources can be edited."""
    events = answered(query="how are deploys rolled back?")
    path = tmp_path / "recorded.jsonl"
    path.write_text("".join(encode(event) + "\n" for event in events), encoding="utf-8")
    return path


def until(happened: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    deadline = time.monotonic() + patience_s
    while not happened():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def last_event(home: Path) -> dict[str, object]:
    (path,) = (home / "data" / "kbtui" / "sessions").glob("*.jsonl")
    text = path.read_text(encoding="utf-8")
    assert text.endswith("\n"), "no line is half-written"
    event: dict[str, object] = json.loads(text.splitlines()[-1])
    return event


def session_begun(home: Path) -> bool:
    return any((home / "data" / "kbtui" / "sessions").glob("*.jsonl"))


def processes_of(group: int) -> list[str]:
    """Command lines of the living processes of a process group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                found.append((stat.parent / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def state_of(process: int) -> str:
    """``T`` for stopped, ``S`` for asleep …"""
    return Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2][:1]


def test_a_signal_that_ends_the_screen_restores_the_terminal(
    screens: Callable[..., Screen], recording: Path, home: Path
) -> None:
    # All at once: most of the time goes into starting them.
    by_signal = {number: screens("replay", str(recording)) for number in (*ENDING, signal.SIGINT)}
    for number, screen in by_signal.items():
        screen.shows("how are deploys rolled back?")
        screen.child.kill(number)
    for number, screen in by_signal.items():
        assert screen.ends() == 128 + number
        _, entered, rest = screen.written.partition(b"\x1b[?1049h")
        assert entered
        tail = rest.decode("utf-8", "replace")
        after_screen = tail.rpartition("\x1b[?1049l")
        assert after_screen[1], "it leaves the alternate screen"
        for mode in MODES_OFF:
            assert mode in tail
        assert after_screen[0].endswith("\x1b[<u"), "the Kitty keyboard is popped before that"
        assert tail.rfind("\x1b[?25h") > tail.rfind("\x1b[?25l"), "the cursor is on"
        assert "Traceback" not in tail
        words = "cancelled" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
        assert f"kbtui: {words}" in after_screen[2]


def test_a_question_that_a_signal_cuts_off_ends_in_the_session(
    screens: Callable[..., Screen], kb: Path, home: Path
) -> None:
    screen = screens(str(kb))
    screen.shows("sk about")  # the cursor stands on the first letter
    screen.child.send("how does rollback work?\r")
    screen.until(lambda: session_begun(home))
    group = os.getpgid(screen.child.pid)
    screen.child.kill(signal.SIGTERM)
    assert screen.ends() == 128 + signal.SIGTERM
    event = last_event(home)
    assert event["kind"] in ("run_failed", "run_completed")
    until(lambda: not processes_of(group))


def test_a_terminal_that_is_closed_ends_the_screen(screens: Callable[..., Screen], recording: Path) -> None:
    screen = screens("replay", str(recording))
    screen.shows("how are deploys rolled back?")
    screen.child.ptyproc.fileobj.close()
    screen.child.closed = True
    assert screen.child.ptyproc.wait() == 128 + signal.SIGHUP


def test_a_terminal_that_vanishes_without_a_signal_ends_the_screen(recording: Path) -> None:
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (36, 120))
    env = {**os.environ, "TERM": "xterm-256color"}
    # In a session without a controlling terminal nobody is told that this one is gone.
    process = subprocess.Popen(
        kbtui("replay", str(recording)), stdin=slave, stdout=slave, stderr=slave, env=env, start_new_session=True
    )
    os.close(slave)
    seen = b""
    while b"how are deploys rolled back?" not in seen:
        seen += os.read(master, 65536)
    os.close(master)
    try:
        assert process.wait(PATIENCE_S) == 128 + signal.SIGHUP
    finally:
        process.kill()


def test_a_stop_that_cannot_be_caught_leaves_keys_and_terminal_as_they_were(
    screens: Callable[..., Screen], recording: Path
) -> None:
    screen = screens("replay", str(recording))
    screen.shows("how are deploys rolled back?")
    before = screen.written.count(b"\x1b[?1049h")
    screen.child.kill(signal.SIGSTOP)
    screen.child.kill(signal.SIGCONT)
    while screen.written.count(b"\x1b[?1049h") == before:
        screen.child.expect(r".+")
    threads = Path(f"/proc/{screen.child.pid}/task")
    names = [(task / "comm").read_text() for task in threads.iterdir()]
    assert sum("textual-input" in name for name in names) <= 1
    screen.child.send("\x1b")
    assert screen.ends() == 0
    assert termios.tcgetattr(screen.child.child_fd)[3] & (termios.ECHO | termios.ICANON) == screen.attributes[3] & (
        termios.ECHO | termios.ICANON
    )


STOPS_WHILE_WRITING = """
import os, signal, sys
from kbtui.ui.lifetime import ResilientApp

class Writing(ResilientApp):
    def on_mount(self):
        self.set_timer(0.1, self.stop_here)

    def stop_here(self):
        with self._driver._writer_thread._queue.mutex:
            os.kill(os.getpid(), signal.SIGTSTP)
        self.call_later(self.exit)

sys.exit(Writing().run_until_exit())
"""


def test_a_stop_while_the_screen_is_being_written_does_not_lock_the_program_up() -> None:
    screen = Screen(program=[sys.executable, "-c", STOPS_WHILE_WRITING])
    try:
        screen.until(lambda: state_of(screen.child.pid) == "T")
        # What was written before the stop may still wait in the pseudo-terminal: a stopped program writes no more.
        screen.until(lambda: b"\x1b[?1049l" in screen.written)
        assert state_of(screen.child.pid) == "T", "it leaves the terminal before it stops"
        screen.child.kill(signal.SIGCONT)
        assert screen.ends() == 0
    finally:
        screen.child.close(force=True)


MANY = 400


def hang_up_by_default() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def signal_while_reading(process: subprocess.Popen[str], number: signal.Signals) -> None:
    assert process.stderr is not None
    while "reading files" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(number)


def test_commands_that_a_signal_ends_leave_nothing_behind(tmp_path: Path, home: Path, shared_model: None) -> None:
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(MANY):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\n" + f"Something about page {number}.\n" * 400)
    commands = {
        signal.SIGTERM: ("index", str(folder)),
        signal.SIGQUIT: ("search", "--kb", str(folder), "page"),
        signal.SIGHUP: ("ask", "--kb", str(folder), "what is said about page 7?"),
    }
    running = {}
    for number, arguments in commands.items():
        scratch = tmp_path / f"scratch-{number}"
        scratch.mkdir()
        running[number] = subprocess.Popen(
            kbtui(*arguments),
            env={**os.environ, "TMPDIR": str(scratch), "XDG_CACHE_HOME": str(tmp_path / f"cache-{number}")},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # Where the suite itself runs under nohup, its children would go on.
            preexec_fn=hang_up_by_default,
        )
    # Each by a thread of its own: a command that waits for its turn may have answered by then.
    with ThreadPoolExecutor(len(running)) as pool:
        list(pool.map(signal_while_reading, running.values(), running))
    for number, process in running.items():
        _, said = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == 128 + number, said
        assert said.strip().splitlines()[-1] == f"kbtui: ended by {number.name}"
        until(lambda pid=process.pid: not processes_of(pid))
        assert not list((tmp_path / f"scratch-{number}").iterdir())
    assert last_event(home) | {"at": "", "run_id": "", "seq": 0} == {
        "v": 1,
        "kind": "run_failed",
        "run_id": "",
        "seq": 0,
        "at": "",
        "error": "Cancelled",
        "message": "The run was cancelled.",
        "hint": "Ask again whenever you like.",
    }


def python(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_main_thread_in_native_code_does_not_outlive_a_signal_for_long() -> None:
    code = (
        "import sqlite3; from kbtui.cli import signals; signals.GRACE_S = 0.1; signals.install()\n"
        "print('ready', flush=True)\n"
        "count = 'with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n'\n"
        "sqlite3.connect('').execute(count).fetchone()"
    )
    process = python(code)
    assert process.stdout is not None
    try:
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 128 + signal.SIGTERM
    finally:
        process.kill()


def test_under_nohup_a_command_goes_on() -> None:
    code = (
        "import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from kbtui.cli import signals; signals.GRACE_S = 0.1; signals.install()\n"
        "os.kill(os.getpid(), signal.SIGHUP); import time; time.sleep(0.5); print('still here')"
    )
    out, err = python(code).communicate(timeout=PATIENCE_S)
    assert out == "still here\n", err


def test_an_editor_in_the_terminal_keeps_ctrl_c_and_ends_when_the_screen_has_to(tmp_path: Path) -> None:
    code = (
        "import os, signal, threading, time\n"
        "from kbtui.editors import launch\n"
        "def later():\n"
        "    while not launch._in_terminal: time.sleep(0.01)\n"
        "    time.sleep(0.1)\n"
        "    os.kill(os.getpid(), signal.SIGINT); os.kill(os.getpid(), signal.SIGQUIT)\n"
        "    launch.end_in_terminal()\n"
        "threading.Thread(target=later).start()\n"
        "print(launch.run_in_terminal(['sleep', '600']))"
    )
    out, err = python(code).communicate(timeout=PATIENCE_S)
    assert out == f"{-signal.SIGTERM}\n", err
    assert launch._in_terminal == []


def test_a_signal_while_an_editor_has_the_terminal_ends_both(
    screens: Callable[..., Screen], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = [json.loads(encode(event)) for event in answered()]
    for event in events:
        if event["kind"] == "run_started":
            event["kb"] = str(tmp_path)
        for citation in event.get("citations", ()):
            path = tmp_path / citation["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("line\n" * 60)
    recording = tmp_path / "recorded.jsonl"
    recording.write_text("".join(json.dumps(event) + "\n" for event in events))
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\necho editing\nexec sleep 600\n")
    editor.chmod(0o755)
    monkeypatch.setenv("KBTUI_EDITOR", f"terminal:{editor}")
    screen = screens("replay", str(recording))
    screen.shows(f"{len(events)}/{len(events)}")  # until then there is no source to open
    screen.child.send("e")
    screen.shows("editing")
    group = os.getpgid(screen.child.pid)
    screen.child.kill(signal.SIGTERM)
    assert screen.ends() == 128 + signal.SIGTERM
    assert screen.written.decode("utf-8", "replace").rpartition("\x1b[?1049l")[2].count("ended by SIGTERM") == 1
    until(lambda: not processes_of(group))


def test_the_terminal_is_handled_in_the_main_thread_alone() -> None:
    from kbtui.cli import signals

    seen: list[int] = []

    def elsewhere() -> None:
        with signals.stopping(lambda: None) as state:
            seen.append(state.number)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert seen == [0]
