"""``kbtui replay SESSION``: the replay by itself, with the same themes, keys, previews and editor as everywhere."""

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
    """Plays one recording. No folder is opened and no model loaded.

    Args:
        recording: What to play.
        settings: Settings in effect.
        speed: Times faster than it happened.
        title: What the top line calls it; the session's name when not given.
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
        """Nothing has to be opened: a recording holds all that is shown."""


def _nothing_to_ask() -> NoReturn:
    raise KnowledgeBaseError(_("A replay asks nothing."))
