"""PDF: the text of each page in reading order, without what every page repeats."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged, plain, unreadable
from kbtui.knowledge.reading.formats.page_layout import Line, Segment, lines_in_order, typical_height

_MOST_PAGES: Final = 5_000
_MOST_SEGMENTS: Final = 20_000
"""On one page: plots have one for each label, a page of text has a hundred."""
_EDGE_LINES: Final = 2
"""At the top and the bottom of a page that may be a running header or footer."""
_REPEATED: Final = 0.3
"""Share of the pages on which a running header stands: left and right pages may have different ones."""
_LEAST_REPEATED: Final = 3
_HEADING: Final = 1.15
"""Times the height of running text."""
_LONGEST_HEADING: Final = 120
_LEADERS: Final = re.compile(r"(?:\s?\.){5,}\s?")
"""Dots that lead from an entry of a table of contents to its page."""
_NUMBER: Final = re.compile(r"\d+|\b[ivxlcdm]+\b")
_HYPHEN: Final = re.compile(r"([^\W\d_])[-\u00ad\u2010\x02\ufffe]$")
_NO_TEXT: Final = ("no text layer", "OCR makes one: `ocrmypdf in.pdf out.pdf`")


def extract(data: bytes, path: str) -> Extracted:
    """The text of a PDF, with a place for each page.

    Raises:
        KnowledgeBaseError: It is protected by a password, is damaged, or has pictures of text alone.
    """
    import pypdfium2

    del path
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise unreadable("protected by a password", "save it without one") from error
        raise damaged() from error
    try:
        title = str(document.get_metadata_dict().get("Title", ""))
        pages = [_lines_of(document, number) for number in range(min(len(document), _MOST_PAGES))]
    finally:
        document.close()
    if pages and not any(pages):
        raise unreadable(*_NO_TEXT)
    running = _running(pages)
    usual = typical_height([line for page in pages for line in page])
    builder = TextBuilder()
    for number, page in enumerate(pages, 1):
        kept = [line for at, line in enumerate(page) if _edge_key(page, at) not in running]
        if kept and not builder.full():
            builder.blank()
            builder.place(f"p.{number}")
            _write(builder, kept, usual)
    return builder.done(title=title)


def _lines_of(document: Any, number: int) -> list[Line]:
    import pypdfium2

    try:
        page = document[number]
        try:
            text_page = page.get_textpage()
            width = page.get_width()
            segments = []
            for at in range(min(text_page.count_rects(), _MOST_SEGMENTS)):
                left, bottom, right, top = text_page.get_rect(at)
                text = plain(text_page.get_text_bounded(left, bottom, right, top).replace("\x02", "-")).strip()
                if text:
                    segments.append(Segment(left, bottom, right, top, " ".join(text.split())))
            text_page.close()
        finally:
            page.close()
    except pypdfium2.PdfiumError:
        return []
    return lines_in_order(segments, width)


def _edge_key(page: Sequence[Line], at: int) -> tuple[str, str] | None:
    """What a line at an edge of a page has in common with those of other pages; None for lines between the edges."""
    if at < _EDGE_LINES:
        edge = "top"
    elif at >= len(page) - _EDGE_LINES:
        edge = "bottom"
    else:
        return None
    return edge, _NUMBER.sub("#", page[at].text.lower())


def _running(pages: Sequence[Sequence[Line]]) -> frozenset[tuple[str, str] | None]:
    """Running headers and footers: what stands at the same edge of many pages, whatever its numbers are.

    One with a number, which is that of the page as a rule, may be that of one chapter alone.
    """
    counted = Counter(
        key for page in pages for key in {_edge_key(page, at) for at in range(len(page))} if key is not None
    )
    least = max(_LEAST_REPEATED, _REPEATED * sum(map(bool, pages)))
    return frozenset(key for key, count in counted.items() if count >= (_LEAST_REPEATED if "#" in key[1] else least))


def _write(builder: TextBuilder, page: Sequence[Line], usual: float) -> None:
    """The lines of a page: blank lines between paragraphs, words mended that were parted at the end of a line."""
    texts = [line.text for line in page]
    for at in range(len(texts) - 1):
        head, _, rest = texts[at + 1].partition(" ")
        if _HYPHEN.search(texts[at]) and head[:1].islower():
            texts[at] = texts[at][:-1] + head
            texts[at + 1] = rest
    for line, written in zip(page, texts, strict=True):
        text = _LEADERS.sub(" … ", written)
        if not text:
            continue
        is_heading = line.height >= _HEADING * usual and len(text) <= _LONGEST_HEADING and not line.is_row
        if line.starts_paragraph or is_heading:
            builder.blank()
        builder.add(text)
        if is_heading:
            builder.add(("=" if line.height >= 1.5 * usual else "-") * max(3, len(text)))
            builder.blank()
