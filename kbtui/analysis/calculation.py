"""Calculations that a statement does not do, as programs for `python_executor`: what is asked for, and the code.

The code is made of fixed templates and of column names as Python literals; nothing of the question's text gets into it.
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
"""What statistics are called beside their own names."""
_RE: Final = Patterns(__package__, "calculation.toml")
_MOST_AMOUNT: Final = 10**15
"""Of money; what is more than all there is was mistyped."""


def pure_calculation(question: str) -> tuple[str, str] | None:
    """Name and code of a calculation whose numbers all stand in the question, or None.

    Loans, compound interest, and statistics of numbers that are listed.
    """
    text = question.strip().rstrip("?？.。")
    if found := _RE.statistic_en.search(text) or _RE.statistic_zh.match(text):
        named = found["name"].lower()
        name = f"percentile_{int(named[:2])}" if named[:1].isdigit() else _NAMES.get(named, named)
        values = _listed(found["numbers"])
        return None if values is None else (name, f"values = {values!r}\n{_figure_of(name)}")
    if not (_RE.loan.search(question) or _RE.compound.search(question)):
        return None
    numbers = [span for span in read_numbers(question) if abs(span.value) <= _MOST_AMOUNT]
    rates = [span.value * 100 for span in numbers if span.kind == "percent"]
    rest = [(span.value, _RE.period.match(question, span.end)) for span in numbers if span.kind == "cardinal"]
    periods = [value * (12 if found[1] else 1) for value, found in rest if found]
    amounts = [value for value, found in rest if not found]
    if not rates or not periods or len(amounts) != 1:
        return None
    amount, percent, months = (float(value) for value in (amounts[0], rates[0], periods[0]))
    given = f"amount = {amount!r}\npercent = {percent!r}\nmonths = {months!r}\n"
    if _RE.loan.search(question):
        return "loan", given + _programs()["loan"]
    return "compound", given + _programs()["compound"]


_MOST_DIGITS: Final = 300


def _listed(text: str) -> list[float] | None:
    """The numbers of a list, at least two; None where something in it is none.

    A comma between digits parts thousands where something else parts the numbers, else the numbers.
    """
    parts = [part for part in _RE.separator.split(text) if part]
    parts = [part.rstrip(",") for part in parts] if len(parts) > 1 else text.strip().split(",")
    thousands = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
    if len(parts) < 2 or not all(thousands.fullmatch(part) and len(part) < _MOST_DIGITS for part in parts):
        return None
    return [float(part.replace(",", "")) for part in parts]


@cache
def _programs() -> dict[str, str]:
    programs: dict[str, str] = toml_in(__package__, "calculation.toml")["programs"]
    return programs


def code_for(name: str, tables: Sequence[tuple[str, ResultTable]]) -> str:
    """The program of a calculation over results by their names.

    Raises:
        ValueError: The results have not the columns it needs; the message says which, in a few words.
    """
    match name:
        case "compare" | "growth" | "share":
            (first, one), (second, other) = tables
            given = f"a = {_figure(first, one)}\nb = {_figure(second, other)}\n"
            return given + _programs()[name]
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
            return _programs()["column"].format(key=key, column=columns[-1]) + _figure_of(name)


def _figure_of(name: str) -> str:
    """The statistic of ``values``, and how many there are."""
    percentile = re.fullmatch(r"percentile_(\d+)", name)
    call = f"quantile(values, {int(percentile[1]) / 100!r})" if percentile else f"{name}(values)"
    return _programs()["statistic"].format(name=name, call=call)


def number_columns(table: ResultTable) -> tuple[str, ...]:
    """Columns that hold numbers and nothing else, and at least one."""
    found = []
    for position, column in enumerate(table.columns):
        cells = [row[position] for row in table.rows if row[position] is not None]
        if cells and all(isinstance(cell, (int, float)) and not isinstance(cell, bool) for cell in cells):
            found.append(column)
    return tuple(found)


def in_order(table: ResultTable) -> ResultTable:
    """The rows of a series by its periods, where those can be compared.

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
    """True for one row that holds exactly one number."""
    return len(table.rows) == 1 and len(number_columns(table)) == 1


def _figure(key: str, table: ResultTable) -> str:
    columns = number_columns(table)
    if len(table.rows) != 1 or not columns:
        raise ValueError("not one number")
    return f"tables[{key!r}][0][{columns[-1]!r}]"
