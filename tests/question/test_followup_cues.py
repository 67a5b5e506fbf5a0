"""Questions that only change earlier ones."""

from __future__ import annotations

from datetime import date

import pytest

from kbtui.question.followup_cues import is_fragment
from kbtui.question.reader import read


def _is_fragment(text: str) -> bool:
    return is_fragment(read(text, today=date(2026, 11, 20)))


@pytest.mark.parametrize(
    "text", ["only bugs", "per customer", "by team", "the same for Ghent", "and last year", "只看上海"]
)
def test_what_names_only_a_change_is_a_fragment(text: str) -> None:
    assert _is_fragment(text)


@pytest.mark.parametrize(
    "text",
    [
        "bugs per team",
        "monthly revenue",
        "only the open tickets of the billing queue",
        "show me the bugs",
        "谁修得最多",
        "各渠道卖了多少",
        "per team the average",
    ],
)
def test_what_names_its_subject_is_none(text: str) -> None:
    assert not _is_fragment(text)
