"""Columns that a source does not have and questions ask for: an amount of quantity and price, what is still owed.

They are found by the concepts, units and kinds of the columns that they are made of. A statement is composed with them
as with any other column; `expanded` puts the formula in their place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from msgspec import structs
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import TIMES, Catalogue, ColumnInfo, Edge, Kind, TableInfo
from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Operation, Query, Ref, Years
from kbtui.nl2sql.rewriting import map_exprs
from kbtui.text.units import currencies

_QUANTITIES: Final = frozenset(("quantity", "stock"))
_SALES: Final = frozenset(("amount", "revenue", "box_office"))
_PAID: Final = frozenset(("payment_amount",))
_DUE: Final = frozenset(("due_amount",))
_COST: Final = frozenset(("cost",))
_PRICE: Final = frozenset(("price",))
_SIGNS: Final = {"+": "+", "-": "-", "*": "×", "/": "/"}
_RATIOS: Final = (
    ("density", "density", "population", "area"),
    ("click through rate", "conversion", "clicks", "views"),
    ("conversion rate", "conversion", "conversion", "clicks"),
    ("collection rate", "collection_rate", "payment_amount", "due_amount"),
)
"""Name and concept of what is one measure over another, and the concepts of these."""

_NO_EVENT: Final = frozenset(("birth", "due", "expiry", "created", "updated", "last_seen"))
"""Concepts of dates that are no part of what happens to a row."""
_MOST_OPEN: Final = 0.5
"""Share of rows that have not come to an end, from which the time until then says little about rows."""
_MOST_DURATIONS: Final = 3


class _Made(NamedTuple):
    """A column to be.

    Attributes:
        concept: Of the lexicon, which questions call it by.
        is_amount: It is what rows are about, where no column of the source is.
    """

    name: str
    concept: str
    kind: Kind
    formula: Expr
    is_amount: bool = False


def with_calculated(tables: Mapping[str, TableInfo], edges: Iterable[Edge], today: date) -> dict[str, TableInfo]:
    """The tables with the columns that can be calculated for their rows by today; roles get none."""
    parents: dict[str, dict[str, TableInfo]] = {}
    for left, right in edges:
        if left.table != right.table and not tables[right.table].role_of:
            parents.setdefault(left.table, {})[right.table] = tables[right.table]
    return {
        name: table if table.role_of else _with_calculated(table, list(parents.get(name, {}).values()), today)
        for name, table in tables.items()
    }


def _with_calculated(table: TableInfo, parents: Sequence[TableInfo], today: date) -> TableInfo:
    columns: list[ColumnInfo] = []
    amount = table.amount
    for made in (*_ages(table, today), *_durations(table), *_formulas(table, parents)):
        words, concepts = tuple(made.name.split()), frozenset((made.concept,))
        if any(concepts & column.concepts and column.own == words for column in table.columns):
            continue  # The source has it.
        ref = Ref(table.name, f"={_written(made.formula)}")
        columns.append(
            ColumnInfo(
                **{"ref": ref, "kind": made.kind, "words": words, "own": words, "concepts": concepts},  # type: ignore[arg-type]
                distinct=table.rows,
                formula=made.formula,
            )
        )
        if amount is None and made.is_amount:
            amount = ref
    return replace(table, calculated=tuple(columns), amount=amount)


def _ages(table: TableInfo, today: date) -> Iterator[_Made]:
    """How old those are whose date of birth is known."""
    born = next((c for c in table.columns if c.kind == "date" and c.concepts == {"birth"} and _has_days(c)), None)
    if born is not None and not any("age" in column.concepts for column in table.columns):
        yield _Made("age", "age", "rate", Years(Col(born.ref), today))


def _durations(table: TableInfo) -> Iterator[_Made]:
    """Days from the first thing that happens to a row until another one, where most rows have come to that.

    A table that measures times itself gets none.
    """
    if any(column.kind in ("measure", "rate") and column.unit in TIMES for column in table.columns):
        return
    dates = [c for c in table.columns if c.kind == "date" and isinstance(c.low, date) and _has_days(c)]
    happened = sorted((c for c in dates if not c.concepts & _NO_EVENT), key=lambda c: str(c.low))
    for end in [c for c in happened[1:] if c.nulls < _MOST_OPEN][:_MOST_DURATIONS]:
        yield _Made("time taken", "duration", "rate", _of("-", end, happened[0]))


def _has_days(column: ColumnInfo) -> bool:
    return not column.date_format or "%d" in column.date_format


def _formulas(table: TableInfo, parents: Sequence[TableInfo]) -> Iterator[_Made]:
    yield from _values(table, parents)
    paid = _one(table, _PAID)
    due = _one(table, _DUE, beside=paid) or _largest(table, _SALES, beside=paid)
    if due is not None and paid is not None:
        yield _Made("owed", "debt_amount", "measure", _of("-", due, paid))
    yield from _profits(table, parents)
    yield from _unit_prices(table)
    for name, concept, over, under in _RATIOS:
        one, two = _one(table, frozenset((over,))), _one(table, frozenset((under,)))
        if one is not None and two is not None and one != two:
            yield _Made(name, concept, "rate", _of("/", one, two))


def _values(table: TableInfo, parents: Sequence[TableInfo]) -> Iterator[_Made]:
    """Quantity times price: of a line the amount where no column holds it, of a stock its value."""
    if any(column.ref == table.amount and column.concepts & _SALES for column in table.columns):
        return  # A fee or a tax would be something beside the amount.
    for owner in (table, *parents):
        for concepts in (_PRICE, _COST):
            for quantity, price in _priced(table, owner, concepts):
                name = "cost" if concepts == _COST else "amount"
                if owner is table:
                    yield _Made(name, name, "measure", _of("*", quantity, price), is_amount=True)
                else:
                    yield _Made("value", "amount", "measure", _of("*", quantity, price))
                return


def _priced(table: TableInfo, owner: TableInfo, concepts: frozenset[str]) -> Iterator[tuple[ColumnInfo, ColumnInfo]]:
    """A quantity and the price of one of it: of the same unit, else of pieces."""
    prices = [c for c in owner.columns if c.kind == "rate" and c.concepts & concepts and c.unit != "%"]
    for price in prices:
        for quantity in table.columns:
            if quantity.kind != "measure":
                continue
            same = price.unit and price.unit == quantity.unit and price.unit not in currencies()
            pieces = (
                not quantity.unit and quantity.concepts & _QUANTITIES and (not price.unit or price.unit in currencies())
            )
            if same or pieces:
                yield quantity, price


def _profits(table: TableInfo, parents: Sequence[TableInfo]) -> Iterator[_Made]:
    """What is left of a sum or a price behind its cost."""
    rates = [c for c in table.columns if c.kind == "rate" and c.unit != "%"]
    cost = next((c for c in rates if c.concepts & _COST and not c.concepts & _PRICE), None)
    price = next((c for c in rates if c.concepts & _PRICE and c != cost), None)
    if cost is not None and price is not None:
        yield _Made("margin", "margin", "rate", _of("-", price, cost))
    sales = _one(table, _SALES)
    if sales is None:
        return
    spent = _one(table, _COST, beside=sales)
    if spent is not None:
        yield _Made("profit", "profit", "measure", _of("-", sales, spent))
        return
    for parent in parents:
        for quantity, each in _priced(table, parent, _COST):
            yield _Made("profit", "profit", "measure", Arith("-", Col(sales.ref), _of("*", quantity, each)))
            return


def _unit_prices(table: TableInfo) -> Iterator[_Made]:
    """The amount of one piece, of lines that have no price."""
    amount, quantity = _one(table, _SALES), _one(table, _QUANTITIES)
    if amount is not None and quantity is not None and not any(c.concepts & _PRICE for c in table.columns):
        yield _Made("price per unit", "price", "rate", _of("/", amount, quantity))


def _one(table: TableInfo, concepts: frozenset[str], beside: ColumnInfo | None = None) -> ColumnInfo | None:
    """The measure of one of these concepts; None where there are several and none is what rows are about."""
    found = [c for c in table.columns if c.kind == "measure" and c.concepts & concepts and c != beside]
    return found[0] if len(found) == 1 else next((c for c in found if c.ref == table.amount), None)


def _largest(table: TableInfo, concepts: frozenset[str], beside: ColumnInfo | None) -> ColumnInfo | None:
    """The measure of one of these concepts that reaches highest: nobody pays more than is due."""
    found = [c for c in table.columns if c.kind == "measure" and c.concepts & concepts and c != beside]
    return max(found, key=lambda c: c.high if isinstance(c.high, int | float) else 0.0, default=None)


def _of(op: Operation, left: ColumnInfo, right: ColumnInfo) -> Expr:
    return Arith(op, Col(left.ref), Col(right.ref))


def _written(expr: Expr | float) -> str:
    """A formula as the name of its column, which no column of a source has."""
    match expr:
        case Col(ref):
            return ref.column
        case Years(arg):
            return f"age by {_written(arg)}"
        case Arith(op, left, right):
            return f"{_written(left)} {_SIGNS[op]} {_written(right)}"
    return str(expr)


def expanded(query: Query, catalogue: Catalogue) -> Query:
    """The statement with formulas for calculated columns; a ratio of groups is one of sums, not a mean of ratios."""
    calculated = any(ref.column.startswith("=") for ref in query.refs())
    if not calculated and not any(True for _ in query.subqueries()):
        return query

    def formula(expr: Expr) -> Expr:
        if isinstance(expr, Col) and expr.ref.column.startswith("="):
            info = catalogue.column(expr.ref)
            return expr if info is None or info.formula is None else info.formula
        if isinstance(expr, Agg) and expr.fn in ("sum", "avg") and isinstance(expr.arg, Arith) and expr.arg.op == "/":
            over, under = expr.arg.left, expr.arg.right
            if not isinstance(under, int | float):
                return Arith("/", structs.replace(expr, fn="sum", arg=over), structs.replace(expr, fn="sum", arg=under))
        return expr

    def nested(cond: Cond) -> Cond:
        return structs.replace(cond, right=expanded(cond.right, catalogue)) if isinstance(cond.right, Query) else cond

    def conds(items: tuple[Cond | AnyOf, ...]) -> tuple[Cond | AnyOf, ...]:
        return tuple(AnyOf(tuple(map(nested, i.conds))) if isinstance(i, AnyOf) else nested(i) for i in items)

    query = map_exprs(query, formula) if calculated else query
    return structs.replace(
        query,
        where=conds(query.where),
        having=conds(query.having),
        inner=None if query.inner is None else expanded(query.inner, catalogue),
        other=None if query.other is None else expanded(query.other, catalogue),
    )
