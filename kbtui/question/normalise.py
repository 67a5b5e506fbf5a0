"""Brings a question into the form the rules read: no courtesies in front, common slips repaired, language known."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final, Literal

from kbtui.question.lexicon import words
from kbtui.text.patterns import Patterns

Language = Literal["en", "zh"]

_RE: Final = Patterns("kbtui.question", "words/courtesies.toml")

# Words the rules turn on; a slip in one of them changes the route. Only slips that are no word themselves are mended.
_TRIGGERS = words("triggers")
_SHORTEST_MENDED = 4
_REAL_WORDS = words("real_words")


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
    """``question`` without greetings, thanks and "could you please" in front; never empty unless it was all that."""
    text = question
    while match := _RE.courtesy.match(text):
        if match.end() == 0:
            break
        text = text[match.end() :]
    return text.strip()


def mend(masked_question: str) -> str:
    """Repairs one-letter slips in the words that rules turn on (``fnd``, ``whch``, ``abuot``, ``diference``).

    Args:
        masked_question: Lower case, with mentions masked, so that no name is ever "repaired".
    """
    return re.sub(r"(?<![\w‹'])[a-z]{3,}(?![\w›])", lambda match: _mended(match.group()), masked_question)


def _mended(word: str) -> str:
    return word if word in _TRIGGERS or word in _REAL_WORDS else _slips().get(word, word)


@cache
def _slips() -> dict[str, str]:
    """Every mistyping of a trigger that is mended: a letter left out or doubled, two neighbours swapped.

    Those slips seldom make another English word. The first letter is never dropped and the last one neither: people
    rarely miss them, and ``note`` is no slip of ``notes``.
    """
    found: dict[str, str] = {}
    for trigger in sorted(_TRIGGERS):
        slips = {trigger[:at] + trigger[at + 1] + trigger[at] + trigger[at + 2 :] for at in range(len(trigger) - 1)}
        if len(trigger) >= _SHORTEST_MENDED:
            slips |= {trigger[:at] + trigger[at + 1 :] for at in range(1, len(trigger) - 1)}
            slips |= {trigger[:at] + trigger[at] + trigger[at:] for at in range(len(trigger))}
        for slip in slips - {trigger}:
            found.setdefault(slip, trigger)
    return found
