"""What a worker does with a calculation: interprets it, and makes a table of what it came to.

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
from kbtui.data.values import cell
from kbtui.domain.analysis import ResultTable
from kbtui.errors import ToolError
from kbtui.text.terminal import clean, one_line
from kbtui.worker import Job

SOURCE: Final = "python"
"""What a table of a calculation gives as its source."""
GRACE_S: Final = 2.0
"""Seconds a calculation gets beyond its limit before its process is killed."""

_MOST_ROWS_OUT: Final = 10_000
_MOST_CELLS_OUT: Final = 200_000
_CALLS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxLimits:
    """What one calculation may take: seconds, bytes of memory, calls within calls, bytes of printed text."""

    seconds: float = 5.0
    memory: int = 64 << 20
    recursion: int = 200
    printed: int = 16_384


@dataclass(frozen=True, slots=True, kw_only=True)
class Calculated:
    """What a calculation came to.

    Attributes:
        table: The value of its last line as a table: a scalar is one cell named ``value``.
        printed: What it printed, clean.
    """

    table: ResultTable
    printed: str = ""


class Calculation(msgspec.Struct, frozen=True):
    """A calculation, and the rows it may use by name."""

    code: str
    tables: dict[str, list[dict[str, Any]]]
    limits: SandboxLimits


def _calculate(calculation: Calculation) -> Calculated:
    from pydantic_monty import CollectString, Monty

    started = time.monotonic()
    limits = calculation.limits
    printed = CollectString(max_bytes=limits.printed)
    offered = {name: _bounded(function, started + limits.seconds) for name, function in FUNCTIONS.items()}
    bounds = {
        "max_feed_duration_secs": limits.seconds,
        "max_memory": limits.memory,
        "max_recursion_depth": limits.recursion,
        "max_suspensions": _CALLS,
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
        raise _explained(error, limits) from error
    return Calculated(table=_as_table(value), printed=clean(printed.output))


CALCULATE: Final = Job(_calculate, name=f"{__name__}:CALCULATE", request=Calculation, response=Calculated)


def _bounded(function: Callable[..., Any], until: float) -> Callable[..., Any]:
    """The function within the run's time: the sandbox's own clock stands still while the host works."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if time.monotonic() > until:
            raise TimeoutError("the calculation takes too long")
        result = function(*args, **kwargs)
        if isinstance(result, float) and not math.isfinite(result):
            raise OverflowError("the result is too large")
        return result

    return call


def too_long(limits: SandboxLimits) -> ToolError:
    """A calculation that took longer than it may."""
    return ToolError(f"The calculation was stopped after {limits.seconds:g} s.", "Calculate less at once.")


def too_large(limits: SandboxLimits) -> ToolError:
    """A calculation that took more memory than it may."""
    return ToolError(
        f"The calculation needs more than {limits.memory >> 20} MB, or prints too much.", "Calculate less at once."
    )


def _explained(error: BaseException, limits: SandboxLimits) -> ToolError:
    from pydantic_monty import MontyCrashedError, MontyError, MontyRuntimeError, MontySyntaxError

    if isinstance(error, FileNotFoundError | ImportError):
        return ToolError("The sandbox for calculations is not installed.", "Install kbtui anew.")
    if not isinstance(error, MontyError):
        return ToolError("The calculation came to a value that cannot be shown.", "Let it end in numbers or text.")
    if isinstance(error, MontyCrashedError):
        if error.timed_out:
            return too_long(limits)
        return ToolError("The calculation broke its sandbox and was stopped.", "Calculate in a simpler way.")
    inner = error.exception()
    said = one_line(str(inner) or type(inner).__name__, 160).rstrip(".")
    if isinstance(inner, TimeoutError):
        return too_long(limits)
    if isinstance(inner, MemoryError):
        return too_large(limits)
    where = ""
    if isinstance(error, MontyRuntimeError | MontySyntaxError):
        own = [frame.line for frame in error.traceback()]
        where = f" in line {own[-1]}" if own else ""
    return ToolError(f"The calculation failed{where}: {type(inner).__name__}: {said}.", "Look at that line.")


def _as_table(value: Any) -> ResultTable:
    columns, rows = _shape(value)
    kept = rows[: min(_MOST_ROWS_OUT, _MOST_CELLS_OUT // max(1, len(columns)))]
    return ResultTable(
        columns=tuple(one_line(column, 80) for column in columns),
        rows=tuple(tuple(map(_plain, row)) for row in kept),
        row_count=len(rows),
        truncated=len(kept) < len(rows),
        source=SOURCE,
    )


def _shape(value: Any) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """Columns and rows: of a list of dictionaries, of rows, of values, of one dictionary, or of a scalar."""
    if value is None:
        return (), ()
    if isinstance(value, dict):
        if value and all(isinstance(item, (list, tuple)) for item in value.values()):
            longest = max(map(len, value.values()))
            columns = [list(item) + [None] * (longest - len(item)) for item in value.values()]
            return [str(_plain(key)) for key in value], list(zip(*columns, strict=True))
        return ("name", "value"), list(value.items())
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, dict) for item in value):
            names = list(dict.fromkeys(key for item in value[:_MOST_ROWS_OUT] for key in item))
            return [str(_plain(name)) for name in names], [[item.get(name) for name in names] for item in value]
        if value and all(isinstance(item, (list, tuple)) for item in value):
            width = max(map(len, value))
            rows = [list(item) + [None] * (width - len(item)) for item in value]
            return [f"column {number}" for number in range(1, width + 1)], rows
        return ("value",), [(item,) for item in value]
    return ("value",), [(value,)]


def _plain(value: Any) -> Any:
    """``value`` as a cell; what is neither number, text, date nor a collection of them is no result."""
    from datetime import date, datetime, timedelta
    from datetime import time as clock

    if value is None or isinstance(value, (bool, float, str, bytes, date, datetime, timedelta, clock)):
        return cell(value)
    if isinstance(value, int):
        if value.bit_length() > 4000:
            raise ToolError("The calculation came to a number too large to show.", "Let it end in a smaller one.")
        return cell(value)
    if isinstance(value, (list, tuple, dict)):
        return one_line(str(cell(str(value)[:4000])), 200)
    raise ToolError(
        f"The calculation came to {one_line(type(value).__name__, 40)}, which is no number, text or list of them.",
        "Let its last line be the result.",
    )
