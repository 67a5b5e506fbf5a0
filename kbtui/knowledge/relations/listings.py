"""Which documents a page lists, and under which words: a sentence or a heading over items that begin with links.

``The following have been implemented in 2.8:`` over ``- :doc:`…``` says something of each document below it that
no document says of itself. A relation ``lists:`` holds the words, its target is the document of one item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.links import document_target, local_target
from kbtui.knowledge.relations.stated import relation_on

LISTS: Final = "lists:"
"""How relations begin that name a listed document; the rest is the words that it stands under, behind their line."""

_MOST: Final = 500
_LONGEST_LEAD: Final = 300

_ITEM = re.compile(
    r"\s*(?:[-*+]|\d+[.)])\s+(?:\*\*|__)?(?:\[[^\[\]]{1,300}\]\((?P<url>[^)\s]{1,500})\)"
    r"|:doc:`(?:[^`<]{0,300}<)?(?P<doc>[^>`]{1,300})>?`|`[^`<]{1,300}<(?P<target>[^>`]{1,500})>`_)"
)
_ANY_ITEM = re.compile(r"^[^\S\n]*(?:[-*+]|\d+[.)])[^\S\n]+(?:\*\*|__)?(?:\[|:doc:`|`)", re.M)
"""What every document with such an item holds, and most documents do not."""
_BULLET = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_DIRECTIVE = re.compile(r"\s*\.\.\s|\s*:[\w-]+:")
_UNDERLINE = re.compile(r"\s*(?P<mark>[=\-~^\"'#*+.`_])(?P=mark){2,}\s*")


def extract(document: Document) -> Iterator[Relation]:
    """A relation for each item of a list that begins with a link to another document."""
    if document.kind not in ("markdown", "rst", "text") or not _ANY_ITEM.search(document.text):
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
        if lead and target and count < _MOST:
            count += 1
            words = " ".join(takewhile(str.strip, raw[lead - 1 : number - 1]))
            yield relation_on(document, raw, f"{LISTS}{lead}:{_plain(words)}", target, number)


def _plain(words: str) -> str:
    """The words without the marks of a heading or of a list below them."""
    return " ".join(_UNDERLINE.sub(" ", _ITEM.split(words)[0]).strip("# ").split())


def _lead(raw: Sequence[str], number: int, before: int, headings: set[int]) -> int:
    """The line on which the words begin that what follows stands under: a heading, or a paragraph of a sentence."""
    line = raw[number - 1]
    if _DIRECTIVE.match(line) or _UNDERLINE.fullmatch(line):
        return before
    if number in headings:
        return number
    goes_on = number > 1 and raw[number - 2].strip() and number - 1 not in headings and before
    first = before if goes_on and before < number else number
    return first if sum(map(len, raw[first - 1 : number])) <= _LONGEST_LEAD else 0
