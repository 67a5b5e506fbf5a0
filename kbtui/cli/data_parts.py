"""The tables and charts of an answer on standard output: drawn on a terminal, a Markdown table into a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kbtui.cli import console
from kbtui.controller.table_text import column_texts, holds_table, markdown_table, table_label, table_title
from kbtui.controller.view_state import RunView
from kbtui.domain.events import ChartProduced, TableProduced
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from rich.console import Console

_ROWS: Final = 20
"""Of a table on a terminal; all of them are in a pipe, in the session and behind ``s`` on the screen."""
_CHART_CELLS: Final = 100
_STYLES: Final = {
    "label": "",
    "value": "",
    "axis": "dim",
    "quiet": "dim",
    "series0": "cyan",
    "series1": "magenta",
    "series2": "green",
    "series3": "yellow",
    "series4": "blue",
    "series5": "red",
}


def print_parts(view: RunView, out: Console) -> None:
    """Tables and charts for reading, on a terminal."""
    for table in filter(_says_more, view.tables):
        _print_table(table, table_title(view, table), out)
    for chart in view.charts:
        _print_chart(chart, out)


def print_tables_as_markdown(view: RunView) -> None:
    """The last table, where the answer's own text holds none: what comes out of a pipe is one document."""
    tables = list(filter(_says_more, view.tables))
    if tables and not any(holds_table(view.markdown, table) for table in tables):
        table = tables[-1]
        console.print_line(f"\n{markdown_table(table.columns, table.rows)}")
        if table.truncated or table.row_count > len(table.rows):
            console.print_line(f"\n{table_label(table)}")


def _says_more(table: TableProduced) -> bool:
    """False for a single figure, which the answer says already."""
    return len(table.columns) > 1 or len(table.rows) > 1


def _print_table(table: TableProduced, title: str, out: Console) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    texts = column_texts(table.columns, table.rows)
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for text in texts:
        grid.add_column(Text(text.name), justify="right" if text.right else "left", overflow="ellipsis", no_wrap=True)
    for row in table.rows[:_ROWS]:
        grid.add_row(*(Text(text.text(value)) for text, value in zip(texts, row, strict=False)))
    out.print()
    out.print(Text(title, style="dim"))
    out.print(grid)
    if (more := len(table.rows) - _ROWS) > 0:
        out.print(Text(f"… {more:,} more rows", style="dim"))


def _print_chart(event: ChartProduced, out: Console) -> None:
    from rich.text import Text

    from kbtui.controller.drawing.text import draw

    out.print()
    if event.title:
        out.print(Text(one_line(event.title), style="bold"))
    for line in draw(event.chart, min(out.width, _CHART_CELLS)):
        out.print(Text.assemble(*((piece.text, _STYLES[piece.role]) for piece in line)), no_wrap=True, crop=True)
