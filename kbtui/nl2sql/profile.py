"""A catalogue out of a schema and a few cheap statements: what every table and column is, and what it is called."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec.structs import replace

from kbtui.domain.analysis import Column, Schema, Table
from kbtui.nl2sql.calculated import with_calculated
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.column_statistics import (
    ROWS,
    SMALL,
    VALUES,
    Ask,
    AskEach,
    Asking,
    ColumnStatistics,
    Source,
    figures,
    from_samples,
    in_step,
    keep_sample,
    list_values,
    sample,
)
from kbtui.nl2sql.keys import Keys, keys_of
from kbtui.nl2sql.kinds import Evidence, InferredKind, is_count_of, kind_of, suggested, unit_of
from kbtui.nl2sql.lexicon import concepts_of as meant
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.names import NameWords, column_words, name_words, shared_prefix, table_words
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.references import KEY_ENDS, KEY_WORDS, Named
from kbtui.nl2sql.row_facts import amount_of, dates_of, grain_of, naming
from kbtui.nl2sql.states import states_of

ConceptsOf = Callable[[tuple[str, ...]], frozenset[str]]

ASKED_TABLES: Final = 60
"""Tables that statements are sent about; of those beyond the schema's samples have to do."""
_TIMES: Final = ("ms", "second", "minute")
_DATES: Final = ("date", "datetime")
_MOST_COMMENT_WORDS: Final = 8
_PROSE: Final = 80
"""Characters of a value, on average, from which values are not listed."""


def profile(
    schema: Schema,
    ask: Ask | None,
    *,
    today: date,
    concepts_of: ConceptsOf | None = None,
    ask_each: AskEach | None = None,
) -> Catalogue:
    """The catalogue of a source.

    Args:
        schema: At the detailed level; of tables without columns there is nothing to tell.
        ask: Runs a statement and brings its rows; whatever it raises, the samples of the schema have to do. None
            sends nothing.
        today: What is late or still running depends on it.
        concepts_of: Concepts of the lexicon by the words of a name.
        ask_each: Runs several statements at one go; without it ``ask`` runs them one by one.

    Raises:
        Cancelled: ``ask`` raised it.
    """
    source = Source(schema.dialect, ask, ask_each)
    prefix = shared_prefix(table.name for table in schema.tables)
    named = Named({table.name: table_words(table.name, prefix) for table in schema.tables}, {})
    words = {table.name: _column_words(table, named.tables[table.name]) for table in schema.tables}
    named = Named(named.tables, {ref: both.words for columns in words.values() for ref, both in columns.items()})
    tables = _by_need(schema.tables)
    asked = tables[: ASKED_TABLES if ask is not None else 0]
    measured = in_step(source, {table.name: _measured(source, table, named) for table in asked})
    measured |= {table.name: from_samples(table) for table in tables[len(asked) :]}
    keys = keys_of(schema, named, measured, source)
    infos = {
        table.name: _table(table, schema, named, words[table.name], measured[table.name], keys, today)
        for table in schema.tables
    }
    for role in keys.roles:
        infos[role.name] = _as_role(infos[role.table], role.name, role.words)
    if concepts_of is not None:
        infos = {name: _with_concepts(info, concepts_of) for name, info in infos.items()}
        infos = with_calculated(infos, keys.edges, today)
    return Catalogue(source=schema.source, dialect=schema.dialect, tables=infos, edges=tuple(keys.edges))


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
        unit, bare = unit_of(column.name, extremes)
        named = column_words(bare, owner, prefix)
        if (
            bare != column.name
            and unit in _TIMES
            and bare.isascii()
            and "time" not in bare
            and not is_kind(meant(named.words), "rate")
        ):
            # Milliseconds of a response are its response time.
            named = NameWords((*named.words, "time"), (*named.own, "time"))
        words[Ref(table.name, column.name)] = named
    return words


def _measured(source: Source, table: Table, named: Named) -> Asking[dict[str, ColumnStatistics]]:
    last = {column.name: named.columns[Ref(table.name, column.name)][-1] for column in table.columns}
    listed = [
        column.name for column in table.columns if _is_listed(column, named.columns[Ref(table.name, column.name)])
    ]
    large = table.row_estimate is None or table.row_estimate > SMALL
    samples = (yield from sample(source, table, listed)) if large else {}
    wide = {name: values for name, values in samples.items() if len(set(values)) > VALUES}
    listed = [name for name in listed if name not in wide]
    keys = [column.name for column in table.columns if column.is_key]
    counted = [
        name
        for name, word in last.items()
        if name not in listed and keys != [name] and (word in KEY_WORDS or word.endswith(KEY_ENDS))
    ]
    measured = yield from figures(source, table, counted)
    if len(keys) == 1:
        measured[keys[0]].distinct = measured[keys[0]].filled
    yield from list_values(source, table, listed, measured)
    for name, values in wide.items():
        keep_sample(measured[name], values)
    return measured


def _is_listed(column: Column, words: tuple[str, ...]) -> bool:
    """Whether its different values are worth a statement: not of measures, dates that the engine knows, and keys."""
    if column.kind == "text":
        # Of prose no value is asked for; samples leave out the longest.
        texts = [sample for sample in column.samples if isinstance(sample, str)]
        return not texts or sum(map(len, texts)) <= _PROSE * len(texts)
    if column.kind == "number":
        return bool(column.samples) and all(value in (0, 1) for value in column.samples)
    if column.kind != "integer":
        return False
    if is_count_of(words) or (suggested(words, "measure") == 1.0 and suggested(words, "ordinal") < 1.0):
        # Zero and one alone are worth a look: a flag.
        return bool(column.samples) and all(value in (0, 1) for value in column.samples)
    return not (column.is_key and words[-1] in KEY_WORDS)


def _table(
    table: Table,
    schema: Schema,
    named: Named,
    words: Mapping[Ref, NameWords],
    measured: Mapping[str, ColumnStatistics],
    keys: Keys,
    today: date,
) -> TableInfo:
    referring = {edge.left.column for edge in keys.edges if edge.left.table == table.name}
    parents = frozenset(measured[name].distinct or 0 for name in referring)
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
            parents=parents,
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
    found: ColumnStatistics,
    kinded: InferredKind,
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
        # How figures are written in text has to be known to read them.
        values=() if kinded.kind == "measure" and not kinded.form else found.values,
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
        amount=amount_of(table),
    )
