"""Finds and removes characters that are invisible to readers but not to models.

`terminal.clean` keeps what a terminal may safely print. A chat model reads more than a terminal shows: whole messages
fit into variation selectors, joiners and fillers between the letters of a harmless sentence. What a script or an emoji
needs (Persian and Indic joiners, the joiner of a family emoji, the selector that makes a sign an emoji) stays.
"""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.terminal import clean

_EMOJI: Final = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f"
    "\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINING: Final = (
    "\u0600-\u07ff\u0840-\u08ff\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\u1800-\u18af\ua800-\ua9ff\uaa00-\uaaff"
    "\uabc0-\uabff\ufb50-\ufdff\ufe70-\ufefc"
)
"""Scripts in which a joiner changes how letters are written: Arabic and its relatives, Indic, Khmer, Mongolian."""

_FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2065\u3164\uffa0\ufff0-\ufff8"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Of the selectors behind a sign the first may be meant; a second one never is.
_SELECTORS = re.compile(f"(?<=[{_EMOJI}#*0-9])([\ufe0e\ufe0f])[\ufe00-\ufe0f]*|[\ufe00-\ufe0f]+")
_JOINERS = re.compile(
    f"((?<=[{_EMOJI}\ufe0f])\u200d(?=[{_EMOJI}])|(?<=[{_JOINING}])(?:\u200d|\u200c(?=[{_JOINING}])))"
    "(?![\u200c\u200d])|[\u200c\u200d]+"
)
_SMUGGLED = re.compile(
    "[\U000e0001-\U000e007f]"  # tag characters: invisible ASCII
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2}"  # selectors in a row: a byte each
    "|[\u202a\u202b\u202d\u202e\u2066-\u2068]"  # text that reads in another order than it stands
    "|[\u200b-\u200d\u2060-\u2064]{4}"  # zero-width characters in a row: a bit each
)
_ZERO_WIDTH = re.compile(f"(?<![{_EMOJI}{_JOINING}\ufe0f])[\u200b-\u200d\u2060-\u2064]")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,7}\U000e007f")
"""A black flag and the name of a region: the one thing tag characters are for."""

MAX_ZERO_WIDTH = 8
"""Zero-width characters in one text that a word processor may have left behind."""


def visible(text: str) -> str:
    """``text`` as a reader sees it: cleaned for a terminal, and without characters that show nothing.

    Line ends are kept as they are counted: no line is added or lost beyond ``\\r\\n`` and ``\\r`` becoming ``\\n``.
    """
    text = clean(text)
    if text.isascii():
        return text
    text = _FILLERS.sub("", text)
    text = _SELECTORS.sub(_first_group, text)
    return _JOINERS.sub(_first_group, text)


def conceals(text: str) -> bool:
    """Whether ``text`` has hidden characters in a way that no script, emoji or word processor uses."""
    if text.isascii():
        return False
    text = _FLAG.sub("", text)
    if _SMUGGLED.search(text):
        return True
    return sum(1 for _ in _ZERO_WIDTH.finditer(text)) > MAX_ZERO_WIDTH


def _first_group(match: re.Match[str]) -> str:
    return match[1] or ""
