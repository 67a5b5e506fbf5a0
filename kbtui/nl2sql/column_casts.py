"""Casts of text columns to the numbers and dates that their text stands for, in each dialect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace
from sqlglot import exp

from kbtui.nl2sql.date_formats import EPOCHS, FIELD, OR_ISO, has_time
from kbtui.nl2sql.epochs import timestamp_of

if TYPE_CHECKING:
    from kbtui.nl2sql.catalogue import ColumnInfo

_SQUARE_UNIT: Final = re.compile(r"m[23]\b")
_DEFAULT_SIGNS: Final = "$€£¥,% "
"""Characters around the digits if no value is known."""
_MONTHS: Final = "JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC"
_PADDED: Final = {"Y": 4, "y": 2, "m": 2, "d": 2, "b": 3}
"""Number of characters of a field that is padded."""
_CLOCK: Final = re.compile(r" %[HI].*")
"""The time of day in a strptime format."""
_MIN_SAMPLES: Final = 20
"""Values that are enough to tell whether fields are padded."""


def cast_number(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The number that text stands for, without currency signs, separators and units; NULL for other text."""
    texts = [str(value) for value, _ in info.values]
    comma = _decimal_comma(texts)
    bare: exp.Expr = column
    # Digits of units such as m2 do not belong to the number.
    for unit in sorted({square_unit for text in texts for square_unit in _SQUARE_UNIT.findall(text)}):
        bare = _replaced(bare, unit, "")
    if any("−" in text for text in texts):
        bare = _replaced(bare, "−", "-")
    if dialect == "sqlite":
        number = _number_sqlite(column, bare, texts, comma)
    else:
        number = _number_by_pattern(bare, comma, dialect)
    if not any(text.strip().startswith("(") for text in texts):
        return number
    # Accountants write negative numbers in parentheses: (1,234).
    negative = exp.Like(this=column.copy(), expression=exp.Literal.string("(%"))
    return exp.Case().when(negative, exp.Neg(this=number.copy())).else_(number)


def _number_sqlite(column: exp.Expr, bare: exp.Expr, texts: Sequence[str], comma: bool) -> exp.Expr:
    point = "," if comma else "."
    non_digits = {char for text in texts for char in text if char != "−"} if texts else set(_DEFAULT_SIGNS)
    non_digits -= set(f"0123456789-{point}")
    for char in sorted(non_digits):
        bare = _replaced(bare, char, "")
    bare = _replaced(bare, ",", ".") if comma else bare
    has_digit = exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*"))
    return exp.Case().when(has_digit, exp.cast(bare, "REAL"))


def _number_by_pattern(bare: exp.Expr, comma: bool, dialect: str) -> exp.Expr:
    args = [bare, exp.Literal.string("[^0-9,-]" if comma else "[^0-9.-]"), exp.Literal.string("")]
    if dialect in ("duckdb", "postgres"):
        # Other engines replace all matches by default.
        args.append(exp.Literal.string("g"))
    bare = exp.Anonymous(this="regexp_replace", expressions=args)
    bare = exp.Nullif(this=_replaced(bare, ",", ".") if comma else bare, expression=exp.Literal.string(""))
    if dialect in ("postgres", "mysql"):
        return exp.cast(bare, "DECIMAL(30, 6)" if dialect == "mysql" else "DOUBLE")
    return exp.TryCast(this=bare, to=_type("DOUBLE"))


def _type(name: str) -> Any:
    return exp.DataType.build(name)


def _replaced(text: exp.Expr, old: str, new: str) -> exp.Expr:
    return exp.Replace(this=text, expression=exp.Literal.string(old), replacement=exp.Literal.string(new))


def _decimal_comma(texts: Sequence[str]) -> bool:
    decimals = any(re.search(r"\d,\d{1,2}(?!\d)", text) for text in texts)
    return decimals and not any(re.search(r"\.\d{1,2}(?!\d)", text) for text in texts)


def cast_date(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The date or timestamp that text of the column stands for; NULL for other text.

    SQLite gets ISO 8601 text, which its functions read and which sorts correctly.
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
        return exp.TryCast(this=column, to=_type(kind))
    if form.startswith("%Y%m%d"):
        # Such dates may be stored as integers.
        column = exp.cast(column, "TEXT")
    if "%Y" not in form and "%y" not in form:
        column, form = exp.Concat(expressions=[exp.Literal.string("2000年"), column], safe=True), f"%Y年{form}"
    if dialect == "duckdb":
        forms = exp.Array(expressions=[exp.Literal.string(item) for item in _format_variants(form)])
        read: exp.Expr = exp.Anonymous(this="try_strptime", expressions=[column, forms])
    else:
        read = exp.StrToTime(this=column, format=exp.Literal.string(form))
    return exp.cast(read, kind)


def _iso_or(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The date of text that is in ISO 8601 or in another format."""
    is_iso = exp.Like(this=column.copy(), expression=exp.Literal.string("____-__-__"))
    as_iso = replace(info, date_format="")
    other = replace(info, date_format=info.date_format.removesuffix(OR_ISO), complete=False, values=())
    dates = [cast_date(column.copy(), form, dialect) for form in (as_iso, other)]
    return exp.Case().when(is_iso, dates[0]).else_(dates[1])


@lru_cache(maxsize=200)
def _format_variants(form: str) -> tuple[str, ...]:
    """A format with variants for other dates of the column: without the time, with full month names."""
    forms = [form, _CLOCK.sub("", form)]
    if "%b" in form:
        day = forms[1]
        forms += [item for part in ("%b", "%B", "%b.") for item in _separator_variants(day.replace("%b", part))]
    return tuple(dict.fromkeys(forms))


def _separator_variants(form: str) -> tuple[str, ...]:
    return form, form.replace("-", " "), form.replace(",", ""), form.replace("-", " ").replace(" %Y", ", %Y")


def _iso_text(column: exp.Expr, info: ColumnInfo) -> exp.Expr:
    """The ISO 8601 text of a date text such as ``2024/3/5``, in SQLite."""
    day = _CLOCK.sub("", info.date_format)
    clock = info.date_format.removeprefix(day)
    time: exp.Expr | None = None
    if day.startswith("%Y%m%d"):
        date = _date_by_position(column, "%Y%m%d")
        if day.endswith("%S"):
            time = _printf(" %02d:%02d:%02d", *(_substring(column, start, 2) for start in (9, 11, 13)))
    elif _is_padded(info, day):
        date = _date_by_position(column, day)
        if "%p" in clock:
            time = _time_part(column, of_half_days=True)
        elif clock:
            time = _substring(column, _width(day) + 1)
    else:
        date = _date_by_separator(column, day)
        time = _time_part(column, of_half_days="%p" in clock) if clock else None
    if time is not None:
        date = exp.DPipe(this=date, expression=time)
    has_digit = exp.Glob(this=column.copy(), expression=exp.Literal.string("*[0-9]*"))
    return exp.Case().when(has_digit, date)


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
    if any(field not in _PADDED for field, _ in pieces):
        return False
    pattern = "".join(
        (r"[A-Za-z]{3}" if field == "b" else rf"\d{{{_PADDED[field]}}}") + re.escape(literal)
        for field, literal in pieces
    )
    compiled = re.compile(rf"{pattern}(?:[ T]\d\d:\d\d.*)?")
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
        needle = exp.Literal.string(separator.strip() or " ")
        separator_index = exp.Anonymous(this="instr", expressions=[rest.copy(), needle])
        rest = _substring(rest, exp.Add(this=separator_index, expression=_number(1)))
    if "b" in fields:
        fields["b"] = _month_by_name(column)
        fields |= {"Y": _substring(_day_part(column), -4)} if "Y" in fields else {}
    return _printf("%04d-%02d-%02d", _year(fields), _month(fields), fields.get("d", _number(1)))


def _day_part(column: exp.Expr) -> exp.Expr:
    """The text before the time of day."""
    colon = exp.Anonymous(this="instr", expressions=[column.copy(), exp.Literal.string(":")])
    timed = exp.GT(this=colon, expression=_number(0))
    before = exp.Substring(
        this=column.copy(), start=_number(1), length=exp.Sub(this=colon.copy(), expression=_number(3))
    )
    return exp.Trim(this=exp.Case().when(timed, before).else_(column.copy()))


def _time_part(column: exp.Expr, *, of_half_days: bool) -> exp.Expr:
    """The time of day as `` 09:05``; empty text if there is none.

    Args:
        of_half_days: Whether hours count to 12, before and after noon.
    """
    colon = exp.Anonymous(this="instr", expressions=[column.copy(), exp.Literal.string(":")])
    before: exp.Expr = exp.Substring(
        this=column.copy(), start=exp.Sub(this=colon.copy(), expression=_number(2)), length=_number(2)
    )
    if of_half_days:
        is_after_noon = exp.Like(this=exp.Upper(this=column.copy()), expression=exp.Literal.string("%PM%"))
        half = exp.Mod(this=exp.paren(exp.cast(before, "INT")), expression=_number(12))
        before = exp.Add(this=half, expression=exp.Case().when(is_after_noon, _number(12)).else_(_number(0)))
    clock = _printf(" %02d:%02d", before, _substring(column, exp.Add(this=colon.copy(), expression=_number(1))))
    timed = exp.GT(this=colon, expression=_number(0))
    return exp.Case().when(timed, clock).else_(exp.Literal.string(""))


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
