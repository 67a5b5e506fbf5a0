"""Paths, addresses and marks in a text: they point somewhere and state nothing, whatever words they are made of.

A line ``[2] finance/salaries.xlsx:L1-L40`` speaks neither of salaries nor of the number 2.
"""

from __future__ import annotations

import re
from typing import Final

_LABEL: Final = re.compile(
    r"https?://[^\s<>()\[\]\"'，。；]+"
    # Bounded, since a long run without a dot at its end would otherwise be looked through from each of its letters.
    r"|(?<![\w./~@-])(?:[\w.~@-]{1,80}/|/){1,20}[\w@-]{1,80}(?:\.[A-Za-z]\w{0,7}){1,2}(?::L?\d+(?:-L?\d+)?)?(?![\w/])"
    r"|(?<![\w./~@-])[\w@-]{1,80}(?:\.[A-Za-z]\w{0,7}){1,2}:L?\d+(?:-L?\d+)?"
    r"|(?<!\w)\[\^?\d{1,3}\]"
)
_LINES: Final = re.compile(r":L?\d+(?:-L?\d+)?$")


def without_labels(text: str) -> str:
    """The text with blanks in place of its paths, addresses and marks; offsets stay."""
    if "/" not in text and ":" not in text and "[" not in text:
        return text
    return _LABEL.sub(lambda match: " " * len(match[0]), text)


def labels(text: str) -> list[str]:
    """Names of the files that paths in the text lead to, in lower case; whoever names the file means that path."""
    if "/" not in text and ":" not in text:
        return []
    found = []
    for match in _LABEL.finditer(text):
        name = _LINES.sub("", match[0]).rpartition("/")[2].lower()
        if name and not name.startswith("["):
            found.append(name)
    return found
