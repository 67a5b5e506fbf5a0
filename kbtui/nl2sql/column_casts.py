"""Casts of text columns to the numbers that their text stands for, in each dialect."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

if TYPE_CHECKING:
    from kbtui.nl2sql.catalogue import ColumnInfo

_SQUARE_UNIT: Final = re.compile(r"m[23]\b")
_DEFAULT_SIGNS: Final = "$€£¥,% "
"""Characters around the digits if no value is known."""


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
