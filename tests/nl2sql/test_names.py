"""Words of names of tables and columns."""

from __future__ import annotations

import pytest

from kbtui.nl2sql.names import abbreviations, column_words, name_words
from kbtui.text.inflection import lemma


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("customer_first_name", ("customer", "first", "name")),
        ("OrderDate", ("order", "date")),
        ("收/支", ("收支",)),
        ("上班1打卡时间", ("上班1打卡时间",)),
        ("HTTPStatus", ("http", "status")),
        ("qty", ("quantity",)),
        ("cust_addr", ("customer", "address")),
        ("stuid", ("student", "id")),
        ("dob", ("birth", "date")),
        ("实收(元)", ("实收",)),
        ("Net Sales", ("net", "sale")),
        ("campuses", ("campus",)),
        ("...", ()),
        ("—", ()),
    ],
)
def test_a_name_is_split_and_abbreviations_are_written_out(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words


@pytest.mark.parametrize("word", ["paid", "grid", "candidate", "discount", "monkey", "corporate"])
def test_a_word_that_ends_like_a_common_tail_stays_whole(word: str) -> None:
    assert name_words(word) == (word,)


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        ("sizes", "size"),
        ("houses", "house"),
        ("boxes", "box"),
        ("statuses", "status"),
        ("people", "person"),
        ("p1s", "p1"),
    ],
)
def test_plurals_lose_their_ending(plural: str, singular: str) -> None:
    assert lemma(plural) == singular


def test_own_words_are_those_that_the_table_does_not_say() -> None:
    assert column_words("customer_name", ("customer",)).own == ("name",)
    assert column_words("网点名称", ("网点",)).own == ("名称",)
    assert column_words("city", ("customer",)).own == ("city",)
    assert column_words("interviewer_id", ("interview",)).own == ("interviewer", "id")
    assert column_words("booked_on", ("booking",)).own == ("booked", "on")


def test_a_short_first_component_is_read_as_the_table_it_stands_for() -> None:
    assert column_words("vol_id", ("volunteer",)).words == ("volunteer", "id")
    assert column_words("pname", ("player",)).words == ("player", "name")
    assert column_words("ptype", ("player",)).words == ("player", "type")


def test_what_the_rows_of_a_table_belong_to_is_an_own_word_of_its_name() -> None:
    assert column_words("ward_name", ("ward", "stay")).own == ("ward", "name")
    assert column_words("order_id", ("order", "line")).own == ("order", "id")
    assert column_words("stay_id", ("ward", "stay")).own == ("id",)
    assert column_words("ward_floor", ("ward", "stay")).own == ("floor",)


def test_own_words_are_never_prepositions_alone() -> None:
    assert column_words("released_on", ("release",)).own == ("released", "on")


def test_abbreviations_are_lemmas_in_lower_case() -> None:
    for short, words in abbreviations().items():
        assert short == short.lower()
        assert words and all(word == word.lower() for word in words)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("rep_dt", ("reported", "date")),
        ("sales_rep", ("sale", "representative")),
        ("RegDate", ("registration", "date")),
        ("regdate", ("registration", "date")),
        ("reg_name", ("region", "name")),
    ],
)
def test_a_short_form_before_a_date_says_what_happened_then(name: str, words: tuple[str, ...]) -> None:
    assert name_words(name) == words
