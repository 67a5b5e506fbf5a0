"""Runs untrusted calculations: an interpreter without files, network or clock, in processes of its own.

Inputs are plain values, the result is a checked table. The interpreter runs in a disposable worker
(`kbtui.data.sandbox_job`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from kbtui.data.sandbox_job import (
    CALCULATE,
    GRACE_S,
    Calculation,
    CalculationResult,
    SandboxLimits,
    memory_error,
    timeout_error,
)
from kbtui.data.values import json_cell
from kbtui.domain.analysis import ResultTable
from kbtui.domain.cancel import CancelToken
from kbtui.errors import ToolError
from kbtui.worker import Allowance, WorkerError, WorkerOutOfMemory, WorkerPool, WorkerTimedOut

__all__ = ["CalculationResult", "SandboxLimits", "calculate"]

_MAX_CODE: Final = 20_000
_MAX_CELLS_IN: Final = 300_000
_POOL: Final = WorkerPool("sandbox", Allowance(memory=512 << 20), ["kbtui.data.sandbox_job", "pydantic_monty"])


def calculate(
    code: str,
    tables: Mapping[str, ResultTable | Sequence[Mapping[str, Any]]],
    cancel: CancelToken,
    *,
    limits: SandboxLimits | None = None,
) -> CalculationResult:
    """Run ``code`` and return the value of its last expression.

    Args:
        tables: Results, or rows as dictionaries; seen inside as ``tables[name]``, a list of rows, one dictionary each.

    Raises:
        ToolError: The code is wrong, took more than it may, or ended in nothing that can be shown; it says which line.
        Cancelled: ``cancel`` was set meanwhile.
    """
    allowed = limits or SandboxLimits()
    if not code.strip():
        raise ToolError("There is no calculation to run.", "Give code whose last line is the result.")
    if len(code) > _MAX_CODE:
        raise ToolError(f"The calculation is longer than {_MAX_CODE:,} characters.", "Write a shorter one.")
    table_rows = {name: _rows(table) for name, table in tables.items()}
    if sum(len(row) for rows in table_rows.values() for row in rows) > _MAX_CELLS_IN:
        raise ToolError(f"A calculation takes at most {_MAX_CELLS_IN:,} cells.", "Let the statement summarise first.")
    cancel.check()
    calculation = Calculation(code, table_rows, allowed)
    try:
        return _POOL.call(CALCULATE, calculation, seconds=allowed.seconds + 2 * GRACE_S, cancel=cancel)
    except WorkerTimedOut as error:
        raise timeout_error(allowed) from error
    except WorkerOutOfMemory as error:
        raise memory_error(allowed) from error
    except WorkerError as error:
        raise ToolError(
            "The calculation came to a value that cannot be shown.", "Let it end in numbers or text."
        ) from error


def _rows(table: ResultTable | Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if not isinstance(table, ResultTable):
        return [{name: json_cell(value) for name, value in row.items()} for row in table]
    return [dict(zip(table.columns, row, strict=False)) for row in table.rows]
