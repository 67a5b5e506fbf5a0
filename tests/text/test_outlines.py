"""Headings of plain text that are told by indentation alone."""

from __future__ import annotations

import pytest

from kbtui.text.blocks import blocks
from kbtui.text.outlines import outline_heads, outline_level

SPEC = """Name

    pack_invert

Contact

    Brian Paul, Tungsten Graphics

3.1 Terms

    A word is two bytes.
    A line is two words.
"""


def test_lines_that_stand_alone_above_indented_text_are_headings_with_the_level_of_their_number() -> None:
    heads = [(block.text, block.level) for block in blocks(SPEC.split("\n"), "text") if block.kind == "heading"]
    assert heads == [("Name", 1), ("Contact", 1), ("3.1 Terms", 2)]


@pytest.mark.parametrize(
    "text",
    [
        "Name\n\n    a\n\nContact\n\n    b\n",
        "Name\n\n    a\n\nContact\n\n    b\n\nTerms.\n\n    c\n",
        "One\n\n    a\n\nTwo\n\n    b\n\nThree\n\n    c\n" + "\nA sentence of its own.\n" * 5,
        "One\n    a\n\nTwo\n    b\n\nThree\n    c\n",
    ],
    ids=["too few", "a sentence", "most lines are no headings", "nothing between heading and text"],
)
def test_other_texts_have_no_such_headings(text: str) -> None:
    assert outline_heads(text.split("\n")) == frozenset()


def test_a_heading_may_stand_above_another_one() -> None:
    assert outline_heads(["One", "", "Two", "", "    a", "", "Three", "", "    b", ""]) == {0, 2, 6}


@pytest.mark.parametrize(("heading", "level"), [("Terms", 1), ("1. Terms", 1), ("2.10 Terms", 2), ("4.2.1. Terms", 3)])
def test_the_number_of_a_heading_tells_its_level(heading: str, level: int) -> None:
    assert outline_level(heading) == level
