"""Infers the kind of a column from its name, verified by its values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from msgspec import Struct

from kbtui import late_patterns
from kbtui.domain.analysis import Column
from kbtui.nl2sql.boolean_words import yes_no_pairs
from kbtui.nl2sql.catalogue import Kind
from kbtui.nl2sql.column_statistics import ColumnStatistics
from kbtui.nl2sql.durations import CLOCK, TYPED
from kbtui.nl2sql.name_hints import is_count_of, suggested, unit_of
from kbtui.nl2sql.text_values import TextForm, form_of, unix_form

_NUMERIC: Final = ("integer", "number")
_MAX_CATEGORIES: Final = 60
_STRONG: Final = 0.7
"""Score of `suggested` for the last word of a name, or for the last two characters of a Chinese one."""
_CODE: Final = late_patterns.pattern(r"^(?=\S*\d)[A-Za-z]{0,5}[-_/#.]?[\dA-Za-z]+(?:[-_/.:][\dA-Za-z]+)*$")
_CLOCK: Final = late_patterns.pattern(r"^\d{1,2}:\d{2}(:\d{2})?$")
_PROSE_LENGTH: Final = 45
"""Mean number of characters from which texts are prose, not names."""


class InferredKind(Struct, frozen=True):
    """A kind with what was learned from the values; for the fields see `ColumnInfo`."""

    kind: Kind
    form: TextForm | None = None
    unit: str = ""
    scale: int = 0
    low: float | date | None = None
    high: float | date | None = None
    has_time: bool = False


class Evidence(Struct, frozen=True):
    """The input for the kind of a column."""

    column: Column
    words: tuple[str, ...]
    statistics: ColumnStatistics
    siblings: frozenset[str]
    """Words of the other columns of the table."""
    referring: bool = False
    """Whether it refers to the key of a table."""
    parents: frozenset[int] = frozenset()
    """Numbers of rows of the tables that its table refers to."""
    is_only_key: bool = False
    """Whether it is the only declared key."""
    is_named_as_table: bool = False
    """Whether it has the name of its table: the club of clubs."""
    engine_reads_dates: bool = False
    """Whether the engine itself reads dates from ISO text."""

    @property
    def texts(self) -> list[str]:
        """Its values as text."""
        return [str(value) for value, _ in self.statistics.values]

    @property
    def numbers_parts(self) -> bool:
        """Whether it numbers the parts of a parent from 1 on: each invoice has a line 1, fewer have a line 2."""
        row_counts = dict(self.statistics.values)
        if (
            not self.statistics.complete
            or len(row_counts) < 2
            or row_counts.get(1, 0) not in self.parents - {self.statistics.rows}
        ):
            return False
        counts = [row_counts.get(number, 0) for number in range(1, len(row_counts) + 1)]
        return all(counts) and counts == sorted(counts, reverse=True)

    @property
    def unique(self) -> bool:
        """Whether all counted values are distinct."""
        statistics = self.statistics
        return statistics.distinct is not None and statistics.filled > 1 and statistics.distinct >= statistics.filled


def kind_of(evidence: Evidence) -> InferredKind:
    """The kind of a column, with what its values are."""
    column, statistics = evidence.column, evidence.statistics
    # The key of a table may also be its name, which says more.
    if evidence.is_only_key and not (column.kind == "text" and suggested(evidence.words, "name") == 1.0):
        return InferredKind("key")
    if evidence.referring:
        return InferredKind("reference")
    if column.kind == "boolean" or _is_flag(evidence):
        return InferredKind("flag")
    if column.kind in ("date", "datetime"):
        return _typed_date(evidence)
    if column.kind in _NUMERIC:
        return _number(evidence)
    if column.kind == "other":
        if _TIME_TYPE.match(column.type) and _names_quantity(evidence.words):
            return _number(evidence, TextForm("number", TYPED, "second"))
        return InferredKind("other")
    form = form_of(value for value, _ in statistics.values)
    if form is not None and form.encoding == "date":
        return _encoded_date(form, form.low, form.high, engine=evidence.engine_reads_dates)
    if form is not None and _is_quantity(evidence, form):
        # SQLite, the only engine with text in columns of type TIME, reads dates in text itself.
        is_typed = form.date_format and _TIME_TYPE.match(column.type) and not evidence.engine_reads_dates
        return _number(evidence, form._replace(date_format=TYPED) if is_typed else form)
    return InferredKind(_text_kind(evidence))


def _is_quantity(evidence: Evidence, form: TextForm) -> bool:
    """Whether numbers in text are quantities: digits may be codes, and ``1.2`` may be a version."""
    words = evidence.words
    if form.date_format == CLOCK:
        # 09:30:00 is a time of day in one column and a duration in another.
        return _names_quantity(words)
    if form.unit:
        return True
    if _is_code_name(words):
        return False
    if suggested(words, "measure") or suggested(words, "rate") or is_count_of(words):
        return True
    if any(suggested(words, kind) == 1.0 for kind in ("name", "category", "ordinal")):
        return False
    return not all(text.strip().isdigit() for text in evidence.texts)


def _names_quantity(words: Sequence[str]) -> bool:
    return any(suggested(words, kind) for kind in ("measure", "rate", "span"))


_TIME_TYPE: Final = re.compile(r"(?:time|interval)\b", re.IGNORECASE)


def _is_flag(evidence: Evidence) -> bool:
    statistics = evidence.statistics
    values = {text.strip().lower() for text in evidence.texts if text.strip()}
    values = {value.removesuffix(".0") for value in values}
    if not values or len(values) > 2 or not any(values <= pair for pair in yes_no_pairs()):
        return False
    if statistics.values and not statistics.complete and statistics.rows:
        return False
    words = evidence.words
    is_flag_name = suggested(words, "flag") == 1.0 or _is_flag_name(words)
    if words[-1] in _TWO_CLASSES:
        return False
    if any(not value.isdigit() for value in values):
        return len(values) == 2 or suggested(words, "flag") > 0 or is_flag_name
    if len(values) == 1:
        return is_flag_name  # A single 0 or 1 may be a number.
    counts, measures = _is_count_name(evidence.column.name, words), suggested(words, "measure")
    if statistics.filled < _FEW_ROWS:
        return is_flag_name or not (counts or measures == 1.0)
    return is_flag_name or measures < 1.0 or not counts


def _is_count_name(name: str, words: Sequence[str]) -> bool:
    """Whether a name is a plural (``bags``) or a word for a number, so that 0 and 1 are quantities."""
    if not words[-1].isascii():
        return words[-1].endswith(("数", "量", "额", "费", "数目"))
    return is_count_of(words) or name.lower().endswith("s") or words[-1] in ("number", "count", "quantity", "amount")


_TWO_CLASSES: Final = frozenset({"gender", "sex", "type", "class", "性别", "类型"})
_FEW_ROWS: Final = 4
_MIN_SERIAL: Final = 20
"""Rows from which distinct numbers without gaps are no coincidence."""
_MAX_GAPS: Final = 1.5
"""Range of serial numbers relative to how many there are, at most."""


def _is_flag_name(words: Sequence[str]) -> bool:
    return words[0] in ("is", "has", "was", "can") or words[-1] in ("flag", "yn") or "是否" in words[0]


def _typed_date(evidence: Evidence) -> InferredKind:
    form = form_of(evidence.texts)
    low, high = (_date(value) for value in (evidence.statistics.low, evidence.statistics.high))
    engine = evidence.engine_reads_dates or not _is_text_type(evidence.column)
    if form is None or form.encoding != "date":
        return InferredKind("date", low=low, high=high, has_time=evidence.column.kind == "datetime")
    if engine and not _is_text_type(evidence.column) and not evidence.engine_reads_dates:
        form = TextForm("date", has_time=form.has_time, low=form.low, high=form.high)
    kinded = _encoded_date(form, low or form.low, high or form.high, engine=engine)
    return InferredKind("date", form=kinded.form, low=kinded.low, high=kinded.high, has_time=form.has_time)


def _is_text_type(column: Column) -> bool:
    return bool(re.search(r"char|text|clob|string", column.type.lower())) or not column.type


def _encoded_date(form: TextForm, low: float | date | None, high: float | date | None, *, engine: bool) -> InferredKind:
    """A date in text; ISO 8601 text that the engine reads itself is not encoded."""
    encoded = None if engine and not form.date_format else form
    return InferredKind("date", form=encoded, low=low, high=high, has_time=form.has_time)


def _date(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None


def _is_code_name(words: Sequence[str]) -> bool:
    """Whether a name is that of a code (``phone``, ``zip``, ``order number``), not of a count (``number of seats``)."""
    if not words or is_count_of(words):
        return False
    return suggested(words, "code") >= (1.0 if words[-1].isascii() else 0.6)


def _number(evidence: Evidence, form: TextForm | None = None) -> InferredKind:
    column, statistics, words = evidence.column, evidence.statistics, evidence.words
    low, high = _as_float(statistics.low), _as_float(statistics.high)
    if form is not None:
        low, high = _as_float(form.low), _as_float(form.high)
    values = [v for v in (_as_float(v) for v, _ in statistics.values) if v is not None] if form is None else []
    timestamps = unix_form(values or [v for v in (low, high) if v is not None]) if suggested(words, "date") else None
    compact_date = form_of([str(int(v)) for v in values]) if values and column.kind == "integer" else None
    if compact_date is not None and compact_date.encoding == "date" and suggested(words, "date"):
        timestamps = compact_date
    if timestamps is not None:
        return _encoded_date(timestamps, timestamps.low, timestamps.high, engine=False)
    unit = (form.unit if form else "") or unit_of(column.name, evidence.siblings)[0]
    kind = _number_kind(evidence, low, high, unit)
    scale = 0
    if kind == "rate" and (unit == "%" or "percentage" in words or _is_zh_percentage(words)):
        unit = "%"
        scale = 1 if high is not None and high <= 1.0 and (low is None or low >= -1) else 100
    return InferredKind(kind, form=form, unit=unit, scale=scale, low=low, high=high)


def _is_zh_percentage(words: Sequence[str]) -> bool:
    shares, others = ("率", "占比", "比例", "百分比"), ("汇率", "频率", "心率", "功率")
    return words[-1].endswith(shares) and not words[-1].endswith(others)


def _as_float(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


_INTENSITIES: Final = frozenset({"%", "ppm", "°C", "°F", "V", "hPa", "dB", "km/h", "mph", "m/s", "rpm", "bpm", "m3/s"})
_ENERGIES: Final = frozenset({"Wh", "kWh", "MWh"})
_POINTS: Final = frozenset({"minute", "second", "hour", "day", "week", "month"})
_ZH_PER_PIECE: Final = late_patterns.pattern(
    r"平均|^[年季月周日时人户单次场件台亩]均|^每[年季月周日天人户单次场件台亩]"
)
_PER_PIECE: Final = frozenset({"per", "average", "minimum", "maximum", "percentage", "ratio"})
_COSTS: Final = frozenset({"cost", "成本"})
_PRICES: Final = frozenset({"price", "单价", "售价", "定价", "标价", "零售价", "价格"})
_QUANTITIES: Final = frozenset({"quantity", "数量", "amount", "金额"})


def _are_integers(statistics: ColumnStatistics) -> bool:
    return bool(statistics.values) and all(isinstance(v, int | float) and v == int(v) for v, _ in statistics.values)


def _is_year(words: Sequence[str], low: float, high: float) -> bool:
    """Whether integers are years: recent ones with any name, others with the name of a date."""
    if suggested(words, "measure") == 1.0:
        return False
    return 1500 <= low <= high <= 2150 or (low > 0 and 1000 < high <= 2150 and suggested(words, "date") == 1.0)


def _are_serial_numbers(evidence: Evidence, low: float | None, high: float | None) -> bool:
    """Whether integers number the rows: no two are the same, and hardly one between them is missing."""
    rows, words = evidence.statistics.filled, evidence.words
    if low is None or high is None or not evidence.unique or rows < _MIN_SERIAL:
        return False
    has_other_name = any(suggested(words, kind) for kind in ("measure", "rate", "date", "ordinal"))
    return not has_other_name and high - low < _MAX_GAPS * rows


def _number_kind(evidence: Evidence, low: float | None, high: float | None, unit: str) -> Kind:
    words, statistics = evidence.words, evidence.statistics
    is_integer = evidence.column.kind == "integer"
    if is_count_of(words):
        return "measure"
    if _is_code_name(words) or (is_integer and (evidence.numbers_parts or _are_serial_numbers(evidence, low, high))):
        return "code"
    if (
        low is not None
        and high is not None
        and _is_year(words, low, high)
        and (is_integer or _are_integers(statistics))
    ):
        return "rate"
    has_few_values = statistics.distinct is not None and statistics.complete and statistics.distinct <= 31
    if is_integer and has_few_values and suggested(words, "ordinal") >= _STRONG and unit == "":
        return "category"
    if unit in _INTENSITIES or _PER_PIECE & set(words) or _ZH_PER_PIECE.search(words[-1]) or words[:-1] == ("unit",):
        return "rate"
    if words[-1] in _COSTS and evidence.siblings & _PRICES and not evidence.siblings & _QUANTITIES:
        return "rate"  # In a list of products, what one costs stands beside its price.
    if evidence.column.name.lower() in _POINTS:
        return "rate"  # A point in time; a plural such as ``minutes`` is a duration.
    rate, measure = suggested(words, "rate"), suggested(words, "measure")
    if words[-1] == "weight" or words[-1] in ("体重",):
        return "rate" if evidence.siblings & {"height", "age", "birth", "sex", "身高", "年龄"} else "measure"
    if rate >= max(measure, 0.6) and unit not in _ENERGIES:
        return "rate"
    if measure:
        return "measure"
    if is_integer and suggested(words, "category") >= _STRONG and (has_few_values or not statistics.rows):
        return "category"
    if evidence.unique and is_integer and words[-1] in ("key", "id"):
        return "code"
    if not is_integer and low is not None and high is not None and low >= 0 and high <= 1 and statistics.filled > 5:
        return "rate"
    return "measure"


def _text_kind(evidence: Evidence) -> Kind:
    words, statistics = evidence.words, evidence.statistics
    texts = [text for text in evidence.texts if text.strip()]
    mean_length = sum(map(len, texts)) / len(texts) if texts else 0.0
    if texts and sum(map(bool, map(_CLOCK.match, texts))) >= 0.9 * len(texts):
        return "other"
    distinct = statistics.distinct if statistics.distinct is not None else len(texts)
    rows_per_value = statistics.filled / distinct if statistics.filled and distinct else 0.0
    if _is_code_name(words) and not (words[-1] == "number" and mean_length > 12):
        # A code whose values are whole words is a category to readers.
        is_words = (
            rows_per_value >= 1.5
            and mean_length > 4.5
            and all(re.fullmatch(r"[^\W\d]+(?: [^\W\d]+)*", text) for text in texts)
        )
        return "category" if is_words and words[-1] == "code" else "code"
    if suggested(words, "date") == 1.0 and words[-1] in ("date", "datetime", "日期"):
        return "text"
    prose = suggested(words, "text")
    if (
        mean_length > _PROSE_LENGTH
        or (prose >= 1.0 and mean_length > 25)
        or (prose >= 0.7 and not words[-1].isascii() and mean_length > 8)
    ):
        return "text"
    name, category = suggested(words, "name"), suggested(words, "category")
    if prose == 1.0 and not evidence.unique and rows_per_value < 2 and mean_length > 12:
        return "text"
    if words[-1] == "title" and {"last", "name"} <= evidence.siblings:
        # In a table of persons with last names, a title is that of a post.
        return "category"
    if evidence.is_named_as_table and evidence.unique:
        return "name"
    has_many_values = distinct > _MAX_CATEGORIES and (evidence.unique or name == category)
    if category and category >= name and not has_many_values:
        return "category"
    if name >= 1.0 or (name >= 0.6 and not words[-1].isascii()):
        return "name"
    if (
        texts
        and mean_length <= 40
        and sum(map(bool, map(_CODE.match, texts))) >= 0.9 * len(texts)
        and (rows_per_value < 3 or distinct > _MAX_CATEGORIES)
    ):
        return "code"
    if statistics.rows and distinct and (rows_per_value >= 3 or (rows_per_value >= 1.5 and distinct <= 12)):
        return "category" if distinct <= _MAX_CATEGORIES or rows_per_value >= 20 else "name"
    if prose:
        return "text" if mean_length > 12 or not evidence.unique else "name"
    return "name" if texts and mean_length <= _PROSE_LENGTH else "text"
