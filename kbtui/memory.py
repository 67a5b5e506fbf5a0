"""Gives memory that is no longer used back to the system."""

from __future__ import annotations

import contextlib
import sys


def release_memory() -> None:
    """Return what Python, Arrow and the allocator of C hold without using it; takes some 10 ms for each GB.

    An allocator keeps what was freed, so that a process stays as large as its largest moment. Only glibc's has to be
    asked; elsewhere nothing happens.
    """
    # Only where it is loaded: there is nothing to return otherwise.
    if (arrow := sys.modules.get("pyarrow")) is not None:
        arrow.default_memory_pool().release_unused()
    import ctypes

    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)
