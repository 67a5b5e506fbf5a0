"""Statements of structure requests that need rows: sample rows, the number of rows, the profile of a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kbtui.analysis.structure import StructureRequest, phrases_of
from kbtui.domain.analysis import QueryKind, Reading, Schema

if TYPE_CHECKING:
    from sqlglot import exp


def structure_reading(request: StructureRequest, schema: Schema, language: str) -> Reading | None:
    """The statement of a request that needs rows; None for other requests."""
    table = schema.table(request.tables[0]) if request.tables else None
    if table is None or not request.needs_statement:
        return None
    from sqlglot import exp

    phrases = phrases_of(language)
    names = [exp.to_identifier(part, quoted=True) for part in reversed(table.name.split("."))]
    over = exp.Table(this=names[0], db=names[1] if len(names) > 1 else None)
    if request.about == "sample":
        tree = exp.select("*").from_(over).limit(request.rows)
        return _reading(tree, schema, "detail", phrases.sample.format(count=request.rows, table=table.name))
    total = exp.alias_(exp.Count(this=exp.Star()), phrases.rows, quoted=True)
    if request.about == "count":
        description = phrases.counted.format(table=table.name)
        return _reading(exp.select(total).from_(over), schema, "aggregation", description)
    column = table.column(request.column)
    if column is None:
        return None
    value = exp.column(exp.to_identifier(column.name, quoted=True))
    figures: list[tuple[exp.Expression, str]] = [
        (exp.Count(this=value.copy()), phrases.filled),
        (exp.Count(this=exp.Distinct(expressions=[value.copy()])), phrases.different),
        (exp.Min(this=value.copy()), phrases.least),
        (exp.Max(this=value.copy()), phrases.most),
    ]
    if column.kind in ("integer", "number") and not column.is_key:
        figures.append((exp.Avg(this=value.copy()), phrases.average))
    tree = exp.select(total, *(exp.alias_(figure, title, quoted=True) for figure, title in figures)).from_(over)
    return _reading(tree, schema, "aggregation", phrases.profile.format(table=table.name, column=column.name))


def _reading(tree: exp.Select, schema: Schema, kind: QueryKind, says: str) -> Reading:
    return Reading(sql=tree.sql(dialect=schema.dialect), query_kind=kind, confidence=1.0, says=says)
