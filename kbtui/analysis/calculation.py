"""Calculations beyond SQL as programs for `python_executor`.

The code consists of fixed templates and of column names as Python literals, never of text of the question.
Each program ends in an expression: a list of rows, one dictionary each.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from msgspec.structs import replace

from kbtui.domain.analysis import ResultTable
from kbtui.text.numbers import read_numbers
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import toml_in

_NAMES: Final = {
    "standard deviation": "stdev", "std dev": "stdev", "std deviation": "stdev", "stdev": "stdev",
    "中位数": "median", "标准差": "stdev", "标准偏差": "stdev", "方差": "variance",
}  # fmt: skip
"""Other names of statistics."""
_RE: Final = Patterns(__package__, "calculation.toml")
_MAX_AMOUNT: Final = 10**15
"""Largest amount of money; a larger one is a typo."""


def pure_calculation(question: str) -> tuple[str, str] | None:
    """Name and code of a calculation over numbers of the question alone, or None.

    Loans, compound interest, and statistics of numbers that are listed.
    """
    text = question.strip().rstrip("?？.。")
    if match := _RE.statistic_en.search(text) or _RE.statistic_zh.match(text):
        statistic = match["name"].lower()
        name = f"percentile_{int(statistic[:2])}" if statistic[:1].isdigit() else _NAMES.get(statistic, statistic)
        values = _parse_numbers(match["numbers"])
        return None if values is None else (name, f"values = {values!r}\n{_statistic_code(name)}")
    if not (_RE.loan.search(question) or _RE.compound.search(question)):
        return None
    numbers = [span for span in read_numbers(question) if abs(span.value) <= _MAX_AMOUNT]
    rates = [span.value * 100 for span in numbers if span.kind == "percent"]
    cardinals = [(span.value, _RE.period.match(question, span.end)) for span in numbers if span.kind == "cardinal"]
    periods = [value * (12 if match[1] else 1) for value, match in cardinals if match]
    amounts = [value for value, match in cardinals if not match]
    if not rates or not periods or len(amounts) != 1:
        return None
    amount, percent, months = (float(value) for value in (amounts[0], rates[0], periods[0]))
    definitions = f"amount = {amount!r}\npercent = {percent!r}\nmonths = {months!r}\n"
    if _RE.loan.search(question):
        return "loan", definitions + _programs()["loan"]
    return "compound", definitions + _programs()["compound"]


_MAX_DIGITS: Final = 300


def _parse_numbers(text: str) -> list[float] | None:
    """The numbers of a list, at least two; None if an item is no number.

    A comma between digits separates thousands if the list has other separators, else the numbers.
    """
    parts = [part for part in _RE.separator.split(text) if part]
    parts = [part.rstrip(",") for part in parts] if len(parts) > 1 else text.strip().split(",")
    thousands = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
    if len(parts) < 2 or not all(thousands.fullmatch(part) and len(part) < _MAX_DIGITS for part in parts):
        return None
    return [float(part.replace(",", "")) for part in parts]


@cache
def _programs() -> dict[str, str]:
    programs: dict[str, str] = toml_in(__package__, "calculation.toml")["programs"]
    return programs


def calculation_code(name: str, tables: Sequence[tuple[str, ResultTable]]) -> str:
    """The program of a calculation over results by their names.

    Raises:
        ValueError: The results lack the columns it needs; the message names them.
    """
    match name:
        case "compare" | "growth" | "share":
            (first, first_table), (second, second_table) = tables
            definitions = f"a = {_figure_code(first, first_table)}\nb = {_figure_code(second, second_table)}\n"
            return definitions + _programs()[name]
        case "growth_series" | "shares":
            ((key, table),) = tables
            label, value = _series_columns(table)
            return _programs()[name].format(key=key, label=label, value=value)
        case "corr":
            ((key, table),) = tables
            columns = number_columns(table)
            if len(columns) < 2:
                raise ValueError("not two columns of numbers")
            return _programs()["corr"].format(key=key, a=columns[0], b=columns[1])
        case _:
            ((key, table),) = tables
            columns = number_columns(table)
            if not columns:
                raise ValueError("no column of numbers")
            return _programs()["column"].format(key=key, column=columns[-1]) + _statistic_code(name)


def _statistic_code(name: str) -> str:
    """The code for a statistic of ``values`` and their number."""
    percentile = re.fullmatch(r"percentile_(\d+)", name)
    call = f"quantile(values, {int(percentile[1]) / 100!r})" if percentile else f"{name}(values)"
    return _programs()["statistic"].format(name=name, call=call)


def number_columns(table: ResultTable) -> tuple[str, ...]:
    """The names of columns whose values, at least one, are all numbers."""
    names = []
    for position, column in enumerate(table.columns):
        cells = [row[position] for row in table.rows if row[position] is not None]
        if cells and all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in cells):
            names.append(column)
    return tuple(names)


def sorted_series(table: ResultTable) -> ResultTable:
    """The rows of a series sorted by period, if periods are comparable.

    Raises:
        ValueError: It is no series.
    """
    position = table.columns.index(_series_columns(table)[0])
    rows = [row for row in table.rows if row[position] is not None]
    alike = all(isinstance(row[position], str) for row in rows) or all(
        isinstance(row[position], (int, float)) for row in rows
    )
    return replace(table, rows=tuple(sorted(rows, key=lambda row: row[position]))) if alike else table


def _series_columns(table: ResultTable) -> tuple[str, str]:
    values = number_columns(table)
    label = next((column for column in table.columns if column not in values), None)
    if label is None and len(values) > 1:
        # A year is a number too.
        label = table.columns[0]
        values = tuple(column for column in values if column != label)
    if label is None or not values:
        raise ValueError("no column of numbers beside one of periods")
    return label, values[0]


def is_figure(table: ResultTable) -> bool:
    """Whether a table is one row with exactly one number."""
    return len(table.rows) == 1 and len(number_columns(table)) == 1


def _figure_code(key: str, table: ResultTable) -> str:
    columns = number_columns(table)
    if len(table.rows) != 1 or not columns:
        raise ValueError("not one number")
    return f"tables[{key!r}][0][{columns[-1]!r}]"
