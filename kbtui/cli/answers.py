"""Prints an answer on standard output: as Markdown into a pipe, rendered on a terminal."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from kbtui.cli import console
from kbtui.domain.answer import Citation
from kbtui.domain.events import ChartProduced, TableProduced
from kbtui.i18n import _
from kbtui.settings.published import is_url
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.file_links import file_link
from kbtui.text.language import has_cjk
from kbtui.text.terminal import clean, one_line
from kbtui.view.export import answer_body, has_unsupported, unsupported_legend
from kbtui.view.table_text import (
    cell_texts,
    cited_table,
    column_texts,
    holds_table,
    markdown_table,
    table_label,
    table_title,
    without_tables,
)
from kbtui.view.view_state import RunView

if TYPE_CHECKING:
    from rich.console import Console


_MAX_ROWS: Final = 20
"""Rows of a table that are printed on a terminal; a pipe, the session and ``s`` on the screen have all of them."""
_MAX_CHART_CELLS: Final = 100
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
    """Print tables and charts for a terminal."""
    for table in _tables_to_print(view):
        _print_table(table, table_title(view, table), out)
    for chart in view.charts:
        _print_chart(chart, out)


def print_tables_as_markdown(view: RunView) -> None:
    """Print one table as Markdown, unless the text of the answer contains a table already.

    It is that of the statement which the answer cites first, else the last one.
    """
    tables = _tables_to_print(view)
    if tables and not any(holds_table(view.markdown, table) for table in tables):
        table = cited_table(view, tables) or tables[-1]
        console.print_line(f"\n{markdown_table(table.columns, table.rows)}")
        if table.truncated or table.row_count > len(table.rows):
            console.print_line(f"\n{table_label(table)}")


def _tables_to_print(view: RunView) -> list[TableProduced]:
    """The tables of the run, without single figures, and single rows whose cells are all in the text of the answer."""
    return [
        table
        for table in view.tables
        if len(table.rows) > 1
        or (len(table.columns) > 1 and not all(cell in view.markdown for row in cell_texts(table) for cell in row))
    ]


def _print_table(table: TableProduced, title: str, out: Console) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    texts = column_texts(table.columns, table.rows)
    grid = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for text in texts:
        grid.add_column(
            Text(text.name), justify="right" if text.is_numeric else "left", overflow="ellipsis", no_wrap=True
        )
    for row in table.rows[:_MAX_ROWS]:
        grid.add_row(*(Text(text.text(value)) for text, value in zip(texts, row, strict=False)))
    out.print()
    out.print(Text(title, style="dim"))
    out.print(grid)
    if (remaining := len(table.rows) - _MAX_ROWS) > 0:
        out.print(Text("… " + _("{count:,} more rows", count=remaining), style="dim"))


def _print_chart(event: ChartProduced, out: Console) -> None:
    from rich.text import Text

    from kbtui.view.drawing.text import draw

    out.print()
    if event.title:
        out.print(Text(one_line(event.title), style="bold"))
    for line in draw(event.chart, min(out.width, _MAX_CHART_CELLS)):
        out.print(Text.assemble(*((piece.text, _STYLES[piece.role]) for piece in line)), no_wrap=True, crop=True)


def print_answer(view: RunView) -> None:
    """Print the answer with its sources: as Markdown into a pipe, rendered on a terminal."""
    if not view.markdown:
        return
    if console.is_interactive(sys.stdout):
        _print_rendered(view, console.out())
    else:
        _print_markdown(view)


def _print_markdown(view: RunView) -> None:
    console.print_line(without_known_secrets(clean(view.markdown)).rstrip("\n"))
    print_tables_as_markdown(view)
    if has_unsupported(view):
        console.print_line(f"\n{unsupported_legend(view)}")
    if offered := offered_lines(view):
        console.print_line("\n" + "\n".join(offered))
    for citation in view.citations:
        if citation.stale:
            console.warn(f"[{citation.n}] {where(citation)} {_('changed since it was indexed')}")


def _print_rendered(view: RunView, out: Console) -> None:
    from rich.markdown import Markdown
    from rich.style import Style
    from rich.text import Text

    text = without_tables(without_known_secrets(answer_body(view)), view.tables)
    out.print(Markdown(text, hyperlinks=False))
    print_parts(view, out)
    if view.citations:
        out.print()
    for citation in view.citations:
        line = Text(f"[{citation.n}] ", style="bold")
        # What is published has no place on this machine that could be edited.
        link = "" if is_url(view.kb) else file_link(Path(view.kb), citation.path or "", citation.start_line or 1)
        line.append(where(citation), style=Style(color="cyan", link=link or None))
        if citation.kind == "sql" and citation.sql:
            line.append(f"  {one_line(citation.sql)}", style="dim")
        if citation.stale:
            line.append(f"  {_('changed since it was indexed')}", style="yellow")
        out.print(line, soft_wrap=True)
    if has_unsupported(view):
        out.print(Text(f"\n{unsupported_legend(view)}", style="yellow"))
    if offered := offered_lines(view):
        out.print(Text("\n" + "\n".join(offered)), soft_wrap=True)


def print_for_screen_reader(view: RunView) -> None:
    """Print the answer for a screen reader: its text, its tables, then each source with its quote on one line."""
    console.print_line(without_known_secrets(answer_body(view)).rstrip("\n"))
    print_tables_as_markdown(view)
    if has_unsupported(view):
        console.print_line(f"\n{unsupported_legend(view)}")
    if view.citations:
        console.print_line()
    for citation in view.citations:
        stale = f" ({_('changed since it was indexed')})" if citation.stale else ""
        quote = one_line(citation.quote or citation.sql or "")
        console.print_line(f"[{citation.n}] {where(citation)}{stale}{f': {quote}' if quote else ''}")


def offered_lines(view: RunView, taken_by: str = "") -> list[str]:
    """Lines with what could be asked instead; empty where nothing is offered.

    Readings of the data are numbered, with how to choose one; where nothing was found, suggestions are listed.

    Args:
        taken_by: The command that chooses a reading; empty for the option ``--reading``.
    """
    if not view.offered:
        suggested = view.answer.suggestions if view.answer is not None and view.outcome == "not_found" else ()
        title = "可以试试：" if has_cjk(view.query) else "You could try:"
        return [title, "", *(f"- {one_line(text)}" for text in suggested)] if suggested else []
    is_beside = view.outcome == "answered"
    if has_cjk(view.query):
        instruction = f"{taken_by} 即选择其中一个" if taken_by else "同一问题加 --reading N 即选择其中一个"
        title = f"{'其他' if is_beside else '最接近的'}理解（{instruction}）："
    else:
        instruction = f"{taken_by} takes one" if taken_by else "the same question with --reading N takes one"
        title = f"{'Other' if is_beside else 'Nearest'} readings ({instruction}):"
    lines = [f"{reading.n}. {one_line(reading.says)}" for reading in view.offered]
    return [title, "", *lines]


def where(citation: Citation) -> str:
    """A source in a form that terminals make clickable: ``path:12-18``; for other sources, their label."""
    if citation.kind != "file":
        return one_line(citation.label)
    start, end = citation.start_line or 1, citation.end_line
    if citation.locator:
        return one_line(f"{citation.path} {citation.locator}")
    path = one_line(citation.path or "")
    return f"{path}:{start}" if end is None or end <= start else f"{path}:{start}-{end}"
