"""The head of the browser: the folder, the kinds of its content and the progress of indexing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rich.cells import cell_len
from textual.content import Content

from kbtui.domain.holdings import Holdings
from kbtui.i18n import N_, _, made
from kbtui.settings.joined import members_of
from kbtui.settings.published import url_of
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line
from kbtui.ui.addresses import home_relative
from kbtui.ui.widgets.cells import bar, byte_size, elide, elide_middle, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.workspace import FolderStatus

_STAGES = {
    "walk": N_("looking at the files"),
    "read": N_("reading"),
    "embed": N_("embedding passages"),
    "write": N_("writing the index"),
    "model": N_("preparing the embedding model"),
}
_MIN_SAMPLE_S = 2.0
_ONE_LINE_CELLS = 72
"""Width in cells from which each text of the head fits into a line; below it, each has two lines."""


def head(folder: FolderStatus, holdings: Holdings, width: int, left_s: float | None = None) -> list[Content]:
    """The folder, three texts and a blank line; the number of lines depends on the width alone, not on the status.

    Args:
        left_s: Estimated seconds until the folder is read; None if unknown.
    """
    name = Content.styled(elide(one_line(folder.kb.name or str(folder.kb)), width), "bold $accent")
    location = elide_middle(one_line(_location(folder.kb)), max(0, width - name.cell_length - 2))
    if folder.model == "offline":
        about = _("Answered on this machine; every claim names the lines it rests on.")
    else:
        about = _("Answered by {model}; every claim names the lines it rests on.", model=one_line(folder.model))
    details = _indexing_lines(folder, width, left_s) if folder.phase == "indexing" else _summary_lines(folder, holdings)
    rows = 1 if width >= _ONE_LINE_CELLS else 2
    lines = [Content.assemble(name, "  ", (location, MUTED))]
    for text in (Content(about), *details):
        part = wrapped(text, width, lines=rows)
        lines += [*part, *[Content("")] * (rows - len(part))]
    return [*lines, Content("")]


@cache
def _location(root: Path) -> str:
    """The location of the folder or collection, or of each folder of a joined one.

    Cached, because it follows links on disk, and the head is measured and drawn again with each layout.
    """
    members = members_of(root)
    if members:
        return " · ".join(map(home_relative, members.values()))
    return url_of(root).rpartition("/")[0] or home_relative(root.parent)


def _summary_lines(folder: FolderStatus, holdings: Holdings) -> tuple[Content, Content]:
    """An error with its hint; or the kinds of content, and a note about omitted files or chat models."""
    if folder.phase == "failed":
        first = Content.styled(f"✗ {one_line(made(folder.message))}", "$text-error")
        return first, Content.styled(f"  {one_line(made(folder.hint))}", MUTED)
    kinds = " · ".join(counted(kind.count, one_line(kind.name)) for kind in holdings.kinds)
    note = one_line(made(folder.left_out[0])) if folder.left_out else ""
    if folder.files == 0 and folder.phase == "ready" and not folder.sources:
        kinds = _("There is nothing to read in this folder yet.")
        note = note or _("kbtui index says what is left out, and why.")
    if len(folder.left_out) > 1:
        note = _(
            "{count} kinds of files are left out; kbtui index says more. {first}",
            count=len(folder.left_out),
            first=note,
        )
    if not note and folder.model == "offline":
        note = _("No chat model is needed. To add one: kbtui --model openai:NAME")
    return Content(kinds), Content.styled(note, MUTED)


def _indexing_lines(folder: FolderStatus, width: int, left_s: float | None) -> tuple[Content, Content]:
    """The size and progress of the first indexing."""
    progress = folder.progress
    if folder.to_read is not None and folder.to_read.bytes:
        size = byte_size(folder.to_read.bytes)
        message = _("Reading {size} for the first time. A question asked now waits for it.", size=size)
    else:
        message = _("Reading for the first time. A question asked now waits for it.")
    first = Content(message)
    if progress is None:
        return first, Content.styled(_("starting"), MUTED)
    if not progress.total:
        text = one_line(progress.message) or _(_STAGES.get(progress.stage, one_line(progress.stage)))
        return first, Content.styled(f"{text} {progress.done or ''}".rstrip(), MUTED)
    remaining = " · " + _("about {time} left", time=_approximate_time(left_s)) if left_s is not None else ""
    counts = " " + _("{number:,} of {count:,}", number=progress.done, count=progress.total) + remaining
    filled = bar(progress.done / progress.total, max(8, min(40, width - cell_len(counts))))
    return first, Content.assemble((filled, "$accent on $foreground 12%"), (counts, MUTED)).truncate(width)


def _approximate_time(seconds: float) -> str:
    if seconds < 90:
        return _("{n} s", n=max(1, round(seconds)))
    return _("{n} min", n=round(seconds / 60))


def seconds_left(start: tuple[float, int], now: float, done: int, total: int) -> float | None:
    """Estimated seconds until all items are done, by the speed since ``start``; None while the sample is too short.

    Args:
        start: Time in seconds and number of items done at the start of the measurement.
        now: Current time in seconds.
        done: Number of items done.
        total: Number of all items.
    """
    elapsed, progress = now - start[0], done - start[1]
    return elapsed / progress * (total - done) if elapsed >= _MIN_SAMPLE_S and progress > 0 else None
