"""The loader of HTML: title, headings and metadata, with their lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from kbtui.domain.document import HeaderField, Heading
from kbtui.knowledge.reading.loaders.base import Loader, Parsed
from kbtui.text.markup import XML_PAGES, reads_as_text
from kbtui.text.pages import is_admonition

_START = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)?(?:<!doctype\s+html|<html[\s>])", re.I | re.S)
_META = frozenset({"author", "date", "description", "keywords", "generator", "og:title", "article:published_time"})
# libxml2 builds the whole tree. A larger page is probably a data dump; its text is indexed without headings.
_MAX_PARSED_CHARS = 5_000_000
_MAX_HEADINGS = 2_000
_SITE_AFTER = re.compile(r"\s*[-–—|:·•»«]\s")
_SITE_BEFORE = re.compile(r"\s[-–—|:·•»«]\s*$")
"""What stands between the name of a page and that of its site in a title."""
_STYLES = ("style", "class", "role", "type")
_LEVELS = {f"h{level}": level for level in range(1, 7)}


def _parse(text: str, path: str) -> Parsed:
    from lxml import etree, html

    if not text.strip() or len(text) > _MAX_PARSED_CHARS:
        return Parsed()
    try:
        tree = html.document_fromstring(text.encode("utf-8", "replace"), parser=html.HTMLParser(encoding="utf-8"))
    except (etree.LxmlError, ValueError, AssertionError):
        return Parsed()
    last = text.count("\n") + 1
    title = ""
    headings: list[Heading] = []
    fields: list[HeaderField] = []
    for element in tree.iter("title", "meta", *_LEVELS):
        line = min(max(element.sourceline or 1, 1), last)
        if element.tag == "title":
            title = title or _text(element)
        elif element.tag == "meta":
            key = str(element.get("name") or element.get("property") or "").lower()
            value = " ".join(str(element.get("content") or "").split())
            if key in _META and value:
                fields.append(HeaderField(key=key, value=value[:500], start_line=line, end_line=line))
        elif len(headings) < _MAX_HEADINGS and (heading := _text(element)) and not is_admonition(heading):
            headings.append(Heading(level=_LEVELS[element.tag], text=heading[:500], line=line))
    if not headings and path.lower().endswith(XML_PAGES):
        headings = _styled_headings(tree, last)
    return Parsed(title=_page_title(title, headings), headings=tuple(headings), fields=tuple(fields))


def _page_title(title: str, headings: Sequence[Heading]) -> str:
    """The title of a page; of *Page — Site* the name of the page, which is its first heading."""
    heading = next((heading.text for heading in headings if heading.level == 1), "")
    around = title.partition(heading) if heading else ()
    if around and (_SITE_AFTER.match(around[2]) or _SITE_BEFORE.search(around[0])):
        return heading
    return title or (headings[0].text if headings else "")


def _styled_headings(tree: Any, last: int) -> list[Heading]:
    """Headings that are only marked by an attribute: ``<p style="htitle">``, ``role="subtitle"``."""
    headings: list[Heading] = []
    for element in tree.iter("p", "div", "span", "para", "title"):
        style = next((value.lower() for name in _STYLES if (value := str(element.get(name) or ""))), "")
        if style.endswith("title") and len(headings) < _MAX_HEADINGS and (heading := _text(element)):
            line = min(max(element.sourceline or 1, 1), last)
            headings.append(Heading(level=2 if "sub" in style else 1, text=heading[:500], line=line))
    return headings


def _text(element: Any) -> str:
    return " ".join(str(element.text_content()).split()).rstrip("¶").strip()


HTML = Loader(
    kind="html",
    matches=lambda path, text: _has_page_name(path.lower(), text) or _is_unnamed_page(path, text),
    parse=_parse,
)


def _has_page_name(path: str, text: str) -> bool:
    return path.endswith((".html", ".htm", ".xhtml")) or (path.endswith(XML_PAGES) and reads_as_text(text))


def _is_unnamed_page(path: str, text: str) -> bool:
    """Whether a file without an extension is a page."""
    return "." not in path.rpartition("/")[2] and _START.match(text[:4000]) is not None
