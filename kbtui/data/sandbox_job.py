"""The worker side of the sandbox: interprets a calculation and converts its result to a table.

pydantic-monty interprets a part of Python in a process of its own that is killed when it exceeds its limits. The value
it sends back may be far larger than what it was made in, so it is taken here, in a disposable worker as well
(`kbtui.data.sandbox` is the other side). Each calculation has its own interpreter, so nothing is left for the next.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from kbtui.data.sandbox_functions import FUNCTIONS
from kbtui.data.values import json_cell
from kbtui.domain.analysis import ResultTable
from kbtui.errors import ToolError
from kbtui.text.terminal import clean, one_line
from kbtui.worker import Job

SOURCE: Final = "python"
"""The source of tables of calculations."""
GRACE_S: Final = 2.0
"""Seconds after the time limit of a calculation until its process is killed."""

_MAX_ROWS_OUT: Final = 10_000
_MAX_CELLS_OUT: Final = 200_000
_MAX_CALLS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """Limits of one calculation: seconds, bytes of memory, recursion depth, bytes of printed text."""

    seconds: float = 5.0
    memory: int = 64 << 20
    recursion: int = 200
    printed: int = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class CalculationResult:
    """The result of a calculation.

    Attributes:
        table: The value of its last line as a table: a scalar is one cell named ``value``.
        printed: Its printed text, cleaned.
    """

    table: ResultTable
    printed: str = ""


class Calculation(msgspec.Struct, frozen=True):
    """A calculation, with its input rows by name."""

    code: str
    tables: dict[str, list[dict[str, Any]]]
    limits: SandboxLimits


def _calculate(calculation: Calculation) -> CalculationResult:
    from pydantic_monty import CollectString, Monty

    started = time.monotonic()
    limits = calculation.limits
    printed = CollectString(max_bytes=limits.printed)
    offered = {name: _with_deadline(function, started + limits.seconds) for name, function in FUNCTIONS.items()}
    bounds = {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory,
        "max_recursion_depth": limits.recursion,
        "max_suspensions": _MAX_CALLS,
        "max_total_sleep_secs": 0.1,
    }
    try:
        with (
            Monty(max_processes=1, request_timeout=limits.seconds + GRACE_S) as pool,
            pool.checkout(limits=bounds, os_policy={"sleep": "zero"}, script_name="calculation") as session,  # type: ignore[arg-type]
        ):
            inputs = {"tables": calculation.tables}
            value = session.feed_run(calculation.code, inputs=inputs, external_lookup=offered, print_callback=printed)
    except MemoryError:
        raise
    except BaseException as error:
        raise _as_tool_error(error, limits) from error
    return CalculationResult(table=_as_table(value), printed=clean(printed.output))


CALCULATE: Final = Job(_calculate, name=f"{__name__}:CALCULATE", request=Calculation, response=CalculationResult)


def _with_deadline(function: Callable[..., Any], until: float) -> Callable[..., Any]:
    """The function with the deadline of the run, because the clock of the sandbox stops during host calls."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if time.monotonic() > until:
            raise TimeoutError("the calculation takes too long")
        result = function(*args, **kwargs)
        if isinstance(result, float) and not math.isfinite(result):
            raise OverflowError("the result is too large")
        return result

    return call


def timeout_error(limits: SandboxLimits) -> ToolError:
    """The error for a calculation that exceeded its time limit."""
    return ToolError(f"The calculation was stopped after {limits.seconds:g} s.", "Calculate less at once.")


def memory_error(limits: SandboxLimits) -> ToolError:
    """The error for a calculation that exceeded its memory limit."""
    return ToolError(
        f"The calculation needs more than {limits.memory >> 20} MB, or prints too much.", "Calculate less at once."
    )


def _as_tool_error(error: BaseException, limits: SandboxLimits) -> ToolError:
    from pydantic_monty import MontyCrashedError, MontyError, MontyRuntimeError, MontySyntaxError

    if isinstance(error, FileNotFoundError | ImportError):
        return ToolError("The sandbox for calculations is not installed.", "Install kbtui anew.")
    if not isinstance(error, MontyError):
        return ToolError("The calculation came to a value that cannot be shown.", "Let it end in numbers or text.")
    if isinstance(error, MontyCrashedError):
        if error.timed_out:
            return timeout_error(limits)
        return ToolError("The calculation broke its sandbox and was stopped.", "Calculate in a simpler way.")
    inner = error.exception()
    message = one_line(str(inner) or type(inner).__name__, 160).rstrip(".")
    if isinstance(inner, TimeoutError):
        return timeout_error(limits)
    if isinstance(inner, MemoryError):
        return memory_error(limits)
    where = ""
    if isinstance(error, MontyRuntimeError | MontySyntaxError):
        own = [frame.line for frame in error.traceback()]
        where = f" in line {own[-1]}" if own else ""
    return ToolError(f"The calculation failed{where}: {type(inner).__name__}: {message}.", "Look at that line.")


def _as_table(value: Any) -> ResultTable:
    columns, rows = _columns_and_rows(value)
    kept = rows[: min(_MAX_ROWS_OUT, _MAX_CELLS_OUT // max(1, len(columns)))]
    return ResultTable(
        columns=tuple(one_line(column, 80) for column in columns),
        rows=tuple(tuple(map(_result_cell, row)) for row in kept),
        row_count=len(rows),
        truncated=len(kept) < len(rows),
        source=SOURCE,
    )


def _columns_and_rows(value: Any) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """Columns and rows: of a list of dictionaries, of rows, of values, of one dictionary, or of a scalar."""
    if value is None:
        return (), ()
    if isinstance(value, dict):
        if value and all(isinstance(item, (list, tuple)) for item in value.values()):
            longest = max(map(len, value.values()))
            columns = [list(item) + [None] * (longest - len(item)) for item in value.values()]
            return [str(_result_cell(key)) for key in value], list(zip(*columns, strict=True))
        return ("name", "value"), list(value.items())
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, dict) for item in value):
            names = list(dict.fromkeys(key for item in value[:_MAX_ROWS_OUT] for key in item))
            return [str(_result_cell(name)) for name in names], [[item.get(name) for name in names] for item in value]
        if value and all(isinstance(item, (list, tuple)) for item in value):
            width = max(map(len, value))
            rows = [list(item) + [None] * (width - len(item)) for item in value]
            return [f"column {number}" for number in range(1, width + 1)], rows
        return ("value",), [(item,) for item in value]
    return ("value",), [(value,)]


def _result_cell(value: Any) -> Any:
    """``value`` as a cell; an error for values that are neither numbers, texts, dates nor collections of them."""
    from datetime import date, datetime, timedelta
    from datetime import time as clock

    if value is None or isinstance(value, (bool, float, str, bytes, date, datetime, timedelta, clock)):
        return json_cell(value)
    if isinstance(value, int):
        if value.bit_length() > 4000:
            raise ToolError("The calculation came to a number too large to show.", "Let it end in a smaller one.")
        return json_cell(value)
    if isinstance(value, (list, tuple, dict)):
        return one_line(str(json_cell(str(value)[:4000])), 200)
    raise ToolError(
        f"The calculation came to {one_line(type(value).__name__, 40)}, which is no number, text or list of them.",
        "Let its last line be the result.",
    )
