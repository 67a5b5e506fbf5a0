"""Columns as what they stand for: text read as numbers and dates, dates cut to units, in the words of each dialect."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from sqlglot import exp

    from kbtui.nl2sql.catalogue import ColumnInfo
    from kbtui.nl2sql.query import Unit

_FIELD: Final = re.compile(r"%-?([A-Za-z])")
_CLOCK: Final = frozenset("HIMSpf")
_MONTHS: Final = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
_PADDED: Final = {"Y": 4, "y": 2, "m": 2, "d": 2}


def number_of(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The number that text stands for, without currency signs, separators and units; NULL for no number."""
    from sqlglot import exp

    comma = _decimal_comma(info)
    kept = "0123456789-" + ("," if comma else ".")
    # The minus of accounts, (1,234), is read where the column has it.
    accounts = any(str(value).strip().startswith("(") for value, _ in info.values)
    if dialect == "sqlite":
        odd = {char for value, _ in info.values for char in str(value) if char not in kept}
        bare: exp.Expr = column
        for char in sorted(odd | {"," if not comma else "."}):
            bare = _replaced(bare, char, "")
        bare = _replaced(bare, ",", ".") if comma else bare
        number: exp.Expr = exp.cast(bare, "REAL")
        shown: exp.Expr = exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*"))
    else:
        modifiers = exp.Literal.string("g") if dialect in ("duckdb", "postgres") else None
        bare = exp.RegexpReplace(
            this=column,
            expression=exp.Literal.string(f"[^{kept[:10]}{kept[11:]}-]"),
            replacement=exp.Literal.string(""),
            modifiers=modifiers if dialect == "duckdb" else None,
        )
        if dialect == "postgres":
            bare = exp.Anonymous(this="regexp_replace", expressions=[*_args(bare), modifiers])
        bare = exp.Nullif(this=_replaced(bare, ",", ".") if comma else bare, expression=exp.Literal.string(""))
        kind = "DECIMAL(30, 6)" if dialect == "mysql" else "DOUBLE"
        number = exp.cast(bare, kind) if dialect in ("postgres", "mysql") else exp.TryCast(this=bare, to=_type(kind))
        shown = exp.Like(this=column.copy(), expression=exp.Literal.string("%"))
    if accounts:
        negative = exp.Like(this=column.copy(), expression=exp.Literal.string("(%"))
        number = exp.Case().when(negative, exp.Neg(this=number.copy())).else_(number)
    return exp.Case().when(shown, number) if dialect == "sqlite" else number


def _args(node: Any) -> list[Any]:
    return [node.this, node.expression, node.args["replacement"]]


def _type(name: str) -> Any:
    from sqlglot import exp

    return exp.DataType.build(name)


def _replaced(text: exp.Expr, old: str, new: str) -> exp.Expr:
    from sqlglot import exp

    return exp.Replace(this=text, expression=exp.Literal.string(old), replacement=exp.Literal.string(new))


def _decimal_comma(info: ColumnInfo) -> bool:
    texts = [str(value) for value, _ in info.values]
    return any(re.search(r"\d,\d{1,2}(?!\d)", text) for text in texts) and not any(
        re.search(r"\.\d{1,2}(?!\d)", text) for text in texts
    )


def date_of(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The date or time that text of the column stands for; NULL for text that is none.

    SQLite gets ISO 8601 text, which its functions read and which compares and sorts rightly.
    """
    from sqlglot import exp

    form = info.date_format
    if dialect == "sqlite":
        return _iso_text(column, form) if form else column
    if not form:
        if dialect in ("postgres", "mysql"):
            column = exp.Nullif(this=column, expression=exp.Literal.string(""))
            return exp.cast(column, "TIMESTAMP" if has_time(info) else "DATE")
        return exp.TryCast(this=column, to=_type("TIMESTAMP" if has_time(info) else "DATE"))
    if dialect == "duckdb":
        read: exp.Expr = exp.Anonymous(this="try_strptime", expressions=[column, exp.Literal.string(form)])
    else:
        read = exp.StrToTime(this=column, format=exp.Literal.string(form))
    return read if has_time(info) else exp.cast(read, "DATE")


def has_time(info: ColumnInfo) -> bool:
    """Whether its values may be longer than a day's date, and so compare with days as later than them."""
    if info.date_format:
        return any(field in _CLOCK for field in _FIELD.findall(info.date_format))
    return info.has_time or any(len(str(value)) > 10 for value, _ in info.values[:20])


def _iso_text(column: exp.Expr, form: str) -> exp.Expr:
    """``2024/3/5`` as ``2024-03-05`` in SQLite: ``printf`` reads the number that a text begins with."""
    from sqlglot import exp

    parts: dict[str, exp.Expr] = {}
    rest, fixed = column, True
    pieces = _pieces(form)
    position = 1
    for index, (field, separator) in enumerate(pieces):
        parts[field] = rest
        if index == len(pieces) - 1:
            break
        if not separator:
            # Digits without anything between them stand at fixed places.
            parts[field] = _cut(rest, position, _PADDED.get(field, 2))
            position += _PADDED.get(field, 2)
            continue
        if position > 1:
            parts[field] = _cut(rest, position)
        found = exp.Anonymous(this="instr", expressions=[parts[field].copy(), exp.Literal.string(separator)])
        rest, position, fixed = _cut(parts[field], exp.Add(this=found, expression=_number(len(separator)))), 1, False
    if position > 1:
        parts[pieces[-1][0]] = _cut(rest, position)
    date = _printf("%04d-%02d-%02d", _year(parts, fixed), _month(parts), parts.get("d", _number(1)))
    hour = parts.get("H", parts.get("I"))
    if hour is not None:
        clock = _printf(" %02d:%02d", _hour(hour, column, "p" in parts), parts.get("M", _number(0)))
        date = exp.DPipe(this=date, expression=clock)
    return exp.Case().when(exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*")), date)


@lru_cache(maxsize=200)
def _pieces(form: str) -> tuple[tuple[str, str], ...]:
    """Fields of a strptime format, each with the text behind it; seconds and what follows are left out."""
    found = []
    spots = list(_FIELD.finditer(form))
    for spot, after in zip(spots, [*spots[1:], None], strict=True):
        behind = form[spot.end() : after.start() if after else len(form)]
        found.append((spot[1], behind))
    return tuple(found)


def _year(parts: dict[str, exp.Expr], fixed: bool) -> exp.Expr:
    from sqlglot import exp

    if "Y" in parts:
        return parts["Y"]
    short = exp.cast(_printf("%d", parts["y"]) if not fixed else parts["y"], "INT")
    century = exp.Case().when(exp.LT(this=short.copy(), expression=_number(69)), _number(2000)).else_(_number(1900))
    return exp.Add(this=short, expression=century)


def _month(parts: dict[str, exp.Expr]) -> exp.Expr:
    from sqlglot import exp

    if "m" in parts:
        return parts["m"]
    name = parts.get("b", parts.get("B"))
    if name is None:
        return _number(1)
    head = exp.Upper(this=_cut(name, 1, 3))
    spot = exp.Anonymous(this="instr", expressions=[exp.Literal.string(_MONTHS), head])
    return exp.Div(this=exp.paren(exp.Add(this=spot, expression=_number(2))), expression=_number(3), typed=True)


def _hour(hour: exp.Expr, column: exp.Expr, halves: bool) -> exp.Expr:
    from sqlglot import exp

    if not halves:
        return hour
    number = exp.Mod(this=exp.cast(_printf("%d", hour), "INT"), expression=_number(12))
    afternoon = exp.Like(this=exp.Upper(this=column.copy()), expression=exp.Literal.string("%PM%"))
    return exp.Add(this=number, expression=exp.Case().when(afternoon, _number(12)).else_(_number(0)))


def _cut(text: exp.Expr, start: int | exp.Expr, length: int | None = None) -> exp.Expr:
    from sqlglot import exp

    first = _number(start) if isinstance(start, int) else start
    return exp.Substring(this=text.copy(), start=first, length=_number(length) if length else None)


def _printf(form: str, *args: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Anonymous(this="printf", expressions=[exp.Literal.string(form), *(arg.copy() for arg in args)])


def _number(value: int) -> exp.Expr:
    from sqlglot import exp

    return exp.Literal.number(value)


_FORMS: Final[dict[str, str]] = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}


def label_of(day: exp.Expr, unit: Unit, dialect: str) -> exp.Expr:
    """A date cut to a unit, as it is shown, grouped and sorted: text for stretches of the calendar (``2026``,
    ``2026-Q1``, ``2026-03``, ``2026-03-09`` for a day and for the Monday of a week), a number for cycles."""
    from sqlglot import exp

    if unit in _FORMS:
        return exp.TimeToStr(this=day, format=exp.Literal.string(_FORMS[unit]))
    if unit == "quarter":
        return _quarter(day, dialect)
    if unit == "week":
        return _week(day, dialect)
    return figure_of(day, unit, dialect)


def figure_of(day: exp.Expr, unit: Unit, dialect: str) -> exp.Expr:
    """A date cut to a unit as a number, where the unit has one; else its label."""
    from sqlglot import exp

    if dialect == "sqlite":
        form = {"year": "%Y", "weekday": "%w", "month_of_year": "%m", "hour": "%H"}.get(unit)
        if form is None:
            return label_of(day, unit, dialect)
        number = exp.cast(exp.TimeToStr(this=day, format=exp.Literal.string(form)), "INT")
        if unit != "weekday":
            return number
        # SQLite counts from Sunday.
        return exp.Mod(this=exp.paren(exp.Add(this=number, expression=_number(6))), expression=_number(7))
    if unit == "weekday":
        if dialect == "mysql":
            return exp.Anonymous(this="WEEKDAY", expressions=[day])
        if dialect == "postgres":
            first: exp.Expr = exp.cast(exp.Extract(this=exp.var("ISODOW"), expression=day), "INT")
        else:
            first = exp.DayOfWeekIso(this=day)
        return exp.Sub(this=first, expression=_number(1))
    name = {"year": "YEAR", "month_of_year": "MONTH", "hour": "HOUR"}.get(unit)
    return exp.cast(exp.Extract(this=exp.var(name), expression=day), "INT") if name else label_of(day, unit, dialect)


def _quarter(day: exp.Expr, dialect: str) -> exp.Expr:
    from sqlglot import exp

    year = exp.TimeToStr(this=day, format=exp.Literal.string("%Y"))
    if dialect == "sqlite":
        month = exp.cast(exp.TimeToStr(this=day.copy(), format=exp.Literal.string("%m")), "INT")
        up = exp.paren(exp.Add(this=month, expression=_number(2)))
        number: exp.Expr = exp.paren(exp.Div(this=up, expression=_number(3), typed=True))
        return exp.DPipe(this=exp.DPipe(this=year, expression=exp.Literal.string("-Q")), expression=number)
    number = exp.cast(exp.Extract(this=exp.var("QUARTER"), expression=day.copy()), "TEXT")
    return exp.Concat(expressions=[year, exp.Literal.string("-Q"), number], safe=True)


def _week(day: exp.Expr, dialect: str) -> exp.Expr:
    from sqlglot import exp

    if dialect == "sqlite":
        back = [exp.Literal.string("weekday 0"), exp.Literal.string("-6 days")]
        return exp.Anonymous(this="date", expressions=[day, *back])
    form = exp.Literal.string(_FORMS["day"])
    if dialect == "mysql":
        back_days = exp.Anonymous(this="WEEKDAY", expressions=[day.copy()])
        return exp.TimeToStr(this=exp.DateSub(this=day, expression=back_days, unit=exp.var("DAY")), format=form)
    return exp.TimeToStr(this=exp.TimestampTrunc(this=day, unit=exp.var("WEEK")), format=form)


def days_between(later: exp.Expr, earlier: exp.Expr, timed: bool, dialect: str) -> exp.Expr:
    """Days from one date to another, with a fraction where they have a time of day."""
    from sqlglot import exp

    if dialect == "sqlite":
        first, second = (exp.Anonymous(this="julianday", expressions=[end]) for end in (later, earlier))
        return exp.paren(exp.Sub(this=first, expression=second))
    if not timed:
        return exp.DateDiff(this=later, expression=earlier, unit=exp.var("DAY"))
    if dialect == "postgres":
        ends = (exp.cast(end, "TIMESTAMP") for end in (later, earlier))
        gap = exp.Sub(this=next(ends), expression=next(ends))
        seconds: exp.Expr = exp.Extract(this=exp.var("EPOCH"), expression=gap)
    else:
        seconds = exp.TimestampDiff(this=later, expression=earlier, unit=exp.var("SECOND"))
    return exp.paren(exp.Div(this=seconds, expression=exp.Literal.number("86400.0"), typed=True))
