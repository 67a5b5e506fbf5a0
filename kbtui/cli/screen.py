"""Runs a screen in the terminal and leaves the terminal as it was, however the screen ends."""

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
    from kbtui.ui.lifetime import LastingApp
    from kbtui.ui.started import Started

_OFF = (1000, 1002, 1003, 1006, 1015, 1016, 2004, 2048, 1004)
LEFT_ON = "".join(f"\x1b[?{mode}l" for mode in _OFF) + "\x1b[?7h\x1b[?25h"
"""Turns off every mode that a screen may turn on and that can be turned off twice: mouse reporting in all encodings,
bracketed paste, reports of size and focus; line wrap and cursor on. Textual forgets 1016 (mouse in pixels)."""

RESTORE = f"\x1b[<u{LEFT_ON}\x1b[?1049l\x1b[?25h"
"""The same for a screen that cannot end by itself: also the Kitty keyboard, and back from the alternate screen."""

_WRITABLE_S = 0.5
GARBAGE_AFTER = (50_000, 20, 50)
"""Objects made until the collector looks for garbage, so few that nobody sees it, and how often it looks deeper."""


def started(kb: Path | None, flags: Mapping[str, Any] | None = None, theme: str = "") -> Started:
    """What an app is told of how it was started.

    Args:
        kb: The folder; none for a replay, which checks the current one.
        flags: The settings among the command's options.
        theme: Worn while no theme is set; empty for the usual one.
    """
    from kbtui.settings.load import load_settings
    from kbtui.ui.started import Started

    def checks() -> Iterator[Check]:
        from kbtui.cli import doctor

        # What Textual has put in the place of standard output is no terminal.
        return doctor.checks(kb or Path.cwd(), flags, output=sys.__stdout__)

    return Started(settings=lambda: load_settings(kb, flags), checks=checks, theme=theme)


def run_screen(app: LastingApp, *, typed: str = "") -> int:
    """Run the app until the user leaves it or a signal ends it; the exit code.

    Args:
        typed: Keys that came before.

    Raises:
        Signalled: A signal ended it.
        KbtuiError: It stopped although nobody asked it to.
    """
    attributes = _terminal_attributes()
    app.typed_before = typed
    gc.set_threshold(*GARBAGE_AFTER)

    def restore() -> None:
        if not app.has_left_the_terminal:
            _write(app.window.end() + RESTORE)
        if attributes is not None:
            termios.tcsetattr(sys.__stdin__.fileno(), termios.TCSANOW, attributes)  # type: ignore[union-attr]

    def stop() -> None:
        if _is_hung_up():
            # Nothing can be written any more, and Textual waits until it is.
            app.stop_work()
            signals.end_by_force(signals.received() or signal.SIGINT)
        app.leave()

    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        # Under nohup too: a screen without its terminal is of no use.
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    threading.Thread(target=_watch_terminal, name="kbtui-terminal", daemon=True).start()
    with (
        signals.before_forced_end(restore),
        signals.before_forced_end(app.stop_work),
        signals.stopping(stop, on_second=signals.end_by_force) as state,
    ):
        try:
            code = app.run_to_end()
        finally:
            _write(LEFT_ON)
    if state.number:
        raise signals.Signalled(state.number)
    return code


def run_for_page(app: LastingApp) -> int:
    """Run the app for a page of `kbtui serve`, which is sent what the app writes to standard output; the exit code.

    Raises:
        Signalled: A signal ended it, or the server has gone.
        KbtuiError: It stopped although nobody asked it to.
    """
    gc.set_threshold(*GARBAGE_AFTER)
    threading.Thread(target=_watch_terminal, name="kbtui-server", daemon=True).start()
    with (
        signals.before_forced_end(app.stop_work),
        signals.stopping(app.leave, on_second=signals.end_by_force),
    ):
        return app.run_to_end()


def _terminal_attributes() -> list[Any] | None:
    try:
        return termios.tcgetattr(sys.__stdin__.fileno())  # type: ignore[union-attr]
    except (termios.error, OSError, ValueError):
        return None


def _write(text: str) -> None:
    """Write to the terminal, unless it takes nothing."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        fd = sys.__stderr__.fileno()  # type: ignore[union-attr]
        if select.select([], [fd], [], _WRITABLE_S)[1]:
            os.write(fd, text.encode())


def _poll(timeout_ms: int | None) -> bool:
    """True once the terminal is gone."""
    poll = select.poll()
    try:
        poll.register(sys.__stdin__.fileno(), 0)  # type: ignore[union-attr]
        return any(event & select.POLLHUP for _, event in poll.poll(timeout_ms))
    except (OSError, ValueError, AttributeError):
        return False


def _is_hung_up() -> bool:
    return _poll(0)


def _watch_terminal() -> None:
    """A terminal can vanish without a signal, when another process is the leader of its session."""
    if _poll(None):
        os.kill(os.getpid(), signal.SIGHUP)
