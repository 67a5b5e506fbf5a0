"""Textual's driver for terminals, with SIGCONT for a process that was stopped by SIGSTOP."""

from __future__ import annotations

from typing import Any

from textual.drivers.linux_driver import LinuxDriver


class TerminalDriver(LinuxDriver):
    """Goes on after any stop with one input thread and the terminal attributes it began with.

    Textual begins anew at every SIGCONT. That is right after SIGTSTP, before which it leaves the terminal. After
    SIGSTOP, or without a stop (a terminal that closes sends SIGCONT too), there would be two threads reading keys, and
    the raw mode would be taken for what to restore in the end.
    """

    def _sigcont_application(self, *arguments: Any) -> None:
        if self._auto_restart and not self._must_signal_resume:
            self.suspend_application_mode()
        super()._sigcont_application(*arguments)
