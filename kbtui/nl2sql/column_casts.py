"""Casts of text columns to the numbers that their text stands for, in each dialect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from kbtui.nl2sql.durations import CLOCK, TYPED
from kbtui.nl2sql.text_values import SIZES

if TYPE_CHECKING:
    from kbtui.nl2sql.catalogue import ColumnInfo

_MISLEADING_UNIT: Final = re.compile(r"m[23]\b|^[^\W\d]+\.(?=\s*\d)")
_SIZED: Final = re.compile(r"\d(?:[KMB]|k)$")
_DEFAULT_SIGNS: Final = "$€£¥,% "
"""Characters around the digits if no value is known."""


def cast_number(column: exp.Expr, info: ColumnInfo, dialect: str) -> exp.Expr:
    """The number that text stands for, without currency signs, separators and units; NULL for other text.

    Of a duration these are the seconds.
    """
    if info.date_format:
        return _duration(column, info.date_format)
    texts = [str(value) for value, _ in info.values]
    comma = _decimal_comma(texts)
    bare: exp.Expr = column
    # Digits of units such as m2 do not belong to the number, nor does the point of Rs.
    for unit in sorted({unit for text in texts for unit in _MISLEADING_UNIT.findall(text)}):
        bare = _replaced(bare, unit, "")
    if any("−" in text for text in texts):
        bare = _replaced(bare, "−", "-")
    if dialect == "sqlite":
        number = _number_sqlite(column, bare, texts, comma)
    else:
        number = _number_by_pattern(bare, comma, dialect)
    number = _multiplied(number, column, texts)
    if not any(text.strip().startswith("(") for text in texts):
        return number
    # Accountants write negative numbers in parentheses: (1,234).
    negative = exp.Like(this=column.copy(), expression=exp.Literal.string("(%"))
    return exp.Case().when(negative, exp.Neg(this=number.copy())).else_(number)


def _multiplied(number: exp.Expr, column: exp.Expr, texts: Sequence[str]) -> exp.Expr:
    """The number times what the letter behind it stands for, as in 1.2K, if the column has such letters."""
    letters = {text[-1].upper() for text in texts if text and _SIZED.search(text)}
    if not letters:
        return number
    size = exp.Case()
    for letter in sorted(letters):
        ends = exp.Like(this=exp.Upper(this=column.copy()), expression=exp.Literal.string(f"%{letter}"))
        size = size.when(ends, exp.Literal.number(int(SIZES[letter])), copy=False)
    return exp.Mul(this=number, expression=size.else_(exp.Literal.number(1)))


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
    return exp.TryCast(this=bare, to=data_type("DOUBLE"))


def data_type(name: str) -> Any:
    """A type by its name, for `exp.TryCast`."""
    return exp.DataType.build(name)


def _replaced(text: exp.Expr, old: str, new: str) -> exp.Expr:
    return exp.Replace(this=text, expression=exp.Literal.string(old), replacement=exp.Literal.string(new))


def _decimal_comma(texts: Sequence[str]) -> bool:
    decimals = any(re.search(r"\d,\d{1,2}(?!\d)", text) for text in texts)
    return decimals and not any(re.search(r"\.\d{1,2}(?!\d)", text) for text in texts)


def _duration(column: exp.Expr, form: str) -> exp.Expr:
    """The seconds that text of a form stands for; NULL for empty text."""
    if form == TYPED:
        return exp.Extract(this=exp.var("EPOCH"), expression=column)
    if form == CLOCK:
        colon = _position(column, ":")
        parts = [_part(column, exp.Literal.number(1), exp.Sub(this=colon, expression=exp.Literal.number(1)))]
        for offset in (1, 4):
            start = exp.Add(this=colon.copy(), expression=exp.Literal.number(offset))
            parts.append(_part(column, start, exp.Literal.number(2)))
        filled: exp.Expr = exp.GT(this=colon.copy(), expression=exp.Literal.number(0))
    else:
        hours, minutes = form.removeprefix("%H").split("%M")
        parts = [_before(column, hours, ""), _before(column, minutes, hours)]
        filled = exp.NEQ(this=column.copy(), expression=exp.Literal.string(""))
    terms = [
        exp.Mul(this=part, expression=exp.Literal.number(size))
        for part, size in zip(parts, (3600, 60, 1), strict=False)
    ]
    total: exp.Expr = terms[0]
    for term in terms[1:]:
        total = exp.Add(this=total, expression=term)
    return exp.Case().when(filled, total)


def _before(column: exp.Expr, mark: str, previous: str) -> exp.Expr:
    """The number before a mark and behind the previous one; 0 where there is no such mark."""
    place = _position(column, mark)
    start: exp.Expr = exp.Literal.number(1)
    length: exp.Expr = exp.Sub(this=place.copy(), expression=exp.Literal.number(1))
    if previous:
        behind = _position(column, previous)
        jump = exp.Literal.number(len(previous))
        start = exp.Case().when(exp.GT(this=behind, expression=exp.Literal.number(0)), behind + jump).else_(start)
        length = exp.Sub(this=place.copy(), expression=exp.paren(start.copy()))
    found = exp.GT(this=place, expression=exp.Literal.number(0))
    return exp.Case().when(found, _part(column, start, length)).else_(exp.Literal.number(0))


def _position(column: exp.Expr, mark: str) -> exp.Expr:
    return exp.StrPosition(this=column.copy(), substr=exp.Literal.string(mark))


def _part(column: exp.Expr, start: exp.Expr, length: exp.Expr) -> exp.Expr:
    part = exp.Substring(this=column.copy(), start=start.copy(), length=length.copy())
    return exp.cast(exp.Trim(this=part), "INT")
