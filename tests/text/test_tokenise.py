from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.text.tokenise import STOP_WORDS, content_words, name_parts, tokens, words


def test_an_identifier_is_kept_whole_and_taken_apart() -> None:
    found = tokens("see `__class_getitem__` and TypedDict in typing.List")
    assert {"__class_getitem__", "class_getitem", "class", "getitem"} <= set(found)
    assert {"typeddict", "type", "dict"} <= set(found)
    assert {"typing.list", "type", "list"} <= set(found)


def test_an_acronym_in_camel_case_ends_where_the_next_word_begins() -> None:
    assert {"httpserver", "http", "server"} <= set(tokens("HTTPServer"))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("PDFs", ["PDFs"]),
        ("userIDs", ["user", "IDs"]),
        ("order_items", ["order", "items"]),
        ("HTTPServer2", ["HTTP", "Server", "2"]),
        ("订单id", ["订单", "id"]),
    ],
)
def test_a_name_is_split_where_case_script_and_separators_change(name: str, parts: list[str]) -> None:
    assert name_parts(name) == parts


def test_ticket_and_document_numbers_are_one_token_however_they_are_written() -> None:
    assert "proj-100" in tokens("PROJ-100")
    assert "proj-100" in tokens("proj 100")
    assert "pep-509" in tokens("PEP 509") and "509" in tokens("PEP 509")


def test_a_version_number_is_not_taken_apart() -> None:
    assert tokens("3.11") == ["3.11"]
    assert set(tokens("v1.2")) == {"v1.2", "v1"}


def test_plural_acronyms_are_the_acronym() -> None:
    assert tokens("PEPs") == tokens("PEP") == ["pep"]


def test_english_is_stemmed_and_stop_words_are_dropped() -> None:
    assert tokens("The packages were packaged") == ["packag", "packag"]


def test_stop_words_stay_when_there_is_nothing_else() -> None:
    assert tokens("to be or not to be") == ["to", "be", "or", "not", "to", "be"]


def test_chinese_becomes_characters_and_pairs_that_do_not_cross_a_gap() -> None:
    assert tokens("类型 注解") == ["类", "型", "类型", "注", "解", "注解"]


def test_full_width_letters_match_plain_ones() -> None:
    assert tokens("ＰＥＰ") == tokens("PEP")


def test_languages_with_signs_in_their_names_are_words() -> None:
    assert tokens("C++ and C#") == ["c++", "c#"]


def test_a_possessive_is_its_owner() -> None:
    assert tokens("the developer's") == tokens("developer")


def test_words_are_as_written() -> None:
    assert words("Don't use TypedDicts的话") == ["Don't", "use", "TypedDicts", "的话"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which PEP superseded PEP 509?", ["PEP", "superseded", "PEP", "509"]),
        ("PEP 509 被哪个 PEP 取代了？", ["PEP", "509", "PEP", "取代"]),
        ("查找关于类型注解的文件", ["查找", "类型注解", "文件"]),
        ("这个设计的目的是什么", ["设计", "目的"]),
        ("哪些是有效的对象？", ["有效", "对象"]),
    ],
)
def test_content_words_are_the_words_without_function_words(text: str, expected: list[str]) -> None:
    assert content_words(text) == expected


def test_stop_words_hold_both_languages() -> None:
    assert {"the", "which", "的", "哪些", "什么", "被"} <= STOP_WORDS


@given(st.text())
def test_any_text_has_lower_case_tokens(text: str) -> None:
    assert all(token and token == token.lower() for token in tokens(text))


@given(st.text(alphabet="的了目在线对象有效文件ab "))
def test_words_together_are_the_text_without_its_gaps(text: str) -> None:
    assert "".join(words(text)) == text.replace(" ", "")


@given(st.text(alphabet=string.printable))
def test_a_word_has_the_same_tokens_beside_another_script(text: str) -> None:
    beside = tokens(f"{text} 中")
    assert beside == ["中"] or [token for token in beside if token != "中"] == tokens(text)
