"""Casts of text columns to the dates that their text stands for, in each dialect.

SQLite has no function that reads a date in another form than ISO 8601, so that its dates are put together from the
numbers in the text; other engines have one, and regular expressions that remove what it does not know.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from sqlglot import exp

from kbtui.nl2sql.column_casts import data_type
from kbtui.nl2sql.date_formats import EPOCHS, FIELD, OR_ISO, has_time, split_clock
from kbtui.nl2sql.date_layouts import WEEKDAY
from kbtui.nl2sql.epochs import timestamp_of

if TYPE_CHECKING:
    from kbtui.nl2sql.catalogue import ColumnInfo

_MONTHS: Final = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
_PADDED: Final = {"Y": 4, "y": 2, "m": 2, "d": 2, "b": 3}
"""Number of characters of a field that is padded."""
_MIN_SAMPLES: Final = 20
"""Values that are enough to tell whether fields are padded."""
_WEEKDAY_PART: Final = rf"[ ,(]*(?:{WEEKDAY})[), ]*"
"""A weekday with what separates it."""
_ZONE_PART: Final = r"([.][0-9]+)? ?(Z|UTC|GMT|[A-Z]{3,4}|[+-][0-9]{2}:?[0-9]{2})?$"
"""A fraction of a second and a time zone."""


def cast_date(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The date or timestamp that text of the column stands for; NULL for other text.

    SQLite gets ISO 8601 text, which its functions read and which sorts correctly. Times are those that are written,
    whatever their zone.
    """
    form = info.date_format
    if form.endswith(OR_ISO):
        return _iso_or(column, info, dialect)
    if form in EPOCHS:
        return timestamp_of(column, EPOCHS[form], dialect)
    if dialect == "sqlite":
        return _iso_text(column, info) if form else column
    kind = "TIMESTAMP" if has_time(info) else "DATE"
    if not form:
        if dialect in ("postgres", "mysql"):
            return exp.cast(exp.Nullif(this=column, expression=exp.Literal.string("")), kind)
        return exp.TryCast(this=column, to=data_type(kind))
    if form.startswith("%Y%m%d"):
        # Such dates may be stored as integers.
        column = exp.cast(column, "TEXT")
    column, form = _without_noise(column, form)
    if "%Y" not in form and "%y" not in form:
        column, form = exp.Concat(expressions=[exp.Literal.string("2000年"), column], safe=True), f"%Y年{form}"
    if dialect == "duckdb":
        forms = exp.Array(expressions=[exp.Literal.string(item) for item in _format_variants(form)])
        read: exp.Expr = exp.Anonymous(this="try_strptime", expressions=[column, forms])
    else:
        read = exp.StrToTime(this=column, format=exp.Literal.string(form))
    return exp.cast(read, kind)


def _without_noise(column: exp.Expr, form: str) -> tuple[exp.Expr, str]:
    """The text and its format without weekdays, suffixes of ordinals, fractions of seconds and zones."""
    removed: list[tuple[str, str]] = []
    if "%a" in form:
        # One blank stays where the weekday was between two parts.
        removed.append((_WEEKDAY_PART, " "))
        form = re.sub(r"[ ,(]*%a[), ]*", " ", form).strip()
    if "%o" in form:
        removed.append((r"([0-9])(?:st|nd|rd|th)", r"\1"))
        form = form.replace("%o", "")
    if "%f" in form or "%Z" in form:
        removed.append((_ZONE_PART, ""))
        form = form.replace(".%f", "").replace("%Z", "")
    for pattern, by in removed:
        args = [column, exp.Literal.string(pattern), exp.Literal.string(by)]
        column = exp.Anonymous(this="regexp_replace", expressions=args)
    if removed:
        column = exp.Trim(this=column)
    return column, form


def _iso_or(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The date of text that is in ISO 8601 or in another format."""
    is_iso = exp.Like(this=column.copy(), expression=exp.Literal.string("____-__-__"))
    as_iso = replace(info, date_format="")
    other = replace(info, date_format=info.date_format.removesuffix(OR_ISO), complete=False, values=())
    dates = [cast_date(column.copy(), form, dialect) for form in (as_iso, other)]
    return exp.Case().when(is_iso, dates[0]).else_(dates[1])


@lru_cache(maxsize=200)
def _format_variants(form: str) -> tuple[str, ...]:
    """A format with variants for other dates of the column: without the time of day, with full month names."""
    forms = [form, split_clock(form)[0]]
    if "%b" in form:
        forms += [item.replace("%b", month) for month in ("%B", "%b.") for item in forms]
    return tuple(dict.fromkeys(forms))


def _iso_text(column: exp.Expr, info: ColumnInfo) -> exp.Expr:
    """The ISO 8601 text of a date text such as ``2024/3/5``, in SQLite."""
    day, clock = split_clock(info.date_format)
    is_padded = _is_padded(info, day)
    date = _date_by_position(column, day) if is_padded else _date_by_separator(column, day)
    if clock:
        time = _time_by_position(column, info, _width(day), clock) if is_padded else None
        date = exp.DPipe(this=date, expression=time or _time_part(column, clock))
    has_digit = exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*"))
    return exp.Case().when(has_digit, date)


def _time_by_position(column: exp.Expr, info: ColumnInfo, width: int, clock: str) -> exp.Expr | None:
    """The time of day behind a day of so many characters; None if it has to be looked for."""
    if clock == "%H%M%S":
        return _printf(" %02d:%02d:%02d", *(_substring(column, start, 2) for start in (9, 11, 13)))
    times = {str(value)[width:] for value, _ in info.values}
    if not clock.startswith((" %H:%M", "T%H:%M")) or any(time[3:4] not in (":", "") for time in times):
        return None
    return _substring(column, width + 1, len("T00:00:00" if "%S" in clock else "T00:00"))


@lru_cache(maxsize=200)
def _fields(form: str) -> tuple[tuple[str, str], ...]:
    """Fields of a strptime format, each with the literal text after it."""
    matches = list(FIELD.finditer(form))
    ends = [*(match.start() for match in matches[1:]), len(form)]
    return tuple((match[1], form[match.end() : end]) for match, end in zip(matches, ends, strict=True))


def _width(form: str) -> int:
    return sum(_PADDED[field] + len(literal) for field, literal in _fields(form))


def _is_padded(info: ColumnInfo, form: str) -> bool:
    """Whether all known values have every field at the same position, and there are enough of them to tell."""
    pieces = _fields(form)
    if form == "%Y%m%d":
        return True
    if any(field not in _PADDED for field, _ in pieces):
        return False
    pattern = "".join(
        (r"[A-Za-z]{3}" if field == "b" else rf"\d{{{_PADDED[field]}}}") + re.escape(literal)
        for field, literal in pieces
    )
    compiled = re.compile(rf"{pattern}(?:[ T]\d\d:\d\d.*|\d{{6}}|\D.*)?")
    dates = [text for text in (str(value) for value, _ in info.values) if any(map(str.isdigit, text))]
    return (info.complete or len(dates) >= _MIN_SAMPLES) and all(map(compiled.fullmatch, dates))


def _date_by_position(column: exp.Expr, form: str) -> exp.Expr:
    """The date from fields at fixed positions."""
    fields: dict[str, exp.Expr] = {}
    position = 1
    for field, literal in _fields(form):
        fields[field] = _substring(column, position, _PADDED[field])
        position += _PADDED[field] + len(literal)
    if "y" in fields or "b" in fields:
        return _printf("%04d-%02d-%02d", _year(fields), _month(fields), fields.get("d", _number(1)))
    parts = [fields.get("Y", exp.Literal.string("2000")), fields.get("m", exp.Literal.string("01"))]
    parts.append(fields.get("d", exp.Literal.string("01")))
    date = parts[0]
    for part in parts[1:]:
        date = exp.DPipe(this=exp.DPipe(this=date, expression=exp.Literal.string("-")), expression=part)
    return date


def _date_by_separator(column: exp.Expr, form: str) -> exp.Expr:
    """The date from fields between separators; ``printf`` reads the leading number of a text."""
    fields: dict[str, exp.Expr] = {}
    rest = column
    pieces = _fields(form)
    for index, (field, separator) in enumerate(pieces):
        fields[field] = rest
        if index == len(pieces) - 1 or not separator:
            continue
        if field == "Y":
            # Years have four digits, whatever follows.
            rest = _substring(rest, 6)
            continue
        place = exp.Anonymous(this="instr", expressions=[rest.copy(), exp.Literal.string(separator)])
        rest = _substring(rest, exp.Add(this=place, expression=_number(len(separator))))
    if "b" in fields:
        fields["b"] = _month_by_name(column)
    return _printf("%04d-%02d-%02d", _year(fields), _month(fields), fields.get("d", _number(1)))


def _time_part(column: exp.Expr, clock: str) -> exp.Expr:
    """The time of day as `` 09:05``; empty text if there is none."""
    mark = next(mark for mark in (":", "时", "点") if mark in clock)
    index = exp.Anonymous(this="instr", expressions=[column.copy(), exp.Literal.string(mark)])
    before: exp.Expr = exp.Substring(
        this=column.copy(), start=exp.Sub(this=index.copy(), expression=_number(2)), length=_number(2)
    )
    if "%I" in clock:
        # Hours count to 12, before and after noon.
        is_after_noon = exp.Like(this=exp.Upper(this=column.copy()), expression=exp.Literal.string("%PM%"))
        half = exp.Mod(this=exp.paren(exp.cast(before, "INT")), expression=_number(12))
        before = exp.Add(this=half, expression=exp.Case().when(is_after_noon, _number(12)).else_(_number(0)))
    time = _printf(" %02d:%02d", before, _substring(column, exp.Add(this=index.copy(), expression=_number(1))))
    return exp.Case().when(exp.GT(this=index, expression=_number(0)), time).else_(exp.Literal.string(""))


def _year(fields: dict[str, exp.Expr]) -> exp.Expr:
    if "Y" in fields:
        return fields["Y"]
    if "y" not in fields:
        return _number(2000)
    short = exp.cast(fields["y"], "INT")
    is_2000s = exp.LT(this=short.copy(), expression=_number(70))
    century = exp.Case().when(is_2000s, _number(2000)).else_(_number(1900))
    return exp.Add(this=short, expression=century)


def _month(fields: dict[str, exp.Expr]) -> exp.Expr:
    name = fields.get("b")
    if name is None or isinstance(name, exp.Case):
        return fields.get("m", name or _number(1))
    name_index = exp.Anonymous(this="instr", expressions=[exp.Literal.string(_MONTHS), exp.Upper(this=name.copy())])
    return exp.Div(this=exp.paren(exp.Add(this=name_index, expression=_number(2))), expression=_number(3), typed=True)


def _month_by_name(column: exp.Expr) -> exp.Expr:
    """The month number by the month name in the text."""
    case = exp.Case()
    for index in range(12):
        has_name = exp.Like(
            this=column.copy(), expression=exp.Literal.string(f"%{_MONTHS[3 * index : 3 * index + 3].lower()}%")
        )
        case = case.when(has_name, _number(index + 1), copy=False)
    return case


def _substring(text: exp.Expr, start: int | exp.Expr, length: int | None = None) -> exp.Expr:
    first = exp.convert(start) if isinstance(start, int) else start
    return exp.Substring(this=text.copy(), start=first, length=_number(length) if length else None)


def _printf(form: str, *args: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this="printf", expressions=[exp.Literal.string(form), *(arg.copy() for arg in args)])


def _number(value: int) -> exp.Expr:
    return exp.Literal.number(value)
