"""What the browser says above its rows: which folder this is, what kinds of things it holds, how far its index is."""

from __future__ import annotations

from pathlib import Path

from rich.cells import cell_len
from textual.content import Content

from kbtui.domain.holdings import Holdings
from kbtui.i18n import N_, _, made
from kbtui.settings.joined import members_of
from kbtui.settings.published import url_of
from kbtui.text.plurals import counted
from kbtui.text.terminal import one_line
from kbtui.ui.addresses import below_home
from kbtui.ui.panes.reading_rows import megabytes
from kbtui.ui.widgets.cells import bar, elide, elide_middle, row
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.workspace import FolderStatus

_STAGES = {
    "walk": N_("looking at the files"),
    "read": N_("reading"),
    "embed": N_("embedding passages"),
    "write": N_("writing the index"),
    "model": N_("preparing the embedding model"),
}
_LEAST_LOOK_S = 2.0


def head(folder: FolderStatus, holdings: Holdings, width: int, left_s: float | None = None) -> list[Content]:
    """Four lines, whatever there is to say, and a blank one.

    Args:
        left_s: Seconds that reading will still take, where that can be told.
    """
    name = Content.styled(elide(one_line(folder.kb.name or str(folder.kb)), width), "bold $accent")
    place = elide_middle(one_line(_place(folder.kb)), max(0, width - name.cell_length - 3))
    if folder.model == "offline":
        about = _("Answered on this machine; every claim names the lines it rests on.")
    else:
        about = _("Answered by {model}; every claim names the lines it rests on.", model=one_line(folder.model))
    told = _indexing(folder, width, left_s) if folder.phase == "indexing" else _told(folder, holdings, width)
    return [row(name, Content.styled(place, MUTED), width), Content(elide(about, width)), *told, Content("")]


def _place(root: Path) -> str:
    """Where the folder or the collection lies, or each of the folders that it stands for."""
    members = members_of(root)
    if members:
        return " · ".join(map(below_home, members.values()))
    return url_of(root).rpartition("/")[0] or below_home(root.parent)


def _told(folder: FolderStatus, holdings: Holdings, width: int) -> tuple[Content, Content]:
    """What went wrong; else what kinds of things there are, and what is left out or could be added."""
    if folder.phase == "failed":
        first = Content.styled(elide(f"✗ {one_line(made(folder.message))}", width), "$text-error")
        return first, Content.styled(elide(f"  {one_line(made(folder.hint))}", width), MUTED)
    kinds = " · ".join(counted(kind.count, one_line(kind.name)) for kind in holdings.kinds)
    if folder.files == 0 and folder.phase == "ready" and not folder.sources:
        kinds = _("There is nothing to read in this folder yet. kbtui index says what is left out, and why.")
    more = one_line(made(folder.left_out[0])) if folder.left_out else ""
    if len(folder.left_out) > 1:
        more = _(
            "{count} kinds of files are left out; kbtui index says more. {first}",
            count=len(folder.left_out),
            first=more,
        )
    if not more and folder.model == "offline":
        more = _("No chat model is needed. To add one: kbtui --model openai:NAME")
    return Content(elide(kinds, width)), Content.styled(elide(more, width), MUTED)


def _indexing(folder: FolderStatus, width: int, left_s: float | None) -> tuple[Content, Content]:
    """What is read for the first time, and how far that is."""
    progress = folder.progress
    if folder.to_read is not None:
        size = megabytes(folder.to_read.bytes)
        told = _("Reading {size} for the first time. A question asked now waits for it.", size=size)
    else:
        told = _("Reading for the first time. A question asked now waits for it.")
    first = Content(elide(told, width))
    if progress is None:
        return first, Content.styled(_("starting"), MUTED)
    if not progress.total:
        text = one_line(progress.message) or _(_STAGES.get(progress.stage, one_line(progress.stage)))
        return first, Content.styled(elide(f"{text} {progress.done or ''}".rstrip(), width), MUTED)
    left = " · " + _("about {time} left", time=_about(left_s)) if left_s is not None else ""
    figures = " " + _("{number:,} of {count:,}", number=progress.done, count=progress.total) + left
    shown = bar(progress.done / progress.total, max(8, min(40, width - cell_len(figures))))
    return first, Content.assemble((shown, "$accent on $foreground 12%"), (figures, MUTED)).truncate(width)


def _about(seconds: float) -> str:
    if seconds < 90:
        return _("{n} s", n=max(1, round(seconds)))
    return _("{n} min", n=round(seconds / 60))


def seconds_left(began: tuple[float, int], now: float, done: int, total: int) -> float | None:
    """How long the rest takes at the speed since ``began`` (when, and how much was done); None for too short a look."""
    elapsed, more = now - began[0], done - began[1]
    return elapsed / more * (total - done) if elapsed >= _LEAST_LOOK_S and more > 0 else None
