"""Search patterns, and highlighting of matches and the current match."""

from __future__ import annotations

import re

from textual.content import Content

Pattern = re.Pattern[str]

MATCH = "underline on $accent 25%"
CURRENT_MATCH = "bold reverse"


def pattern_of(text: str) -> Pattern | None:
    """The pattern of a search: case matters only if it has a capital letter, and a space matches any white space."""
    words = text.split()
    if not words:
        return None
    return re.compile(r"\s+".join(map(re.escape, words)), 0 if any(map(str.isupper, text)) else re.IGNORECASE)


def with_matches(content: Content, pattern: Pattern | None, current: int = -1) -> tuple[Content, int]:
    """``content`` with highlighted matches, the one with index ``current`` more strongly; and their number."""
    count = 0
    for count, match in enumerate(pattern.finditer(content.plain) if pattern else (), start=1):
        content = content.stylize(CURRENT_MATCH if count - 1 == current else MATCH, *match.span())
    return content, count
