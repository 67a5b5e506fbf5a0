"""The commands in the palette (ctrl+p)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from rich.align import Align
from rich.text import Text
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.widgets.option_list import Option

from kbtui.i18n import _
from kbtui.ui.commands import Command
from kbtui.ui.commands.here import commands_here, run_command


class CommandProvider(Provider):
    """Every command that makes sense without the focus being somewhere special, on the screen below the palette."""

    async def discover(self) -> Hits:
        for command in commands_here(self.screen):
            yield DiscoveryHit(_label(command), self._run(command), command.title, command.help)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in commands_here(self.screen):
            score = max(matcher.match(command.title), matcher.match(command.help) * 0.5)
            if score > 0:
                yield Hit(score, _label(command), self._run(command), command.title, command.help)

    def _run(self, command: Command) -> Callable[[], Awaitable[None]]:
        return partial(run_command, self.app, self.screen, command)


class Palette(CommandPalette):
    """Textual's palette, which a page key ends with a KeyError while its list is not laid out yet."""

    def __init__(self) -> None:
        super().__init__(placeholder=_("Search for commands…"), id="--command-palette")

    def _start_no_matches_countdown(self, search_value: str) -> None:
        """Textual's, whose words are English whatever is spoken."""
        self._stop_no_matches_countdown()
        say = partial(self._say_no_matches, search_value)
        self._no_matches_timer = self.set_timer(self._NO_MATCHES_COUNTDOWN, say)

    def _say_no_matches(self, search_value: str) -> None:
        if search_value:
            said = Align.center(Text(_("No matches found"), style="not bold"))
            self.query_one(CommandList).add_option(Option(said, disabled=True, id=self._NO_MATCHES))
        self._list_visible = bool(search_value)

    def _action_command_list(self, action: str) -> None:
        if self.query_one(CommandList)._lines:
            super()._action_command_list(action)


def _label(command: Command) -> str:
    return f"{command.title}   {command.shown}"
