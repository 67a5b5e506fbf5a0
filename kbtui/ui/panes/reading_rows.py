"""What of the folder is read and what is left out, told while it is read for the first time and below its documents."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from textual.content import Content

from kbtui.domain.holdings import ToRead
from kbtui.i18n import N_, _, made, ngettext
from kbtui.text.terminal import one_line
from kbtui.ui.widgets.cells import elide, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row
from kbtui.ui.workspace import FolderStatus

_KINDS = 5
_INDENT = 2
_LEFT_OUT = N_("Left out: ")
_ADD_MODEL = N_("None is needed. To add one: kbtui --model openai:NAME, or model.name in the settings (F4).")


def reading_rows(folder: FolderStatus, *, known: bool) -> list[Row]:
    """Headings with what there is to say; the sentences can be gone to, and choosing one does nothing.

    Args:
        known: The documents are listed already.
    """
    told = folder.to_read
    if told is None:
        return []
    left_out = _part(_("Left out"), left_out_words(told, folder.left_out)) if told.left_out or folder.left_out else []
    if known:
        return left_out
    model = _part(_("Chat model"), [_(_ADD_MODEL)]) if folder.model == "offline" else []
    return [*_part(_("Read for the first time"), [read_words(told)]), *model, *left_out] if told.files else []


def read_words(told: ToRead) -> str:
    """``736 files, 14.3 MB: 402 .md, 301 .rst, 33 .txt``."""
    kinds = [f"{count:,} {one_line(end, 20) or _('without an ending')}" for end, count in told.kinds[:_KINDS]]
    more = len(told.kinds) - _KINDS
    kinds += [ngettext("{count:,} more kind", "{count:,} more kinds", more)] if more > 0 else []
    files = ngettext("{count:,} file", "{count:,} files", told.files)
    return _("{files}, {size}: {kinds}", files=files, size=megabytes(told.bytes), kinds=", ".join(kinds))


def left_out_words(told: ToRead, sentences: Sequence[str]) -> list[str]:
    """How many and why; below it what its owner can do something about."""
    counts = ", ".join(f"{count:,} {_(why)}" for why, count in told.left_out)
    return [*([counts] if counts else []), *(one_line(made(one)).removeprefix(_(_LEFT_OUT)) for one in sentences)]


def megabytes(size: int) -> str:
    """``14.3 MB``; never none, as something is there."""
    return f"{max(0.1, size / 1e6):,.1f} MB"


def _part(heading: str, lines: Sequence[str]) -> list[Row]:
    return [
        Row("", partial(_heading, ""), 1),
        Row("", partial(_heading, heading), 1),
        *(Row(f"\0{heading} {number}", partial(_text, line)) for number, line in enumerate(lines)),
    ]


def _heading(text: str, width: int) -> list[Content]:
    return [Content.styled(elide(text, width), MUTED)]


def _text(text: str, width: int) -> list[Content]:
    lines = wrapped(Content(text), max(8, width - _INDENT))
    return [Content(" " * _INDENT) + line for line in lines]
