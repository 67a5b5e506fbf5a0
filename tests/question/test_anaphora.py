"""Which words of a question mean something outside of it."""

from __future__ import annotations

import pytest

from kbtui.question.anaphora import find_anaphors


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("who owns it", "it"),
        ("what are its limits", "its"),
        ("why was this rejected", "this"),
        ("when was that ticket closed", "that"),
        ("谁维护它", "它"),
        ("这个怎么关闭", "这个"),
    ],
)
def test_a_word_points_out_of_its_question(text: str, word: str) -> None:
    assert [found.text for _, found in find_anaphors(text)][:1] == [word]


@pytest.mark.parametrize(
    "text",
    [
        "is it possible to export the list",
        "what does the pump do when it is dry",
        "which parents bring their children",
        "who says that the door is locked",
        "那么多箱子放在哪里",
        "鸟怎么找到它们的巢",
    ],
)
def test_what_a_question_says_itself_points_nowhere(text: str) -> None:
    assert not list(find_anaphors(text))
