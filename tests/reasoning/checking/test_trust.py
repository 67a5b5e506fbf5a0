"""What is marked, by how far the model is trusted."""

from __future__ import annotations

import pytest

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.checking.rows import rows_of
from kbtui.reasoning.checking.trust import MAX_ODDS, Record
from kbtui.reasoning.citing import Citations
from tests.reasoning.checking.conftest import Lines, sources

SALES = [["Rock", "826.65"], ["Latin", "382.14"], ["Jazz", "79.20"]]


RELIABLE, UNKNOWN, UNRELIABLE = (Record(odds).chance() for odds in (-MAX_ODDS, -0.5, MAX_ODDS))


def checked(markdown: str, chance: float | None, given: list[Source] | None = None) -> CheckedAnswer:
    checker = AnswerChecker(lambda: None)
    citations = Citations(None if given else Lines())
    return checker.check(
        markdown,
        given or sources(),
        citations,
        CancelToken(),
        "How is it?",
        chance=None if chance is None else lambda _outcome: chance,
    )


def rows() -> list[Source]:
    text = "\n".join(" | ".join(row) for row in [["genre", "sales"], *SALES])
    hit = Hit(path="result 1", start_line=1, end_line=4, text=text)
    return [Source(n=1, hit=hit, rows=rows_of(["genre", "sales"], SALES, "SELECT genre, sales FROM tracks"))]


@pytest.mark.parametrize("chance", [RELIABLE, UNKNOWN, UNRELIABLE])
def test_what_lines_refute_is_marked_whoever_says_it(chance: float) -> None:
    assert checked("Latin sold more than Rock [1].", chance, rows()).unsupported


def test_what_the_words_of_lines_are_against_is_marked_unless_the_model_is_reliable() -> None:
    answer = "Restoring a backup always needs downtime [2]."
    assert [bool(checked(answer, chance).unsupported) for chance in (RELIABLE, UNKNOWN, UNRELIABLE)] == [
        False,
        True,
        True,
    ]


def test_what_lines_do_not_say_is_marked_unless_the_model_is_reliable() -> None:
    answer = "The cafeteria serves noodles on Friday evenings."
    assert [bool(checked(answer, chance).unsupported) for chance in (RELIABLE, UNKNOWN, UNRELIABLE)] == [
        False,
        True,
        True,
    ]
    assert checked(answer, RELIABLE).outcome == "doubted"


def test_an_addition_built_of_the_words_of_a_line_is_marked_unless_the_model_is_reliable() -> None:
    answer = "Backups are kept for 35 days unless the platform team must restore one [2][1]."
    assert [bool(checked(answer, chance).unsupported) for chance in (None, RELIABLE, UNRELIABLE)] == [
        False,
        False,
        True,
    ]
    assert [doubt.is_loose for doubt in checked(answer, UNRELIABLE).doubts] == [True]
    assert checked("Backups are kept for 35 days [2].", UNRELIABLE).unsupported == ()


def test_what_an_unknown_model_says_is_marked_if_it_is_far_from_its_lines() -> None:
    near = "Deploys need two approvals from the team [1]."
    far = "Because of that, backups alone are never enough for the platform team [2]."
    for answer, is_marked in ((near, False), (far, True)):
        assert bool(checked(answer, UNKNOWN).unsupported) == is_marked


def test_a_marked_sentence_is_given_no_citation_that_its_model_did_not_give() -> None:
    answer = "Backups are only kept for 35 days."
    assert "[1]" in checked(answer, RELIABLE).markdown
    assert checked(answer, UNRELIABLE).markdown == f"{answer} [?]"


def test_of_rows_what_is_read_off_stays_and_what_is_drawn_from_them_is_marked_if_the_model_invents() -> None:
    assert checked("Rock sold 826.65 [1].", UNRELIABLE, rows()).unsupported == ()
    drawn = "Rock sold more than twice as much as Latin [1]."
    assert checked(drawn, RELIABLE, rows()).unsupported == ()
    assert checked(drawn, UNRELIABLE, rows()).unsupported


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("Backups are kept for 35 days [2].", "close"),
        ("Backups are kept for 35 days unless the platform team must restore one [2][1].", "loose"),
        ("Backups are kept for 90 days [2].", "doubted"),
        ("# Backups", None),
    ],
)
def test_a_draft_shows_how_close_its_farthest_sentence_is(answer: str, outcome: str | None) -> None:
    assert checked(answer, UNKNOWN).outcome == outcome


@pytest.mark.parametrize(("times", "is_marked"), [("2.2", False), ("4.7", True)])
def test_a_sentence_that_refers_back_is_read_with_the_ones_before_it(times: str, is_marked: bool) -> None:
    answer = f"Rock sold 826.65 [1]. Latin sold 382.14 [1]. That is {times} times as much [1]."
    assert bool(checked(answer, None, rows()).unsupported) == is_marked


def test_the_record_of_a_model_tells_after_a_few_drafts() -> None:
    record = Record()
    assert record.trust == "unknown"
    for _ in range(2):
        record = record.after("close")
    assert record.trust == "reliable"
    assert record.chance() < 0.2 < record.chance(has_orders=True)
    for _ in range(10):
        record = record.after("doubted", was_sent_back=True)
    assert record.trust == "unreliable"


def test_a_draft_without_statements_and_a_loose_one_tell_less_than_a_close_one() -> None:
    assert Record().after(None) == Record()
    odds = [Record().after(outcome).odds for outcome in ("close", "loose", None, "doubted")]
    assert odds == sorted(set(odds))


def test_a_record_has_a_bound_so_that_a_model_can_win_trust_back() -> None:
    record = Record()
    for _ in range(50):
        record = record.after("doubted", was_sent_back=True)
    assert record.odds == MAX_ODDS
    for _ in range(12):
        record = record.after("close")
    assert record.trust == "reliable"
