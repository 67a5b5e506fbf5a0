"""Rows that share something with a named one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nl2sql.atlas import place_of


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("which explorers worked with Ada Lind", {"Bo Ek"}),
        ("who are the colleagues of Di Holm", {"Bo Ek", "Cy Dahl"}),
        ("explorers with the same nationality as Ada Lind", {"Cy Dahl"}),
        ("explorers on the same expedition as Ada Lind", {"Bo Ek"}),
    ],
)
def test_the_others_that_share_something_with_a_named_row(question: str, wanted: set[Any]) -> None:
    place = place_of(question, wanted)
    assert place is not None
    assert place < 3


def test_a_row_shares_a_value_with_itself_too() -> None:
    assert place_of("explorers with the same nationality as Ada Lind", {"Ada Lind", "Cy Dahl"}) is not None
    assert place_of("which explorers worked with Ada Lind", {"Ada Lind", "Bo Ek"}) is None
