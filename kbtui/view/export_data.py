"""Tables and charts in exports: as HTML with SVG pictures, and as Markdown with charts drawn in text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from kbtui.domain.events import Chart, ChartProduced, TableProduced
from kbtui.i18n import _, language
from kbtui.text.code_marks import code_block
from kbtui.text.terminal import clean, one_line
from kbtui.view.drawing.svg import svg
from kbtui.view.markdown_text import escaped
from kbtui.view.table_text import column_texts, markdown_table

_MAX_ROWS = 1_000
"""Rows of a table in an export, at most, to keep pages usable; the table itself can be saved in full."""


def chart_rows(chart: Chart) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The values of a chart as column names and rows: a row for each x, a column for each series."""
    columns = (chart.x_name or "", *chart.series)
    values = list(chart.series.values())
    return columns, [
        (x, *(column[at] if at < len(column) else None for column in values)) for at, x in enumerate(chart.x)
    ]


def table_html(table: TableProduced, title: str) -> str:
    """A table with its caption; numbers are aligned to the right."""
    more = " · " + _("{count:,} of them here", count=_MAX_ROWS) if len(table.rows) > _MAX_ROWS else ""
    return f"<section>{_grid(table.columns, table.rows[:_MAX_ROWS], title + more)}</section>"


def chart_html(event: ChartProduced) -> str:
    """A chart as a picture, followed by its values for readers who cannot see it."""
    columns, rows = chart_rows(event.chart)
    grid = _grid(columns, rows[:_MAX_ROWS], "")
    return (
        f'<section><figure class="chart">{svg(event.chart, event.title)}</figure>'
        f"<details><summary>{_('The numbers of this chart')}</summary>{grid}</details></section>"
    )


def tables_markdown(tables: Iterable[tuple[TableProduced, str]]) -> Iterable[str]:
    """Tables with their titles and SQL statements."""
    for table, title in tables:
        more = f" ({_('{count:,} of them here', count=_MAX_ROWS)})" if len(table.rows) > _MAX_ROWS else ""
        yield "### " + _("Table: {title}", title=escaped(title)) + more
        yield markdown_table(table.columns, table.rows[:_MAX_ROWS])
        if table.sql:
            yield code_block(clean(table.sql), "sql")


def charts_markdown(charts: Iterable[ChartProduced]) -> Iterable[str]:
    """Charts drawn in text, because Markdown cannot embed pictures."""
    from kbtui.view.drawing.pieces import plain
    from kbtui.view.drawing.text import draw

    for event in charts:
        yield "### " + _("Chart: {title}", title=escaped(event.title or event.chart.type))
        yield code_block(clean("\n".join(plain(draw(event.chart, 80)))), "text")


def chart_page(event: ChartProduced) -> str:
    """A chart as a web page with its picture and values, without scripts or external resources."""
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


def _grid(columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]], caption: str) -> str:
    rows = list(rows)
    texts = column_texts(columns, rows)
    head = "".join(f'<th scope="col"{_side(text.is_numeric)}>{escape(text.name)}</th>' for text in texts)
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{_side(text.is_numeric)}>{'' if value is None else escape(text.text(value))}</td>"
            for text, value in zip(texts, row, strict=False)
        )
        + "</tr>"
        for row in rows
    )
    caption_html = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f'<div class="wide"><table>{caption_html}<tr>{head}</tr>{body}</table></div>'


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
