"""Limits of the kernel, set by a worker process on itself before it reads any foreign input."""

from __future__ import annotations

import contextlib
import os
import resource
from pathlib import Path

from kbtui.worker.job import Allowance


def confine(allowance: Allowance) -> None:
    """Limit address space and written files of this process for good; nothing it creates is readable by others.

    The limit of the address space counts from what is mapped now, because the libraries of a process map from 100 MB
    to 1 GB depending on the machine. macOS accepts but does not enforce it.
    """
    os.umask(0o077)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, allowance.writes)
    _lower(resource.RLIMIT_AS, mapped() + allowance.memory)


def allow_cpu(seconds: float) -> None:
    """Let this process use ``seconds`` more of processor time, over all its threads, before the kernel ends it."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = usage.ru_utime + usage.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(min(used + seconds + 1, 2**31))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _lower(kind: int, limit: int) -> None:
    """Set a soft and hard limit, unless a lower one is in force."""
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (limit, limit))


def mapped() -> int:
    """Bytes of address space in use; 1 GB where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 1 << 30
