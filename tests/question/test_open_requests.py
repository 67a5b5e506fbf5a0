from __future__ import annotations

from datetime import date

import pytest

from kbtui.question.open_requests import OpenRequest, find_open_request
from kbtui.question.reader import read


def asked(text: str) -> OpenRequest | None:
    return find_open_request(read(text, today=date(2026, 11, 20)))


@pytest.mark.parametrize(
    ("text", "intent", "direction"),
    [
        ("why did bookings rise in May", "change", "up"),
        ("what caused the drop in fares last quarter", "change", "down"),
        ("为什么五月预订变少了", "change", "down"),
        ("上个月票价上涨的原因是什么", "change", "up"),
        ("write me a short report on bookings", "report", ""),
        ("做一份预订报告", "report", ""),
        ("main cause of the delays", "report", ""),
        ("compare and explain the routes", "compare", ""),
        ("比较各条航线并解释差异", "compare", ""),
    ],
)
def test_an_open_request_is_known_by_its_words(text: str, intent: str, direction: str) -> None:
    found = asked(text)
    assert found is not None
    assert (found.intent, found.direction) == (intent, direction)


@pytest.mark.parametrize(
    "text",
    [
        "bookings by route",
        "how many fares rose in May",
        "compare fares in May and June",
        "每个月报名多少人",
        "和去年五月的票价对比",
        "不同航线的票价",
    ],
)
def test_what_one_statement_answers_is_no_open_request(text: str) -> None:
    assert asked(text) is None


def test_words_of_the_request_ask_for_nothing_and_those_of_the_subject_do() -> None:
    found = asked("write a monthly report on fares by route")
    assert found is not None
    assert [token.text for token in found.plain.tokens if token.content] == ["fares", "route"]
    assert [cue.op for cue in found.plain.cues] == ["bucket", "per"]


def test_a_reason_without_a_change_may_be_asked_of_documents_too() -> None:
    reason, change = asked("why do we book by phone"), asked("why did bookings fall")
    assert reason is not None
    assert change is not None
    assert (reason.is_unambiguous, change.is_unambiguous) == (False, True)


@pytest.mark.parametrize("text", ["how did we do last month", "how did we perform in 2025"])
def test_how_we_did_asks_for_a_report_and_for_nothing_else(text: str) -> None:
    found = asked(text)
    assert found is not None
    assert (found.intent, found.is_unambiguous) == ("report", True)


@pytest.mark.parametrize("text", ["how are you doing", "how's it going", "how are we doing"])
def test_what_is_too_vague_for_a_report_is_none_outright(text: str) -> None:
    found = asked(text)
    assert found is None or not found.is_unambiguous
