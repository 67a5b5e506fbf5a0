"""A catalogue out of a schema and a few cheap statements: what every table and column is, and what it is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from kbtui.domain.analysis import Column, Schema, Table
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, Edge, Kind, TableInfo
from kbtui.nl2sql.keys import Keys, keys_of
from kbtui.nl2sql.kinds import Evidence, Kinded, counts_things, kind_of, suggested, unit_of, word_lists
from kbtui.nl2sql.measured import ROWS, Ask, Measured, Source, figures, from_samples, list_values
from kbtui.nl2sql.names import NameWords, column_words, name_words, shared_prefix, table_words
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.references import KEY_WORDS, Named
from kbtui.nl2sql.states import states_of

ConceptsOf = Callable[[tuple[str, ...]], frozenset[str]]

ASKED_TABLES: Final = 60
"""Tables that statements are sent about; of those beyond the schema's samples have to do."""
_DATES: Final = ("date", "datetime")
_MOST_COMMENT_WORDS: Final = 8
_GRAIN_ROWS: Final = (1.05, 60.0)
"""Rows for each value of a grain, least and most, on average."""


def profile(schema: Schema, ask: Ask | None, *, today: date, concepts_of: ConceptsOf | None = None) -> Catalogue:
    """The catalogue of a source.

    Args:
        schema: At the detailed level; of tables without columns there is nothing to tell.
        ask: Runs a statement and brings its rows; whatever it raises, the samples of the schema have to do. None
            sends nothing.
        today: What is late or still running depends on it.
        concepts_of: Concepts of the lexicon by the words of a name.

    Raises:
        Cancelled: ``ask`` raised it.
    """
    source = Source(schema.dialect, ask)
    prefix = shared_prefix(table.name for table in schema.tables)
    named = Named({table.name: table_words(table.name, prefix) for table in schema.tables}, {})
    words = {table.name: _column_words(table, named.tables[table.name]) for table in schema.tables}
    named = Named(named.tables, {ref: both.words for columns in words.values() for ref, both in columns.items()})
    measured = {
        table.name: _measured(source, table, named) if position < ASKED_TABLES else from_samples(table)
        for position, table in enumerate(_by_need(schema.tables))
    }
    keys = keys_of(schema, named, measured, source)
    tables = {
        table.name: _table(table, schema, named, words[table.name], measured[table.name], keys, today)
        for table in schema.tables
    }
    for role in keys.roles:
        tables[role.name] = _as_role(tables[role.table], role.name, role.words)
    if concepts_of is not None:
        tables = {name: _with_concepts(info, concepts_of) for name, info in tables.items()}
    return Catalogue(source=schema.source, dialect=schema.dialect, tables=tables, edges=tuple(keys.edges))


def _by_need(tables: Sequence[Table]) -> Sequence[Table]:
    """Tables with rows before empty ones, where not all can be asked about."""
    if len(tables) <= ASKED_TABLES:
        return tables
    return sorted(tables, key=lambda table: (table.row_estimate == 0, table.is_view))


def _column_words(table: Table, owner: tuple[str, ...]) -> dict[Ref, NameWords]:
    prefix = shared_prefix(column.name for column in table.columns)
    prefix = prefix if len(prefix) <= 3 else ""
    extremes = frozenset({"maximum"} if any("max" in column.name.lower() for column in table.columns) else ())
    words = {}
    for column in table.columns:
        # A unit behind the thing measured is no word of its own: ``fare_eur``, ``delay_min``, ``重量kg``.
        _, bare = unit_of(column.name, extremes)
        words[Ref(table.name, column.name)] = column_words(bare, owner, prefix)
    return words


def _measured(source: Source, table: Table, named: Named) -> dict[str, Measured]:
    if source.ask is None:
        return from_samples(table)
    listed = [
        column.name for column in table.columns if _is_listed(column, named.columns[Ref(table.name, column.name)])
    ]
    keys = [column for column in table.columns if column.is_key]
    counted = [
        column.name
        for column in table.columns
        if column.name not in listed
        and not (column.is_key and len(keys) == 1)
        and named.columns[Ref(table.name, column.name)][-1] in KEY_WORDS
    ]
    measured = figures(source, table, counted)
    if len(keys) == 1:
        only = measured[keys[0].name]
        only.distinct = only.filled
    list_values(source, table, listed, measured)
    return measured


def _is_listed(column: Column, words: tuple[str, ...]) -> bool:
    """Whether its different values are worth a statement: not of measures, dates that the engine knows, and keys."""
    if column.kind == "text":
        return True
    if column.kind == "number":
        return bool(column.samples) and all(value in (0, 1) for value in column.samples)
    if column.kind != "integer":
        return False
    if counts_things(words) or (suggested(words, "measure") == 1.0 and suggested(words, "ordinal") < 1.0):
        # Zero and one alone are worth a look: a flag.
        return bool(column.samples) and all(value in (0, 1) for value in column.samples)
    return not (column.is_key and words[-1] in KEY_WORDS)


def _table(
    table: Table,
    schema: Schema,
    named: Named,
    words: Mapping[Ref, NameWords],
    measured: Mapping[str, Measured],
    keys: Keys,
    today: date,
) -> TableInfo:
    referring = {edge.left.column for edge in keys.edges if edge.left.table == table.name}
    only = keys.key.get(table.name)
    columns = []
    for column in table.columns:
        ref = Ref(table.name, column.name)
        found = measured[column.name]
        siblings = frozenset(word for other, named_as in words.items() if other != ref for word in named_as.words)
        evidence = Evidence(
            column=column,
            words=words[ref].words,
            measured=found,
            siblings=siblings,
            referring=column.name in referring,
            only_key=ref == only,
            names_table=words[ref].words == named.tables[table.name],
            engine_dates=schema.dialect == "sqlite",
        )
        columns.append(_column(ref, column, words[ref], found, kind_of(evidence), table.row_estimate or 0))
    rows = max((found.rows for found in measured.values()), default=0)
    if rows == 0 or rows >= ROWS:
        rows = max(rows, table.row_estimate or 0)
    info = TableInfo(
        name=table.name,
        words=_with_comment(named.tables[table.name], table.comment),
        columns=tuple(columns),
        key=only,
        rows=rows,
    )
    others = {edge.right.table for edge in keys.edges if edge.left.table == table.name} - {table.name}
    of_another = any(_tells_people(other, named) for other in others if other in named.tables)
    info = replace(info, naming=naming(info, of_another=of_another), dates=dates_of(info))
    return replace(info, grain=grain_of(info, keys.edges, named), states=states_of(info, today=today))


def _tells_people(table: str, named: Named) -> bool:
    return any(ref.table == table and {"last", "name"} <= set(words) for ref, words in named.columns.items())


def _column(
    ref: Ref,
    column: Column,
    words: NameWords,
    found: Measured,
    kinded: Kinded,
    estimate: int,
) -> ColumnInfo:
    said = _with_comment(words.words, column.comment)
    distinct = found.distinct or (estimate if kinded.kind == "key" else found.filled)
    return ColumnInfo(
        ref=ref,
        kind=kinded.kind,
        words=said,
        own=words.own,
        encoding=kinded.form.encoding if kinded.form else "",  # type: ignore[arg-type]
        date_format=kinded.form.date_format if kinded.form else "",
        unit=kinded.unit,
        values=() if kinded.kind in ("measure",) else found.values,
        complete=found.complete,
        distinct=distinct or len(found.values),
        nulls=1 - found.filled / found.rows if found.rows else 0.0,
        low=kinded.low,
        high=kinded.high,
        scale=kinded.scale,
        has_time=kinded.has_time,
        comment=column.comment,
    )


def _with_comment(words: tuple[str, ...], comment: str) -> tuple[str, ...]:
    """A short comment is a name in better words; a long one explains, and its words are left to the linker."""
    if not comment or len(comment) > 40:
        return words
    more = [word for word in name_words(comment) if word not in words and len(word) > 1]
    return (*words, *more) if len(more) <= _MOST_COMMENT_WORDS else words


def naming(table: TableInfo, *, of_another: bool = False) -> tuple[Ref, ...]:
    """The columns that say which row it is: a name, first and last name, else the best there is.

    Args:
        of_another: First and last name are those of somebody in another table, to which the row refers.
    """
    first = [column for column in table.columns if {"first", "name"} <= set(column.words)]
    last = [column for column in table.columns if {"last", "name"} <= set(column.words)]
    best = max(
        ((_naming_score(column, table) - position * 0.01, column) for position, column in enumerate(table.columns)),
        key=lambda pair: pair[0],
        default=(0.0, None),
    )
    if first and last and best[0] < 5 and not of_another:
        return first[0].ref, last[0].ref
    if best[1] is None or best[0] < _LEAST_NAMING:
        return (table.key,) if table.key else ()
    return (best[1].ref,)


_LEAST_NAMING: Final = 0.5
_EXPLAINING: Final = frozenset({"description", "detail", "meaning", "说明", "描述"})
"""What a row of a short list of codes is known by."""
_NAMING: Final[dict[Kind, float]] = {"name": 2.0, "text": 0.9, "category": 0.4, "code": 0.8, "key": 0.6}


def _naming_score(column: ColumnInfo, table: TableInfo) -> float:
    score = _NAMING.get(column.kind, 0.0)
    if not score:
        return 0.0
    plain = {"name", "title", "label", "姓名", "名称", "名字", "标题", "题目"}
    own, last = column.own, column.words[-1]
    if column.kind in ("name", "text", "category") and (own[-1] in plain or last in plain):
        score = 4.0 if len(own) == 1 else 2.8
        if column.words == (*table.words, "name") or (own[-1:] == ("name",) and {"full", "display"} & set(own)):
            score = 5.0
    elif not last.isascii() and column.kind == "name" and last.endswith("名"):
        score = 4.0
    elif column.words == table.words and column.kind in ("name", "category", "text"):
        score = 3.6
    elif last in _EXPLAINING and table.rows <= 60 and column.kind != "text" and column.distinct >= 0.5 * table.rows:
        score = 3.0
    elif column.kind == "name" and last not in plain:
        # A person or firm that a row belongs to names the row less than anything of its own; what only looks like a
        # name, still less.
        score = 1.5 if suggested(column.words, "name") else 1.2
    elif column.kind == "category" and table.rows > 1 and column.distinct >= 0.8 * table.rows:
        score = 1.3
    if {"first", "last"} & set(column.words):
        score = min(score, 1.0)
    if table.rows and column.distinct < 0.5 * table.rows:
        score -= 1.6 if score >= 2.5 and last in plain else 1.2 if column.kind != "code" else 0.75
    return max(score, 0.0)


def dates_of(table: TableInfo) -> tuple[Ref, ...]:
    """Date columns, the one that rows are usually asked by first."""
    lists = word_lists()["date_order"]

    def order(pair: tuple[int, ColumnInfo]) -> tuple[float, int]:
        position, column = pair
        score = 0.0
        for word in column.words:
            if word.isascii():
                score += (word in lists["first"]) - 3 * (word in lists["last"])
            else:
                score += any(w in word for w in lists["first_zh"]) - 3 * any(w in word for w in lists["last_zh"])
        return (-score + 2 * column.nulls, position)

    dated = [(position, column) for position, column in enumerate(table.columns) if column.kind == "date"]
    return tuple(column.ref for _, column in sorted(dated, key=order))


def grain_of(table: TableInfo, edges: Iterable[Edge], named: Named) -> Ref | None:
    """The reference or code whose different values are what rows are lines of: the receipt of receipt lines."""
    lists = word_lists()["grain"]
    parents = {edge.left: edge.right.table for edge in edges}
    last = table.words[-1]
    lines = last in lists["lines"] or (not last.isascii() and last.endswith(lists["lines_zh"]))
    if all(column.kind in ("reference", "key") for column in table.columns):
        return None
    for column in table.columns:
        if column.kind not in ("reference", "code", "name", "category") or column.nulls > 0.02 or not column.distinct:
            continue
        if not _GRAIN_ROWS[0] <= table.rows / column.distinct <= _GRAIN_ROWS[1]:
            continue
        if column.words[-1].isascii():
            called = any(word in lists["en"] for word in column.words) and column.words[-1] in (
                *KEY_WORDS,
                "reference",
                *lists["en"],
            )
        else:
            called = column.words[-1].endswith(lists["zh"])
        parent = parents.get(column.ref)
        if parent is not None:
            said = set(named.tables.get(parent, ()))
            called = lines and (called or bool(said and said <= set(table.words)))
        if called and (parent is not None or column.kind in ("code", "reference")):
            return column.ref
    return None


def _as_role(table: TableInfo, name: str, words: tuple[str, ...]) -> TableInfo:
    def moved(ref: Ref | None) -> Ref | None:
        return None if ref is None else Ref(name, ref.column)

    return replace(
        table,
        name=name,
        words=words,
        columns=tuple(replace(column, ref=Ref(name, column.ref.column)) for column in table.columns),
        key=moved(table.key),
        naming=tuple(Ref(name, ref.column) for ref in table.naming),
        grain=moved(table.grain),
        dates=tuple(Ref(name, ref.column) for ref in table.dates),
        states=(),
        role_of=table.name,
    )


def _with_concepts(table: TableInfo, concepts_of: ConceptsOf) -> TableInfo:
    return replace(
        table,
        concepts=concepts_of(table.words),
        columns=tuple(replace(column, concepts=concepts_of(column.words)) for column in table.columns),
    )
