"""Detects the language of a text, which decides on the bundled embedding model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

from kbtui import late_patterns
from kbtui.text.word_lists import toml_in

Language = Literal["en", "zh", "mixed"]

CJK: Final = (
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
)
"""Inside of a regex character class: Han, Kana and Hangul, the scripts that write words without spaces between them."""

MAX_USED_HAN: Final = "的一是在不有"
"""Characters one of which is in nearly every Chinese paragraph, the most usual first."""

_CJK_CHAR = late_patterns.pattern(f"[{CJK}]")
_OTHER_WORD = late_patterns.pattern(f"[^\\W{CJK}]+")

_CJK_ABOVE = 0.5
_ENGLISH_BELOW = 0.1
_CHINESE_FROM = 0.8


def has_cjk(text: str) -> bool:
    """Whether at least one character is Han, Kana or Hangul."""
    return not text.isascii() and _CJK_CHAR.search(text) is not None


def cjk_share(text: str) -> float:
    """Share of CJK characters among CJK characters and other words, 0 to 1.

    A Latin word counts as one, like a CJK character: counted by letters, one English term would outweigh a Chinese
    sentence around it. A text without any word has share 0.
    """
    if text.isascii():
        return 0.0
    characters = sum(1 for _ in _CJK_CHAR.finditer(text))
    if not characters:
        return 0.0
    return characters / (characters + sum(1 for _ in _OTHER_WORD.finditer(text)))


def is_mostly_cjk(text: str) -> bool:
    """True for a text in Chinese, Japanese or Korean, whatever names and terms of other languages stand in it."""
    return cjk_share(text) > _CJK_ABOVE


def language(text: str) -> Language:
    """``en`` (no or hardly any CJK), ``zh`` (hardly anything else) or ``mixed``."""
    share = cjk_share(text)
    if share < _ENGLISH_BELOW:
        return "en"
    return "zh" if share >= _CHINESE_FROM else "mixed"


def answered_in(question: str) -> Language:
    """The language to answer in: ``zh`` for a question with Chinese in it, else ``en``."""
    return "zh" if has_cjk(question) else "en"


def simplified(text: str) -> str:
    """``text`` with common traditional characters in their simplified form, character by character.

    For reading a question, never for showing one: only the characters of ``traditional.toml`` are known.
    """
    return text if text.isascii() else text.translate(_simplified())


@cache
def _simplified() -> dict[int, int]:
    table = toml_in(__package__, "traditional.toml")
    return str.maketrans(table["traditional"], table["simplified"])


def users_language(environ: Mapping[str, str]) -> Literal["en", "zh"]:
    """The language of the user's locale, ``zh`` or else ``en``."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environ.get(name))), "")
    return "zh" if locale.lower().startswith("zh") else "en"


def interface_language(setting: str, environ: Mapping[str, str]) -> str:
    """The language that the program speaks: what ``ui.language`` says, for ``auto`` that of the locale."""
    return users_language(environ) if setting == "auto" else setting
