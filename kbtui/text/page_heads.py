"""What a page of HTML states about itself at its head: the fields below its title, and the way to it from the start."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from kbtui.text.pages import LETTER, TAG, PageBlock, end_of

_BREADCRUMBS: Final = re.compile(
    r"\b(?:class|id|aria-label|typeof|itemtype)\s*=\s*[\"']?[^\"'<>]*\bbreadcrumb(?:s|list)?\b", re.I
)
_MAX_FIELD_NAME: Final = 40
"""Characters of the name of a field; Chinese names are as short as in the head of a Markdown file."""
_MAX_WIDE_FIELD_NAME: Final = 8
_MAX_FIELD_NAME_WORDS: Final = 4
_MAX_CRUMB: Final = 60
_LABELLED: Final = re.compile(r"(?P<name>[^\W\d_][^:：\n.!?。！？]{0,40}?)\s*[:：](?!//)\s*(?P<value>\S[^\n]{0,200})")
"""A paragraph that is one field: ``Status: open``."""
_RUNNING: Final = re.compile(r"(?:\S+\s+){3,}\S+[.!?]$|[。！？]$|^.{160}")
"""A value that is text to read and no field's."""


class PageField(Struct, frozen=True, kw_only=True):
    """A field that a page states about itself at its head.

    Attributes:
        line: Line of its value.
        block: Its place among the blocks of the page.
        is_marked: Whether the markup tells its name from its value, as the header cell of a row or a term does.
    """

    name: str
    value: str
    line: int
    block: int
    is_marked: bool


def page_fields(blocks: Sequence[PageBlock]) -> list[PageField]:
    """The fields between the title of a page and the first text below it: rows of a box, terms, ``Status: open``.

    A table of several columns, or with a row of names, is part of the text, and so is what stands in a fragment
    without the title.
    """
    fields: list[PageField] = []
    has_title = False
    for place, block in enumerate(blocks):
        if block.kind == "heading":
            if fields or (has_title and block.level != 1):
                break
            has_title = has_title or block.level == 1
            continue
        field = _field_of(block, place) if has_title else None
        if field is None:
            break
        fields.append(field)
    return fields


def _field_of(block: PageBlock, place: int) -> PageField | None:
    """The field that a block states; None where it is text."""
    name, value, line = "", "", block.start_line
    is_marked = block.is_named_row or bool(block.term)
    if block.kind == "table_row" and len(block.cells) == 2 and not block.level:
        (name, value), line = block.cells, block.cell_lines[1]
    elif block.term:
        name, value = block.term, block.text.removeprefix(f"{block.term}: ")
        line += block.text.count("\n", 0, len(block.text) - len(value.lstrip()))
    elif block.kind in ("prose", "list_item") and (labelled := _LABELLED.fullmatch(block.text)) is not None:
        name, value = labelled["name"], labelled["value"]
    name, value = " ".join(name.split()).rstrip(" :："), " ".join(value.split())
    if not (_is_name(name) and value) or _RUNNING.search(value):
        return None
    return PageField(name=name, value=value, line=line, block=place, is_marked=is_marked)


def _is_name(text: str) -> bool:
    most = _MAX_FIELD_NAME if text.isascii() else _MAX_WIDE_FIELD_NAME
    return LETTER.match(text) is not None and len(text) <= most and len(text.split()) <= _MAX_FIELD_NAME_WORDS


def breadcrumbs(markup: str) -> list[tuple[str, int]]:
    """The names on the way from the start of a site down to a page, with their offsets; empty without such a way."""
    start = next(
        (tag for tag in TAG.finditer(markup) if not tag["end"] and _BREADCRUMBS.search(tag["attributes"] or "")), None
    )
    if start is None:
        return []
    end = end_of(str(start["name"]), markup, start.end())
    names = []
    position = start.end()
    for tag in TAG.finditer(markup, position, end):
        text = html.unescape(markup[position : tag.start()])
        name = " ".join(text.split())
        if LETTER.search(name) and len(name) <= _MAX_CRUMB:
            names.append((name, position + len(text) - len(text.lstrip())))
        position = tag.end()
    return names
