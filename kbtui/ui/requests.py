"""Handles messages of panes on any screen: explain evidence, edit, save, refresh the schema."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.settings.model import Settings
from kbtui.ui import editing
from kbtui.ui.lifetime import ResilientApp
from kbtui.ui.messages import EditRequested, SaveRequested, SchemaRefreshRequested, WhyRequested
from kbtui.ui.notices import position_notices, show_error
from kbtui.ui.workspace import Workspace

if TYPE_CHECKING:
    from kbtui.ui.widgets.prompt import Prompt


class RequestsApp(ResilientApp):
    """An app with handlers for `messages`.

    Attributes:
        settings: Settings in effect.
        kb: The folder.
        workspace: The folder and its engine.
    """

    settings: Settings
    kb: Path
    workspace: Workspace

    def _refresh_notifications(self) -> None:
        if self._screen_stack:
            position_notices(self, list(self._notifications))
        super()._refresh_notifications()

    def on_why_requested(self, event: WhyRequested) -> None:
        """Show the explanation of evidence over the current screen."""
        from kbtui.ui.screens.why import WhyScreen

        event.stop()
        self.push_screen(WhyScreen(event.items, event.index))

    def on_edit_requested(self, event: EditRequested) -> None:
        """Open a source in the user's editor."""
        event.stop()
        editing.edit(self, event.spot)

    def on_prompt_edit_wanted(self, event: Prompt.EditWanted) -> None:
        """Open the text of the prompt in the user's editor."""
        event.stop()
        editing.edit_prompt(self, event.prompt, event.line)

    def on_save_requested(self, event: SaveRequested) -> None:
        """Show the dialog to save a chart or table over the current screen."""
        from kbtui.ui.screens.save import SaveScreen

        event.stop()
        self.push_screen(SaveScreen(event.part, event.question))

    def on_schema_refresh_requested(self, event: SchemaRefreshRequested) -> None:
        """Discard the stored schema of the data sources."""
        event.stop()
        self.run_worker(self._refresh_schema(), group="schema", exclusive=True, exit_on_error=False)

    async def _refresh_schema(self) -> None:
        try:
            is_open = await self.workspace.refresh_schema()
        except KbtuiError as error:
            show_error(self, error)
        else:
            message = _("The structure of the data will be read anew by the next question.")
            self.notify(message if is_open else _("The folder is not open yet."), markup=False)
