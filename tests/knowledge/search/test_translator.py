"""Questions in the language of the folder's text: which of its names a word has there."""

from __future__ import annotations

import pytest

from kbtui.domain.routing import Translated
from kbtui.knowledge.search.translator import MOST_NAMES, Translation, Translator
from tests.knowledge.passages import Passages, translator_of

TEAMS = (
    "The Panthers defense gave up few points; the black panther on the helmet is the sign of the team.",
    "A leopard was seen near the river at night.",
    "Distribute the load over two servers.",
    "The invoice is due in the first week of each month.",
)


def test_the_passages_that_share_most_words_tell_which_name_is_meant() -> None:
    names = {one.word: one.names[0] for one in translator_of(TEAMS).translated("黑豹队的防守").words}
    assert names == {"黑": "black", "豹": "panther", "队": "team", "防守": "defend"}


def test_names_numbers_and_code_pass_through() -> None:
    words = translator_of(["Python 3.16 is released in a year"]).translated("Python 3.16 的 `run_all` 何时发布？").words
    assert [one.names[0] for one in words] == ["Python", "3.16", "run_all", "release"]


def test_a_word_of_the_glossary_is_called_as_it_says() -> None:
    [word] = translator_of(["nothing of it"]).translated("类型注解").words
    assert word == Translated(word="类型注解", names=("type annotation", "type hint"))


def test_an_english_question_is_put_in_chinese_where_the_text_is() -> None:
    chinese = ("防守很好，对手投降了。", "今天下雨。", "他们在河边看书。")
    found = translator_of(chinese, 1.0).translated("Who made the team surrender?")
    assert {one.word: one.names[0] for one in found.words}["surrender"] == "投降"


@pytest.mark.parametrize(
    ("question", "chinese"),
    [("谁赢了", 1.0), ("谁赢了", 0.9), ("who won", 0.0), ("who won", 0.1), ("", 0.5)],
)
def test_a_question_in_the_language_of_the_text_stays_as_it_is(question: str, chinese: float) -> None:
    passages = Passages(TEAMS, chinese)
    assert Translator(passages).translated(question) == Translation()  # type: ignore[arg-type]
    assert passages.asked == 0


def test_a_mixed_folder_is_asked_in_both_languages() -> None:
    assert translator_of(TEAMS, 0.5).translated("防守").words
    assert translator_of(TEAMS, 0.5).translated("defense").words


def test_a_character_that_nothing_speaks_for_is_left_out_and_said_to_be_missing() -> None:
    found = translator_of(TEAMS).translated("曼的服务器")
    assert [one.word for one in found.words] == ["服务器"]
    assert 0.5 < found.share < 1.0


def test_a_word_keeps_few_names() -> None:
    assert all(len(one.names) <= MOST_NAMES for one in translator_of(TEAMS).translated("打开黑豹队的分").words)


def test_the_same_question_is_translated_once() -> None:
    passages = Passages(TEAMS)
    translator = Translator(passages)  # type: ignore[arg-type]
    assert translator.translated("防守") is translator.translated("防守")
    assert passages.asked == 1
    passages.version = "2"
    translator.translated("防守")
    assert passages.asked == 2
