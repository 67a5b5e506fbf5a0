"""Runs functions over foreign input in disposable processes that the kernel limits.

What a worker itself has no use for is imported when it is first asked for: a process that starts loads little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kbtui.worker.job import Allowance, Job

if TYPE_CHECKING:
    from kbtui.worker.pool import WorkerPool
    from kbtui.worker.process import WorkerCrashed, WorkerError, WorkerOutOfMemory, WorkerTimedOut

__all__ = ["Allowance", "Job", "WorkerCrashed", "WorkerError", "WorkerOutOfMemory", "WorkerPool", "WorkerTimedOut"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("kbtui.worker.pool" if name == "WorkerPool" else "kbtui.worker.process"), name)
    raise AttributeError(f"module 'kbtui.worker' has no attribute {name!r}")
