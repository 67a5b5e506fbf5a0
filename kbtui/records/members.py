"""From a statement back to the things its rows are about, and to the lines that state what it asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace
from sqlglot import exp, parse_one

from kbtui.records.collection import SOURCE
from kbtui.records.kinds import Fact, Thing
from kbtui.records.tables import THING, FieldTable, Tables

_MOST_GROUPS: Final = 60
_MOST_DETAILS: Final = 10
"""Columns at which details end, however many a table has."""
_MOST_NAMING: Final = 3
"""Columns that may only say which thing it is, and one besides."""


class Row(Struct, frozen=True, kw_only=True):
    """A row of a statement.

    Attributes:
        cells: As the statement gives them.
        things: What it is about: one thing, or those that a figure counts; in the order of the statement.
        proofs: For each of the things the fact that is to be cited.
    """

    cells: tuple[Any, ...]
    things: tuple[Thing, ...]
    proofs: tuple[Fact | None, ...]


class Traced(Struct, frozen=True, kw_only=True):
    """The rows of a statement, each with its things.

    Attributes:
        columns: As the statement names them.
        is_figure: Rows are figures of several things, not things.
        fields: Which fields the statement speaks of, conditions first.
        is_details: Things are shown with all that they state, since nothing in particular is asked for.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    is_figure: bool
    fields: tuple[FieldTable, ...]
    is_details: bool = False

    @property
    def says_something(self) -> bool:
        """Whether there are things behind any of the rows."""
        return any(row.things for row in self.rows)


def traced(sql: str, tables: Tables) -> Traced | None:
    """The rows of a statement with what they are about; None where that cannot be told.

    Raises:
        DataSourceError: The statement fails.
    """
    select = parse_one(sql, dialect="sqlite")
    if not isinstance(select, exp.Select) or select.args.get("with_") or select.args.get("with"):
        return None
    if select.find(exp.Window) is not None or not _plain_sources(select):
        return None
    rows = tables.guarded(sql)
    if not rows:
        return Traced(columns=(), rows=(), is_figure=False, fields=_fields(select, tables))
    columns = tuple(expression.alias_or_name for expression in select.expressions)
    owner = _owner(select, tables)
    if owner is None:
        return None
    fields = _fields(select, tables)
    group = select.args.get("group")
    figures = any(True for item in select.expressions for _ in item.find_all(exp.AggFunc))
    if not figures and group is None:
        return _things(select, owner, rows, columns, fields, tables)
    grouped = [item.unalias() for item in group.expressions] if group is not None else []
    # What is neither grouped by nor a figure is of any of the things.
    kept = [
        at
        for at, item in enumerate(select.expressions)
        if item.find(exp.AggFunc) is not None or item.unalias() in grouped
    ]
    found = []
    for cells in rows[:_MOST_GROUPS]:
        inner = _ungrouped(select, owner, cells)
        if inner is None:
            return None
        things = [tables.things[number] for (number,) in _ask(tables, inner)]
        found.append(_row([cells[at] for at in kept], things, fields, select))
    columns = tuple(columns[at] for at in kept)
    return Traced(columns=columns, rows=tuple(found), is_figure=True, fields=fields)


def proved(result: Traced, proofs: Mapping[str, Fact]) -> Traced:
    """The same rows, each thing with the line of the text that says what was asked."""
    rows = tuple(
        replace(
            row,
            proofs=tuple(proofs.get(thing.key, proof) for thing, proof in zip(row.things, row.proofs, strict=True)),
        )
        for row in result.rows
    )
    return replace(result, rows=rows)


def _things(
    select: exp.Select,
    owner: str,
    rows: Sequence[tuple[Any, ...]],
    columns: tuple[str, ...],
    fields: tuple[FieldTable, ...],
    tables: Tables,
) -> Traced | None:
    """Rows that are things: each with the cells that belong to it."""
    inner = select.copy()
    inner.set("distinct", None)
    if select.args.get("distinct"):
        # Different values: which things have each is asked of the rows behind them.
        inner.set("limit", None)
    inner.select(f'"{owner}"."{THING}"', copy=False)
    found: dict[tuple[Any, ...], list[Thing]] = {}
    for found_row in _ask(tables, inner):
        found.setdefault(found_row[:-1], []).append(tables.things[found_row[-1]])
    listed = []
    for cells in dict.fromkeys(rows):
        things = list({thing.key: thing for thing in found.get(tuple(cells), [])}.values())
        if not things:
            return None
        listed.append(_row(cells, things, fields, select))
    sources = {source.name for source in _sources(select)}
    every = {column.name for table in tables.every.tables if table.name in sources for column in table.columns}
    details = len(columns) > _MOST_NAMING and len(columns) >= min(len(every), _MOST_DETAILS)
    return Traced(columns=columns, rows=tuple(listed), is_figure=False, fields=fields, is_details=details)


def _ask(tables: Tables, select: exp.Select) -> list[tuple[Any, ...]]:
    return tables.ask(SOURCE, select.sql(dialect="sqlite"))


def _row(cells: Sequence[Any], things: Sequence[Thing], fields: Sequence[FieldTable], select: exp.Select) -> Row:
    wanted = [field.field for field in fields]
    literals = {str(literal.this).casefold() for literal in select.find_all(exp.Literal)}
    literals |= {str(cell).casefold() for cell in cells if isinstance(cell, str)}
    return Row(
        cells=tuple(cells),
        things=tuple(things),
        proofs=tuple(_proof(thing, wanted, literals) for thing in things),
    )


def _proof(thing: Thing, fields: Sequence[str], literals: set[str]) -> Fact | None:
    """The line to cite: of the first field that is spoken of, the value that is."""
    for name in fields:
        facts = thing.facts.get(name, ())
        if facts:
            return next((fact for fact in facts if fact.value.casefold() in literals), facts[0])
    return next((facts[0] for facts in thing.facts.values() if facts), None)


def _plain_sources(select: exp.Select) -> bool:
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
    """The table whose rows are the things: that of a kind, else the first."""
    sources = list(_sources(select))
    kinds = [source for source in sources if source.name in tables.kinds]
    return (kinds or sources)[0].alias_or_name if sources else None


def _ungrouped(select: exp.Select, owner: str, cells: Sequence[Any]) -> exp.Select | None:
    """The things behind one row of a grouped statement."""
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


def _fields(select: exp.Select, tables: Tables) -> tuple[FieldTable, ...]:
    """Fields that the statement speaks of: in conditions, then in the order, then shown."""
    names = {source.alias_or_name: source.name for source in select.find_all(exp.Table)}
    parts = [select.args.get(name) for name in ("where", "joins", "group", "order")]
    nodes = [node for part in parts for node in (part if isinstance(part, list) else [part]) if node is not None]
    found: dict[tuple[str, str], FieldTable] = {}
    for node in (*nodes, *select.expressions):
        for column in node.find_all(exp.Column):
            options = [names.get(column.table, column.table)] if column.table else list(names.values())
            for table in options:
                if (place := tables.places.get((table, column.name))) is not None:
                    found.setdefault((place.table, place.column), place)
    for inner in select.find_all(exp.Subquery, exp.In):
        for source in inner.find_all(exp.Table):
            # Things without a field are told by what does not stand in its table.
            own = [place for place in tables.places.values() if place.table == source.name != place.kind.name]
            found.update({(place.table, place.column): place for place in own})
    return tuple(found.values())
