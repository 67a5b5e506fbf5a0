"""Nouns in the plural, and counts."""

from __future__ import annotations

import pytest

from kbtui.text.plurals import counted, plural


@pytest.mark.parametrize(
    ("name", "plurals"),
    [("city", "cities"), ("box", "boxes"), ("closed by", "closed by"), ("order status", "order status")],
)
def test_names_that_end_with_a_preposition_have_no_plural(name: str, plurals: str) -> None:
    assert plural(name) == plurals


@pytest.mark.parametrize(
    ("count", "noun", "text"),
    [(1, "search", "1 search"), (2, "search", "2 searches"), (1200, "file", "1,200 files"), (6, "中文", "6 中文")],
)
def test_a_count_has_its_noun_in_the_plural_but_for_one(count: int, noun: str, text: str) -> None:
    assert counted(count, noun) == text
