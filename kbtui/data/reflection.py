"""What reading the structure of any engine has in common: names asked for, sample values, what a column is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from kbtui.data.values import json_cell, kind_of, kind_of_samples
from kbtui.domain.analysis import Column, ForeignKey, Table
from kbtui.errors import DataSourceError, SqlRefused, nearest
from kbtui.text.terminal import one_line

SAMPLE_ROWS: Final = 200
SAMPLE_SECONDS: Final = 1.0
"""A view can be a long calculation: then it has no samples."""
MAX_SAMPLED: Final = 300
"""Of more tables than this, none is read that was not named."""

_SAMPLES: Final = 5
_MAX_SAMPLE: Final = 120
"""A longer text says nothing about what to ask for, and a cut one is no value."""

_BYTES: Final = re.compile(r"\w*(?:blob|binary)|bytea", re.IGNORECASE)

Found = TypeVar("Found")


class ColumnDescription(NamedTuple):
    """A column as the catalogue of an engine describes it."""

    name: str
    type: str
    is_key: bool = False
    nullable: bool = True
    comment: str | None = ""


def detailed_table(
    table: Table,
    columns: Sequence[ColumnDescription],
    foreign: Sequence[ForeignKey],
    first_rows: Callable[[Sequence[str]], Sequence[Sequence[Any]]] | None = None,
    *,
    loose: bool = False,
) -> Table:
    """``table`` with columns, their sample values, and what they refer to.

    Args:
        first_rows: Given the columns that hold no bytes: their values in the first rows; none where it fails.
        loose: See `column_of`.
    """
    readable = [column.name for column in columns if not _BYTES.match(column.type)]
    rows = first_rows(readable) if first_rows and readable else ()
    values = {name: [row[position] for row in rows] for position, name in enumerate(readable)}
    described_columns = [
        column_of(
            column.name,
            column.type,
            values.get(column.name, ()),
            is_key=column.is_key,
            nullable=column.nullable,
            comment=column.comment,
            loose=loose,
        )
        for column in columns
    ]
    return replace(table, columns=tuple(described_columns), foreign_keys=tuple(foreign))


def detailed_tables(
    tables: Sequence[Table],
    columns: Mapping[str, Sequence[ColumnDescription]],
    foreign: Mapping[str, Sequence[ForeignKey]],
    first_rows: Callable[[str, Sequence[str]], Sequence[Sequence[Any]]] | None,
) -> tuple[Table, ...]:
    """`detailed_table` of each, by the name of a table; ``first_rows`` is given that too."""
    return tuple(
        detailed_table(
            table,
            columns.get(table.name, ()),
            foreign.get(table.name, ()),
            partial(first_rows, table.name) if first_rows else None,
        )
        for table in tables
    )


def sample_statement(names: Sequence[str], place: Sequence[str], mark: str = '"') -> str:
    """Selects the columns of the first rows of the table at ``place``: its name, behind that of its schema if any."""
    chosen = ", ".join(quoted(name, mark) for name in names)
    return f"SELECT {chosen} FROM {'.'.join(quoted(name, mark) for name in place)} LIMIT {SAMPLE_ROWS}"


def refused(name: str, why: str) -> SqlRefused:
    """A statement that the source does not take."""
    return SqlRefused(f"{name} is only read; the statement was refused: {why}.", "Ask for data instead.", rule="engine")


def single_statement_error(name: str) -> SqlRefused:
    return SqlRefused(f"{name} takes one statement at a time.", "Ask for one thing.", rule="engine")


def no_file(path: object) -> DataSourceError:
    return DataSourceError(f"There is no file {path}.", "Was it moved? `kbtui sources list` shows the path.")


def quoted(name: str, mark: str = '"') -> str:
    """A name as a statement may hold it, whatever it contains."""
    return mark + name.replace(mark, mark * 2) + mark


def select_tables(source: str, known: Mapping[str, Found], table_names: Sequence[str] | None) -> dict[str, Found]:
    """Those of the ``known`` tables that were named, in that order; all of them when nothing was named.

    Names are matched as they are written, then in any case.

    Raises:
        DataSourceError: There is no such table; the hint names the nearest.
    """
    if table_names is None:
        return dict(known)
    folded = {name.lower(): name for name in reversed(list(known))}
    chosen: dict[str, Found] = {}
    for asked in table_names:
        name = asked if asked in known else folded.get(asked.lower())
        if name is None:
            raise _no_table(source, asked, list(known))
        chosen[name] = known[name]
    return chosen


def column_of(
    name: str,
    type_name: str,
    values: Sequence[Any] = (),
    *,
    is_key: bool = False,
    nullable: bool = True,
    comment: str | None = "",
    loose: bool = False,
) -> Column:
    """A column as everybody meets it.

    Args:
        values: What was read of it, one for each row.
        loose: The engine keeps what it likes in a column of that type, so its values decide what it is.
    """
    distinct = _distinct(values)
    declared = kind_of(type_name)
    return Column(
        name=name,
        type=type_name,
        kind=kind_of_samples(distinct, declared) if loose else declared,
        is_key=is_key,
        nullable=nullable,
        comment=one_line(comment or "", 400),
        samples=tuple(value for value in distinct if not isinstance(value, str) or len(value) <= _MAX_SAMPLE)[
            :_SAMPLES
        ],
    )


def _distinct(values: Sequence[Any]) -> tuple[Any, ...]:
    """Different values as cells, the most frequent first; of equals, the first met."""
    counts: dict[Any, int] = {}
    for value in map(json_cell, values):
        if value is not None:
            counts[value] = counts.get(value, 0) + 1
    return tuple(sorted(counts, key=lambda value: -counts[value]))


def _no_table(source: str, asked: str, known: list[str]) -> DataSourceError:
    similar = nearest(asked, known)
    hint = f"Did you mean {one_line(similar, 80)}?" if similar else "Look at its tables."
    return DataSourceError(f"{source} has no table {one_line(asked, 80)}.", hint)


def free_name(wanted: str, taken: set[str]) -> str:
    """``wanted``, with a number where it is taken, whatever its case; it is taken from then on."""
    name, number = wanted, 1
    while name.lower() in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name.lower())
    return name
