"""Columns that questions ask for and a source lacks, calculated from others: quantity times price, the amount owed.

Formulas are found by the concepts, units and kinds of their columns. A statement uses a calculated column like any
other; `expanded` puts the formula in its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from msgspec import structs
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import TIMES, Catalogue, ColumnInfo, Edge, Kind, TableInfo
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.query import Agg, AnyOf, Arith, Col, Cond, Expr, Operation, Query, Ref, Years
from kbtui.nl2sql.rewriting import map_exprs
from kbtui.nl2sql.row_facts import start_and_ends
from kbtui.text.units import currencies

_QUANTITIES: Final = frozenset(("quantity", "stock"))
_SALES: Final = frozenset(("amount", "revenue", "box_office"))
_PAID: Final = frozenset(("payment_amount",))
_DUE: Final = frozenset(("due_amount",))
_COST: Final = frozenset(("cost",))
_TENURES: Final = frozenset(("tenure", "left_on"))
"""Concepts of columns from which it is known how long people stayed."""
_SPENDING: Final = frozenset(("cost", "spend", "expense"))
_PRICE: Final = frozenset(("price",))
_OPERATOR_SIGNS: Final = {"+": "+", "-": "-", "*": "×", "/": "/"}
_RATIOS: Final = (
    ("population density", "density", "population", "area"),
    ("click through rate", "conversion", "clicks", "views"),
    ("conversion rate", "conversion", "conversion", "clicks"),
    ("return on ad spend", "roas", "revenue", "spend"),
    ("cost per click", "cost_per_click", "spend", "clicks"),
    ("cost per conversion", "cost_per_conversion", "spend", "conversion"),
    ("collection rate", "collection_rate", "payment_amount", "due_amount"),
)
"""Name and concept of a quotient, then the concepts of its numerator and denominator."""

_NON_EVENTS: Final = frozenset(("birth", "due", "expiry", "created", "updated", "last_seen"))
"""Concepts of dates that do not mark the start or end of a process."""
_MAX_OPEN: Final = 0.5
"""Share of rows without an end date from which a duration says little."""
_MAX_DURATIONS: Final = 3
_EARLIEST: Final = 1000
"""Year before which numbers are no years."""


class _Calculated(NamedTuple):
    """A calculated column of a table.

    Attributes:
        concept: Its concept in the lexicon.
        is_amount: Whether it is the amount of a row if the table has no other.
    """

    name: str
    concept: str
    kind: Kind
    formula: Expr
    is_amount: bool = False


def with_calculated(tables: Mapping[str, TableInfo], edges: Iterable[Edge], today: date) -> dict[str, TableInfo]:
    """The tables with their calculated columns as of today, by name; roles get none."""
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
    for formula in (*_ages(table, today), *_durations(table), *_formulas(table, parents)):
        words, concepts = tuple(formula.name.split()), frozenset((formula.concept,))
        if any(concepts & column.concepts and column.own == words for column in table.columns):
            continue  # The source has it.
        ref = Ref(table.name, f"={_formula_text(formula.formula)}")
        columns.append(
            ColumnInfo(
                **{"ref": ref, "kind": formula.kind, "words": words, "own": words, "concepts": concepts},  # type: ignore[arg-type]
                distinct=table.rows,
                formula=formula.formula,
            )
        )
        if amount is None and formula.is_amount:
            amount = ref
    return replace(table, calculated=tuple(columns), amount=amount)


def _ages(table: TableInfo, today: date) -> Iterator[_Calculated]:
    """Ages in years, from a date or year of birth, and how long people have been here, from the day they came."""
    birth = next((c for c in table.columns if "birth" in c.concepts and (_has_days(c) or _has_years(c, today))), None)
    if birth is not None and not any("age" in column.concepts for column in table.columns):
        until = today if birth.kind == "date" else date(today.year, 12, 31)
        yield _Calculated("age", "age", "rate", Years(Col(birth.ref), until))
    hired = next((c for c in table.columns if "hired" in c.concepts and _has_days(c)), None)
    is_told = any(c.concepts & _TENURES for c in table.columns)
    if hired is not None and not is_told and is_kind(table.concepts, "person"):
        yield _Calculated("tenure", "tenure", "rate", Years(Col(hired.ref), today))


def _durations(table: TableInfo) -> Iterator[_Calculated]:
    """Days from the first date of a row to a later one, if most rows have that.

    A table that stores durations gets none.
    """
    if any(column.kind in ("measure", "rate") and column.unit in TIMES for column in table.columns):
        return
    dates = [c for c in table.columns if isinstance(c.low, date) and _has_days(c)]
    events = sorted((c for c in dates if not c.concepts & _NON_EVENTS), key=lambda c: str(c.low))
    created = [c for c in dates if "created" in c.concepts and not c.nulls]
    if len(created) == 1 and created[0] not in events and all(event.nulls for event in events):
        # Rows of applications begin when they are created and end when they are resolved, merged or closed.
        events = [*created, *events]
    if (span := start_and_ends(events)) is not None:
        events = [span[0], *span[1]]
    for end in [c for c in events[1:] if c.nulls < _MAX_OPEN][:_MAX_DURATIONS]:
        yield _Calculated("time taken", "duration", "rate", _operation("-", end, events[0]))


def _has_days(column: ColumnInfo) -> bool:
    return column.kind == "date" and (not column.date_format or "%d" in column.date_format)


def _has_years(column: ColumnInfo, today: date) -> bool:
    low, high = column.low, column.high
    return isinstance(low, int | float) and isinstance(high, int | float) and _EARLIEST <= low <= high <= today.year


def _formulas(table: TableInfo, parents: Sequence[TableInfo]) -> Iterator[_Calculated]:
    yield from _products(table, parents)
    paid = _measure_of(table, _PAID)
    due = _measure_of(table, _DUE, excluded=paid) or _largest(table, _SALES, excluded=paid)
    if due is not None and paid is not None:
        yield _Calculated("owed", "debt_amount", "measure", _operation("-", due, paid))
    yield from _profits(table, parents)
    yield from _unit_prices(table)
    for name, concept, numerator, denominator in _RATIOS:
        dividend = _measure_of(table, frozenset((numerator,)))
        divisor = _measure_of(table, frozenset((denominator,)))
        if dividend is not None and divisor is not None and dividend != divisor:
            yield _Calculated(name, concept, "rate", _operation("/", dividend, divisor))


def _products(table: TableInfo, parents: Sequence[TableInfo]) -> Iterator[_Calculated]:
    """Quantity times price: the amount of a line if no column holds it, or the value of a stock."""
    if any(column.ref == table.amount and column.concepts & _SALES for column in table.columns):
        return  # Other products of prices would be fees or taxes.
    for owner in (table, *parents):
        for concepts in (_PRICE, _COST):
            for quantity, price in _quantities_with_price(table, owner, concepts):
                name = "cost" if concepts == _COST else "amount"
                if _is_of_stock(quantity) and owner is table:
                    yield _Calculated("stock value", "stock_value", "measure", _operation("*", quantity, price))
                elif owner is table:
                    yield _Calculated(name, name, "measure", _operation("*", quantity, price), is_amount=True)
                else:
                    yield _Calculated("value", "amount", "measure", _operation("*", quantity, price))
                return


def _quantities_with_price(
    table: TableInfo, owner: TableInfo, concepts: frozenset[str]
) -> Iterator[tuple[ColumnInfo, ColumnInfo]]:
    """Pairs of a quantity and the price of one: in the same unit, or of a countable quantity without unit."""
    prices = [c for c in owner.columns if c.kind == "rate" and c.concepts & concepts and c.unit != "%"]
    for price in prices:
        for quantity in table.columns:
            if quantity.kind != "measure":
                continue
            has_same_unit = price.unit and price.unit == quantity.unit and price.unit not in currencies()
            is_countable = (
                not quantity.unit and quantity.concepts & _QUANTITIES and (not price.unit or price.unit in currencies())
            )
            if has_same_unit or is_countable:
                yield quantity, price


def _is_of_stock(quantity: ColumnInfo) -> bool:
    """Whether a quantity is what is left of something, and not what was sold of it."""
    return "stock" in quantity.concepts and "quantity" not in quantity.concepts


def _profits(table: TableInfo, parents: Sequence[TableInfo]) -> Iterator[_Calculated]:
    """Amounts or prices minus costs."""
    rates = [c for c in table.columns if c.kind == "rate" and c.unit != "%"]
    cost = next((c for c in rates if c.concepts & _COST), None)
    price = next((c for c in rates if c.concepts & _PRICE and not c.concepts & _COST), None)
    if cost is not None and price is not None:
        yield _Calculated("margin", "margin", "rate", _operation("-", price, cost))
    sales = _measure_of(table, _SALES)
    total_cost = None if sales is None else _measure_of(table, _SPENDING, excluded=sales)
    if sales is not None and total_cost is not None:
        yield _Calculated("profit", "profit", "measure", _operation("-", sales, total_cost))
        return
    for parent in parents:
        for quantity, unit_cost in _quantities_with_price(table, parent, _COST):
            takings = Col(sales.ref) if sales is not None else _product_of(table, parent, quantity, unit_cost)
            if takings is not None:
                formula = Arith("-", takings, _operation("*", quantity, unit_cost))
                yield _Calculated("profit", "profit", "measure", formula)
                return


def _product_of(table: TableInfo, parent: TableInfo, quantity: ColumnInfo, unit_cost: ColumnInfo) -> Expr | None:
    """A sold quantity times the price of one: that of its own table, or else that of the table with the cost."""
    if _is_of_stock(quantity):
        return None
    for owner in (table, parent):
        for other, price in _quantities_with_price(table, owner, _PRICE):
            if other == quantity and price != unit_cost:
                return _operation("*", quantity, price)
    return None


def _unit_prices(table: TableInfo) -> Iterator[_Calculated]:
    """Amount divided by quantity, for tables without a price."""
    amount, quantity = _measure_of(table, _SALES), _measure_of(table, _QUANTITIES)
    if amount is not None and quantity is not None and not any(c.concepts & _PRICE for c in table.columns):
        yield _Calculated("price per unit", "price", "rate", _operation("/", amount, quantity))


def _measure_of(table: TableInfo, concepts: frozenset[str], excluded: ColumnInfo | None = None) -> ColumnInfo | None:
    """The measure of these concepts; of several the amount of the table, or None."""
    measures = [c for c in table.columns if c.kind == "measure" and c.concepts & concepts and c != excluded]
    return measures[0] if len(measures) == 1 else next((c for c in measures if c.ref == table.amount), None)


def _largest(table: TableInfo, concepts: frozenset[str], excluded: ColumnInfo | None) -> ColumnInfo | None:
    """The measure of these concepts with the highest maximum: nobody pays more than is due."""
    measures = [c for c in table.columns if c.kind == "measure" and c.concepts & concepts and c != excluded]
    return max(measures, key=lambda c: c.high if isinstance(c.high, int | float) else 0.0, default=None)


def _operation(op: Operation, left: ColumnInfo, right: ColumnInfo) -> Expr:
    return Arith(op, Col(left.ref), Col(right.ref))


def _formula_text(expr: Expr | float) -> str:
    """A formula as the name of a calculated column, which no stored column has."""
    match expr:
        case Col(ref):
            return ref.column
        case Years(arg):
            return f"age by {_formula_text(arg)}"
        case Arith(op, left, right):
            return f"{_formula_text(left)} {_OPERATOR_SIGNS[op]} {_formula_text(right)}"
    return str(expr)


def expanded(query: Query, catalogue: Catalogue) -> Query:
    """The statement with formulas for calculated columns; an average of quotients becomes a quotient of sums."""
    calculated = any(ref.column.startswith("=") for ref in query.refs())
    if not calculated and not any(True for _ in query.subqueries()):
        return query

    def formula(expr: Expr) -> Expr:
        if isinstance(expr, Col) and expr.ref.column.startswith("="):
            info = catalogue.column(expr.ref)
            return expr if info is None or info.formula is None else info.formula
        if isinstance(expr, Agg) and expr.fn in ("sum", "avg") and isinstance(expr.arg, Arith) and expr.arg.op == "/":
            numerator, denominator = expr.arg.left, expr.arg.right
            if not isinstance(denominator, int | float):
                return Arith(
                    "/",
                    structs.replace(expr, fn="sum", arg=numerator),
                    structs.replace(expr, fn="sum", arg=denominator),
                )
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
