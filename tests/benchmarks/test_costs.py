"""The tables of docs/scale.md follow from what was measured."""

from __future__ import annotations

from dataclasses import replace

import pytest
from costs import PAGE, amount, duration, figures, page_with


def test_the_page_is_what_the_figures_say() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page_with(page, figures()) == page, "run: python benchmarks/costs.py --write"
    assert page_with(page, replace(figures(), embed_s=1.0)) != page


@pytest.mark.parametrize(
    ("number", "text"),
    [(640, "640"), (32_960, "33,000"), (1e6, "1 million"), (17.7e6, "18 million"), (1.8e9, "1.8 billion")],
)
def test_amounts_have_two_digits(number: float, text: str) -> None:
    assert amount(number) == text


@pytest.mark.parametrize(("seconds", "text"), [(75, "75 s"), (6180, "103 min"), (75_600, "21 h"), (6.3e6, "73 days")])
def test_durations_have_the_unit_that_one_would_say(seconds: float, text: str) -> None:
    assert duration(seconds) == text
