"""A dialog to save a chart or table: format and path."""

from __future__ import annotations

import asyncio
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input

from kbtui.domain.events import ChartProduced, TableProduced
from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.text.terminal import one_line
from kbtui.ui.commands import bindings
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.widgets.cells import row
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.lines import LinesView
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, RowList
from kbtui.view.artifacts import FORMAT_NAMES, file_stem, formats_of, save


class SaveScreen(Dialog[Path | None]):
    """Returns the path of the written file, or None. Existing files are never overwritten.

    Args:
        part: The chart or table.
        question: The question, after which a table's file is named.
        folder: The proposed folder; the working directory by default.
    """

    SCOPE = "save"
    BINDINGS = bindings("save")

    def __init__(self, part: ChartProduced | TableProduced, question: str = "", folder: Path | None = None) -> None:
        super().__init__()
        self._part = part
        self._formats = formats_of(part)
        self._start = (folder or Path.cwd()) / f"{file_stem(part, question)}.{self._formats[0]}"

    def compose(self) -> ComposeResult:
        with Vertical(id="save", classes="dialog"):
            yield Input(str(self._start), id="save-path")
            yield RowList(id="save-formats", classes="rows")
            yield LinesView(id="save-problem")
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        is_chart = isinstance(self._part, ChartProduced)
        self.query_one("#save").border_title = _("Save the chart") if is_chart else _("Save the table")
        self.query_one(KeyHints).words = {"preview": _("save"), "help": ""}
        formats = self.query_one(RowList)
        formats.show_rows([_format_row(format_) for format_ in self._formats])
        formats.focus()

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        """Change the suffix of the path to the highlighted format."""
        event.stop()
        field = self.query_one(Input)
        path = Path(field.value)
        if event.option.id and path.name and path.suffix[1:].lower() in self._formats:
            field.value = str(path.with_suffix(f".{event.option.id}"))

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        """Save in the selected format, appending its suffix if the path has none of a format."""
        event.stop()
        path = Path(self.query_one(Input).value.strip())
        if path.name and path.suffix[1:].lower() not in self._formats:
            path = path.with_name(f"{path.name}.{event.option.id}")
        self._save(path)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._save(Path(event.value.strip()))

    def _save(self, path: Path) -> None:
        self.run_worker(self._write(path), exclusive=True, group="save", exit_on_error=False)

    async def _write(self, path: Path) -> None:
        try:
            path_written = await asyncio.to_thread(save, self._part, path)
        except KbtuiError as error:
            self.query_one("#save-problem", LinesView).show_error(error)
        else:
            self.app.notify(one_line(str(path_written)), title=_("Saved"), timeout=8, markup=False)
            self.dismiss(path_written)


def _format_row(format_: str) -> Row:
    return Row(
        format_, lambda width: [row(Content(_(FORMAT_NAMES[format_])), Content.styled(f".{format_}", MUTED), width)]
    )
