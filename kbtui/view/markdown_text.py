"""Data as Markdown: escaped text; and answers without their list of sources."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from kbtui.domain.answer import Citation
from kbtui.text.terminal import one_line

_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|])")
_FOOTNOTE: Final = re.compile(r"\s*(?:[-*]\s+)?\[(\d{1,3})\]:?\s+\S")
_SOURCES_HEADING: Final = re.compile(r"\s*(?:[-*_]{3,}|[#*\s]*(?:Sources|来源|出处)\W*)?\s*")


def escaped(text: str) -> str:
    """``text`` on one line, with every Markdown character escaped."""
    return _MARKUP.sub(r"\\\1", one_line(text))


def without_footer(markdown: str, citations: Iterable[Citation]) -> str:
    """An answer without the list of its sources at the end, which screen and exports show in their own form."""
    numbers = {citation.n for citation in citations}
    lines = markdown.rstrip().split("\n")
    end = len(lines)
    while end and (not lines[end - 1].strip() or _is_footnote(lines[end - 1], numbers)):
        end -= 1
    if end == len(lines):
        return markdown
    while end and _SOURCES_HEADING.fullmatch(lines[end - 1]):
        end -= 1
    return "\n".join(lines[:end]) if end else markdown


def _is_footnote(line: str, numbers: set[int]) -> bool:
    match = _FOOTNOTE.match(line)
    return match is not None and int(match[1]) in numbers
