"""A dialog with a question and a few answers."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import elide, elide_middle
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.rows import Row, RowList


class ChoiceScreen(Dialog[str | None]):
    """Returns the key of the chosen answer, or None. The first answer should be harmless, because Enter selects it.

    Args:
        title: The question.
        about: The subject of the question.
        answers: The texts of the answers, by key.
        word: Hint for Enter in the footer; "choose" by default.
    """

    SCOPE = "choice"
    BINDINGS = bindings("choice")

    def __init__(self, title: str, about: str, answers: Mapping[str, str], word: str = "") -> None:
        super().__init__()
        self._title = title
        self._about = about
        self._answers = answers
        self._word = word or _("choose")

    def compose(self) -> ComposeResult:
        with Vertical(id="choice", classes="dialog"):
            yield LinesView()
            yield RowList(id="answers", classes="rows")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self.query_one("#choice").border_title = Content(one_line(self._title))
        self.query_one(LinesView).set_lines(lambda width: [Content(elide_middle(one_line(self._about), width))])
        self.query_one(KeyHints).words = {"preview": self._word, "help": ""}
        answers = self.query_one(RowList)
        answers.show_rows([_answer_row(key, text) for key, text in self._answers.items()])
        answers.focus()

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option.id)


def _answer_row(key: str, text: str) -> Row:
    return Row(key, lambda width: [Content(elide(text, width))])
