"""Documents that a page lists under a sentence or heading: lists whose items begin with links.

``The following have been implemented in 2.8:`` above ``- :doc:`…``` states something about each listed document that
the document itself does not state. The name of a relation ``lists:`` holds the words, its target is a listed document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.links import document_target, local_target
from kbtui.knowledge.relations.statement_text import relation_on

LISTS: Final = "lists:"
"""Prefix of a relation to a listed document; the rest is the line and the text of the words above the list."""

_MAX_ITEMS: Final = 500
_MAX_LEAD_CHARS: Final = 300

_ITEM = re.compile(
    r"\s*(?:[-*+]|\d+[.)])\s+(?:\*\*|__)?(?:\[[^\[\]]{1,300}\]\((?P<url>[^)\s]{1,500})\)"
    r"|:doc:`(?:[^`<]{0,300}<)?(?P<doc>[^>`]{1,300})>?`|`[^`<]{1,300}<(?P<target>[^>`]{1,500})>`_)"
)
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_DIRECTIVE = re.compile(r"\s*\.\.\s|\s*:[\w-]+:")
_UNDERLINE = re.compile(r"\s*(?P<mark>[=\-~^\"'#*+.`_])(?P=mark){2,}\s*")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each item of a list that begins with a link to another document."""
    if document.kind not in ("markdown", "rst", "text"):
        return
    raw = document.text.split("\n")
    headings = {heading.line for heading in document.headings}
    count, lead = 0, 0
    for number, line in enumerate(raw, start=1):
        match = _ITEM.match(line) if line[:1] in " -*+0123456789\t" else None
        if match is None:
            if line.strip() and not line.startswith((" ", "\t")) and not _BULLET.match(line):
                lead = _lead(raw, number, lead, headings)
            continue
        target = local_target(document.path, match["url"] or match["target"] or "")
        target = document_target(document.path, match["doc"]) if match["doc"] else target
        if lead and target and count < _MAX_ITEMS:
            count += 1
            words = " ".join(takewhile(str.strip, raw[lead - 1 : number - 1]))
            yield relation_on(document, raw, f"{LISTS}{lead}:{_plain(words)}", target, number)


def _plain(words: str) -> str:
    """The words without mark-up of headings and lists."""
    return " ".join(_UNDERLINE.sub(" ", _ITEM.split(words)[0]).strip("# ").split())


def _lead(raw: Sequence[str], number: int, previous: int, headings: set[int]) -> int:
    """First line of the words above the next list: a heading or a short paragraph; 0 for none.

    Args:
        previous: The result for the line above.
    """
    line = raw[number - 1]
    if _DIRECTIVE.match(line) or _UNDERLINE.fullmatch(line):
        return previous
    if number in headings:
        return number
    is_continued = number > 1 and raw[number - 2].strip() and number - 1 not in headings and previous
    first = previous if is_continued and previous < number else number
    return first if sum(map(len, raw[first - 1 : number])) <= _MAX_LEAD_CHARS else 0
