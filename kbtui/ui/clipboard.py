"""Texts for the clipboard: a quote with its location, a claim with its sources, the rows of a table."""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.domain.events import ChartProduced, TableProduced
from kbtui.text.terminal import one_line
from kbtui.ui.messages import Spot
from kbtui.ui.widgets.cited_markdown import cited_in
from kbtui.view.table_text import markdown_table, tab_separated


def place_text(spot: Spot) -> str:
    """The location of a source: ``path:12-18``, ``path p.5``, its address, or the data source."""
    if not spot.path:
        return one_line(spot.url or spot.place)
    if spot.locator:
        return one_line(spot.where)
    end = f"-{spot.end_line}" if spot.end_line > spot.start_line else ""
    return one_line(f"{spot.path}:{spot.start_line}{end}")


def quote_text(spot: Spot) -> str:
    """The quote or statement with its location."""
    return f"{spot.sql or spot.quote}\n({place_text(spot)})".lstrip()


def claim_text(markdown: str, spots: Sequence[Spot]) -> str:
    """A part of an answer, followed by the sources that it cites."""
    marks = cited_in(markdown)
    sources = [f"[{spot.n}] {place_text(spot)}" for spot in spots if spot.n in marks]
    return "\n\n".join(filter(None, (markdown, "\n".join(sources))))


def rows_text(part: TableProduced | ChartProduced, *, as_markdown: bool) -> str:
    """The rows of a table or the values of a chart, tab-separated for spreadsheets or as Markdown."""
    write = markdown_table if as_markdown else tab_separated
    if isinstance(part, TableProduced):
        return write(part.columns, part.rows)
    chart = part.chart
    columns = (chart.x_name or "x", *chart.series)
    return write(columns, list(zip(chart.x, *chart.series.values(), strict=False)))
