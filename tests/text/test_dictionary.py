"""The dictionary: both ways, as it is packed."""

from __future__ import annotations

import pytest

from kbtui.text import dictionary


def test_a_chinese_word_has_its_usual_english_names_first() -> None:
    assert dictionary.glosses("防守")[0] == "defend"
    assert "panther" in dictionary.glosses("豹")
    assert dictionary.glosses("阿尔及利亚") == ("algeria",)


@pytest.mark.parametrize("word", ["", "zzz", "龘龘龘龘", "\t", "a\nb"])
def test_what_is_no_word_has_no_names(word: str) -> None:
    assert dictionary.glosses(word) == ()


@pytest.mark.parametrize(
    ("phrase", "word"),
    [
        ("surrendering", "投降"),
        ("prime minister", "首相"),
        ("Libraries", "图书馆"),
        ("happy", "快乐"),
        ("team", "团队"),
    ],
)
def test_an_english_word_finds_the_chinese_ones_whatever_its_endings(phrase: str, word: str) -> None:
    assert word in dictionary.words_for(phrase)


@pytest.mark.parametrize("phrase", ["", "  ", "qwrtz", "jia", "zhong"])
def test_what_is_no_gloss_finds_nothing(phrase: str) -> None:
    # A reading is no gloss.
    assert not [word for word in dictionary.words_for(phrase) if phrase not in dictionary.glosses(word)]


def test_characters_have_a_reading() -> None:
    assert dictionary.reading("中") == "zhong"
