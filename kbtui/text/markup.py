"""What a reader sees of marked-up text. Line breaks are never added or removed, so that line numbers still hold."""

from __future__ import annotations

import html
import re
from typing import Final

BREAK: Final = "\x1e"
"""Stands where a block-level element began or ended."""

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
_HIDDEN = re.compile(r"<!--.*?(?:-->|\Z)|<(script|style|template)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.I | re.S)
_BLOCK = re.compile(rf"</?(?:{_BLOCK_TAGS})(?:\s[^<>]*)?/?>|<!doctype[^<>]*>", re.I)
_INLINE = re.compile(rf"</?(?:{_INLINE_TAGS})(?:\s[^<>]*)?/?>", re.I)


def strip_html(text: str, mark_blocks: bool = False) -> str:
    """``text`` without comments, scripts, styles and HTML tags, entities resolved; every newline stays.

    Only elements that HTML has count as tags, so that ``Vec<T>`` in Markdown survives.

    Args:
        text: HTML, or text with some HTML in it.
        mark_blocks: Put `BREAK` where block-level elements begin and end; else a space.
    """
    if "<" in text:
        joint = BREAK if mark_blocks else " "
        text = _HIDDEN.sub(lambda match: joint + "\n" * match[0].count("\n"), text)
        text = _BLOCK.sub(lambda match: joint + "\n" * match[0].count("\n"), text)
        text = _INLINE.sub(lambda match: "\n" * match[0].count("\n"), text)
    if "&" in text:
        text = "\n".join(html.unescape(line).replace("\n", " ") if "&" in line else line for line in text.split("\n"))
    return text
