"""Which sentences of an answer claim something: greetings, questions, transitions and honest gaps need no source."""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import STOP_WORDS, tokens

_RE: Final = Patterns(__package__, "claims.toml")
_MOST_TALK: Final = 90
"""Characters up to which a sentence that begins like talk is talk; a longer one says something too."""


def is_gap(text: str) -> bool:
    """The sentence says that something was not found."""
    return _RE.gap.search(text) is not None


def without_frame(text: str) -> str:
    """A sentence without “According to”, behind which its mark stood."""
    return _RE.led.sub("", text)


def is_advice(text: str) -> bool:
    """The sentence advises, weighs or concludes; it may state facts besides."""
    return _RE.advice.search(text) is not None


def is_claim(text: str) -> bool:
    """Whether ``text`` states something that lines could bear out.

    Args:
        text: One sentence, item or row, plain.
    """
    stripped = text.strip().rstrip("\"'”’」』）)*_ ")
    if not stripped or stripped.endswith(("?", "？")) or is_gap(stripped):
        return False
    if _RE.reading.search(stripped) and not any(map(str.isdigit, stripped)):
        return False
    rest = _RE.frame.sub(" ", stripped)
    if not _says_something(rest):
        return False
    talk = _RE.talk.match(stripped)
    if talk is None:
        return True
    after = stripped[talk.end() :]
    if not after.strip(" ,.!:，。！：;；") or (len(stripped) <= _MOST_TALK and not _RE.factual.search(stripped)):
        # “Yes, deploys need two approvals” answers a question: what follows the word is the claim.
        return bool(re.match(r"(?:yes|no|sure|ok(?:ay)?|certainly|of course)\b", stripped, re.I)) and (
            after[:1] in ",.!:;，—–" and is_claim(after.lstrip(" ,.!:;，—–"))
        )
    return True


def is_lead_in(text: str) -> bool:
    """Whether ``text`` announces what follows (“The steps are:”)."""
    return text.rstrip("*_ ").endswith((":", "："))


def _says_something(text: str) -> bool:
    if _RE.factual.search(text):
        return True
    found = [token for token in tokens(text) if token not in STOP_WORDS]
    if has_cjk(text):
        return sum(len(token) == 1 for token in found) >= 4 or len(found) >= 5
    return len(set(found)) >= 2
