"""Runs functions over foreign input in disposable processes that the kernel limits."""

from kbtui.worker.job import Allowance, Job
from kbtui.worker.pool import WorkerPool
from kbtui.worker.process import WorkerCrashed, WorkerError, WorkerOutOfMemory, WorkerTimedOut

__all__ = ["Allowance", "Job", "WorkerCrashed", "WorkerError", "WorkerOutOfMemory", "WorkerPool", "WorkerTimedOut"]
