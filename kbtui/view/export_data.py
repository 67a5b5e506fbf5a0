"""Tables and charts inside exports: HTML with the picture and its numbers, Markdown with the numbers alone."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from kbtui.domain.events import Chart, ChartProduced, TableProduced
from kbtui.i18n import _, language
from kbtui.text.terminal import clean, one_line
from kbtui.view.drawing.svg import svg
from kbtui.view.table_text import column_texts, markdown_table

_MOST_ROWS = 1_000
"""Of a table in an export: a page with more is no page any more; the table itself can be saved whole."""


def chart_rows(chart: Chart) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """A chart's numbers as a table: a row for each x, a column for each series."""
    columns = (chart.x_name or "", *chart.series)
    values = list(chart.series.values())
    return columns, [
        (x, *(column[at] if at < len(column) else None for column in values)) for at, x in enumerate(chart.x)
    ]


def table_html(table: TableProduced, title: str) -> str:
    """A table with its caption, numbers at the right."""
    more = " · " + _("{count:,} of them here", count=_MOST_ROWS) if len(table.rows) > _MOST_ROWS else ""
    return f"<section>{_grid(table.columns, table.rows[:_MOST_ROWS], title + more)}</section>"


def chart_html(event: ChartProduced) -> str:
    """A chart as a picture, and under it, for everyone who cannot see it, the numbers."""
    columns, rows = chart_rows(event.chart)
    grid = _grid(columns, rows[:_MOST_ROWS], "")
    return (
        f'<section><figure class="chart">{svg(event.chart, event.title)}</figure>'
        f"<details><summary>{_('The numbers of this chart')}</summary>{grid}</details></section>"
    )


def tables_markdown(tables: Iterable[tuple[TableProduced, str]]) -> Iterable[str]:
    """Each table with its title and the statement it came from."""
    for table, title in tables:
        more = f" ({_('{count:,} of them here', count=_MOST_ROWS)})" if len(table.rows) > _MOST_ROWS else ""
        yield "### " + _("Table: {title}", title=markdown_line(title)) + more
        yield markdown_table(table.columns, table.rows[:_MOST_ROWS])
        if table.sql:
            fence = "`" * max(3, _longest_run(table.sql) + 1)
            yield f"{fence}sql\n{clean(table.sql)}\n{fence}"


def charts_markdown(charts: Iterable[ChartProduced]) -> Iterable[str]:
    """Each chart drawn in text; Markdown has no pictures of its own."""
    from kbtui.view.drawing.pieces import plain
    from kbtui.view.drawing.text import draw

    for event in charts:
        drawn = "\n".join(plain(draw(event.chart, 80)))
        fence = "`" * max(3, _longest_run(drawn) + 1)
        yield "### " + _("Chart: {title}", title=markdown_line(event.title or event.chart.type))
        yield f"{fence}text\n{drawn}\n{fence}"


def chart_page(event: ChartProduced) -> str:
    """One chart as a web page: the picture and its numbers, no scripts, nothing fetched."""
    title = escape(one_line(event.title or event.chart.type))
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="kbtui">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title} · kbtui</title>
<style>{_PAGE_STYLE}</style>
</head>
<body>
<main>
{chart_html(event)}
</main>
</body>
</html>
"""


def markdown_line(text: str) -> str:
    """Text inside Markdown: on one line, none of it mark-up."""
    return "".join(f"\\{one}" if one in "\\`*_{}[]<>#|" else one for one in one_line(text))


def _longest_run(text: str) -> int:
    longest = here = 0
    for character in text:
        here = here + 1 if character == "`" else 0
        longest = max(longest, here)
    return longest


def _grid(columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], caption: str) -> str:
    rows = list(rows)
    texts = column_texts(columns, rows)
    head = "".join(f'<th scope="col"{_side(text.right)}>{escape(text.name)}</th>' for text in texts)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{_side(text.right)}>{'' if value is None else escape(text.text(value))}</td>"
            for text, value in zip(texts, row, strict=False)
        )
        + "</tr>"
        for row in rows
    )
    said = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="wide"><table>{said}<tr>{head}</tr>{body}</table></div>'


def _side(right: bool) -> str:
    return ' class="figure"' if right else ""


CHART_STYLE = """
.chart { margin: 1.5rem 0 .5rem; } .chart svg { max-width: 100%; height: auto; border-radius: .5rem; }
td.figure, th.figure { text-align: right; font-variant-numeric: tabular-nums; }
"""

_PAGE_STYLE = (
    """
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; background: #fff; color: #1d1b16;
  font: 1rem/1.5 system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; }
summary { cursor: pointer; } .wide { overflow-x: auto; } table { border-collapse: collapse; margin-top: .75rem; }
th, td { text-align: left; padding: .25rem 1rem .25rem 0; border-bottom: 1px solid #d9d2c3; }
"""
    + CHART_STYLE
)
