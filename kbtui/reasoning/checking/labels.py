"""Finds paths, URLs and citation marks in a text, whose words and numbers are not content.

A line ``[2] finance/salaries.xlsx:L1-L40`` is neither about salaries nor about the number 2.
"""

from __future__ import annotations

import re
from typing import Final

_LABEL: Final = re.compile(
    r"https?://[^\s<>()\[\]\"'，。；]+"
    # Bounded, because a long run without a final dot would be scanned from each of its letters (quadratic time).
    r"|(?<![\w./~@-])(?:[\w.~@-]{1,80}/|/){1,20}[\w@-]{1,80}(?:\.[A-Za-z]\w{0,7}){1,2}(?::L?\d+(?:-L?\d+)?)?(?![\w/])"
    r"|(?<![\w./~@-])[\w@-]{1,80}(?:\.[A-Za-z]\w{0,7}){1,2}:L?\d+(?:-L?\d+)?"
    r"|(?<!\w)\[\^?\d{1,3}\]"
)
_LINES: Final = re.compile(r":L?\d+(?:-L?\d+)?$")


def without_labels(text: str) -> str:
    """The text with paths, URLs and marks replaced by blanks, so that offsets do not change."""
    if "/" not in text and ":" not in text and "[" not in text:
        return text
    return _LABEL.sub(lambda match: " " * len(match[0]), text)


def labels(text: str) -> list[str]:
    """File names of the paths in a text, in lower case; a file name alone refers to the same file."""
    if "/" not in text and ":" not in text:
        return []
    names = []
    for match in _LABEL.finditer(text):
        name = _LINES.sub("", match[0]).rpartition("/")[2].lower()
        if name and not name.startswith("["):
            names.append(name)
    return names
