"""The text of PDF files in reading order, without running headers and footers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error, plain
from kbtui.knowledge.reading.formats.page_layout import Line, Segment, lines_in_order, typical_height

_MAX_PAGES: Final = 5_000
_MAX_SEGMENTS: Final = 20_000
"""Segments of one page; a page of text has about a hundred, a plot one for each label."""
_EDGE_LINES: Final = 2
"""Lines at the top and bottom of a page that may be a running header or footer."""
_MIN_REPEATED_SHARE: Final = 0.3
"""Least share of pages with a running header; left and right pages may have different ones."""
_MIN_REPEATED: Final = 3
_HEADING_FACTOR: Final = 1.15
"""Least height of a heading, as a factor of that of running text."""
_MAX_HEADING_CHARS: Final = 120
_LEADERS: Final = re.compile(r"(?:\s?\.){5,}\s?")
"""Leader dots in a table of contents."""
_NUMBER: Final = re.compile(r"\d+|\b[ivxlcdm]+\b")
_HYPHEN: Final = re.compile(r"([^\W\d_])[-\u00ad\u2010\x02\ufffe]$")
_NO_TEXT: Final = ("no text layer", "OCR makes one: `ocrmypdf in.pdf out.pdf`")


def extract(data: bytes, _path: str) -> Extracted:
    """The text of a PDF, with a place for each page.

    Raises:
        KnowledgeBaseError: The file is protected by a password, is damaged, or has only images of text.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise KnowledgeBaseError("protected by a password", "save it without one") from error
        raise damaged_error() from error
    try:
        title = str(document.get_metadata_dict().get("Title", ""))
        pages = [_lines_of(document, number) for number in range(min(len(document), _MAX_PAGES))]
    finally:
        document.close()
    if pages and not any(pages):
        raise KnowledgeBaseError(*_NO_TEXT)
    running_keys = _running_keys(pages)
    text_height = typical_height([line for page in pages for line in page])
    builder = TextBuilder()
    for number, page in enumerate(pages, 1):
        lines = [line for index, line in enumerate(page) if _edge_key(page, index) not in running_keys]
        if lines and not builder.full():
            builder.begin(f"p.{number}")
            _write(builder, lines, text_height)
    return builder.done(title=title)


def _lines_of(document: Any, number: int) -> list[Line]:
    import pypdfium2

    try:
        page = document[number]
        try:
            text_page = page.get_textpage()
            width = page.get_width()
            segments = []
            for index in range(min(text_page.count_rects(), _MAX_SEGMENTS)):
                left, bottom, right, top = text_page.get_rect(index)
                text = plain(text_page.get_text_bounded(left, bottom, right, top).replace("\x02", "-")).strip()
                if text:
                    segments.append(Segment(left, bottom, right, top, " ".join(text.split())))
            text_page.close()
        finally:
            page.close()
    except pypdfium2.PdfiumError:
        return []
    return lines_in_order(segments, width)


def _edge_key(page: Sequence[Line], index: int) -> tuple[str, str] | None:
    """The key by which lines at the edge of different pages are compared; None for a line that is not at an edge."""
    if index < _EDGE_LINES:
        edge = "top"
    elif index >= len(page) - _EDGE_LINES:
        edge = "bottom"
    else:
        return None
    return edge, _NUMBER.sub("#", page[index].text.lower())


def _running_keys(pages: Sequence[Sequence[Line]]) -> frozenset[tuple[str, str] | None]:
    """The keys of running headers and footers: lines at the same edge of many pages, whatever their numbers.

    A line with a number, usually the page number, may occur in one chapter only.
    """
    counts = Counter(
        key for page in pages for key in {_edge_key(page, index) for index in range(len(page))} if key is not None
    )
    min_count = max(_MIN_REPEATED, _MIN_REPEATED_SHARE * sum(map(bool, pages)))
    return frozenset(key for key, count in counts.items() if count >= (_MIN_REPEATED if "#" in key[1] else min_count))


def _write(builder: TextBuilder, page: Sequence[Line], text_height: float) -> None:
    """Write the lines of a page, with blank lines between paragraphs; words hyphenated across lines are joined."""
    texts = [line.text for line in page]
    for index in range(len(texts) - 1):
        first_word, _, rest = texts[index + 1].partition(" ")
        if _HYPHEN.search(texts[index]) and first_word[:1].islower():
            texts[index] = texts[index][:-1] + first_word
            texts[index + 1] = rest
    for line, joined in zip(page, texts, strict=True):
        text = _LEADERS.sub(" … ", joined)
        if not text:
            continue
        is_heading = (
            line.height >= _HEADING_FACTOR * text_height and len(text) <= _MAX_HEADING_CHARS and not line.is_row
        )
        if line.starts_paragraph or is_heading:
            builder.blank()
        builder.add(text)
        if is_heading:
            builder.add(("=" if line.height >= 1.5 * text_height else "-") * max(3, len(text)))
            builder.blank()
