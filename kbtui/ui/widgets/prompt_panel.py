"""The lower edge of the screen: what waits to be asked, what is offered while typing, and the prompt."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Label, TextArea

from kbtui.i18n import _
from kbtui.text.mentions import Named, begun
from kbtui.text.terminal import one_line
from kbtui.ui.commands.here import commands_here, run_command
from kbtui.ui.conversation import Typed
from kbtui.ui.messages import bubble
from kbtui.ui.offers import Offer, command_offers, command_part, history_offers, like, name_offers
from kbtui.ui.widgets.cells import elide, elide_middle, row
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import MakeRow, Row, RowList

_MOST_AHEAD = 3


class Offers(RowList, can_focus=False):
    """What the prompt offers: chosen by keys of the prompt, or by a click."""


class PromptPanel(Vertical):
    """The prompt with all that belongs to it.

    Args:
        typed: The questions it remembers.
        placeholder: Shown while nothing is typed.
    """

    class NamesWanted(Message):
        """A name begins to be typed behind an ``@``: `PromptPanel.show_names` is to be told what there is."""

    class Offered(Message):
        """Something is offered from now on, or nothing any more."""

    def __init__(self, typed: Typed, placeholder: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._typed = typed
        self._placeholder = placeholder
        self._offered: list[Offer] = []
        self._names: list[Offer] = []
        self._in_name = False
        self._ahead: tuple[str, ...] = ()
        self._dismissed = ""
        self._draft: str | None = None

    def compose(self) -> ComposeResult:
        yield LinesView(id="ahead")
        yield Offers(id="offers", classes="rows")
        with Horizontal(id="prompt-line"):
            yield Label("›", id="prompt-mark", markup=False)
            yield Prompt(self._placeholder, id="prompt")

    @property
    def prompt(self) -> Prompt:
        """Where it is typed."""
        return self.query_one(Prompt)

    def show_ahead(self, queries: Sequence[str]) -> None:
        """Show the questions that wait for the running one."""
        # Said with every event of a run: the screen is laid out anew only when there is something else to show.
        if tuple(queries) != self._ahead:
            self._ahead = shown = tuple(queries)
            self.query_one("#ahead", LinesView).set_lines(lambda width: _ahead(shown, width))

    def show_names(self, names: Sequence[Named]) -> None:
        """Offer these from now on where a name is typed."""
        self._names = name_offers(names)
        self._look()

    def search(self) -> None:
        """Search what was typed before; in a search, go to the next older match."""
        if self._draft is not None:
            self._move(1)
            return
        self._draft = self.prompt.text
        self.prompt.put("")
        self._look()

    def step_back(self) -> bool:
        """Leave a search, with the draft as it was, or close what is offered; False where there is neither."""
        if self._draft is not None:
            self._end_search(self._draft)
        elif self._offered:
            self._dismissed = self.prompt.text
        else:
            return False
        self._look()
        return True

    # Keys of the prompt

    def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        """Take what is offered; a question goes on to the screen."""
        self._look()
        if self._offered:
            event.stop()
            self._choose(self._selected)
        elif self._draft is not None:
            event.stop()
            self._end_search(self._draft)

    def on_prompt_completed(self, event: Prompt.Completed) -> None:
        event.stop()
        self._choose(self._selected)

    def on_prompt_recalled(self, event: Prompt.Recalled) -> None:
        """Move in what is offered, else bring back a question; past the latest one it is for the screen to say."""
        if self._offered:
            event.stop()
            self._move(event.by)
        elif (text := self._typed.recall(event.by, self.prompt.text)) is not None:
            event.stop()
            # One that begins with a slash is not completed, it is what was asked.
            self._dismissed = text
            self.prompt.put(text, at_top=event.by < 0)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """A click on an offer; typing goes on behind it."""
        event.stop()
        self._choose(event.option_index)
        self.prompt.focus()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._look()

    # What is offered

    @property
    def _selected(self) -> int:
        return self.query_one(Offers).highlighted or 0

    def _move(self, by: int) -> None:
        if self._offered:
            self.query_one(Offers).highlighted = (self._selected + by) % len(self._offered)

    def _look(self) -> None:
        """Offer what suits what is typed."""
        offered = self._suiting()
        prompt, offers = self.prompt, self.query_one(Offers)
        if offered != self._offered:
            self._offered = offered
            offers.show_rows([Row(str(number), _offer_row(offer)) for number, offer in enumerate(offered)])
            offers.highlighted = 0 if offered else None
        offers.display = bool(offered)
        if prompt.completing != bool(offered):
            prompt.completing = bool(offered)
            prompt.refresh_bindings()
            bubble(self, self.Offered())
        self.set_class(self._draft is not None, "-searching")
        self.query_one("#prompt-mark", Label).update("›" if self._draft is None else "⌕")

    def _suiting(self) -> list[Offer]:
        if self._draft is not None:
            return history_offers(self.prompt.text, self._typed.entries)
        before = self.prompt.before_cursor
        if self.prompt.text == self._dismissed:
            return []
        self._dismissed = ""
        if command_part(before) is not None and before == self.prompt.text:
            return like(before, command_offers(commands_here(self.screen)))
        part = begun(before)
        if part is not None and not self._in_name:
            bubble(self, self.NamesWanted())
        self._in_name = part is not None
        return like(part, self._names) if part is not None else []

    def _choose(self, index: int) -> None:
        offer, prompt = self._offered[index], self.prompt
        if offer.command is not None:
            prompt.put("")
            self.app.call_later(run_command, self.app, self.screen, offer.command)
        elif self._draft is not None:
            self._end_search(offer.insert)
        else:
            prompt.put_before_cursor(offer.insert, len(begun(prompt.before_cursor) or ""))
        self._look()

    def _end_search(self, text: str) -> None:
        self._draft = None
        self._dismissed = text
        self.prompt.put(text)


def _offer_row(offer: Offer) -> MakeRow:
    def make(width: int) -> list[Content]:
        note = Content.styled(elide(one_line(offer.note), width // 2), MUTED)
        shorten = elide_middle if offer.note == _("file") else elide
        return [row(Content(shorten(one_line(offer.text), width - note.cell_length - 1)), note, width)]

    return make


def _ahead(queries: Sequence[str], width: int) -> list[Content]:
    shown = queries if len(queries) <= _MOST_AHEAD else queries[: _MOST_AHEAD - 1]
    lines = [Content.styled(elide(f"{_('next')} › {one_line(query)}", width), MUTED) for query in shown]
    if len(shown) < len(queries):
        lines.append(Content.styled(_("and {count} more", count=len(queries) - len(shown)), MUTED))
    return lines
