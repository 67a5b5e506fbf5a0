"""Normalises questions: Unicode, courtesies at the beginning, common typos; and tells their language."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final, Literal

from kbtui.question.lexicon import word_set
from kbtui.text.patterns import Patterns

Language = Literal["en", "zh"]

_RE: Final = Patterns("kbtui.question", "words/courtesies.toml")

# Words that patterns depend on: a typo in one of them changes the route. Typos that are words themselves stay.
_TRIGGERS = word_set("triggers")
_MIN_CORRECTED_LENGTH = 4
_REAL_WORDS = word_set("real_words")


def question_language(question: str) -> Language:
    """``zh`` when the words around names and code are Chinese, else ``en``.

    One Han character next to a Latin identifier already makes the question Chinese: nobody writes 的 in English. A
    Japanese sentence has Han characters too, and Hiragana between them (one の is fashion in Chinese names).
    """
    return "zh" if _RE.han.search(question) and len(_RE.hiragana.findall(question)) < 2 else "en"


def has_han(text: str) -> bool:
    """True when ``text`` holds a Han character."""
    return _RE.han.search(text) is not None


def clean(question: str) -> str:
    """NFKC, control characters out, white space collapsed. Quotes and backticks keep their spelling."""
    text = unicodedata.normalize("NFKC", question)
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Zs", "Zl", "Zp") else c for c in text)
    text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    return re.sub(r" {2,}", " ", text).strip()


def strip_courtesies(question: str) -> str:
    """``question`` without leading greetings, thanks and "could you please"; empty if it has nothing else."""
    text = question
    while match := _RE.courtesy.match(text):
        if match.end() == 0:
            break
        text = text[match.end() :]
    return text.strip()


def correct_typos(masked_question: str) -> str:
    """Corrects one-letter typos in trigger words (``fnd``, ``whch``, ``abuot``, ``diference``).

    Args:
        masked_question: Lower case, with mentions masked, so that no name is changed.
    """
    return re.sub(r"(?<![\w‹'])[a-z]{3,}(?![\w›])", lambda match: _corrected(match.group()), masked_question)


def _corrected(word: str) -> str:
    return word if word in _TRIGGERS or word in _REAL_WORDS else _typo_corrections().get(word, word)


@cache
def _typo_corrections() -> dict[str, str]:
    """The trigger word by each of its typos: a letter omitted or doubled, two neighbours transposed.

    Such typos are seldom other English words. The first and the last letter are never omitted: people rarely miss them,
    and ``note`` is no typo of ``notes``.
    """
    corrections: dict[str, str] = {}
    for trigger in sorted(_TRIGGERS):
        slips = {trigger[:at] + trigger[at + 1] + trigger[at] + trigger[at + 2 :] for at in range(len(trigger) - 1)}
        if len(trigger) >= _MIN_CORRECTED_LENGTH:
            slips |= {trigger[:at] + trigger[at + 1 :] for at in range(1, len(trigger) - 1)}
            slips |= {trigger[:at] + trigger[at] + trigger[at:] for at in range(len(trigger))}
        for slip in slips - {trigger}:
            corrections.setdefault(slip, trigger)
    return corrections
