"""get_data_source_context: the structure of a data source at the requested level (spec 004, requirement 2)."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, Field

from kbtui.domain.analysis import Column, Schema, Table
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.base import DataContext, spec_of

NAME: Final = "get_data_source_context"
DESCRIPTION = (
    "Describes a source of data: names and sizes of its tables (basic), or their columns, types, keys and sample "
    "values too (detailed)."
)
CACHED_NOTE: Final = "[Using cached schema]"
"""The note of a call that was answered from the cache (spec 004, requirement 7.2)."""

_MAX_TABLES = 200
_MAX_SAMPLES = 3


class ContextArgs(BaseModel):
    source: str = Field(description="Name of the source.")
    level: Literal["basic", "detailed"] = Field(default="basic", description="How much to tell of each table.")
    table_names: list[str] | None = Field(
        default=None, description="Tables to describe, all in this one call; every table by default."
    )


def run(
    context: DataContext,
    source: str,
    level: Literal["basic", "detailed"] = "basic",
    table_names: list[str] | None = None,
) -> ToolOutput:
    context.cancel.check()
    if context.data is None:
        raise ToolError("There is no source of data.", "Name one with --data, or: kbtui sources add SRC")
    schema = context.data.schema(source, level, table_names)
    return ToolOutput(text=schema_text(schema), note=schema_note(schema), cached=schema.cached, artifact=schema)


def schema_note(schema: Schema) -> str:
    """The note that the screen shows after the call."""
    count = len(schema.tables)
    text = f"{schema.source}: {count} {'table' if count == 1 else 'tables'}, {schema.level}"
    return f"{CACHED_NOTE} {text}" if schema.cached else text


def schema_text(schema: Schema) -> str:
    """The structure as text for a model: one line for each table and, at the detailed level, for each column."""
    lines = [f"{one_line(schema.source)} ({schema.dialect})"]
    for table in schema.tables[:_MAX_TABLES]:
        lines.append(_table_line(table))
        lines += [f"  {_column_line(column)}" for column in table.columns]
        for key in table.foreign_keys:
            target = f"{one_line(key.referred_table)}({', '.join(map(one_line, key.referred_columns))})"
            lines.append(f"  {', '.join(map(one_line, key.columns))} -> {target}")
    if len(schema.tables) > _MAX_TABLES:
        lines.append(f"and {len(schema.tables) - _MAX_TABLES} more tables")
    return "\n".join(lines)


def _table_line(table: Table) -> str:
    parts = [] if table.row_estimate is None else [f"about {table.row_estimate:,} rows"]
    parts += ["view"] if table.is_view else []
    parts += [one_line(table.comment)] if table.comment else []
    return f"{one_line(table.name)}: {', '.join(parts)}" if parts else one_line(table.name)


def _column_line(column: Column) -> str:
    parts = [one_line(column.type) or column.kind]
    parts += ["key"] if column.is_key else []
    parts += [one_line(column.comment)] if column.comment else []
    if column.samples:
        parts.append("such as " + ", ".join(one_line(str(sample), 40) for sample in column.samples[:_MAX_SAMPLES]))
    return f"{one_line(column.name)}: {', '.join(parts)}"


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=ContextArgs, run=run, serves="data")
