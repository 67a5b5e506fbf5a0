"""The theme picker: shows each theme while it is highlighted, saves it with Enter, restores the old one with Escape.

A click highlights a theme, and a second click saves it.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from kbtui.errors import KbtuiError
from kbtui.i18n import N_, _, made
from kbtui.text.terminal import one_line
from kbtui.ui import theming
from kbtui.ui.commands import bindings
from kbtui.ui.notices import warn
from kbtui.ui.panes.base import MUTED
from kbtui.ui.screens.dialog import Dialog
from kbtui.ui.theming import FailedTheme, LoadedTheme
from kbtui.ui.widgets.cells import elide, elide_middle, row, wrapped
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.rows import Row, RowList, heading_row

_SWATCHES = ("accent", "primary", "secondary", "success", "warning", "error")
_HEADINGS = {"kbtui": "", "installed": N_("Of plug-ins"), "yours": N_("Yours"), "textual": N_("Textual's own")}


class ThemesScreen(Dialog[None]):
    """The themes of kbtui, of plug-ins, of the user and of Textual, and theme files with errors.

    The files are read each time, so that a theme can be edited and tried without a restart.
    """

    SCOPE = "themes"
    BINDINGS = bindings("themes")

    def __init__(self) -> None:
        super().__init__()
        self._previous = ""
        self._themes: tuple[LoadedTheme, ...] = ()

    def compose(self) -> ComposeResult:
        with Vertical(id="themes", classes="dialog"):
            yield RowList(id="theme-list", classes="rows", select_first=True)
            yield KeyHints(classes="hints")

    def on_mount(self) -> None:
        self._previous = self.app.theme
        theme_set = theming.load_themes()
        theming.register(self.app, theme_set)
        self._themes = theming.all_themes(self.app, theme_set)
        box = self.query_one("#themes")
        box.border_title = _("Colour theme")
        box.border_subtitle = Content.styled(_("{count} themes", count=len(self._themes)), MUTED)
        self.query_one(KeyHints).words = {"preview": _("keep"), "theme_keep": "", "help": ""}
        rows: list[Row] = []
        for source, heading in _HEADINGS.items():
            theme_rows = [_theme_row(theme) for theme in self._themes if theme.source == source]
            rows += [heading_row(_(heading)), *theme_rows] if heading and theme_rows else theme_rows
        if theme_set.failed:
            rows += [heading_row(_("Could not be loaded")), *(_failed_row(failed) for failed in theme_set.failed)]
        names = self.query_one(RowList)
        names.show_rows(rows)
        names.highlighted = next((index for index, row_ in enumerate(rows) if row_.key == self._previous), 0)
        names.focus()

    def on_option_list_option_highlighted(self, event: RowList.OptionHighlighted) -> None:
        event.stop()
        name = event.option.id
        if name is not None and self._previous and name != self.app.theme:
            self.app.theme = name

    def on_option_list_option_selected(self, event: RowList.OptionSelected) -> None:
        event.stop()
        self.action_keep()

    def action_keep(self) -> None:
        """Save the current theme."""
        name = self.app.theme
        label = next((theme.label for theme in self._themes if theme.name == name), name)
        try:
            theming.save_theme(name)
        except KbtuiError as error:
            warn(self.app, _("The theme is not remembered"), f"{made(error.message)} {made(error.hint)}")
        else:
            self.app.notify(_("{theme} from now on.", theme=one_line(label)), markup=False)
        self.dismiss()

    def action_restore(self) -> None:
        """Restore the previous theme."""
        self.app.theme = self._previous
        self.dismiss()


def _theme_row(theme: LoadedTheme) -> Row:
    colours = theme.theme.to_color_system().generate()

    def make(width: int) -> Sequence[Content]:
        swatches = Content.assemble(*(("██", colours[name]) for name in _SWATCHES))
        right = Content.assemble(((_("dark") if theme.dark else _("light")) + "  ", MUTED), swatches)
        return [row(Content(elide(one_line(theme.label), width)), right, width)]

    return Row(theme.name, make)


def _failed_row(failed: FailedTheme) -> Row:
    def make(width: int) -> Sequence[Content]:
        name = Content.assemble(("✗ ", "$text-error"), elide_middle(one_line(failed.path.name), width - 2))
        return [name, *wrapped(Content.styled(f"  {one_line(failed.reason)}", MUTED), width, indent=2)]

    return Row("", make)
