"""Expressions of each dialect for dates cut to units, for the time between dates, and for comparisons."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

if TYPE_CHECKING:
    from kbtui.nl2sql.query import Unit

DAYS_OF_YEAR: Final = 365.25
_FORMS: Final[dict[str, str]] = {"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}


def label_of(day: exp.Expr, unit: Unit, dialect: str) -> exp.Expr:
    """A date cut to a unit, as it is shown, grouped and sorted.

    Text for calendar units (``2026``, ``2026-Q1``, ``2026-03``, ``2026-03-09`` for a day and for the Monday of a week),
    a number for cyclic ones (weekday, month of the year, hour).
    """
    if unit in _FORMS:
        return exp.TimeToStr(this=day, format=exp.Literal.string(_FORMS[unit]))
    if unit == "quarter":
        return _quarter(day, dialect)
    if unit == "week":
        return _week(day, dialect)
    return figure_of(day, unit, dialect)


def figure_of(day: exp.Expr, unit: Unit, dialect: str) -> exp.Expr:
    """A date cut to a unit as a number if the unit has one (weekdays from 0 for Monday), else as its label."""
    if dialect == "sqlite":
        form = {"year": "%Y", "weekday": "%w", "month_of_year": "%m", "hour": "%H"}.get(unit)
        if form is None:
            return label_of(day, unit, dialect)
        number = exp.cast(exp.TimeToStr(this=day, format=exp.Literal.string(form)), "INT")
        if unit != "weekday":
            return number
        # SQLite counts from Sunday.
        return exp.Mod(
            this=exp.paren(exp.Add(this=number, expression=exp.Literal.number(6))), expression=exp.Literal.number(7)
        )
    if unit == "weekday":
        if dialect == "mysql":
            return exp.Anonymous(this="WEEKDAY", expressions=[day])
        if dialect == "postgres":
            iso_weekday: exp.Expr = exp.cast(exp.Extract(this=exp.var("ISODOW"), expression=day), "INT")
        else:
            iso_weekday = exp.DayOfWeekIso(this=day)
        return exp.Sub(this=iso_weekday, expression=exp.Literal.number(1))
    name = {"year": "YEAR", "month_of_year": "MONTH", "hour": "HOUR"}.get(unit)
    return exp.cast(exp.Extract(this=exp.var(name), expression=day), "INT") if name else label_of(day, unit, dialect)


def _quarter(day: exp.Expr, dialect: str) -> exp.Expr:
    year = exp.TimeToStr(this=day, format=exp.Literal.string("%Y"))
    if dialect == "sqlite":
        month = exp.cast(exp.TimeToStr(this=day.copy(), format=exp.Literal.string("%m")), "INT")
        rounded_month = exp.paren(exp.Add(this=month, expression=exp.Literal.number(2)))
        number: exp.Expr = exp.paren(exp.Div(this=rounded_month, expression=exp.Literal.number(3), typed=True))
        return exp.DPipe(this=exp.DPipe(this=year, expression=exp.Literal.string("-Q")), expression=number)
    number = exp.cast(exp.Extract(this=exp.var("QUARTER"), expression=day.copy()), "TEXT")
    return exp.Concat(expressions=[year, exp.Literal.string("-Q"), number], safe=True)


def _week(day: exp.Expr, dialect: str) -> exp.Expr:
    if dialect == "sqlite":
        modifiers = [exp.Literal.string("weekday 0"), exp.Literal.string("-6 days")]
        return exp.Anonymous(this="date", expressions=[day, *modifiers])
    form = exp.Literal.string(_FORMS["day"])
    if dialect == "mysql":
        days = exp.Anonymous(this="WEEKDAY", expressions=[day.copy()])
        return exp.TimeToStr(this=exp.DateSub(this=day, expression=days, unit=exp.var("DAY")), format=form)
    return exp.TimeToStr(this=exp.TimestampTrunc(this=day, unit=exp.var("WEEK")), format=form)


def days_between(later: exp.Expr, earlier: exp.Expr, timed: bool, dialect: str) -> exp.Expr:
    """Days from one date to another, with a fraction if they have a time of day."""
    if dialect == "sqlite":
        later_day, earlier_day = (exp.Anonymous(this="julianday", expressions=[end]) for end in (later, earlier))
        return exp.paren(exp.Sub(this=later_day, expression=earlier_day))
    if not timed:
        return exp.DateDiff(this=later, expression=earlier, unit=exp.var("DAY"))
    if dialect == "postgres":
        ends = (exp.cast(end, "TIMESTAMP") for end in (later, earlier))
        gap = exp.Sub(this=next(ends), expression=next(ends))
        seconds: exp.Expr = exp.Extract(this=exp.var("EPOCH"), expression=gap)
    else:
        seconds = exp.TimestampDiff(this=later, expression=earlier, unit=exp.var("SECOND"))
    return exp.paren(exp.Div(this=seconds, expression=exp.Literal.number("86400.0"), typed=True))


def years_until(day: exp.Expr, earlier: exp.Expr, dialect: str) -> exp.Expr:
    """Years from a date to a day, with a fraction."""
    later = day if dialect == "sqlite" else exp.cast(day, "DATE")
    days = days_between(later, earlier, False, dialect)
    return exp.paren(exp.Div(this=days, expression=exp.Literal.number(str(DAYS_OF_YEAR)), typed=True))


def comparison(op: str, left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Two expressions compared by an operator (``=``, ``!=``, ``>``, ``>=``, ``<``, ``<=``)."""
    kinds: dict[str, type[exp.Expr]] = {
        **{"=": exp.EQ, "!=": exp.NEQ, ">": exp.GT},
        **{">=": exp.GTE, "<": exp.LT, "<=": exp.LTE},
    }
    return kinds[op](this=left, expression=right)


def are_days(right: Any) -> bool:
    """Whether a literal or a tuple of literals has dates without a time of day."""
    items = right if isinstance(right, tuple) else (right,)
    return any(isinstance(item, date) and not isinstance(item, datetime) for item in items)
