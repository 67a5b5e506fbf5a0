"""The app of ``kbtui replay SESSION``: a replay with the same themes, keys, previews and editor as the main app."""

from __future__ import annotations

from typing import NoReturn

from kbtui.domain.events import RunStarted
from kbtui.errors import KnowledgeBaseError
from kbtui.i18n import _
from kbtui.sessions.recording import Recording
from kbtui.settings.model import Settings
from kbtui.settings.published import root_of
from kbtui.ui.app import KbtuiApp
from kbtui.ui.screens.replay import ReplayScreen
from kbtui.ui.started import Started


class ReplayApp(KbtuiApp):
    """Plays a recording without opening a folder or loading a model.

    Args:
        recording: The recording.
        settings: Settings in effect.
        speed: Factor over recorded time.
        title: Title in the top line; the session's name by default.
        started: As of `KbtuiApp`.
    """

    def __init__(
        self,
        recording: Recording,
        settings: Settings,
        *,
        speed: float = 1.0,
        title: str = "",
        started: Started | None = None,
    ) -> None:
        folder = next((event.kb for event in recording.events if isinstance(event, RunStarted)), "")
        super().__init__(
            _nothing_to_ask,
            settings,
            kb=root_of(folder),
            first_screen=lambda: ReplayScreen(recording, speed=speed, title=title),
            started=started,
        )

    def _begin(self) -> None:
        """Do nothing: the recording has all data."""


def _nothing_to_ask() -> NoReturn:
    raise KnowledgeBaseError(_("A replay asks nothing."))
