"""English and Chinese function words, which do not belong to the topic of a question."""

from __future__ import annotations

from typing import Final

from kbtui.text.word_lists import toml_in

_LISTS: Final = {name: frozenset(words.split()) for name, words in toml_in(__package__, "stop_words.toml").items()}
ENGLISH: Final = _LISTS["english"]
CHINESE: Final = _LISTS["chinese"]
CHINESE_WHOLE: Final = _LISTS["chinese_whole"]
"""Words that hold a function character but are not made of one: without them 目的 would be cut at 的."""
CHINESE_PARTS: Final = _LISTS["chinese_parts"]
"""Function characters that are parts of many names and words: whoever keeps names whole does not cut at them."""
STOP_WORDS: Final = ENGLISH | CHINESE
"""Function words of both languages, lower case."""
