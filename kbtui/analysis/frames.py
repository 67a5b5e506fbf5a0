"""The words around a request, such as "what is … please?", which are no part of it."""

from __future__ import annotations

import re
from collections.abc import Sequence


def unframed(text: str, before: Sequence[re.Pattern[str]], after: Sequence[re.Pattern[str]]) -> str:
    """``text`` without what ``before`` matches at its beginning and ``after`` finds, as often as they do."""
    known = ""
    while text != known:
        known = text
        for pattern in before:
            if match := pattern.match(text):
                text = text[match.end() :]
        for pattern in after:
            if match := pattern.search(text):
                text = text[: match.start()]
        text = text.strip(" ,")
    return text
