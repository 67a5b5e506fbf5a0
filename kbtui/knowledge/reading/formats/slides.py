"""The text of PPTX files: title, text, tables and notes of each slide."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, Final

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error
from kbtui.knowledge.reading.formats.packages import DAMAGED, open_archive, row, rule

_MAX_SHAPES: Final = 5_000
_OTHER_TYPES: Final = (
    "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
    "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
)
"""Types of the main part of shows and templates with macros, which python-pptx does not know."""


def extract(data: bytes, _path: str) -> Extracted:
    """The text of a presentation, as Markdown, with a place for each slide.

    Raises:
        KnowledgeBaseError: It is protected by a password, or damaged.
    """
    from pptx.exc import PythonPptxError
    from pptx.opc.package import PartFactory
    from pptx.package import Package
    from pptx.parts.presentation import PresentationPart

    open_archive(data).close()
    PartFactory.part_type_for.update(dict.fromkeys(_OTHER_TYPES, PresentationPart))
    try:
        # `pptx.Presentation` refuses shows and templates, whose parts are the same.
        presentation: Any = Package.open(io.BytesIO(data)).main_document_part.presentation
        builder = TextBuilder()
        for number, slide in enumerate(presentation.slides, 1):
            if builder.full():
                break
            builder.begin(f"slide {number}")
            _write_slide(builder, slide, number)
        return builder.done("markdown", title=presentation.core_properties.title or "")
    except (*DAMAGED, PythonPptxError) as error:
        raise damaged_error() from error


def _write_slide(builder: TextBuilder, slide: Any, number: int) -> None:
    title = slide.shapes.title
    heading = " ".join(title.text_frame.text.split()) if title is not None else ""
    builder.add(f"## {heading or f'Slide {number}'}")
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False) and shape.has_table:
            builder.blank()
            for at, cells in enumerate(shape.table.rows):
                texts = [cell.text for cell in cells.cells]
                builder.add(row(texts))
                if at == 0:
                    builder.add(rule(len(texts)))
        elif shape.has_text_frame and shape.text_frame.text.strip():
            builder.blank()
            _write_paragraphs(builder, shape.text_frame)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        if notes:
            builder.blank()
            builder.add(f"Notes: {notes}")


def _shapes(shapes: Any) -> Iterator[Any]:
    """The shapes of a slide in order, with those of a group in its place."""
    pending = list(reversed(list(shapes)))
    for _ in range(_MAX_SHAPES):
        if not pending:
            return
        shape = pending.pop()
        if hasattr(shape, "shapes"):
            pending.extend(reversed(list(shape.shapes)))
        else:
            yield shape


def _write_paragraphs(builder: TextBuilder, frame: Any) -> None:
    paragraphs = [paragraph for paragraph in frame.paragraphs if paragraph.text.strip()]
    for paragraph in paragraphs:
        text = " ".join(paragraph.text.split())
        # Several paragraphs in a text box are list items, whether they have bullets or not.
        builder.add(f"{'  ' * min(paragraph.level, 8)}- {text}" if len(paragraphs) > 1 else text)
