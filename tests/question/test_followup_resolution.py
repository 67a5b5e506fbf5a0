"""What a follow-up changes in the question before it, and what it names of it."""

from __future__ import annotations

import pytest

from kbtui.domain.conversation import Turn
from kbtui.question.dialogue import dialogue_of
from kbtui.question.followup_resolution import resolve_followup


def full(before: str, query: str) -> str:
    said = dialogue_of((Turn(query=before, standalone=before, answer="It is so. [1]", paths=("notes.md",)),))
    assert said is not None
    meant = resolve_followup(query, said)
    return meant.text if meant else ""


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        ("Who guards the gate this week?", "and next week?", "Who guards the gate next week?"),
        ("How many boats were sold in 2020?", "and in 2021?", "How many boats were sold in 2021?"),
        ("2020年卖了多少条船？", "2021年呢？", "2021年卖了多少条船？"),
    ],
)
def test_other_days_take_the_place_of_those_asked_about(before: str, query: str, expected: str) -> None:
    assert full(before, query).replace(" ", "") == expected.replace(" ", "")


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        ("What is the status of PEP 8?", "who wrote it?", "Who wrote PEP 8?"),
        ("What is a tea caddy?", "where is it kept?", "Where is a tea caddy kept?"),
        ("How do I configure retries?", "and timeouts?", "How do I configure timeouts?"),
        ("谁画了 ADR-4 的图？", "什么时候？", "什么时候画了 ADR-4 的图？"),
    ],
)
def test_what_is_asked_on_is_said_in_full(before: str, query: str, expected: str) -> None:
    assert full(before, query) == expected
