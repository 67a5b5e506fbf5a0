"""Cuts a question of both data and documents in two: ``which runbook covers the service with the most incidents?``

The half for the data is asked first; what it finds takes the place of ``{value}`` in the half for the documents.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "two_halves.toml")


class Halves(Struct, frozen=True):
    """``knowledge`` holds ``{value}`` where what ``data`` finds belongs."""

    knowledge: str
    data: str


def two_halves(question: str) -> Halves | None:
    """The halves of a question of both kinds; None where it is not, or cannot be cut."""
    text = question.strip().rstrip("?？。.!！").strip()
    chinese = None if text.isascii() else _RE.phrase_zh.search(text)
    if chinese is not None:
        return _cut_chinese(text, chinese)
    if match := _RE.then.match(text):
        data = match["data"] or match["data2"]
        knowledge = match["knowledge"] or match["knowledge2"]
        if _RE.documents.search(knowledge) and not _RE.documents.search(data):
            placed = _RE.refers.sub("{value}", knowledge, count=1)
            return Halves(placed if "{value}" in placed else f"{placed} {{value}}", data.strip())
    if not _RE.documents.search(text):
        return None
    if (phrase := _RE.phrase.search(text)) and not _RE.documents.search(phrase["data"]):
        knowledge = f"{text[: phrase.start()]}{{value}}{text[phrase.end() :]}"
        return Halves(f"{knowledge}?", phrase["data"])
    return None


def _cut_chinese(text: str, phrase: re.Match[str]) -> Halves | None:
    asked = phrase["data"]
    start = phrase.start()
    if lead := _RE.lead_zh.match(asked):
        start += lead.end()
        asked = asked[lead.end() :]
    rest = f"{text[:start]}{{value}}{text[phrase.end() :]}"
    if len(asked) < _SHORTEST or not _RE.documents_zh.search(rest) or _RE.documents_zh.search(asked):
        return None
    return Halves(f"{rest}？", asked)


_SHORTEST: Final = 4
