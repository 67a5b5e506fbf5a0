"""Splits a question about both data and documents in two: ``which runbook covers the service with the most incidents?``

The part about data is asked first; the value it finds replaces ``{value}`` in the part about documents.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from kbtui.text.patterns import Patterns

_RE: Final = Patterns(__package__, "hybrid_questions.toml")


class HybridQuestion(Struct, frozen=True):
    """The two parts of a question; ``knowledge`` has ``{value}`` where the value found by ``data`` belongs."""

    knowledge: str
    data: str


def split_hybrid_question(question: str) -> HybridQuestion | None:
    """The parts of a hybrid question; None for other questions, and if it cannot be split."""
    text = question.strip().rstrip("?？。.!！").strip()
    chinese = None if text.isascii() else _RE.phrase_zh.search(text)
    if chinese is not None:
        return _split_chinese(text, chinese)
    if match := _RE.then.match(text):
        data = match["data"] or match["data2"]
        knowledge = match["knowledge"] or match["knowledge2"]
        if _RE.documents.search(knowledge) and not _RE.documents.search(data):
            placed = _RE.refers.sub("{value}", knowledge, count=1)
            return HybridQuestion(placed if "{value}" in placed else f"{placed} {{value}}", data.strip())
    if not _RE.documents.search(text):
        return None
    if (phrase := _RE.phrase.search(text)) and not _RE.documents.search(phrase["data"]):
        knowledge = f"{text[: phrase.start()]}{{value}}{text[phrase.end() :]}"
        return HybridQuestion(f"{knowledge}?", phrase["data"])
    return None


def _split_chinese(text: str, phrase: re.Match[str]) -> HybridQuestion | None:
    data_question = phrase["data"]
    start = phrase.start()
    if lead := _RE.lead_zh.match(data_question):
        start += lead.end()
        data_question = data_question[lead.end() :]
    document_part = f"{text[:start]}{{value}}{text[phrase.end() :]}"
    if (
        len(data_question) < _MIN_LENGTH
        or not _RE.documents_zh.search(document_part)
        or _RE.documents_zh.search(data_question)
    ):
        return None
    return HybridQuestion(f"{document_part}？", data_question)


_MIN_LENGTH: Final = 4
