"""What the name of a column suggests: its kind, its unit, whether it counts things."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from kbtui import late_patterns
from kbtui.nl2sql.names import bracketed
from kbtui.nl2sql.text_values import canonical_unit
from kbtui.text.inflection import lemma
from kbtui.text.word_lists import toml_in

_TAIL: Final = late_patterns.pattern(r"[_\s\-.]+|(?<=[\u3400-\u9fff])(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])")
_ZH_TAIL: Final = late_patterns.pattern(r"(秒|分钟|小时|公里|公斤|千克|平方米|万元|元|岁|米|吨)$")
_LETTERS: Final = {"min": "minute", "m": "m", "h": "hour", "s": "second", "v": "V"}
_DURATIONS: Final = {"seconds": "second", "minutes": "minute", "hours": "hour", "days": "day"}
"""Units of names such as ``Seconds To Resolve``."""
_EXTREMES: Final = frozenset({"price", "value", "age", "salary", "temperature", "score", "order", "bid"})


@lru_cache(maxsize=1)
def word_lists() -> dict[str, dict[str, Any]]:
    """The lists of `columns.toml` as sets of lemmas; Chinese lists are tuples, longest words first."""
    raw = toml_in("kbtui.nl2sql", "columns.toml")
    lists: dict[str, dict[str, Any]] = {"units": {"in_names": frozenset(raw.pop("units")["in_names"].split())}}
    for section, entries in raw.items():
        lists[section] = {
            key: tuple(sorted(value.split(), key=len, reverse=True))
            if key.endswith("zh")
            else frozenset(map(lemma, value.split()))
            for key, value in entries.items()
        }
    return lists


def suggested(words: Sequence[str], section: str) -> float:
    """How strongly a name suggests a kind, 0 to 1: 1 by its last word, 0.6 by another word or a Chinese ending."""
    if not words:
        return 0.0
    lists = word_lists()[section]
    if not words[-1].isascii():
        if words[-1] in lists["zh"]:
            return 1.0
        ending = next((end for end in lists["zh"] if words[-1].endswith(end)), "")
        return 0.5 + 0.1 * min(len(ending), 4) if ending else 0.0
    if words[-1] in lists["en"]:
        return 1.0
    return 0.6 if any(word in lists["en"] for word in words[:-1]) else 0.0


def is_count_of(words: Sequence[str]) -> bool:
    """Whether a name is that of a count: ``number of seats``, ``num employees``, ``人数``."""
    if len(words) < 2 or words[0] not in ("number", "count", "total"):
        return False
    return words[1] not in ("id", "code", "key", "plate") and words[-1] not in ("id", "code")


def unit_of(name: str, siblings: frozenset[str] = frozenset()) -> tuple[str, str]:
    """The unit in a column name, and the name without it: ``实收(元)`` has CNY, ``fare_eur`` EUR, ``hours`` hour.

    Args:
        name: The name of the column.
        siblings: Words of the other columns of the table; next to a maximum, ``min`` is not a minute.

    Returns:
        The canonical unit, empty if there is none, and the rest of the name.
    """
    name = name.strip()
    if inside := canonical_unit(bracketed(name)):
        return inside, name
    if name.endswith(("%", "％")):
        return "%", name.rstrip("%％ _") or name
    parts = _TAIL.split(name)
    tail, rest = parts[-1].lower(), name[: -len(parts[-1])].rstrip("_ -.")
    if "per" in (part.lower() for part in parts):
        return "", name
    if len(parts) > 2 and parts[1].lower() == "to" and (time := _DURATIONS.get(parts[0].lower())):
        return time, name
    if chinese := _ZH_TAIL.search(name):
        return (canonical_unit(chinese[0]), name[: -len(chinese[0])]) if len(name) > len(chinese[0]) + 1 else ("", name)
    unit = canonical_unit(tail) if tail in word_lists()["units"]["in_names"] else ""
    if not rest:
        return unit, name
    if tail == "min" and ("maximum" in siblings or lemma(parts[0]) in _EXTREMES):
        return "", name
    if tail in ("c", "f") and lemma(parts[0]) in ("temp", "temperature", "water", "air"):
        return f"°{tail.upper()}", rest
    if tail in _LETTERS:
        return _LETTERS[tail], rest
    # A short symbol is no word of the name; hours and minutes are.
    return unit, rest if unit and (len(tail) <= 3 or not tail.isalpha()) and tail not in ("hrs", "hr", "pct") else name
