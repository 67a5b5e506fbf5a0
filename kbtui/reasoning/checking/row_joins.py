"""Results side by side: what two statements bring of the same names, or of two years, as one result."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from kbtui.reasoning.checking.records import Cell
from kbtui.reasoning.checking.row_filters import YEAR
from kbtui.reasoning.checking.rows import Rows

_MOST_JOINED: Final = 4
_WITH_YEARS: Final = 3
_SHARED: Final = 0.5
"""Share of the names of the shorter result that the other one has."""


def joined(results: Sequence[Rows]) -> list[Rows]:
    """Any two of some results, as one: a column of amounts each, named after its year where they differ by it."""
    pairs = combinations(results[:_MOST_JOINED], 2)
    return [one for left, right in pairs if (one := _of_years(left, right) or _of_names(left, right)) is not None]


def _years(left: Rows, right: Rows) -> tuple[str, str]:
    """The year that each statement alone is about; empty where it is about none, or several."""
    own, other = (set(YEAR.findall(one.behind)) for one in (left, right))
    first, second = own - other, other - own
    return (next(iter(first)), next(iter(second))) if len(first) == len(second) == 1 else ("", "")


def _of_years(left: Rows, right: Rows) -> Rows | None:
    """Two results of one number each, as rows of their years."""
    years = _years(left, right)
    if not all(years) or any(len(one.rows) != 1 or len(one.amounts) != 1 for one in (left, right)):
        return None
    cells = [one.rows[0][one.amounts[0]] for one in (left, right)]
    rows = sorted(
        ((Cell(year, float(year)), cell) for year, cell in zip(years, cells, strict=True)), key=lambda row: row[0].text
    )
    return Rows(columns=("year", left.columns[left.amounts[0]]), rows=tuple(rows), behind=left.behind + right.behind)


def _of_names(left: Rows, right: Rows) -> Rows | None:
    by_name = [_by_name(one) for one in (left, right)]
    shared = by_name[0].keys() & by_name[1].keys()
    if len(shared) < max(2.0, _SHARED * min(map(len, by_name))):
        return None
    columns = ["name"]
    for one, year in zip((left, right), _years(left, right), strict=True):
        names = [one.columns[at] for at in one.amounts]
        columns += [year] if year and len(names) == 1 else [f"{name} {year}".strip() for name in names]
    rows: list[tuple[Cell, ...]] = [
        (Cell(name), *by_name[0][name], *by_name[1][name]) for name in by_name[0] if name in shared
    ]
    if len(columns) == _WITH_YEARS and columns[1] != columns[2] and all(map(str.isdigit, columns[1:])):
        earlier, later = sorted((1, 2), key=columns.__getitem__)
        rows = [(*row, *_change(row[earlier], row[later])) for row in rows]
        columns += ["change", "change %"]
    return Rows(columns=tuple(columns), rows=tuple(rows), behind=f"{left.behind}\n{right.behind}", count=len(rows))


def _change(before: Cell, after: Cell) -> tuple[Cell, Cell]:
    if before.value is None or after.value is None:
        return Cell(""), Cell("")
    change = after.value - before.value
    share = Cell(f"{100 * change / before.value}", 100 * change / before.value) if before.value else Cell("")
    return Cell(f"{change}", change), share


def _by_name(rows: Rows) -> dict[str, tuple[Cell, ...]]:
    """The amounts by the first column of texts, where each stands once."""
    texts = [at for at in range(len(rows.columns)) if any(row[at].text and row[at].value is None for row in rows.rows)]
    if not texts or not rows.amounts:
        return {}
    names = {row[texts[0]].text: tuple(row[at] for at in rows.amounts) for row in rows.rows}
    return names if len(names) == len(rows.rows) else {}
