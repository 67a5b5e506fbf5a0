# ruff: noqa: E501 (tables read best in long lines)
"""Questions nobody would ask, read by everything that reads a question without a folder.

Whatever is typed, the readers answer, decline or raise a KbtuiError, within seconds and in few words. The cases are the
same in every run; ``make soak`` tries new ones for minutes.
"""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kbtui.analysis.calculation import pure_calculation
from kbtui.analysis.decomposition import decompose
from kbtui.analysis.hybrid_questions import split_hybrid_question
from kbtui.analysis.quick_path import quick_answer
from kbtui.analysis.request_classifier import RequestClassifier
from kbtui.data.sqlite import SqliteSource
from kbtui.domain.analysis import AnsweredStatement, Limits, Readings, Schema
from kbtui.domain.conversation import Turn
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import RetrievalHint
from kbtui.errors import KbtuiError
from kbtui.nl2sql.follow_ups import follow_up
from kbtui.nl2sql.gate import THRESHOLD
from kbtui.nl2sql.reader import QuestionReader
from kbtui.nl2sql.stages import shipped_stages
from kbtui.question.file_query import parse_file_query
from kbtui.question.followup import condense
from kbtui.reasoning.checking.numerals import normal, numbers, times
from kbtui.reasoning.offline import offline_reasoner
from kbtui.text.calendar import BeyondCalendar, add_days, add_months, earlier, months_span, shifted
from kbtui.text.numbers import read_numbers, value_of, with_digits

NOW = datetime(2026, 11, 22, 12, 30, tzinfo=UTC)
_CASES = 150
_MOST_SECONDS = 30
"""Of one question in all readers: a question that hangs a reader takes longer, a busy machine does not."""
_MOST_CHARACTERS = 20_000


@contextmanager
def _watched(question: str) -> Iterator[None]:
    """Fails where a question is not read in `_MOST_SECONDS`."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"not read in {_MOST_SECONDS} s: {question[:300]!r}")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(_MOST_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True)
class Shop:
    """A small database, and the reader of questions over it."""

    reader: QuestionReader
    schema: Schema
    source: SqliteSource

    def read(self, question: str) -> Readings:
        return self.reader.read(question, self.schema)


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    path: Path = tmp_path_factory.mktemp("data") / "shop.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER, code TEXT);
        CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers, amount REAL, rate REAL,
            order_date DATE, status TEXT);
        INSERT INTO customers VALUES (1, 'Ann', 'Paris', 30, '007'), (2, '王芳', '上海', 41, 'x''y'), (3, NULL, NULL, NULL, '');
        INSERT INTO orders VALUES (1, 1, 25000, 0.35, '2026-11-01', 'open'), (2, 2, 120.5, 35, '2025-01-31', 'paid'),
            (3, 2, NULL, NULL, NULL, NULL);
        """
    )
    connection.close()
    source = SqliteSource("shop", path)

    def ask(_name: str, sql: str) -> object:
        return source.run(sql, Limits(seconds=5), CancelToken()).rows

    reader = QuestionReader(ask, NOW.date, shipped_stages)  # type: ignore[arg-type]
    return Shop(reader, source.schema("detailed"), source)


@pytest.fixture(scope="module")
def readers(shop: Shop) -> dict[str, Callable[[str], object]]:
    """Every reader by name."""
    classifier = RequestClassifier(["shop"], {"shop": frozenset({"customers", "orders", "amount", "city"})})
    router = offline_reasoner().router
    before = ("top 5 customers by total amount", "每个城市的订单总额", "orders in 2025")
    turns = [
        Turn(query=query, standalone=query, answer="…", request_type="data_query", source="shop") for query in before
    ]

    statements = (
        "SELECT customer_id, SUM(amount) FROM orders GROUP BY customer_id ORDER BY 2 DESC LIMIT 5",
        "SELECT name FROM customers WHERE city = 'Paris' AND id NOT IN (SELECT customer_id FROM orders)",
        "SELECT COUNT(*) FROM orders WHERE order_date BETWEEN '2025-01-01' AND '2025-12-31'",
    )

    def asked_again(question: str) -> object:
        before = AnsweredStatement(source="shop", sql=statements[len(question) % len(statements)])
        found = follow_up(shop.reader, question, shop.schema, before)
        best = None if found is None else found.readings.best
        return None if best is None else shop.source.run(best.sql, Limits(seconds=5), CancelToken()).rows

    def run(question: str) -> object:
        found = shop.read(question).best
        return None if found is None else shop.source.run(found.sql, Limits(seconds=5), CancelToken()).rows

    return {
        "numbers": read_numbers,
        "digits": with_digits,
        "facts": lambda question: (numbers(normal(question)), times(normal(question))),
        "quick": lambda question: quick_answer(question, NOW),
        "classifier": classifier.classify,
        "router": lambda question: router.route(question, RetrievalHint()),
        "decomposition": decompose,
        "halves": split_hybrid_question,
        "calculation": pure_calculation,
        "files": lambda question: parse_file_query(question, NOW),
        "follow-up": lambda question: condense(question, turns),
        "data": run,
        "follow-up of data": asked_again,
    }


_HUGE = (
    "99999999",
    "9" * 20,
    "9" * 400,
    "9" * 1200,
    "1e308",
    "1e400",
    "1e-400",
    "10^400",
    "9**9**9",
    "0",
    "0000",
    "00",
    "-1",
)
_NUMBERS = st.one_of(
    st.sampled_from(_HUGE),
    st.integers(-(10**30), 10**30).map(str),
    st.floats(allow_nan=True).map(str),
    st.text("零〇一二三四五六七八九十百千万亿两半廿卅壹拾佰点负第几多倍折成", min_size=1, max_size=12),
    st.lists(
        st.sampled_from(
            [
                "one",
                "two",
                "twelve",
                "twenty",
                "hundred",
                "thousand",
                "million",
                "billion",
                "and",
                "a",
                "half",
                "dozen",
                "point",
                "third",
                "second",
                "minus",
            ]
        ),
        min_size=1,
        max_size=8,
    ).map(" ".join),
    st.text("0123456789.,_eE+-%/:^*() ²½٣１２", min_size=1, max_size=14),
    st.dates().map(str),
    st.sampled_from(
        ["0000-00-00", "9999-12-31", "10000-01-01", "2024-02-30", "24:00", "99:99", "31 february", "2024年13月45日"]
    ),
)
_FRAMES = st.sampled_from(
    """last {} days orders|total amount in the last {} months|top {} customers by amount|orders over {}|orders between {} and {}
    |customers older than {} but younger than {}|orders in {}|orders since {}|first {} orders by date|orders with rate under {} percent
    |最近{}天的订单总额|{}年的订单|{}年{}月的销售额|金额大于{}的订单|前{}名客户|{}个月前是几号|{}天后是星期几|{}加{}等于多少|年龄在{}到{}之间的客户
    |过去{}年每个月的订单数|第{}季度的订单|{}的百分之{}是多少|{}公里是多少英里|把{}分成{}份|金额超过{}元且年龄小于{}的客户数
    |what is {} times {}|{}% of {}|{} plus {}|{}^{}|sqrt({})|{} km in miles|{} feet {} in cm|{} fahrenheit in celsius|what date is it in {} days
    |what day was {} weeks ago|how many days between {} and {}|is {} a leap year|what time is {} in tokyo|{} hours from now|next {} weeks
    |loan of {} at {}% over {} years|standard deviation of {}, {}, {}|round {} to {} places|files changed in the last {} days|files larger than {} mb
    |the {} largest files|and the last {}|what about {}|only the top {}|那{}年呢|前{}个呢|how old is someone born in {}|timestamp {}|{} in binary
    |compare {} with {}|{}|what does PEP {} say|plot orders of {} by month""".replace("\n    ", "").split("|")
)


@st.composite
def _framed(draw: st.DrawFn) -> str:
    frame = draw(_FRAMES)
    while "{}" in frame:
        frame = frame.replace("{}", draw(_NUMBERS), 1)
    return frame


_PIECES = st.sampled_from(
    [
        "top",
        "5",
        "of",
        "the",
        "by",
        "each",
        "每个",
        "最高",
        "的",
        "和",
        "、",
        "orders",
        "customers",
        "amount",
        "金额",
        "城市",
        "订单",
        "'",
        '"',
        ";",
        "--",
        "/*",
        "*/",
        "%",
        "_",
        "(",
        ")",
        "[1]",
        "“",
        "”",
        "《",
        "@2024-01-01..2024",
        "\x00",
        "\x1b[31m",
        "\u202e",
        "\ufeff",
        "�",
        "🦊",
        "\n",
        "\t",
        "and",
        "or",
        "not",
        "null",
        "select",
        "drop",
        "table",
        "union",
        "不",
        "没有",
        "大于",
        "小于",
        "最近",
        "去年",
        "last",
        "year",
    ]
)
_QUESTIONS = st.one_of(
    _framed(),
    _framed(),
    _framed(),
    st.lists(st.one_of(_PIECES, _NUMBERS), max_size=14).map(" ".join),
    st.text(max_size=60),
)


def _read(readers: dict[str, Callable[[str], object]], question: str) -> None:
    with _watched(question):
        for name, reader in readers.items():
            try:
                found = reader(question)
            except KbtuiError as error:
                found = str(error)
            assert len(repr(found)) < _MOST_CHARACTERS + 60 * len(question), name


_QUIET = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
}


@given(question=_QUESTIONS)
@settings(max_examples=_CASES, derandomize=True, **_QUIET)  # type: ignore[arg-type]
def test_whatever_is_asked_is_read_without_a_fault(readers: dict[str, Callable[[str], object]], question: str) -> None:
    _read(readers, question)


@pytest.mark.soak
@given(question=_QUESTIONS)
@settings(max_examples=60_000, **_QUIET)  # type: ignore[arg-type]
def test_whatever_is_asked_for_an_hour_is_read_without_a_fault(
    readers: dict[str, Callable[[str], object]], question: str
) -> None:
    _read(readers, question)


@pytest.mark.parametrize(
    "question",
    [
        "最近99999999天的订单总额", "-2912118天后是星期几",
        "last 99999999 days", "in 10^400 years", "next 1e308 weeks", "999999999999个月前的订单",
        "0000年的订单", "9999年12月的订单", "9999年第4季度的订单", "orders in december 9999", "orders in january 0000",
        "top 99999999999999999999999 customers by age", "前99999999999999999999名客户", "9**9**9**9", "10^400 km in miles",
        "orders with amount over " + "9" * 5000, f"金额大于{'9' * 400}的订单", "files modified in the last 99999999999 days",
        f"files larger than {'9' * 400} mb", "what date is it in " + "9" * 50 + " days", "9" * 40 + "天后是几号",
        "last friday of december 9999", "年龄大于²的客户", "前³名客户", "loan of 1e308 at 1e308% over 1e308 years",
        "average of " + ", ".join(["9" * 400] * 3),
    ],
)  # fmt: skip
def test_numbers_beyond_every_limit_are_read_without_a_fault(
    readers: dict[str, Callable[[str], object]], question: str
) -> None:
    _read(readers, question)


@pytest.mark.parametrize(
    "question", ["最近99999999天的订单总额", "0000年的订单", "orders in january 0000", "最近999999999999个月的订单"]
)
def test_what_cannot_be_a_date_is_answered_by_nothing(shop: Shop, question: str) -> None:
    readings = shop.read(question)
    assert all(reading.confidence < THRESHOLD or reading.unlinked for reading in readings.readings)


@given(st.dates(), st.integers(), st.sampled_from(["day", "workday", "week", "fortnight", "month", "year", "decade"]))
@settings(max_examples=500, derandomize=True, **_QUIET)  # type: ignore[arg-type]
def test_a_day_is_shifted_to_a_day_or_the_calendar_ends(day: date, amount: int, unit: str) -> None:
    for made in (
        lambda: shifted(day, amount, unit),
        lambda: add_days(day, amount),
        lambda: add_months(day, amount),
        lambda: months_span(amount, amount, amount, amount),
    ):
        with suppress(BeyondCalendar):
            assert made()


@given(st.integers(0, 10**40))
@settings(max_examples=200, derandomize=True, **_QUIET)  # type: ignore[arg-type]
def test_what_is_earlier_than_the_calendar_is_its_first_day(amount: int) -> None:
    then = earlier(NOW, Fraction(amount), timedelta(days=30))
    assert then <= NOW
    assert then.tzinfo is NOW.tzinfo


@given(st.text(max_size=80))
@settings(max_examples=500, derandomize=True, **_QUIET)  # type: ignore[arg-type]
def test_spans_of_numbers_stand_where_they_say_and_do_not_overlap(text: str) -> None:
    at = 0
    for span in read_numbers(text):
        assert at <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == span.text
        at = span.end
    assert value_of(text) is None or len(read_numbers(text.strip())) == 1
