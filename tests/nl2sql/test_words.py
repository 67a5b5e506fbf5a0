"""Names in words."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.words import plural


@pytest.mark.parametrize(
    ("name", "plurals"),
    [("city", "cities"), ("box", "boxes"), ("closed by", "closed by"), ("order status", "order status")],
)
def test_names_that_end_with_a_preposition_have_no_plural(name: str, plurals: str) -> None:
    assert plural(name) == plurals
