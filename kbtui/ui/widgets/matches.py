"""Words that are looked for, marked where they stand; the place that the reader is at stands out among them."""

from __future__ import annotations

import re

from textual.content import Content

Pattern = re.Pattern[str]

MATCH = "underline on $accent 25%"
CURRENT_MATCH = "bold reverse"


def pattern_of(typed: str) -> Pattern | None:
    """What is looked for: letters in either case unless a capital is typed; a space is any white space."""
    words = typed.split()
    if not words:
        return None
    return re.compile(r"\s+".join(map(re.escape, words)), 0 if any(map(str.isupper, typed)) else re.IGNORECASE)


def with_matches(content: Content, pattern: Pattern | None, current: int = -1) -> tuple[Content, int]:
    """``content`` with its matches marked, that number ``current`` more than the others; and how many there are."""
    count = 0
    for count, match in enumerate(pattern.finditer(content.plain) if pattern else (), start=1):
        content = content.stylize(CURRENT_MATCH if count - 1 == current else MATCH, *match.span())
    return content, count
