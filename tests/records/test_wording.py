"""Small changes to the wording of a question before it is read over tables."""

from __future__ import annotations

import pytest

from kbtui.records.wording import simplify


@pytest.mark.parametrize(
    ("question", "usual"),
    [
        ("Which filter takes the most options?", "Which filter have the most options?"),
        ("Which plan names the fewest parts?", "Which plan have the fewest parts?"),
        ("Which part is named by the most plans?", "Which part has the most plans?"),
        ("Which part is named by a plan?", "Which part is named by a plan?"),
        ("What level is most common, and how many is that?", "What level is most common"),
        ("Busiest year, with number", "Busiest year"),
    ],
)
def test_what_is_said_in_many_ways_is_said_in_the_usual_one(question: str, usual: str) -> None:
    assert simplify(question) == usual
