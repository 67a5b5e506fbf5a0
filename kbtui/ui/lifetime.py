"""An app that ends only when requested, and reports any other end as an error.

Textual waits for removed widgets by gathering the tasks of their message loops, and cancelling a gather cancels its
tasks. A worker that is cancelled while it awaits ``remove()`` (because a newer worker of its group replaced it, or its
screen was closed) therefore cancels those message loops; the app, which waits for the same tasks in its own message
loop, receives their `CancelledError`, takes it for its own and returns as if the user had quit. Here waiting for a
removal cannot cancel it, the app ignores the cancellation of awaited tasks, and an unrequested end is an error.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from codecs import getincrementaldecoder
from collections.abc import Generator
from functools import partial
from typing import Any

from textual import on
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._callback import invoke
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.await_complete import AwaitComplete
from textual.await_remove import AwaitRemove
from textual.dom import DOMNode
from textual.driver import Driver
from textual.drivers import linux_driver
from textual.drivers.linux_driver import LinuxDriver
from textual.keys import Keys
from textual.widget import Widget

from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.ui.pictures import Pictures
from kbtui.ui.window import Window

# Terminals without an extended keyboard protocol send this for alt+enter, and some for shift+enter. Textual reads the
# two characters as Enter; here they insert a new line, as ctrl+j does.
ANSI_SEQUENCES_KEYS["\x1b\r"] = (Keys.ControlJ,)  # type: ignore[index]

# Invalid UTF-8 (a paste in another encoding, line noise) ends Textual's input thread and with it the app; here such
# bytes become replacement characters.
linux_driver.getincrementaldecoder = lambda encoding: partial(getincrementaldecoder(encoding), errors="replace")  # type: ignore


class TerminalDriver(LinuxDriver):
    """A driver that resumes after any stop with one input thread and the original terminal attributes.

    Textual restarts at every SIGCONT. That is correct after SIGTSTP, before which it leaves the terminal. After
    SIGSTOP, or without a stop (a closing terminal sends SIGCONT too), two threads would read keys, and the raw mode
    would be saved as the attributes to restore.

    Textual leaves and enters the terminal in the signal handlers themselves. These interrupt the main thread anywhere,
    even while it holds the lock of the output queue, and would then wait for that lock forever; here the event loop
    does this work.
    """

    _is_stopping = False

    @property
    def is_writing(self) -> bool:
        """Whether the app controls the terminal: not before it is started, and not while it is suspended."""
        return self._writer_thread is not None and self._writer_thread.is_alive()

    def write(self, data: str) -> None:
        """Write to the terminal; does nothing while the writer thread is stopped, as its full queue would block."""
        if self.is_writing:
            super().write(data)

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if isinstance(self._app, ResilientApp) and self.is_writing:
            self.write(self._app.window.begin())
            self._app.pictures.forget()
            text, self._app.early_input = self._app.early_input, ""
            for message in XTermParser().feed(text):
                self.process_message(message)

    def stop_application_mode(self) -> None:
        if isinstance(self._app, ResilientApp):
            self.write(self._app.window.end())
        super().stop_application_mode()

    def _sigtstp_application(self, *_: Any) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._stop)
        else:
            # An editor has the terminal and blocks the event loop, so there is no mode to leave.
            super()._sigtstp_application()

    def _sigcont_application(self, *_: Any) -> None:
        if not self._is_stopping:
            self._loop.call_soon_threadsafe(self._go_on)

    def _stop(self) -> None:
        """Leave the terminal and stop the process; when continued, resume before anything else."""
        self._is_stopping = True
        super()._sigtstp_application()
        self._is_stopping = False
        self._go_on()

    def _go_on(self) -> None:
        if self._auto_restart and not self._must_signal_resume:
            self.suspend_application_mode()
            self._must_signal_resume = True
        super()._sigcont_application()


log = logging.getLogger("kbtui.ui")


class ShieldedRemoval(AwaitRemove):
    """Waits for the removal of widgets; cancelling the wait does not cancel the removal."""

    def __await__(self) -> Generator[Any, None, None]:
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]

        async def wait_for_tasks() -> None:
            if tasks:
                await asyncio.wait(tasks)
            if self._post_remove is not None:
                await invoke(self._post_remove)

        return wait_for_tasks().__await__()


class ResilientApp(App[None]):
    """An app that ends only when requested; see the docstring of the module."""

    def __init__(self) -> None:
        super().__init__()
        self._is_exit_requested = False
        self._is_closing = False
        self._has_panicked = False
        self.has_released_terminal = False
        self.early_input = ""
        self.window = Window(self.write_outside, lambda: self.app_focus)
        self.pictures = Pictures(self.write_outside)

    def write_outside(self, sequence: str) -> None:
        """Write an escape sequence that does not change the screen's cells; does nothing if there is no terminal."""
        if isinstance(self._driver, TerminalDriver) and self._driver.is_writing:
            self._driver.write(sequence)

    def exit(self, *args: Any, **kwargs: Any) -> None:
        self._is_exit_requested = self._is_closing = True
        super().exit(*args, **kwargs)

    async def _on_exit_app(self) -> None:
        """Handle the exit message that the server of a web page sends."""
        self._is_exit_requested = self._is_closing = True
        await super()._on_exit_app()

    def refresh_css(self, animate: bool = True) -> None:
        """Apply the variables of the theme.

        Before there is a screen, nothing is styled, and Textual would needlessly parse the style sheets again.
        """
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def get_driver_class(self) -> type[Driver]:
        default = super().get_driver_class()
        return TerminalDriver if default is LinuxDriver else default

    def action_suspend_process(self) -> None:
        """Suspend the process group until the shell continues it; only notifies if there is no shell."""
        if os.getsid(0) == os.getpgrp() or self._driver is None or not self._driver.can_suspend:
            self.notify(_("There is no shell below kbtui to go back to."), markup=False)
            return
        self._suspend_signal()
        os.killpg(0, signal.SIGTSTP)

    @on(Driver.SignalResume)
    def draw_again(self) -> None:
        """Redraw the screen after a stop; Textual alone would draw only what has changed."""
        self.refresh(layout=True)

    def stop_work(self) -> None:
        """Stop background work; safe to call from any thread, and more than once."""

    def leave(self) -> None:
        """Exit the app; safe to call from a signal handler."""
        if self._loop is None:
            self._is_exit_requested = self._is_closing = self._exit = True
        else:
            self._loop.call_soon_threadsafe(self.exit)

    def run_until_exit(self) -> int:
        """Run until the user exits; returns the exit code.

        Raises:
            KbtuiError: The app ended without a request.
            Exception: An error of a message handler, which ends the app.
        """
        self.run()
        if self._exception is not None:
            raise self._exception
        if self._has_panicked or not self._is_exit_requested:
            raise KbtuiError(
                _("The screen stopped without being asked to."),
                _("What was answered is kept: start kbtui again and type /sessions. Please report this with the log."),
            )
        return self.return_code or 0

    def pop_screen(self) -> AwaitComplete:
        """Close the top screen; does nothing if it is the only one (if two quick keys both close a screen)."""
        if len(self.screen_stack) <= 1:
            return AwaitComplete()
        return super().pop_screen()

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        removal = super()._prune(*nodes, parent=parent)
        return ShieldedRemoval(removal._tasks, removal._post_remove)

    async def _process_messages_loop(self) -> None:
        """Continue if an awaited task was cancelled; end if this task is."""
        while not self._closed:
            try:
                await super()._process_messages_loop()
                break
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                log.exception("a task awaited by the app's message loop was cancelled; the loop continues")

    async def _shutdown(self) -> None:
        self._is_closing = True
        await super()._shutdown()
        self.has_released_terminal = True

    def _handle_exception(self, error: Exception) -> None:
        if self._is_closing:
            # A widget that was being composed when the app began to close does not find its children.
            log.error("while the app was closing", exc_info=error)
        else:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End the app without Textual's traceback, which prints local variables; `run_until_exit` raises the error."""
        self._close_messages_no_wait()

    def panic(self, *renderables: Any) -> None:
        """End the app and log ``renderables``."""
        self._has_panicked = True
        for renderable in renderables:
            log.error("%s", "".join(segment.text for segment in self.console.render(renderable)))
        self._close_messages_no_wait()
