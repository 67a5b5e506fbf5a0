"""Usage in words, short and long."""

from __future__ import annotations

import pytest

from kbtui.domain.usage import Usage
from kbtui.view.usage_words import cost_text, count_text, usage_forms, usage_text


def test_the_longest_form_tells_all_and_the_shortest_the_calls() -> None:
    forms = usage_forms(Usage(calls=3, tokens_in=2100, tokens_out=240, cost_usd=0.0012))
    assert forms == (
        "3 calls · 2.1k in 240 out · $0.0012",
        "3 calls · 2.3k tokens · $0.0012",
        "3 calls · $0.0012",
        "3 calls",
    )
    assert [len(form) for form in forms] == sorted((len(form) for form in forms), reverse=True)


def test_what_is_not_known_is_left_out() -> None:
    assert usage_forms(Usage()) == ()
    assert usage_text(Usage()) == ""
    assert usage_forms(Usage(calls=1)) == ("1 call",)
    assert usage_text(Usage(calls=2, tokens_in=900, tokens_out=10)) == "2 calls · 900 in 10 out"


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0"), (999, "999"), (1000, "1.0k"), (2149, "2.1k"), (9_960, "10k"), (999_600, "1.0M"), (12_600_000, "13M")],
)
def test_numbers_of_tokens_are_short(count: int, shown: str) -> None:
    assert count_text(count) == shown


@pytest.mark.parametrize(
    ("dollars", "shown"), [(0.0, "$0"), (0.00001, "<$0.0001"), (0.0012, "$0.0012"), (0.451, "$0.45"), (12.3, "$12.30")]
)
def test_costs_keep_the_figures_that_tell_something(dollars: float, shown: str) -> None:
    assert cost_text(dollars) == shown
