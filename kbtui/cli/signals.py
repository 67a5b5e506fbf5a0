"""Handles signals that end a command: work is stopped, the terminal restored, and the exit code is 128 + the number.

`install` makes SIGTERM, SIGHUP and SIGQUIT raise `Signalled` in the main thread. Work that can stop in an orderly way
runs inside `stopping`. Even where the main thread is blocked (native code, a terminal that accepts no
output), the process ends `GRACE_S` seconds after the signal: a thread reads signal numbers from the wakeup descriptor
of Python, which is written to when a signal arrives, not when the main thread handles it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
GRACE_S = 5.0
"""Greatest time from an ending signal to the end of the process, in seconds."""

_CLEANUP_S = 1.0
"""Time limit of each cleanup before a forced end, in seconds."""

_cleanups: list[Callable[[], None]] = []
_received: list[int] = []


class Signalled(SystemExit):
    """Signal ``number`` ended the process."""

    def __init__(self, number: int) -> None:
        super().__init__(128 + number)
        self.number = number

    @property
    def words(self) -> str:
        """The message about it."""
        return "cancelled" if self.number == signal.SIGINT else f"ended by {signal.Signals(self.number).name}"


class Stop(Struct):
    """The signal that `stopping` received; 0 while there was none."""

    number: int = 0


def install() -> None:
    """Make ending signals raise `Signalled`; ignored ones (nohup) stay ignored. To be called in the main thread."""
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _raise)
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(read_end,), name="kbtui-signals", daemon=True).start()


def received_signal() -> int:
    """The ending signal that was received, or 0."""
    return _received[0] if _received else 0


@contextlib.contextmanager
def stopping(stop: Callable[[], object], *, on_second: Callable[[int], None] | None = None) -> Iterator[Stop]:
    """Within the block, the first interrupt or ending signal calls ``stop`` in the main thread.

    In any other thread, signals are not handled.

    Args:
        stop: Asks the work to end. It is called between two bytecodes of the main thread, so it must take no lock.
        on_second: Called with the number of a second signal; by default that ends the work at once.

    Raises:
        Signalled: At the end of the block, after an ending signal. After an interrupt, the result of the block counts.
    """
    state = Stop()
    if threading.current_thread() is not threading.main_thread():
        yield state
        return
    numbers = (signal.SIGINT, *(number for number in ENDING if signal.getsignal(number) is not signal.SIG_IGN))
    previous = {number: signal.getsignal(number) for number in numbers}

    def handle_second(number: int, frame: Any) -> None:
        if on_second is not None:
            on_second(number)
        elif number == signal.SIGINT:
            signal.default_int_handler(number, frame)
        else:
            _raise(number, frame)

    def handle_first(number: int, frame: Any) -> None:  # noqa: ARG001
        state.number = number
        if number in ENDING:
            _received.append(number)
        for handled in numbers:
            signal.signal(handled, handle_second)
        stop()

    for number in numbers:
        signal.signal(number, handle_first)
    try:
        yield state
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
        if state.number in ENDING:
            # An error of the block is a consequence of the signal.
            raise Signalled(state.number)


@contextlib.contextmanager
def before_forced_end(cleanup: Callable[[], None]) -> Iterator[None]:
    """Within the block, ``cleanup`` is called in a thread before the process is ended by force."""
    _cleanups.append(cleanup)
    try:
        yield
    finally:
        _cleanups.remove(cleanup)


def end_by_force(number: int) -> None:
    """Run the cleanups, each for a short time at most, and end the process."""
    for cleanup in _cleanups:
        thread = threading.Thread(target=_quietly, args=(cleanup,), daemon=True)
        thread.start()
        thread.join(_CLEANUP_S)
    os._exit(128 + number)


def _quietly(cleanup: Callable[[], None]) -> None:
    with contextlib.suppress(Exception):
        cleanup()


def _raise(number: int, frame: Any) -> None:  # noqa: ARG001
    _received.append(number)
    raise Signalled(number)


def _watch(read_end: int) -> None:
    while numbers := os.read(read_end, 16):
        ending = [number for number in numbers if number in ENDING]
        # A program that embeds kbtui may ignore the signal.
        if ending and signal.getsignal(ending[0]) is not signal.SIG_IGN:
            time.sleep(GRACE_S)
            end_by_force(ending[0])
