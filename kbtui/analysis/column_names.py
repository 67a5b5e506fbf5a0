"""Names of result columns as people say them: ``SUM("amount")`` is the total amount, in a title and on an axis."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from kbtui.text.language import Language
from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_in

_QUOTES = re.compile(r"[\"`\[\]]")
_CALL = re.compile(r"(?P<name>[A-Za-z_]+)\s*\((?P<inside>.*)\)", re.S)
_DISTINCT = re.compile(r"distinct\s+", re.I)
_QUALIFIED = re.compile(r"(?:\w+\.)+(\w+)")
_CAST = re.compile(r"\s*::\s*\w+|\s+as\s+\w+$", re.I)
_PATTERN = re.compile(r"'([^']*)'")
_PLAIN = re.compile(r"\w+")


def said(name: str, language: Language = "en") -> str:
    """A column's name in words; an expression that is none of the usual ones stays as it is, without its quotes."""
    text = _CAST.sub("", _QUOTES.sub("", one_line(name))).strip()
    call = _CALL.fullmatch(text)
    if call is None:
        return _plain(text)
    function, inside = call["name"].lower(), call["inside"].strip()
    if function == "count":
        if inside in ("*", "1", ""):
            return _word("count", language)
        key = "distinct" if _DISTINCT.match(inside) else "count_of"
        return _word(key, language, _plain(_DISTINCT.sub("", inside)))
    if function in ("sum", "total", "avg", "min", "max"):
        return _word(function, language, _plain(_DISTINCT.sub("", inside)))
    if function in ("strftime", "date_trunc", "date_format", "to_char"):
        pattern = _PATTERN.search(inside)
        unit = _tables()["times"].get(pattern[1]) if pattern else None
        column = _PATTERN.sub("", inside).strip(" ,")
        if unit is not None:
            return _word(unit, language, _plain(column))
    if function in ("year", "month", "quarter", "week", "day", "hour"):
        return _word(function, language, _plain(inside))
    return text


def _plain(text: str) -> str:
    """``T1.unit_price`` as ``unit price``; anything but a name as it is."""
    text = _QUALIFIED.sub(r"\1", text.strip())
    return text.replace("_", " ").strip() or text if _PLAIN.fullmatch(text) else text


def _word(key: str, language: Language, x: str = "") -> str:
    return str(_tables()["columns"][key][language == "zh"]).format(x=x)


def titled(key: str, language: Language, **parts: object) -> str:
    """A phrase of titles and notes, filled in."""
    return str(_tables()["titles"][key][language == "zh"]).format(**parts)


@cache
def _tables() -> dict[str, Any]:
    return toml_in(__package__, "chart_titles.toml")
