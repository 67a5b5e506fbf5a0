"""The command palette (ctrl+p)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from rich.align import Align
from rich.text import Text
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.widgets.option_list import Option

from kbtui.i18n import _
from kbtui.ui.commands import Command, available_commands, run_command


class CommandProvider(Provider):
    """Provides the commands that are available on the screen below the palette, wherever the focus is."""

    async def discover(self) -> Hits:
        for command in available_commands(self.screen):
            yield DiscoveryHit(_label(command), self._run(command), command.title, command.help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in available_commands(self.screen):
            score = max(matcher.match(command.title), matcher.match(command.help) * 0.5)
            if score > 0:
                yield Hit(score, _label(command), self._run(command), command.title, command.help)

    def _run(self, command: Command) -> Callable[[], Awaitable[None]]:
        return partial(run_command, self.app, self.screen, command)


class Palette(CommandPalette):
    """Textual's palette, without its KeyError on page keys before the list is laid out."""

    def __init__(self) -> None:
        super().__init__(placeholder=_("Search for commands…"), id="--command-palette")

    def _start_no_matches_countdown(self, search_value: str) -> None:
        """Textual's method with a translated message."""
        self._stop_no_matches_countdown()
        callback = partial(self._show_no_matches, search_value)
        self._no_matches_timer = self.set_timer(self._NO_MATCHES_COUNTDOWN, callback)

    def _show_no_matches(self, search_value: str) -> None:
        if not self.query(CommandList):
            # The time was up while the palette was being closed.
            return
        if search_value:
            text = Align.center(Text(_("No matches found"), style="not bold"))
            self.query_one(CommandList).add_option(Option(text, disabled=True, id=self._NO_MATCHES))
        self._list_visible = bool(search_value)

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList)._lines:
            super()._action_command_list(action)


def _label(command: Command) -> str:
    return f"{command.title}   {command.shown}"
