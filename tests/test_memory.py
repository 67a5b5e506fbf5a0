"""Memory that is no longer used goes back to the system."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest

from kbtui.memory import release_memory


def resident_mb() -> float:
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096 / 1e6


@pytest.mark.skipif(sys.platform != "linux", reason="only glibc has to be asked")
def test_what_many_small_objects_took_is_returned() -> None:
    texts = [f"{number}" * 20 for number in range(1_000_000)]
    # One in a thousand stays, so that no page of the allocator is the last of its arena.
    kept = texts[::1000]
    del texts
    gc.collect()
    before = resident_mb()
    release_memory()
    assert resident_mb() < before
    assert len(kept) == 1000
