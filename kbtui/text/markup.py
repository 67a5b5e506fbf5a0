"""Strips markup from text. Line breaks are never added or removed, so that line numbers stay valid."""

from __future__ import annotations

import html
import re
from typing import Final

XML_PAGES: Final = (".xml", ".page", ".dbk", ".docbook", ".dita")
"""Files of vocabularies in which manuals are written (DocBook, Mallard, DITA, own ones), and other XML."""

_BLOCK_TAGS = (
    "address|article|aside|blockquote|body|br|button|caption|center|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|img|input|legend|"
    "li|link|main|menu|meta|nav|noscript|ol|optgroup|option|p|pre|section|select|source|summary|table|"
    "tbody|td|textarea|tfoot|th|thead|title|tr|ul|video"
)
_INLINE_TAGS = (
    "a|abbr|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|picture|q|rp|rt|ruby|s|samp|"
    "small|span|strike|strong|sub|sup|svg|path|time|tt|u|var|wbr"
)
_BLOCK_NAMES: Final = frozenset(_BLOCK_TAGS.split("|"))
_INLINE_NAMES: Final = frozenset(_INLINE_TAGS.split("|"))
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?\?>|<(script|style|template)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.I | re.S)
_BLOCK = re.compile(rf"</?(?:{_BLOCK_TAGS})(?:\s[^<>]*)?/?>|<!doctype[^<>]*>", re.I)
_INLINE = re.compile(rf"</?(?:{_INLINE_TAGS})(?:\s[^<>]*=[^<>]*)?/?>", re.I)
_OTHER = re.compile(r"</?[A-Za-z][\w:.-]*(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*\s*/?>")
_AT_EDGE = re.compile(r"[^\S\n]*(?:\n|\Z)")
_WORDS: Final = re.compile(r"\w+\W+" * 5 + r"\w+|[\u4e00-\u9fff]{10}")
_PARAGRAPHS: Final = 2
_LOOKED_AT: Final = 20_000


def reads_as_text(markup: str) -> bool:
    """Whether XML holds text for readers, as manuals and help pages do, rather than values of a program."""
    beginning = _HIDDEN.sub(" ", markup[:_LOOKED_AT])
    return sum(_WORDS.search(run) is not None for run in _OTHER.split(beginning)) >= _PARAGRAPHS


def strip_html(text: str) -> str:
    """``text`` without comments, scripts, styles and HTML tags, entities resolved; every newline stays.

    Only elements that HTML has count as tags, so that ``Vec<T>`` in Markdown survives.

    Args:
        text: Text with some HTML in it.
    """
    if "<" in text:
        text = _HIDDEN.sub(lambda match: " " + "\n" * match[0].count("\n"), text)
        text = _BLOCK.sub(lambda match: " " + "\n" * match[0].count("\n"), text)
        text = _INLINE.sub(lambda match: "\n" * match[0].count("\n"), text)
    if "&" in text:
        text = "\n".join(html.unescape(line).replace("\n", " ") if "&" in line else line for line in text.split("\n"))
    return text


def is_block_tag(name: str, markup: str, start: int, end: int) -> bool:
    """Whether a tag of a page is block-level; one that HTML does not have is where it stands at an end of a line.

    Args:
        name: Of the element, in lower case.
        start, end: Offsets of the tag in ``markup``.
    """
    if name in _BLOCK_NAMES:
        return True
    if name in _INLINE_NAMES:
        return False
    before = markup[max(0, start - 200) : start].rstrip(" \t")
    return before[-1:] in ("", "\n", ">") or _AT_EDGE.match(markup, end) is not None
