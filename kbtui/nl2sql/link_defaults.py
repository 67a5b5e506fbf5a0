"""Links for words that no name has: any date for ``joined``, any money for ``revenue``, the rows for ``payments``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import Sense, is_kind, lexicon, senses_of
from kbtui.nl2sql.link_people import rows_as_people
from kbtui.nl2sql.listing import row_names
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.spans import Span
from kbtui.nl2sql.text_values import canonical_unit
from kbtui.question.model import TokenSpan

_DATE_OF_TABLE: Final = 0.45
_ALL_MONEY: Final = 0.5
_PEOPLE: Final = 0.62
_OF_UNIT: Final = 0.55
_MAX_OF_UNIT: Final = 4
"""Columns of one unit from which the unit alone tells nothing."""
_TRANSACTIONS: Final = frozenset(("transaction", "payment", "sale", "order", "purchase"))
"""Concepts of the rows of a file whose name says nothing, if they have an amount and a date."""
_IDENTIFYING: Final = 0.85
_NAME_KINDS: Final = frozenset(("name", "generic"))
"""Kinds of words that ask for whatever identifies a row."""
_READABLE: Final = ("name", "category", "text", "code")


def default_mentions(
    spans: Sequence[tuple[Span, tuple[bool, ...]]], catalogue: Catalogue, mentioned: frozenset[str]
) -> Iterator[Mention]:
    """Defaults for concepts that no name has: any date for ``joined``, any money for ``revenue``."""
    kinds = lexicon().kinds
    tables = [info for name, info in catalogue.tables.items() if name in mentioned] or list(catalogue.tables.values())
    for span, content in spans:
        if not any(content):
            continue
        yield from _of_unit(span, tables)
        senses = senses_of([span.chinese] if span.chinese else span.words)
        kinds_of_span = {kind for sense in senses if sense.holds is None for kind in kinds[sense.concept]}
        if "date" in kinds_of_span:
            yield from _dates_of(tables, span.at, _order_by_date(senses))
        if kinds_of_span.issuperset(_NAME_KINDS) and mentioned:
            for info in tables:
                for ref in _identifying_columns(catalogue, info):
                    yield Mention(span=span.at, kind="column", score=_IDENTIFYING, how="concept", ref=ref)
        if "person" in kinds_of_span:
            for info in tables:
                if not is_kind(info.concepts, "person") and (people := rows_as_people(catalogue, info)) is not None:
                    kind: Literal["table", "column"] = "table" if people.column == "*" else "column"
                    yield Mention(span=span.at, kind=kind, score=_PEOPLE, how="concept", ref=people)
        if len(catalogue.tables) == 1 and not _TRANSACTIONS.isdisjoint(sense.concept for sense in senses):
            yield from _transactions_of(span, tables[0])
        if "main" in kinds_of_span:
            for info in tables:
                for column in (*info.columns, *info.calculated):
                    if column.ref == info.amount or (info.amount is None and _is_money(column)):
                        yield Mention(span=span.at, kind="column", score=_ALL_MONEY, how="concept", ref=column.ref)


def _transactions_of(span: Span, table: TableInfo) -> Iterator[Mention]:
    """The rows of the only table, if each is dated and about a sum of money, as orders or payments are."""
    if table.amount is not None and table.dates and not is_kind(table.concepts, "thing"):
        yield Mention(span=span.at, kind="table", score=_PEOPLE, how="concept", ref=Ref(table.name, "*"))


def _of_unit(span: Span, tables: Sequence[TableInfo]) -> Iterator[Mention]:
    """Columns that are measured in a unit: ``kilos`` of copper are the net weight in kg."""
    word = span.chinese or (span.words[0] if len(span.words) == 1 else "")
    unit = canonical_unit(word) if word else ""
    if not unit:
        return
    columns = [column for info in tables for column in info.columns if column.unit == unit]
    if 0 < len(columns) <= _MAX_OF_UNIT:
        for column in columns:
            yield Mention(span=span.at, kind="column", score=_OF_UNIT, how="concept", ref=column.ref)


def _dates_of(tables: Sequence[TableInfo], span: TokenSpan, order: Literal["", "asc", "desc"]) -> Iterator[Mention]:
    for info in tables:
        for ref in info.dates[:2]:
            yield Mention(span=span, kind="column", score=_DATE_OF_TABLE, how="concept", ref=ref, order=order)


def _order_by_date(senses: Sequence[Sense]) -> Literal["", "asc", "desc"]:
    """The order of a superlative of time: the oldest locker has the earliest date."""
    kinds = lexicon().kinds
    return next((s.order for s in senses if s.degree == "superlative" and "date" in kinds[s.concept]), "")


def _identifying_columns(catalogue: Catalogue, table: TableInfo) -> tuple[Ref, ...]:
    """Columns that identify rows although none is called a name; empty if one is."""
    refs = row_names(catalogue, table)
    infos = [info for ref in refs if (info := catalogue.column(ref)) is not None]
    readable = all(info.kind in _READABLE and not is_kind(info.concepts, "name") for info in infos)
    return refs if readable else ()


def _is_money(column: ColumnInfo) -> bool:
    return column.kind in ("measure", "rate") and is_kind(column.concepts, "money")
