"""Texts of ``key = value`` lines, in which many programs keep data under suffixes of their own."""

from __future__ import annotations

import re
from typing import Final

PAIR: Final = re.compile(r"""\s*(?P<key>"[^"\n]{1,200}"|'[^'\n]{1,200}'|[\w.-]{1,200})\s*=\s*(?P<value>\S.*)$""")
_FEWEST: Final = 3
_SHARE: Final = 0.9
_MOST_LINES: Final = 200
"""Lines of a text that are looked at."""


def are_pairs(text: str) -> bool:
    """Whether nearly every line of a text that is neither blank nor a comment is ``key = value``."""
    lines = [line for line in text.split("\n", _MOST_LINES)[:_MOST_LINES] if line.strip() and line[0] not in "#;"]
    pairs = sum(PAIR.match(line) is not None for line in lines)
    return pairs >= max(_FEWEST, _SHARE * len(lines))
