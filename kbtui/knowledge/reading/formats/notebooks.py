"""The text of Jupyter notebooks: text and code of the cells, and the beginning of their output."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error
from kbtui.text.code_marks import code_block
from kbtui.text.decoding import decode

_MAX_OUTPUT_LINES: Final = 40
_MAX_OUTPUT_LINE_CHARS: Final = 400


def extract(data: bytes, _path: str) -> Extracted:
    """The cells of a notebook, as Markdown, with a place for each.

    Raises:
        KnowledgeBaseError: The file is not a notebook.
    """
    try:
        book = json.loads(decode(data).text)
        cells = book.get("cells")
        if cells is None:  # notebooks from before 2015
            cells = [cell for sheet in book.get("worksheets", ()) for cell in sheet.get("cells", ())]
        language = _language(book)
        builder = TextBuilder()
        for number, cell in enumerate(cells, 1):
            if builder.full():
                break
            builder.begin(f"cell {number}")
            _write_cell(builder, cell, language)
        return builder.done("markdown")
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError) as error:
        raise damaged_error() from error


def _language(book: Mapping[str, Any]) -> str:
    metadata = book.get("metadata") or {}
    return str(
        (metadata.get("language_info") or {}).get("name") or (metadata.get("kernelspec") or {}).get("language") or ""
    )


def _write_cell(builder: TextBuilder, cell: Mapping[str, Any], language: str) -> None:
    source = _join(cell.get("source", cell.get("input", ""))).strip("\n")
    if cell.get("cell_type") != "code":
        builder.add(source)
        return
    if source.strip():
        _write_code(builder, source, language)
    for output in cell.get("outputs") or ():
        text = "\n".join(_output_texts(output)).strip("\n")
        if text:
            lines = [line[:_MAX_OUTPUT_LINE_CHARS] for line in text.split("\n")]
            omitted = len(lines) - _MAX_OUTPUT_LINES
            lines = lines[:_MAX_OUTPUT_LINES] + ([f"… {omitted:,} more lines"] if omitted > 0 else [])
            builder.blank()
            _write_code(builder, "\n".join(lines), "")


def _write_code(builder: TextBuilder, code: str, language: str) -> None:
    builder.add(code_block(code, language))


def _output_texts(output: Mapping[str, Any]) -> Iterator[str]:
    """The texts of an output: printed, returned or raised; images and HTML have none."""
    if output.get("output_type") == "error" or "ename" in output:
        yield f"{output.get('ename', '')}: {output.get('evalue', '')}"
        return
    yield _join(output.get("text", ""))
    yield _join((output.get("data") or {}).get("text/plain", ""))


def _join(text: Any) -> str:
    return "".join(map(str, text)) if isinstance(text, list) else str(text or "")
