"""What is marked, by how far the model is trusted."""

from __future__ import annotations

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.checking.rows import rows_of
from kbtui.reasoning.checking.trust import MAX_ODDS, Record, Trust
from kbtui.reasoning.citing import Citations
from tests.reasoning.checking.conftest import Lines, sources

SALES = [["Rock", "826.65"], ["Latin", "382.14"], ["Jazz", "79.20"]]


def checked(markdown: str, trust: Trust, given: list[Source] | None = None) -> CheckedAnswer:
    checker = AnswerChecker(lambda: None)
    citations = Citations(None if given else Lines())
    return checker.check(
        markdown, given or sources(), citations, CancelToken(), "How is it?", trust=lambda _doubts: trust
    )


def rows() -> list[Source]:
    text = "\n".join(" | ".join(row) for row in [["genre", "sales"], *SALES])
    hit = Hit(path="result 1", start_line=1, end_line=4, text=text)
    return [Source(n=1, hit=hit, rows=rows_of(["genre", "sales"], SALES, "SELECT genre, sales FROM tracks"))]


@pytest.mark.parametrize("trust", ["reliable", "unknown", "unreliable"])
def test_what_lines_refute_is_marked_whoever_says_it(trust: Trust) -> None:
    assert checked("Restoring a backup always needs downtime [2].", trust).unsupported


def test_what_lines_do_not_say_is_marked_unless_the_model_is_reliable() -> None:
    answer = "The cafeteria serves noodles on Friday evenings."
    assert [bool(checked(answer, trust).unsupported) for trust in ("reliable", "unknown", "unreliable")] == [
        False,
        True,
        True,
    ]
    assert len(checked(answer, "reliable").doubts) == 1


def test_an_addition_built_of_the_words_of_a_line_is_marked_if_the_model_invents() -> None:
    answer = "Backups are kept for 35 days unless the platform team must restore one [2][1]."
    assert not checked(answer, "unknown").unsupported
    assert checked(answer, "unreliable").unsupported
    assert checked("Backups are kept for 35 days [2].", "unreliable").unsupported == ()


def test_of_rows_what_is_read_off_stays_and_what_is_drawn_from_them_is_marked_if_the_model_invents() -> None:
    assert checked("Rock sold 826.65 [1].", "unreliable", rows()).unsupported == ()
    drawn = "Rock sold more than twice as much as Latin [1]."
    assert checked(drawn, "unknown", rows()).unsupported == ()
    assert checked(drawn, "unreliable", rows()).unsupported


@pytest.mark.parametrize(("times", "is_marked"), [("2.2", False), ("4.7", True)])
def test_a_sentence_that_refers_back_is_read_with_the_ones_before_it(times: str, is_marked: bool) -> None:
    answer = f"Rock sold 826.65 [1]. Latin sold 382.14 [1]. That is {times} times as much [1]."
    assert bool(checked(answer, "unknown", rows()).unsupported) == is_marked


def test_the_record_of_a_model_tells_after_a_few_drafts() -> None:
    record = Record()
    assert record.trust() == "unknown"
    for _ in range(4):
        record = record.after(is_doubted=False)
    assert record.trust() == "reliable"
    assert record.trust(has_orders=True) == "unknown"
    for _ in range(5):
        record = record.after(is_doubted=True, was_sent_back=True)
    assert record.trust() == "unreliable"


def test_doubts_that_a_model_was_not_asked_to_mend_tell_little() -> None:
    assert Record().after(is_doubted=True).odds < 0.5 * Record().after(is_doubted=True, was_sent_back=True).odds


def test_a_record_has_a_bound_so_that_a_model_can_win_trust_back() -> None:
    record = Record()
    for _ in range(50):
        record = record.after(is_doubted=True, was_sent_back=True)
    assert record.odds == MAX_ODDS
    for _ in range(12):
        record = record.after(is_doubted=False)
    assert record.trust() == "reliable"
