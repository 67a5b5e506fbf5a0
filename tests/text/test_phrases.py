"""Phrases of several languages by their names."""

from __future__ import annotations

import pytest

from kbtui.text.phrases import Phrases
from kbtui.text.word_lists import toml_in


def test_a_phrase_is_had_by_its_name_in_the_language_asked_for() -> None:
    english, chinese = (Phrases("kbtui.analysis", "wording.toml", language) for language in ("fr", "zh"))
    assert (english.language, english.stop, chinese.stop) == ("en", ".", "。")
    assert chinese.listing("calculations")["median"] == "中位数"


def test_a_phrase_that_is_not_there_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = Phrases("kbtui.analysis", "wording.toml", "en").nonsense


@pytest.mark.parametrize("name", ["wording.toml", "structure_words.toml", "advice.toml"])
def test_what_is_said_in_one_language_is_said_in_the_other(name: str) -> None:
    english, chinese = (toml_in("kbtui.analysis", name)[language] for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, phrases in english.items():
        assert not isinstance(phrases, dict) or phrases.keys() == chinese[key].keys()
