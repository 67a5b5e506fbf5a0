"""The kind of a column: what its name suggests, checked on its values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from kbtui import late_patterns
from kbtui.domain.analysis import Column
from kbtui.nl2sql.boolean_words import truths
from kbtui.nl2sql.catalogue import Kind
from kbtui.nl2sql.column_statistics import Measured
from kbtui.nl2sql.names import bracketed
from kbtui.nl2sql.text_values import TextForm, canonical_unit, form_of, unix_form
from kbtui.text.inflection import lemma
from kbtui.text.word_lists import toml_in

_NUMERIC: Final = ("integer", "number")
_MOST_CATEGORIES: Final = 60
_CLEARLY: Final = 0.7
"""What the last word of a name suggests, or the last two characters of a Chinese one."""
_CODE: Final = late_patterns.pattern(r"^(?=\S*\d)[A-Za-z]{0,5}[-_/#.]?[\dA-Za-z]+(?:[-_/.:][\dA-Za-z]+)*$")
_CLOCK: Final = late_patterns.pattern(r"^\d{1,2}:\d{2}(:\d{2})?$")
_LONG: Final = 45
"""Characters from which a text is prose rather than a name, on average."""


@lru_cache(maxsize=1)
def word_lists() -> dict[str, dict[str, Any]]:
    """`columns.toml`, with the words of every list split; of Chinese ones the longest first."""
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
    """How strongly a name suggests a kind: 1 by its last word, .6 by another or by the end of a Chinese one; 0 not."""
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


class Kinded(Struct, frozen=True):
    """A kind with what was learned of the values on the way; the fields are those of `ColumnInfo`."""

    kind: Kind
    form: TextForm | None = None
    unit: str = ""
    scale: int = 0
    low: float | date | None = None
    high: float | date | None = None
    has_time: bool = False


class Evidence(Struct, frozen=True):
    """What the kind of one column is decided on."""

    column: Column
    words: tuple[str, ...]
    measured: Measured
    siblings: frozenset[str]
    """Words of the other columns of its table."""
    referring: bool = False
    """It refers to the key of a table."""
    parents: frozenset[int] = frozenset()
    """How many rows of others those of its table refer to, by each reference."""
    only_key: bool = False
    """It alone is the declared key."""
    names_table: bool = False
    """It is called as its table is: the club of clubs."""
    engine_dates: bool = False
    """The engine reads dates out of ISO text itself."""

    @property
    def texts(self) -> list[str]:
        """Its values as text."""
        return [str(value) for value, _ in self.measured.values]

    @property
    def numbers_parts(self) -> bool:
        """It numbers parts from one on: each of the invoices has a line 1, fewer a line 2."""
        found = dict(self.measured.values)
        if not self.measured.complete or len(found) < 2 or found.get(1, 0) not in self.parents - {self.measured.rows}:
            return False
        counts = [found.get(at, 0) for at in range(1, len(found) + 1)]
        return all(counts) and counts == sorted(counts, reverse=True)

    @property
    def unique(self) -> bool:
        """No value is there twice, as far as was counted."""
        found = self.measured
        return found.distinct is not None and found.filled > 1 and found.distinct >= found.filled


def kind_of(evidence: Evidence) -> Kinded:
    """The kind of a column and what its values are."""
    column, found = evidence.column, evidence.measured
    # A table may be known by its name alone: then that is no mere key.
    if evidence.only_key and not (column.kind == "text" and suggested(evidence.words, "name") == 1.0):
        return Kinded("key")
    if evidence.referring:
        return Kinded("reference")
    if column.kind == "boolean" or _is_flag(evidence):
        return Kinded("flag")
    if column.kind in ("date", "datetime"):
        return _real_date(evidence)
    if column.kind in _NUMERIC:
        return _number(evidence)
    if column.kind == "other":
        return Kinded("other")
    form = form_of(value for value, _ in found.values)
    if form is not None and form.encoding == "date":
        return _as_date(form, form.low, form.high, engine=evidence.engine_dates)
    if form is not None and _is_figure(evidence, form):
        return _number(evidence, form)
    return Kinded(_text_kind(evidence))


def _is_figure(evidence: Evidence, form: TextForm) -> bool:
    """Whether figures in text count something: digits may be codes, and ``1.2`` the name of a version."""
    words = evidence.words
    if form.unit:
        return True
    if _named_code(words):
        return False
    if suggested(words, "measure") or suggested(words, "rate") or counts_things(words):
        return True
    if any(suggested(words, kind) == 1.0 for kind in ("name", "category", "ordinal")):
        return False
    return not all(text.strip().isdigit() for text in evidence.texts)


def _is_flag(evidence: Evidence) -> bool:
    found = evidence.measured
    values = {text.strip().lower() for text in evidence.texts if text.strip()}
    values = {value.removesuffix(".0") for value in values}
    if not values or len(values) > 2 or not any(values <= pair for pair in truths()):
        return False
    if found.values and not found.complete and found.rows:
        return False
    words = evidence.words
    named = suggested(words, "flag") == 1.0 or _truth_name(words)
    if words[-1] in _TWO_CLASSES:
        return False
    if any(not value.isdigit() for value in values):
        return len(values) == 2 or suggested(words, "flag") > 0 or named
    if len(values) == 1:
        return named  # Nought or one alone may be a number.
    counts, measures = _counts_by_name(evidence.column.name, words), suggested(words, "measure")
    if found.filled < _FEW_ROWS:
        return named or not (counts or measures == 1.0)
    return named or measures < 1.0 or not counts


def _counts_by_name(name: str, words: Sequence[str]) -> bool:
    """A plural (``bags``), or a word for how many: nought and one are numbers there."""
    if not words[-1].isascii():
        return words[-1].endswith(("数", "量", "额", "费", "数目"))
    return counts_things(words) or name.lower().endswith("s") or words[-1] in ("number", "count", "quantity", "amount")


_TWO_CLASSES: Final = frozenset({"gender", "sex", "type", "class", "性别", "类型"})
_FEW_ROWS: Final = 4


def _truth_name(words: Sequence[str]) -> bool:
    return words[0] in ("is", "has", "was", "can") or words[-1] in ("flag", "yn") or "是否" in words[0]


def _real_date(evidence: Evidence) -> Kinded:
    form = form_of(evidence.texts)
    low, high = (_date(value) for value in (evidence.measured.low, evidence.measured.high))
    engine = evidence.engine_dates or not _is_text_type(evidence.column)
    if form is None or form.encoding != "date":
        return Kinded("date", low=low, high=high, has_time=evidence.column.kind == "datetime")
    if engine and not _is_text_type(evidence.column) and not evidence.engine_dates:
        form = TextForm("date", has_time=form.has_time, low=form.low, high=form.high)
    kinded = _as_date(form, low or form.low, high or form.high, engine=engine)
    return Kinded("date", form=kinded.form, low=kinded.low, high=kinded.high, has_time=form.has_time)


def _is_text_type(column: Column) -> bool:
    return bool(re.search(r"char|text|clob|string", column.type.lower())) or not column.type


def _as_date(form: TextForm, low: float | date | None, high: float | date | None, *, engine: bool) -> Kinded:
    """A date in text; where the engine reads ISO 8601 itself that is no encoding."""
    encoded = None if engine and not form.date_format else form
    return Kinded("date", form=encoded, low=low, high=high, has_time=form.has_time)


def _date(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _named_code(words: Sequence[str]) -> bool:
    """``phone``, ``zip``, ``order number``; not ``number of seats``, which counts."""
    if not words or counts_things(words):
        return False
    return suggested(words, "code") >= (1.0 if words[-1].isascii() else 0.6)


def counts_things(words: Sequence[str]) -> bool:
    """``number of seats``, ``num employees``, ``人数``: a number of what the other words say."""
    if len(words) < 2 or words[0] not in ("number", "count", "total"):
        return False
    return words[1] not in ("id", "code", "key", "plate") and words[-1] not in ("id", "code")


def _number(evidence: Evidence, form: TextForm | None = None) -> Kinded:
    column, found, words = evidence.column, evidence.measured, evidence.words
    low, high = _figure(found.low), _figure(found.high)
    if form is not None:
        low, high = _figure(form.low), _figure(form.high)
    values = [value for value in (_figure(v) for v, _ in found.values) if value is not None] if form is None else []
    dates = unix_form(values or [v for v in (low, high) if v is not None]) if suggested(words, "date") else None
    packed = form_of([str(int(v)) for v in values]) if values and column.kind == "integer" else None
    if packed is not None and packed.encoding == "date" and suggested(words, "date"):
        dates = packed
    if dates is not None:
        return _as_date(dates, dates.low, dates.high, engine=False)
    unit = (form.unit if form else "") or unit_of(column.name, evidence.siblings)[0]
    kind = _number_kind(evidence, low, high, unit)
    scale = 0
    if kind == "rate" and (unit == "%" or "percentage" in words or _zh_percent(words)):
        unit = "%"
        scale = 1 if high is not None and high <= 1.0 and (low is None or low >= -1) else 100
    return Kinded(kind, form=form, unit=unit, scale=scale, low=low, high=high)


def _zh_percent(words: Sequence[str]) -> bool:
    shares, others = ("率", "占比", "比例", "百分比"), ("汇率", "频率", "心率", "功率")
    return words[-1].endswith(shares) and not words[-1].endswith(others)


def _figure(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


_INTENSITIES: Final = frozenset({"%", "ppm", "°C", "°F", "V", "hPa", "dB", "km/h", "mph", "m/s", "rpm", "bpm", "m3/s"})
_POINTS: Final = frozenset({"minute", "second", "hour", "day", "week", "month"})
_ZH_PER_PIECE: Final = late_patterns.pattern(
    r"平均|^[年季月周日时人户单次场件台亩]均|^每[年季月周日天人户单次场件台亩]"
)
_PER_PIECE: Final = frozenset({"per", "average", "minimum", "maximum", "percentage", "ratio"})


def _are_whole(found: Measured) -> bool:
    return bool(found.values) and all(isinstance(v, int | float) and v == int(v) for v, _ in found.values)


def _is_year(words: Sequence[str], low: float, high: float) -> bool:
    """Whole figures that are years: of our time whatever the name, of any time where it speaks of dates."""
    if suggested(words, "measure") == 1.0:
        return False
    return 1500 <= low <= high <= 2150 or (low > 0 and 1000 < high <= 2150 and suggested(words, "date") == 1.0)


def _number_kind(evidence: Evidence, low: float | None, high: float | None, unit: str) -> Kind:
    words, found = evidence.words, evidence.measured
    whole = evidence.column.kind == "integer"
    if counts_things(words):
        return "measure"
    if whole and (_named_code(words) or evidence.numbers_parts):
        return "code"
    if low is not None and high is not None and _is_year(words, low, high) and (whole or _are_whole(found)):
        return "rate"
    few = found.distinct is not None and found.complete and found.distinct <= 31
    if whole and few and suggested(words, "ordinal") >= _CLEARLY and unit == "":
        return "category"
    if unit in _INTENSITIES or _PER_PIECE & set(words) or _ZH_PER_PIECE.search(words[-1]) or words[:-1] == ("unit",):
        return "rate"
    if evidence.column.name.lower() in _POINTS:
        return "rate"  # When it was; ``minutes`` are how long.
    rate, measure = suggested(words, "rate"), suggested(words, "measure")
    if words[-1] == "weight" or words[-1] in ("体重",):
        return "rate" if evidence.siblings & {"height", "age", "birth", "sex", "身高", "年龄"} else "measure"
    if rate >= max(measure, 0.6):
        return "rate"
    if measure:
        return "measure"
    if whole and suggested(words, "category") >= _CLEARLY and (few or not found.rows):
        return "category"
    if evidence.unique and whole and words[-1] in ("key", "id"):
        return "code"
    if not whole and low is not None and high is not None and low >= 0 and high <= 1 and found.filled > 5:
        return "rate"
    return "measure"


def _text_kind(evidence: Evidence) -> Kind:
    words, found = evidence.words, evidence.measured
    texts = [text for text in evidence.texts if text.strip()]
    mean = sum(map(len, texts)) / len(texts) if texts else 0.0
    if texts and sum(map(bool, map(_CLOCK.match, texts))) >= 0.9 * len(texts):
        return "other"
    distinct = found.distinct if found.distinct is not None else len(texts)
    repeats = found.filled / distinct if found.filled and distinct else 0.0
    if _named_code(words) and not (words[-1] == "number" and mean > 12):
        # A code whose values are whole words is none to those who ask.
        spelt = repeats >= 1.5 and mean > 4.5 and all(re.fullmatch(r"[^\W\d]+(?: [^\W\d]+)*", text) for text in texts)
        return "category" if spelt and words[-1] == "code" else "code"
    if suggested(words, "date") == 1.0 and words[-1] in ("date", "datetime", "日期"):
        return "text"
    prose = suggested(words, "text")
    if mean > _LONG or (prose >= 1.0 and mean > 25) or (prose >= 0.7 and not words[-1].isascii() and mean > 8):
        return "text"
    name, category = suggested(words, "name"), suggested(words, "category")
    if prose == 1.0 and not evidence.unique and repeats < 2 and mean > 12:
        return "text"
    if words[-1] == "title" and {"last", "name"} <= evidence.siblings:
        # Of somebody with a name of his own it is the title of a post.
        return "category"
    if evidence.names_table and evidence.unique:
        return "name"
    many = distinct > _MOST_CATEGORIES and (evidence.unique or name == category)
    if category and category >= name and not many:
        return "category"
    if name >= 1.0 or (name >= 0.6 and not words[-1].isascii()):
        return "name"
    if (
        texts
        and mean <= 40
        and sum(map(bool, map(_CODE.match, texts))) >= 0.9 * len(texts)
        and (repeats < 3 or distinct > _MOST_CATEGORIES)
    ):
        return "code"
    if found.rows and distinct and (repeats >= 3 or (repeats >= 1.5 and distinct <= 12)):
        return "category" if distinct <= _MOST_CATEGORIES or repeats >= 20 else "name"
    if prose:
        return "text" if mean > 12 or not evidence.unique else "name"
    return "name" if texts and mean <= _LONG else "text"


_TAIL: Final = late_patterns.pattern(r"[_\s\-.]+|(?<=[\u3400-\u9fff])(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])")
_ZH_TAIL: Final = late_patterns.pattern(r"(秒|分钟|小时|公里|公斤|千克|平方米|万元|元|岁|米|吨)$")
_LETTERS: Final = {"min": "minute", "m": "m", "h": "hour", "s": "second", "v": "V"}
_EXTREMES: Final = frozenset({"price", "value", "age", "salary", "temperature", "score", "order", "bid"})


def unit_of(name: str, siblings: frozenset[str] = frozenset()) -> tuple[str, str]:
    """The unit that a name tells and the name without it: of ``实收(元)`` CNY, of ``fare_eur`` EUR, of ``hours`` hour.

    Args:
        siblings: Words of the other columns of the table: beside a maximum ``min`` is no minute.
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
    # A short sign is no word of a name; hours and minutes are.
    return unit, rest if unit and (len(tail) <= 3 or not tail.isalpha()) and tail not in ("hrs", "hr", "pct") else name
