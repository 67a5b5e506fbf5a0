"""The lower part of the screen: queued questions, completions and the prompt."""

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
from kbtui.ui.commands import available_commands, run_command
from kbtui.ui.conversation import PromptHistory
from kbtui.ui.messages import bubble
from kbtui.ui.offers import Offer, closest_offers, command_offers, command_prefix, history_offers, name_offers
from kbtui.ui.widgets.cells import elide, elide_middle, row
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.rows import MakeRow, Row, RowList

_MAX_QUEUED = 3


class Offers(RowList, can_focus=False):
    """The completions, which keys of the prompt or clicks accept."""


class PromptPanel(Vertical):
    """The prompt with queued questions and completions.

    Args:
        history: Earlier questions.
        placeholder: Shown while the prompt is empty.
    """

    class NamesWanted(Message):
        """A name is being typed after ``@``; `PromptPanel.show_names` should be called with the names."""

    class Offered(Message):
        """Completions have appeared or disappeared."""

    def __init__(self, history: PromptHistory, placeholder: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._history = history
        self._placeholder = placeholder
        self._offered: list[Offer] = []
        self._names: list[Offer] = []
        self._is_in_name = False
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
        """The prompt."""
        return self.query_one(Prompt)

    def show_queued(self, queries: Sequence[str]) -> None:
        """Show the queued questions."""
        # This is called with every event of a run, so the layout is updated only if the questions have changed.
        if tuple(queries) != self._ahead:
            self._ahead = shown = tuple(queries)
            self.query_one("#ahead", LinesView).set_lines(lambda width: _ahead(shown, width))

    def show_names(self, names: Sequence[Named]) -> None:
        """Use these names as completions after ``@``."""
        self._names = name_offers(names)
        self._update_offers()

    def search(self) -> None:
        """Search earlier questions, or go to the next older match of a search."""
        if self._draft is not None:
            self._move(1)
            return
        self._draft = self.prompt.text
        self.prompt.put("")
        self._update_offers()

    def step_back(self) -> bool:
        """End a search and restore the draft, or close the completions; returns False if there is neither."""
        if self._draft is not None:
            self._end_search(self._draft)
        elif self._offered:
            self._dismissed = self.prompt.text
        else:
            return False
        self._update_offers()
        return True

    # Keys of the prompt

    def on_prompt_submitted(self, event: Prompt.Submitted) -> None:
        """Accept the selected completion; without completions, the question is passed on to the screen."""
        self._update_offers()
        if self._offered:
            event.stop()
            self._accept(self._selected)
        elif self._draft is not None:
            event.stop()
            self._end_search(self._draft)

    def on_prompt_completed(self, event: Prompt.Completed) -> None:
        event.stop()
        self._accept(self._selected)

    def on_prompt_recalled(self, event: Prompt.Recalled) -> None:
        """Move in the completions or recall a question; past the latest one, the screen handles the event."""
        if self._offered:
            event.stop()
            self._move(event.by)
        elif (text := self._history.recall(event.by, self.prompt.text)) is not None:
            event.stop()
            # A recalled question that begins with a slash is not completed as a command.
            self._dismissed = text
            self.prompt.put(text, at_top=event.by < 0)

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Accept the clicked completion and focus the prompt."""
        event.stop()
        self._accept(event.option_index)
        self.prompt.focus()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self._update_offers()

    # Completions

    @property
    def _selected(self) -> int:
        return self.query_one(Offers).highlighted or 0

    def _move(self, by: int) -> None:
        if self._offered:
            self.query_one(Offers).highlighted = (self._selected + by) % len(self._offered)

    def _update_offers(self) -> None:
        """Update the completions for the typed text."""
        offered = self._matching_offers()
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

    def _matching_offers(self) -> list[Offer]:
        if self._draft is not None:
            return history_offers(self.prompt.text, self._history.entries)
        before = self.prompt.before_cursor
        if self.prompt.text == self._dismissed:
            return []
        self._dismissed = ""
        if command_prefix(before) is not None and before == self.prompt.text:
            return closest_offers(before, command_offers(available_commands(self.screen)))
        part = begun(before)
        if part is not None and not self._is_in_name:
            bubble(self, self.NamesWanted())
        self._is_in_name = part is not None
        return closest_offers(part, self._names) if part is not None else []

    def _accept(self, index: int) -> None:
        offer, prompt = self._offered[index], self.prompt
        if offer.command is not None:
            prompt.put("")
            self.app.call_later(run_command, self.app, self.screen, offer.command)
        elif self._draft is not None:
            self._end_search(offer.insert)
        else:
            prompt.put_before_cursor(offer.insert, len(begun(prompt.before_cursor) or ""))
        self._update_offers()

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
    shown = queries if len(queries) <= _MAX_QUEUED else queries[: _MAX_QUEUED - 1]
    lines = [Content.styled(elide(f"{_('next')} › {one_line(query)}", width), MUTED) for query in shown]
    if len(shown) < len(queries):
        lines.append(Content.styled(_("and {count} more", count=len(queries) - len(shown)), MUTED))
    return lines
