"""Runs a screen in the terminal, and restores the terminal however the screen ends."""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import sys
import termios
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kbtui.cli import signals

if TYPE_CHECKING:
    from kbtui.domain.health import Check
    from kbtui.ui.lifetime import ResilientApp
    from kbtui.ui.started import Started

_MODES = (1000, 1002, 1003, 1006, 1015, 1016, 2004, 2048, 1004)
RESET_MODES = "".join(f"\x1b[?{mode}l" for mode in _MODES) + "\x1b[?7h\x1b[?25h"
"""Turns off every mode that a screen may turn on: mouse reporting in all encodings, bracketed paste, reports of size
and focus; turns line wrap and the cursor on. All of it may be sent twice. Textual does not reset 1016 (mouse in
pixels)."""

RESTORE = f"\x1b[<u{RESET_MODES}\x1b[?1049l\x1b[?25h"
"""The same for a screen that cannot end by itself: it also resets the Kitty keyboard and the alternate screen."""

_WRITABLE_S = 0.5
GC_THRESHOLDS = (50_000, 20, 50)
"""Thresholds of the garbage collector, at which its pauses are not noticeable."""


def startup(kb: Path | None, flags: Mapping[str, Any] | None = None, theme: str = "", sixel: bool = False) -> Started:
    """The functions by which an app reloads its settings and runs the checks.

    Args:
        kb: The folder; None for a replay, for which the current folder is checked.
        flags: Settings given by options of the command.
        theme: Theme to use while none is set; empty for the default one.
        sixel: Whether the terminal said that it shows sixel pictures.
    """
    from kbtui.settings.load import load_settings
    from kbtui.ui.started import Started

    def checks() -> Iterator[Check]:
        from kbtui.cli import doctor

        # Textual replaces standard output by an object that is no terminal.
        return doctor.checks(kb or Path.cwd(), flags, output=sys.__stdout__)

    return Started(settings=lambda: load_settings(kb, flags), checks=checks, theme=theme, sixel=sixel)


def collect_seldom() -> None:
    """Collect garbage rarely, and never among imported modules, which stay alive; each such collection took 20 ms."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def run_screen(app: ResilientApp, *, typed: str = "") -> int:
    """Run the app until the user leaves it or a signal ends it, and return the exit code.

    Args:
        typed: Keys that were typed before it started.

    Raises:
        Signalled: A signal ended it.
        KbtuiError: It stopped unexpectedly.
    """
    attributes = _terminal_attributes()
    app.early_input = typed
    collect_seldom()

    def restore() -> None:
        if not app.has_released_terminal:
            _write(app.window.end() + RESTORE)
        if attributes is not None:
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, attributes)  # type: ignore[union-attr]

    def stop() -> None:
        if _wait_for_hangup(0):
            # Nothing can be written any more, but Textual would wait for its output to be written.
            app.stop_work()
            signals.end_by_force(signals.received_signal() or signal.SIGINT)
        app.leave()

    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        # The signal ends the screen under nohup too, since a screen without a terminal is useless.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    threading.Thread(target=_watch_terminal, name="kbtui-terminal", daemon=True).start()
    with (
        signals.before_forced_end(restore),
        signals.before_forced_end(app.stop_work),
        signals.stopping(stop, on_second=signals.end_by_force) as state,
    ):
        try:
            code = app.run_until_exit()
        finally:
            _write(RESET_MODES)
    if state.number:
        raise signals.Signalled(state.number)
    return code


def run_for_page(app: ResilientApp) -> int:
    """Run the app for a page of `kbtui serve`, which receives its standard output, and return the exit code.

    Raises:
        Signalled: A signal ended it, or the server has ended.
        KbtuiError: It stopped unexpectedly.
    """
    collect_seldom()
    threading.Thread(target=_watch_terminal, name="kbtui-server", daemon=True).start()
    with (
        signals.before_forced_end(app.stop_work),
        signals.stopping(app.leave, on_second=signals.end_by_force),
    ):
        return app.run_until_exit()


def _terminal_attributes() -> list[Any] | None:
    try:
        return termios.tcgetattr(sys.__stdin__.fileno())  # type: ignore[union-attr]
    except (termios.error, OSError, ValueError):
        return None


def _write(text: str) -> None:
    """Write to the terminal, unless it does not accept output in time."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        fd = sys.__stderr__.fileno()  # type: ignore[union-attr]
        if select.select([], [fd], [], _WRITABLE_S)[1]:
            os.write(fd, text.encode())


def _wait_for_hangup(timeout_ms: int | None) -> bool:
    """Whether the terminal hung up within ``timeout_ms``; None waits without limit."""
    poll = select.poll()
    try:
        poll.register(sys.__stdin__.fileno(), 0)  # type: ignore[union-attr]
        return any(event & select.POLLHUP for _, event in poll.poll(timeout_ms))
    except (OSError, ValueError, AttributeError):
        return False


def _watch_terminal() -> None:
    """Send SIGHUP to this process when the terminal hangs up.

    The kernel sends none where another process is the leader of the session.
    """
    if _wait_for_hangup(None):
        os.kill(os.getpid(), signal.SIGHUP)
