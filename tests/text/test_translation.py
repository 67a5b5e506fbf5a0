"""The words of a question with their names in the other language."""

from __future__ import annotations

from kbtui.text.translation import chinese_names, english_names, in_chinese, in_english


def names(words: list, most: int = 1) -> list[tuple[str, ...]]:
    return [(word.text, *word.names[:most]) for word in words]


def test_chinese_is_cut_by_the_longest_word_without_function_words() -> None:
    assert [word.text for word in in_english("胰岛素的价格是多少")] == ["胰岛素", "价格"]
    assert names(in_english("阿尔及利亚")) == [("阿尔及利亚", "algeria")]


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert names(in_english("資料庫連接")) == names(in_english("资料库连接"))


def test_latin_words_pass_through_in_their_place() -> None:
    assert names(in_english("Rust 的字段 offset_of")) == [
        ("Rust", "Rust"),
        ("字段", "field"),
        ("offset_of", "offset_of"),
    ]


def test_names_of_the_glossary_come_first() -> None:
    assert english_names("类型注解") == ("type annotation", "type hint")
    assert chinese_names("type annotation")[0] in ("类型注解", "类型标注")


def test_english_phrases_are_looked_up_as_a_whole() -> None:
    words = in_chinese("Who was the prime minister?")
    assert [word.text for word in words] == ["prime minister"]
    assert "首相" in words[0].names


def test_an_english_word_may_stand_in_chinese_text_as_it_is() -> None:
    assert all(word.names[-1] == word.text for word in in_chinese("the Broncos of 2015 surrender"))
    assert [word.names for word in in_chinese("2015")] == [("2015",)]


def test_a_text_without_words_has_none() -> None:
    assert in_english("？？") == []
    assert in_chinese("?!") == []
