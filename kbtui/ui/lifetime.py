"""An app that ends when it was told to, and in no other way without saying so.

Textual waits for removed widgets by gathering the tasks of their message loops, and cancelling a gather cancels what it
gathers. A worker that is cancelled while it awaits ``remove()`` (a newer worker of its group replaced it, or its screen
was closed) therefore cancels those message loops; the app, which waits for the same tasks in its own message loop,
receives their `CancelledError`, takes it for its own and returns as if the user had quit. Here nobody who waits for a
removal can cancel it, the app ignores the cancellation of what it awaits, and an end that nobody asked for is an error.
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
from kbtui.ui.window import Window

# What alt+enter sends without an extended protocol, and shift+enter where terminals are set up for it. Textual takes
# the two characters for a plain Enter; here they are the new line that ctrl+j is everywhere.
ANSI_SEQUENCES_KEYS["\x1b\r"] = (Keys.ControlJ,)  # type: ignore[index]

# Bytes that are no UTF-8 (a paste in another encoding, noise on a line) end Textual's input thread and with it the
# app; here they are replacement characters.
linux_driver.getincrementaldecoder = lambda encoding: partial(getincrementaldecoder(encoding), errors="replace")  # type: ignore


class TerminalDriver(LinuxDriver):
    """Goes on after any stop with one input thread and the terminal attributes it began with.

    Textual begins anew at every SIGCONT. That is right after SIGTSTP, before which it leaves the terminal. After
    SIGSTOP, or without a stop (a terminal that closes sends SIGCONT too), there would be two threads reading keys, and
    the raw mode would be taken for what to restore in the end.

    Textual leaves and enters the terminal in the signal handlers themselves. These interrupt the main thread anywhere,
    also while it holds the lock of the queue that leaving writes to, and would wait for that lock forever: here the
    event loop does it.
    """

    _is_stopping = False

    @property
    def is_writing(self) -> bool:
        """True while the terminal is the app's: not before the screen was begun, and not while the app is stopped."""
        return self._writer_thread is not None and self._writer_thread.is_alive()

    def write(self, data: str) -> None:
        """Send to the terminal; outside of the app's time nobody takes it, and waiting for room would never end."""
        if self.is_writing:
            super().write(data)

    def start_application_mode(self) -> None:
        super().start_application_mode()  # type: ignore[no-untyped-call]
        if isinstance(self._app, LastingApp) and self.is_writing:
            self.write(self._app.window.begin())
            typed, self._app.typed_before = self._app.typed_before, ""
            for message in XTermParser().feed(typed):
                self.process_message(message)

    def stop_application_mode(self) -> None:
        if isinstance(self._app, LastingApp):
            self.write(self._app.window.end())
        super().stop_application_mode()

    def _sigtstp_application(self, *_: Any) -> None:
        if self._auto_restart:
            self._loop.call_soon_threadsafe(self._stop)
        else:
            # An editor has the terminal, and the event loop waits for it: there is nothing to leave.
            super()._sigtstp_application()

    def _sigcont_application(self, *_: Any) -> None:
        if not self._is_stopping:
            self._loop.call_soon_threadsafe(self._go_on)

    def _stop(self) -> None:
        """Leave the terminal and stop; go on before anything else is done."""
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


class Removal(AwaitRemove):
    """Waits for widgets to be gone; whoever waits may be cancelled without disturbing the removal."""

    def __await__(self) -> Generator[Any, None, None]:
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]

        async def wait_for_tasks() -> None:
            if tasks:
                await asyncio.wait(tasks)
            if self._post_remove is not None:
                await invoke(self._post_remove)

        return wait_for_tasks().__await__()


class LastingApp(App[None]):
    """See the module's text."""

    def __init__(self) -> None:
        super().__init__()
        self._was_told_to_exit = False
        self._is_closing = False
        self._panicked = False
        self.has_left_the_terminal = False
        self.typed_before = ""
        self.window = Window(self.write_outside, lambda: self.app_focus)

    def write_outside(self, sequence: str) -> None:
        """Send an escape sequence that moves nothing on the screen; only a terminal gets it."""
        if isinstance(self._driver, TerminalDriver) and self._driver.is_writing:
            self._driver.write(sequence)

    def exit(self, *args: Any, **kwargs: Any) -> None:
        self._was_told_to_exit = self._is_closing = True
        super().exit(*args, **kwargs)

    async def _on_exit_app(self) -> None:
        """The server of a page asks for the end in this way."""
        self._was_told_to_exit = self._is_closing = True
        await super()._on_exit_app()

    def refresh_css(self, animate: bool = True) -> None:
        """Use the variables of the theme that was chosen.

        Before there is a screen there is nothing to style: Textual would read the style sheets once more than needed.
        """
        if self.screen_stack:
            super().refresh_css(animate)
        else:
            self.stylesheet.set_variables(self.get_css_variables())

    def get_driver_class(self) -> type[Driver]:
        usual = super().get_driver_class()
        return TerminalDriver if usual is LinuxDriver else usual

    def action_suspend_process(self) -> None:
        """Stop, with whatever started this program, until the shell says ``fg``; nothing where there is no shell."""
        if os.getsid(0) == os.getpgrp() or self._driver is None or not self._driver.can_suspend:
            self.notify("There is no shell below kbtui to go back to.", markup=False)
            return
        self._suspend_signal()
        os.killpg(0, signal.SIGTSTP)

    @on(Driver.SignalResume)
    def draw_again(self) -> None:
        """After a stop nothing of the screen is left; Textual draws what changed."""
        self.refresh(layout=True)

    def stop_work(self) -> None:
        """Stop what runs behind the screen; safe to call from any thread, and more than once."""

    def leave(self) -> None:
        """End in an orderly way; safe to call from a signal handler."""
        if self._loop is None:
            self._was_told_to_exit = self._is_closing = self._exit = True
        else:
            self._loop.call_soon_threadsafe(self.exit)

    def run_to_end(self) -> int:
        """Run until the user leaves; the exit code.

        Raises:
            KbtuiError: The app stopped although nobody asked it to.
            Exception: Whatever a message handler raised; it ends the app.
        """
        self.run()
        if self._exception is not None:
            raise self._exception
        if self._panicked or not self._was_told_to_exit:
            raise KbtuiError(
                "The screen stopped without being asked to.",
                "What was answered is kept: start kbtui again and type /sessions. Please report this with the log.",
            )
        return self.return_code or 0

    def pop_screen(self) -> AwaitComplete:
        """Close the top screen; nothing happens when it is the only one (a second key closed the last one first)."""
        if len(self.screen_stack) <= 1:
            return AwaitComplete()
        return super().pop_screen()

    def _prune(self, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        removal = super()._prune(*nodes, parent=parent)
        return Removal(removal._tasks, removal._post_remove)

    async def _process_messages_loop(self) -> None:
        """Go on when something awaited here was cancelled by another; end when this very task is."""
        while not self._closed:
            try:
                await super()._process_messages_loop()
                break
            except asyncio.CancelledError:
                task = asyncio.current_task()
                if task is None or task.cancelling():
                    raise
                log.exception("what the message loop of the app awaited was cancelled; the loop goes on")

    async def _shutdown(self) -> None:
        self._is_closing = True
        await super()._shutdown()
        self.has_left_the_terminal = True

    def _handle_exception(self, error: Exception) -> None:
        if self._is_closing:
            # A widget that was still being made when the app began to close does not find its children.
            log.error("while the app was closing", exc_info=error)
        else:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """End. Textual would print a traceback with local variables; `run_to_end` raises the error instead."""
        self._close_messages_no_wait()

    def panic(self, *renderables: Any) -> None:
        """End because of ``renderables``, which go to the log."""
        self._panicked = True
        for renderable in renderables:
            log.error("%s", "".join(segment.text for segment in self.console.render(renderable)))
        self._close_messages_no_wait()
