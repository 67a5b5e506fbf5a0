"""A visitor: a process of kbtui that is connected to one page, and ends with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from typing import Any, Final

from textual_serve.app_service import AppService

_STOP_TIMEOUT_S: Final = 3.0
"""Time for the screen to end by itself when its page is closed, and again after SIGTERM."""
_MAX_CELLS: Final = 1000
"""Most columns and rows of a screen, whatever size a page reports."""


class Visitor(AppService):
    """Runs the process of one page, without a shell and in a process group of its own.

    Args:
        argv: The command.
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
        # Output is read even after the page was closed, because a blocked write would keep the screen from ending.
        with contextlib.suppress(ConnectionError):
            await super().on_data(payload)

    async def stop(self) -> None:
        """End the process: by a message, then by SIGTERM, then by SIGKILL to its process group."""
        if self._process is None or self._task is None:
            return
        task, self._task = self._task, None
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        await self.send_meta({"type": "quit"})
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), _STOP_TIMEOUT_S)
                break
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)
        await asyncio.wait((task,), timeout=_STOP_TIMEOUT_S)


def _cells(value: object) -> int:
    return min(max(1, value), _MAX_CELLS) if isinstance(value, int) else 80
