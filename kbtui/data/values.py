"""Converts values of drivers to cells for events and files: JSON-safe, clean, of bounded length."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from itertools import islice
from typing import Any, Final, Protocol
from uuid import UUID

from kbtui.domain.analysis import ColumnKind, Limits, ResultTable
from kbtui.text.terminal import clean

MAX_CHARS: Final = 2000
_FETCH: Final = 500
_MAX_BYTES: Final = 16
_EXACT: Final = 2**53
_ISO_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")

_NESTED: Final = re.compile(r"(?:struct|map|union|array|list|row|tuple|set\()|.*[])>]\s*\[\d*\]$|.*\[\d*\]$", re.DOTALL)
_KINDS: Final[tuple[tuple[re.Pattern[str], ColumnKind], ...]] = tuple(
    (re.compile(pattern), kind)  # type: ignore[misc]
    for pattern, kind in (
        (r"bool|bit$|bit\(1\)|tinyint\(1\)", "boolean"),
        (r"timestamp|datetime|smalldatetime", "datetime"),
        (r"date", "date"),
        (r"interval|json|xml", "other"),
        (r"real|floa|doub|numeric|decimal|number|money|dec\b|smallmoney|(big|unsigned )decimal", "number"),
        (r"(?:unsigned |signed )?(?:u?(?:tiny|small|medium|big|huge|long)?\s?int|native int)(?:eger)?\d*\b", "integer"),
        (r"(?:small|big)?serial\d?\b|oid\b|year|long\b|short\b|counter\b", "integer"),
        (r"(?:national |native |long ?|n|var|tiny|medium|bp|b|ci)*(?:char|text|clob|string)", "text"),
        (r"enum|uuid|uniqueidentifier|name\b|character|time", "text"),
    )
)
"""By how a type's name begins: what stands in its brackets (the values of an ENUM) says nothing."""


class Cursor(Protocol):
    """The part of a driver's cursor that is used."""

    def fetchmany(self, size: int, /) -> Sequence[Any]: ...


class RowCursor:
    """A cursor over an iterator of rows."""

    def __init__(self, rows: Iterator[Any]) -> None:
        self._rows = rows

    def fetchmany(self, size: int, /) -> Sequence[Any]:
        return list(islice(self._rows, size))


def json_cell(value: Any) -> Any:
    """``value`` as a JSON value.

    Dates and times are ISO 8601. A decimal is a number if a float is exact, else text; NaN is None; bytes are
    the first ones in hexadecimal.
    """
    match value:
        case None | bool() | int():
            return (
                str(value) if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT else value
            )
        case float():
            return value if math.isfinite(value) else None
        case str():
            text = clean(value)
            return text if len(text) <= MAX_CHARS else text[:MAX_CHARS] + "…"
        case Decimal():
            if not value.is_finite():
                return None
            if value == value.to_integral_value() and abs(value) <= _EXACT:
                return int(value)
            near = float(value)
            return near if Decimal(repr(near)) == value else str(value)
        case datetime():
            return value.isoformat(sep=" ")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case bytes() | bytearray() | memoryview():
            data = bytes(value)
            return "0x" + data[:_MAX_BYTES].hex() + ("…" if len(data) > _MAX_BYTES else "")
        case UUID():
            return str(value)
        case list() | tuple() | set() | frozenset():
            return json_cell(str([json_cell(item) for item in value]))
        case dict():
            return json_cell(str({str(key): json_cell(item) for key, item in value.items()}))
        case _:
            return json_cell(str(value))


def cell_size(value: Any) -> int:
    """The approximate size of a cell in bytes."""
    return len(value) if isinstance(value, str) else 8


def kind_of(type_name: str) -> ColumnKind:
    """The kind of a column by the name of its type in any engine."""
    name = " ".join(type_name.lower().split())
    if _NESTED.match(name):
        return "other"
    return next((kind for pattern, kind in _KINDS if pattern.match(name)), "other")


def kind_of_samples(samples: Sequence[Any], declared: ColumnKind) -> ColumnKind:
    """The kind of a column whose declared type is not enforced: SQLite stores dates as text, and any value anywhere.

    Args:
        samples: Values of the column as cells, without NULL.
    """
    texts = [sample for sample in samples if isinstance(sample, str)]
    numbers = [sample for sample in samples if isinstance(sample, (int, float)) and not isinstance(sample, bool)]
    if not samples:
        return declared
    if len(numbers) == len(samples):
        if declared in ("integer", "number", "boolean"):
            return declared
        # A DATE column with numbers counts seconds or days, which date functions do not accept.
        if declared in ("date", "datetime", "other"):
            return "integer" if all(isinstance(number, int) for number in numbers) else "number"
        return declared
    filled = [text for text in texts if text.strip()]
    if len(texts) != len(samples) or not filled or declared == "boolean":
        return declared
    if declared in ("integer", "number"):
        return "text" if len(filled) == len(texts) else declared
    if all(_is_date(text) for text in filled):
        return "date"
    if all(_is_datetime(text) for text in filled):
        return "datetime"
    return "text"


def fetch_rows(columns: Sequence[str], cursor: Cursor, limits: Limits) -> ResultTable:
    """The rows of a result as cells, up to the limits; the caller adds statement and source."""
    rows: list[tuple[Any, ...]] = []
    used = 0
    while batch := cursor.fetchmany(_FETCH):
        for row in batch:
            cells = tuple(map(json_cell, row))
            used += sum(map(cell_size, cells))
            if len(rows) >= limits.rows or used > limits.bytes:
                return _table(columns, rows, truncated=True)
            rows.append(cells)
    return _table(columns, rows, truncated=False)


def _table(columns: Sequence[str], rows: Sequence[tuple[Any, ...]], *, truncated: bool) -> ResultTable:
    return ResultTable(columns=tuple(columns), rows=tuple(rows), row_count=len(rows), truncated=truncated)


def _is_date(text: str) -> bool:
    return bool(_ISO_DATE.fullmatch(text)) and _parses(text)


def _is_datetime(text: str) -> bool:
    return len(text) >= len("2025-01-01") and _parses(text)


def _parses(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
