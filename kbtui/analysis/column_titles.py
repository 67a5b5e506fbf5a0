"""Titles of result columns for charts: ``SUM("amount")`` is the total amount, in a title and on an axis."""

from __future__ import annotations

import re
from functools import partial

from kbtui.text.language import Language
from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_once

_tables = partial(toml_once, __package__, "chart_titles.toml")

_QUOTES = re.compile(r"[\"`\[\]]")
_CALL = re.compile(r"(?P<name>[A-Za-z_]+)\s*\((?P<inside>.*)\)", re.S)
_DISTINCT = re.compile(r"distinct\s+", re.I)
_QUALIFIED = re.compile(r"(?:\w+\.)+(\w+)")
_CAST = re.compile(r"\s*::\s*\w+|\s+as\s+\w+$", re.I)
_PATTERN = re.compile(r"'([^']*)'")
_PLAIN = re.compile(r"\w+")


def column_title(name: str, language: Language = "en") -> str:
    """The title of a column; an unusual expression stays unchanged, without its quotes."""
    text = _CAST.sub("", _QUOTES.sub("", one_line(name))).strip()
    call = _CALL.fullmatch(text)
    if call is None:
        return _spaced(text)
    function, inside = call["name"].lower(), call["inside"].strip()
    if function == "count":
        if inside in ("*", "1", ""):
            return _column_phrase("count", language)
        key = "distinct" if _DISTINCT.match(inside) else "count_of"
        return _column_phrase(key, language, _spaced(_DISTINCT.sub("", inside)))
    if function in ("sum", "total", "avg", "min", "max"):
        return _column_phrase(function, language, _spaced(_DISTINCT.sub("", inside)))
    if function in ("strftime", "date_trunc", "date_format", "to_char"):
        pattern = _PATTERN.search(inside)
        unit = _tables()["times"].get(pattern[1]) if pattern else None
        column = _PATTERN.sub("", inside).strip(" ,")
        if unit is not None:
            return _column_phrase(unit, language, _spaced(column))
    if function in ("year", "month", "quarter", "week", "day", "hour"):
        return _column_phrase(function, language, _spaced(inside))
    return text


def _spaced(text: str) -> str:
    """``T1.unit_price`` as ``unit price``; anything but a name is unchanged."""
    text = _QUALIFIED.sub(r"\1", text.strip())
    return text.replace("_", " ").strip() or text if _PLAIN.fullmatch(text) else text


def _column_phrase(key: str, language: Language, x: str = "") -> str:
    return str(_tables()["columns"][key][language == "zh"]).format(x=x)


def chart_phrase(key: str, language: Language, **parts: object) -> str:
    """A phrase of titles and notes, filled in."""
    return str(_tables()["titles"][key][language == "zh"]).format(**parts)
