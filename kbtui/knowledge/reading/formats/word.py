"""The text of DOCX files: headings, paragraphs, lists and tables, in document order."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error
from kbtui.knowledge.reading.formats.packages import DAMAGED, local_name, open_archive, row, rule

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HEADING: Final = re.compile(r"heading\s*([1-6])", re.IGNORECASE)
_LIST: Final = re.compile(r"list", re.IGNORECASE)
_OTHER_TYPES: Final = (
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
)
"""Types of the main part of documents with macros and of templates, which `docx.Document` refuses."""


def extract(data: bytes, _path: str) -> Extracted:
    """The text of a Word document, as Markdown.

    Raises:
        KnowledgeBaseError: It is protected by a password, or damaged.
    """
    from docx.opc.part import PartFactory
    from docx.package import Package
    from docx.parts.document import DocumentPart

    open_archive(data).close()
    PartFactory.part_type_for.update(dict.fromkeys(_OTHER_TYPES, DocumentPart))
    try:
        document: Any = Package.open(io.BytesIO(data)).main_document_part.document
        styles = {style.style_id: str(style.name) for style in document.styles if style.style_id}
        builder = TextBuilder()
        _write_blocks(builder, document.element.body, styles)
        return builder.done("markdown", title=document.core_properties.title or "")
    except DAMAGED as error:
        raise damaged_error() from error


def _write_blocks(builder: TextBuilder, body: Any, styles: Mapping[str, str]) -> None:
    was_item = False
    for block in _blocks(body):
        if builder.full():
            return
        if local_name(block) == "tbl":
            builder.blank()
            _write_table(builder, block)
            builder.blank()
            was_item = False
            continue
        text = _text(block)
        if not text.strip():
            continue
        heading, depth = _heading_and_depth(block, styles)
        if not (was_item and depth is not None):
            builder.blank()
        if heading:
            builder.add("#" * heading + " " + " ".join(text.split()))
        elif depth is not None:
            builder.add("  " * depth + "- " + " ".join(text.split()))
        else:
            builder.add(text)
        was_item = depth is not None


def _blocks(body: Any) -> Iterator[Any]:
    """The paragraphs and tables of a body, including those in content controls."""
    pending = list(reversed(body))
    while pending:
        element = pending.pop()
        name = local_name(element)
        if name in ("p", "tbl"):
            yield element
        elif name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"):
            pending.extend(reversed(element))


def _heading_and_depth(paragraph: Any, styles: Mapping[str, str]) -> tuple[int, int | None]:
    """The heading level of a paragraph (0 for none), and its depth in a list (None outside of lists)."""
    properties = paragraph.find(f"{_W}pPr")
    if properties is None:
        return 0, None
    style = properties.find(f"{_W}pStyle")
    style_name = styles.get(style.get(f"{_W}val", ""), style.get(f"{_W}val", "")) if style is not None else ""
    if match := _HEADING.search(style_name):
        return int(match[1]), None
    if style_name.lower() == "title":
        return 1, None
    outline = properties.find(f"{_W}outlineLvl")
    if outline is not None and outline.get(f"{_W}val", "9").isdigit() and int(outline.get(f"{_W}val")) < 6:
        return int(outline.get(f"{_W}val")) + 1, None
    numbering = properties.find(f"{_W}numPr")
    if numbering is not None or _LIST.match(style_name):
        level = numbering.find(f"{_W}ilvl") if numbering is not None else None
        depth = level.get(f"{_W}val", "0") if level is not None else "0"
        return 0, min(int(depth), 8) if depth.isdigit() else 0
    return 0, None


def _text(element: Any) -> str:
    parts = []
    for node in element.iter():
        match local_name(node):
            case "t":
                parts.append(node.text or "")
            case "tab":
                # Tab stops in paragraph properties have the same element name.
                parts.append("\t" if local_name(node.getparent()) == "r" else "")
            case "br" | "cr":
                parts.append("\n")
            case "noBreakHyphen":
                parts.append("-")
    return "".join(parts).strip()


def _write_table(builder: TextBuilder, table: Any) -> None:
    for number, table_row in enumerate(table.iter(f"{_W}tr")):
        cells = [" ".join(_text(cell).split()) for cell in table_row.iterfind(f"{_W}tc")]
        if any(cells):
            builder.add(row(cells))
            if number == 0:
                builder.add(rule(len(cells)))
