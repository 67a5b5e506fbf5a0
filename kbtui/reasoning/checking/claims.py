"""Tells claims from sentences that need no source: greetings, questions, transitions and stated gaps."""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import STOP_WORDS, tokens

_RE: Final = Patterns(__package__, "claims.toml")
_MAX_TALK: Final = 90
"""Most characters of small talk; a longer sentence that begins like it also states something."""


def is_gap(text: str) -> bool:
    """Whether a sentence says that something was not found."""
    return _RE.gap.search(text) is not None


def remove_attribution(text: str) -> str:
    """The sentence without a leading “According to”, which its mark followed."""
    return _RE.led.sub("", text)


def is_advice(text: str) -> bool:
    """Whether a sentence advises, assesses or concludes; it may state facts as well."""
    return _RE.advice.search(text) is not None


def is_claim(text: str, *, is_cited: bool = False) -> bool:
    """Whether ``text`` states something that lines could support.

    Args:
        text: One sentence, item or row, plain.
        is_cited: It cites something, so that few words claim something: “Northgate did worst”.
    """
    stripped = text.strip().rstrip("\"'”’」』）)*_ ")
    if not stripped or stripped.endswith(("?", "？")) or is_gap(stripped):
        return False
    if _RE.reading.search(stripped) and not any(map(str.isdigit, stripped)):
        return False
    rest = _RE.frame.sub(" ", stripped)
    if not is_cited and not _has_content(rest):
        return False
    talk = _RE.talk.match(stripped)
    if talk is None:
        return True
    after = stripped[talk.end() :]
    if not after.strip(" ,.!:，。！：;；") or (len(stripped) <= _MAX_TALK and not _RE.factual.search(stripped)):
        # “Yes, deploys need two approvals”: the words after *yes* are the claim.
        return bool(re.match(r"(?:yes|no|sure|ok(?:ay)?|certainly|of course)\b", stripped, re.I)) and (
            after[:1] in ",.!:;，—–" and is_claim(after.lstrip(" ,.!:;，—–"))
        )
    return True


def is_lead_in(text: str) -> bool:
    """Whether ``text`` announces what follows (“The steps are:”)."""
    return text.rstrip("*_ ").endswith((":", "："))


def _has_content(text: str) -> bool:
    if _RE.factual.search(text):
        return True
    content_tokens = [token for token in tokens(text) if token not in STOP_WORDS]
    if has_cjk(text):
        return sum(len(token) == 1 for token in content_tokens) >= 4 or len(content_tokens) >= 5
    return len(set(content_tokens)) >= 2
