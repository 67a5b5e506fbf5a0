"""Traces the rows of a SQL statement back to things, and to the facts that support them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from sqlglot import exp, parse_one

from kbtui.records.collection import SOURCE
from kbtui.records.kinds import Fact, Thing
from kbtui.records.tables import THING, FieldTable, Tables

_CONDITIONS: Final = ("where", "joins")
"""Clauses of a statement with conditions."""
_MAX_GROUPS: Final = 60
_MAX_DETAIL_COLUMNS: Final = 10
"""Number of columns from which a wide table counts as shown in full."""
_MAX_IDENTIFYING_COLUMNS: Final = 3
"""Most columns of a row that consists of identifying columns and one more."""


class Row(Struct, frozen=True, kw_only=True):
    """A row of a statement.

    Attributes:
        cells: The values, in the order of the columns.
        things: The thing of the row, or all things that an aggregate covers.
        proofs: The fact to cite for each thing; None if there is none.
        conditions: For each thing its facts for the fields of all conditions.
    """

    cells: tuple[Any, ...]
    things: tuple[Thing, ...]
    proofs: tuple[Fact | None, ...]
    conditions: tuple[tuple[Fact, ...], ...] = ()


class TracedRows(Struct, frozen=True, kw_only=True):
    """The rows of a statement, each with its things.

    Attributes:
        columns: Names of the columns.
        rows: The rows in the order of the statement.
        is_figure: The rows are aggregates over things.
        fields: The fields that the statement uses, those of conditions first.
        is_details: The rows show all fields of the things, because no particular one was asked for.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    is_figure: bool
    fields: tuple[FieldTable, ...]
    is_details: bool = False

    @property
    def says_something(self) -> bool:
        """Whether any row has things."""
        return any(row.things for row in self.rows)


def trace_rows(sql: str, tables: Tables) -> TracedRows | None:
    """Execute a statement and trace its rows to things; None if it cannot be traced.

    Raises:
        DataSourceError: The statement fails.
    """
    select = parse_one(sql, dialect="sqlite")
    if not isinstance(select, exp.Select) or select.args.get("with_") or select.args.get("with"):
        return None
    if select.find(exp.Window) is not None or not _has_only_tables(select):
        return None
    rows = tables.guarded(sql)
    if not rows:
        return TracedRows(columns=(), rows=(), is_figure=False, fields=_fields(select, tables))
    columns = tuple(expression.alias_or_name for expression in select.expressions)
    owner = _owner(select, tables)
    if owner is None:
        return None
    fields, conditions = _fields(select, tables), _fields(select, tables, _CONDITIONS)
    group = select.args.get("group")
    figures = any(True for item in select.expressions for _ in item.find_all(exp.AggFunc))
    if not figures and group is None:
        return _trace_things(select, owner, rows, columns, fields, tables)
    grouped = [item.unalias() for item in group.expressions] if group is not None else []
    # A column that is neither grouped by nor aggregated has the value of an arbitrary thing.
    kept_columns = [
        at
        for at, item in enumerate(select.expressions)
        if item.find(exp.AggFunc) is not None or item.unalias() in grouped
    ]
    traced_rows = []
    for cells in rows[:_MAX_GROUPS]:
        thing_select = _select_things_of_group(select, owner, cells)
        if thing_select is None:
            return None
        things = [tables.things[number] for (number,) in _execute(tables, thing_select)]
        traced_rows.append(_make_row([cells[at] for at in kept_columns], things, fields, conditions, select))
    columns = tuple(columns[at] for at in kept_columns)
    return TracedRows(columns=columns, rows=tuple(traced_rows), is_figure=True, fields=fields)


def replace_proofs(result: TracedRows, proofs: Mapping[str, Fact]) -> TracedRows:
    """The same rows with other proofs, given by key of the thing."""
    rows = tuple(
        replace(
            row,
            proofs=tuple(proofs.get(thing.key, proof) for thing, proof in zip(row.things, row.proofs, strict=True)),
        )
        for row in result.rows
    )
    return replace(result, rows=rows)


def _trace_things(
    select: exp.Select,
    owner: str,
    rows: Sequence[tuple[Any, ...]],
    columns: tuple[str, ...],
    fields: tuple[FieldTable, ...],
    tables: Tables,
) -> TracedRows | None:
    """Trace rows that are not aggregates; None if a row belongs to no thing."""
    thing_select = select.copy()
    thing_select.set("distinct", None)
    if select.args.get("distinct"):
        # The things of each distinct value are those of all rows that have it.
        thing_select.set("limit", None)
    thing_select.select(f'"{owner}"."{THING}"', copy=False)
    things_by_cells: dict[tuple[Any, ...], list[Thing]] = {}
    for row in _execute(tables, thing_select):
        things_by_cells.setdefault(row[:-1], []).append(tables.things[row[-1]])
    traced_rows = []
    for cells in dict.fromkeys(rows):
        things = list({thing.key: thing for thing in things_by_cells.get(tuple(cells), [])}.values())
        if not things:
            return None
        traced_rows.append(_make_row(cells, things, fields, _fields(select, tables, _CONDITIONS), select))
    sources = {source.name for source in _sources(select)}
    all_columns = {column.name for table in tables.every.tables if table.name in sources for column in table.columns}
    is_details = len(columns) > _MAX_IDENTIFYING_COLUMNS and len(columns) >= min(len(all_columns), _MAX_DETAIL_COLUMNS)
    return TracedRows(columns=columns, rows=tuple(traced_rows), is_figure=False, fields=fields, is_details=is_details)


def _execute(tables: Tables, select: exp.Select) -> list[tuple[Any, ...]]:
    return tables.ask(SOURCE, select.sql(dialect="sqlite"))


def _make_row(
    cells: Sequence[Any],
    things: Sequence[Thing],
    fields: Sequence[FieldTable],
    conditions: Sequence[FieldTable],
    select: exp.Select,
) -> Row:
    field_names = [field.field for field in fields]
    literals = {str(literal.this).casefold() for literal in select.find_all(exp.Literal)}
    literals |= {str(cell).casefold() for cell in cells if isinstance(cell, str)}
    return Row(
        cells=tuple(cells),
        things=tuple(things),
        proofs=tuple(_proof(thing, field_names, literals) for thing in things),
        conditions=tuple(
            tuple(
                fact
                for field in conditions
                if thing.facts.get(field.field) and (fact := _proof(thing, [field.field], literals)) is not None
            )
            for thing in things
        ),
    )


def _proof(thing: Thing, fields: Sequence[str], literals: set[str]) -> Fact | None:
    """The fact to cite: of the first field that has any, the value in the statement, else its first value."""
    for name in fields:
        facts = thing.facts.get(name, ())
        if facts:
            return next((fact for fact in facts if fact.value.casefold() in literals), facts[0])
    return next((facts[0] for facts in thing.facts.values() if facts), None)


def _has_only_tables(select: exp.Select) -> bool:
    sources = [source.this for source in (select.args.get("from_"), select.args.get("from")) if source is not None]
    sources += [join.this for join in select.args.get("joins") or ()]
    return bool(sources) and all(isinstance(source, exp.Table) for source in sources)


def _sources(select: exp.Select) -> Iterator[exp.Table]:
    for source in (select.args.get("from_"), select.args.get("from")):
        if source is not None:
            yield source.this
    for join in select.args.get("joins") or ():
        yield join.this


def _owner(select: exp.Select, tables: Tables) -> str | None:
    """Alias of the table whose rows are the things: the first table of a kind, else the first table."""
    sources = list(_sources(select))
    kinds = [source for source in sources if source.name in tables.kinds]
    return (kinds or sources)[0].alias_or_name if sources else None


def _select_things_of_group(select: exp.Select, owner: str, cells: Sequence[Any]) -> exp.Select | None:
    """A statement that selects the things of one row of a grouped statement."""
    inner = select.copy()
    group = inner.args.get("group")
    conditions: list[exp.Expression] = []
    for expression in group.expressions if group is not None else ():
        bare = expression.unalias()
        place = next((at for at, item in enumerate(select.expressions) if item.unalias() == bare), None)
        if place is None:
            return None
        value = cells[place]
        literal = exp.null() if value is None else exp.convert(value)
        conditions.append(
            exp.Is(this=bare.copy(), expression=literal)
            if value is None
            else exp.EQ(this=bare.copy(), expression=literal)
        )
    for name in ("group", "having", "order", "limit", "distinct"):
        inner.set(name, None)
    if conditions:
        inner = inner.where(*conditions)
    return inner.select(f'"{owner}"."{THING}"', append=False).distinct()


def _fields(
    select: exp.Select, tables: Tables, clauses: Sequence[str] = ("where", "joins", "group", "order", "expressions")
) -> tuple[FieldTable, ...]:
    """Fields that the statement uses: in conditions, then in its order, then in the columns."""
    names = {source.alias_or_name: source.name for source in select.find_all(exp.Table)}
    parts = [select.args.get(name) for name in clauses]
    nodes = [node for part in parts for node in (part if isinstance(part, list) else [part]) if node is not None]
    fields: dict[tuple[str, str], FieldTable] = {}
    for node in nodes:
        for column in node.find_all(exp.Column):
            options = [names.get(column.table, column.table)] if column.table else list(names.values())
            for table in options:
                if (place := tables.places.get((table, column.name))) is not None:
                    fields.setdefault((place.table, place.column), place)
    for inner in select.find_all(exp.Subquery, exp.In):
        for source in inner.find_all(exp.Table):
            # A subquery over the table of a field tests for things without a value.
            tested = [place for place in tables.places.values() if place.table == source.name != place.kind.name]
            fields.update({(place.table, place.column): place for place in tested})
    return tuple(fields.values())
