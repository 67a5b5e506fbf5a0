from __future__ import annotations

import pytest

from kbtui.text.language import answered_in, cjk_share, has_cjk, language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "en"),
        ("12 + 3", "en"),
        ("How are deploys rolled back?", "en"),
        ("naïve café", "en"),
        ("部署如何回滚？", "zh"),
        ("PEP 509 被哪个 PEP 取代了？", "mixed"),
        ("A long English sentence with plenty of words in it that mentions 类", "en"),
    ],
)
def test_language_is_told_by_words_not_letters(text: str, expected: str) -> None:
    assert language(text) == expected


def test_one_character_is_enough_to_have_cjk() -> None:
    assert has_cjk("deploy 回滚")
    assert has_cjk("ひらがな")
    assert not has_cjk("“quoted” – naïve")


def test_a_latin_word_counts_like_one_character() -> None:
    assert cjk_share("回滚 deployment") == pytest.approx(2 / 3)


def test_a_question_with_chinese_in_it_is_answered_in_chinese() -> None:
    assert answered_in("VIP占比") == "zh"
    assert answered_in("share of VIPs") == "en"
