"""Names of result columns as people say them: ``SUM("amount")`` is the total amount, in a title and on an axis."""

from __future__ import annotations

import re
from typing import Final, Literal

from kbtui.text.terminal import one_line

_QUOTES = re.compile(r"[\"`\[\]]")
_CALL = re.compile(r"(?P<name>[A-Za-z_]+)\s*\((?P<inside>.*)\)", re.S)
_DISTINCT = re.compile(r"distinct\s+", re.I)
_QUALIFIED = re.compile(r"(?:\w+\.)+(\w+)")
_CAST = re.compile(r"\s*::\s*\w+|\s+as\s+\w+$", re.I)
_PATTERN = re.compile(r"'([^']*)'")
_PLAIN = re.compile(r"\w+")

_TIMES: Final = {
    "%Y-%m-%d": "day",
    "%Y-%m": "month",
    "%Y": "year",
    "%m": "month",
    "%W": "week",
    "%w": "weekday",
    "%H": "hour",
    "day": "day",
    "week": "week",
    "month": "month",
    "quarter": "quarter",
    "year": "year",
}
_WORDS: Final[dict[str, tuple[str, str]]] = {
    "count": ("count", "数量"),
    "count_of": ("number of {x}", "{x}的数量"),
    "distinct": ("number of different {x}", "不同{x}的数量"),
    "sum": ("total {x}", "{x}合计"),
    "total": ("total {x}", "{x}合计"),
    "avg": ("average {x}", "平均{x}"),
    "min": ("lowest {x}", "最低{x}"),
    "max": ("highest {x}", "最高{x}"),
    "day": ("day of {x}", "{x}（日）"),
    "week": ("week of {x}", "{x}（周）"),
    "weekday": ("weekday of {x}", "{x}（星期）"),
    "month": ("month of {x}", "{x}（月）"),
    "quarter": ("quarter of {x}", "{x}（季度）"),
    "year": ("year of {x}", "{x}（年）"),
    "hour": ("hour of {x}", "{x}（小时）"),
}


def said(name: str, language: Literal["en", "zh"] = "en") -> str:
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
        unit = _TIMES.get(pattern[1]) if pattern else None
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


def _word(key: str, language: Literal["en", "zh"], x: str = "") -> str:
    return _WORDS[key][language == "zh"].format(x=x)
