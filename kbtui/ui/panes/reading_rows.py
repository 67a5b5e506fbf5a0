"""Rows of the browser about indexed and omitted files, shown during the first indexing and below the documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual.content import Content

from kbtui.domain.holdings import ToRead
from kbtui.i18n import N_, _, made, ngettext
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.cells import byte_size, wrapped
from kbtui.ui.widgets.rows import Row, heading_row
from kbtui.ui.workspace import FolderStatus

_KINDS = 5
_INDENT = 2
_LEFT_OUT = N_("Left out: ")
_ADD_MODEL = N_("None is needed. To add one: kbtui --model openai:NAME, or model.name in the settings (F4).")


def reading_rows(folder: FolderStatus, *, has_documents: bool) -> list[Row]:
    """Sections of rows about indexed and omitted files; selecting a row does nothing.

    Args:
        folder: Status of the folder.
        has_documents: Whether the documents are already listed.
    """
    to_read = folder.to_read
    if to_read is None:
        return []
    left_out = (
        _section(_("Left out"), left_out_texts(to_read, folder.left_out)) if to_read.left_out or folder.left_out else []
    )
    if has_documents:
        return left_out
    model = _section(_("Chat model"), [_(_ADD_MODEL)]) if folder.model == "offline" else []
    return [*_section(_("Read for the first time"), [read_text(to_read)]), *model, *left_out] if to_read.files else []


def read_text(to_read: ToRead) -> str:
    """The files to read, such as ``736 files, 14.3 MB: 402 .md, 301 .rst, 33 .txt``."""
    kinds = [f"{count:,} {one_line(end, 20) or _('without an ending')}" for end, count in to_read.kinds[:_KINDS]]
    others = len(to_read.kinds) - _KINDS
    kinds += [ngettext("{count:,} more kind", "{count:,} more kinds", others)] if others > 0 else []
    files = ngettext("{count:,} file", "{count:,} files", to_read.files)
    return _("{files}, {size}: {kinds}", files=files, size=byte_size(to_read.bytes), kinds=", ".join(kinds))


def left_out_texts(to_read: ToRead, sentences: Sequence[str]) -> list[str]:
    """The numbers of omitted files by reason, then sentences about those that the user can change."""
    counts = ", ".join(f"{count:,} {_(reason)}" for reason, count in to_read.left_out)
    return [
        *([counts] if counts else []),
        *(one_line(made(sentence)).removeprefix(_(_LEFT_OUT)) for sentence in sentences),
    ]


def _section(heading: str, lines: Sequence[str]) -> list[Row]:
    return [
        heading_row(""),
        heading_row(heading),
        *(Row(f"\0{heading} {number}", partial(_text, line)) for number, line in enumerate(lines)),
    ]


def _text(text: str, width: int) -> list[Content]:
    lines = wrapped(Content(text), max(8, width - _INDENT))
    return [Content(" " * _INDENT) + line for line in lines]
