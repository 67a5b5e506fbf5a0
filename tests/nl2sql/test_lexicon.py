import tomllib
from importlib.resources import files

import pytest

from kbtui.nl2sql.lexicon import Sense, concepts_of, is_kind, lexicon, senses_of, states_of


@pytest.mark.parametrize(
    ("words", "concept"),
    [
        (["turnover"], "revenue"),
        (["takings"], "revenue"),
        (["营业额"], "revenue"),
        (["clients"], "customer"),
        (["顾客"], "customer"),
        (["date", "of", "birth"], "birth"),
        (["入职日期"], "hired"),
    ],
)
def test_words_of_both_languages_lead_to_one_concept(words, concept):
    assert concept in {sense.concept for sense in senses_of(words)}


def test_a_name_has_the_concept_of_its_head():
    assert "amount" in concepts_of(["order", "amount"])
    assert concepts_of(["unit", "price"]) == {"price"}


def test_a_name_with_a_head_that_says_little_has_the_concept_before_it_too():
    assert {"customer", "id"} <= concepts_of(["customer", "id"])
    assert {"customer", "name"} <= concepts_of(["客户姓名"])


def test_adjectives_have_a_direction_and_their_forms():
    assert Sense("price", "asc", "superlative") in senses_of(["cheapest"])
    assert Sense("age", "desc", "comparative") in senses_of(["older"])
    assert Sense("price", "desc", "positive") in senses_of(["贵"])
    assert Sense("rating", "desc", "superlative") in senses_of(["best", "rated"])


def test_words_of_states_name_them_or_their_opposites():
    assert ("paid", True) in states_of(["is", "paid"])
    assert ("paid", False) in states_of(["unpaid"])
    assert ("returned", False) in states_of(["没还"])


def test_people_are_told_from_things():
    assert is_kind(concepts_of(["customers"]), "person")
    assert not is_kind(concepts_of(["invoices"]), "person")


def test_every_neighbour_is_a_concept_and_no_concept_stands_twice():
    sections = tomllib.loads(files("kbtui.nl2sql").joinpath("concepts.toml").read_text(encoding="utf-8")).values()
    names = [name for section in sections for name in section]
    assert len(names) == len(set(names))
    assert set(lexicon().near) <= set(names)
