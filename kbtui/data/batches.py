"""Several statements of one source, one after the other, within one budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from kbtui.errors import DataSourceError, KbtuiError

Result = TypeVar("Result")


def run_in_order(
    run: Callable[[str], Result],
    statements: Sequence[str],
    *,
    seconds: float,
    enough: int,
    failures: type[KbtuiError] = DataSourceError,
    clock: Callable[[], float] = time.monotonic,
) -> list[Result | None]:
    """What ``run`` makes of each statement; see `kbtui.domain.analysis.QuerySource.run_each`.

    Args:
        failures: Errors of a single statement, after which the next one is run.
        clock: What ``seconds`` are counted by; one that counts work stops at the same statement on every machine.
    """
    deadline = clock() + seconds
    results: list[Result | None] = []
    for statement in statements:
        if len(results) >= enough and clock() > deadline:
            break
        try:
            results.append(run(statement))
        except failures:
            results.append(None)
    return results
