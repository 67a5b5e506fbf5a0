"""The default order of groups, if a question asks for none."""

from __future__ import annotations

from msgspec.structs import replace

from kbtui.nl2sql.query import Order, Over, Part, Query, aggregates

__all__ = ["in_reading_order", "without_reading_order"]


def in_reading_order(query: Query) -> Query:
    """The query with its groups in the order of time, else with the highest figure first.

    Engines return groups in any order, which may change from run to run.
    """
    if not query.group or query.order or query.limit is not None or query.set_op or query.truth:
        return query
    times = [Order(item) for item in query.group if isinstance(item, Part)]
    figure = next((item for item in query.select if aggregates(item)), None)
    if isinstance(figure, Over):
        figure = figure.arg
    if figure is not None and not times:
        times = [Order(figure, desc=True)]
    shown = [Order(item) for item in query.select if item in query.group and not isinstance(item, Part)]
    return replace(query, order=(*times, *shown))


def without_reading_order(query: Query) -> Query:
    """The query before `in_reading_order`."""
    unordered = replace(query, order=())
    return unordered if query.order and in_reading_order(unordered) == query else query
