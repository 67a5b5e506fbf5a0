"""Removes from a loaded table what programs add when they export one.

These are titles above the header, sums below the rows, columns without a name or a value, weekdays after dates, and
marks that keep spreadsheets from reading codes as numbers (``="0012"``, ``'0012``, a tab).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.data.reflection import quoted
from kbtui.regular_files import open_regular

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TITLES: Final = 30
"""Lines above the header, at most."""
_LOOKED_AT: Final = 1 << 16
"""Characters of a file that are read for its header."""
_MAX_SUM_LINES: Final = 8
_SUM_LABEL: Final = r"(grand )?totals?\b.*|sum|(合\s*计|总\s*计|共\s*计|小计|累计).*|共\s*\d+\s*[条笔行].*"
"""The first field of a line that sums up others, in lower case."""
_UNNAMED: Final = re.compile(r"column\d+")
_WEEKDAY: Final = r"[ ,(（]*(?:星期|周|礼拜)[一二三四五六日天][)）]?"
_DATED: Final = rf"((?:\d{{2}})?\d{{2}})[-/.年](\d{{1,2}})[-/.月](\d{{1,2}})日?{_WEEKDAY}"


def titles_above(path: Path, columns: Sequence[str], delimiter: str) -> int:
    """Number of lines above the header of a text file whose first line was taken for the header.

    Titles fill one or two cells of a line, and the rest of it is delimiters: ``Report for May,,,,``.

    Args:
        columns: Names of the columns as they were read.

    Returns:
        0 if the first line is the header.
    """
    if sum(bool(_UNNAMED.fullmatch(name)) for name in columns) < max(2, len(columns) / 2):
        return 0
    with open_regular(path) as stream:
        text = stream.read(_LOOKED_AT).decode("utf-8", "replace")
    for position, cells in enumerate(islice(csv.reader(text.splitlines(), delimiter=delimiter), _TITLES)):
        names = [cell.strip() for cell in cells if cell.strip()]
        if len(names) >= 0.6 * len(columns):
            is_header = len(set(names)) == len(names) and not any(re.fullmatch(r"[-+\d.,:/ ]+", name) for name in names)
            return position if is_header else 0
    return 0


def tidy(connection: DuckDBPyConnection, table: str) -> None:
    """Remove marks, empty columns and weekdays from a table."""
    texts = _text_columns(connection, table)
    if texts:
        _strip_marks(connection, table, texts)
        _drop_unnamed(connection, table)
        _read_weekdays(connection, table)


def drop_sums(connection: DuckDBPyConnection, table: str) -> int:
    """Delete the last lines that sum up the others, and return how many these were."""
    dropped = 0
    while dropped < _MAX_SUM_LINES and _ends_in_sum(connection, table):
        connection.execute(f"DELETE FROM {quoted(table)} WHERE rowid = {_last_row(table)}")
        dropped += 1
    return dropped


def _ends_in_sum(connection: DuckDBPyConnection, table: str) -> bool:
    """Whether the last line begins with "Total" and has few other fields, or a column that adds up to its field."""
    described = connection.execute(f"DESCRIBE {quoted(table)}").fetchall()
    names = [quoted(str(column[0])) for column in described]
    texts = [f"CAST({name} AS VARCHAR)" for name in names]
    filled = " + ".join(f"({name} IS NOT NULL)::INT" for name in names)
    is_last = f"rowid = {_last_row(table)}"
    labelled = f"regexp_full_match(lower(trim(coalesce({', '.join(texts)}, ''))), {literal(_SUM_LABEL)})"
    last = connection.execute(f"SELECT {labelled}, {filled} FROM {quoted(table)} WHERE {is_last}").fetchone()
    if last is None or not last[0] or last[1] < 2:
        return False
    if 2 * last[1] <= len(names):
        return True
    numbers = [f"try_cast(regexp_replace({text}, '[,$€£¥% ]', '', 'g') AS DOUBLE)" for text in texts]
    sums = ", ".join(
        f"abs(sum({number}) FILTER (NOT {is_last}) - max({number}) FILTER ({is_last})) < 0.01" for number in numbers
    )
    return any(connection.execute(f"SELECT {sums} FROM {quoted(table)}").fetchone() or ())


def _last_row(table: str) -> str:
    return f"(SELECT max(rowid) FROM {quoted(table)})"


def literal(value: object) -> str:
    """A value as a string of SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def _text_columns(connection: DuckDBPyConnection, table: str) -> list[str]:
    relation = connection.table(quoted(table))
    return [name for name, kind in zip(relation.columns, relation.types, strict=True) if kind.id == "varchar"]


def _strip_marks(connection: DuckDBPyConnection, table: str, texts: Sequence[str]) -> None:
    """Take off the marks of columns in which every value has one; a column of white space becomes empty."""
    counts = []
    for name in texts:
        value = quoted(name)
        counts.append(
            f"count({value}), count(*) FILTER (regexp_full_match(trim({value}, E' \\t'), '=\"[^\"]*\"')), "
            f"count(*) FILTER (regexp_full_match({value}, '''[0-9].*')), "
            f"count(*) FILTER ({value} <> trim({value}, E'\\t\\r\\n '))"
        )
    row = connection.execute(f"SELECT {', '.join(counts)} FROM {quoted(table)}").fetchone() or ()
    changes = []
    for position, name in enumerate(texts):
        given, formulas, apostrophes, padded = row[4 * position : 4 * position + 4]
        bare = f"trim({quoted(name)}, E'\\t\\r\\n ')"
        if given and formulas == given:
            changes.append(f"{quoted(name)} = substr({bare}, 3, length({bare}) - 3)")
        elif given and apostrophes == given:
            changes.append(f"{quoted(name)} = substr({quoted(name)}, 2)")
        elif given and padded == given:
            changes.append(f"{quoted(name)} = nullif({bare}, '')")
    if changes:
        connection.execute(f"UPDATE {quoted(table)} SET {', '.join(changes)}")


def _drop_unnamed(connection: DuckDBPyConnection, table: str) -> None:
    """Drop the columns that have neither a name nor a value, which delimiters at the end of lines make."""
    columns = connection.table(quoted(table)).columns
    unnamed = [name for name in columns if _UNNAMED.fullmatch(name)]
    if not unnamed or len(unnamed) == len(columns):
        return
    filled = (
        connection.execute(
            f"SELECT {', '.join(f'count({quoted(name)})' for name in unnamed)} FROM {quoted(table)}"
        ).fetchone()
        or ()
    )
    for name, count in zip(unnamed, filled, strict=True):
        if not count:
            connection.execute(f"ALTER TABLE {quoted(table)} DROP COLUMN {quoted(name)}")


def _read_weekdays(connection: DuckDBPyConnection, table: str) -> None:
    """Convert dates with their weekday, such as ``26-10-01 星期四``, to dates."""
    texts = _text_columns(connection, table)
    if not texts:
        return
    counts = ", ".join(
        f"count(nullif(trim({quoted(name)}), '')), count(*) FILTER (regexp_full_match({quoted(name)}, '{_DATED}'))"
        for name in texts
    )
    row = connection.execute(f"SELECT {counts} FROM {quoted(table)}").fetchone() or ()
    for position, name in enumerate(texts):
        given, dated = row[2 * position : 2 * position + 2]
        if given and dated == given:
            parts = [f"regexp_extract({quoted(name)}, '{_DATED}', {group})" for group in (1, 2, 3)]
            year = f"CASE WHEN length({parts[0]}) = 2 THEN '20' || {parts[0]} ELSE {parts[0]} END"
            value = f"try_cast({year} || '-' || {parts[1]} || '-' || {parts[2]} AS DATE)"
            connection.execute(
                f"ALTER TABLE {quoted(table)} ALTER COLUMN {quoted(name)} SET DATA TYPE DATE USING {value}"
            )
