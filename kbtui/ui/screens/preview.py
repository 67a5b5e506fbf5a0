"""The source behind a claim: its lines in their file, the cited ones marked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from kbtui.errors import KbtuiError
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.messages import EditRequested, Spot
from kbtui.ui.ports import SourceView
from kbtui.ui.widgets.cells import elide_middle
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.source_text import Excerpt, SourceText, make_excerpt

_QUOTE_CELLS = 300

ReadSource = Callable[[str], SourceView]


class PreviewScreen(ModalScreen[None]):
    """Steps through places; reads and colours each file in a thread.

    Args:
        spots: What can be stepped through.
        index: The one to begin with.
        read: Reads a file of the folder; blocks.
    """

    SCOPE = "preview"
    BINDINGS = bindings("preview")

    def __init__(self, spots: tuple[Spot, ...], index: int, read: ReadSource) -> None:
        super().__init__()
        self.spots = spots
        self.index = index
        self._read = read

    def compose(self) -> ComposeResult:
        with Vertical(id="preview", classes="dialog"):
            yield Static(id="preview-note", markup=False)
            yield SourceText(id="source")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self._show()

    @property
    def spot(self) -> Spot:
        """The place shown."""
        return self.spots[self.index]

    def _show(self) -> None:
        spot = self.spot
        box = self.query_one("#preview")
        number = f"[{spot.n}] " if spot.n else ""
        title = f"{number}{one_line(spot.path or spot.label)}"
        box.border_title = Content(elide_middle(title, max(20, self.size.width - 12)))
        box.border_subtitle = Content("")
        self._note("! These lines have changed since they were indexed." if spot.stale else "", "$text-warning")
        self.query_one(SourceText).focus()
        self.run_worker(self._load(spot), exclusive=True, group="source", exit_on_error=False)

    async def _load(self, spot: Spot) -> None:
        # The thread never calls back: one that waits for an app that is closing would keep it from closing.
        excerpt, note, is_quote = await asyncio.to_thread(_excerpt_of, spot, self._read)
        if note:
            self._note(f"! {one_line(note)}", "$text-warning")
        self.query_one(SourceText).show(excerpt)
        where = f"line {excerpt.start_line}"
        if excerpt.end_line > excerpt.start_line:
            where = f"lines {excerpt.start_line}-{excerpt.end_line}"
        place = f" · {self.index + 1} of {len(self.spots)}" if len(self.spots) > 1 else ""
        text = f"{where} of {excerpt.total:,}{place}" if not is_quote else f"quoted{place}"
        self.query_one("#preview").border_subtitle = Content.styled(text, MUTED)

    def _note(self, text: str, style: str) -> None:
        note = self.query_one("#preview-note", Static)
        note.display = bool(text)
        note.update(Content.styled(text, style))

    def action_step(self, by: int) -> None:
        """The next or the previous place, round the end."""
        if len(self.spots) > 1:
            self.index = (self.index + by) % len(self.spots)
            self._show()

    def action_cite(self, n: int) -> None:
        """The source with this number; among evidence, the n-th piece."""
        wanted = (index for index, spot in enumerate(self.spots) if (spot.n == n if spot.n else index + 1 == n))
        if (index := next(wanted, None)) is not None:
            self.index = index
            self._show()

    def action_edit(self) -> None:
        """Open this place in the editor."""
        if self.spot.path:
            self.post_message(EditRequested(self.spot))

    def action_show_cited(self) -> None:
        """Back to the cited lines."""
        self.query_one(SourceText).show_cited()

    def action_close(self) -> None:
        """Back to what was on the screen before."""
        self.dismiss()


def _excerpt_of(spot: Spot, read: ReadSource) -> tuple[Excerpt, str, bool]:
    """Read, cut, colour; blocks. What cannot be read is shown by its quote, and the note says why.

    Returns:
        What to show, what to say of it, and whether it is only the quote.
    """
    if not spot.path:
        return _quoted(spot), "", True
    try:
        source = read(spot.path)
    except KbtuiError as error:
        return _quoted(spot), f"{error.message} Here is what was quoted from it.", True
    start, end, note = _now_at(spot, source.text.split("\n"))
    return make_excerpt(source.text, source.path, source.language, start, end), note, False


def _now_at(spot: Spot, lines: Sequence[str]) -> tuple[int, int, str]:
    """Where the quoted lines stand in the file as it is now, and what to say when that is elsewhere or nowhere."""
    start, end, quote = spot.start_line, spot.end_line, spot.quote.split("\n")
    # What evidence carries is a preview, shortened; only citations quote whole lines.
    if not (spot.n and spot.quote) or list(lines[start - 1 : end]) == quote:
        return start, end, ""
    found = [at for at in range(len(lines) - len(quote) + 1) if list(lines[at : at + len(quote)]) == quote]
    if len(found) == 1:
        return found[0] + 1, found[0] + len(quote), f"The file has changed: what is quoted stood at line {start}."
    return start, end, f"The file has changed since. Quoted was: {one_line(spot.quote, _QUOTE_CELLS)}"


def _quoted(spot: Spot) -> Excerpt:
    """The quote alone, numbered as in its file."""
    excerpt = make_excerpt(spot.quote or "There is no text to show.", spot.path or "quote.txt", "", 1, 1)
    count = len(excerpt.lines)
    return Excerpt(
        first=spot.start_line,
        lines=excerpt.lines,
        total=spot.start_line + count - 1,
        start_line=spot.start_line,
        end_line=spot.start_line + count - 1,
    )
