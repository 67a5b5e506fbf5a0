"""Summaries of a folder and of data sources, short enough for the first message of every run."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterator
from datetime import date
from typing import Final

from kbtui.domain.analysis import Column, Schema, Table
from kbtui.records.collection import Collection
from kbtui.records.kinds import Kind
from kbtui.records.typed import type_of
from kbtui.text.days import day_of
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line

_MAX_KINDS: Final = 8
_MAX_FIELDS: Final = 10
_MAX_VALUES: Final = 6
_MAX_DISTINCT: Final = 24
"""Most distinct values of which `_MAX_VALUES` are listed; of more values only `_MAX_OF_MANY`."""
_MAX_OF_MANY: Final = 3
_MIN_SHARE: Final = 0.02
"""Share of the documents of a kind from which a field is listed."""
_MAX_VALUE_CHARS: Final = 32
_MAX_FOLDERS: Final = 8
_MAX_TABLES: Final = 24
_MAX_COLUMNS: Final = 24
_SAMPLES: Final = 2
_CARD_CHARS: Final = 5_000


def folder_card(collection: Collection, today: date) -> str:
    """Summarise a folder: kinds of documents, their fields with the most frequent values or dates, languages."""
    files = collection.links.files
    lines = [f"Today is {today.isoformat()}. Folder {collection.root!r}: {counted(len(files), 'file')}."]
    folders = Counter(posixpath.dirname(record.path).split("/")[0] or "." for record in files)
    listed = (f"{name}/ {count}" for name, count in folders.most_common(_MAX_FOLDERS) if name != ".")
    if folders_line := ", ".join(listed):
        omitted = len(folders) - _MAX_FOLDERS
        lines.append(f"Folders: {folders_line}{f', and {omitted} more' if omitted > 0 else ''}.")
    languages = Counter(
        fact.value for thing in collection.files.things for fact in thing.facts.get("language", ()) if fact.value
    )
    if len(languages) > 1:
        lines.append("Languages: " + ", ".join(f"{name} {count}" for name, count in languages.most_common(4)) + ".")
    kinds = [kind for kind in collection.kinds if len(kind.things) > 1]
    lines += [line for kind in kinds[:_MAX_KINDS] for line in _kind_lines(kind)]
    if len(kinds) > _MAX_KINDS:
        lines.append("Further kinds: " + ", ".join(f"{k.name} {len(k.things)}" for k in kinds[_MAX_KINDS:][:20]) + ".")
    return "\n".join(lines)[:_CARD_CHARS]


def data_card(schemas: list[Schema]) -> str:
    """Summarise data sources: their tables and columns."""
    lines: list[str] = []
    for schema in schemas:
        lines.append(f"Data source {one_line(schema.source)} ({schema.dialect}):")
        lines += [_table_line(table) for table in schema.tables[:_MAX_TABLES]]
        if len(schema.tables) > _MAX_TABLES:
            names = ", ".join(one_line(table.name) for table in schema.tables[_MAX_TABLES : 5 * _MAX_TABLES])
            lines.append(f"  further tables: {names}")
    return "\n".join(lines)[: 2 * _CARD_CHARS]


def _kind_lines(kind: Kind) -> Iterator[str]:
    first = min(kind.things, key=lambda thing: (thing.number is None, thing.number or 0, thing.key))
    folder = posixpath.dirname(first.path)
    where = f" in {folder}/" if folder else ""
    yield f"Kind {kind.name!r}: {len(kind.things)}{where}, such as {one_line(first.display_name, 60)}. Fields:"
    for field, count in list(kind.fields.items())[:_MAX_FIELDS]:
        if count < _MIN_SHARE * len(kind.things):
            return
        yield f"  {field} ({count}): {_values(kind, field)}"


def _values(kind: Kind, field: str) -> str:
    """The most frequent values of a field, or the range of its dates."""
    values = [fact.value for thing in kind.things for fact in thing.facts.get(field, ())]
    if type_of(values) == "date":
        days = sorted(day for value in values if (day := day_of(value)) is not None)
        return f"{days[0].isoformat()} to {days[-1].isoformat()}" if days else "days"
    if 2 * sum("://" in value for value in values) > len(values):
        return "addresses"
    counts = Counter(values)
    if len(counts) > _MAX_DISTINCT:
        listed = ", ".join(
            f"{one_line(value, _MAX_VALUE_CHARS)} {count}"
            for value, count in counts.most_common(_MAX_OF_MANY)
            if count > 1
        )
        return (
            f"{len(counts)} values: {listed}"
            if listed
            else f"{len(counts)} values, such as {one_line(values[0], _MAX_VALUE_CHARS)}"
        )
    frequent = [(value, count) for value, count in counts.most_common(_MAX_VALUES) if count > 1 or len(counts) <= 3]
    listed = ", ".join(f"{one_line(value, _MAX_VALUE_CHARS)} {count}" for value, count in frequent)
    rest = len(counts) - len(frequent)
    return listed + (f", {rest} more" if rest and listed else "" if listed else f"{len(counts)} values")


def _table_line(table: Table) -> str:
    rows = f" ({table.row_estimate:,} rows)" if table.row_estimate is not None else ""
    keys = {column: key.referred_table for key in table.foreign_keys for column in key.columns}
    columns = [_column(column, keys.get(column.name, "")) for column in table.columns[:_MAX_COLUMNS]]
    if len(table.columns) > _MAX_COLUMNS:
        columns.append(f"and {len(table.columns) - _MAX_COLUMNS} more")
    return f"  {one_line(table.name)}{rows}: {', '.join(columns)}" if columns else f"  {one_line(table.name)}{rows}"


def _column(column: Column, refers: str) -> str:
    text = f"{one_line(column.name, 60)} {column.kind}"
    if refers:
        return f"{text} → {one_line(refers, 60)}"
    if column.kind == "text" and column.samples and not column.is_key:
        text += f" ({', '.join(one_line(str(sample), 20) for sample in column.samples[:_SAMPLES])})"
    return text
