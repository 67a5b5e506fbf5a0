"""The slots filled from a question about a set of entries, and the SQL statement built from them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct, field

from kbtui.records.kinds import Fact, Kind, Thing

if TYPE_CHECKING:
    from kbtui.records.tables import Tables


class Selection(Struct, kw_only=True):
    """The slots filled from a question so far.

    Attributes:
        kind: The kind of the entries.
        rest: The unread part of the question, in lower case.
        conditions: SQL conditions.
        phrases: The conditions in words.
        value_conditions: Name and value of conditions on fields that may have a table of their own.
        things: Things selected by a topic or a clause; None for all.
        proofs: Line that supports the selection, by key of the thing.
        wants_count: The question asks for the number of entries.
        wants_date: The question asks for their dates.
        order: ``DESC`` for newest first, ``ASC`` for oldest first; empty for none.
        limit: Number of entries in that order.
        size_order: Order and limit by length.
        range_field: Field of which the question asks for the first and last value.
    """

    kind: Kind
    rest: str
    conditions: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    value_conditions: list[tuple[str, str]] = field(default_factory=list)
    things: list[Thing] | None = None
    proofs: dict[str, Fact] = field(default_factory=dict)
    wants_count: bool = False
    wants_date: bool = False
    order: str = ""
    limit: int = 0
    size_order: tuple[str, int] = ("", 0)
    range_field: str = ""

    @property
    def asks(self) -> bool:
        """Whether any slot restricts, orders or aggregates the entries."""
        chooses = self.conditions or self.value_conditions or self.things
        return bool(chooses or self.order or self.size_order[0] or self.wants_count or self.range_field)

    def take(self, match: re.Match[str]) -> None:
        """Remove the words of a match from ``rest``."""
        self.rest = f"{self.rest[: match.start()]} {self.rest[match.end() :]}"

    def takes(self, pattern: re.Pattern[str]) -> bool:
        """Remove the first match of a pattern from ``rest``; whether there was one."""
        match = pattern.search(self.rest)
        if match is not None:
            self.take(match)
        return match is not None

    def add(self, condition: str, phrase: str) -> None:
        """Add a SQL condition with its phrase."""
        self.conditions.append(condition)
        self.phrases.append(phrase)


def _cell(expression: str, field: str) -> str:
    """The expression of a cell; a year is cast to an integer, or it would be shown with a thousands separator."""
    return f"CAST({expression} AS INTEGER)" if field == "year" else expression


def statement(tables: Tables, selection: Selection) -> str:
    """The SQL statement of a selection; empty if it cannot be expressed."""
    kind, key = selection.kind, tables.key_of(selection.kind)
    is_aggregate, order, size_order, range_field = (
        selection.wants_count,
        selection.order,
        selection.size_order,
        selection.range_field,
    )
    owner = f'"{kind.name}"'
    columns = [
        f'{owner}."title"',
        *([f'{owner}."date"'] if "date" in kind.fields and (selection.wants_date or order) else []),
    ]
    if is_aggregate or range_field:
        columns = ["COUNT(*)"] * is_aggregate
        columns += (
            [_cell(f'{end}({owner}."{range_field}")', range_field) for end in ("MIN", "MAX")] if range_field else []
        )
        is_aggregate = True
    joins = []
    conditions = [
        re.sub(r'(?<![."])("(?:version|series|level|stage|date|folder|language)")', rf"{owner}.\1", c)
        for c in selection.conditions
    ]
    if len({name for name, _ in selection.value_conditions}) < len(selection.value_conditions):
        return ""
    for name, value in selection.value_conditions:
        place = next((p for p in tables.places.values() if p.kind.name == kind.name and p.field == name), None)
        if place is None:
            return ""
        if place.table != kind.name:
            joins.append(f'JOIN "{place.table}" ON "{place.table}"."{kind.name}_{key}" = {owner}."{key}"')
        quoted = value.replace("'", "''")
        conditions.append(f'"{place.table}"."{place.column}" = \'{quoted}\'')
    if selection.things is not None:
        keys = ", ".join("'" + str(tables.key(kind, thing)).replace("'", "''") + "'" for thing in selection.things)
        conditions.append(f'{owner}."{key}" IN ({keys})')
    if selection.wants_date and not order and not is_aggregate:
        conditions.append(f'{owner}."date" IS NOT NULL')
    by_size = bool(size_order[0]) and not is_aggregate
    if by_size:
        columns.append(f'{owner}."lines"')
    sql = f"SELECT {', '.join(columns)} FROM {owner} {' '.join(joins)}"  # noqa: S608 - names and values made here
    if order and "date" in kind.fields:
        conditions.append(f'{owner}."date" IS NOT NULL')
    if conditions:
        sql += f" WHERE {' AND '.join(conditions)}"
    if by_size:
        return f'{sql} ORDER BY {owner}."lines" {size_order[0]} LIMIT {size_order[1]}'
    order_terms = [f'{owner}."{name}" {order}'.strip() for name in ("date", "version") if name in kind.fields]
    if order_terms and not is_aggregate:
        sql += f" ORDER BY {', '.join(order_terms)}" + (f" LIMIT {selection.limit}" if order else "")
    return sql
