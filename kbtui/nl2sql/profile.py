"""Builds the catalogue of a source from its schema and a few cheap statements."""

from __future__ import annotations

import re
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
    in_rounds,
    keep_sample,
    list_values,
    sample,
)
from kbtui.nl2sql.hundredths import name_without_hundredths
from kbtui.nl2sql.keys import Keys, keys_of
from kbtui.nl2sql.kinds import Evidence, InferredKind, kind_of
from kbtui.nl2sql.lexicon import concepts_of as meant
from kbtui.nl2sql.lexicon import is_kind, name_parts
from kbtui.nl2sql.name_hints import is_count_of, suggested, unit_of
from kbtui.nl2sql.names import NameWords, column_words, name_words, shared_prefix
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.references import KEY_ENDS, KEY_WORDS, SourceWords
from kbtui.nl2sql.row_facts import amount_of, dates_of, grain_of, grain_of_first_lines, naming_columns
from kbtui.nl2sql.states import states_of
from kbtui.nl2sql.table_names import names_of_tables
from kbtui.nl2sql.text_values import canonical_unit
from kbtui.nl2sql.value_labels import labels_in
from kbtui.question.words import words as spoken
from kbtui.text.language import has_cjk

ConceptsOf = Callable[[tuple[str, ...]], frozenset[str]]

MAX_PROFILED: Final = 60
"""Tables that statements are sent about, at most; for others the samples of the schema are used."""
_TIMES: Final = ("ms", "second", "minute")
_WORDS_OF_SUMS: Final = frozenset({"total", "sum", "net", "gross", "value"})
"""Words that do not say what is summed."""
_CODED_KINDS: Final = ("measure", "rate", "code", "category")
"""Kinds of columns that are categories if a comment explains their values."""
_MAX_COMMENT_WORDS: Final = 8
_THINGS: Final = ("thing", "person", "place")
_EXPORTED: Final = re.compile(
    r"(?:(?:每|按)?[日月周年](?:度)?(?=统计|汇总|报表|明细)|导出|明细账?|流水账?|台账|对账单|账单|登记|信息|数据|清单|列表|一览|汇总|"
    r"统计|查询|结果|报表|报告|档案|记录|表)+$"
)
"""Words at the end of the names of exported files that say nothing about what the rows are."""
_OF_MONEY: Final = re.compile(r"(?<=交易|流水|支付|转账)单$")
"""The end of a number of payments, which are no bills: 交易单号."""
_PROSE_LENGTH: Final = 80
"""Mean number of characters of a value from which values are not listed."""


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
        schema: The detailed schema; tables without columns are left empty.
        ask: Runs a statement and returns its rows; if it raises, the samples of the schema are used. None sends
            nothing.
        today: The day that states such as late or running depend on.
        concepts_of: Concepts of the lexicon for the words of a name.
        ask_each: Runs several statements at once; without it ``ask`` runs them one at a time.

    Raises:
        Cancelled: ``ask`` raised it.
    """
    source = Source(schema.dialect, ask, ask_each)
    names = names_of_tables(schema.tables)
    words_by_table = {table.name: _column_words(table, names[table.name].words) for table in schema.tables}
    source_words = SourceWords(
        {table: name.words for table, name in names.items()},
        {ref: name_words_of.words for columns in words_by_table.values() for ref, name_words_of in columns.items()},
        names,
    )
    tables = _by_priority(schema.tables)
    profiled = tables[: MAX_PROFILED if ask is not None else 0]
    statistics = in_rounds(source, {table.name: _statistics_of(source, table, source_words) for table in profiled})
    statistics |= {table.name: from_samples(table) for table in tables[len(profiled) :]}
    keys = keys_of(schema, source_words, statistics, source)
    infos = {
        table.name: _table(table, schema, source_words, words_by_table[table.name], statistics[table.name], keys, today)
        for table in schema.tables
    }
    for role in keys.roles:
        infos[role.name] = _as_role(infos[role.table], role.name, role.words)
    if concepts_of is not None:
        if len(schema.tables) == 1:
            only = schema.tables[0].name
            infos[only] = _named_by_key(infos[only], concepts_of)
        infos = {name: _with_concepts(info, concepts_of) for name, info in infos.items()}
        infos = with_calculated(infos, keys.edges, today)
    return Catalogue(source=schema.source, dialect=schema.dialect, tables=infos, edges=tuple(keys.edges))


def _by_priority(tables: Sequence[Table]) -> Sequence[Table]:
    """Tables with rows before empty ones, if not all can be profiled."""
    if len(tables) <= MAX_PROFILED:
        return tables
    return sorted(tables, key=lambda table: (table.row_estimate == 0, table.is_view))


def _column_words(table: Table, owner: tuple[str, ...]) -> dict[Ref, NameWords]:
    prefix = shared_prefix(column.name for column in table.columns)
    prefix = prefix if len(prefix) <= 3 else ""
    extremes = frozenset({"maximum"} if any("max" in column.name.lower() for column in table.columns) else ())
    words = {}
    for column in table.columns:
        # A unit after the name of a quantity is no word of its own: ``fare_eur``, ``delay_min``, ``重量kg``.
        unit, bare = unit_of(column.name, extremes)
        in_main_unit = name_without_hundredths(column)
        column_name = column_words(in_main_unit or bare, owner, prefix)
        if in_main_unit and _WORDS_OF_SUMS.issuperset(column_name.words):
            column_name = NameWords((*column_name.words, "amount"), (*column_name.own, "amount"))
        elif (
            bare != column.name
            and unit in _TIMES
            and bare.isascii()
            and "time" not in bare
            and not is_kind(meant(column_name.words), "rate")
        ):
            # Milliseconds of a response are a response time.
            column_name = NameWords((*column_name.words, "time"), (*column_name.own, "time"))
        elif unit and column_name.words[1:2] == ("to",):
            # Seconds to resolve are a time to resolve.
            column_name = NameWords(("time", *column_name.words[1:]), ("time", *column_name.own[1:]))
        words[Ref(table.name, column.name)] = column_name
    return words


def _statistics_of(source: Source, table: Table, source_words: SourceWords) -> Asking[dict[str, ColumnStatistics]]:
    last_words = {column.name: source_words.columns[Ref(table.name, column.name)][-1] for column in table.columns}
    list_names = [
        column.name
        for column in table.columns
        if _is_listed(column, source_words.columns[Ref(table.name, column.name)])
    ]
    is_large = table.row_estimate is None or table.row_estimate > SMALL
    samples = (yield from sample(source, table, list_names)) if is_large else {}
    samples_to_keep = {name: values for name, values in samples.items() if len(set(values)) > VALUES}
    list_names = [name for name in list_names if name not in samples_to_keep]
    keys = [column.name for column in table.columns if column.is_key]
    counted = [
        name
        for name, word in last_words.items()
        if name not in list_names and keys != [name] and (word in KEY_WORDS or word.endswith(KEY_ENDS))
    ]
    statistics = yield from figures(source, table, counted)
    if len(keys) == 1:
        statistics[keys[0]].distinct = statistics[keys[0]].filled
    yield from list_values(source, table, list_names, statistics)
    for name, values in samples_to_keep.items():
        keep_sample(statistics[name], values)
    return statistics


def _is_listed(column: Column, words: tuple[str, ...]) -> bool:
    """Whether the distinct values of a column are worth a statement: not for measures, typed dates and keys."""
    if column.kind == "text":
        # No question names a value of prose; samples leave out the longest texts.
        texts = [sample for sample in column.samples if isinstance(sample, str)]
        return not texts or sum(map(len, texts)) <= _PROSE_LENGTH * len(texts)
    if column.kind == "number":
        return bool(column.samples) and all(value in (0, 1) for value in column.samples)
    if column.kind != "integer":
        return False
    if is_count_of(words) or (suggested(words, "measure") == 1.0 and suggested(words, "ordinal") < 1.0):
        # Only 0 and 1 may be a flag.
        return bool(column.samples) and all(value in (0, 1) for value in column.samples)
    return not (column.is_key and words[-1] in KEY_WORDS)


def _table(
    table: Table,
    schema: Schema,
    source_words: SourceWords,
    words: Mapping[Ref, NameWords],
    statistics: Mapping[str, ColumnStatistics],
    keys: Keys,
    today: date,
) -> TableInfo:
    referring = {edge.left.column for edge in keys.edges if edge.left.table == table.name}
    parents = frozenset(statistics[name].distinct or 0 for name in referring)
    key = keys.key.get(table.name)
    columns = []
    for column in table.columns:
        ref = Ref(table.name, column.name)
        column_statistics = statistics[column.name]
        siblings = frozenset(word for other, named_as in words.items() if other != ref for word in named_as.words)
        evidence = Evidence(
            column=column,
            words=words[ref].words,
            statistics=column_statistics,
            siblings=siblings,
            referring=column.name in referring,
            parents=parents,
            is_only_key=ref == key,
            is_named_as_table=words[ref].words == source_words.tables[table.name],
            engine_reads_dates=schema.dialect == "sqlite",
        )
        columns.append(_column(ref, column, words[ref], column_statistics, kind_of(evidence), table.row_estimate or 0))
    rows = max((column_statistics.rows for column_statistics in statistics.values()), default=0)
    if rows == 0 or rows >= ROWS:
        rows = max(rows, table.row_estimate or 0)
    info = TableInfo(
        name=table.name,
        words=_with_comment(source_words.tables[table.name], table.comment),
        module=source_words.names[table.name].module,
        columns=tuple(columns),
        key=key,
        rows=rows,
    )
    parents_of_table = {edge.right.table for edge in keys.edges if edge.left.table == table.name} - {table.name}
    of_another = any(_has_people(other, source_words) for other in parents_of_table if other in source_words.tables)
    info = replace(info, naming=naming_columns(info, of_another=of_another), dates=dates_of(info))
    first_lines = grain_of_first_lines(info)
    return replace(
        info,
        grain=first_lines or grain_of(info, keys.edges, source_words),
        has_first_lines=first_lines is not None,
        states=states_of(info, today=today),
    )


def _has_people(table: str, source_words: SourceWords) -> bool:
    return any(ref.table == table and {"last", "name"} <= set(words) for ref, words in source_words.columns.items())


def _column(
    ref: Ref, column: Column, words: NameWords, statistics: ColumnStatistics, inferred: InferredKind, estimate: int
) -> ColumnInfo:
    labels, comment = labels_in(column.comment, (value for value, _ in statistics.values))
    if labels and inferred.kind in _CODED_KINDS:
        inferred = InferredKind("category")
    is_hundredths = inferred.kind in ("measure", "rate") and bool(name_without_hundredths(column))
    if is_hundredths:
        inferred = InferredKind(inferred.kind, low=_hundredth(inferred.low), high=_hundredth(inferred.high))
    all_words = _with_comment(words.words, comment)
    distinct = statistics.distinct or (estimate if inferred.kind == "key" else statistics.filled)
    return ColumnInfo(
        ref=ref,
        kind=inferred.kind,
        words=all_words,
        own=words.own,
        encoding="hundredths" if is_hundredths else inferred.form.encoding if inferred.form else "",  # type: ignore[arg-type]
        date_format=inferred.form.date_format if inferred.form else "",
        unit=inferred.unit,
        # Encoded numbers are needed to choose the cast.
        values=() if inferred.kind == "measure" and not inferred.form else statistics.values,
        complete=statistics.complete,
        distinct=distinct or len(statistics.values),
        nulls=1 - statistics.filled / statistics.rows if statistics.rows else 0.0,
        low=inferred.low,
        high=inferred.high,
        scale=inferred.scale,
        has_time=inferred.has_time,
        comment=column.comment,
        labels=labels,
    )


def _hundredth(value: float | date | None) -> float | None:
    return value / 100 if isinstance(value, int | float) else None


def _with_comment(words: tuple[str, ...], comment: str) -> tuple[str, ...]:
    """The words with those of a short comment, which is a better name; long comments explain and are left out."""
    if not comment or len(comment) > 40:
        return words
    more = [word for word in name_words(comment) if word not in words and len(word) > 1]
    return (*words, *more) if len(more) <= _MAX_COMMENT_WORDS else words


def _as_role(table: TableInfo, name: str, words: tuple[str, ...]) -> TableInfo:
    def in_role(ref: Ref | None) -> Ref | None:
        return None if ref is None else Ref(name, ref.column)

    return replace(
        table,
        name=name,
        words=words,
        columns=tuple(replace(column, ref=Ref(name, column.ref.column)) for column in table.columns),
        key=in_role(table.key),
        naming=tuple(Ref(name, ref.column) for ref in table.naming),
        grain=in_role(table.grain),
        dates=tuple(Ref(name, ref.column) for ref in table.dates),
        states=(),
        role_of=table.name,
    )


def _named_by_key(table: TableInfo, concepts_of: ConceptsOf) -> TableInfo:
    """The only table of a source, named after what its key numbers: employees for ``hr.csv`` with an ``Emp No``.

    The name of a file often says who exported it and not what its rows are; a name that means things is kept.
    """
    key = None if table.key is None else next((c for c in table.columns if c.ref == table.key), None)
    if has_cjk(table.words[-1]) or sum(has_cjk(c.words[-1]) for c in table.columns) > len(table.columns) / 2:
        return replace(table, words=(_chinese_noun(table, "" if key is None else key.words[-1], concepts_of),))
    if key is None or not key.words[-1].isascii():
        return table
    head = tuple(word for word in key.words if word not in KEY_WORDS)
    means_things = any(is_kind(concepts_of(table.words), kind) for kind in _THINGS)
    return table if not head or means_things or set(head) & set(table.words) else replace(table, words=head)


def _chinese_noun(table: TableInfo, key: str, concepts_of: ConceptsOf) -> str:
    """What the rows of an exported table are called: 订单 for 订单导出 or a key 订单编号, else records of it.

    The person in front of what rows are about is left out: there are fewer students than 学生成绩.
    """
    name = "".join(word for word in table.words if has_cjk(word))
    core = _EXPORTED.sub("", name)
    parts = name_parts((core,))
    if (
        len(parts) > 1
        and parts[0].first == 0 < parts[-1].first
        and is_kind(frozenset((parts[0].sense.concept,)), "person")
    ):
        core = core[parts[0].last :]
    if any(column.words == (core,) for column in table.columns):
        return f"{core}记录"
    head = next((key.removesuffix(end) for end in KEY_ENDS if has_cjk(key) and key.endswith(end)), "")
    head = _OF_MONEY.sub("", head)
    if head:
        return core if head in core or (core and head.startswith(core[-2:])) else head
    if core and any(is_kind(concepts_of((core,)), kind) for kind in ("person", "place")):
        return core
    return name if name.endswith("记录") else f"{core}记录"


def _with_concepts(table: TableInfo, concepts_of: ConceptsOf) -> TableInfo:
    return replace(
        table,
        concepts=concepts_of(table.words),
        columns=tuple(replace(column, concepts=_concepts_of(column, concepts_of)) for column in table.columns),
        amount=amount_of(table),
    )


def _concepts_of(column: ColumnInfo, concepts_of: ConceptsOf) -> frozenset[str]:
    """The concepts of a column; units of measure, as the values of 单位 show, are no organisations."""
    concepts = concepts_of(column.words)
    values = [value for value, _ in column.values]
    counted = all(isinstance(value, str) and (value in spoken().measures or canonical_unit(value)) for value in values)
    return frozenset(("unit",)) if "unit" in concepts and values and counted else concepts
