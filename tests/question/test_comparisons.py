"""Which two things a question compares."""

from __future__ import annotations

import pytest

from kbtui.question.comparisons import compared_sides, sides
from kbtui.question.parts import split_parts
from kbtui.question.understanding import understand


@pytest.mark.parametrize(
    ("question", "both"),
    [
        ("early vs late acknowledgment?", ("early acknowledgment", "late acknowledgment")),
        ("How do tier 2 and tier 3 platforms differ?", ("tier 2 platforms", "tier 3 platforms")),
        ("tiers: gold or silver support, who answers first?", ("gold support", "silver support")),
        ("bzip2 or gzip if i care most about size?", ("bzip2", "gzip")),
        ("How does a lock differ from a latch as to who may hold it?", ("a lock", "a latch")),
        ("kiln vs oven of the school, whats the diference", ("kiln", "oven of the school")),
    ],
)
def test_the_sides_of_a_comparison_have_the_noun_that_they_share_and_nothing_of_what_is_asked(
    question: str, both: tuple[str, str]
) -> None:
    assert compared_sides(question) == both


@pytest.mark.parametrize(
    "question",
    [
        "Is it red or green?",
        "What do I do if the pager or the phone is lost?",
        "Are jobs skipped or run, what is meant?",
    ],
)
def test_what_only_has_an_or_in_it_compares_nothing(question: str) -> None:
    assert compared_sides(question) == ()


def test_things_that_are_joined_are_sides_but_are_not_compared() -> None:
    assert sides("who looks after the kiln and the wheel?") == ("the kiln", "the wheel")
    assert compared_sides("who looks after the kiln and the wheel?") == ()


def test_a_comparison_that_asks_something_of_both_is_one_question() -> None:
    framed, plain = "redis or rabbitmq if my messages are large?", "redis vs rabbitmq?"
    assert split_parts(understand(framed)) == (framed,)
    assert split_parts(understand(plain)) == ("What is redis?", "What is rabbitmq?")
