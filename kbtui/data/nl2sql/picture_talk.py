# ruff: noqa: E501 (patterns read best on one line)
"""What a question says about the picture and its axes, taken out before the question itself is read."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_KINDS: Final = r"(?:stacked |grouped |grouping )?(?:bar|pie|line|scatter|histogram)"
_PICTURE: Final = re.compile(
    rf"[.,]?\s*\b(?:please )?(?:show(?: me)?|draw|plot|return|give me|make|create|visuali[sz]e(?: them| it)?)?\s*(?:\b(?:by|as|with|using|in)\b)?\s*(?:an? )?\b(?:{_KINDS} (?:chart|graph|plot)|histogram)\b(?:\s+(?:for|of|on|about|listing|showing)\b)?"
    rf"|\breturn a (?:{_KINDS}) on\b|\bvisuali[sz]e by\b",
    re.IGNORECASE,
)  # fmt: skip
_ORDER: Final = re.compile(
    r"(?:[,.?]+\s*(?:\band )?|\s+\band )(?:\b(?:i want to|could you|can you|please)\b\s*)?\b(?:show|sort|rank|order|list|display)\b(?P<what>[^.,?]*?\b(?:asc\w*|desc\w*|low to high|high to low)\b[^.,?]*)[.?]?\s*$",
    re.IGNORECASE,
)
_Y: Final = re.compile(r"\by\b|\by-axis\b|\btotal number\b|\bhow many\b", re.IGNORECASE)
_X: Final = re.compile(r"\bx\b|\bx-axis\b|\bbars?\b", re.IGNORECASE)


class Picture(NamedTuple):
    """The question without the picture; which axis is sorted (``x``, ``y`` or none) and whether downwards."""

    question: str
    asked: bool
    axis: str = ""
    down: bool = False


def without_picture(question: str) -> Picture:
    """Take talk of charts and axes out of an English question."""
    axis, down = "", False
    if found := _ORDER.search(question):
        what = found["what"]
        named = _PICTURE.search(question) and re.search(r"\bnames?\b", what, re.IGNORECASE)
        axis = "y" if _Y.search(what) else "x" if _X.search(what) or named else ""
        if axis:
            down = bool(re.search(r"desc|high to low", what, re.IGNORECASE))
            question = question[: found.start()] + "."
    shorter, count = _PICTURE.subn(" ", question)
    if count:
        question = re.sub(r"^\W+", "", shorter)
    return Picture(question, bool(count or axis), axis, down)
