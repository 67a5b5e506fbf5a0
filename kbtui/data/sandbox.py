"""Runs calculations nobody has read: an interpreter without files, network or time, in a process of its own.

pydantic-monty interprets a part of Python in a worker process that is killed when it exceeds its limits. What goes in
are plain values; what comes out is checked as anything from outside is. Each run has its own worker, so that nothing is
left of one for the next.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from kbtui.data.sandbox_functions import FUNCTIONS
from kbtui.data.values import cell
from kbtui.domain.analysis import ResultTable
from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.text.terminal import clean, one_line

SOURCE: Final = "python"
"""What a table of a calculation gives as its source."""

_MOST_CODE: Final = 20_000
_MOST_CELLS_IN: Final = 300_000
_MOST_ROWS_OUT: Final = 10_000
_MOST_CELLS_OUT: Final = 200_000
_CALLS: Final = 1000
_LOOK_S: Final = 0.02
_GRACE_S: Final = 2.0


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


@dataclass(slots=True)
class _Outcome:
    value: Any = None
    printed: str = ""
    error: BaseException | None = None
    done: threading.Event = field(default_factory=threading.Event)


def calculate(
    code: str,
    tables: Mapping[str, ResultTable | Sequence[Mapping[str, Any]]],
    cancel: CancelToken,
    *,
    numbers: Mapping[str, float] | None = None,
    limits: SandboxLimits | None = None,
) -> Calculated:
    """Run ``code`` and return the value of its last expression.

    Args:
        tables: Results, or rows as dictionaries; seen inside as ``tables[name]``, a list of rows, one dictionary each.
        numbers: Further names and their values.

    Raises:
        ToolError: The code is wrong, took more than it may, or ended in nothing that can be shown; it says which line.
        Cancelled: ``cancel`` was set meanwhile.
    """
    allowed = limits or SandboxLimits()
    if not code.strip():
        raise ToolError("There is no calculation to run.", "Give code whose last line is the result.")
    if len(code) > _MOST_CODE:
        raise ToolError(f"The calculation is longer than {_MOST_CODE:,} characters.", "Write a shorter one.")
    given = {name: _rows(table) for name, table in tables.items()}
    if sum(len(row) for rows in given.values() for row in rows) > _MOST_CELLS_IN:
        raise ToolError(f"A calculation takes at most {_MOST_CELLS_IN:,} cells.", "Let the statement summarise first.")
    inputs = {**(numbers or {}), "tables": given}
    cancel.check()
    started = time.monotonic()
    outcome = _Outcome()
    threading.Thread(target=_work, args=(code, inputs, allowed, cancel, outcome), daemon=True).start()
    while not outcome.done.wait(_LOOK_S):
        # The worker stops by itself at its limit; nobody waits for that who has cancelled.
        cancel.check()
        if time.monotonic() - started > allowed.seconds + 2 * _GRACE_S:
            raise _too_long(allowed)
    cancel.check()
    if outcome.error is not None:
        raise _told(outcome.error, allowed) from outcome.error
    table = _as_table(outcome.value, (time.monotonic() - started) * 1000)
    return Calculated(table=table, printed=clean(outcome.printed))


def _rows(table: ResultTable | Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if not isinstance(table, ResultTable):
        return [{name: cell(value) for name, value in row.items()} for row in table]
    return [dict(zip(table.columns, row, strict=False)) for row in table.rows]


def _work(code: str, inputs: dict[str, Any], limits: SandboxLimits, cancel: CancelToken, outcome: _Outcome) -> None:
    try:
        from pydantic_monty import CollectString, Monty

        printed = CollectString(max_bytes=limits.printed)
        until = time.monotonic() + limits.seconds
        offered = {name: _bounded(function, until, cancel) for name, function in FUNCTIONS.items()}
        bounds = {
            "max_feed_duration_secs": limits.seconds,
            "max_memory": limits.memory,
            "max_recursion_depth": limits.recursion,
            "max_suspensions": _CALLS,
            "max_total_sleep_secs": 0.1,
        }
        with (
            Monty(max_processes=1, request_timeout=limits.seconds + _GRACE_S) as pool,
            pool.checkout(limits=bounds, os_policy={"sleep": "zero"}, script_name="calculation") as session,  # type: ignore[arg-type]
        ):
            outcome.value = session.feed_run(code, inputs=inputs, external_lookup=offered, print_callback=printed)
            outcome.printed = printed.output
    except BaseException as error:  # noqa: BLE001 (told by whoever waits for it)
        outcome.error = error
    finally:
        outcome.done.set()


def _bounded(function: Callable[..., Any], until: float, cancel: CancelToken) -> Callable[..., Any]:
    """The function within the run's time: the sandbox's own clock stands still while the host works."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if cancel.cancelled or time.monotonic() > until:
            raise TimeoutError("the calculation takes too long")
        came = function(*args, **kwargs)
        if isinstance(came, float) and not math.isfinite(came):
            raise OverflowError("the result is too large")
        return came

    return call


def _too_long(limits: SandboxLimits) -> ToolError:
    return ToolError(f"The calculation was stopped after {limits.seconds:g} s.", "Calculate less at once.")


def _told(error: BaseException, limits: SandboxLimits) -> ToolError:
    from pydantic_monty import MontyCrashedError, MontyError, MontyRuntimeError, MontySyntaxError

    if isinstance(error, FileNotFoundError | ImportError):
        return ToolError("The sandbox for calculations is not installed.", "Install kbtui anew.")
    if not isinstance(error, MontyError):
        return ToolError("The calculation came to a value that cannot be shown.", "Let it end in numbers or text.")
    if isinstance(error, MontyCrashedError):
        if error.timed_out:
            return _too_long(limits)
        return ToolError("The calculation broke its sandbox and was stopped.", "Calculate in a simpler way.")
    inner = error.exception()
    said = one_line(str(inner) or type(inner).__name__, 160).rstrip(".")
    if isinstance(inner, TimeoutError):
        return _too_long(limits)
    if isinstance(inner, MemoryError):
        return ToolError(
            f"The calculation needs more than {limits.memory >> 20} MB, or prints too much.", "Calculate less at once."
        )
    where = ""
    if isinstance(error, MontyRuntimeError | MontySyntaxError):
        own = [frame.line for frame in error.traceback()]
        where = f" in line {own[-1]}" if own else ""
    return ToolError(f"The calculation failed{where}: {type(inner).__name__}: {said}.", "Look at that line.")


def _as_table(value: Any, duration_ms: float) -> ResultTable:
    columns, rows = _shape(value)
    kept = rows[: min(_MOST_ROWS_OUT, _MOST_CELLS_OUT // max(1, len(columns)))]
    return ResultTable(
        columns=tuple(one_line(column, 80) for column in columns),
        rows=tuple(tuple(map(_plain, row)) for row in kept),
        row_count=len(rows),
        truncated=len(kept) < len(rows),
        source=SOURCE,
        duration_ms=round(duration_ms, 3),
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
