"""What panes ask of the app, over whatever screen they stand on: to explain, to edit, to save, to read anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kbtui.errors import KbtuiError
from kbtui.i18n import _
from kbtui.settings.model import Settings
from kbtui.ui import editing
from kbtui.ui.lifetime import LastingApp
from kbtui.ui.messages import EditRequested, SaveRequested, SchemaRefreshRequested, WhyRequested
from kbtui.ui.notices import place_notices, say_error
from kbtui.ui.workspace import Workspace

if TYPE_CHECKING:
    from kbtui.ui.widgets.prompt import Prompt


class RequestsApp(LastingApp):
    """Does what `messages` ask for.

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
            place_notices(self, list(self._notifications))
        super()._refresh_notifications()

    def on_why_requested(self, event: WhyRequested) -> None:
        """Explain evidence over whatever screen asked for it."""
        from kbtui.ui.screens.why import WhyScreen

        event.stop()
        self.push_screen(WhyScreen(event.items, event.index))

    def on_edit_requested(self, event: EditRequested) -> None:
        """Open a source in the user's editor."""
        event.stop()
        editing.edit(self, event.spot)

    def on_prompt_edit_wanted(self, event: Prompt.EditWanted) -> None:
        """Open what is typed in the user's editor."""
        event.stop()
        editing.edit_prompt(self, event.prompt, event.line)

    def on_save_requested(self, event: SaveRequested) -> None:
        """Save a chart or a table, over whatever screen shows it."""
        from kbtui.ui.screens.save import SaveScreen

        event.stop()
        self.push_screen(SaveScreen(event.part, event.question))

    def on_schema_refresh_requested(self, event: SchemaRefreshRequested) -> None:
        """Forget the structure of the data sources."""
        event.stop()
        self.run_worker(self._refresh_schema(), group="schema", exclusive=True, exit_on_error=False)

    async def _refresh_schema(self) -> None:
        try:
            is_open = await self.workspace.refresh_schema()
        except KbtuiError as error:
            say_error(self, error)
        else:
            said = _("The structure of the data will be read anew by the next question.")
            self.notify(said if is_open else _("The folder is not open yet."), markup=False)
