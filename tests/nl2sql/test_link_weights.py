"""Scores of mentions by their context."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.linking import link
from kbtui.question.reader import read
from tests.nl2sql.atlas import atlas, place_of
from tests.nl2sql.sources import TODAY


def scores(text: str, word: str) -> dict[str, float]:
    """Of the columns of provinces that a superlative may stand for."""
    lattice = link(read(text, today=TODAY), atlas()[1])
    at = [token.norm for token in lattice.question.tokens].index(word)
    mentions = [m for m in lattice.at(at) if m.order and m.ref is not None and m.ref.table == "province"]
    return {m.ref.column: m.score for m in mentions if m.ref is not None and m.span == (at, at + 1)}


@pytest.mark.parametrize("word", ["largest", "smallest"])
def test_the_size_of_what_has_an_area_is_its_area(word: str) -> None:
    found = scores(f"the {word} province", word)
    assert found["area"] > found["population"] + 0.1


def test_a_superlative_before_a_figure_is_about_that_figure() -> None:
    assert scores("the province with the largest population", "largest")["area"] < 0.7


def test_the_people_of_a_place_are_its_population() -> None:
    assert place_of("which province has the most people", {"berg"}) in range(3)
