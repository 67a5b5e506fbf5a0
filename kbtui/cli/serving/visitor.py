"""One visitor: a process of kbtui that speaks to one page, and ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from typing import Any, Final

from textual_serve.app_service import AppService

_END_S: Final = 3.0
"""For the screen to end by itself when its page has gone, and again after SIGTERM."""
_MOST_CELLS: Final = 1000
"""Columns and rows of a screen; what a page says about its size is not believed beyond it."""


class Visitor(AppService):
    """See the module's text; started without a shell, in a process group of its own.

    Args:
        argv: What is run.
    """

    _task: asyncio.Task[None] | None

    def __init__(self, argv: Sequence[str], **page: Any) -> None:
        super().__init__("", **page)
        self._argv = argv

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        environment = self._build_environment(_cells(width), _cells(height))
        self._process = await asyncio.create_subprocess_exec(
            *self._argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, start_new_session=True
        )
        self._stdin = self._process.stdin
        return self._process

    async def set_terminal_size(self, width: int, height: int) -> None:
        await super().set_terminal_size(_cells(width), _cells(height))

    async def on_data(self, payload: bytes) -> None:
        # A page that has gone must not keep the screen from ending: what it writes is read until it ends.
        with contextlib.suppress(ConnectionError):
            await super().on_data(payload)

    async def stop(self) -> None:
        """End the process: asked first, then told, then killed with whatever it started."""
        if self._process is None or self._task is None:
            return
        task, self._task = self._task, None
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        await self.send_meta({"type": "quit"})
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), _END_S)
                break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
        await asyncio.wait((task,), timeout=_END_S)


def _cells(wanted: object) -> int:
    return min(max(1, wanted), _MOST_CELLS) if isinstance(wanted, int) else 80
